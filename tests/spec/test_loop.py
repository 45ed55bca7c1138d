"""The loop: an item is worked off turn by turn, and everything it does is in the ledger first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dayshift.core.entries import AlertChanged, CallChanged, RunChanged
from dayshift.core.states import CallState
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does
from dayshift.testing.office_harness_means import JumpingClock

if TYPE_CHECKING:
    from pathlib import Path


class Look(msgspec.Struct, forbid_unknown_fields=True):
    """Look around."""


def looking(looked: list[object], harness: list[OfficeHarness]) -> Tool:
    """A tool that notes the states its own call is heard to have had when it begins."""

    async def look(_ctx: ToolContext, _args: Look) -> ToolResult:
        looked.extend(entry.call.state for entry in harness[0].entries(CallChanged))
        return ToolResult(ok=True, text="all quiet")

    return define(Look, look, name="look", family="test")


async def test_a_person_asks_and_is_answered(tmp_path: Path) -> None:
    """The last text of a run is the answer to the person who asked.

    Demanded by: RUN-1, WORK-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Good morning, Ada."))

        await office.ada.asks("iris", "Good morning")
        await office.settled()

        assert await office.ada.sees("iris") == ["ada: Good morning", "iris: Good morning, Ada."]
        await office.snapshot_equals_replay()


async def test_what_is_said_on_the_way_does_not_stand_for_the_answer(tmp_path: Path) -> None:
    """A word in between and the last text both reach the person; the same text reaches them once.

    Demanded by: WORK-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says(
            "iris",
            does("message_user", message="This takes a while."),
            Say(text="Done."),
            does("message_user", message="Done again."),
            Say(text="Done again."),
        )

        await office.ada.asks("iris", "Do it")
        await office.settled()
        await office.ada.asks("iris", "Again")
        await office.settled()

        assert await office.ada.sees("iris") == [
            "ada: Do it",
            "iris: This takes a while.",
            "iris: Done.",
            "ada: Again",
            "iris: Done again.",
        ]


async def test_a_call_is_written_running_before_its_tool_begins(tmp_path: Path) -> None:
    """A call is PENDING, then RUNNING on disk and told, before anything is done; then SUCCEEDED.

    Demanded by: RUN-1, "nothing is acted on before it is committed".
    """
    looked: list[object] = []
    harness: list[OfficeHarness] = []
    async with OfficeHarness(tmp_path, Setting(tools=(looking(looked, harness),))) as office:
        harness.append(office)
        office.says("iris", does("look"), Say(text="All quiet."))

        await office.ada.asks("iris", "Look around")
        await office.settled()

        assert looked == [CallState.PENDING, CallState.RUNNING]
        told = [entry.call.state for entry in office.entries(CallChanged)]
        assert told == [*looked, CallState.SUCCEEDED]
        await office.snapshot_equals_replay()


async def test_the_last_turn_allowed_is_asked_without_tools_for_a_summary(tmp_path: Path) -> None:
    """A run that has used its turns says what it came to, and stops with the reason.

    Demanded by: RUN-1.
    """
    yaml = OFFICE.replace("title: Lead", "title: Lead, budget: {turns_per_run: 2}")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        office.says("iris", does("bash", command="echo one"), Say(text="One of three is done."))

        await office.ada.asks("iris", "Do three things")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code, run.turns) == ("blocked", "turns_spent", 2)
        assert run.outcome == "One of three is done."
        assert [seen.body.get("tool_choice", "auto") for seen in office.model.requests] == [
            "auto",
            "none",
        ]
        assert "last turn" in office.model.requests[-1].said
        assert (await office.ada.sees("iris"))[1].startswith("iris: One of three is done.\n\n[The")
        assert [entry.alert.code for entry in office.entries(AlertChanged)] == ["run_blocked"]


async def test_a_task_left_open_is_asked_about_once_and_then_blocked(tmp_path: Path) -> None:
    """A run that ends without saying what became of its card is reminded; then the card is blocked.

    Demanded by: WORK-1, RUN-1.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("juno", Say(text="Done."), Say(text="I said, done."))

        task = await office.ada.adds_task("Build it", to="juno")
        await office.settled()

        card = (await office.snapshot()).tasks[task.id]
        assert (card.status, card.run) == ("blocked", "")
        assert "task_update" in office.model.requests[-1].said
        assert len(office.model.requests) == 2
        await office.snapshot_equals_replay()


