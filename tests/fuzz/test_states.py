"""States by chance: a whole office is told to do anything in any order, and held to a plain model.

The model is a dictionary a noun: what a person did, and what must follow from it. Runs, calls,
tasks, inbox and pause are all moved; the office is restarted and killed in between.
"""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from dayshift.core.entries import CallChanged, ItemChanged, RunChanged, TaskChanged
from dayshift.core.errors import ConflictError, DeniedError, InvalidError
from dayshift.core.states import (
    CALL_ENDS,
    RUN_ENDS,
    RUN_MOVES,
    TASK_MOVES,
    CallState,
    ItemState,
    RunState,
    TaskStatus,
)
from dayshift.core.views import Evidence
from dayshift.facilities.board_rules import RESTARTABLE, Move
from dayshift.testing.model_server import Call, Fail, Reply, Say, Seen
from tests.fuzz.hosted import EFFORT, HostedOffice

AGENTS = st.sampled_from(["iris", "juno", "kai"])
FAILED = Fail(status=400, body={"error": {"message": "no"}})
CALL_MOVES = {
    CallState.PENDING: {CallState.RUNNING, *CALL_ENDS},
    CallState.RUNNING: {CallState.PENDING, *CALL_ENDS},
}
OPEN_TASKS = (TaskStatus.TODO, TaskStatus.IN_PROGRESS, TaskStatus.BLOCKED)


def answer(seen: Seen) -> Reply:
    """Does what the message asks for by a word."""
    if "fail" in seen.said:
        return FAILED
    if "write" in seen.said and not seen.step:
        arguments = {"path": f"{seen.number}.txt", "content": "x"}
        return Say(calls=(Call(name="write_file", arguments=arguments), Call(name="nonsense")))
    return Say(text="Done.")


