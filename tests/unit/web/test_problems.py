"""How an error looks outside: the one table of statuses."""

from __future__ import annotations

import inspect

import msgspec
import pytest

from dayshift.core import errors as e
from dayshift.web import problems as p


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (e.NotFoundError("x"), 404),
        (e.SignedOutError("x"), 401),
        (e.DeniedError("x"), 403),
        (e.ConflictError("x"), 409),
        (e.FencedError("x"), 409),
        (e.BudgetSpentError("x"), 409),
        (e.InvalidError("x"), 422),
        (e.ConfigError("x", file="office.yaml"), 422),
        (e.LimitError("x"), 413),
        (e.LimitError("x", retry_after_s=3.0), 429),
        (e.StorageError("x"), 503),
        (e.ComputerError("x"), 502),
        (e.RateLimitedError("x"), 502),
        (e.ModelStalledError("x"), 504),
        (e.OfficeError("x"), 500),
        (p.MalformedError("x"), 400),
        (p.MediaTypeError("x"), 415),
        (p.ForeignError("x"), 403),
        (p.CsrfError("x"), 403),
    ],
)
def test_the_narrowest_class_gives_the_status(error: e.OfficeError, status: int) -> None:
    """Every error has one, by itself or by what it is a kind of.

    Demanded by: PLAT-3, the house 2.3.
    """
    assert p.status_of(error) == status
    problem = p.problem_of(error)
    assert (problem.status, problem.code) == (status, error.code)
    assert problem.message.endswith("x")
    assert problem.type == f"urn:dayshift:error:{error.code}"


def test_no_two_errors_share_a_code() -> None:
    """Programs tell errors apart by it.

    Demanded by: PLAT-3.
    """
    kinds = [
        kind
        for module in (e, p)
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, e.OfficeError) and kind.__module__ == module.__name__
    ]
    codes = [kind.code for kind in kinds if "code" in vars(kind)]
    assert sorted(set(codes)) == sorted(codes)
    assert len(codes) > 25


def test_who_may_come_again_is_told_when() -> None:
    """In whole seconds, at least one.

    Demanded by: PLAT-3.
    """
    soon = p.refusal(e.LimitError("x", retry_after_s=0.2))
    later = p.refusal(e.LimitError("x", retry_after_s=12.6))
    assert (soon.headers["retry-after"], later.headers["retry-after"]) == ("1", "13")
    assert "retry-after" not in p.refusal(e.LimitError("x")).headers


def test_every_fault_of_a_file_is_told_with_its_place() -> None:
    """All that were found in one reading.

    Demanded by: bad input.
    """
    faults = [
        e.ConfigError("unknown key 'modle'.", file="office.yaml", line=3, column=5, hint="model?"),
        e.ConfigError("a circle of managers.", file="office.yaml", line=9, column=1),
    ]
    problem = p.problem_of(e.ConfigErrors(faults))
    assert problem.status == 422
    assert problem.errors == [
        p.Fault(field="office.yaml:3:5", message="unknown key 'modle'. model?"),
        p.Fault(field="office.yaml:9:1", message="a circle of managers."),
    ]


def test_a_problem_without_several_faults_has_no_list_of_them() -> None:
    """What is not there is not sent.

    Demanded by: PLAT-3.
    """
    body = msgspec.json.decode(bytes(p.refusal(e.NotFoundError("x", hint="y")).body))
    assert body == {
        "type": "urn:dayshift:error:not_found",
        "title": "Not Found",
        "status": 404,
        "code": "not_found",
        "message": "x",
        "retryable": False,
        "hint": "y",
    }
