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
from dayshift.core.errors import DeniedError
from dayshift.core.tools import ToolContext, ToolResult

SKIPPED = (".git", ".venv", "__pycache__", "node_modules")
"""Folders not searched unless the search begins in one."""

_LIMIT_S = 30
_OUTPUT_BYTES_MAX = 2 * 1024 * 1024
_LINE_CHARS_MAX = 400
_FILES_MAX = 20_000
_COMPLAINTS = ("find: ", "grep: ", "sort: ", "xargs: ")
_COMPLAINTS_MAX = 5

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
    info = await ctx.computer.info(args.path)
    if info.kind == "link":
        raise DeniedError(f"{args.path} is a link, and links are not followed.")
    start, workspace = info.path, ctx.computer.status().workspace
    target = f"{workspace}/{start}" if start else workspace
    lines: list[str] = []
    # A grep may be built without Perl's syntax, the one that models know best.
    for syntax in ["-F"] if args.literal else ["-P", "-E"]:
        result = await _searched(ctx, args, syntax, target)
        if result.timed_out:
            text = (
                f"The search took longer than {_LIMIT_S} s. Search a smaller folder, or set glob."
            )
            return ToolResult(ok=False, text=text, code="timed_out")
        lines = result.output.splitlines()
        if not (lines and lines[0].startswith("grep: ") and "-P" in lines[0]):
            break
    complaints = [line for line in lines if line.startswith(_COMPLAINTS)]
    found = [line for line in lines if not line.startswith(_COMPLAINTS)]
    if complaints and not found:
        text = "The search failed: " + "\n".join(complaints[:_COMPLAINTS_MAX])
        return ToolResult(ok=False, text=text, code="invalid")
    shown = [_cut(line.removeprefix(f"{workspace}/")) for line in found[: args.limit]]
    if len(found) > args.limit:
        shown.append(f"[The first {args.limit} lines; there are more.]")
    return ToolResult(ok=True, text="\n".join(shown) or "No line matches.")


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
    """Search in the order of names: the same files give the same answer on every disk."""
    skipped = " -o ".join(f"-name {shlex.quote(n)}" for n in SKIPPED if n not in target.split("/"))
    named = f"-name {shlex.quote(args.glob)} " if args.glob else ""
    files = f"find {shlex.quote(target)} \\( {skipped} \\) -prune -o -type f {named}-print0"
    words = ["grep", "-nIH", syntax]
    words += ["-i"] if args.ignore_case else []
    words += [f"-C{args.context}"] if args.context else []
    words += ["-e", args.pattern, "--"]
    return await ctx.computer.run(
        f"{files} | LC_ALL=C sort -z | xargs -0 -r {shlex.join(words)} 2>&1"
        f" | head -n {args.limit + 1}",
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
