"""The loop breaker: a run or an agent that goes nowhere is stopped, explained, with one alert."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dayshift.core.entries import AlertChanged
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.testing.model_server import Say, Seen
from dayshift.testing.office_harness import OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says."""


def refusing() -> Tool:
    """A tool that always refuses for good."""

    async def refuse(_ctx: ToolContext, _args: Nothing) -> ToolResult:
        return ToolResult(ok=False, text="Never.", code="denied", retryable=False)

    return define(Nothing, refuse, name="refuse", family="test")


def alerts(office: OfficeHarness) -> list[tuple[str, str, int]]:
    """Every alert raised or repeated: its code, its run and its count."""
    return [(e.alert.code, e.alert.run, e.alert.count) for e in office.entries(AlertChanged)]


async def test_the_same_failing_call_five_times_blocks_the_run(tmp_path: Path) -> None:
    """A permanent refusal is not retried for ever; a person is told once, with the refusal.

    Demanded by: LOOP-08, EVT-6.
    """
    async with OfficeHarness(tmp_path, Setting(tools=(refusing(),))) as office:
        office.script.otherwise = lambda _: does("refuse")

        await office.ada.asks("iris", "Go")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code, run.calls) == ("blocked", "no_progress", 5)
        assert "failed 5 times" in run.reason
        assert "Never." in run.reason
        assert alerts(office) == [("run_blocked", "R-1", 1)]
        assert "The run stopped" in (await office.ada.sees("iris"))[-1]
        await office.snapshot_equals_replay()


async def test_failures_counted_before_a_crash_count_after_it(tmp_path: Path) -> None:
    """A restart does not give a failing call five more tries.

    Demanded by: LOOP-08, RUN-4.
    """
    async with OfficeHarness(tmp_path, Setting(tools=(refusing(),))) as office:
        office.script.otherwise = lambda seen: (
            does("refuse") if seen.number != 4 else Say(text="x", stall_after=0)
        )
        await office.ada.asks("iris", "Go")
        await office.model_asked(4)

        await office.kill_and_reopen()
        await office.settled()

        run = (await office.runs())[0]
        assert (run.reason_code, run.calls) == ("no_progress", 5)


async def test_turns_that_only_repeat_themselves_block_the_run(tmp_path: Path) -> None:
    """The same calls with the same results, eight turns in a row, are no progress.

    Demanded by: EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: does("bash", command="echo waiting")

        await office.ada.asks("iris", "Wait for it")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code, run.turns) == ("blocked", "no_progress", 9)
        assert alerts(office) == [("run_blocked", "R-1", 1)]


async def test_turns_that_bring_something_new_are_progress(tmp_path: Path) -> None:
    """A call repeated with another result each time goes on.

    Demanded by: EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda seen: (
            does("bash", command="echo x >> log.txt; cat log.txt")
            if seen.step < 12
            else Say(text="Twelve.")
        )

        await office.ada.asks("iris", "Count")
        await office.settled()

        assert (await office.ada.sees("iris"))[-1] == "iris: Twelve."


async def test_an_agent_that_wakes_itself_again_and_again_is_stopped(tmp_path: Path) -> None:
    """Each run makes the next task for itself: the sixth in a row asks no model, one alert says so.

    Demanded by: "self-wakes end the run as BLOCKED with one alert", EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:

        def again(seen: Seen) -> Say:
            tasks = len([text for text in seen.results if text.startswith("Created")])
            return (
                does("task_create", title=f"Next after {tasks}", assignee="iris")
                if seen.step == 0 and "note of the office" not in seen.said
                else Say(text="And on.")
            )

        office.script.otherwise = again

        await office.ada.asks("iris", "Go on for ever")
        await office.settled()

        runs = await office.runs()
        assert [run.reason_code for run in runs if run.reason_code == "self_wake"] == ["self_wake"]
        assert (runs[-1].state, runs[-1].turns) == ("blocked", 0)
        assert "has woken itself 6 times in a row" in runs[-1].reason
        codes = [code for code, _, _ in alerts(office)]
        assert codes.count("run_blocked") == 1
        await office.snapshot_equals_replay()


async def test_many_tasks_made_at_once_for_oneself_are_no_loop(tmp_path: Path) -> None:
    """An agent that splits its work into eight tasks of its own works all of them off.

    Demanded by: EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:

        def split(seen: Seen) -> Say:
            mine = seen.said.split(" · T-")
            if len(mine) > 1:
                id_ = f"T-{mine[1].split(' ')[0]}"
                return (
                    does("task_update", id=id_, status="failed", reason="only a trial")
                    if seen.step == 0
                    else Say(text="ok")
                )
            return (
                Say(
                    calls=tuple(
                        does("task_create", title=f"Part {n}", assignee="iris").calls[0]
                        for n in range(8)
                    )
                )
                if seen.step == 0
                else Say(text="Split.")
            )

        office.script.otherwise = split

        await office.ada.asks("iris", "Split it")
        await office.settled()

        assert [run.state for run in await office.runs()] == ["completed"] * 9


async def test_a_task_that_runs_do_not_change_pauses_its_agent(tmp_path: Path) -> None:
    """Five runs on one task that did nothing: the sixth asks no model, and the inbox is held.

    Demanded by: LOOP-11.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: Say(text="All well.")
        task = await office.ada.adds_task("Look after it", to="juno")
        await office.settled()
        await office.wakes("juno", "Look again", task=task.id, times=8)

        snapshot = await office.snapshot()
        runs = await office.runs()
        assert (runs[-1].reason_code, runs[-1].turns) == ("unchanged", 0)
        assert "The last 5 runs of juno on T-1 changed nothing." in runs[-1].reason
        assert snapshot.agents["juno"].inbox_paused
        assert [run.reason_code for run in runs].count("unchanged") == 1
        assert [item.state for item in snapshot.items.values()] == ["queued"] * 3
        await office.snapshot_equals_replay()


async def test_a_person_is_always_heard(tmp_path: Path) -> None:
    """What a person asks for is done, whatever the breaker counted before.

    Demanded by: LOOP-11, EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: Say(text="All well.")
        task = await office.ada.adds_task("Look after it", to="juno")
        await office.settled()
        await office.wakes("juno", "Look again", task=task.id, times=6)

        await office.ada.asks("juno", "Are you there?")
        await office.ada.lets_inbox_go("juno")
        await office.settled()

        assert (await office.ada.sees("juno"))[-1] == "juno: All well."
