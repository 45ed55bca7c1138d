"""Files of agents' workspaces, to be looked at; nothing in them can run in the page."""

from typing import Annotated

from fastapi import Depends, Query

from dayshift.core.details import FolderView, Page
from dayshift.core.entries import Recorded
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Raw, Reply
from dayshift.web.route import page, whole
from dayshift.web.workspace import file_response

router = page("/api/offices/{office}/agents/{agent}/files", "Files")
Reading = Annotated[Inside, Depends(InOffice("files:read"))]
FilePath = Annotated[
    str, Query(description="Path in the workspace; empty is its root.", max_length=4_096)
]


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
    return await file_response(inside.rooms.files, agent, path, download=download)


@router.get("/history")
async def list_writes(agent: str, inside: Reading, path: FilePath) -> Reply[Page[Recorded]]:
    """Who wrote a file in which run, newest first."""
    return Reply(whole(await inside.rooms.files.history(agent, path)))
