"""All tools of an office: the families, in the order in which models are told of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from dayshift.core.computer import Computer
from dayshift.core.tools import Tool, ToolContext, ToolResult
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities.board import Board
from dayshift.facilities.talk import Talk
from dayshift.tools import board, files, messages, shell, time


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """What the tools of an office work on."""

    talk: Talk
    board: Board
    book: DutyBook
    computer_of: Callable[[str], Computer]
    describe_time: Callable[[], str]
    is_isolated: bool

    def tools(self) -> list[Tool]:
        """Every tool, once."""
        shell_desk = shell.ShellDesk(devices=self._devices, is_isolated=self.is_isolated)
        files_desk = files.FilesDesk(computer_of=self._computer_of)
        return [
            *shell.tools(shell_desk),
            *files.tools(files_desk),
            *messages.tools(self.talk, self.book),
            *board.tools(self.board, self.computer_of),
            *time.tools(self.describe_time),
        ]

    async def _devices(self, _office: str) -> Sequence[shell.Device]:
        return [shell.Device(a.name, self.computer_of(a.name).status()) for a in self.book.all()]

    async def _computer_of(self, _office: str, agent: str) -> Computer:
        return self.computer_of(self.book.one(agent).name)


def without_secrets(tool: Tool, clean: Callable[[str], str]) -> Tool:
    """The tool, its results without the secrets they may hold: no model is to read them."""

    async def call(
        context: ToolContext,
        arguments: Any,  # noqa: ANN401  the tool's own struct
    ) -> ToolResult:
        result = await tool.call(context, arguments)
        text = clean(result.text)
        return result if text is result.text else msgspec.structs.replace(result, text=text)

    return replace(tool, call=call)
