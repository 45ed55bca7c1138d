"""Computers for their contract, each in a home of its own, and their processes, by their mark."""

from __future__ import annotations

import asyncio
import os
import select
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.computers import processes
from dayshift.computers.isolation import probe
from dayshift.computers.kinds import KINDS, Machines
from dayshift.computers.local import MARKER, LocalComputers
from dayshift.core.details import IsolationReport
from dayshift.core.limits import OUTPUT_BYTES_MAX

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from dayshift.core.computer import CommandResult, Computer

WAIT_S = 30
LOCAL = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bwrap")),
    pytest.param("landlock", marks=pytest.mark.needs("landlock")),
    pytest.param("none"),
]
CLOSED = LOCAL[:2]
"""The isolations that are one."""


OTHERS = sorted(set(KINDS) - {"local"})
"""Kinds beside the local one, which is held to the contract behind each of its walls."""


def report(in_force: str) -> IsolationReport:
    """A report as ``probe`` gives it, of whatever isolation a test wants."""
    told = {"in_force": in_force, "network": False, "why": "No walls.", "improve": "Set IT."}
    return msgspec.convert(told, IsolationReport)


@asynccontextmanager
async def opened(in_force: str) -> AsyncGenerator[Stage]:
    """Computers in a new home that other users may walk through, off again at the end."""
    with tempfile.TemporaryDirectory(prefix="dayshift-") as base:
        os.chmod(base, 0o711)  # noqa: S103  other users walk through, and see nothing
        stage = Stage(Path(base), LocalComputers(Path(base), report(in_force)))
        try:
            yield stage
        finally:
            await stage.computers.off()


@asynccontextmanager
async def of_kind(kind: str) -> AsyncGenerator[Computer]:
    """A computer of a kind, in a new home, behind the best walls there are here."""
    with tempfile.TemporaryDirectory(prefix="dayshift-") as base:
        os.chmod(base, 0o711)  # noqa: S103  other users walk through, and see nothing
        machines = Machines(Path(base), await asyncio.to_thread(probe, allow_unisolated=True))
        try:
            yield machines.of("acme", "iris", kind=kind)
        finally:
            await machines.off()


class Stage:
    """The computers of one home."""

    def __init__(self, home: Path, computers: LocalComputers) -> None:
        self.home = home
        self.computers = computers

    @property
    def iris(self) -> Computer:
        """The computer most is tested on."""
        return self.computers.of("acme", "iris")

    @property
    def kai(self) -> Computer:
        """A colleague's."""
        return self.computers.of("acme", "kai")

    def workspace(self, agent: str = "iris") -> Path:
        """An agent's workspace as this side sees it."""
        return self.home / "offices" / "acme" / "agents" / agent / "workspace"

    def mark(self) -> str:
        """What ends the mark of this home's processes."""
        return self.computers._building.mark

    async def alive(self) -> list[processes.Process]:
        """Every process of this home's computers that is still there."""
        return await asyncio.to_thread(processes.marked, f"{MARKER}=", self.mark())

    async def sleeping(self) -> list[str]:
        """The command lines of those that sleep: what tests leave to be killed."""
        lines = [_command_line(process.id) for process in await self.alive()]
        return sorted(line for line in lines if line.startswith("sleep "))


async def sh(
    computer: Computer,
    command: str,
    *,
    timeout_s: float = WAIT_S,
    watch: Callable[[str], None] = lambda _text: None,
    bytes_max: int = OUTPUT_BYTES_MAX,
) -> CommandResult:
    """Run a command with the limits most tests want."""
    return await computer.run(
        command, timeout_s=timeout_s, on_output=watch, output_bytes_max=bytes_max
    )


async def ended(process_ids: list[int]) -> bool:
    """Wait until processes have ended; whether all did, within the limit of a test."""
    return await asyncio.to_thread(_ended, process_ids)


def _ended(process_ids: list[int]) -> bool:
    for process_id in process_ids:
        try:
            handle = os.pidfd_open(process_id)
        except ProcessLookupError:
            continue
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            if not poll.poll(WAIT_S * 1000):
                return False
        finally:
            os.close(handle)
    return True


def _command_line(process_id: int) -> str:
    try:
        words = Path(f"/proc/{process_id}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode("utf-8", "replace").strip()
