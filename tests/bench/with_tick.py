"""The product's command line, with one tool more: the one that the harness of all systems calls.

``python with_tick.py up OFFICE``: everything else is as it is shipped.
"""

import msgspec

from dayshift.app.cli import main
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.tools import time

SHIPPED = time.tools


class Tick(msgspec.Struct):
    """Do one step."""

    n: int
    pad: int = 0


def tools(describe: object) -> list[Tool]:
    """The family that is shipped, and the tool."""

    async def tick(_ctx: ToolContext, args: Tick) -> ToolResult:
        return ToolResult(ok=True, text=f"tick-result {args.n}")

    more = define(Tick, tick, name="tick", family=time.FAMILY, read_only=True)
    return [*SHIPPED(describe), more]  # pyright: ignore[reportArgumentType]  handed through


if __name__ == "__main__":
    time.tools = tools
    main()
