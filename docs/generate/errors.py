"""The reference of errors: each with its code, its HTTP status and the command line's exit code."""

import inspect
import re
from collections.abc import Iterator

from dayshift.app.cli import failure
from dayshift.core import errors
from dayshift.core.errors import OfficeError
from dayshift.web.problems import STATUSES, Fault, Problem
from docs.generate.markdown import code, page, prose, table
from docs.generate.structs import struct_section

INTRODUCTION = """
Every refusal and failure says what it was, why, whether the same again may succeed, and what helps.
Programs tell errors apart by `code`, which does not change.
The exit code is what the command line ends with when a server answers so.
"""


def errors_page() -> str:
    """The page."""
    rows = [
        (
            code(error.code),
            code(error.__name__),
            code(above.__name__),
            str(_status(error)),
            str(_exit_code(error)),
            "yes" if error.retryable else "no",
            _meaning(error),
        )
        for error, above in _tree(OfficeError, Exception)
    ]
    head = ("code", "error", "is a", "HTTP status", "exit code", "retry helps", "meaning")
    return page(
        "Errors",
        INTRODUCTION,
        table(head, rows),
        struct_section(Problem, title="As HTTP tells them"),
        struct_section(Fault, level=3),
        "The media type is `application/problem+json`.",
    )


def _tree(
    error: type[OfficeError], above: type[Exception]
) -> Iterator[tuple[type[OfficeError], type[Exception]]]:
    """The errors of core and web below one, in the order they are written, with their bases."""
    yield error, above
    for child in error.__subclasses__():
        if child.__module__ in {errors.__name__, "dayshift.web.problems"}:
            yield from _tree(child, error)


def _status(error: type[OfficeError]) -> int:
    return next(STATUSES[kind] for kind in error.__mro__ if kind in STATUSES).value


def _exit_code(error: type[OfficeError]) -> int:
    return failure.of_problem(_status(error), failure.Problem(code=error.code)).exit_code


def _meaning(error: type[OfficeError]) -> str:
    text = re.split(r"\n\s*\n\s*Attributes:", inspect.getdoc(error) or "", maxsplit=1)[0]
    return prose(text)
