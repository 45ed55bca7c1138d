"""Rules of the style sheets that a browser shows only in states that seldom come."""

from __future__ import annotations

import re

from tests.tidy.tree import ROOT

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
OF_LINKS = re.compile(r"\sa(?::visited)?\s*$")
COLOUR = re.compile(r"(?:^|[;\s])color:(?!\s*inherit)")
UNDERLINED = re.compile(r"text-decoration:\s*underline")


def test_a_coloured_link_within_text_is_underlined() -> None:
    """Whoever cannot tell the colours still sees that it is a link.

    Demanded by: PLAT-5, WCAG 1.4.1.
    """
    seen = 0
    found: list[str] = []
    for sheet in sorted((ROOT / "ui" / "src").rglob("*.module.css")):
        for selectors, body in RULE.findall(sheet.read_text(encoding="utf-8")):
            if not any(OF_LINKS.search(one) for one in selectors.split(",")):
                continue
            seen += 1
            if COLOUR.search(body) and not UNDERLINED.search(body):
                found.append(f"{sheet.relative_to(ROOT)}: {selectors.strip()}")
    assert seen, "no rule for links was seen"
    assert found == []
