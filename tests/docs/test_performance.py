"""The page of figures is made from the committed results."""

from __future__ import annotations

from docs.generate.performance import PAGE, performance_page


def test_the_page_is_what_the_results_say() -> None:
    """No figure is written by hand.

    Demanded by: the measures, docs/explain/performance.md.
    """
    assert PAGE.read_text(encoding="utf-8") == performance_page()
