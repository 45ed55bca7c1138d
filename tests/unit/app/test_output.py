"""How text from agents and people looks on a terminal, and failures to whoever ran the command."""

from __future__ import annotations

import io

import pytest

from dayshift.app.cli.failure import FailureError, Problem, of_error, of_problem
from dayshift.app.cli.output import Output, Progress, aligned, one_line, safe
from dayshift.app.cli.shown import duration, money
from dayshift.core.errors import (
    BudgetSpentError,
    ConfigError,
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    NotFoundError,
    OfficeError,
    StorageError,
)


def test_text_cannot_steer_the_terminal() -> None:
    """Escape sequences, C1 controls and turned reading direction do nothing.

    Demanded by: PLAT-4, text of agents is data.
    """
    text = "a\x1b[2Jb\x9b31mc\u202ed\te\r\nf\x07"
    assert safe(text) == "a\ufffd[2Jb\ufffd31mc\ufffdd\te\nf\ufffd"
    assert one_line(" a\n\n b\t c ") == "a b c"


def test_columns_stand_under_each_other_with_wide_characters() -> None:
    """A Chinese title takes two places a character.

    Demanded by: PLAT-5, English and Chinese.
    """
    rows = [("TASK", "TITLE"), ("T-1", "登录页面"), ("登录", "fix")]
    assert aligned(rows, width=None) == ["TASK  TITLE", "T-1   登录页面", "登录  fix"]
    assert aligned(rows, width=10) == ["TASK  TIT…", "T-1   登…", "登录  fix"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidError("x"), 2),
        (DeniedError("x"), 3),
        (ConflictError("x"), 3),
        (LimitError("x"), 3),
        (BudgetSpentError("x"), 3),
        (NotFoundError("x"), 4),
        (ConfigError("x", file="office.yaml"), 1),
        (StorageError("x"), 1),
    ],
)
def test_the_exit_code_says_what_kind_of_failure_it_was(error: OfficeError, code: int) -> None:
    """2 wrong use, 3 refused, 4 nothing there, 1 failed: from an error and from a server's answer.

    Demanded by: the working office, names that other programs rely on.
    """
    told = Problem(code=error.code, message=error.message)
    assert [of_error(error).exit_code, of_problem(422, told).exit_code] == [code, code]


def test_a_failure_is_told_and_is_the_document() -> None:
    """What, why, whether retrying helps and what to do; with --json on standard output, too.

    Demanded by: product, every refusal says what was refused.
    """
    problem = Problem(
        code="limit",
        message="Ada sent 11 messages in 30 s.",
        hint="Wait a moment.",
        retryable=True,
        errors=[{"field": ["body", "text"], "message": "too long"}, "and more"],
    )
    out, err = io.StringIO(), io.StringIO()
    Output(is_json=True, out=out, err=err).failure(of_problem(429, problem))
    assert err.getvalue().splitlines() == [
        "Error: Ada sent 11 messages in 30 s.",
        "  body.text: too long",
        "  and more",
        "Hint: Wait a moment.",
        "Trying again may help.",
    ]
    assert out.getvalue().startswith('{\n  "error": {\n    "code": "limit",')


def test_an_unknown_status_still_says_something() -> None:
    """A proxy's answer has no reason in it.

    Demanded by: PLAT-4.
    """
    failure = of_problem(404, Problem())
    assert (failure.message, failure.exit_code) == ("The server answered 404.", 4)
    assert isinstance(failure, FailureError)


def test_nobody_is_shown_progress_who_does_not_watch() -> None:
    """Standard error that is a file or a pipe stays as it is.

    Demanded by: --json prints one document and everything else goes to standard error.
    """
    err = io.StringIO()
    progress = Progress("Reading the runs", err)
    progress.start()
    progress.tell("Still reading")
    progress.stop()
    assert err.getvalue() == ""


def test_money_and_time_are_short() -> None:
    """Small amounts keep the places that say something.

    Demanded by: MODEL-5.
    """
    assert [money(0), money(1_234), money(12_345_678)] == ["$0.00", "$0.0012", "$12.35"]
    assert [duration(1_240), duration(125_000)] == ["1.2 s", "2 min 5 s"]