async def test_a_model_that_nobody_knows_fails_the_run_with_a_hint(tmp_path: Path) -> None:
    """The item is parked for a person, and one alert says what is wrong.

    Demanded by: MODEL-1, "bad input".
    """
    yaml = OFFICE.replace("fake:m", "nobody:m")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        await office.ada.asks("iris", "Hello")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == ("failed", "invalid")
        assert "nobody" in run.reason
        assert (await office.snapshot()).items[run.item].state == "parked"
        alerts = [entry.alert for entry in office.entries(AlertChanged)]
        assert [(alert.code, alert.hint) for alert in alerts] == [
            ("run_failed", "The harness has fake and other.")
        ]


async def test_a_persons_thread_is_one_dialogue_over_days_and_restarts(tmp_path: Path) -> None:
    """What was said in a direct thread is there again the next day, and after a restart.

    Demanded by: RUN-5.
    """
    async with OfficeHarness(tmp_path, Setting(clock=JumpingClock())) as office:
        office.says("iris", Say(text="One."), Say(text="Two."), Say(text="Three."))
        await office.ada.asks("iris", "First")
        await office.settled()
        office.jump(days=1)
        await office.ada.asks("iris", "Second")
        await office.settled()
        await office.restart()

        await office.ada.asks("iris", "Third")
        await office.settled()

        last = office.model.requests[-1].messages
        assert [message["role"] for message in last] == ["user", "assistant"] * 2 + ["user"]
        assert "First" in last[0]["content"]
        assert "2030-01-08" in last[2]["content"]


async def test_other_work_shares_the_days_dialogue_and_begins_afresh_with_the_day(
    tmp_path: Path,
) -> None:
    """Two tasks of one day are one dialogue; a task of the next day begins a new one.

    Demanded by: RUN-5, TIME-8.
    """
    async with OfficeHarness(tmp_path, Setting(clock=JumpingClock())) as office:
        office.script.otherwise = lambda seen: (
            does(
                "task_update",
                id=f"T-{1 + len(seen.results)}" if seen.messages[1:] else "T-1",
                status="failed",
                reason="no",
            )
            if seen.step == 0
            else Say(text="ok")
        )
        await office.ada.adds_task("One", to="juno")
        await office.settled()
        await office.ada.adds_task("Two", to="juno")
        await office.settled()
        same_day = office.model.requests[-1].messages
        office.jump(days=1)

        await office.ada.asks("juno", "Unrelated")
        await office.ada.adds_task("Three", to="juno")
        await office.settled()

        assert "One" in same_day[0]["content"]
        first_of_day = [
            seen for seen in office.model.requests if "Three" in seen.said and seen.step == 0
        ]
        assert len(first_of_day[0].messages) == 1


async def test_a_cleared_thread_begins_a_new_dialogue(tmp_path: Path) -> None:
    """After its history is cleared, the agent is told nothing of what was said before.

    Demanded by: WORK-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="I know."), Say(text="What secret?"))
        await office.ada.asks("iris", "The word is swordfish")
        await office.settled()
        await office.ada.clears("iris")

        await office.ada.asks("iris", "What is the word?")
        await office.settled()

        assert len(office.model.requests[-1].messages) == 1
        assert await office.ada.sees("iris") == ["ada: What is the word?", "iris: What secret?"]
        await office.snapshot_equals_replay()


async def test_two_calls_in_one_answer_each_have_their_result(tmp_path: Path) -> None:
    """The next request pairs every call with its result, in order; the strict server agrees.

    Demanded by: RUN-1, RUN-4.
    """
    async with OfficeHarness(tmp_path) as office:
        calls = tuple(Call(name="bash", arguments={"command": f"echo {n}"}) for n in (1, 2))
        office.says("iris", Say(calls=calls), Say(text="Counted."))

        await office.ada.asks("iris", "Count")
        await office.settled()

        assert office.model.requests[-1].results == ["1\n", "2\n"]
        assert office.model.complaints == []


async def test_an_item_paused_with_its_inbox_waits_until_it_is_let_go(tmp_path: Path) -> None:
    """An agent whose inbox is held takes nothing, costs nothing, and starts when it is let go.

    Demanded by: EVT-4.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.holds_inbox("iris")
        await office.ada.asks("iris", "Hello")
        await office.settled()
        held = len(office.model.requests)

        await office.ada.lets_inbox_go("iris")
        await office.until(RunChanged, lambda entry: entry.run.state == "completed")
        await office.settled()

        assert (held, len(office.model.requests)) == (0, 1)
