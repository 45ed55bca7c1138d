"""The reference pages are what the code says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from docs.generate.events import described_kinds, entries_page
from docs.generate.index import index_page
from docs.generate.markdown import ROOT
from docs.generate.pages import PAGES

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE = ROOT / "docs" / "reference"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MADE_ELSEWHERE: set[str] = set()
"""Pages of docs/reference that another generator makes."""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name: str) -> None:
    """Regenerating changes no byte.

    Demanded by: the house, 3.4.
    """
    text = (REFERENCE / name).read_text(encoding="utf-8")
    assert text == PAGES[name](), "run: make docs"


def test_the_list_of_documents_is_complete() -> None:
    """Every document is in it, by its title.

    Demanded by: the house, 3.4.
    """
    assert (ROOT / "docs" / "README.md").read_text("utf-8") == index_page(), "run: make docs"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    """A link to a file of ours leads to one.

    Demanded by: the house, 3.4.
    """
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_every_page_has_a_generator() -> None:
    """No page of the reference is written by hand.

    Demanded by: the house, 3.4.
    """
    pages = {path.name for path in REFERENCE.glob("*.md")}
    assert pages - MADE_ELSEWHERE == set(PAGES)


def test_every_kind_of_entry_is_on_its_page() -> None:
    """A kind that is not in the union would be told nowhere.

    Demanded by: the house, 3.5: a new kind's entry in the reference comes by itself.
    """
    shown = re.findall(r"^### `(\w+)`$", entries_page().split("## Live text")[0], re.MULTILINE)
    assert sorted(shown) == described_kinds()


@pytest.mark.parametrize("name", PAGES)
def test_links_within_a_page_lead_somewhere(name: str) -> None:
    """A type that is named is explained on the same page.

    Demanded by: the house, 3.4.
    """
    text = PAGES[name]()
    anchors = {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    assert sorted(set(re.findall(r"\]\(#([\w-]+)\)", text)) - anchors) == []
