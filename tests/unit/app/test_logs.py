"""The log as a person at a terminal reads it: a short line, without what is empty."""

import re

from dayshift.app.logs import for_people


def said(**event: object) -> str:
    """One line of the log, without its colours and its time of day."""
    line = for_people(None, "info", {"timestamp": "2026-03-02T08:00:00Z", **event})
    plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
    assert re.match(r"[0-9]{2}:[0-9]{2}:[0-9]{2} ", plain)
    return plain[len("08:00:00 ") :]


def test_a_person_reads_what_happened_and_to_whom() -> None:
    """Ids lose their ending, money is in dollars, and what is empty is not told.

    Demanded by: PLAT-4.
    """
    assert (
        said(
            level="info",
            event="run_ended",
            run_id="R-1",
            agent_id="juno",
            code="",
            turns=4,
            cost_usd_micros=12_300,
        )
        == "run ended  agent juno  cost $0.0123  run R-1  turns 4"
    )


def test_a_trace_stands_below_its_line() -> None:
    """What only the log may show is shown whole.

    Demanded by: PLAT-4.
    """
    assert said(level="error", event="run_broke", trace="Traceback …") == "run broke\nTraceback …"
