"""The date that the web server puts on its answers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from dayshift.app.doors import DatedState


def test_the_date_is_that_of_the_answer_and_made_once_a_second() -> None:
    """Nobody has to wake up to keep it right, after however long a rest.

    Demanded by: targets P9, an office at rest is not woken.
    """
    now = [datetime(2026, 3, 1, 12, 0, 0, 100, tzinfo=UTC)]
    state = DatedState(lambda: now[0])
    first = state.default_headers
    now[0] += timedelta(milliseconds=500)
    again = state.default_headers
    now[0] += timedelta(hours=3)

    assert first == [(b"date", b"Sun, 01 Mar 2026 12:00:00 GMT")]
    assert again is first
    assert state.default_headers == [(b"date", b"Sun, 01 Mar 2026 15:00:00 GMT")]
