"""Files of agents' workspaces as responses: a part at a time, and with nothing in them alive."""

from collections.abc import AsyncGenerator
from urllib.parse import quote

from dayshift.core.details import FilePart
from dayshift.web.kinds import BYTES, SHOWN, TEXT, ending
from dayshift.web.reply import Raw
from dayshift.web.rooms import Files

PART_BYTES = 1024 * 1024
BINARY_LOOK_BYTES = 8_192
SEALED = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
)
"""For one file alone: it loads nothing."""


async def file_response(
    files: Files, agent: str, path: str, *, policy: str = SEALED, download: bool = False
) -> Raw:
    """A file as a response.

    Raises:
        OfficeError: What the room says of the path, before anything is sent.
    """
    first = await files.content(agent, path, offset=0, limit=PART_BYTES)
    response = Raw(_parts(files, agent, path, first=first))
    if len(first.data) >= first.info.size_bytes:
        response.headers["Content-Length"] = str(len(first.data))
    response.headers.update(file_headers(path, first.data, download=download))
    response.headers["Content-Security-Policy"] = policy
    return response


async def _parts(files: Files, agent: str, path: str, *, first: FilePart) -> AsyncGenerator[bytes]:
    """A long file, a part at a time, up to the size it had when it was opened."""
    part, offset = first.data, len(first.data)
    yield part
    while part and offset < first.info.size_bytes:
        part = (await files.content(agent, path, offset=offset, limit=PART_BYTES)).data
        offset += len(part)
        yield part


def file_headers(path: str, start: bytes, *, download: bool) -> dict[str, str]:
    """Headers that say what a file is, and let only our own page frame it."""
    name = path.rstrip("/").rpartition("/")[2] or "file"
    is_binary = b"\0" in start[:BINARY_LOOK_BYTES]
    kind = SHOWN.get(ending(name), BYTES if is_binary else TEXT)
    manner = "attachment" if download or kind == BYTES else "inline"
    return {
        "Content-Type": kind,
        "Content-Disposition": f"{manner}; filename*=UTF-8''{quote(name, safe='')}",
        "X-Frame-Options": "SAMEORIGIN",
    }
