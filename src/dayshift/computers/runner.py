"""The commands of one computer: each with a pipe of its own, from its start to its end.

Behind the walls runs a shell script, which needs nothing there but bash and setsid. It carries no
output: each command writes to a named pipe that this side reads. Beginnings and ends of commands
    come
through one more pipe, ``control``.
"""

import asyncio
import os
import shutil
import signal
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from dayshift.computers.enclosure import LocalIsolation, Place, find_bash, launch_order, shown
from dayshift.computers.machine import Machine
from dayshift.computers.output import Live, Output
from dayshift.computers.processes import Process
from dayshift.core.errors import ComputerError
from dayshift.core.limits import DELTA_INTERVAL_S

_SCRIPTS = ("runner.sh", "begin.sh")
_TERM_GRACE_S = 0.35
_KILL_GRACE_S = 0.35
_STARTED_GRACE_S = 0.1
_CHUNK_BYTES = 65_536
_CHUNKS_AT_ONCE = 4
_DRAINED_CHUNKS = 64
_FULL_PAUSE_S = 0.001
"""Between reads of output that is only counted any more: a flood must not take the loop."""
_RECORD_BYTES_MAX = 16_384
_KILLED = 128 + signal.SIGKILL


class Job:
    """One command on its way."""

    def __init__(self, name: str, output: Output, live: Live) -> None:
        loop = asyncio.get_running_loop()
        self.name = name
        self.output = output
        self.live = live
        self.pipe = -1
        self.inner_id = 0
        self.folder = ""
        self.timed_out = False
        self.started: asyncio.Future[None] = loop.create_future()
        self.done: asyncio.Future[int] = loop.create_future()
        self.flush: asyncio.TimerHandle | None = None


