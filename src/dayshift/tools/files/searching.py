"""Finding files by name and lines by pattern.

Patterns for lines run on the agent's computer, as the program grep: a pattern that takes forever
must not take the office with it.
"""

import fnmatch
import shlex
from collections.abc import Sequence
from typing import Annotated

import msgspec

from dayshift.core.computer import CommandResult
from dayshift.core.tools import ToolContext, ToolResult

SKIPPED = (".git", ".venv", "__pycache__", "node_modules")
"""Folders not searched unless the search begins in one."""

_LIMIT_S = 30
_OUTPUT_BYTES_MAX = 2 * 1024 * 1024
_LINE_CHARS_MAX = 400
_FILES_MAX = 20_000
_NOTHING, _WRONG = 1, 2
_CUT_OFF = 141

Folder = Annotated[str, msgspec.Meta(description="Where to search; the workspace when left out.")]


class Grep(msgspec.Struct, forbid_unknown_fields=True):
    """Search the files of your workspace for lines that match a regular expression."""

    pattern: Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
    path: Folder = "."
    glob: Annotated[str, msgspec.Meta(description="Only files with such a name, like *.py.")] = ""
    ignore_case: bool = False
    literal: Annotated[bool, msgspec.Meta(description="Take the pattern as plain text.")] = False
    context: Annotated[int, msgspec.Meta(ge=0, le=10, description="Lines shown around each.")] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Most lines given.")] = 100


class Find(msgspec.Struct, forbid_unknown_fields=True):
    """Find files in your workspace by name: *.css anywhere, or with folders like src/**/*.py."""

    pattern: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    path: Folder = "."
    limit: Annotated[int, msgspec.Meta(ge=1, le=2_000, description="Most files given.")] = 200


async def grep(ctx: ToolContext, args: Grep) -> ToolResult:
    """Carry out ``grep``."""
    start = (await ctx.computer.info(args.path)).path
    workspace = ctx.computer.status().workspace
    target = f"{workspace}/{start}" if start else workspace
    syntaxes = ["-F"] if args.literal else ["-P", "-E"]
    result = await _searched(ctx, args, syntaxes[0], target)
    if result.exit_code == _WRONG and len(syntaxes) > 1 and "-P" in result.output:
        # This grep was built without Perl's syntax.
        result = await _searched(ctx, args, syntaxes[1], target)
    if result.timed_out:
        text = f"The search took longer than {_LIMIT_S} s. Search a smaller folder, or set glob."
        return ToolResult(ok=False, text=text, code="timed_out")
    lines = [line.removeprefix(f"{workspace}/") for line in result.output.splitlines()]
    if result.exit_code not in {0, _NOTHING, _CUT_OFF}:
        complaint = "\n".join(lines[:5]) or f"grep ended with {result.exit_code}"
        return ToolResult(ok=False, text=f"The search failed: {complaint}", code="invalid")
    if not lines:
        return ToolResult(ok=True, text="No line matches.")
    shown = [_cut(line) for line in lines[: args.limit]]
    if len(lines) > args.limit:
        shown.append(f"[The first {args.limit} lines; there are more.]")
    return ToolResult(ok=True, text="\n".join(shown))


async def find(ctx: ToolContext, args: Find) -> ToolResult:
    """Carry out ``find``."""
    start = (await ctx.computer.info(args.path)).path
    skip = [name for name in SKIPPED if name not in f"{start}/{args.pattern}".split("/")]
    files = await ctx.computer.walk(start or ".", limit=_FILES_MAX, skip=skip)
    wanted = args.pattern.removeprefix("./").split("/")
    if len(wanted) == 1:
        wanted = ["**", *wanted]
    below = len(start) + 1 if start else 0
    found = [info.path for info in files if _matches(info.path[below:].split("/"), wanted)]
    shown = found[: args.limit]
    if len(found) > args.limit:
        shown.append(f"[The first {args.limit} of {len(found):,} files.]")
    if len(files) >= _FILES_MAX:
        shown.append(f"[Only the first {_FILES_MAX:,} files were looked at.]")
    return ToolResult(ok=True, text="\n".join(shown) or "No file has such a name.")


async def _searched(ctx: ToolContext, args: Grep, syntax: str, target: str) -> CommandResult:
    words = ["grep", "-rnIH", syntax]
    words += ["-i"] if args.ignore_case else []
    words += [f"-C{args.context}"] if args.context else []
    words += [f"--include={args.glob}"] if args.glob else []
    words += [f"--exclude-dir={name}" for name in SKIPPED if name not in target.split("/")]
    words += ["-e", args.pattern, "--", target]
    return await ctx.computer.run(
        f"set -o pipefail; {shlex.join(words)} 2>&1 | head -n {args.limit + 1}",
        timeout_s=_LIMIT_S,
        on_output=_nobody_watches,
        output_bytes_max=_OUTPUT_BYTES_MAX,
    )


def _nobody_watches(_text: str) -> None:
    pass


def _cut(line: str) -> str:
    return line if len(line) <= _LINE_CHARS_MAX else f"{line[:_LINE_CHARS_MAX]}[…]"


def _matches(path: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the parts of a path fit those of a pattern.

    In which ``**`` is any number of folders.
    """
    reached = {0}
    for part in path:
        step: set[int] = set()
        for at in _with_skips(reached, wanted):
            if at < len(wanted) and wanted[at] == "**":
                step.add(at)
            elif at < len(wanted) and fnmatch.fnmatchcase(part, wanted[at]):
                step.add(at + 1)
        reached = step
    return len(wanted) in _with_skips(reached, wanted)


def _with_skips(reached: set[int], wanted: Sequence[str]) -> set[int]:
    """Positions in a pattern, and those behind a ``**`` that stands for nothing."""
    found = set(reached)
    for at in sorted(reached):
        behind = at
        while behind < len(wanted) and wanted[behind] == "**":
            behind += 1
            found.add(behind)
    return found
