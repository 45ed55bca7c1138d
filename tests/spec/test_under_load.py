"""Under load, while things are killed, cut off and filled up: the short form of the soak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.soak.__main__ import SHORT, soak

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(240)
async def test_nothing_is_lost_and_nothing_happens_twice(tmp_path: Path) -> None:
    """Forty agents, eight people, kills, cut streams, a full disk, days that pass.

    The long form is ``make soak``.

    Demanded by: issue 4, load and faults; promise 3, kill -9 loses nothing.
    """
    told, wrong = await soak(SHORT, tmp_path)
    assert wrong == []
    assert told["server killed"]
    assert told["disk full"]
    assert told["tool killed"]
