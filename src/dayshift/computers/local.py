"""The computer ``local``: commands on this machine behind walls, files from outside them.

Turned on by the first command. Reading and writing files needs no running computer, so that people
and colleagues see the files of an agent that is off.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from dayshift.computers import processes
from dayshift.computers.enclosure import (
    PATH_INSIDE,
    WORKSPACE_INSIDE,
    LocalIsolation,
    Place,
    shown,
)
from dayshift.computers.options import Options
from dayshift.computers.output import Live, Output
from dayshift.computers.paths import Folder
from dayshift.computers.runner import Runner
from dayshift.computers.uids import Uids, owner_of
from dayshift.core.computer import CommandResult, ComputerStatus, FileContent, FileInfo, Isolation
from dayshift.core.details import IsolationReport
from dayshift.core.errors import ComputerError, InvalidError

COMMAND_BYTES_MAX = 100_000
"""Longest command; longer ones go into a file first."""

MARKER = "DAYSHIFT_COMPUTER"
"""Set for every process of a computer: ``office/agent@`` and what tells one home from another."""

_KILL_ROUNDS, _KILLED_WITHIN_S = 5, 0.5


@dataclass(frozen=True)
class Building:
    """What all computers of one kind in a server's home share.

    Attributes:
        home: The server's home.
        report: The isolation in force.
        uids: Gives agents their users, where the server is root.
        mark: Tells the processes of this home from those of another.
        kind: What the computers say they are.
    """

    home: Path
    report: IsolationReport
    uids: Uids
    mark: str
    kind: str


class LocalComputer:
    """One agent's computer on this machine.

    Args:
        building: What it shares with the others.
        office: The office's name.
        agent: The agent's name.
        options: What the agent's configuration says.
    """

    def __init__(
        self,
        building: Building,
        office: str,
        *,
        agent: str,
        options: Options | None = None,
    ) -> None:
        report = building.report
        self.kind = building.kind
        self.options = options or Options()
        self.isolation: Isolation = "none" if report.in_force == "refused" else report.in_force
        self._isolation: LocalIsolation = (
            "none" if report.in_force == "refused" else report.in_force
        )
        self._home = building.home / "offices" / office / "agents" / agent
        self._building = building
        self._office = office
        self._agent = agent
        self._uid: int | None = None
        self._claimed: Path | None = None
        self._runner: Runner | None = None
        self._starting = asyncio.Lock()
        self._folder = ""

    # --- commands ---------------------------------------------------------------------------------

    async def run(
        self,
        command: str,
        *,
        timeout_s: float,
        on_output: Callable[[str], None],
        output_bytes_max: int,
    ) -> CommandResult:
        """Run a shell command; see ``core.computer.Computer.run``."""
        _check(command)
        runner = await self._on()
        job = runner.new_job(Output(output_bytes_max), Live(on_output))
        start = self._folder or self._seen_as()
        code = await runner.run(job, command=command, folder=start, timeout_s=timeout_s)
        if job.folder and job.folder != start:
            # A command that stayed where it was must not take back the move of one beside it.
            self._folder = job.folder
        return CommandResult(
            exit_code=code,
            output=job.output.text(),
            output_bytes=job.output.bytes,
            timed_out=job.timed_out,
            cwd=(self._folder or start).encode("utf-8", "replace").decode(),
            background=tuple(process.inner_id for process in runner.background),
        )

    def status(self) -> ComputerStatus:
        """What it is now; processes in the background as of the last command.

        Less those that ended.
        """
        runner = self._runner
        is_on = runner is not None and not runner.ended
        alive = [p for p in runner.background if _is_alive(p.id)] if runner and is_on else []
        workspace = self._seen_as()
        return ComputerStatus(
            kind=self.kind,
            on=is_on,
            isolation=self.isolation,
            network=self.options.network or self._isolation != "bubblewrap",
            workspace=workspace,
            cwd=(self._folder or workspace).encode("utf-8", "replace").decode(),
            background=len(alive),
        )

    async def off(self) -> None:
        """End every process of it; files stay."""
        async with self._starting:
            runner, self._runner = self._runner, None
            self._folder = ""
            if runner is not None:
                await runner.stop()

    # --- files ------------------------------------------------------------------------------------

    async def read(self, path: str, *, offset: int = 0, limit: int = 1_048_576) -> FileContent:
        """Part of a file; see ``core.computer.Computer.read``."""
        return await asyncio.to_thread(lambda: self._files().read(path, offset=offset, limit=limit))

    async def write(self, path: str, data: bytes) -> bool:
        """Write a whole file; see ``core.computer.Computer.write``."""
        return await asyncio.to_thread(lambda: self._files().write(path, data))

    async def info(self, path: str) -> FileInfo:
        """One entry; see ``core.computer.Computer.info``."""
        return await asyncio.to_thread(lambda: self._files().info(path))

    async def entries(self, path: str, *, limit: int = 500) -> list[FileInfo]:
        """A folder's entries; see ``core.computer.Computer.entries``."""
        return await asyncio.to_thread(lambda: self._files().entries(path, limit=limit))

    async def walk(
        self, path: str, *, limit: int = 20_000, skip: Collection[str] = ()
    ) -> list[FileInfo]:
        """All files below a folder; see ``core.computer.Computer.walk``."""
        return await asyncio.to_thread(lambda: self._files().walk(path, limit=limit, skip=skip))

    async def delete(self, path: str) -> None:
        """Remove an entry; see ``core.computer.Computer.delete``."""
        await asyncio.to_thread(lambda: self._files().delete(path))

    # --- parts ------------------------------------------------------------------------------------

    async def _on(self) -> Runner:
        """The running computer; turned on when it is off or has died."""
        async with self._starting:
            if self._runner is not None and self._runner.ended:
                dead, self._runner = self._runner, None
                await dead.stop()
            if self._runner is None:
                report = self._building.report
                if report.in_force == "refused":
                    raise ComputerError(report.why, hint=report.improve)
                place = await asyncio.to_thread(self._place)
                self._runner = await Runner.start(self._isolation, place, self._env(place))
            return self._runner

    def _workspace(self) -> Path:
        return self.options.folder or self._home / "workspace"

    def _seen_as(self) -> str:
        return WORKSPACE_INSIDE if self._isolation == "bubblewrap" else str(self._workspace())

    def _claim(self) -> int | None:
        """Make the workspace, and find the user its processes are.

        ``None`` for the server's own.
        """
        is_root = os.geteuid() == 0
        if self.options.folder is not None:
            owner = owner_of(self.options.folder)
            return owner if is_root else None
        if is_root:
            return self._building.uids.claim(self._workspace())
        self._workspace().mkdir(parents=True, exist_ok=True, mode=0o700)
        return None

    def _files(self) -> Folder:
        workspace = self._workspace()
        if self._claimed != workspace:
            self._uid, self._claimed = self._claim(), workspace
        return Folder(workspace, seen_as=self._seen_as(), owner=self._uid)

    def _place(self) -> Place:
        self._uid, self._claimed = self._claim(), self._workspace()
        return Place(
            name=self._agent,
            workspace=self._workspace(),
            scratch=self._home / "private" / "computer",
            uid=self._uid,
            network=self.options.network,
            limits=self.options.limits,
        )

    def _env(self, place: Place) -> dict[str, str]:
        seen = shown(self._isolation, place)
        return {
            "PATH": PATH_INSIDE,
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PAGER": "cat",
            "GIT_TERMINAL_PROMPT": "0",
            "XDG_CACHE_HOME": f"{seen.temporary}/cache",
            **self.options.env,
            "HOME": seen.workspace,
            "SHELL": "/bin/bash",
            "TMPDIR": seen.temporary,
            "USER": "agent",
            "LOGNAME": "agent",
            MARKER: f"{self._office}/{self._agent}{self._building.mark}",
        }


