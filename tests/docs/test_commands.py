"""A command that somebody is told to type is a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import typer.main

from dayshift.app.cli import app
from docs.generate.markdown import ROOT

if TYPE_CHECKING:
    from pathlib import Path

# In documents a command stands in code; in our own texts after these words, or at the end.
TYPED = re.compile(r"`(?:\$ )?dayshift (?P<words>[a-z][a-z-]*(?: [a-z][a-z-]*)?)")
FENCED = re.compile(r"^(?:\$ )?dayshift (?P<words>[a-z][a-z-]*(?: [a-z][a-z-]*)?)", re.MULTILINE)
SAID = re.compile(r"(?::|with|or|see|and) dayshift (?P<words>[a-z][a-z-]*(?: [a-z][a-z-]*)?)")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted((ROOT / "src" / "dayshift").rglob("*.py"))


def _commands() -> dict[str, set[str]]:
    """Every command with its subcommands."""
    root: Any = typer.main.get_command(app)
    return {name: set(getattr(each, "commands", {})) for name, each in root.commands.items()}


KNOWN = _commands()


def _unknown(text: str, *patterns: re.Pattern[str]) -> list[str]:
    """The commands a text names that are none."""
    named = [match["words"] for pattern in patterns for match in pattern.finditer(text)]
    return sorted({words for words in named if not _is_command(words)})


def _is_command(words: str) -> bool:
    first, _, second = words.partition(" ")
    if first not in KNOWN:
        return False
    return not KNOWN[first] or second in KNOWN[first]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_names_no_command_that_is_none(path: Path) -> None:
    """In code and in fences.

    Demanded by: the house, 3.4.
    """
    assert _unknown(path.read_text(encoding="utf-8"), TYPED, FENCED) == []


def test_no_hint_of_ours_names_a_command_that_is_none() -> None:
    """A hint that leads nowhere is worse than none.

    Demanded by: product, every refusal says what would make it work.
    """
    found = {
        str(path.relative_to(ROOT)): unknown
        for path in SOURCES
        if (unknown := _unknown(path.read_text(encoding="utf-8"), SAID))
    }
    assert found == {}


def test_commands_are_seen() -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    text = "Run `dayshift agent list` or `dayshift agnet list`.\n"
    assert _unknown(text, TYPED) == ["agnet list"]
    assert "dayshift token" in (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
