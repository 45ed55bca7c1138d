"""Inboxes: what waits for an agent, in which order it is taken, and what people can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import ItemChanged, RunChanged
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.events import Event
from dayshift.core.states import ItemState, Priority
from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import JumpingClock, OfficeHarness, Setting
from tests.spec.events_stage import OFFICE, events, queue, texts, waiting

if TYPE_CHECKING:
    from pathlib import Path

SETTING = Setting(yaml=OFFICE)
BY = "person:ada"


async def _waits(
    office: OfficeHarness, text: str, *, priority: Priority = Priority.NORMAL, expires_in_s: int = 0
) -> str:
    """Put something into kai's inbox; its item's id."""
    event = Event(
        source="custom",
        type="note",
        text=text,
        target="kai",
        priority=priority,
        expires_in_s=expires_in_s,
    )
    view = await events(office).publish(event, by=BY)
    return next(item.id for item in await queue(office, "kai") if item.event == view.id)


async def _worked_off(office: OfficeHarness) -> list[str]:
    """Let kai go, and wait; the titles of the runs in the order they were made."""
    await waiting(office).resume_agent("kai", by=BY)
    await office.settled()
    return [run.title for run in await office.runs()]


async def test_what_is_more_urgent_is_taken_first_and_else_what_came_first(tmp_path: Path) -> None:
    """The page shows the order in which runs then begin.

    Demanded by: EVT-4.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        await _waits(office, "first")
        await _waits(office, "low", priority=Priority.LOW)
        await _waits(office, "second")
        await _waits(office, "high", priority=Priority.HIGH)
        await _waits(office, "fire", priority=Priority.EMERGENCY)
        shown = await texts(office, "kai")

        assert shown == ["fire", "high", "first", "second", "low"]
        assert await _worked_off(office) == shown
        await office.snapshot_equals_replay()


async def test_the_order_is_the_same_after_a_restart(tmp_path: Path) -> None:
    """Also the one people made, and what they hold back stays held back.

    Demanded by: EVT-4, survives restart.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        ids = [await _waits(office, text) for text in ("a", "b", "c", "d")]
        await waiting(office).move(ids[3], before=ids[0], by=BY)
        await waiting(office).pause(ids[1], by=BY)
        before = [(item.text, item.state) for item in await queue(office, "kai")]

        await office.kill_and_reopen()

        assert [(item.text, item.state) for item in await queue(office, "kai")] == before
        assert [text for text, _ in before] == ["d", "a", "b", "c"]
        assert await _worked_off(office) == ["d", "a", "c"]
        await office.snapshot_equals_replay()


async def test_people_put_waiting_items_in_another_order(tmp_path: Path) -> None:
    """Before another or to the end, again and again between the same two; never past a priority.

    Demanded by: EVT-4.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        a, b, c = [await _waits(office, text) for text in ("a", "b", "c")]
        urgent = await _waits(office, "urgent", priority=Priority.HIGH)
        move = waiting(office).move

        await move(c, before=a, by=BY)
        first = await texts(office, "kai")
        await move(c, before=None, by=BY)
        second = await texts(office, "kai")
        for _ in range(20):
            await move(b, before=a, by=BY)
            await move(c, before=a, by=BY)
            await move(b, before=a, by=BY)
        third = await texts(office, "kai")
        with pytest.raises(ConflictError, match="cannot be put before"):
            await move(a, before=urgent, by=BY)
        with pytest.raises(NotFoundError):
            await move(a, before="I-99", by=BY)

        assert first == ["urgent", "c", "a", "b"]
        assert second == ["urgent", "a", "b", "c"]
        assert third == ["urgent", "c", "b", "a"]
        assert await _worked_off(office) == third
        await office.snapshot_equals_replay()


async def test_an_item_held_back_is_passed_over_until_it_is_let_go(tmp_path: Path) -> None:
    """The agent works on meanwhile; what was let go is taken in its old place.

    Demanded by: EVT-4.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        a, b = [await _waits(office, text) for text in ("a", "b")]
        held = await waiting(office).pause(a, by=BY)
        done = await _worked_off(office)
        await waiting(office).resume(a, by=BY)
        await office.settled()

        assert (held.state, held.reason) == (ItemState.PAUSED, "held back by a person")
        assert done == ["b"]
        assert [run.title for run in await office.runs()] == ["b", "a"]
        assert [item.state for item in await queue(office, "kai")] == ["done", "done"]
        with pytest.raises(ConflictError, match="no longer waits"):
            await waiting(office).pause(b, by=BY)
        await office.snapshot_equals_replay()


async def test_an_item_taken_out_is_never_worked_on(tmp_path: Path) -> None:
    """It stays on the page as cancelled, by whom; one that is worked on is not taken out so.

    Demanded by: EVT-4.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        a, b = [await _waits(office, text) for text in ("a", "b")]
        await waiting(office).cancel(a, by=BY)
        office.script.hold()
        await waiting(office).resume_agent("kai", by=BY)
        await office.model_asked(1)
        with pytest.raises(ConflictError, match="taken") as told:
            await waiting(office).cancel(b, by=BY)
        office.script.let_go()
        await office.settled()

        assert told.value.hint == "Cancel its run instead."
        assert [(item.text, item.state, item.reason) for item in await queue(office, "kai")] == [
            ("b", "done", ""),
            ("a", "cancelled", "cancelled by a person"),
        ]
        assert [run.title for run in await office.runs()] == ["b"]
        await office.snapshot_equals_replay()


