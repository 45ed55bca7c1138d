"""Threads: conversations of people and agents, channels, and their messages."""

from typing import Annotated

from fastapi import Depends, Query
from msgspec import Meta

from dayshift.core.details import Page, Posted
from dayshift.core.errors import LimitError
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.core.views import MessageView, ThreadView
from dayshift.core.wishes import ChannelChanges, ChannelDraft, Mode, Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Created, Done, Reply
from dayshift.web.route import Before, Limit, page, whole

router = page("/api/offices/{office}", "Threads")
Reading = Annotated[Inside, Depends(InOffice("threads:read"))]
Posting = Annotated[Inside, Depends(InOffice("threads:post"))]
Channels = Annotated[Inside, Depends(InOffice("channels:edit"))]


class MessageDraft(Wish, frozen=True, kw_only=True):
    """A message. ``steer`` enters the run under way; the same ``key`` again does nothing twice."""

    text: Annotated[str, Meta(min_length=1, pattern=r"\S")]
    mode: Mode = "queue"
    key: Annotated[str, Meta(max_length=200)] = ""


class ReadMark(Wish, frozen=True, kw_only=True):
    """The number of the last message one has read."""

    n: Annotated[int, Meta(ge=0, le=2**53)]


MessageBody = Annotated[MessageDraft, Depends(BodyOf(MessageDraft))]


@router.get("/threads")
async def list_threads(inside: Reading) -> Reply[Page[ThreadView]]:
    """All threads, the latest talk first."""
    return Reply(whole(await inside.rooms.talk.threads()))


@router.get("/threads/{thread}")
async def read_thread(thread: str, inside: Reading) -> Reply[ThreadView]:
    """One thread."""
    return Reply(await inside.rooms.talk.thread(thread))


@router.get("/threads/{thread}/messages")
async def list_messages(
    thread: str, inside: Reading, before: Before = "", limit: Limit = 50
) -> Reply[Page[MessageView]]:
    """A thread's messages, newest first."""
    return Reply(await inside.rooms.talk.messages(thread, before=before, limit=limit))


@router.post("/threads/{thread}/messages")
async def post_message(thread: str, inside: Posting, draft: MessageBody) -> Created[Posted]:
    """Write into a thread; in a DM it wakes the agent."""
    return Created(await _post(inside, thread, draft))


@router.post("/agents/{agent}/messages")
async def message_agent(agent: str, inside: Posting, draft: MessageBody) -> Created[Posted]:
    """Write to an agent, in the DM one has with it."""
    check_length(draft.text)
    posted = await inside.rooms.talk.post_dm(
        agent, draft.text, person=inside.person, mode=draft.mode, key=draft.key
    )
    return Created(posted)


@router.post("/threads/{thread}/read")
async def mark_read(
    thread: str, inside: Reading, mark: Annotated[ReadMark, Depends(BodyOf(ReadMark))]
) -> Done:
    """Note how far one has read; it never goes back."""
    await inside.rooms.talk.read(thread, person=inside.person, n=mark.n)
    return Done()


@router.post("/threads/{thread}/clear")
async def clear_thread(
    thread: str, inside: Annotated[Inside, Depends(InOffice("threads:clear"))]
) -> Reply[ThreadView]:
    """Hide what was said so far, and let the agent start afresh."""
    return Reply(await inside.rooms.talk.clear(thread, by=inside.by))


@router.get("/messages")
async def search_messages(
    inside: Reading,
    q: Annotated[str, Query(description="Text to look for.", min_length=1, max_length=500)],
    before: Before = "",
    limit: Limit = 50,
) -> Reply[Page[MessageView]]:
    """Messages of all threads that hold a text, in any case, newest first."""
    return Reply(await inside.rooms.talk.search(q, before=before, limit=limit))


@router.post("/channels")
async def create_channel(
    inside: Channels, draft: Annotated[ChannelDraft, Depends(BodyOf(ChannelDraft))]
) -> Created[ThreadView]:
    """Open a channel."""
    return Created(await inside.rooms.talk.create_channel(draft, by=inside.by))


@router.patch("/channels/{name}")
async def edit_channel(
    name: str, inside: Channels, changes: Annotated[ChannelChanges, Depends(BodyOf(ChannelChanges))]
) -> Reply[ThreadView]:
    """Change a channel's name, description or members."""
    return Reply(await inside.rooms.talk.edit_channel(name, changes, by=inside.by))


@router.delete("/channels/{name}")
async def delete_channel(name: str, inside: Channels) -> Done:
    """Close a channel; the ledger keeps what was said."""
    await inside.rooms.talk.delete_channel(name, by=inside.by)
    return Done()


async def _post(inside: Inside, thread: str, draft: MessageDraft) -> Posted:
    check_length(draft.text)
    return await inside.rooms.talk.post(
        thread, draft.text, person=inside.person, mode=draft.mode, key=draft.key
    )


def check_length(text: str) -> None:
    """Return if a message is short enough; raises LimitError."""
    size = len(text.encode())
    if size > MESSAGE_BYTES_MAX:
        raise LimitError(
            f"The message has {size:,} bytes, more than the {MESSAGE_BYTES_MAX:,} a message may.",
            hint="Put the text into a file of the agent's workspace and name it in the message.",
        )
