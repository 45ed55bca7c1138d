"""Decisions are recorded: numbered without gaps, each with its four parts, each on one page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from docs.generate.markdown import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted((ROOT / "docs" / "adr").glob("*.md"))
PARTS = ["Context", "Decision", "Consequences", "How it is checked"]
LINES_MAX = 60


def test_the_numbers_have_no_gaps() -> None:
    """A page is never renumbered and never taken away.

    Demanded by: the house, 3.4.
    """
    numbers = [int(page.name.partition("-")[0]) for page in PAGES]
    assert numbers == list(range(1, len(PAGES) + 1))
    assert numbers


@pytest.mark.parametrize("decision", PAGES, ids=lambda path: path.stem)
def test_a_page_has_its_parts_and_is_one_page(decision: Path) -> None:
    """Context, Decision, Consequences, How it is checked; the title has the number of the file.

    Demanded by: the house, 3.4.
    """
    text = decision.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    assert text.startswith(f"# {int(decision.name.partition('-')[0])}. ")
    assert text.count("\n") <= LINES_MAX
