"""An agent's computer: where its commands run and its files lie.

Paths are given by the agent, relative to its workspace or absolute below the home the computer
shows it; a path that leaves the workspace, by name or by link, is refused with DeniedError.
"""

from collections.abc import Callable, Collection
from typing import Literal, Protocol

import msgspec

Isolation = Literal["bubblewrap", "landlock", "none", "container", "remote"]


class CommandResult(msgspec.Struct, frozen=True):
    """What a command came to. ``output`` is stdout and stderr as they came.

    Capped at ``output_bytes_max``.
    """

    exit_code: int
    output: str
    output_bytes: int
    """Size before the cap."""
    timed_out: bool
    cwd: str
    """Working directory afterwards; the next command starts there."""
    background: tuple[int, ...] = ()
    """Process ids still running in the background."""


class FileInfo(msgspec.Struct, frozen=True):
    """One file or folder. ``path`` is relative to the workspace, with ``/``."""

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size_bytes: int
    modified_at: float
    """Seconds since the epoch, by the computer's own clock."""


class FileContent(msgspec.Struct, frozen=True):
    """A part of a file. ``size_bytes`` is the whole file's."""

    data: bytes
    size_bytes: int


class ComputerStatus(msgspec.Struct, frozen=True):
    """What a computer is and whether it is on."""

    kind: str
    on: bool
    isolation: Isolation
    network: bool
    workspace: str
    cwd: str
    background: int


class Computer(Protocol):
    """A computer of one agent. Turned on by first use."""

    kind: str
    isolation: Isolation

    async def run(
        self,
        command: str,
        *,
        timeout_s: float,
        on_output: Callable[[str], None],
        output_bytes_max: int,
    ) -> CommandResult:
        """Run a shell command where the last one ended.

        The command and everything it started in the foreground is one process group: it is gone
        when the time is up and when this call is cancelled, within one second.

        Raises:
            ComputerError: The computer could not start it.
        """
        ...

    async def read(self, path: str, *, offset: int = 0, limit: int = 1_048_576) -> FileContent:
        """Bytes ``offset`` to ``offset + limit`` of a file.

        Raises:
            NotFoundError: No such file.
            DeniedError: Outside the workspace.
            InvalidError: Not a regular file.
        """
        ...

    async def write(self, path: str, data: bytes) -> bool:
        """Write a whole file atomically, making its folders; returns whether it is new."""
        ...

    async def info(self, path: str) -> FileInfo:
        """One entry; raises like ``read``."""
        ...

    async def entries(self, path: str, *, limit: int = 500) -> list[FileInfo]:
        """A folder's entries by name; at most ``limit``."""
        ...

    async def walk(
        self, path: str, *, limit: int = 20_000, skip: Collection[str] = ()
    ) -> list[FileInfo]:
        """All files and links below a folder, links not followed; at most ``limit``.

        Folders whose name is in ``skip`` are not looked into.
        """
        ...

    async def delete(self, path: str) -> None:
        """Remove a file or an empty folder."""
        ...

    def status(self) -> ComputerStatus:
        """What it is now."""
        ...

    async def off(self) -> None:
        """End every process of it; files stay."""
        ...
