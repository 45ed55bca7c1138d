"""Under load, while things are killed, cut off and filled up: the short form of the soak."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.__main__ import SHORT, soak
from tests.spec.known_failures_stage import Home, posted

FULL = Path("/dev/full")


@pytest.mark.timeout(240)
def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """The disk below the log is full: the server begins, works and answers all the same.

    Demanded by: the measures, load and faults, full disk.
    """
    home = Home(tmp_path, log_to=FULL)
    with home.up(), home.client() as client:
        posted(client, "iris", "Good morning")
        posted(client, "iris", "Good evening")
        said = home.settled_messages("dm:owner:iris", answers=2)
    assert len(said) == 4


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(240)
async def test_nothing_is_lost_and_nothing_happens_twice(tmp_path: Path) -> None:
    """Forty agents, eight people, kills, cut streams, a full disk, days that pass.

    The long form is ``make soak``.

    Demanded by: the measures, load and faults; promise 3, kill -9 loses nothing.
    """
    told, wrong = await soak(SHORT, tmp_path)
    assert wrong == []
    assert told["server killed"]
    assert told["disk full"]
    assert told["tool killed"]