class LocalComputers:
    """The computers of all agents of one home.

    Args:
        home: The server's home.
        report: The isolation in force, from ``probe``.
        kind: What they say they are, where another kind is made of them.
    """

    def __init__(self, home: Path, report: IsolationReport, *, kind: str = "local") -> None:
        digest = hashlib.blake2s(os.fsencode(home.absolute()), digest_size=6).hexdigest()
        self._building = Building(home, report, Uids(home), f"@{digest}", kind)
        self._computers: dict[tuple[str, str], LocalComputer] = {}

    def of(self, office: str, agent: str, options: Options | None = None) -> LocalComputer:
        """An agent's computer, the same one every time.

        Given options hold from its next start on.
        """
        computer = self._computers.get((office, agent))
        if computer is None:
            computer = LocalComputer(self._building, office, agent=agent, options=options)
            self._computers[office, agent] = computer
        elif options is not None:
            computer.options = options
        return computer

    async def sweep(self) -> int:
        """End what computers of this home left running when the server was killed; how many.

        For the start of a server that owns the home, before any computer is on. Behind bubblewrap
        nothing is ever left.
        """
        return await asyncio.to_thread(_sweep, self._building.mark)

    async def off(self) -> None:
        """End every process of every computer."""
        async with asyncio.TaskGroup() as group:
            for computer in self._computers.values():
                group.create_task(computer.off())


def _sweep(mark: str) -> int:
    ended: set[int] = set()
    for _ in range(_KILL_ROUNDS):
        left = processes.marked(f"{MARKER}=", mark)
        if not left:
            break
        ended |= {process.id for process in left}
        processes.kill(left, _KILLED_WITHIN_S)
    return len(ended)


def _check(command: str) -> None:
    if "\0" in command:
        raise InvalidError("A command holds no NUL character.")
    try:
        size = len(command.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise InvalidError("The command is not valid Unicode.") from error
    if size > COMMAND_BYTES_MAX:
        message = f"The command has {size} bytes; at most {COMMAND_BYTES_MAX} are taken."
        raise InvalidError(message, hint="Write it to a file and run that.")


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
