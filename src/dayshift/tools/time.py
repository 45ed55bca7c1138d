"""Tools that tell the time."""

from collections.abc import Callable

import msgspec

from dayshift.core.tools import Tool, ToolContext, ToolResult, define

FAMILY = "time"


class GetTime(msgspec.Struct, forbid_unknown_fields=True):
    """Tell the office's date and time, the day number and the zone."""


def tools(describe: Callable[[], str]) -> list[Tool]:
    """The tools of this family. ``describe`` gives the office time in one line."""

    async def get_time(_ctx: ToolContext, _args: GetTime) -> ToolResult:
        return ToolResult(ok=True, text=describe())

    return [define(GetTime, get_time, name="get_time", family=FAMILY, read_only=True)]
