"""Known failures of such systems: one task worked on twice, never, or by a process nobody knows."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import CallChanged
from dayshift.core.states import CallState, RunState, TaskStatus
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OfficeHarness, Setting
from tests.spec.known_failures_stage import Home, every, posted, sleepers
from tests.spec.test_known_failures_calls import hang, running

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

DONE = {"status": "done", "result": "Written.", "evidence": [{"text": "Read it twice."}]}
THREADS = 8


@pytest.mark.timeout(240)
def test_task_01_eight_who_press_at_once_start_one_run(tmp_path: Path) -> None:
    """One restart is accepted, the others are conflicts, and the task has one run more.

    Demanded by: TASK-01; WORK-1.
    """
    home = Home(tmp_path)
    with home.up(), home.client() as client, ThreadPoolExecutor(THREADS) as threads:
        made = client.post("tasks", json={"title": "Write", "assignee": "iris"}).json()["id"]
        home.wait_for(lambda: _ended_runs(client, made) == 1)
        client.post(f"tasks/{made}/move", json={"status": "failed", "reason": "no"})
        # A run that ends while they press may leave a card that can be restarted again.
        client.post("agents/iris/inbox/pause").raise_for_status()
        codes = list(
            threads.map(lambda _: client.post(f"tasks/{made}/restart").status_code, range(THREADS))
        )
        client.post("agents/iris/inbox/resume").raise_for_status()
        home.wait_for(lambda: _ended_runs(client, made) == 2)
        runs = every(client, "runs", task=made)
    assert sorted(codes) == [200] + [409] * (THREADS - 1)
    assert len(runs) == 2


def _ended_runs(client: httpx.Client, task: str) -> int:
    return sum(run["ended_at"] is not None for run in every(client, "runs", task=task))


async def test_task_03_a_killed_workers_card_is_taken_up_once(tmp_path: Path) -> None:
    """The same run goes on with it; the attempt is counted once.

    Demanded by: TASK-03; WORK-1, RUN-4.
    """
    async with OfficeHarness(tmp_path, Setting(commands={"hang": hang})) as office:
        office.says("iris", Say(calls=(Call(name="bash", arguments={"command": "hang"}),)))
        await office.ada.adds_task("Write the page", to="iris")
        await office.until(CallChanged, running)
        finish = Call(name="task_update", arguments={"id": "T-1", **DONE})
        office.says("iris", Say(calls=(finish,)), Say(text="Done."))

        await office.kill_and_reopen()
        await office.settled()

        card = await office.office.board.card("T-1")
        assert (card.task.status, card.task.attempts, card.task.run) == (TaskStatus.DONE, 1, "")
        assert [(run.id, run.state) for run in card.runs] == [("R-1", RunState.COMPLETED)]
        await office.snapshot_equals_replay()


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(240)
def test_task_08_a_cancelled_run_is_not_taken_up_after_a_kill(tmp_path: Path) -> None:
    """Its command is gone, it stays cancelled, and nobody tries again.

    Demanded by: TASK-08; RUN-3, RUN-4.
    """
    home = Home(tmp_path)
    with home.up():
        with home.client() as client:
            task = client.post("tasks", json={"title": "Sleep", "assignee": "juno"}).json()["id"]
            home.wait_for(lambda: len(sleepers()) == 1)
            run = every(client, "runs", task=task)[0]["id"]
            cancelled = client.post(f"runs/{run}/cancel", json={}).status_code
            home.end(signal.SIGKILL)
        home.start()
        with home.client() as client:
            posted(client, "juno", "Are you there?")
            home.settled_messages("dm:owner:juno", answers=1)
            runs = every(client, "runs", task=task)
    assert cancelled in {200, 202, 204}
    assert [(one["id"], one["state"]) for one in runs] == [(run, "cancelled")]
    assert sleepers() == []


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(240)
def test_task_09_kills_leave_no_process_behind(tmp_path: Path) -> None:
    """After each of five kills there are as many commands as runs that have one.

    Demanded by: TASK-09, PROC-02; RUN-4.
    """
    home = Home(tmp_path)
    counts: list[tuple[int, int]] = []
    with home.up():
        for _ in range(5):
            with home.client() as client:
                posted(client, "juno", "work")
                posted(client, "kai", "work")
                home.wait_for(lambda: len(sleepers()) >= 2)
            home.end(signal.SIGKILL)
            home.start()
            with home.client() as client:
                home.wait_for(lambda client=client: _running(client) == [])
                counts.append((len(sleepers()), len(_running(client))))
        with home.client() as client:
            states = [run["state"] for run in every(client, "runs")]
    assert counts == [(0, 0)] * 5
    assert states == ["completed"] * 10
    assert sleepers() == []


def _running(client: httpx.Client) -> list[str]:
    return [run["id"] for run in every(client, "runs", state="running")]


async def test_task_10_nobody_ends_a_colleagues_card(tmp_path: Path) -> None:
    """By its own tool an agent is refused, which stands in the ledger; the card is as it was.

    Demanded by: TASK-10; WORK-1.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="I look at it."), Say(text="Not yet."))
        await office.ada.adds_task("Write the page", to="iris")
        await office.settled()
        before = (await office.office.board.card("T-1")).task
        finish = Call(name="task_update", arguments={"id": "T-1", **DONE})
        office.says("kai", Say(calls=(finish,)), Say(text="I may not."))
        await office.ada.asks("kai", "Finish Iris's card")
        await office.settled()

        call = (await office.calls((await office.runs())[-1].id))[0]
        assert (call.state, call.code) == (CallState.FAILED, "denied")
        assert (await office.office.board.card("T-1")).task == before
        assert [e.call.state for e in office.entries(CallChanged)][-1] is CallState.FAILED
        await office.snapshot_equals_replay()
