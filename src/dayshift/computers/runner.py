"""The one long-lived process inside a computer, and the commands it runs.

The runner is a shell script behind the walls; it needs nothing there but bash and setsid. Each
command gets a named pipe of its own, which this side reads directly: the runner carries no output.
Ends of commands come through one more pipe, ``control``. Signals are sent from out here, so that a
stopped or killed runner cannot keep a command alive.
"""

import asyncio
import os
import shutil
import signal
import socket
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from dayshift.computers import processes
from dayshift.computers.enclosure import LocalIsolation, Place, find_bash, launch_order, shown
from dayshift.computers.output import Live, Output
from dayshift.core.errors import ComputerError
from dayshift.core.limits import DELTA_INTERVAL_S

_SCRIPTS = ("runner.sh", "begin.sh")
_START_LIMIT_S = 15.0
_TERM_GRACE_S = 0.35
_KILL_GRACE_S = 0.35
_STARTED_GRACE_S = 0.1
_REAP_LIMIT_S = 3.0
_STATUS_AFTER_S = 0.2
_POLITE_STEP_S = 0.05
_KILL_ROUNDS = 5
_CHUNK_BYTES = 65_536
_CHUNKS_AT_ONCE = 4
_FULL_PAUSE_S = 0.001
"""Between reads of output that is only counted any more: a flood must not take the loop."""
_DRAIN_CHUNKS = 64
_RECORD_BYTES_MAX = 16_384
_COMPLAINT_BYTES_MAX = 4_096


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
        self.ended = False
        self.background: tuple[processes.Process, ...] = ()
        self._isolation: LocalIsolation = isolation
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[int] = self._loop.create_future()
        self._jobs: dict[str, Job] = {}
        self._leftover: set[int] = set()
        self._count = 0
        self._told = b""
        self._greeting = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._pipes = self._control = self._complaints = -1
        self._root = self._inside = 0

    @classmethod
    async def start(cls, isolation: LocalIsolation, place: Place, env: Mapping[str, str]) -> Self:
        """Start the processes of a computer.

        Args:
            isolation: What encloses them.
            place: Where they work.
            env: Their whole environment, but for what the runner itself sets.

        Raises:
            ComputerError: They did not start; says why.
        """
        runner = cls(isolation, place)
        command = await asyncio.to_thread(_prepare, isolation, place)
        try:
            await runner._open(command, env)
        except BaseException:
            await asyncio.shield(runner.stop())
            raise
        return runner

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
                await self._send([job.name, folder, command])
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

    def new_job(self, output: Output, live: Live) -> Job:
        """A job with a name of its own."""
        self._count += 1
        return Job(str(self._count), output, live)

    async def stop(self) -> None:
        """End every process; asks politely first, and returns when all are gone."""
        if self._root and not self.ended:
            waiting = await asyncio.to_thread(self._signal_all, signal.SIGTERM)
            for _ in range(int(_TERM_GRACE_S / _POLITE_STEP_S)):
                if not waiting:
                    break
                await asyncio.sleep(_POLITE_STEP_S)
                waiting = await asyncio.to_thread(self._others)
        try:
            await asyncio.to_thread(self._reap)
        finally:
            self._lose()

    # --- starting ---------------------------------------------------------------------------------

    async def _open(self, command: list[str], env: Mapping[str, str]) -> None:
        self._pipes = os.open(self._place.scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        self._control = self._new_pipe("control", os.O_RDWR)
        self._loop.add_reader(self._control, self._on_control)
        ours, theirs = socket.socketpair()
        self._socket = ours
        with theirs:
            self._complaints = self._spawn(command, theirs)
        ours.setblocking(False)
        self._loop.add_reader(ours.fileno(), self._on_socket)
        pairs = [f"{name}={value}" for name, value in env.items()]
        try:
            await self._send([*pairs, ""])
            async with asyncio.timeout(_START_LIMIT_S):
                inner_id = await self._ready
        except TimeoutError as error:
            raise ComputerError(
                f"The computer did not start within {_START_LIMIT_S:g} s."
            ) from error
        self._drop_complaints()
        await asyncio.to_thread(self._find, inner_id)

    def _spawn(self, command: list[str], theirs: socket.socket) -> int:
        """Start the launcher from this thread, with which the whole computer then dies."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own launcher
                command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=writing,
                env={"PATH": "/usr/bin:/bin"},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            os.close(reading)
            raise ComputerError(f"The computer did not start: {error.strerror}.") from error
        finally:
            os.close(writing)
        return reading

    def _find(self, inner_id: int) -> None:
        """Find the root of the tree, and the runner in it, by this machine's process ids."""
        if self._process is None:
            return
        root = self._process.pid
        if self._isolation == "bubblewrap":
            inits = processes.below(root)
            root = inits[0].id if inits else 0
        tree = processes.below(root) if root else []
        self._inside = next((p.id for p in tree if p.inner_id == inner_id), 0)
        self._root = root
        if not self._inside:
            raise ComputerError("The computer ended while it started.")

    # --- what comes back --------------------------------------------------------------------------

    def _on_socket(self) -> None:
        """Take the runner's greeting, or notice its end."""
        try:
            data = self._socket.recv(_CHUNK_BYTES) if self._socket else b""
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose()
            return
        self._greeting = (self._greeting + data)[-_RECORD_BYTES_MAX:]
        words = self._greeting.split()
        match words:
            case [b"ready", number] if number.isdigit() and not self._ready.done():
                self._ready.set_result(int(number))
            case _:
                pass

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
            try:
                data = os.read(job.pipe, _CHUNK_BYTES)
            except BlockingIOError:
                return
            if not data:
                self._close_pipe(job)
                return
            self._take(job, data)
        if job.output.is_full:
            self._loop.remove_reader(job.pipe)
            self._loop.call_later(_FULL_PAUSE_S, self._listen, job)

    def _take(self, job: Job, data: bytes) -> None:
        job.output.add(data)
        if job.live.add(data) and job.flush is None:
            job.flush = self._loop.call_later(DELTA_INTERVAL_S, self._flush, job)

    def _flush(self, job: Job) -> None:
        job.flush = None
        job.live.flush()

    def _listen(self, job: Job) -> None:
        if job.pipe >= 0:
            self._loop.add_reader(job.pipe, self._on_output, job)

    def _on_leftover(self, pipe: int) -> None:
        """Read and forget what processes in the background still print."""
        try:
            data = os.read(pipe, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._loop.remove_reader(pipe)
            self._leftover.discard(pipe)
            os.close(pipe)

    # --- one command ------------------------------------------------------------------------------

    def _open_pipe(self, job: Job) -> None:
        try:
            job.pipe = self._new_pipe(job.name, os.O_RDONLY)
        except OSError as error:
            raise ComputerError(
                f"The computer has no place for output: {error.strerror}."
            ) from error
        self._listen(job)

    def _new_pipe(self, name: str, flags: int) -> int:
        """Make a named pipe that the agent's user may write to, and open our end of it."""
        if self._pipes < 0:
            raise ComputerError("The computer is off.")
        os.mkfifo(name, 0o600, dir_fd=self._pipes)
        flags |= os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        pipe = os.open(name, flags, dir_fd=self._pipes)
        if not stat.S_ISFIFO(os.fstat(pipe).st_mode):
            os.close(pipe)
            raise ComputerError("Something else lies where a pipe was made.")
        os.fchmod(pipe, 0o622)
        return pipe

    async def _send(self, words: list[str]) -> None:
        data = b"".join(word.encode("utf-8", "surrogateescape") + b"\0" for word in words)
        if self._socket is None:
            raise ComputerError("The computer is off.")
        try:
            await self._loop.sock_sendall(self._socket, data)
        except OSError:
            self._lose()
        except asyncio.CancelledError:
            # Half an order may have been sent: nothing that follows would be understood.
            self._lose()
            raise

    async def _end(self, job: Job) -> None:
        """End a command with all of its session, within a second.

        The computer with it if need be.
        """
        if not job.started.done() and not job.done.done():
            await asyncio.wait([job.started], timeout=_STARTED_GRACE_S)
        await asyncio.to_thread(self._signal_job, job, signal.SIGTERM)
        await asyncio.wait([job.done], timeout=_TERM_GRACE_S)
        await asyncio.to_thread(self._signal_job, job, signal.SIGKILL)
        await asyncio.wait([job.done], timeout=_KILL_GRACE_S)
        if not job.done.done():
            job.done.set_result(128 + signal.SIGKILL)
            await self.stop()

    def _signal_job(self, job: Job, number: signal.Signals) -> None:
        for _ in range(_KILL_ROUNDS if number == signal.SIGKILL else 1):
            if not self._root or not job.inner_id:
                return
            tree = processes.below(self._root)
            first = next((p.id for p in tree if p.inner_id == job.inner_id), 0)
            own = {p.id for p in processes.subtree(tree, first)} if first else set[int]()
            members = [p for p in tree if p.id in own or p.inner_session == job.inner_id]
            if not members:
                return
            processes.send(members, number)

    def _close(self, job: Job) -> None:
        """Take what is still in the pipe; processes in the background may go on writing to it."""
        self._jobs.pop(job.name, None)
        if job.done.done():
            job.done.exception()
        for _ in range(_DRAIN_CHUNKS):
            if job.pipe < 0:
                break
            try:
                data = os.read(job.pipe, _CHUNK_BYTES)
            except BlockingIOError:
                break
            if data:
                self._take(job, data)
            else:
                self._close_pipe(job)
        if job.pipe >= 0:
            pipe, job.pipe = job.pipe, -1
            self._loop.remove_reader(pipe)
            if self.ended:
                os.close(pipe)
            else:
                self._leftover.add(pipe)
                self._loop.add_reader(pipe, self._on_leftover, pipe)
        if job.flush is not None:
            job.flush.cancel()
        job.live.flush(ended=True)

    def _close_pipe(self, job: Job) -> None:
        self._loop.remove_reader(job.pipe)
        os.close(job.pipe)
        job.pipe = -1

    def _tidy(self, job: Job) -> tuple[processes.Process, ...]:
        """Remove a command's pipe, and see what runs in the background now."""
        with suppress(OSError):
            (self._place.scratch / job.name).unlink()
        return tuple(self._others())

    # --- the whole computer -----------------------------------------------------------------------

    def _others(self) -> list[processes.Process]:
        """All processes but the root, the runner and what belongs to commands still running."""
        tree = processes.below(self._root) if self._root else []
        ours = {process.id for process in processes.subtree(tree, self._inside)}
        running = {job.inner_id for job in self._jobs.values()}
        return [p for p in tree if p.id not in ours and p.inner_session not in running]

    def _signal_all(self, number: signal.Signals) -> list[processes.Process]:
        tree = processes.below(self._root) if self._root else []
        members = [p for p in tree if p.id != self._inside]
        processes.send(members, number)
        return members

    def _lose(self) -> None:
        """Note that the runner is gone, and tell everyone who waits for it."""
        if self.ended:
            return
        self.ended = True
        complaint = self._complaint()
        if self._process is not None:
            self._loop.call_later(_STATUS_AFTER_S, self._process.poll)
        if not self._ready.done():
            self._ready.set_exception(ComputerError(complaint))
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
        self._leftover.clear()
        self._control = -1
        if self._socket is not None:
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()
            self._socket = None
        if self._pipes >= 0:
            os.close(self._pipes)
            self._pipes = -1
        self._drop_complaints()

    def _complaint(self) -> str:
        """Why it did not start, in the launcher's own words."""
        said = b""
        if self._complaints >= 0:
            with suppress(BlockingIOError):
                said = os.read(self._complaints, _COMPLAINT_BYTES_MAX)
        words = " ".join(said.decode("utf-8", "replace").split())
        return f"The computer did not start: {words or 'its process ended'}."

    def _drop_complaints(self) -> None:
        if self._complaints >= 0:
            os.close(self._complaints)
            self._complaints = -1

    def _reap(self) -> None:
        """End the root with everything below it, and take its status."""
        process = self._process
        if process is None:
            return
        if self._isolation != "bubblewrap":
            process.terminate()
        elif self._root:
            # Everything ends with its root; bubblewrap itself takes the root's status, and follows.
            processes.send(processes.below(process.pid)[:1], signal.SIGKILL)
        else:
            process.kill()
        try:
            process.wait(_REAP_LIMIT_S)
        except subprocess.TimeoutExpired:
            processes.send(processes.below(process.pid), signal.SIGKILL)
            process.kill()
            process.wait()
        self._root = self._inside = 0
        self.background = ()


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
    """Empty the scratch folder, and put the start command together."""
    shutil.rmtree(place.scratch, ignore_errors=True)
    folders = [place.scratch, place.scratch / "tmp"]
    try:
        for folder in folders:
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
