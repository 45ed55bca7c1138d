"""The map's list of names to search for finds what it says, where it says."""

from __future__ import annotations

import re

import pytest

from docs.generate.markdown import ROOT

MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|`]+ \| (?P<names>`[^|]+) \| (?P<places>`[^|]+) \|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
SUFFIXES = {".py", ".ts", ".md"}
ROWS = [
    (name, CODE.findall(row["places"]))
    for row in ROW.finditer(MAP)
    for name in CODE.findall(row["names"])
]


@pytest.mark.parametrize(("name", "places"), ROWS, ids=[name for name, _ in ROWS])
def test_a_name_to_search_for_is_found_there(name: str, places: list[str]) -> None:
    """Names outlive links, as long as somebody looks.

    Demanded by: the house, 3.4.
    """
    word = re.compile(rf"\b{re.escape(name)}\b")
    assert any(word.search(text) for place in places for text in _texts(place))


def test_the_map_has_names() -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    assert len(ROWS) > 20


def _texts(place: str) -> list[str]:
    """What is written in a file, or in the files of a folder."""
    path = ROOT / place if place.startswith("ui/") else ROOT / "src" / "dayshift" / place
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return [file.read_text(encoding="utf-8") for file in files if file.suffix in SUFFIXES]
