"""Previews: pages that agents made, seen with their styles and pictures, in a sandbox."""

from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Path, Request
from msgspec import Meta, Struct

from dayshift.core.wishes import Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import ByTicket, InOffice, Inside, OfficeName, Previewing, tickets_of
from dayshift.web.reply import Created, Raw
from dayshift.web.route import page
from dayshift.web.tickets import TICKET_LIVES_S
from dayshift.web.workspace import file_response

router = page("/api", "Files")
PERMISSION = "files:read"


class PreviewDraft(Wish, frozen=True, kw_only=True):
    """The file to open."""

    path: Annotated[str, Meta(min_length=1, max_length=4_096)]


class Preview(Struct, frozen=True):
    """Where the file can be seen on this server, and for how long."""

    path: str
    expires_in_s: int


@router.post("/offices/{office}/agents/{agent}/files/previews")
async def open_preview(
    agent: str,
    office: OfficeName,
    request: Request,
    inside: Annotated[Inside, Depends(InOffice(PERMISSION))],
    draft: Annotated[PreviewDraft, Depends(BodyOf(PreviewDraft))],
) -> Created[Preview]:
    """Open a page that an agent made, so that what lies beside it is loaded with it.

    The address needs no sign-in, reads this agent's workspace only, and soon ends.
    """
    await inside.rooms.files.content(agent, draft.path, offset=0, limit=1)
    secret = tickets_of(request).make(inside.actor, office=office, agent=agent)
    path = f"/api/previews/{secret}/{quote(draft.path.lstrip('/'))}"
    return Created(Preview(path=path, expires_in_s=int(TICKET_LIVES_S)))


@router.get("/previews/{ticket}/{path:path}")
async def read_preview(
    path: Annotated[str, Path(description="Path in the workspace.")],
    request: Request,
    seen: Annotated[Previewing, Depends(ByTicket(PERMISSION))],
) -> Raw:
    """A file of a previewed page."""
    # Named in full: a page in a sandbox has no origin that 'self' could mean.
    beside = f"{request.url.scheme}://{request.url.netloc}/api/previews/"
    policy = (
        f"sandbox; default-src 'none'; style-src 'unsafe-inline' {beside}; "
        f"img-src data: {beside}; media-src {beside}; "
        "frame-ancestors 'self'; form-action 'none'; base-uri 'none'"
    )
    response = await file_response(seen.rooms.files, seen.agent, path, policy=policy)
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
