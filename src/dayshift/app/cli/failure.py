"""What went wrong, told to whoever ran a command: what, why, whether retrying helps, what to do.

A failure ends the command with one of the exit codes that scripts rely on.
"""

import re
from typing import Any, cast

import msgspec

from dayshift.core.errors import OfficeError

DONE = 0
FAILED = 1
WRONG_USE = 2
REFUSED = 3
NOTHING_THERE = 4

_BY_CODE = {
    "invalid": WRONG_USE,
    "denied": REFUSED,
    "signed_out": REFUSED,
    "conflict": REFUSED,
    "fenced": REFUSED,
    "limit": REFUSED,
    "budget_spent": REFUSED,
    "not_found": NOTHING_THERE,
    # The use was right, the file is wrong; and the disk is no fault of the asker's.
    "invalid_config": FAILED,
    "storage": FAILED,
}
_BY_STATUS = {
    400: WRONG_USE,
    401: REFUSED,
    403: REFUSED,
    404: NOTHING_THERE,
    409: REFUSED,
    413: WRONG_USE,
    422: WRONG_USE,
    429: REFUSED,
}


_EMPTY = re.compile(r"\$\.(\w+): Expected `str` of length >= 1\.$")


class FailureError(Exception):
    """A command could not do what it was asked.

    Attributes:
        code: Stable slug, the same as in the API and the reference of errors.
        retryable: Whether the same command may succeed later, unchanged.
        hint: What the reader can do about it; empty when nothing.
        details: Further faults, one sentence each.
        exit_code: What the process ends with.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        hint: str = "",
        retryable: bool = False,
        details: tuple[str, ...] = (),
        exit_code: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.retryable = retryable
        self.details = details
        self.exit_code = _BY_CODE.get(code, FAILED) if exit_code is None else exit_code

    def document(self) -> dict[str, Any]:
        """The failure as the one document that ``--json`` prints."""
        return {
            "error": {
                "code": self.code,
                "message": self.message,
                "retryable": self.retryable,
                "hint": self.hint,
                "details": list(self.details),
            }
        }

    def lines(self) -> list[str]:
        """The failure as lines for a person."""
        told = [f"Error: {self.message}", *(f"  {detail}" for detail in self.details)]
        if self.hint:
            told.append(f"Hint: {self.hint}")
        told.append("Trying again may help." if self.retryable else "The same again will not help.")
        return told


def of_error(error: OfficeError) -> FailureError:
    """An error of our own, raised in this process."""
    return FailureError(error.message, code=error.code, hint=error.hint, retryable=error.retryable)


class Problem(msgspec.Struct, frozen=True):
    """What a server answers in the place of what was asked for (problem+json)."""

    code: str = ""
    message: str = ""
    title: str = ""
    retryable: bool = False
    hint: str = ""
    errors: list[Any] = []


def of_problem(status: int, problem: Problem) -> FailureError:
    """A server's refusal."""
    code = problem.code or f"http_{status}"
    message = _plain(problem.message) or problem.title or f"The server answered {status}."
    # One fault is what the message says already.
    faults = problem.errors if len(problem.errors) > 1 else []
    return FailureError(
        message,
        code=code,
        hint=problem.hint,
        retryable=problem.retryable,
        details=tuple(_detail(fault) for fault in faults),
        exit_code=_BY_CODE.get(code, _BY_STATUS.get(status, FAILED)),
    )


def _plain(message: str) -> str:
    """A complaint of the API's about a field, as somebody reads it who sent no JSON."""
    empty = _EMPTY.match(message)
    return f"The {empty[1]} is empty." if empty else message.removeprefix("$.")


def _detail(fault: Any) -> str:  # noqa: ANN401  a text, or an object of the server's
    """One entry of a problem's ``errors``: a sentence, or where and what."""
    if not isinstance(fault, dict):
        return str(fault)
    told = cast("dict[str, Any]", fault)
    where = told.get("field") or told.get("path") or told.get("loc") or ""
    if isinstance(where, list):
        where = ".".join(str(part) for part in cast("list[Any]", where))
    what = told.get("message") or told.get("msg") or told
    is_placed = not where or str(what).startswith(str(where))
    return str(what) if is_placed else f"{where}: {what}"