class OfficeMachine(HostedOffice):
    """One office, and what it must come to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, list[str]] = {"iris": [], "juno": [], "kai": []}
        self.tasks: dict[str, TaskStatus] = {}
        self.is_paused = False

    @initialize()
    def open(self) -> None:
        """A fresh office."""
        self.office.model.script = answer
        self.open_office()

    def teardown(self) -> None:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Let everything end, look at the whole, and close."""
        try:
            if self.is_paused:
                self.do(self.office.ada.resumes())
            self.do(self.office.settled())
            self.is_paused = False
            self.look()
            self.do(self._looks_whole())
        finally:
            self.close_office()

    # --- what people do -----------------------------------------------------------------------

    @rule(agent=AGENTS, word=st.sampled_from(["talk", "write", "fail"]))
    def ask(self, agent: str, word: str) -> None:
        """A message."""
        text = f"{word} {len(self.asked[agent])}"
        self.do(self.office.ada.asks(agent, text))
        self.asked[agent].append(text)

    @rule(agent=AGENTS)
    def ask_twice_with_one_key(self, agent: str) -> None:
        """The same message again, as a client does that heard no answer."""
        text = f"again {len(self.asked[agent])}"
        first = self.do(self.office.ada.asks(agent, text, key=f"{agent}-{text}"))
        second = self.do(self.office.ada.asks(agent, text, key=f"{agent}-{text}"))
        self.asked[agent].append(text)
        assert first.message.id == second.message.id

    @rule(agent=AGENTS)
    def add_task(self, agent: str) -> None:
        """A card; nobody works it to its end, so it ends as blocked."""
        made = self.do(self.office.ada.adds_task("Write", to=agent))
        self.tasks[made.id] = made.status

    @precondition(lambda self: self.tasks)
    @rule(data=st.data(), to=st.sampled_from(TaskStatus))
    def move_task(self, data: st.DataObject, to: TaskStatus) -> None:
        """A card to any column: either the table allows it, or nothing changes."""
        task = data.draw(st.sampled_from(sorted(self.tasks)))
        before = self.do(self.office.office.board.card(task)).task
        move = Move(
            status=to, reason="why", result="what", evidence=[Evidence(kind="check", text="x")]
        )
        try:
            after = self.do(self.office.office.board.move(task, move, by="person:ada"))
        except (ConflictError, InvalidError, DeniedError):
            return
        assert to in TASK_MOVES[before.status] or before.status is not self._status(before.id)
        assert after.status in {to, TaskStatus.WAITING}

    @precondition(lambda self: self.tasks)
    @rule(data=st.data())
    def restart_task(self, data: st.DataObject) -> None:
        """A card back to todo; only one that has ended or is stuck."""
        task = data.draw(st.sampled_from(sorted(self.tasks)))
        self.do(self.office.settled() if not self.is_paused else asyncio.sleep(0))
        before = self.do(self.office.office.board.card(task)).task.status
        try:
            self.do(self.office.office.board.restart(task, by="person:ada"))
        except ConflictError:
            assert before not in RESTARTABLE
        else:
            assert before in RESTARTABLE

    @precondition(lambda self: not self.is_paused)
    @rule()
    def pause(self) -> None:
        """Nobody begins anything from now on."""
        self.do(self.office.ada.pauses())
        self.is_paused = True

    @precondition(lambda self: self.is_paused)
    @rule()
    def resume(self) -> None:
        """Everybody may."""
        self.do(self.office.ada.resumes())
        self.is_paused = False

    @rule()
    def restart(self) -> None:
        """In order."""
        self.do(self.office.restart())

    @rule()
    def kill(self) -> None:
        """Without any order, between two pieces of work."""
        if not self.is_paused:
            self.do(self.office.settled())
        self.do(self.office.kill_and_reopen())

    @rule()
    def cancel_something(self) -> None:
        """A run that is under way, if there is one."""
        under_way = [run for run in self.do(self.office.runs()) if run.state not in RUN_ENDS]
        if under_way:
            try:
                self.do(self.office.ada.cancels(under_way[0].id))
            except ConflictError:
                assert self._run_state(under_way[0].id) in RUN_ENDS

    @precondition(lambda self: not self.is_paused)
    @rule()
    def settle(self) -> None:
        """Let them work."""
        self.do(self.office.settled())
        runs = self.do(self.office.runs())
        assert [run.id for run in runs if run.state not in RUN_ENDS] == []

    # --- what must hold -----------------------------------------------------------------------

    @invariant()
    def look(self) -> None:
        """Every move that was told is one that the tables allow."""
        runs: dict[str, RunState] = {}
        calls: dict[str, CallState] = {}
        items: dict[str, ItemState] = {}
        tasks: dict[str, TaskStatus] = {}
        for committed in self.office.heard:
            match committed.entry:
                case RunChanged(run=run):
                    before = runs.get(run.id, run.state)
                    assert before is run.state or run.state in RUN_MOVES[before], run
                    runs[run.id] = run.state
                case CallChanged(call=call):
                    was = calls.get(call.id, call.state)
                    assert was is call.state or call.state in CALL_MOVES.get(was, ()), call
                    calls[call.id] = call.state
                case ItemChanged(item=item):
                    ended = items.get(item.id) in {ItemState.DONE, ItemState.CANCELLED}
                    assert not ended, item
                    items[item.id] = item.state
                case TaskChanged(task=task):
                    at = tasks.get(task.id, task.status)
                    assert at is task.status or task.status in TASK_MOVES[at], task
                    tasks[task.id] = task.status
                case _:
                    pass

    async def _looks_whole(self) -> None:
        for agent, texts in self.asked.items():
            if texts:
                said = await self.office.ada.sees(agent)
                assert [line for line in said if line.startswith("ada")] == [
                    f"ada: {text}" for text in texts
                ]
        runs = await self.office.runs()
        messages = [run.item for run in runs if run.kind == "message"]
        assert len(messages) == len(set(messages)) == sum(map(len, self.asked.values()))
        assert self.office.model.complaints == []
        await self.office.snapshot_equals_replay()

    def _status(self, task: str) -> TaskStatus:
        return self.do(self.office.office.board.card(task)).task.status

    def _run_state(self, run: str) -> RunState:
        return next(one.state for one in self.do(self.office.runs()) if one.id == run)


OfficeMachine.TestCase.settings = EFFORT


@pytest.mark.timeout(90)
class TestStates(OfficeMachine.TestCase):
    """The machine as a test.

    Demanded by: the measures, state machines of run, call, task, inbox and pause.
    """
