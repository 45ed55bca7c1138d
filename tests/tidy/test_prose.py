"""Prose is kept as source is: one sentence per line, and a fragment for what users notice."""

from __future__ import annotations

import re

from tests.tidy.tree import files, read

# A prompt below src/ is written for a model, not for a reader of changes.
PROSE = tuple(name for name in files() if name.endswith(".md") and not name.startswith("src/"))
SENTENCE_END = re.compile(r"(?<![.A-Z])[.!?] (?=[A-Z])")
ABBREVIATIONS = ("e.g. ", "i.e. ", "etc. ", "vs. ", "Dr. ")
FRAGMENT = re.compile(r"^changes/[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md$")
FRAGMENT_LINES_MAX = 1


def test_markdown_has_one_sentence_per_line() -> None:
    """A change of one sentence is a change of one line.

    Demanded by: the house.
    """
    found = [
        f"{name}:{number}"
        for name in PROSE
        for number, line in _sentences(read(name))
        if SENTENCE_END.search(line)
    ]
    assert found == [], "break the line after each sentence"


def _sentences(text: str) -> list[tuple[int, str]]:
    """The lines of prose: no fences, no tables, no headings, no front matter; code left out."""
    lines: list[tuple[int, str]] = []
    in_fence = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
        elif not in_fence and not line.lstrip().startswith(("|", "#", "<")):
            bare = re.sub(r"`[^`]*`", "code", line)
            for abbreviation in ABBREVIATIONS:
                bare = bare.replace(abbreviation, "")
            lines.append((number, re.sub(r"^\s*(\d+\.|[-*+])\s+", "", bare)))
    return lines


def test_a_fragment_is_one_sentence_of_a_known_kind() -> None:
    """Each is named `changes/<what>.<kind>.md` and holds one sentence for users.

    Demanded by: the house.
    """
    fragments = [name for name in files() if name.startswith("changes/") and "README" not in name]
    assert [name for name in fragments if not FRAGMENT.match(name)] == []
    long = [name for name in fragments if read(name).strip().count("\n") >= FRAGMENT_LINES_MAX]
    assert long == []
