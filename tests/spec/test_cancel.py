"""Cancel: a person ends a run, and within a second nothing of it is left but its record."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.core.entries import RunChanged, TurnEnded
from dayshift.core.errors import ConflictError, NotFoundError, OfficeError
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.testing.model_server import Call, Fail, Say
from dayshift.testing.office_harness import OfficeHarness, Setting, does
from dayshift.testing.office_harness_means import commands_of

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says."""


async def outcome(work: Coroutine[object, object, None]) -> str:
    """The code of what a piece of work raised; empty when it went well."""
    try:
        await work
    except OfficeError as error:
        return error.code
    return ""


def waiting(ended: list[str], *, read_only: bool = False) -> Tool:
    """A tool that waits until it is ended, and notes that it was."""

    async def wait(_ctx: ToolContext, _args: Nothing) -> ToolResult:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("ended")
        return ToolResult(ok=True, text="")

    return define(Nothing, wait, name="wait", family="test", read_only=read_only)


async def test_cancelling_ends_the_model_stream_at_once(tmp_path: Path) -> None:
    """A run whose model is silent is cancelled within a second; the person is told by whom.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="thinking about it", piece_chars=3, stall_after=3))
        await office.ada.asks("iris", "Think")
        await office.model_asked(1)

        async with asyncio.timeout(1):
            await office.ada.cancels("R-1", reason="not needed")
        await office.settled()

        snapshot = await office.snapshot()
        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == ("cancelled", "cancelled")
        assert run.reason == "cancelled by Ada (a person, id ada): not needed"
        assert (snapshot.runs, snapshot.items, snapshot.calls) == ({}, {}, {})
        assert snapshot.agents["iris"].activity == "idle"
        assert (await office.ada.sees("iris"))[-1] == f"iris: [The run was {run.reason}.]"
        await office.snapshot_equals_replay()


async def test_cancelling_ends_what_a_tool_does_and_leaves_a_valid_dialogue(
    tmp_path: Path,
) -> None:
    """A running call and one that never started are closed, and the next message is answered.

    Demanded by: RUN-3, RUN-4.
    """
    ended: list[str] = []
    async with OfficeHarness(tmp_path, Setting(tools=(waiting(ended),))) as office:
        calls = (Call(name="wait"),) * 4
        office.says("iris", Say(calls=calls), Say(text="Here again."))
        await office.ada.asks("iris", "Wait")
        await office.until_call("R-1.1.2", "running")

        async with asyncio.timeout(1):
            await office.ada.cancels("R-1")
        states = [view.state for view in await office.calls("R-1")]
        await office.ada.asks("iris", "And now?")
        await office.settled()

        assert ended == ["ended"] * 3
        assert states == ["cancelled"] * 4
        results = office.model.requests[-1].results
        assert ["under way" in text for text in results] == [True, True, True, False]
        assert "before this call was started" in results[3]
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[-1] == "iris: Here again."
        await office.snapshot_equals_replay()


@pytest.mark.needs("bwrap")
async def test_cancelling_ends_the_whole_process_group_of_a_command(tmp_path: Path) -> None:
    """A real command and its children are gone when the cancel returns, within a second.

    Demanded by: RUN-3, TOOL-3.
    """
    async with OfficeHarness(tmp_path, Setting(computers="local")) as office:
        command = "sleep 60 & sleep 60 & echo up > up.txt; echo up; wait"
        office.says("iris", does("bash", command=command))
        await office.ada.asks("iris", "Wait")
        await office.until_output("R-1.1.0", "up")

        async with asyncio.timeout(1.5):
            await office.ada.cancels("R-1")

        left = await asyncio.to_thread(commands_of, "acme/iris")
        assert [command for command in left if "sleep" in command] == []
        await office.settled()
        await office.snapshot_equals_replay()


async def test_cancelling_blocks_the_card_and_tells_its_maker(tmp_path: Path) -> None:
    """The card of a cancelled run is blocked with the reason, and a restart does not retry it.

    Demanded by: TASK-08, WORK-1.
    """
    ended: list[str] = []
    async with OfficeHarness(tmp_path, Setting(tools=(waiting(ended),))) as office:
        office.says("juno", does("wait"))
        task = await office.ada.adds_task("Build it", to="juno")
        await office.until_call("R-1.1.0", "running")

        await office.ada.cancels("R-1")
        await office.kill_and_reopen()
        await office.settled()

        snapshot = await office.snapshot()
        assert snapshot.tasks[task.id].status == "blocked"
        assert "cancelled by Ada" in snapshot.tasks[task.id].blocked_reason
        assert [run.state for run in await office.runs()] == ["cancelled"]
        assert len(office.model.requests) == 1
        await office.snapshot_equals_replay()


async def test_a_run_that_waits_at_the_gate_can_be_cancelled(tmp_path: Path) -> None:
    """While the office is paused, a run between two turns is ended where it is.

    Demanded by: RUN-3, TIME-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo hi"))
        office.script.hold()
        await office.ada.asks("iris", "Go")
        await office.model_asked(1)
        await office.ada.pauses()
        office.script.let_go()
        await office.until_call("R-1.1.0", "succeeded")

        await office.ada.cancels("R-1")

        assert (await office.runs())[0].state == "cancelled"
        assert len(office.model.requests) == 1
        await office.snapshot_equals_replay()


