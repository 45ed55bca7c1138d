"""The processes below one of ours, as the kernel lists them, and how to end them.

Linux only. Reading blocks for microseconds; callers on the event loop go through a thread.
"""

import os
import select
import signal
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """One process.

    Attributes:
        inner_id: Its id inside its own sandbox; the same as ``id`` where there is none.
        inner_session: Its session's id inside that sandbox.
        started: Clock ticks since the machine started; with the id it names a process for good.
    """

    id: int
    parent: int
    inner_id: int
    inner_session: int
    started: int


def below(root: int) -> list[Process]:
    """Every process started by ``root``, directly or not; parents before their children."""
    found: list[Process] = []
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        for child in _children(parent):
            process = _read(child)
            if process is not None:
                found.append(process)
                waiting.append(child)
    return found


def subtree(processes: Iterable[Process], root: int) -> list[Process]:
    """Of a list as ``below`` gives it, the process ``root`` and all below it."""
    inside = {root}
    found: list[Process] = []
    for process in processes:
        if process.id == root or process.parent in inside:
            inside.add(process.id)
            found.append(process)
    return found


def send(processes: Iterable[Process], number: signal.Signals) -> None:
    """Signal processes; never another one that got the id of one that has ended."""
    for process in processes:
        with _handle(process) as handle, suppress(OSError):
            if handle >= 0:
                signal.pidfd_send_signal(handle, number)


def kill(processes: Collection[Process], wait_s: float) -> None:
    """Kill processes, and wait until they are gone; at most ``wait_s`` for each."""
    send(processes, signal.SIGKILL)
    for process in processes:
        with _handle(process) as handle:
            if handle >= 0:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                poll.poll(wait_s * 1000)


def marked(start: str, end: str) -> list[Process]:
    """All processes of this machine with a line in their environment of such a start and end.

    Only those whose environment we may read.
    """
    first, last = start.encode(), end.encode()
    found: list[Process] = []
    for number in _every_id():
        try:
            lines = Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(line.startswith(first) and line.endswith(last) for line in lines):
            process = _read(number)
            found += [] if process is None else [process]
    return found


@contextmanager
def _handle(process: Process) -> Generator[int]:
    """A descriptor of the very process, -1 when it has ended."""
    try:
        handle = os.pidfd_open(process.id)
    except OSError:
        yield -1
        return
    try:
        now = _read(process.id)
        yield handle if now is not None and now.started == process.started else -1
    finally:
        os.close(handle)


def _children(parent: int) -> list[int]:
    """A process's children; by the kernel's own list, which few kernels are built without."""
    tasks = Path(f"/proc/{parent}/task")
    found: list[int] = []
    try:
        for task in tasks.iterdir():
            found += [int(word) for word in (task / "children").read_text().split()]
    except ProcessLookupError:
        return found
    except FileNotFoundError:
        if not tasks.exists():
            return found
        return [number for number in _every_id() if _parent(number) == parent]
    return found


def _every_id() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _parent(number: int) -> int:
    process = _read(number)
    return 0 if process is None else process.parent


def _read(number: int) -> Process | None:
    """What the kernel says of a process; ``None`` when it has ended.

    Also when nobody took notice yet.
    """
    try:
        told = Path(f"/proc/{number}/status").read_text(encoding="utf-8", errors="replace")
        numbers = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    lines = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
    if lines["State"].split()[0] in {"Z", "X"}:
        return None
    return Process(
        id=number,
        parent=int(lines["PPid"]),
        inner_id=int(lines["NSpid"].split()[-1]),
        inner_session=int(lines["NSsid"].split()[-1]),
        started=int(numbers.rpartition(")")[2].split()[19]),
    )