class Runner:
    """A running computer. Made by ``start``; of no use after ``stop`` or when ``ended``."""

    def __init__(self, isolation: LocalIsolation, place: Place) -> None:
        self.background: tuple[Process, ...] = ()
        self._place = place
        self._machine = Machine(isolation, self._on_end)
        self._loop = asyncio.get_running_loop()
        self._jobs: dict[str, Job] = {}
        self._leftover: set[int] = set()
        self._count = 0
        self._told = b""
        self._folder = self._control = -1

    @classmethod
    async def start(cls, isolation: LocalIsolation, place: Place, env: Mapping[str, str]) -> Self:
        """Start the processes of a computer.

        Args:
            isolation: What encloses them.
            place: Where they work.
            env: Their whole environment, but for what bash itself sets.

        Raises:
            ComputerError: They did not start; says why.
        """
        command = await asyncio.to_thread(_prepare, isolation, place)
        runner = cls(isolation, place)
        try:
            runner._open_control()
            await runner._machine.start(command, env)
        except BaseException:
            await asyncio.shield(runner.stop())
            raise
        return runner

    @property
    def ended(self) -> bool:
        """Whether it has ended, by itself or not."""
        return self._machine.ended

    async def stop(self) -> None:
        """End every process; asks politely first, and returns when all are gone."""
        await self._machine.stop()
        self.background = ()

    def new_job(self, output: Output, live: Live) -> Job:
        """A job with a name of its own."""
        self._count += 1
        return Job(str(self._count), output, live)

    async def run(self, job: Job, *, command: str, folder: str, timeout_s: float) -> int:
        """Run a command to its end; its exit code, with what it printed in ``job``.

        Args:
            job: A new one.
            command: Shell text without NUL.
            folder: Where it starts; the workspace when that is gone.
            timeout_s: After this it is ended; ``job.timed_out`` tells.

        Raises:
            ComputerError: The computer was switched off meanwhile.
        """
        self._open_pipe(job)
        self._jobs[job.name] = job
        try:
            try:
                await self._machine.send([job.name, folder, command])
                async with asyncio.timeout(timeout_s):
                    code = await asyncio.shield(job.done)
            except TimeoutError:
                job.timed_out = True
                await asyncio.shield(self._end(job))
                code = await job.done
            except asyncio.CancelledError:
                await asyncio.shield(self._end(job))
                raise
        finally:
            self._close(job)
        self.background = await asyncio.to_thread(self._tidy, job)
        return code

    # --- the end of a command ---------------------------------------------------------------------

    async def _end(self, job: Job) -> None:
        """End a command with all of its session, within a second.

        The computer ends with it if there is no other way.
        """
        if not job.started.done() and not job.done.done():
            await asyncio.wait([job.started], timeout=_STARTED_GRACE_S)
        members: list[Process] = []
        for number, grace_s in ((signal.SIGTERM, _TERM_GRACE_S), (signal.SIGKILL, _KILL_GRACE_S)):
            if job.inner_id:
                end = self._machine.end_session
                members = await asyncio.to_thread(end, job.inner_id, number, members)
            await asyncio.wait([job.done], timeout=grace_s)
        if not job.done.done():
            job.done.set_result(_KILLED)
            await self.stop()

    def _close(self, job: Job) -> None:
        """Take what is still in the pipe; processes in the background may go on writing to it."""
        self._jobs.pop(job.name, None)
        if job.done.done():
            job.done.exception()
        for _ in range(_DRAINED_CHUNKS):
            if job.pipe < 0 or not self._read(job):
                break
        if job.pipe >= 0:
            self._forget(job)
        if job.flush is not None:
            job.flush.cancel()
        job.live.flush(ended=True)

    def _tidy(self, job: Job) -> tuple[Process, ...]:
        """Remove a command's pipe, and see what runs in the background now; blocks."""
        with suppress(OSError):
            (self._place.scratch / job.name).unlink()
        return tuple(self._machine.others({other.inner_id for other in self._jobs.values()}))

    def _on_end(self) -> None:
        """Tell everyone who waits that the computer is gone, and close what is open."""
        for job in self._jobs.values():
            if not job.done.done():
                job.done.set_exception(
                    ComputerError(
                        "The computer was switched off while the command ran; "
                        "how far it came is unknown."
                    )
                )
        for pipe in (self._control, *self._leftover):
            if pipe >= 0:
                self._loop.remove_reader(pipe)
                os.close(pipe)
        if self._folder >= 0:
            os.close(self._folder)
        self._leftover.clear()
        self._control = self._folder = -1

    # --- pipes ------------------------------------------------------------------------------------

    def _open_control(self) -> None:
        try:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            self._folder = os.open(self._place.scratch, flags)
            self._control = self._new_pipe("control", os.O_RDWR)
        except OSError as error:
            message = f"The computer has no place for its pipes: {error.strerror}."
            raise ComputerError(message) from error
        self._loop.add_reader(self._control, self._on_control)

    def _open_pipe(self, job: Job) -> None:
        if self._folder < 0:
            raise ComputerError("The computer is off.")
        try:
            job.pipe = self._new_pipe(job.name, os.O_RDONLY)
        except OSError as error:
            message = f"The computer has no place for output: {error.strerror}."
            raise ComputerError(message) from error
        self._listen(job)

    def _new_pipe(self, name: str, flags: int) -> int:
        """Make a named pipe that the agent's user may write to, and open our end of it."""
        os.mkfifo(name, 0o600, dir_fd=self._folder)
        flags |= os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        pipe = os.open(name, flags, dir_fd=self._folder)
        if not stat.S_ISFIFO(os.fstat(pipe).st_mode):
            os.close(pipe)
            raise ComputerError("Something else lies where a pipe was made.")
        os.fchmod(pipe, 0o622)
        return pipe

    def _listen(self, job: Job) -> None:
        if job.pipe >= 0:
            self._loop.add_reader(job.pipe, self._on_output, job)

    def _on_control(self) -> None:
        """Take records of what happened to commands; an agent can forge them, about itself only."""
        try:
            data = os.read(self._control, _CHUNK_BYTES)
        except OSError:
            return
        *records, rest = (self._told + data).split(b"\0")
        self._told = rest[-_RECORD_BYTES_MAX:]
        for record in records:
            kind, _, words = record.decode("utf-8", "surrogateescape").partition(" ")
            name, _, value = words.partition(" ")
            job = self._jobs.get(name)
            if job is not None:
                _note(job, kind, value)

    def _on_output(self, job: Job) -> None:
        for _ in range(_CHUNKS_AT_ONCE):
            if not self._read(job):
                return
        if job.output.is_full:
            self._loop.remove_reader(job.pipe)
            self._loop.call_later(_FULL_PAUSE_S, self._listen, job)

    def _read(self, job: Job) -> bool:
        """Take the next bytes of a command; tells whether there may be more at once."""
        try:
            data = os.read(job.pipe, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._loop.remove_reader(job.pipe)
            os.close(job.pipe)
            job.pipe = -1
            return False
        job.output.add(data)
        if job.live.add(data) and job.flush is None:
            job.flush = self._loop.call_later(DELTA_INTERVAL_S, _flush, job)
        return True

    def _forget(self, job: Job) -> None:
        """Let go of a pipe that others still write to: what comes is read, and dropped."""
        pipe, job.pipe = job.pipe, -1
        self._loop.remove_reader(pipe)
        if self.ended:
            os.close(pipe)
        else:
            self._leftover.add(pipe)
            self._loop.add_reader(pipe, self._on_leftover, pipe)

    def _on_leftover(self, pipe: int) -> None:
        try:
            data = os.read(pipe, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._loop.remove_reader(pipe)
            self._leftover.discard(pipe)
            os.close(pipe)


def _flush(job: Job) -> None:
    job.flush = None
    job.live.flush()


def _note(job: Job, kind: str, value: str) -> None:
    """Enter one record of what happened."""
    if kind == "cwd":
        job.folder = value
    elif value.isascii() and value.isdecimal():
        if kind == "start" and not job.started.done():
            job.inner_id = int(value)
            job.started.set_result(None)
        elif kind == "done" and not job.done.done():
            job.done.set_result(int(value))


def _prepare(isolation: LocalIsolation, place: Place) -> list[str]:
    """Empty the scratch folder, put the scripts there, and put the start command together."""
    shutil.rmtree(place.scratch, ignore_errors=True)
    try:
        for folder in (place.scratch, place.scratch / "tmp"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if place.uid is not None:
                os.chown(folder, place.uid, place.uid, follow_symlinks=False)
        for script in _SCRIPTS:
            copy = place.scratch / script
            copy.write_bytes(Path(__file__).with_name(script).read_bytes())
            copy.chmod(0o644)
    except OSError as error:
        message = f"The computer has no place to work: {error.strerror}: {place.scratch}."
        raise ComputerError(message) from error
    seen = shown(isolation, place)
    shell = [find_bash(), "--noprofile", "--norc", f"{seen.pipes}/{_SCRIPTS[0]}"]
    return launch_order(isolation, place, [*shell, seen.workspace, *place.limits.words()])
