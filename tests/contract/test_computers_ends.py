"""How the processes of a local computer end: all of them, whoever is killed first."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from dayshift.computers.local import LocalComputers
from dayshift.core.errors import ComputerError
from tests.contract.computers_stage import LOCAL, Stage, ended, opened, report, sh

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

STARTS = 20
SERVER = """
import asyncio, sys
from pathlib import Path
from dayshift.computers.local import LocalComputers
from dayshift.core.details import IsolationReport

async def serve(home, kind):
    report = IsolationReport(in_force=kind, network=False, why="", improve="")
    computers = LocalComputers(Path(home), report)
    async def work(agent):
        told = lambda text: print(text, end="", flush=True)
        command = "(setsid sleep 600 &) ; sleep 601 & echo at work; sleep 602"
        await computers.of("acme", agent).run(
            command, timeout_s=600, on_output=told, output_bytes_max=1000
        )
    async with asyncio.TaskGroup() as group:
        for agent in sys.argv[3:]:
            group.create_task(work(agent))

asyncio.run(serve(sys.argv[1], sys.argv[2]))
"""


@pytest.fixture(params=LOCAL)
async def stage(request: pytest.FixtureRequest) -> AsyncGenerator[Stage]:
    """Computers behind each isolation, none too."""
    async with opened(request.param) as here:
        yield here


@pytest.mark.parametrize(
    "command",
    [
        "sleep 61 | sleep 62",
        "sleep 61 & sleep 62",
        "bash -c 'sleep 61 & (sleep 62; true)'",
        "timeout 50 sleep 61",
        "trap '' TERM; sleep 61; sleep 62",
        "bash -c \"trap '' TERM; setsid sleep 61; sleep 62\"",
        "setsid bash -c \"trap '' TERM; sleep 61; sleep 62\"",
        "kill -9 $PPID; sleep 61",
        "kill -STOP $PPID; sleep 61",
        "kill -STOP $$",
    ],
)
async def test_at_its_limit_a_command_ends_with_all_it_started(stage: Stage, command: str) -> None:
    """Nothing sleeps on, whatever it does about signals, groups and the runner.

    Demanded by: TOOL-3, RUN-4.
    """
    await sh(stage.iris, "true")
    async with asyncio.timeout(15):
        result = await sh(stage.iris, command, timeout_s=0.4)
    assert result.timed_out
    assert await stage.sleeping() == []
    assert (await sh(stage.iris, "echo again")).output == "again\n"


async def test_a_cancelled_command_ends_with_all_it_started(stage: Stage) -> None:
    """Within a second of being stopped, also when it is stopped twice.

    Demanded by: RUN-4.
    """
    begun = asyncio.Event()
    command = "trap '' TERM; echo begun; timeout 50 sleep 61; sleep 62"
    async with asyncio.TaskGroup() as group:
        task = group.create_task(sh(stage.iris, command, watch=lambda _text: begun.set()))
        await asyncio.wait_for(begun.wait(), 30)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
    async with asyncio.timeout(1):
        assert await ended([process.id for process in await stage.alive()])
    assert task.cancelled()
    assert (await sh(stage.iris, "echo again")).output == "again\n"


async def test_ending_one_command_spares_what_runs_beside_it(stage: Stage) -> None:
    """Neither the background nor another call of the same turn is hit.

    Demanded by: RUN-3, TOOL-3.
    """
    await sh(stage.iris, "sleep 71 & mkfifo go")
    begun = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        beside = group.create_task(
            sh(stage.iris, "echo begun; cat go", watch=lambda _text: begun.set())
        )
        await asyncio.wait_for(begun.wait(), 30)
        late = await sh(stage.iris, "sleep 72", timeout_s=0.3)
        assert await stage.sleeping() == ["sleep 71"]
        await sh(stage.iris, "echo done > go")
    assert (late.timed_out, beside.result().output) == (True, "begun\ndone\n")
    assert await stage.sleeping() == ["sleep 71"]


async def test_off_leaves_no_process(stage: Stage) -> None:
    """Not in the background, not in a session of its own, not one that ignores signals.

    Demanded by: TOOL-3, PROC-02.
    """
    await sh(
        stage.iris, "sleep 61 & (setsid sleep 62 &); (trap '' TERM; sleep 63; sleep 64) & true"
    )
    before = [process.id for process in await stage.alive()]
    async with asyncio.timeout(15):
        await stage.iris.off()
    assert len(before) >= 3
    assert await stage.alive() == []
    assert await ended(before)


async def test_what_ran_in_the_background_may_end_in_peace(stage: Stage) -> None:
    """It is asked to end before it is made to.

    Demanded by: TOOL-3.
    """
    script = "trap 'echo bye > $0; exit' TERM; echo > up; while :; do sleep 0.01; done"
    await stage.iris.write("server.sh", script.encode())
    log = f"{stage.iris.status().workspace}/log"
    until_up = "until [ -e up ]; do sleep 0.01; done"
    await sh(stage.iris, f'bash -c "$(cat server.sh)" {log} >/dev/null 2>&1 & {until_up}')
    await stage.iris.off()
    assert (await stage.iris.read("log")).data == b"bye\n"


async def test_a_killed_runner_comes_back_with_the_next_command(stage: Stage) -> None:
    """The command it was killed under fails; nothing of it stays, and the next one runs.

    Demanded by: TOOL-3, TASK-09.
    """
    await sh(stage.iris, "mkdir site; cd site; sleep 71 & true")
    before = [process.id for process in await stage.alive()]
    with pytest.raises(ComputerError):
        await sh(stage.iris, "read -r _ _ _ runner _ < /proc/$PPID/stat; kill -9 $runner; sleep 72")
    gone = await ended(before)
    again = await sh(stage.iris, "pwd")
    assert gone
    assert again.output == f"{stage.iris.status().workspace}/site\n"
    assert await stage.sleeping() == []


async def test_off_while_a_command_runs_ends_the_command(stage: Stage) -> None:
    """Whoever waits for it is told that its outcome is unknown.

    Demanded by: TOOL-3, the working office (the loop).
    """
    begun = asyncio.Event()

    async def work() -> None:
        with pytest.raises(ComputerError, match="unknown"):
            await sh(stage.iris, "echo begun; sleep 61", watch=lambda _text: begun.set())

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(work())
        await begun.wait()
        await stage.iris.off()
    assert await stage.alive() == []


async def test_starting_and_stopping_leaves_nothing_open(stage: Stage) -> None:
    """No process, no file descriptor and nothing to wait for, after many times.

    Demanded by: PROC-02, TASK-09.
    """
    await sh(stage.iris, "true")
    await stage.iris.off()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(STARTS):
        await sh(stage.iris, "sleep 61 & echo one")
        await stage.iris.off()
    assert len(os.listdir("/proc/self/fd")) == before
    assert await stage.alive() == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # noqa: ASYNC222  with WNOHANG it does not wait


@pytest.mark.parametrize("rounds", [2])
async def test_when_the_server_is_killed_everything_on_its_computers_ends(
    stage: Stage, rounds: int
) -> None:
    """Nothing with the mark of this home is left, killed after killed.

    Demanded by: TASK-09, the working office (local computer).
    """
    left: list[list[int]] = []
    for _ in range(rounds):
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SERVER, str(stage.home)),
            *(str(stage.iris.isolation), "iris", "juno", "kai"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert server.stdout is not None
        said = [await asyncio.wait_for(server.stdout.readline(), 5) for _ in range(3)]
        assert said == [b"at work\n"] * 3
        alive = [process.id for process in await stage.alive()]
        server.send_signal(signal.SIGKILL)
        await server.wait()
        assert len(alive) >= 9
        assert await ended(alive)
        left.append([process.id for process in await stage.alive()])
    assert left == [[], []]


async def test_what_a_killed_guard_left_is_swept_at_the_next_start() -> None:
    """Of this home only: another server's processes on this machine go on.

    Demanded by: TASK-09.
    """
    async with opened("none") as stage, opened("none") as other:
        await sh(stage.iris, "(setsid sleep 61 &) ; true")
        await sh(other.iris, "sleep 62 & true")
        guards = [process.parent for process in await stage.alive() if process.parent != 1]
        os.kill(min(guards), signal.SIGKILL)
        await ended([min(guards)])
        swept = await LocalComputers(stage.home, report("none")).sweep()
        assert swept >= 1
        assert (await stage.sleeping(), await other.sleeping()) == ([], ["sleep 62"])
