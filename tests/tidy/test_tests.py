"""What a test may not do, though the linter lets tests do more than the office."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.tidy.tree import python_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tidy.tree import PythonFile

NO_TESTS = ("tests/bench/", "tests/soak/")
TESTS = tuple(file for file in python_files("tests/") if not file.path.startswith(NO_TESTS))
MOCKS = {"unittest.mock", "mock", "pytest_mock"}


def test_no_test_mocks() -> None:
    """A mock agrees with whatever is asked; a fake is held to the contract.

    Demanded by: the house.
    """
    found = [f"{file.path}:{line}" for file in TESTS for line in _imports_a_mock(file)]
    assert found == [], "use a fake from dayshift.testing"


def _imports_a_mock(file: PythonFile) -> Iterator[int]:
    """The lines that import a mocking library."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ImportFrom):
            names = {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        else:
            continue
        if names & MOCKS:
            yield node.lineno


def test_no_test_sleeps() -> None:
    """A test waits for what it wants to see, with a bound; sleep(0) only lets others run.

    Demanded by: the house.
    """
    found = [
        f"{file.path}:{node.lineno}"
        for file in TESTS
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and _sleeps(node)
    ]
    assert found == [], "wait for an event or a condition, bounded by 5 seconds"


def _sleeps(call: ast.Call) -> bool:
    """Tell whether a call is time.sleep or asyncio.sleep of more than nothing."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="time" | "asyncio" | "anyio"), attr="sleep"):
            return not (
                call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
            )
        case _:
            return False


def test_no_test_is_expected_to_fail() -> None:
    """A known gap is pinned by a test of what happens today, and listed.

    Demanded by: the house.
    """
    found = [
        f"{file.path}:{node.lineno}"
        for file in TESTS
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Attribute) and node.attr == "xfail"
    ]
    assert found == []


def test_every_test_says_who_demands_it() -> None:
    """A test whose reason nobody knows can't be judged when it fails.

    Demanded by: the house.
    """
    silent = [
        f"{file.path}:{function.name}"
        for file in TESTS
        for function in file.functions()
        if function.name.startswith("test_")
        and "Demanded by:" not in (ast.get_docstring(function) or "")
    ]
    assert silent == [], 'end the docstring with "Demanded by: <feature row, bug or invariant>."'
