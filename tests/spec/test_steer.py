"""Steering: what a person says to an agent at work enters its run before the next request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.core.entries import ItemChanged, RunChanged
from dayshift.testing.model_server import Fail, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_steer_message_enters_before_the_next_request(tmp_path: Path) -> None:
    """It stands after the tool's result, says that it came meanwhile, and is done with the run.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo one"), Say(text="In red, then."))
        office.script.hold()
        await office.ada.asks("iris", "Paint the house")
        await office.model_asked(1)

        steered = await office.ada.steers("iris", "Make it red")
        office.script.let_go()
        await office.settled()

        assert steered.item is not None
        last = office.model.requests[1].messages
        assert [message["role"] for message in last] == ["user", "assistant", "tool", "user"]
        assert "Make it red" in last[3]["content"]
        assert "said while you work" in last[3]["content"]
        assert "Your last text of this run is sent as the answer." in last[3]["content"]
        assert [run.id for run in await office.runs()] == ["R-1"]
        ends = [e.item for e in office.entries(ItemChanged) if e.item.id == steered.item.id]
        assert [(item.state, item.run) for item in ends] == [("queued", ""), ("done", "R-1")]
        assert await office.ada.sees("iris") == [
            "ada: Paint the house",
            "ada: Make it red",
            "iris: In red, then.",
        ]
        await office.snapshot_equals_replay()


async def test_a_steer_message_keeps_a_run_that_is_about_to_finish(tmp_path: Path) -> None:
    """Said while the last answer is on its way, it is heard in one more turn.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Done."), Say(text="Done, and in red."))
        office.script.hold()
        await office.ada.asks("iris", "Paint the house")
        await office.model_asked(1)

        await office.ada.steers("iris", "Make it red")
        office.script.let_go()
        await office.settled()

        assert [(run.id, run.turns) for run in await office.runs()] == [("R-1", 2)]
        assert (await office.ada.sees("iris"))[-1] == "iris: Done, and in red."


async def test_a_steer_message_to_an_idle_agent_is_an_ordinary_item(tmp_path: Path) -> None:
    """With no run to enter, it begins one.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Red it is."))

        await office.ada.steers("iris", "Make it red")
        await office.settled()

        assert await office.ada.sees("iris") == ["ada: Make it red", "iris: Red it is."]
        assert "while you work" not in office.model.requests[0].said
        assert office.entries(RunChanged)[-1].run.state == "completed"


async def test_two_steer_messages_enter_in_their_order(tmp_path: Path) -> None:
    """What was said first is told first, each as its own message.

    Demanded by: RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo one"), Say(text="ok"))
        office.script.hold()
        await office.ada.asks("iris", "Paint the house")
        await office.model_asked(1)

        await office.ada.steers("iris", "First: red")
        await office.ben.steers("iris", "Then: blue")
        office.script.let_go()
        await office.settled()

        first, second = office.model.requests[1].messages[3:]
        assert "First: red" in first["content"]
        assert "Then: blue" in second["content"]
        assert office.model.complaints == []


async def test_a_steer_message_into_other_work_says_how_to_answer(tmp_path: Path) -> None:
    """A run on a task does not answer into a direct thread; the person is told by message_user.

    Demanded by: MSG-05, RUN-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says(
            "juno",
            does("bash", command="echo one"),
            does("message_user", message="I see, Ada.", person="ada"),
            does("task_update", id="T-1", status="failed", reason="no paint"),
            Say(text="No paint."),
        )
        office.script.hold()
        await office.ben.adds_task("Paint the house", to="juno")
        await office.model_asked(1)

        await office.ada.steers("juno", "Make it red")
        office.script.let_go()
        await office.settled()

        told = office.model.requests[1].said
        assert "Your text of this run does not reach them; message_user to ada does." in told
        assert await office.ada.sees("juno") == ["ada: Make it red", "juno: I see, Ada."]


async def test_a_retry_carries_what_was_said_while_it_waited(tmp_path: Path) -> None:
    """A message that comes while a failing provider is waited for is in the request sent next.

    Demanded by: RUN-3, MODEL-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Fail(status=503), Say(text="Red."))
        office.script.hold()
        await office.ada.asks("iris", "Paint the house")
        await office.model_asked(1)

        await office.ada.steers("iris", "Make it red")
        office.script.let_go()
        await office.settled()

        assert "Make it red" in office.model.requests[1].said
        assert [run.turns for run in await office.runs()] == [1]


async def test_after_its_last_turn_a_run_is_not_steered_any_more(tmp_path: Path) -> None:
    """What was said too late becomes a run of its own; nothing is lost.

    Demanded by: RUN-3, RUN-1.
    """
    yaml = OFFICE.replace("title: Lead", "title: Lead, budget: {turns_per_run: 1}")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        office.says("iris", Say(text="All I could do."), Say(text="Red."))
        office.script.hold()
        await office.ada.asks("iris", "Paint the house")
        await office.model_asked(1)

        await office.ada.steers("iris", "Make it red")
        office.script.let_go()
        await office.settled()

        assert [run.outcome for run in await office.runs()] == ["All I could do.", "Red."]