async def test_what_is_no_longer_worth_doing_is_not_done(tmp_path: Path) -> None:
    """By the office's clock; what lives on, and what has no end, is done.

    Demanded by: EVT-4, expiry.
    """
    setting = Setting(yaml=OFFICE, clock=JumpingClock())
    async with OfficeHarness(tmp_path, setting) as office:
        await office.ada.holds_inbox("kai")
        await _waits(office, "in a minute", expires_in_s=60)
        await _waits(office, "in an hour", expires_in_s=3_600)
        await _waits(office, "whenever")

        office.jump(seconds=60)
        done = await _worked_off(office)

        assert done == ["in an hour", "whenever"]
        late = await queue(office, "kai", "expired")
        assert [(item.text, item.reason) for item in late] == [
            ("in a minute", "nobody got to it in time")
        ]
        await office.snapshot_equals_replay()


async def test_an_item_is_told_to_be_over_before_its_agent_looks(tmp_path: Path) -> None:
    """Whoever opens the page sees it as expired, though the agent takes nothing.

    Demanded by: EVT-4, expiry.
    """
    setting = Setting(yaml=OFFICE, clock=JumpingClock())
    async with OfficeHarness(tmp_path, setting) as office:
        await office.ada.holds_inbox("kai")
        await _waits(office, "in a minute", expires_in_s=60)
        office.jump(seconds=59)
        before = await texts(office, "kai")
        office.jump(seconds=1)
        assert before == ["in a minute"]
        assert await texts(office, "kai") == []
        assert await texts(office, "kai", "expired") == ["in a minute"]


async def test_a_parked_item_is_tried_again_when_a_person_says_so(tmp_path: Path) -> None:
    """With all its tries; until then it stops nothing else.

    Demanded by: EVT-4, poison items parked.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        office.script.otherwise = lambda _: Say(text="x", stall_after=0)
        item = await _waits(office, "boom")
        await office.model_asked(1)
        await office.kill_and_reopen()
        await office.model_asked(2)
        await office.kill_and_reopen()
        await office.model_asked(3)
        await office.kill_and_reopen()
        await office.model_asked(4)
        await office.kill_and_reopen()
        await office.settled()
        parked = (await queue(office, "kai"))[0]

        office.script.otherwise = lambda _: Say(text="Now it works.")
        again = await waiting(office).resume(item, by=BY)
        await office.settled()

        assert parked.state is ItemState.PARKED
        assert (again.state, again.attempts) == (ItemState.QUEUED, 0)
        assert [run.state for run in await office.runs()] == ["failed", "completed"]
        assert (await queue(office, "kai"))[0].state is ItemState.DONE
        await office.snapshot_equals_replay()


async def test_an_agent_works_on_one_item_at_a_time(tmp_path: Path) -> None:
    """However many wait; the next begins when the one before has ended.

    Demanded by: EVT-4, RUN-1.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        for text in ("a", "b", "c"):
            await _waits(office, text)
        await _worked_off(office)

        told = [(entry.run.id, str(entry.run.state)) for entry in office.entries(RunChanged)]
        assert told == [
            (run, state) for run in ("R-1", "R-2", "R-3") for state in ("running", "completed")
        ]


async def test_each_state_an_item_goes_through_is_told_once(tmp_path: Path) -> None:
    """Queued, taken, done, each in its own entry with the same id.

    Demanded by: EVT-4; "exactly once".
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        item = await _waits(office, "a")
        await office.settled()
        told = [(entry.item.id, entry.item.state) for entry in office.entries(ItemChanged)]
        assert told == [
            (item, ItemState.QUEUED),
            (item, ItemState.TAKEN),
            (item, ItemState.DONE),
        ]


async def test_what_is_no_item_and_no_state_is_refused(tmp_path: Path) -> None:
    """With what there is instead.

    Demanded by: EVT-4; the working office, bad input.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        with pytest.raises(NotFoundError, match="I-99"):
            await waiting(office).cancel("I-99", by=BY)
        with pytest.raises(NotFoundError, match="I-99"):
            await waiting(office).resume("I-99", by=BY)
        with pytest.raises(NotFoundError):
            await waiting(office).items("nobody", state="")
        with pytest.raises(InvalidError, match="no item state 'lost'") as told:
            await waiting(office).items("kai", state="lost")
        assert "queued" in told.value.hint
