"""Known failures of such systems: agents that keep each other, or themselves, busy for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.core.entries import AlertChanged, TaskCommented
from dayshift.core.limits import HOPS_MAX, IDENTICAL_FAILURES_MAX, UNCHANGED_RUNS_MAX
from dayshift.core.states import RunState, TaskStatus
from dayshift.facilities.board_rules import AGAIN_MAX, CHAIN_DEPTH_MAX
from dayshift.testing.model_server import Call, Say, Seen
from dayshift.testing.office_harness import OFFICE, JumpingClock, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

DONE = {"status": "done", "result": "Written.", "evidence": [{"text": "Read it twice."}]}


def calls(name: str, **arguments: object) -> Say:
    """An answer with one call."""
    return Say(calls=(Call(name=name, arguments=arguments),))


def chatter(seen: Seen) -> Say:
    """Iris and Juno: whoever is asked writes to the other, then ends."""
    other = "juno" if seen.agent == "iris" else "iris"
    return Say(text="Told.") if seen.step else calls("message_agent", to=other, message="And you?")


def mentioner(seen: Seen) -> Say:
    """The same in a channel, by mentions."""
    other = "juno" if seen.agent == "iris" else "iris"
    if seen.step:
        return Say(text="Told.")
    return calls("post_channel", channel="general", message=f"@{other}, and you?")


async def test_loop_01_an_agents_note_on_its_own_card_wakes_nobody(tmp_path: Path) -> None:
    """The note is the agent's, not a person's, and starts no run; a person's note starts one.

    Demanded by: LOOP-01.
    """
    async with OfficeHarness(tmp_path, Setting(clock=JumpingClock())) as office:
        office.says("iris", calls("task_update", id="T-1", comment="Half way."), Say(text="Later."))

        await office.ada.adds_task("Write the page", to="iris")
        await office.settled()
        office.jump(hours=1)
        await office.settled()
        by_itself = len(await office.runs())
        await office.office.board.comment("T-1", "Please hurry.", by=office.ada.by)
        await office.settled()

        authors = [entry.comment.author for entry in office.entries(TaskCommented)]
        assert authors == ["agent:iris", "person:ada"]
        assert (by_itself, len(await office.runs())) == (1, 2)
        await office.snapshot_equals_replay()


async def test_loop_03_a_note_on_a_finished_card_reopens_nothing(tmp_path: Path) -> None:
    """Done stays done whatever is remarked; a person's restart wakes the owner once.

    Demanded by: LOOP-03.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says(
            "iris",
            calls("task_update", id="T-1", comment="That was it.", **DONE),
            calls("task_update", id="T-1", comment="One more thing."),
            Say(text="Done."),
        )

        await office.ada.adds_task("Write the page", to="iris")
        await office.settled()
        after_notes = (await office.office.board.card("T-1")).task.status
        runs = len(await office.runs())
        await office.office.board.restart("T-1", by=office.ada.by)
        await office.settled()

        assert (after_notes, runs) == (TaskStatus.DONE, 1)
        assert len(await office.runs()) == 2
        await office.snapshot_equals_replay()


async def test_loop_04_two_agents_do_not_write_to_each_other_for_ever(tmp_path: Path) -> None:
    """The exchange ends at the hop limit: the writer is told why, and a person is told once.

    Demanded by: LOOP-04, LOOP-06; EVT-5.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = chatter

        await office.ada.asks("iris", "Say hello to Juno")
        await office.settled()

        runs = await office.runs()
        refused = [call for run in runs for call in await office.calls(run.id)][-1:]
        assert len(runs) == HOPS_MAX + 1
        assert len(office.model.requests) == 2 * len(runs)
        assert [call.code for call in refused] == ["limit"]
        assert f"the limit is {HOPS_MAX}" in refused[0].result
        assert len(office.entries(AlertChanged)) == 1
        assert f"{HOPS_MAX}" in office.entries(AlertChanged)[0].alert.text
        await office.snapshot_equals_replay()


async def test_loop_04_nor_do_they_mention_each_other_for_ever(tmp_path: Path) -> None:
    """The same in a channel.

    Demanded by: LOOP-04, LOOP-06; EVT-5.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = mentioner

        await office.ada.asks("iris", "Say hello to Juno")
        await office.settled()

        assert len(await office.runs()) == HOPS_MAX + 1
        said = await office.ada.sees_channel("general")
        assert [line.partition(":")[0] for line in said[HOPS_MAX:]] == ["office"]
        assert f"{HOPS_MAX} messages among agents" in said[-1]
        assert len(office.entries(AlertChanged)) == 1
        await office.snapshot_equals_replay()


