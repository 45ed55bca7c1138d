"""Retention on both databases: what it deletes is gone, and what is still needed is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path


async def test_an_office_that_was_pruned_works_on(tmp_path: Path, url: str) -> None:
    """Calls, entries, items and events go; the conversation and the outcomes stay.

    Demanded by: PLAT-7, retention.
    """
    async with OfficeHarness(tmp_path, Setting(database=url)) as office:
        for question in ("What does it say?", "And now?"):
            office.says("iris", does("bash", command="echo hi"), Say(text="It says hi."))
            await office.ada.asks("iris", question)
            await office.settled()
        seen = await office.snapshot()

        gone = await office.office.retention.prune(0, by="person:ada")
        office.says("iris", Say(text="As before."))
        await office.restart()
        await office.ada.asks("iris", "Still?")
        await office.settled()

        assert (gone.runs, gone.items, gone.events) == (2, 2, 2)
        assert gone.entries >= seen.seq - 1
        assert await office.calls("R-1") == []
        assert [run.outcome for run in await office.runs()] == ["It says hi."] * 2 + ["As before."]
        assert "What does it say?" in str(office.model.requests[-1].body)
        await office.snapshot_equals_replay()
