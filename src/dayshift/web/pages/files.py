"""Files of agents' workspaces, to be looked at; nothing in them can run in the page."""

from collections.abc import AsyncGenerator
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Query
from starlette.responses import Response, StreamingResponse

from dayshift.core.details import FilePart, FolderView, Page
from dayshift.core.entries import Recorded
from dayshift.web.doors import InOffice, Inside
from dayshift.web.kinds import BYTES, SHOWN, TEXT, ending
from dayshift.web.reply import Raw, Reply
from dayshift.web.rooms import Files
from dayshift.web.route import page, whole

router = page("/api/offices/{office}/agents/{agent}/files", "Files")
Reading = Annotated[Inside, Depends(InOffice("files:read"))]
FilePath = Annotated[
    str, Query(description="Path in the workspace; empty is its root.", max_length=4_096)
]
PART_BYTES = 1024 * 1024
BINARY_LOOK_BYTES = 8_192
POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
)


@router.get("")
async def list_files(agent: str, inside: Reading, path: FilePath = "") -> Reply[FolderView]:
    """A folder of an agent's workspace."""
    return Reply(await inside.rooms.files.entries(agent, path))


@router.get("/content")
async def read_file(
    agent: str,
    inside: Reading,
    path: FilePath,
    download: Annotated[bool, Query(description="Save it instead of showing it.")] = False,
) -> Raw:
    """A file's bytes, in a sandbox where nothing runs."""
    files = inside.rooms.files
    first = await files.content(agent, path, offset=0, limit=PART_BYTES)
    response: Response
    if len(first.data) >= first.info.size_bytes:
        response = Raw(first.data)
    else:
        response = StreamingResponse(_parts(files, agent, path, first=first))
    response.headers.update(file_headers(path, first.data, download=download))
    return response  # pyright: ignore[reportReturnType]  StreamingResponse is no Raw, but what is said of one holds


async def _parts(files: Files, agent: str, path: str, *, first: FilePart) -> AsyncGenerator[bytes]:
    """A long file, a part at a time, up to the size it had when it was opened."""
    part, offset = first.data, len(first.data)
    yield part
    while part and offset < first.info.size_bytes:
        part = (await files.content(agent, path, offset=offset, limit=PART_BYTES)).data
        offset += len(part)
        yield part


def file_headers(path: str, start: bytes, *, download: bool) -> dict[str, str]:
    """Headers that let a browser show a file and nothing in it do anything."""
    name = path.rstrip("/").rpartition("/")[2] or "file"
    is_binary = b"\0" in start[:BINARY_LOOK_BYTES]
    kind = SHOWN.get(ending(name), BYTES if is_binary else TEXT)
    manner = "attachment" if download or kind == BYTES else "inline"
    return {
        "Content-Type": kind,
        "Content-Disposition": f"{manner}; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": POLICY,
        "X-Frame-Options": "SAMEORIGIN",
    }


@router.get("/history")
async def list_writes(agent: str, inside: Reading, path: FilePath) -> Reply[Page[Recorded]]:
    """Who wrote a file in which run, newest first."""
    return Reply(whole(await inside.rooms.files.history(agent, path)))
