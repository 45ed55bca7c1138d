"""Recovery: a killed office goes on from its ledger, and does nothing twice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.core.entries import AlertChanged, CallChanged, RunChanged
from dayshift.core.model import ModelFacts
from dayshift.core.states import CallState
from dayshift.core.tools import ToolContext, ToolResult, atomic, define
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says."""


class BrokenFacts(dict[str, ModelFacts]):
    """What is known of models, with a bug for one of them."""

    def get(self, key: str, default: ModelFacts | None = None) -> ModelFacts | None:  # type: ignore[override]  a bug of its own
        """Knows nothing, and breaks over one."""
        if key == "fake:broken":
            raise ZeroDivisionError
        return default


class Stuck:
    """A tool that hangs the first time and succeeds afterwards; counts how often it began."""

    def __init__(self, name: str, *, read_only: bool = False, is_atomic: bool = False) -> None:
        """Nothing has begun."""
        self.begun = 0
        self.has_begun = asyncio.Event()
        tool = define(Nothing, self._call, name=name, family="test", read_only=read_only)
        self.tool = atomic(tool) if is_atomic else tool

    async def _call(self, _ctx: ToolContext, _args: Nothing) -> ToolResult:
        self.begun += 1
        self.has_begun.set()
        if self.begun == 1:
            await asyncio.Event().wait()
        return ToolResult(ok=True, text="read again")


async def test_a_call_that_was_running_is_told_as_interrupted(tmp_path: Path) -> None:
    """It is not run again; the model reads that its outcome is unknown, and the office goes on.

    Demanded by: RUN-4, CALL-01, CALL-03.
    """
    stuck = Stuck("stuck")
    async with OfficeHarness(tmp_path, Setting(tools=(stuck.tool,))) as office:
        office.says("iris", does("stuck"), Say(text="I will look."))
        await office.ada.asks("iris", "Do it")
        await asyncio.wait_for(stuck.has_begun.wait(), 30)

        await office.kill_and_reopen()
        await office.settled()

        assert stuck.begun == 1
        assert "outcome is unknown" in office.model.requests[-1].results[0]
        assert (await office.calls("R-1"))[0].state == "interrupted"
        assert await office.ada.sees("iris") == ["ada: Do it", "iris: I will look."]
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


@pytest.mark.parametrize(
    "stuck",
    [
        pytest.param(lambda: Stuck("stuck", read_only=True), id="only-reads"),
        pytest.param(lambda: Stuck("stuck", is_atomic=True), id="all-or-nothing"),
    ],
)
async def test_a_call_that_has_changed_nothing_is_run_again(
    tmp_path: Path, stuck: Callable[[], Stuck]
) -> None:
    """Reading twice does no harm, and what is committed with a call's end is not there before it.

    Demanded by: RUN-4, "exactly once".
    """
    tool = stuck()
    async with OfficeHarness(tmp_path, Setting(tools=(tool.tool,))) as office:
        office.says("iris", does("stuck"), Say(text="Done."))
        await office.ada.asks("iris", "Do it")
        await asyncio.wait_for(tool.has_begun.wait(), 30)

        await office.kill_and_reopen()
        await office.settled()

        assert tool.begun == 2
        assert office.model.requests[-1].results == ["read again"]
        await office.snapshot_equals_replay()


async def test_calls_that_were_not_started_are_started(tmp_path: Path) -> None:
    """Of four calls three hang when the office is killed; the fourth is carried out after it.

    Demanded by: RUN-4.
    """
    stuck = Stuck("stuck")
    hang = Stuck("hang")
    both = Stuck("both")
    tools = (stuck.tool, hang.tool, both.tool)
    async with OfficeHarness(tmp_path, Setting(tools=tools)) as office:
        calls = (Call(name="stuck"), Call(name="hang"), Call(name="both"))
        late = Call(name="bash", arguments={"command": "echo late > late.txt"})
        office.says("iris", Say(calls=(*calls, late)), Say(text="ok"))
        await office.ada.asks("iris", "Do it")
        await asyncio.wait_for(both.has_begun.wait(), 30)

        await office.kill_and_reopen()
        await office.settled()

        states = [view.state for view in await office.calls("R-1")]
        assert states == ["interrupted", "interrupted", "interrupted", "succeeded"]
        assert await office.files("iris") == ["late.txt"]
        assert office.model.complaints == []