async def test_a_run_left_by_a_crash_can_be_cancelled_before_it_goes_on(tmp_path: Path) -> None:
    """What waits to be resumed in a paused office is cancelled, and stays so when it opens.

    Demanded by: RUN-3, TASK-08.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="x", stall_after=0))
        await office.ada.asks("iris", "Go")
        await office.model_asked(1)
        await office.ada.pauses()
        await office.kill_and_reopen()

        await office.ada.cancels("R-1")
        await office.ada.resumes()
        await office.settled()

        assert [run.state for run in await office.runs()] == ["cancelled"]
        assert len(office.model.requests) == 1
        await office.snapshot_equals_replay()


async def test_a_run_that_has_ended_and_one_that_never_was_are_refused(tmp_path: Path) -> None:
    """Cancelling twice, or nothing, changes nothing and says so.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Done."))
        await office.ada.asks("iris", "Go")
        await office.settled()
        before = len(office.heard)

        with pytest.raises(ConflictError, match="it is completed"):
            await office.ada.cancels("R-1")
        with pytest.raises(NotFoundError, match="no run R-9"):
            await office.ada.cancels("R-9")

        assert len(office.heard) == before


async def test_two_people_cancel_at_once_and_one_of_them_is_told(tmp_path: Path) -> None:
    """The run ends once; the second is told that it has ended.

    Demanded by: RUN-3, TASK-01.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="x", stall_after=0), Say(text="Yes?"))
        await office.ada.asks("iris", "Go")
        await office.model_asked(1)

        async with asyncio.TaskGroup() as group:
            ada = group.create_task(outcome(office.ada.cancels("R-1")))
            ben = group.create_task(outcome(office.ben.cancels("R-1")))
        await office.ada.asks("iris", "Still there?")
        await office.settled()

        assert sorted([ada.result(), ben.result()]) == ["", "conflict"]
        ends = [e.run.state for e in office.entries(RunChanged) if e.run.ended_at]
        assert ends == ["cancelled", "completed"]
        assert (await office.ada.sees("iris"))[-1] == "iris: Yes?"


async def test_an_order_to_stop_and_do_another_thing_is_followed_at_once(tmp_path: Path) -> None:
    """A run that retries a failing provider is cancelled, and the new order starts.

    Demanded by: TASK-12.
    """
    async with OfficeHarness(tmp_path) as office:
        busy = Fail(status=429, headers={"Retry-After": "600"}, body={"error": {"message": "busy"}})
        office.says("iris", busy, Say(text="B it is."))
        await office.ada.asks("iris", "Do A")
        await office.model_asked(1)

        async with asyncio.timeout(1):
            await office.ada.cancels("R-1")
            await office.ada.asks("iris", "Do B")
            await office.until(TurnEnded, lambda entry: entry.run.id == "R-2")
        await office.settled()

        assert (await office.ada.sees("iris"))[-1] == "iris: B it is."
        assert len(office.model.requests) == 2
