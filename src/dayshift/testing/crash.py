"""Kills an office at a commit, opens it again, and says what there is when its job is done.

A nursery is a process that has everything imported, has lived one whole life itself and closed it
again, and has nothing running; it forks a child for each further life of an office, so that a life
costs what the office does and neither a start of Python nor anything that is done only once. The
child is killed by ``SIGKILL``, by itself, in the middle of a commit: just before or just after the
database took it. ``python -m dayshift.testing.crash`` is a nursery; ``Nursery`` talks to one.
"""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn

import msgspec

from dayshift.computers.isolation import probe
from dayshift.testing.crash_job import YAML, Findings, Model, carry_out, look
from dayshift.testing.office_harness import OfficeHarness, Setting

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from dayshift.store.database import Database

Side = Literal["before", "after"]
COMPLAINTS = "complaints.txt"
LOG = "log.txt"


class Life(msgspec.Struct, kw_only=True):
    """One life of an office.

    Attributes:
        home: The office's home.
        database: URL of a PostgreSQL database; empty for a SQLite file in the home.
        kill_at: Number of the commit at which it is killed, from 1; 0 to let it live.
        does_job: Whether it works, or is only opened and closed.
        in_nursery: Whether it is lived by the nursery itself, which makes later lives cheaper.
    """

    home: str
    database: str = ""
    kill_at: int = 0
    side: Side = "before"
    does_job: bool = True
    in_nursery: bool = False


class Death(msgspec.Struct, kw_only=True):
    """How a life ended.

    Attributes:
        findings: What there was at the end; ``None`` when it was killed.
        commits: Commits it made, as far as it told.
        failure: What went wrong, if anything did.
    """

    findings: Findings | None = None
    commits: int = 0
    killed: bool = False
    failure: str = ""


class Counting:
    """Counts the commits of a writer, and ends the process at one of them.

    Attributes:
        complaints: The model server's, which would be lost with the process.
    """

    def __init__(self, life: Life) -> None:
        """Nothing is counted yet."""
        self.count = 0
        self.complaints: Callable[[], list[str]] = list
        self._life = life

    def watch(self, database: "Database") -> None:
        """Stand between the writer and its database; each unit of work is a commit of its own."""
        database.writer.group_max = 1
        dialect = database.writer.engine.dialect
        commit = dialect.do_commit

        def do_commit(dbapi_connection: object) -> None:
            self.count += 1
            if self.count == self._life.kill_at and self._life.side == "before":
                self._die()
            commit(dbapi_connection)  # pyright: ignore[reportArgumentType]  the driver's own connection
            if self.count == self._life.kill_at:
                self._die()

        dialect.do_commit = do_commit

    def _die(self) -> None:
        complaints = self.complaints()
        if complaints:
            path = Path(self._life.home, COMPLAINTS)
            path.write_text("\n".join(complaints), encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)


async def live(life: Life) -> Death:
    """Live one life; does not come back when it is killed."""
    home, model = Path(life.home), Model()
    setting = Setting(yaml=YAML, computers="local", database=life.database, synchronous="OFF")
    counting = Counting(life)
    office = OfficeHarness(home, setting, on_database=counting.watch)
    counting.complaints = lambda: office.model.complaints
    office.script.answers = model.reply
    async with office:
        if not life.does_job:
            return Death(commits=counting.count)
        await carry_out(office, model)
        findings = await look(office, home / COMPLAINTS)
    return Death(findings=findings, commits=counting.count)


def _practise(life: Life) -> Death:
    """Live a life in this process; what it brought into memory is shared by all later children.

    Raises:
        RuntimeError: Something of it still runs, and would be cut off in every child.
    """
    death = asyncio.run(live(life))
    threads = [thread.name for thread in threading.enumerate()[1:]]
    if threads:
        raise RuntimeError(f"a closed office left threads: {threads}")
    gc.collect()
    gc.freeze()
    return death


def _bear(life: Life) -> Death:
    """Live a life in a child of this process."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _be_born(life, write_end)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if told:
        return msgspec.json.decode(told, type=Death)
    by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if by == signal.SIGKILL:
        return Death(killed=True, commits=life.kill_at)
    return Death(failure=f"the child ended with status {status}")


def _be_born(life: Life, write_end: int) -> NoReturn:
    """Live in the child, tell of the end, and leave without a look back."""
    log = os.open(Path(life.home, LOG), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        death = asyncio.run(live(life))
    except BaseException as error:  # noqa: BLE001  whatever it is, the parent must hear of it
        death = Death(failure=_words(error))
    os.write(write_end, msgspec.json.encode(death))
    os._exit(0)


def _words(error: BaseException) -> str:
    """What an error says, with all that it holds."""
    return "".join(traceback.format_exception(error))


class Nursery:
    """A process that bears offices, for the length of a block; used by one thread."""

    def __init__(self) -> None:
        """Not started yet."""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Nursery":
        order = [sys.executable, "-m", "dayshift.testing.crash"]
        self._process = subprocess.Popen(  # noqa: S603  our own module
            order, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        if self._process is not None:
            self._process.communicate()

    def bear(self, life: Life) -> Death:
        """Let an office live a life, and hear how it ended. Blocks."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("the nursery is used outside its block")
        process.stdin.write(msgspec.json.encode(life) + b"\n")
        process.stdin.flush()
        return msgspec.json.decode(process.stdout.readline(), type=Death)


def main() -> None:
    """Be a nursery: a life on each line of the input, its death on each line of the output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What an office prints is no answer.
    probe()
    for line in sys.stdin.buffer:
        life = msgspec.json.decode(line, type=Life)
        death = _practise(life) if life.in_nursery else _bear(life)
        answers.write(msgspec.json.encode(death) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
