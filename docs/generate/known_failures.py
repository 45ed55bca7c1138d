"""The reference of known failures: what broke in comparable systems, and what happens here."""

import tomllib
from pathlib import Path

import msgspec

from docs.generate.markdown import code, page, table

REGISTRY = Path(__file__).parents[2] / "tests" / "spec" / "known_failures.toml"
INTRODUCTION = """
These failures were reported by users of systems like this one.
Each has a number, by which its tests are found: `pytest tests -k loop_04`.
"""
WAITING = """
What these are about does not exist here yet.
Each waits for a promise, named by its row, and becomes a test together with it.
"""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One failure.

    Attributes:
        here: What happens in this system.
        tests: The tests of it as ``file::name``, or ``file::*`` for those that name the id.
        waits_for: The promise that has to be there first; then there is no test yet.
    """

    id: str
    title: str
    here: str = ""
    tests: tuple[str, ...] = ()
    waits_for: str = ""


def cases() -> list[Case]:
    """Every known failure, in the order of the registry."""
    return msgspec.convert(tomllib.loads(REGISTRY.read_text("utf-8"))["case"], list[Case])


def known_failures_page() -> str:
    """The page."""
    tested = [case for case in cases() if case.tests]
    waiting = [case for case in cases() if case.waits_for]
    return page(
        "Known failures of such systems, and what happens here",
        INTRODUCTION,
        table(
            ("id", "what broke elsewhere", "what happens here", "tested in"),
            [(case.id, case.title, case.here, _files(case)) for case in tested],
        ),
        "## Not yet applicable",
        WAITING,
        table(
            ("id", "what broke elsewhere", "waits for"),
            [(case.id, case.title, case.waits_for) for case in waiting],
        ),
    )


def _files(case: Case) -> str:
    return ", ".join(code(name) for name in dict.fromkeys(t.partition("::")[0] for t in case.tests))
