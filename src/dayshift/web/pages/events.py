"""Events: what happened, and what the attention filter made of it."""

from typing import Annotated, Any

import msgspec
from fastapi import Depends, Query
from msgspec import Meta

from dayshift.core.details import EventDetail, Page
from dayshift.core.events import Event
from dayshift.core.states import Priority
from dayshift.core.views import EventView
from dayshift.core.wishes import EventFilter, Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.pages.threads import check_length
from dayshift.web.reply import Created, Reply
from dayshift.web.route import Before, Limit, Word, page

router = page("/api/offices/{office}/events", "Events")
Reading = Annotated[Inside, Depends(InOffice("events:read"))]


class EventDraft(Wish, frozen=True, kw_only=True):
    """Something that happened; without a target a broadcast. The same key is the same event."""

    source: Annotated[str, Meta(min_length=1, max_length=32)]
    type: Annotated[str, Meta(min_length=1, max_length=64)]
    text: Annotated[str, Meta(min_length=1, pattern=r"\S")]
    priority: Priority = Priority.NORMAL
    target: Annotated[str, Meta(max_length=96)] = ""
    payload: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    dedup_key: Annotated[str, Meta(max_length=200)] = ""


def wanted_events(
    source: Word = "",
    type_: Annotated[str, Query(alias="type", max_length=200)] = "",
    agent: Word = "",
    text: Word = "",
) -> EventFilter:
    """The filter in a query."""
    return EventFilter(source=source, type=type_, agent=agent, text=text)


@router.get("")
async def list_events(
    inside: Reading,
    wanted: Annotated[EventFilter, Depends(wanted_events)],
    before: Before = "",
    limit: Limit = 50,
) -> Reply[Page[EventView]]:
    """Events, newest first."""
    return Reply(await inside.rooms.events.list(wanted, before=before, limit=limit))


@router.post("")
async def publish_event(
    inside: Annotated[Inside, Depends(InOffice("events:publish"))],
    draft: Annotated[EventDraft, Depends(BodyOf(EventDraft))],
) -> Created[EventView]:
    """Put an event on the bus; the attention filter decides whom it wakes."""
    check_length(draft.text)
    event = Event(
        source=draft.source,
        type=draft.type,
        text=draft.text,
        priority=draft.priority,
        target=draft.target,
        payload=draft.payload,
        by=inside.by,
        dedup_key=draft.dedup_key,
    )
    return Created(await inside.rooms.events.publish(event, by=inside.by))


@router.get("/{event}")
async def read_event(
    event: str, inside: Reading, before: Before = "", limit: Limit = 50
) -> Reply[EventDetail]:
    """One event, with a page of the decisions for all agents and why."""
    return Reply(await inside.rooms.events.decisions(event, after=before, limit=limit))
