"""What an agent does is seen, and what it is told of time and work is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import AgentChanged, ItemChanged
from dayshift.core.errors import ConflictError
from dayshift.core.events import Event
from dayshift.core.states import Duty, ItemState, Priority
from dayshift.dispatch.duty import ACTIVITY_MOVES, DUTY_MOVES
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import JumpingClock, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path


async def test_an_agent_is_busy_on_its_run_while_it_works_and_idle_after(tmp_path: Path) -> None:
    """Activity follows the run, entry by entry; duty is not touched by work.

    Demanded by: AGENT-5.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.say(Say(text="Done."), to="iris")
        before = len(office.entries(AgentChanged))

        await office.ada.asks("iris", "Say done.")
        await office.settled()

        moves = [entry.agent for entry in office.entries(AgentChanged)[before:]]
        assert [(one.name, one.activity, one.run, one.duty) for one in moves] == [
            ("iris", "busy", "R-1", Duty.ON_DUTY),
            ("iris", "idle", "", Duty.ON_DUTY),
        ]
        await office.snapshot_equals_replay()


async def test_a_move_of_duty_that_is_not_in_the_table_is_refused(tmp_path: Path) -> None:
    """Nobody goes from off duty to waiting; the way there and back is open.

    Demanded by: AGENT-5.
    """
    async with OfficeHarness(tmp_path) as office:
        book, bus = office.office.book, office.office.bus
        await bus.commit(lambda unit: book.move(unit, "iris", Duty.OFF_DUTY))
        with pytest.raises(ConflictError):
            await bus.commit(lambda unit: book.move(unit, "iris", Duty.WAIT))
        await bus.commit(lambda unit: book.move(unit, "iris", Duty.ON_DUTY))

        assert book.one("iris").duty is Duty.ON_DUTY
        assert set(DUTY_MOVES) == set(Duty)
        assert all(ACTIVITY_MOVES.values())


async def test_mail_waits_for_an_agent_that_waits_itself_and_an_emergency_does_not(
    tmp_path: Path,
) -> None:
    """The delivery table holds for the beginning of work, too.

    Demanded by: AGENT-5; EVT-2.
    """
    async with OfficeHarness(tmp_path) as office:
        book, bus = office.office.book, office.office.bus
        await bus.commit(lambda unit: book.move(unit, "iris", Duty.WAIT))
        await office.ada.asks("iris", "When you are back")
        await office.settled()
        held = len(await office.runs())
        fire = Event(
            source="custom", type="fire", text="Out!", target="iris", priority=Priority.EMERGENCY
        )
        await bus.commit(lambda unit: office.office.dispatcher.deliver(unit, fire))
        await office.settled()
        woken = [run.title for run in await office.runs()]
        await bus.commit(lambda unit: book.move(unit, "iris", Duty.ON_DUTY))
        await office.settled()

        assert (held, woken) == (0, ["Out!"])
        assert [run.title for run in await office.runs()][1:] == ["When you are back"]
        await office.snapshot_equals_replay()


async def test_what_is_no_longer_worth_doing_is_settled_without_being_asked(
    tmp_path: Path,
) -> None:
    """At the start of the office, and when a day begins.

    Demanded by: EVT-8; TIME-1.
    """
    clock = JumpingClock()
    async with OfficeHarness(tmp_path, Setting(clock=clock)) as office:
        await office.ada.holds_inbox("iris")
        late = Event(source="custom", type="look", text="Soon!", target="iris", expires_in_s=60)
        bus, dispatcher = office.office.bus, office.office.dispatcher
        await bus.commit(lambda unit: dispatcher.deliver(unit, late))
        office.jump(days=1)
        while len(office.entries(ItemChanged)) < 2:
            await office.office.bus.commit(lambda _unit: None)
        at_dawn = office.entries(ItemChanged)[-1].item
        await bus.commit(lambda unit: dispatcher.deliver(unit, late))
        clock.jump(hours=1)
        await office.restart()
        at_start = office.entries(ItemChanged)[-1].item

        assert [(one.id, one.state) for one in (at_dawn, at_start)] == [
            ("I-1", ItemState.EXPIRED),
            ("I-2", ItemState.EXPIRED),
        ]
        await office.snapshot_equals_replay()


async def test_an_agent_asks_for_the_time_and_for_its_tasks(tmp_path: Path) -> None:
    """The time names the zone; the list of tasks holds its own and those it made for others.

    Demanded by: TOOL-6; TIME-8.
    """
    mine = Call(name="task_create", arguments={"title": "Read the log", "assignee": "iris"})
    yours = Call(name="task_create", arguments={"title": "Test the page", "assignee": "juno"})
    async with OfficeHarness(tmp_path) as office:
        office.model.say(
            Say(calls=(Call(name="get_time", arguments={}), mine, yours)),
            Say(calls=(Call(name="my_tasks", arguments={}),)),
            Say(text="Seen."),
            to="iris",
        )

        await office.ada.asks("iris", "What is the time, and what is open?")
        await office.settled()

        told = office.model.requests
        first = next(seen for seen in told if len(seen.results) == 3)
        second = next(seen for seen in told if len(seen.results) == 4)
        assert "UTC" in first.results[0]
        assert [text.partition(" ")[0] for text in first.results[1:]] == ["Created", "Created"]
        assert "Read the log" in second.results[-1]
        assert "Test the page" in second.results[-1]
