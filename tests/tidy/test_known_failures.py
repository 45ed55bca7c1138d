"""The registry of known failures and the tests that it names agree, both ways."""

from __future__ import annotations

import ast
import re

from docs.generate.known_failures import Case, cases
from tests.tidy.tree import python_files

ID = re.compile(
    r"\b(?:LOOP|CTX|CALL|STRM|MSG|TASK|HITL|PROC|COST|TEXT|STOR|SEC)-\d{2}\b|\bTIME-(?:0\d|1\d)\b"
)
FEATURE_ROW = re.compile(r"(?:TIME|EVT|AGENT|RUN|MODEL|TOOL|CAP|WORK|PLAT)-\d{1,2}")


def told() -> dict[str, dict[str, str]]:
    """The docstrings of all tests, by file and name."""
    return {
        file.path: {
            function.name: ast.get_docstring(function) or ""
            for function in file.functions()
            if function.name.startswith("test_")
        }
        for file in python_files("tests/")
    }


def test_every_case_is_there_once() -> None:
    """Either it is tested, and the page says what happens, or it waits for a promise.

    Demanded by: the measures, the bug log.
    """
    every = cases()
    halves = [
        case.id
        for case in every
        if bool(case.tests) != bool(case.here) or bool(case.tests) == bool(case.waits_for)
    ]
    strange = [c.waits_for for c in every if c.waits_for and not FEATURE_ROW.fullmatch(c.waits_for)]
    assert len({case.id for case in every}) == len(every) > 70
    assert halves == []
    assert strange == []


def test_every_test_that_a_case_names_exists_and_names_it() -> None:
    """A page that promises a test which is gone would be a lie.

    Demanded by: the measures, the bug log.
    """
    tests = told()
    missing = [
        f"{case.id}: {name}"
        for case in cases()
        for name in case.tests
        if not _names(case, name, tests)
    ]
    assert missing == [], 'name the id after "Demanded by:" in the test, or mend the registry'


def _names(case: Case, name: str, tests: dict[str, dict[str, str]]) -> bool:
    file, _, wanted = name.partition("::")
    found = tests.get(file, {})
    chosen = found.values() if wanted == "*" else [found.get(wanted, "")]
    return any(case.id in text for text in chosen)


def test_every_case_that_a_test_names_is_known() -> None:
    """A number in a docstring leads to the page.

    Demanded by: the measures, the bug log.
    """
    known = {case.id for case in cases()}
    named = {
        id_ for found in told().values() for text in found.values() for id_ in ID.findall(text)
    }
    assert sorted(named - known) == []
    assert named
