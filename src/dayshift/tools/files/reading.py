"""Reading files as a model can use them: lines of text, images, or what else a file is."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

import msgspec

from dayshift.core.computer import Computer, FileInfo
from dayshift.core.errors import DeniedError
from dayshift.core.limits import RESULT_CHARS_MAX
from dayshift.core.model import ImagePart
from dayshift.core.tools import ToolContext, ToolResult

LINES_DEFAULT = 1_000
LINES_MAX = 5_000
IMAGE_BYTES_MAX = 3_500_000

_FOOTER_CHARS = 400
_CHARS_MAX = RESULT_CHARS_MAX - _FOOTER_CHARS
_LINE_CHARS_MAX = 2_000
_CHUNK_BYTES = 1_048_576
_SCANNED_BYTES_MAX = 64 * 1_048_576
_HEAD_BYTES = 8_192
_IMAGES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


@dataclass(frozen=True, kw_only=True)
class FilesDesk:
    """What these tools need of the house.

    Attributes:
        computer_of: The computer of an agent, by the names of office and agent; raises
            NotFoundError.
    """

    computer_of: Callable[[str, str], Awaitable[Computer]]


Path = Annotated[str, msgspec.Meta(min_length=1, description="Path in the workspace.")]
FirstLine = Annotated[int, msgspec.Meta(ge=1, description="First line to read, from 1.")]
Lines = Annotated[int, msgspec.Meta(ge=1, le=LINES_MAX, description="Most lines to read.")]


class ReadFile(msgspec.Struct, forbid_unknown_fields=True):
    """Read a file of your workspace: text by lines, images as images.

    Long files come in parts; the end of each part tells how to go on.
    """

    path: Path
    offset: FirstLine = 1
    limit: Lines = LINES_DEFAULT


class ReadAgentFile(msgspec.Struct, forbid_unknown_fields=True):
    """Read a file in the workspace of a colleague, as read_file does in yours.

    What a colleague keeps private stays private.
    """

    agent: Annotated[str, msgspec.Meta(min_length=1, description="The colleague's name.")]
    path: Annotated[str, msgspec.Meta(min_length=1, description="Path in its workspace.")]
    offset: FirstLine = 1
    limit: Lines = LINES_DEFAULT


class Ls(msgspec.Struct, forbid_unknown_fields=True):
    """List a folder of your workspace."""

    path: Annotated[str, msgspec.Meta(description="Folder; the workspace when left out.")] = "."
    limit: Annotated[int, msgspec.Meta(ge=1, le=2_000, description="Most entries.")] = 200


async def read_file(ctx: ToolContext, args: ReadFile) -> ToolResult:
    """Carry out ``read_file``."""
    return await _read(ctx.computer, args.path, args.offset, args.limit)


async def ls(ctx: ToolContext, args: Ls) -> ToolResult:
    """Carry out ``ls``."""
    entries = await ctx.computer.entries(args.path, limit=args.limit + 1)
    lines = [_listed(entry) for entry in entries[: args.limit]]
    if len(entries) > args.limit:
        lines.append(f"[The first {args.limit} entries; there are more.]")
    return ToolResult(ok=True, text="\n".join(lines) or "[The folder is empty.]")


def of_colleagues(
    desk: FilesDesk,
) -> Callable[[ToolContext, ReadAgentFile], Awaitable[ToolResult]]:
    """The function behind ``read_agent_file``."""

    async def read_agent_file(ctx: ToolContext, args: ReadAgentFile) -> ToolResult:
        computer = await desk.computer_of(ctx.office, args.agent)
        if args.agent != ctx.agent and _is_private(args.path):
            raise DeniedError(f"{args.path} is private to {args.agent}.")
        return await _read(computer, args.path, args.offset, args.limit)

    return read_agent_file


@dataclass(frozen=True)
class _Excerpt:
    """Some lines of a file. ``lines_total`` is 0 when the file is too long to have been counted."""

    lines: list[str]
    lines_total: int


async def _read(computer: Computer, path: str, first: int, count: int) -> ToolResult:
    head = await computer.read(path, limit=_HEAD_BYTES)
    media_type = _image_type(head.data)
    if media_type:
        return await _image(computer, path, media_type, head.size_bytes)
    if b"\0" in head.data:
        text = f"{path} is not text ({head.size_bytes:,} bytes). Look at it with a program in bash."
        return ToolResult(ok=False, text=text, code="binary")
    if not head.data:
        return ToolResult(ok=True, text="[The file is empty.]")
    excerpt = await _excerpt(computer, path, first, count)
    if not excerpt.lines:
        text = f"{path} has {excerpt.lines_total:,} lines, none from {first:,} on."
        return ToolResult(ok=False, text=text, code="invalid")
    return ToolResult(ok=True, text=_told(excerpt, first))


def _told(excerpt: _Excerpt, first: int) -> str:
    body = "\n".join(excerpt.lines)
    last = first + len(excerpt.lines) - 1
    if first == 1 and last == excerpt.lines_total:
        return body
    of = f" of {excerpt.lines_total:,}" if excerpt.lines_total else ""
    more = f"; go on with offset {last + 1}" if last != excerpt.lines_total else ""
    return f"{body}\n[Lines {first:,} to {last:,}{of}{more}.]"


async def _excerpt(computer: Computer, path: str, first: int, count: int) -> _Excerpt:
    """Read lines, by chunks, and count the rest where that does not take long."""
    lines: list[str] = []
    number, chars, rest, at = 0, 0, b"", 0
    is_full = False
    while at < _SCANNED_BYTES_MAX:
        content = await computer.read(path, offset=at, limit=_CHUNK_BYTES)
        at += len(content.data)
        *whole, rest = (rest + content.data).split(b"\n")
        is_end = not content.data or at >= content.size_bytes
        if is_end and rest:
            whole.append(rest)
        for raw in whole:
            number += 1
            if is_full or number < first:
                continue
            line = _line(raw)
            is_full = len(lines) >= count or chars + len(line) >= _CHARS_MAX
            if not is_full:
                lines.append(line)
                chars += len(line) + 1
        if is_end:
            return _Excerpt(lines, number)
    return _Excerpt(lines, 0)


def _line(raw: bytes) -> str:
    line = raw.removesuffix(b"\r").decode("utf-8", "replace")
    if len(line) <= _LINE_CHARS_MAX:
        return line
    return f"{line[:_LINE_CHARS_MAX]}[… {len(line):,} characters in this line]"


async def _image(computer: Computer, path: str, media_type: str, size_bytes: int) -> ToolResult:
    if size_bytes > IMAGE_BYTES_MAX:
        text = (
            f"{path} is an image of {size_bytes:,} bytes; at most {IMAGE_BYTES_MAX:,} can be shown."
        )
        return ToolResult(ok=False, text=text, code="limit")
    content = await computer.read(path, limit=IMAGE_BYTES_MAX)
    image = ImagePart(media_type, base64.b64encode(content.data).decode())
    text = f"{path}: {media_type}, {size_bytes:,} bytes."
    return ToolResult(ok=True, text=text, images=(image,))


def _image_type(head: bytes) -> str:
    """The media type of an image that models can look at, else nothing."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _IMAGES.items() if head.startswith(magic)), "")


def _is_private(path: str) -> bool:
    """Whether a path names something that agents keep to themselves, also inside a workspace."""
    words = path.split("/")
    return any(
        word in {"private", ".ssh", ".gnupg", ".netrc", ".git-credentials"}
        or word.startswith(".env")
        for word in words
    )


def _listed(entry: FileInfo) -> str:
    name = entry.path.rpartition("/")[2]
    match entry.kind:
        case "folder":
            return f"{name}/"
        case "file":
            return f"{name}  {entry.size_bytes:,} bytes"
        case "link":
            return f"{name}  link"
        case "other":
            return f"{name}  neither file nor folder"
