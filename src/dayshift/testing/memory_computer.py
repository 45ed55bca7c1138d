"""A computer in memory: under the same contract as the real ones.

But with a shell of a dozen words.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from dayshift.computers.output import Live, Output
from dayshift.computers.paths import Folder
from dayshift.core.computer import CommandResult, ComputerStatus, FileContent, FileInfo, Isolation
from dayshift.core.errors import ConflictError, DeniedError, InvalidError, NotFoundError
from dayshift.testing.memory_shell import Session, Word, run

WORKSPACE = "/workspace"

_ENDED_BY_TERM = 143


class MemoryComputer:
    """One agent's computer, gone with the object.

    Args:
        env: Environment of its commands.
        commands: Commands of the test's own, by name.
    """

    kind = "memory"

    def __init__(
        self,
        env: Mapping[str, str] | None = None,
        commands: Mapping[str, Word] | None = None,
    ) -> None:
        self.isolation: Isolation = "none"
        self._env = dict(env or {})
        self._commands = dict(commands or {})
        self._paths = Folder(Path("/"), seen_as=WORKSPACE)
        self._files: dict[str, bytes] = {}
        self._folders: set[str] = {""}
        self._folder = WORKSPACE
        self._background: list[int] = []
        self._is_on = False

    async def run(
        self,
        command: str,
        *,
        timeout_s: float,
        on_output: Callable[[str], None],
        output_bytes_max: int,
    ) -> CommandResult:
        """Run a command line of the small shell."""
        if "\0" in command:
            raise InvalidError("A command holds no NUL character.")
        self._is_on = True
        output, live = Output(output_bytes_max), Live(on_output)

        def say(text: str) -> None:
            data = text.encode("utf-8", "replace")
            output.add(data)
            live.add(data)
            live.flush()

        session = self._session(say)
        timed_out = False
        try:
            async with asyncio.timeout(timeout_s):
                code = await run(session, command)
        except TimeoutError:
            timed_out, code = True, _ENDED_BY_TERM
        else:
            self._folder = session.folder
        return CommandResult(
            exit_code=code,
            output=output.text(),
            output_bytes=output.bytes,
            timed_out=timed_out,
            cwd=self._folder,
            background=tuple(self._background),
        )

    async def read(self, path: str, *, offset: int = 0, limit: int = 1_048_576) -> FileContent:
        """Part of a file."""
        data = self._read(path)
        return FileContent(data=data[offset : offset + limit], size_bytes=len(data))

    async def write(self, path: str, data: bytes) -> bool:
        """Write a whole file; whether it is new."""
        return self._write(path, data)

    async def info(self, path: str) -> FileInfo:
        """One entry."""
        return self._info(self._paths.relative(path))

    async def entries(self, path: str, *, limit: int = 500) -> list[FileInfo]:
        """A folder's entries by name."""
        return self._entries(self._paths.relative(path))[:limit]

    async def walk(
        self, path: str, *, limit: int = 20_000, skip: Collection[str] = ()
    ) -> list[FileInfo]:
        """All files below a folder."""
        return self._walk(self._paths.relative(path), skip)[:limit]

    async def delete(self, path: str) -> None:
        """Remove a file or an empty folder."""
        self._delete(path)

    def status(self) -> ComputerStatus:
        """What it is now."""
        return ComputerStatus(
            kind=self.kind,
            on=self._is_on,
            isolation=self.isolation,
            network=False,
            workspace=WORKSPACE,
            cwd=self._folder,
            background=len(self._background),
        )

    async def off(self) -> None:
        """End every process of it; files stay."""
        self._background.clear()
        self._folder = WORKSPACE
        self._is_on = False

    # --- parts ------------------------------------------------------------------------------------

    def _session(self, say: Callable[[str], None]) -> Session:
        return Session(
            workspace=WORKSPACE,
            folder=self._folder,
            env=self._env,
            read=self._read,
            write=self._write,
            delete=self._delete,
            make_folder=lambda path: self._make_folders(self._paths.relative(path)),
            has_folder=lambda path: self._paths.relative(path) in self._folders,
            walk=lambda path: [
                f"{WORKSPACE}/{info.path}" for info in self._walk(self._paths.relative(path), ())
            ],
            say=say,
            background=self._background,
            extra=self._commands,
        )

    def _read(self, path: str) -> bytes:
        info = self._info(self._paths.relative(path))
        if info.kind != "file":
            raise InvalidError(f"{path!r} is a folder.")
        return self._files[info.path]

    def _write(self, path: str, data: bytes) -> bool:
        name = self._paths.relative(path)
        if name in self._folders:
            raise InvalidError(f"{path!r} is a folder.")
        self._make_folders(name.rpartition("/")[0])
        is_new = name not in self._files
        self._files[name] = data
        return is_new

    def _delete(self, path: str) -> None:
        name = self._paths.relative(path)
        if not name:
            raise DeniedError(f"{path!r} is the workspace itself and stays.")
        if self._info(name).kind == "file":
            del self._files[name]
        elif self._entries(name):
            raise ConflictError(f"{path!r} is a folder with something in it.")
        else:
            self._folders.remove(name)

    def _make_folders(self, name: str) -> None:
        while name:
            if name in self._files:
                raise InvalidError(f"{name!r} is no folder.")
            self._folders.add(name)
            name = name.rpartition("/")[0]

    def _info(self, name: str) -> FileInfo:
        if name in self._files:
            size = len(self._files[name])
            return FileInfo(path=name, kind="file", size_bytes=size, modified_at=0.0)
        if name in self._folders:
            return FileInfo(path=name, kind="folder", size_bytes=0, modified_at=0.0)
        for above in _above(name):
            if above in self._files:
                raise InvalidError(f"{name!r} goes through something that is no folder.")
        raise NotFoundError(f"{name!r} is not there.")

    def _entries(self, name: str) -> list[FileInfo]:
        if self._info(name).kind != "folder":
            raise InvalidError(f"{name!r} is not a folder.")
        every = sorted({*self._files, *self._folders} - {""})
        return [self._info(one) for one in every if one.rpartition("/")[0] == name]

    def _walk(self, name: str, skip: Collection[str]) -> list[FileInfo]:
        inside = self._entries(name)
        found = [info for info in inside if info.kind == "file"]
        for info in inside:
            if info.kind == "folder" and info.path.rpartition("/")[2] not in skip:
                found += self._walk(info.path, skip)
        return found


def _above(name: str) -> list[str]:
    """The folders above a path, nearest first."""
    words = name.split("/")
    return ["/".join(words[:count]) for count in range(len(words) - 1, 0, -1)]
