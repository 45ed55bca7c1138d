"""Writing and editing files; the difference goes along for people to see."""

import asyncio
from typing import Annotated

import msgspec

from dayshift.core.artifacts import Artifact
from dayshift.core.computer import Computer
from dayshift.core.errors import InvalidError, NotFoundError, OfficeError
from dayshift.core.tools import ToolContext, ToolResult
from dayshift.tools.files.edits import Replacement, difference, replaced
from dayshift.tools.files.reading import Path

TEXT_BYTES_MAX = 2 * 1024 * 1024
"""Largest file that is edited, and largest one whose difference is shown."""

_DIFF_CHARS_MAX = 200_000
_BOM = "\ufeff"


class WriteFile(msgspec.Struct, forbid_unknown_fields=True):
    """Write a whole file of your workspace: a new one with its folders, or over the old one."""

    path: Path
    content: Annotated[str, msgspec.Meta(description="The whole text of the file.")]


class EditFile(msgspec.Struct, forbid_unknown_fields=True):
    """Replace exact pieces of text in a file of your workspace.

    All replacements are made, or none.
    """

    path: Path
    replacements: Annotated[list[Replacement], msgspec.Meta(min_length=1, max_length=50)]


async def write_file(ctx: ToolContext, args: WriteFile) -> ToolResult:
    """Carry out ``write_file``."""
    data = args.content.encode("utf-8", "replace")
    old = await _old_text(ctx.computer, args.path)
    is_new = await ctx.computer.write(args.path, data)
    path = (await ctx.computer.info(args.path)).path
    artifacts = [_file(path, len(data), is_new=is_new)]
    if old is not None and len(data) <= TEXT_BYTES_MAX:
        artifacts += await _diff(path, old, data.decode())
    did = "Wrote the new file" if is_new else "Wrote over"
    return ToolResult(
        ok=True, text=f"{did} {path}, {len(data):,} bytes.", artifacts=tuple(artifacts)
    )


async def edit_file(ctx: ToolContext, args: EditFile) -> ToolResult:
    """Carry out ``edit_file``."""
    content = await ctx.computer.read(args.path, limit=TEXT_BYTES_MAX)
    if content.size_bytes > TEXT_BYTES_MAX:
        message = (
            f"{args.path} has {content.size_bytes:,} bytes; at most {TEXT_BYTES_MAX:,} are edited."
        )
        raise InvalidError(message, hint="Use a program in bash, sed for one.")
    try:
        old = content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{args.path} is not UTF-8 text and cannot be edited here."
        raise InvalidError(message, hint="Use a program in bash.") from error
    new = await asyncio.to_thread(_edited, old, args.replacements)
    data = new.encode("utf-8", "replace")
    is_new = await ctx.computer.write(args.path, data)
    path = (await ctx.computer.info(args.path)).path
    shown = await _diff(path, old, new)
    count = len(args.replacements)
    text = f"Made {count} replacement{'s' if count > 1 else ''} in {path}."
    if shown:
        text += f"\n{shown[0].diff}"
    return ToolResult(ok=True, text=text, artifacts=(_file(path, len(data), is_new=is_new), *shown))


def _edited(old: str, replacements: list[Replacement]) -> str:
    """The new text; the file's own line ends and byte-order mark stay, whatever the model wrote."""
    mark = _BOM if old.startswith(_BOM) else ""
    body = old.removeprefix(_BOM)
    ends = body.count("\r\n")
    if not ends or ends != body.count("\n"):
        return mark + replaced(body, replacements)
    plain = [
        msgspec.structs.replace(
            one,
            old_text=one.old_text.replace("\r\n", "\n"),
            new_text=one.new_text.replace("\r\n", "\n"),
        )
        for one in replacements
    ]
    return mark + replaced(body.replace("\r\n", "\n"), plain).replace("\n", "\r\n")


async def _old_text(computer: Computer, path: str) -> str | None:
    """A file's text before it is written over; ``None`` when there is none worth comparing."""
    try:
        content = await computer.read(path, limit=TEXT_BYTES_MAX)
    except NotFoundError:
        return None
    except OfficeError:
        # Writing will say what is wrong.
        return None
    if content.size_bytes > TEXT_BYTES_MAX or b"\0" in content.data:
        return None
    return content.data.decode("utf-8", "replace")


async def _diff(path: str, old: str, new: str) -> list[Artifact]:
    text = await asyncio.to_thread(difference, path, old, new)
    return [Artifact(kind="diff", path=path, diff=text[:_DIFF_CHARS_MAX])] if text else []


def _file(path: str, size_bytes: int, *, is_new: bool) -> Artifact:
    return Artifact(kind="file", path=path, bytes=size_bytes, id="new" if is_new else "")