async def test_an_answer_that_was_written_is_not_asked_for_again(tmp_path: Path) -> None:
    """Killed between its last answer and its end, a run ends with that answer.

    Demanded by: RUN-4, "exactly once".
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="The answer."))
        office.kill_after("turn_ended")
        await office.ada.asks("iris", "The question")
        await office.killed()

        await office.open()
        await office.settled()

        assert len(office.model.requests) == 1
        assert await office.ada.sees("iris") == ["ada: The question", "iris: The answer."]
        assert [run.turns for run in await office.runs()] == [1]
        await office.snapshot_equals_replay()


async def test_cut_calls_are_not_carried_out_after_a_crash_either(tmp_path: Path) -> None:
    """An answer cut off by the output limit leaves nothing to be started later.

    Demanded by: CALL-05, RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        half = Call(name="bash", arguments={"command": "echo half > half.txt"})
        office.says("iris", Say(calls=(half,), finish="length"), Say(text="Again."))
        office.kill_after("turn_ended")
        await office.ada.asks("iris", "Write")
        await office.killed()

        await office.open()
        await office.settled()

        assert await office.files("iris") == []
        assert (await office.calls("R-1"))[0].code == "cut"


async def test_an_orderly_restart_resumes_what_was_cut_off(tmp_path: Path) -> None:
    """A run whose model was answering when the server was stopped asks again and is answered.

    Demanded by: RUN-4, TASK-03.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="x", stall_after=0), Say(text="Here."))
        await office.ada.asks("iris", "Hello")
        await office.model_asked(1)

        await office.restart()
        await office.settled()

        assert await office.ada.sees("iris") == ["ada: Hello", "iris: Here."]
        runs = await office.runs()
        assert [(run.id, run.fence, run.state) for run in runs] == [("R-1", 2, "completed")]
        assert office.entries(AlertChanged) == []


async def test_a_run_that_stops_the_server_each_time_is_given_up(tmp_path: Path) -> None:
    """After three take-overs in which it came no further, its item is parked with one alert.

    Demanded by: EVT-4, RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: Say(text="x", stall_after=0)
        await office.ada.asks("iris", "Boom")
        await office.model_asked(1)
        await office.kill_and_reopen()
        await office.model_asked(2)
        await office.kill_and_reopen()
        await office.model_asked(3)
        await office.kill_and_reopen()
        await office.model_asked(4)

        await office.kill_and_reopen()
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == ("failed", "poison")
        assert (await office.snapshot()).items[run.item].state == "parked"
        assert [entry.alert.code for entry in office.entries(AlertChanged)] == ["run_failed"]
        assert len(office.model.requests) == 4
        await office.snapshot_equals_replay()


async def test_orderly_restarts_never_give_a_run_up(tmp_path: Path) -> None:
    """A server that is stopped in order five times is no crash.

    Demanded by: RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: Say(text="x", stall_after=0)
        await office.ada.asks("iris", "Slow")
        await office.model_asked(1)
        await office.restart()
        await office.model_asked(2)
        await office.restart()
        await office.model_asked(3)
        await office.restart()
        await office.model_asked(4)
        await office.restart()
        await office.model_asked(5)
        office.says("iris", Say(text="Here."))

        await office.restart()
        await office.settled()

        assert (await office.ada.sees("iris"))[-1] == "iris: Here."


async def test_a_late_workers_writes_are_refused(tmp_path: Path) -> None:
    """Two offices on one database: when the second takes a run over, the first can add nothing.

    Demanded by: TASK-01, "a late worker's writes are refused".
    """
    async with OfficeHarness(tmp_path) as late:
        late.says("iris", does("bash", command="echo late > late.txt"), Say(text="Late."))
        late.script.hold()
        await late.ada.asks("iris", "Do it")
        await late.model_asked(1)

        second = OfficeHarness(tmp_path)
        second.script.hold()
        # Also for the request that is given up when the office closes.
        second.script.otherwise = lambda _seen: Say(text="In time.")
        async with second as office:
            await office.model_asked(1)
            late.script.let_go()
            await late.settled()
            while_open = (await office.runs())[0]
            done_late = await late.files("iris")
            await late.kill()
            await office.close()
            office.script.let_go()
            await office.open()
            await office.settled()

            assert (while_open.state, while_open.turns) == ("running", 0)
            assert await office.ada.sees("iris") == ["ada: Do it", "iris: In time."]
            assert [run.fence for run in await office.runs()] == [3]
            assert len(late.model.requests) == 1
            assert done_late == []
            await office.snapshot_equals_replay()


async def test_a_full_disk_holds_a_run_and_lets_it_go_on(tmp_path: Path) -> None:
    """While nothing can be written nothing is done; afterwards the run goes on where it was.

    Demanded by: "bad input: a full disk", RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo hi > hi.txt"), Say(text="Written."))
        office.script.hold()
        await office.ada.asks("iris", "Write")
        await office.model_asked(1)

        office.disk.fill()
        office.script.let_go()
        await office.disk.refused(2)
        office.disk.free()
        await office.settled()

        assert (await office.ada.sees("iris"))[-1] == "iris: Written."
        assert await office.files("iris") == ["hi.txt"]
        assert office.entries(AlertChanged) == []
        assert [run.state for run in await office.runs()] == ["completed"]
        await office.snapshot_equals_replay()


