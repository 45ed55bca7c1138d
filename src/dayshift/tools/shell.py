"""Tools that run commands on the agent's computer, and tell of computers."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from dayshift.core.computer import CommandResult, ComputerStatus
from dayshift.core.limits import OUTPUT_BYTES_MAX
from dayshift.core.tools import Tool, ToolContext, ToolResult, define

FAMILY = "shell"

TIMEOUT_S_MAX = 600
BACKGROUND_FOLDER = ".background"

_GRACE_S = 10
_START_LIMIT_S = 30
_DEFAULT_TIMEOUT_S = 60


@dataclass(frozen=True)
class Device:
    """A colleague's computer, as others may know it."""

    agent: str
    status: ComputerStatus


@dataclass(frozen=True, kw_only=True)
class ShellDesk:
    """What these tools need of the house.

    Attributes:
        devices: The computers of everyone in an office, by its name.
        is_isolated: Whether commands are kept in; where they are not, ``bash`` is dangerous.
    """

    devices: Callable[[str], Awaitable[Sequence[Device]]]
    is_isolated: bool = True


class Bash(msgspec.Struct, forbid_unknown_fields=True):
    """Run a shell command on your computer; you see what it prints and its exit code.

    The working directory carries over to your next command; variables do not. Nobody answers
    prompts. A command that runs longer than its limit is ended. For servers and other things that
    keep running, set background: the call returns at once and tells where the output goes.
    """

    command: Annotated[str, msgspec.Meta(min_length=1, description="What bash should run.")]
    timeout_s: Annotated[
        float, msgspec.Meta(gt=0, le=TIMEOUT_S_MAX, description="Limit in seconds.")
    ] = _DEFAULT_TIMEOUT_S
    background: Annotated[
        bool, msgspec.Meta(description="Return at once, and let it run until the computer is off.")
    ] = False


class ComputerStatusOf(msgspec.Struct, forbid_unknown_fields=True):
    """Tell what your computer is: whether it is on, how it is isolated, where its files are."""


class LanDevices(msgspec.Struct, forbid_unknown_fields=True):
    """List the computers of the office: whose they are and whether they are on."""


class Reboot(msgspec.Struct, forbid_unknown_fields=True):
    """Turn your computer off and on: ends everything that runs on it, also in the background.

    Files in the workspace stay, temporary files go.
    """


def tools(desk: ShellDesk) -> list[Tool]:
    """The tools of this family."""

    async def lan_devices(ctx: ToolContext, _args: LanDevices) -> ToolResult:
        lines = [f"{d.agent}: {_told(d.status)}" for d in await desk.devices(ctx.office)]
        return ToolResult(ok=True, text="\n".join(lines) or "There are no computers here.")

    return [
        define(
            Bash,
            _bash,
            name="bash",
            family=FAMILY,
            limit_s=TIMEOUT_S_MAX + _GRACE_S,
            dangerous=not desk.is_isolated,
        ),
        define(
            ComputerStatusOf,
            _computer_status,
            name="computer_status",
            family=FAMILY,
            read_only=True,
        ),
        define(LanDevices, lan_devices, name="lan_devices", family=FAMILY, read_only=True),
        define(Reboot, _reboot, name="reboot", family=FAMILY),
    ]


async def _bash(ctx: ToolContext, args: Bash) -> ToolResult:
    if args.background:
        return await _in_background(ctx, args.command)
    result = await ctx.computer.run(
        args.command,
        timeout_s=args.timeout_s,
        on_output=ctx.on_output,
        output_bytes_max=OUTPUT_BYTES_MAX,
    )
    return _result(result, args.timeout_s)


async def _in_background(ctx: ToolContext, command: str) -> ToolResult:
    workspace = ctx.computer.status().workspace
    log = f"{BACKGROUND_FOLDER}/{ctx.call_id}.log"
    await ctx.computer.write(log, b"")
    target = shlex.quote(f"{workspace}/{log}")
    result = await ctx.computer.run(
        f"nohup bash -c {shlex.quote(command)} >{target} 2>&1 & echo $!",
        timeout_s=_START_LIMIT_S,
        on_output=ctx.on_output,
        output_bytes_max=OUTPUT_BYTES_MAX,
    )
    if result.exit_code != 0 or result.timed_out:
        return _result(result, _START_LIMIT_S)
    text = (
        f"Started in the background as process {result.output.strip()}; its output goes to {log}."
    )
    return ToolResult(ok=True, text=text)


async def _computer_status(ctx: ToolContext, _args: ComputerStatusOf) -> ToolResult:
    status = ctx.computer.status()
    lines = [
        f"Your computer is {_told(status)}.",
        f"Workspace: {status.workspace}",
        f"Working directory: {status.cwd}",
        f"Processes in the background: {status.background}",
    ]
    return ToolResult(ok=True, text="\n".join(lines))


async def _reboot(ctx: ToolContext, _args: Reboot) -> ToolResult:
    await ctx.computer.off()
    result = await ctx.computer.run(
        "true", timeout_s=_START_LIMIT_S, on_output=ctx.on_output, output_bytes_max=OUTPUT_BYTES_MAX
    )
    return ToolResult(ok=True, text=f"Your computer is on again; you are in {result.cwd}.")


def _told(status: ComputerStatus) -> str:
    power = "on" if status.on else "off; a command turns it on"
    network = "with network" if status.network else "without network"
    walls = "not isolated" if status.isolation == "none" else f"isolated by {status.isolation}"
    return f"{status.kind}, {power}, {walls}, {network}"


def _result(result: CommandResult, timeout_s: float) -> ToolResult:
    """What the model reads of a command: its output, then what else it should know."""
    notes: list[str] = []
    code = "ok"
    if result.timed_out:
        code = "timed_out"
        notes.append(
            f"It ran longer than {timeout_s:g} s and was ended with all it had started. "
            "Give it more time with timeout_s, or run it in the background."
        )
    elif result.exit_code != 0:
        code = "exit_code"
        notes.append(f"Exit code {result.exit_code}.")
    if result.background:
        running = ", ".join(str(number) for number in result.background)
        notes.append(f"Running in the background: {running}.")
    if not result.output and not notes:
        notes.append("It printed nothing.")
    output = (
        result.output if result.output.endswith("\n") or not result.output else result.output + "\n"
    )
    footer = " ".join(notes)
    text = f"{output}[{footer}]" if footer else result.output
    return ToolResult(ok=code == "ok", text=text, code=code)
