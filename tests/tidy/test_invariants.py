"""The invariants of ARCHITECTURE.md that only reading the source can check."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from tests.tidy.tree import SOURCE, python_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tidy.tree import PythonFile

DUTY_WRITER = "src/dayshift/dispatch/duty.py"
LIFTED = re.compile(r"(?<=  )# (noqa|type: ignore|pyright: ignore)\b")
REASONED = re.compile(
    r"# (noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*|(type|pyright): ignore\[[\w, -]+\])\s+(# )?\w+"
)
REPLACERS = {"replace", "setattr", "__setattr__", "evolve", "model_copy"}


def test_an_agents_duty_has_one_writer() -> None:
    """Only dispatch/duty.py changes the duty of an agent.

    Demanded by: invariant 4.
    """
    found = [
        f"{file.path}:{line}"
        for file in python_files("src/")
        if file.path != DUTY_WRITER
        for line in _writes_duty(file)
    ]
    assert found == [], f"ask {DUTY_WRITER} to move the agent"


def _writes_duty(file: PythonFile) -> Iterator[int]:
    """The lines that set `.duty`, or make a copy with another one."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(
                isinstance(target, ast.Attribute) and target.attr == "duty" for target in targets
            ):
                yield node.lineno
        elif isinstance(node, ast.Call) and _called(node) in REPLACERS:
            by_name = any(keyword.arg == "duty" for keyword in node.keywords)
            by_text = any(
                isinstance(argument, ast.Constant) and argument.value == "duty"
                for argument in node.args
            )
            if by_name or by_text:
                yield node.lineno


def _called(node: ast.Call) -> str:
    """The last name of what is called."""
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def test_an_endless_loop_says_what_ends_it() -> None:
    """`while True` has a comment beside it, or above it.

    Demanded by: invariant 7.
    """
    found: list[str] = []
    for file in python_files("src/"):
        lines = file.text.splitlines()
        for node in ast.walk(file.tree):
            if not (isinstance(node, ast.While) and _is_always_true(node.test)):
                continue
            beside, above = lines[node.lineno - 1], lines[node.lineno - 2].strip()
            if "#" not in beside and not above.startswith("#"):
                found.append(f"{file.path}:{node.lineno}")
    assert found == [], "say beside the loop what ends it"


def _is_always_true(test: ast.expr) -> bool:
    """Tell whether a condition can't be false."""
    return isinstance(test, ast.Constant) and bool(test.value)


def test_only_the_settings_read_the_environment() -> None:
    """Ruff's ban is lifted for the environment in dayshift.app alone.

    Demanded by: invariant 9.
    """
    found = [
        f"{file.path}:{node.lineno}"
        for file in python_files("src/")
        if not file.path.startswith("src/dayshift/app/")
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"environ", "environb", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]
    assert found == [], "take the settings you were given"


def test_a_lifted_rule_gives_its_reason() -> None:
    """`noqa`, `type: ignore` and `pyright: ignore` name the rule, and the reason behind it.

    Demanded by: the house, 2.5.
    """
    found = [
        f"{file.path}:{number}"
        for file in python_files()
        for number, line in enumerate(file.text.splitlines(), start=1)
        if LIFTED.search(line) and not REASONED.search(line)
    ]
    assert found == [], "write the reason behind it: `# noqa: X123  because …`"


def test_the_source_was_seen() -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    assert SOURCE.is_dir()
    assert python_files("src/")