async def test_a_fault_of_ours_tries_the_item_three_times_and_parks_it(tmp_path: Path) -> None:
    """A run that crashes by a bug is retried, and the office works on meanwhile.

    Demanded by: EVT-4.
    """
    yaml = OFFICE.replace("title: Lead", 'title: Lead, model: "fake:broken"')
    async with OfficeHarness(tmp_path, Setting(yaml=yaml, facts=BrokenFacts())) as office:
        office.says("juno", Say(text="I am fine."))

        await office.ada.asks("iris", "Boom")
        await office.settled()
        await office.ada.asks("juno", "And you?")
        await office.settled()

        snapshot = await office.snapshot()
        runs = [(run.agent, run.state, run.reason_code) for run in await office.runs()]
        assert runs == [("iris", "failed", "internal")] * 3 + [("juno", "completed", "")]
        assert [(item.agent, item.state) for item in snapshot.items.values()] == [
            ("iris", "parked")
        ]
        alert = office.entries(AlertChanged)[-1].alert
        assert (alert.code, alert.count) == ("run_crashed", 3)
        assert alert.text.endswith("its item is parked.")
        await office.snapshot_equals_replay()


async def test_the_dialogue_is_byte_for_byte_the_same_after_a_restart(tmp_path: Path) -> None:
    """What is read back from the ledger encodes to what was sent before.

    Demanded by: P13, RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo hi"), Say(text="Hi."), Say(text="Still."))
        await office.ada.asks("iris", "First")
        await office.settled()
        await office.restart()

        await office.ada.asks("iris", "Second")
        await office.settled()

        before, after = office.model.requests[1].raw, office.model.requests[2].raw
        assert after.startswith(before[: before.rindex(b"]")])


async def test_what_ran_and_what_was_told_is_in_order_after_a_crash(tmp_path: Path) -> None:
    """Runs and calls only ever move forward, and each ends once.

    Demanded by: RUN-1, RUN-4.
    """
    stuck = Stuck("stuck")
    async with OfficeHarness(tmp_path, Setting(tools=(stuck.tool,))) as office:
        office.says("iris", does("stuck"), does("stuck"), Say(text="ok"))
        await office.ada.asks("iris", "Do it")
        await asyncio.wait_for(stuck.has_begun.wait(), 30)
        await office.kill_and_reopen()
        await office.settled()

        calls = [(entry.call.id, entry.call.state) for entry in office.entries(CallChanged)]
        assert calls == [
            ("R-1.1.0", CallState.PENDING),
            ("R-1.1.0", CallState.RUNNING),
            ("R-1.1.0", CallState.INTERRUPTED),
            ("R-1.2.0", CallState.PENDING),
            ("R-1.2.0", CallState.RUNNING),
            ("R-1.2.0", CallState.SUCCEEDED),
        ]
        runs = [(entry.run.fence, entry.run.state) for entry in office.entries(RunChanged)]
        assert runs == [(1, "running"), (2, "running"), (2, "completed")]
