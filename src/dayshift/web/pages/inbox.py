"""Inboxes: what waits for agents, and its order."""

from typing import Annotated

from fastapi import Depends
from msgspec import Meta

from dayshift.core.details import Page
from dayshift.core.views import AgentView, ItemView
from dayshift.core.wishes import Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Reply
from dayshift.web.route import Word, page, whole

router = page("/api/offices/{office}", "Inbox")
Editing = Annotated[Inside, Depends(InOffice("inbox:edit"))]


class ItemMove(Wish, frozen=True, kw_only=True):
    """Where an item goes: before another one, or to the end."""

    before: Annotated[str, Meta(max_length=96)] | None


@router.get("/agents/{agent}/inbox")
async def list_items(
    agent: str, inside: Annotated[Inside, Depends(InOffice("inbox:read"))], state: Word = ""
) -> Reply[Page[ItemView]]:
    """An agent's inbox items in the order they will be taken, then the last ones that ended."""
    return Reply(whole(await inside.rooms.inbox.items(agent, state=state)))


@router.post("/agents/{agent}/inbox/pause")
async def pause_inbox(agent: str, inside: Editing) -> Reply[AgentView]:
    """Let an agent take nothing more."""
    return Reply(await inside.rooms.inbox.pause_agent(agent, by=inside.by))


@router.post("/agents/{agent}/inbox/resume")
async def resume_inbox(agent: str, inside: Editing) -> Reply[AgentView]:
    """Let an agent take items again."""
    return Reply(await inside.rooms.inbox.resume_agent(agent, by=inside.by))


@router.post("/items/{item}/cancel")
async def cancel_item(item: str, inside: Editing) -> Reply[ItemView]:
    """Take a waiting item out."""
    return Reply(await inside.rooms.inbox.cancel(item, by=inside.by))


@router.post("/items/{item}/pause")
async def pause_item(item: str, inside: Editing) -> Reply[ItemView]:
    """Hold a waiting item back."""
    return Reply(await inside.rooms.inbox.pause(item, by=inside.by))


@router.post("/items/{item}/resume")
async def resume_item(item: str, inside: Editing) -> Reply[ItemView]:
    """Let a paused item go on."""
    return Reply(await inside.rooms.inbox.resume(item, by=inside.by))


@router.post("/items/{item}/move")
async def move_item(
    item: str, inside: Editing, move: Annotated[ItemMove, Depends(BodyOf(ItemMove))]
) -> Reply[ItemView]:
    """Put a waiting item before another one, or to the end."""
    return Reply(await inside.rooms.inbox.move(item, before=move.before, by=inside.by))
