"""Every error the office raises on purpose.

OfficeError
├── NotFoundError            the named thing does not exist, or you may not see it
├── SignedOutError           who asks is not known: no session, link or token that holds
├── DeniedError              you may see it, but not do this to it
├── ConflictError            it is not in a state that allows this, or someone changed it first
│   └── FencedError          a late worker wrote with an outdated fencing number
├── InvalidError             what was given cannot be used
│   └── ConfigError          a configuration file is wrong; carries file, line and column
│       └── ConfigErrors      several faults of one file, in its order
├── LimitError               a rate, size or hop limit refused it
├── BudgetSpentError         a ceiling we set ourselves was reached
├── StorageError             the database or the disk refused
└── OutsideError             a vendor, machine or network failed
    ├── ComputerError        an agent's computer could not do it
    └── ModelError           a model provider failed
        ├── ModelAuthError        401, 403: the key is missing, wrong or not allowed
        ├── ModelNotFoundError    404: no such model at that provider
        ├── ModelRefusedError     400, 413, 422: the request itself was refused
        │   └── ContextOverflowError  the request is longer than the model's window
        ├── QuotaSpentError       402 or an insufficient-quota code: the account is empty
        ├── RateLimitedError      429: too fast; may name when to come back
        ├── ModelOverloadedError  503, 529: the provider is overloaded
        ├── ModelServerError      500, 502, 504 and an error event inside a stream
        ├── ModelUnreachableError no connection: nothing listens there, or the network is down
        ├── ModelStalledError     nothing arrived within the idle limit, or it took too long
        ├── ModelCutError         the connection ended before the answer did
        └── ModelGarbledError     what arrived is not the dialect
"""

from collections.abc import Sequence
from typing import ClassVar


class OfficeError(Exception):
    """Something we expected could go wrong, told in one sentence.

    Attributes:
        code: Stable slug; the API and the docs name the error by it.
        retryable: Whether the same call may succeed later, unchanged.
        hint: What the reader can do about it; empty when nothing.
    """

    code: ClassVar[str] = "office_error"
    retryable: bool = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NotFoundError(OfficeError):
    """The named thing does not exist, or the asker may not see it."""

    code = "not_found"


class SignedOutError(OfficeError):
    """Who asks is not known: the session, link or token is missing, ended or none of ours."""

    code = "signed_out"


class DeniedError(OfficeError):
    """The asker may see it, but not do this to it."""

    code = "denied"


class ConflictError(OfficeError):
    """It is not in a state that allows this, or someone changed it first."""

    code = "conflict"


class FencedError(ConflictError):
    """A late worker wrote with an outdated fencing number; its write was refused."""

    code = "fenced"


class InvalidError(OfficeError):
    """What was given cannot be used."""

    code = "invalid"


class ConfigError(InvalidError):
    """A configuration file is wrong.

    Attributes:
        file: The file as the reader would name it.
        line: One-based line, 0 when the whole file is meant.
        column: One-based column, 0 when unknown.
    """

    code = "invalid_config"

    def __init__(
        self, message: str, *, file: str, line: int = 0, column: int = 0, hint: str = ""
    ) -> None:
        where = f"{file}:{line}:{column}" if line else file
        super().__init__(f"{where}: {message}", hint=hint)
        self.file = file
        self.line = line
        self.column = column


class ConfigErrors(ConfigError):  # noqa: N818  it is several of them
    """A configuration file has faults: one or more, all that could be found in one reading.

    The message is all of them with their hints, one a line; file, line and column are those of the
    first.

    Attributes:
        errors: Every fault, in the order of the file; never empty.
    """

    def __init__(self, errors: Sequence[ConfigError]) -> None:
        first = errors[0]
        super().__init__("", file=first.file, line=first.line, column=first.column)
        self.message = "\n".join(f"{error.message} {error.hint}".rstrip() for error in errors)
        self.args = (self.message,)
        self.errors = tuple(errors)


class LimitError(OfficeError):
    """A rate, size or hop limit refused it.

    Attributes:
        retry_after_s: Seconds after which the same call may pass; ``None`` when never.
    """

    code = "limit"

    def __init__(self, message: str, *, hint: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s
        self.retryable = retry_after_s is not None


class BudgetSpentError(OfficeError):
    """A ceiling we set ourselves was reached."""

    code = "budget_spent"


class StorageError(OfficeError):
    """The database or the disk refused."""

    code = "storage"


class OutsideError(OfficeError):
    """A vendor, machine or network failed."""

    code = "outside"


class ComputerError(OutsideError):
    """An agent's computer could not do it."""

    code = "computer"


class ModelError(OutsideError):
    """A model provider failed.

    Attributes:
        provider: Id of the provider that failed.
        status: HTTP status, 0 when there was none.
        retry_after_s: Seconds the provider asked us to wait, ``None`` when it did not.
        attempts: How often the request was sent before this was given up.
    """

    code = "model"
    attempts: int = 1

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        status: int = 0,
        retry_after_s: float | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.provider = provider
        self.status = status
        self.retry_after_s = retry_after_s


class ModelAuthError(ModelError):
    """401 or 403: the key is missing, wrong or not allowed."""

    code = "model_auth"


class ModelNotFoundError(ModelError):
    """404: no such model at that provider."""

    code = "model_not_found"


class ModelRefusedError(ModelError):
    """400, 413 or 422: the request itself was refused."""

    code = "model_refused"


class ContextOverflowError(ModelRefusedError):
    """The request is longer than the model's window."""

    code = "context_overflow"


class QuotaSpentError(ModelError):
    """402 or an insufficient-quota code: the account is empty. Pauses the office.

    Retryable only when the provider named a time to come back.
    """

    code = "quota_spent"


class RateLimitedError(ModelError):
    """429: too fast."""

    code = "rate_limited"
    retryable = True


class ModelOverloadedError(ModelError):
    """503 or 529: the provider is overloaded."""

    code = "model_overloaded"
    retryable = True


class ModelServerError(ModelError):
    """500, 502, 504 or an error event inside a stream."""

    code = "model_server"
    retryable = True


class ModelUnreachableError(ModelError):
    """No connection: nothing listens there, its name is unknown, or the network is down."""

    code = "model_unreachable"
    retryable = True


class ModelStalledError(ModelError):
    """Nothing arrived within the idle limit, or the answer took longer than a turn may."""

    code = "model_stalled"
    retryable = True


class ModelCutError(ModelError):
    """The connection ended before the answer did."""

    code = "model_cut"
    retryable = True


class ModelGarbledError(ModelError):
    """What arrived is not the dialect."""

    code = "model_garbled"
    retryable = True
