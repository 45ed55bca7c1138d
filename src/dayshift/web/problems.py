"""How an error looks outside: one schema for all of them, and the one table of HTTP statuses."""

from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from fastapi.exceptions import RequestValidationError
from msgspec import UNSET, UnsetType
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dayshift.core.errors import (
    BudgetSpentError,
    ConfigError,
    ConfigErrors,
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    ModelStalledError,
    NotFoundError,
    OfficeError,
    OutsideError,
    SignedOutError,
    StorageError,
)

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:dayshift:error:"


class Fault(msgspec.Struct, frozen=True):
    """One of several things that are wrong. ``field`` says where, as ``$.path`` or ``file:1:2``."""

    field: str
    message: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request was refused or failed (RFC 9457, with our own members).

    Attributes:
        code: Stable slug; programs tell errors apart by it.
        message: What was refused and why, in a sentence.
        retryable: Whether the same request may succeed later, unchanged.
        hint: What the reader can do about it; empty when nothing.
        errors: Everything that is wrong, where that is more than one thing.
    """

    type: str
    title: str
    status: int
    code: str
    message: str
    retryable: bool
    hint: str
    errors: list[Fault] | UnsetType = UNSET


class MalformedError(InvalidError):
    """The body is not JSON at all."""

    code = "malformed"


class MediaTypeError(InvalidError):
    """The body is of a kind that is not read here."""

    code = "media_type"


class FaultyError(InvalidError):
    """The request is JSON, but not what was expected.

    Attributes:
        faults: What is wrong, and where.
    """

    def __init__(self, message: str, *, faults: Sequence[Fault], hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.faults = tuple(faults)


class MethodError(OfficeError):
    """The path is there, but not for this method."""

    code = "method"


class ForeignError(DeniedError):
    """The request comes from another site, or is addressed to a name that is not ours."""

    code = "foreign"


class CsrfError(DeniedError):
    """A change asked for by cookie lacks the page's own CSRF token."""

    code = "csrf"


class BrokenError(OfficeError):
    """Something failed that should not have; the server's log says what."""

    code = "internal"


STATUSES: dict[type[OfficeError], HTTPStatus] = {
    MalformedError: HTTPStatus.BAD_REQUEST,
    SignedOutError: HTTPStatus.UNAUTHORIZED,
    DeniedError: HTTPStatus.FORBIDDEN,
    NotFoundError: HTTPStatus.NOT_FOUND,
    MethodError: HTTPStatus.METHOD_NOT_ALLOWED,
    ConflictError: HTTPStatus.CONFLICT,
    BudgetSpentError: HTTPStatus.CONFLICT,
    MediaTypeError: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    InvalidError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LimitError: HTTPStatus.TOO_MANY_REQUESTS,
    ModelStalledError: HTTPStatus.GATEWAY_TIMEOUT,
    OutsideError: HTTPStatus.BAD_GATEWAY,
    StorageError: HTTPStatus.SERVICE_UNAVAILABLE,
    OfficeError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The narrowest class counts. A limit that never ends, as of size, is 413."""


def status_of(error: OfficeError) -> HTTPStatus:
    """The HTTP status of an error."""
    if isinstance(error, LimitError) and error.retry_after_s is None:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


def problem_of(error: OfficeError) -> Problem:
    """An error as it looks outside."""
    status = status_of(error)
    return Problem(
        type=TYPE_PREFIX + error.code,
        title=status.phrase,
        status=status.value,
        code=error.code,
        message=error.message,
        retryable=error.retryable,
        hint=error.hint,
        errors=list(_faults(error)) or UNSET,
    )


def _faults(error: OfficeError) -> Sequence[Fault]:
    if isinstance(error, FaultyError):
        return error.faults
    if isinstance(error, ConfigErrors):
        return [fault for one in error.errors for fault in _faults(one)]
    if isinstance(error, ConfigError):
        where = f"{error.file}:{error.line}:{error.column}"
        what = f"{error.message.removeprefix(where + ': ')} {error.hint}".rstrip()
        return [Fault(field=where, message=what)]
    return ()


def refusal(error: OfficeError) -> Response:
    """An error as an HTTP response."""
    problem = problem_of(error)
    headers: dict[str, str] = {}
    if isinstance(error, LimitError) and error.retry_after_s is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after_s)))
    if isinstance(error, SignedOutError):
        headers["WWW-Authenticate"] = 'Bearer realm="dayshift"'
    body = msgspec.json.encode(problem)
    return Response(body, status_code=problem.status, media_type=MEDIA_TYPE, headers=headers)


def of_framework(error: HTTPException) -> Response:
    """What the framework itself refuses: no such path, no such method."""
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        response = refusal(MethodError("This path does not take that method."))
        response.headers.update(error.headers or {})
        return response
    if error.status_code == HTTPStatus.NOT_FOUND:
        return refusal(no_such_path())
    return refusal(MalformedError(str(error.detail)))


def no_such_path() -> NotFoundError:
    """A path below /api that leads nowhere."""
    return NotFoundError("There is nothing at this path.", hint="All paths: /api/openapi.json")


def of_validation(error: RequestValidationError) -> Response:
    """A path or query that FastAPI could not read."""
    faults = [
        Fault(field=".".join(str(part) for part in told["loc"]), message=str(told["msg"]))
        for told in error.errors()
    ]
    first = faults[0]
    message = f"{first.field}: {first.message}."
    return refusal(FaultyError(message, faults=faults))
