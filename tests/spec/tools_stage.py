"""An agent with its tools, as the loop calls them: by name and with the model's raw arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from dayshift.core.errors import NotFoundError, OfficeError
from dayshift.core.tools import Tool, ToolContext, ToolResult, parse_arguments, refused
from dayshift.testing.memory_computer import MemoryComputer
from dayshift.tools import files, shell
from dayshift.tools.files.reading import FilesDesk
from dayshift.tools.shell import Device, ShellDesk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dayshift.core.computer import Computer


@dataclass
class Desk:
    """Iris at her computer; Kai is a colleague of the same office.

    Attributes:
        seen: What was shown live.
    """

    computers: Mapping[str, Computer]
    seen: list[str] = field(default_factory=list[str])
    is_isolated: bool = True

    @property
    def iris(self) -> Computer:
        """The computer of who calls."""
        return self.computers["iris"]

    def tools(self) -> dict[str, Tool]:
        """All tools of both families by name."""
        shell_desk = ShellDesk(devices=self._devices, is_isolated=self.is_isolated)
        files_desk = FilesDesk(computer_of=self._computer_of)
        return {tool.name: tool for tool in [*shell.tools(shell_desk), *files.tools(files_desk)]}

    async def call(self, name: str, **arguments: Any) -> ToolResult:  # noqa: ANN401  as JSON has it
        """Call a tool as the loop does; an expected error becomes the result the model reads."""
        tool = self.tools()[name]
        parsed = parse_arguments(tool, msgspec.json.encode(arguments).decode())
        if isinstance(parsed, ToolResult):
            return parsed
        try:
            return await tool.call(self._context(), parsed)
        except OfficeError as error:
            return refused(error)

    def _context(self) -> ToolContext:
        return ToolContext(
            office="acme",
            agent="iris",
            run_id="R-1",
            call_id="C-7",
            thread_id="",
            task_id="",
            hops=0,
            now=datetime(2026, 3, 2, 9, tzinfo=UTC),
            computer=self.iris,
            on_output=self.seen.append,
        )

    async def _devices(self, office: str) -> Sequence[Device]:
        assert office == "acme"
        return [Device(name, computer.status()) for name, computer in self.computers.items()]

    async def _computer_of(self, office: str, agent: str) -> Computer:
        assert office == "acme"
        if agent not in self.computers:
            raise NotFoundError(f"There is no agent {agent} here.")
        return self.computers[agent]


def desk() -> Desk:
    """A desk with computers in memory."""
    return Desk({"iris": MemoryComputer(), "kai": MemoryComputer()})