async def test_loop_06_a_run_that_meets_a_limit_says_which(tmp_path: Path) -> None:
    """The turns are counted, the last one has no tools, and the reason stands on the run.

    Demanded by: LOOP-06; RUN-1.
    """
    yaml = OFFICE.replace("title: Lead", "title: Lead, budget: {turns_per_run: 4}")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        office.model.script = lambda seen: (
            calls("bash", command=f"echo {seen.number}") if seen.tools else Say(text="Not done.")
        )

        await office.ada.asks("iris", "Count for ever")
        await office.settled()

        run = (await office.runs())[0]
        alerts = [entry.alert for entry in office.entries(AlertChanged)]
        assert (run.state, run.reason_code, run.turns) == (RunState.BLOCKED, "turns_spent", 4)
        assert run.reason == "The run has used all of its 4 turns."
        assert [alert.run for alert in alerts] == [run.id]
        assert run.reason in alerts[0].text
        await office.snapshot_equals_replay()


async def test_loop_07_helpers_do_not_hire_helpers_for_ever(tmp_path: Path) -> None:
    """Work handed on and on is refused at a depth, with the reason.

    Demanded by: LOOP-07; EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = delegating

        await office.ada.asks("iris", "Have it done")
        await office.settled()

        board = await office.snapshot()
        refused = [
            call.result
            for run in await office.runs()
            for call in await office.calls(run.id)
            if call.code == "limit"
        ]
        assert len(board.tasks) == CHAIN_DEPTH_MAX + 1
        assert [f"{CHAIN_DEPTH_MAX} times" in text for text in refused] == [True]
        await office.snapshot_equals_replay()


async def test_loop_07_nor_is_a_stuck_card_put_back_for_ever(tmp_path: Path) -> None:
    """Two agents that block a card and put it back are stopped, with one alert for the people.

    Demanded by: LOOP-07; EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = stubborn

        await office.ada.asks("iris", "Have it done")
        await office.settled()
        stopped = [run.agent for run in await office.runs()]
        await office.ada.restarts("T-1")
        await office.settled()

        refused = [
            call.result
            for run in await office.runs()
            for call in await office.calls(run.id)
            if call.code == "limit"
        ]
        alerts = [alert.text for alert in (await office.snapshot()).alerts.values()]
        assert stopped.count("juno") == AGAIN_MAX + 1
        assert [f"put T-1 back {AGAIN_MAX} times" in text for text in refused] == [True, True]
        assert [f"put T-1 back {AGAIN_MAX} times" in text for text in alerts] == [True]
        await office.snapshot_equals_replay()


def stubborn(seen: Seen) -> Say:
    """Juno cannot do it, and Iris has her try again."""
    if seen.step:
        return Say(text="So it is.")
    if seen.agent == "juno":
        return calls("task_update", id="T-1", status="blocked", reason="I cannot.")
    if "Have it done" in seen.said:
        return calls("task_create", title="Do it", assignee="juno")
    return calls("task_update", id="T-1", status="todo")


def delegating(seen: Seen) -> Say:
    """Whoever gets a task hands the same on to the next colleague, and ends."""
    is_first = seen.agent == "iris" and "Have it done" in seen.said
    if seen.step or not (is_first or "ready" in seen.said):
        return Say(text="Handed on.")
    following = {"iris": "juno", "juno": "kai", "kai": "iris"}[seen.agent]
    return calls("task_create", title="Do it", assignee=following)


async def test_loop_08_the_same_refused_call_is_not_made_a_thousand_times(tmp_path: Path) -> None:
    """After five the run ends as blocked, and one alert tells a person.

    Demanded by: LOOP-08; EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = lambda _: calls("read_file", path="missing.txt")

        await office.ada.asks("iris", "Read it")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == (RunState.BLOCKED, "no_progress")
        assert len(office.model.requests) == IDENTICAL_FAILURES_MAX
        assert [entry.alert.count for entry in office.entries(AlertChanged)] == [1]
        await office.snapshot_equals_replay()


async def test_loop_11_runs_that_change_nothing_end(tmp_path: Path) -> None:
    """Woken again and again for one card without changing anything, the agent is paused.

    Demanded by: LOOP-11; EVT-6.
    """
    async with OfficeHarness(tmp_path) as office:
        office.model.script = restarting

        await office.ada.asks("juno", "Have the page watched")
        await office.settled()

        runs = [run for run in await office.runs() if run.agent == "iris"]
        snapshot = await office.snapshot()
        alerts = [alert for alert in snapshot.alerts.values() if alert.run == runs[-1].id]
        assert len(runs) == UNCHANGED_RUNS_MAX + 1
        assert runs[-1].reason_code == "unchanged"
        assert snapshot.agents["iris"].inbox_paused
        assert [alert.agent for alert in alerts] == ["iris"]
        await office.snapshot_equals_replay()


def restarting(seen: Seen) -> Say:
    """Juno puts the card back whenever it is stuck; Iris never does a thing."""
    if seen.agent == "iris" or seen.step:
        return Say(text="Nothing new.")
    if "blocked" in seen.said:
        return calls("task_update", id="T-1", status="todo")
    return calls("task_create", title="Watch the page", assignee="iris")
