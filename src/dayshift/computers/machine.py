"""The processes of one computer as a whole: started behind their walls, watched, and ended.

The runner inside says that it is ready over a socket, takes its orders from there, and ends when it
closes. Signals are sent from out here, by what the kernel says of the tree of processes, so that a
stopped or killed runner cannot keep anything alive.
"""

import asyncio
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from dayshift.computers import processes
from dayshift.computers.enclosure import LocalIsolation
from dayshift.computers.processes import Process
from dayshift.core.errors import ComputerError

_START_LIMIT_S = 15.0
_POLITE_STEPS, _POLITE_STEP_S = 7, 0.05
_REAP_LIMIT_S = 3.0
_STATUS_AFTER_S = 0.2
_KILL_ROUNDS, _KILLED_WITHIN_S = 5, 0.1
_GREETING_BYTES_MAX = 4_096
_COMPLAINT_BYTES_MAX = 4_096


class Machine:
    """One life of a computer: of no use any more once it has ``ended``.

    Args:
        isolation: What encloses it.
        on_end: Called once, when it has ended for whatever reason.
    """

    def __init__(self, isolation: LocalIsolation, on_end: Callable[[], None]) -> None:
        self.ended = False
        self._isolation = isolation
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[int] = self._loop.create_future()
        self._greeting = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._complaints = -1
        self._root = self._runner = 0

    async def start(self, command: list[str], env: Mapping[str, str]) -> None:
        """Start it, and wait until it takes orders.

        Args:
            command: The launch order.
            env: The whole environment of its commands.

        Raises:
            ComputerError: It did not start; says why.
        """
        ours, theirs = socket.socketpair()
        self._socket = ours
        with theirs:
            self._complaints = self._spawn(command, theirs.fileno())
        ours.setblocking(False)
        self._loop.add_reader(ours.fileno(), self._on_socket)
        pairs = [f"{name}={value}" for name, value in env.items()]
        try:
            await self.send([*pairs, ""])
            async with asyncio.timeout(_START_LIMIT_S):
                inner_id = await self._ready
        except TimeoutError as error:
            message = f"The computer did not start within {_START_LIMIT_S:g} s."
            raise ComputerError(message) from error
        self._drop_complaints()
        await asyncio.to_thread(self._find, inner_id)

    async def send(self, words: list[str]) -> None:
        """Pass words to the runner.

        Raises:
            ComputerError: It is off.
        """
        if self._socket is None:
            raise ComputerError("The computer is off.")
        data = b"".join(word.encode("utf-8", "surrogateescape") + b"\0" for word in words)
        try:
            await self._loop.sock_sendall(self._socket, data)
        except OSError:
            self._lose()
        except asyncio.CancelledError:
            # Half an order may have been sent: nothing that follows would be understood.
            self._lose()
            raise

    async def stop(self) -> None:
        """End every process; asks politely first, and returns when all are gone."""
        if self._root and not self.ended:
            waiting = await asyncio.to_thread(self._ask_to_end)
            for _ in range(_POLITE_STEPS):
                if not waiting:
                    break
                await asyncio.sleep(_POLITE_STEP_S)
                waiting = await asyncio.to_thread(self.others, ())
        try:
            await asyncio.to_thread(self._reap)
        finally:
            self._lose()

    def others(self, running: Collection[int]) -> list[Process]:
        """All processes but the runner's and those of commands still running; blocks.

        Args:
            running: The sessions of those commands, by their ids inside.
        """
        tree = processes.below(self._root) if self._root else []
        ours = {process.id for process in processes.subtree(tree, self._runner)}
        return [p for p in tree if p.id not in ours and p.inner_session not in running]

    def end_session(
        self, inner_id: int, number: signal.Signals, known: Collection[Process] = ()
    ) -> list[Process]:
        """Signal a command with all of its session and all it started; blocks.

        Args:
            inner_id: The command's process by its id inside, which is its session's too.
            number: With SIGKILL, it is looked again until none is left.
            known: What an earlier call signalled, whose own children now count too.

        Returns:
            All that were signalled.
        """
        found = {process.id: process for process in known}
        for _ in range(_KILL_ROUNDS if number == signal.SIGKILL else 1):
            tree = processes.below(self._root) if self._root else []
            members = [p for p in tree if _is_known(found, p)]
            for process in tree:
                is_own = inner_id in {process.inner_id, process.inner_session}
                if process not in members and (is_own or process.parent in found):
                    members.append(process)
                    found[process.id] = process
            if not members:
                break
            if number == signal.SIGKILL:
                processes.kill(members, _KILLED_WITHIN_S)
            else:
                processes.send(members, number)
        return list(found.values())

    def _spawn(self, command: list[str], theirs: int) -> int:
        """Start the launcher from this thread, with which the whole computer then dies."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own launcher
                command,
                stdin=theirs,
                stdout=theirs,
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
        self._runner = next((p.id for p in tree if p.inner_id == inner_id), 0)
        self._root = root
        if not self._runner:
            raise ComputerError("The computer ended while it started.")

    def _on_socket(self) -> None:
        """Take the runner's greeting, or notice its end."""
        try:
            data = self._socket.recv(_GREETING_BYTES_MAX) if self._socket else b""
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose()
            return
        self._greeting = (self._greeting + data)[-_GREETING_BYTES_MAX:]
        match self._greeting.split():
            case [b"ready", number] if number.isdigit() and not self._ready.done():
                self._ready.set_result(int(number))
            case _:
                pass

    def _ask_to_end(self) -> list[Process]:
        tree = processes.below(self._root) if self._root else []
        members = [p for p in tree if p.id != self._runner]
        processes.send(members, signal.SIGTERM)
        return members

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
        self._root = self._runner = 0

    def _lose(self) -> None:
        """Note the end, and tell everyone who waits."""
        if self.ended:
            return
        self.ended = True
        if self._process is not None:
            self._loop.call_later(_STATUS_AFTER_S, self._process.poll)
        if not self._ready.done():
            self._ready.set_exception(ComputerError(self._complaint()))
            self._ready.exception()
        if self._socket is not None:
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()
            self._socket = None
        self._drop_complaints()
        self._on_end()

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


def _is_known(found: Mapping[int, Process], process: Process) -> bool:
    """Whether this is the process that was found under its id, and not a later one."""
    known = found.get(process.id)
    return known is not None and known.started == process.started
