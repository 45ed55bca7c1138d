"""An agent that works here no longer is let go everywhere, and nothing of its work is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dayshift.config.office import load
from dayshift.core.entries import AlertChanged, RunChanged
from dayshift.core.errors import NotFoundError
from dayshift.core.events import Event
from dayshift.core.states import RUN_ENDS, Duty, RunState, TaskStatus
from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import OfficeHarness, Setting, does
from tests.spec.events_stage import OFFICE, decided, happens

if TYPE_CHECKING:
    from pathlib import Path

KAI = "  - {name: kai, title: Tester, reports_to: iris, keywords: [test]}\n"
WITHOUT = "".join(line for line in OFFICE.splitlines(keepends=True) if "name: kai" not in line)
SETTING = Setting(yaml=WITHOUT + KAI)


async def _dismiss(office: OfficeHarness) -> None:
    """Take Kai out of the file of the running office, as its page does."""
    file = office.office.folder / "office.yaml"
    office.setting = Setting(yaml=WITHOUT)
    await asyncio.to_thread(file.write_text, WITHOUT, encoding="utf-8")
    await office.office.take(await asyncio.to_thread(load, file, {}), by="person:ada")


async def test_who_left_is_nobody_anywhere(tmp_path: Path) -> None:
    """On the floor, for broadcasts, for messages of people and colleagues, also after a restart.

    Demanded by: AGENT-1; MSG-08; EVT-2.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await _dismiss(office)
        broadcast = Event(source="custom", type="news", text="a test of the release")
        view = await happens(office, broadcast)
        office.says("iris", does("message_agent", to="kai", message="Hi"), Say(text="Not here."))
        await office.ada.asks("iris", "Greet Kai")
        await office.settled()
        calls = await office.calls((await office.runs())[-1].id)

        assert [agent.name for agent in office.office.book.all()] == ["iris", "juno"]
        assert set(await decided(office, view)) == {"iris", "juno"}
        assert view.considered == 2
        assert [call.code for call in calls] == ["not_found"]
        with pytest.raises(NotFoundError, match="Nobody called kai works here"):
            await office.ada.asks("kai", "Hello?")
        with pytest.raises(NotFoundError):
            await happens(office, Event(source="custom", type="note", text="x", target="kai"))
        await office.restart()
        assert [agent.name for agent in office.office.book.all()] == ["iris", "juno"]
        shown = (await office.snapshot()).agents.values()
        assert {agent.name for agent in shown if not agent.removed} == {"iris", "juno"}
        await office.snapshot_equals_replay()


async def test_what_waited_for_who_left_is_told_to_a_person(tmp_path: Path) -> None:
    """Messages are taken out and named in one alert, open cards are blocked, channels are left.

    Demanded by: MSG-08, "kept as undeliverable and shown"; WORK-1.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        await office.ada.holds_inbox("kai")
        await office.ada.asks("kai", "Test the page")
        card = await office.ada.adds_task("Test it", to="kai")
        await _dismiss(office)

        waiting = (await office.snapshot()).items
        task = (await office.office.board.card(card.id)).task
        alert = next(
            entry.alert
            for entry in office.entries(AlertChanged)
            if entry.alert.code == "items_undelivered"
        )
        assert waiting == {}
        assert "2 undelivered, since kai works here no longer" in alert.text
        assert "Test the page" in alert.text
        assert (task.status, task.blocked_reason) == (
            TaskStatus.BLOCKED,
            "kai works here no longer.",
        )
        general = await office.office.talk.channels.one("general")
        assert general.members == ["iris", "juno"]
        await office.snapshot_equals_replay()


async def test_what_who_left_was_working_on_ends(tmp_path: Path) -> None:
    """The run is cancelled with the reason, and its model is asked nothing more.

    Demanded by: RUN-3; AGENT-1.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        office.script.hold()
        await office.ada.asks("kai", "Test the page")
        await office.model_asked(1)
        await _dismiss(office)
        await office.until(RunChanged, lambda entry: entry.run.state in RUN_ENDS)
        office.script.let_go()
        await office.settled()

        run = (await office.runs())[0]
        assert run.state is RunState.CANCELLED
        assert run.reason == "cancelled by the office: kai works here no longer"
        assert (await office.ada.sees("kai"))[-1] == f"kai: [The run was {run.reason}.]"
        assert len(office.model.requests) == 1
        await office.snapshot_equals_replay()


async def test_what_a_killed_server_left_of_one_who_left_is_not_taken_up(tmp_path: Path) -> None:
    """The file was changed while nothing ran: the run ends as it would have at once.

    Demanded by: RUN-4; AGENT-1.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        office.script.hold()
        await office.ada.asks("kai", "Test the page")
        await office.model_asked(1)
        await office.kill()
        office.setting = Setting(yaml=WITHOUT)
        await office.open()
        office.script.let_go()
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == (RunState.CANCELLED, "cancelled")
        assert (await office.snapshot()).items == {}
        assert len(office.model.requests) == 1
        await office.snapshot_equals_replay()


async def test_who_comes_back_begins_anew_with_the_old_files(tmp_path: Path) -> None:
    """Hired again under the same name it is on duty, hears broadcasts, and finds its workspace.

    Demanded by: AGENT-1.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        office.says("kai", does("write_file", path="notes.md", content="wind"), Say(text="Noted."))
        await office.ada.asks("kai", "Take notes")
        await office.settled()
        await _dismiss(office)
        await office.reopen_with(WITHOUT + KAI)
        view = await happens(office, Event(source="custom", type="news", text="a test"))

        agent = office.office.book.one("kai")
        assert (agent.duty, agent.inbox_paused, agent.run) == (Duty.ON_DUTY, False, "")
        assert (await decided(office, view))["kai"].accepted
        assert await office.files("kai") == ["notes.md"]
        assert [run.agent for run in await office.runs()] == ["kai", "kai"]
        await office.snapshot_equals_replay()
