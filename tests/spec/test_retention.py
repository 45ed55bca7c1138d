"""Retention: the inner life of old work goes; its outcome, its cost and what was said stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.core.model import ModelFacts, Prices, Usage
from dayshift.facilities.records import Records
from dayshift.store import ledger_query
from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import OFFICE, JumpingClock, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.core.details import UsageReport

DOLLAR = 1_000_000
USED = Usage(input_tokens=1_000, output_tokens=100)
PRICED = ModelFacts(
    prices=Prices(
        input=2 * DOLLAR, output=10 * DOLLAR, cache_read=DOLLAR // 5, cache_write=5 * DOLLAR // 2
    )
)


async def usage(office: OfficeHarness) -> list[UsageReport]:
    """What everything cost, in every grouping."""
    records = Records(office.office.bus)
    return [
        await records.usage(by=by, days=30, limit_micros=0)
        for by in ("day", "agent", "model", "task", "run")
    ]


async def first_entry(office: OfficeHarness) -> int:
    """The number of the oldest entry the ledger still has."""
    found = await office.office.bus.read(
        lambda r: ledger_query.entries_after(r, office.office.name, 0, limit=1)
    )
    return found[0].seq


async def worked(office: OfficeHarness) -> None:
    """Iris has looked into a file for Ada, and told her what stands in it."""
    office.says("iris", does("bash", command="echo hi"), Say(text="It says hi.", usage=USED))
    await office.ada.asks("iris", "What does it say?")
    await office.settled()


async def test_old_runs_keep_their_outcome_and_their_cost(tmp_path: Path) -> None:
    """Their turns and calls go, and the ledger begins later; nothing a watcher knows changes.

    Demanded by: PLAT-7, retention.
    """
    async with OfficeHarness(tmp_path, Setting(facts={"fake:m": PRICED})) as office:
        await worked(office)
        (before,) = await office.runs()
        cost, seen = await usage(office), await office.snapshot()

        gone = await office.office.retention.prune(0, by="person:ada")

        assert (gone.runs, gone.items, gone.events) == (1, 1, 1)
        assert await first_entry(office) > 1
        assert await office.runs() == [before]
        assert (await office.turns("R-1"), await office.calls("R-1")) == ([], [])
        assert await usage(office) == cost
        assert await office.ada.sees("iris") == ["ada: What does it say?", "iris: It says hi."]
        assert await office.snapshot() == seen
        await office.snapshot_equals_replay()


async def test_a_conversation_that_was_pruned_goes_on(tmp_path: Path) -> None:
    """What the next request begins with is kept, also across a restart.

    Demanded by: PLAT-7, retention; RUN-5.
    """
    async with OfficeHarness(tmp_path) as office:
        await worked(office)
        await office.office.retention.prune(0, by="person:ada")
        await office.restart()
        office.says("iris", Say(text="Still hi."))
        await office.ada.asks("iris", "And now?")
        await office.settled()

        asked = office.model.requests[-1]
        assert "What does it say?" in str(asked.body)
        assert "It says hi." in str(asked.body)
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[-1] == "iris: Still hi."
        await office.snapshot_equals_replay()


async def test_a_run_under_way_is_not_touched(tmp_path: Path) -> None:
    """Nor what it needs to be taken over after a kill.

    Demanded by: PLAT-7, retention; RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.hold()
        office.says("iris", Say(text="Here I am."))
        await office.ada.asks("iris", "Are you there?")
        await office.model_asked(1)

        gone = await office.office.retention.prune(0, by="person:ada")
        await office.kill_and_reopen()
        office.script.let_go()
        await office.settled()

        assert (gone.runs, gone.items, gone.events) == (0, 0, 0)
        assert await office.ada.sees("iris") == ["ada: Are you there?", "iris: Here I am."]
        await office.snapshot_equals_replay()


async def test_an_office_forgets_by_itself_what_is_older_than_it_keeps(tmp_path: Path) -> None:
    """When a day begins; what is younger stays whole.

    Demanded by: PLAT-7, retention.
    """
    yaml = OFFICE.replace("title: Acme", "title: Acme, keep_days: 3")
    setting = Setting(yaml=yaml, clock=JumpingClock())
    async with OfficeHarness(tmp_path, setting) as office:
        await worked(office)
        office.jump(days=2)
        await worked(office)
        office.jump(days=2)
        while await office.turns("R-1"):
            await office.office.bus.commit(lambda _unit: None)

        assert len(await office.turns("R-2")) == 2
        assert [run.outcome for run in await office.runs()] == ["It says hi."] * 2
        await office.snapshot_equals_replay()


async def test_pruning_can_be_cut_off_and_done_again(tmp_path: Path) -> None:
    """A kill between two steps leaves an office that works, and the next time ends it.

    Demanded by: PLAT-7, retention; RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        await worked(office)
        await worked(office)
        first = await office.office.retention.prune(0, by="person:ada")
        again = await office.office.retention.prune(0, by="person:ada")
        await office.kill_and_reopen()
        await worked(office)

        assert (first.runs, again.runs, again.entries) == (2, 0, 0)
        assert (await office.ada.sees("iris"))[-1] == "iris: It says hi."
        await office.snapshot_equals_replay()
