"""The loop: an item is worked off turn by turn, and everything it does is in the ledger first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OfficeHarness

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_person_asks_and_is_answered(tmp_path: Path) -> None:
    """The last text of a run is the answer to the person who asked.

    Serves: RUN-1, WORK-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Good morning, Ada."))

        await office.ada.asks("iris", "Good morning")
        await office.settled()

        assert await office.ada.sees("iris") == ["ada: Good morning", "iris: Good morning, Ada."]
        await office.snapshot_equals_replay()
