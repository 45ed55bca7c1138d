"""Rows of events and of the inbox items they became."""

from collections.abc import Iterable

from sqlalchemy import select

from dayshift.core.entries import EventPublished, ItemChanged
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import ItemState
from dayshift.core.views import Decision, EventView, ItemView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number

OPEN = (ItemState.QUEUED, ItemState.PAUSED, ItemState.TAKEN, ItemState.PARKED)


def put_event(
    unit: UnitOfWork, view: EventView, *, decisions: list[Decision], dedup_key: str
) -> None:
    """Write an event with its decisions and tell of it."""
    unit.upsert(
        t.events,
        {
            "office": unit.office,
            "n": number(view.id),
            "id": view.id,
            "dedup_key": dedup_key,
            "body": encode(view),
            "decisions": encode(decisions),
        },
    )
    unit.append(EventPublished(event=view, decisions=decisions))


def event_by_key(asked: Rows, office: str, dedup_key: str) -> EventView | None:
    """The event that came in under a dedup key."""
    query = select(t.events.c.body).where(
        t.events.c.office == office, t.events.c.dedup_key == dedup_key
    )
    rows = asked.rows(query)
    return decode(rows[0][0], EventView) if rows else None


def event(asked: Rows, office: str, id_: str) -> tuple[EventView, list[Decision]] | None:
    """One event and the decisions that were written down."""
    query = select(t.events.c.body, t.events.c.decisions).where(
        t.events.c.office == office, t.events.c.n == number(id_)
    )
    rows = asked.rows(query)
    if not rows:
        return None
    return decode(rows[0][0], EventView), decode(rows[0][1], list[Decision])


def events(asked: Rows, office: str, *, before: int, limit: int) -> list[EventView]:
    """Events, newest first; ``before`` 0 means from the newest."""
    query = select(t.events.c.body).where(t.events.c.office == office)
    if before:
        query = query.where(t.events.c.n < before)
    return bodies(asked.rows(query.order_by(t.events.c.n.desc()).limit(limit)), EventView)


def put_item(unit: UnitOfWork, view: ItemView) -> None:
    """Write an inbox item and tell of it."""
    unit.upsert(
        t.items,
        {
            "office": unit.office,
            "n": number(view.id),
            "agent": view.agent,
            "state": view.state.value,
            "body": encode(view),
        },
    )
    unit.append(ItemChanged(item=view))


def item(asked: Rows, office: str, id_: str) -> ItemView | None:
    """One inbox item."""
    rows = asked.rows(
        select(t.items.c.body).where(t.items.c.office == office, t.items.c.n == number(id_))
    )
    return decode(rows[0][0], ItemView) if rows else None


def items(
    asked: Rows,
    office: str,
    *,
    agent: str = "",
    states: Iterable[str] = OPEN,
    limit: int = 1_000_000,
) -> list[ItemView]:
    """Items in the given states, oldest first; of one agent or of all."""
    query = select(t.items.c.body).where(
        t.items.c.office == office, t.items.c.state.in_([str(s) for s in states])
    )
    if agent:
        query = query.where(t.items.c.agent == agent)
    return bodies(asked.rows(query.order_by(t.items.c.n).limit(limit)), ItemView)


def recent_items(asked: Rows, office: str, *, agent: str, limit: int) -> list[ItemView]:
    """An agent's items in any state, newest first."""
    query = select(t.items.c.body).where(t.items.c.office == office, t.items.c.agent == agent)
    return bodies(asked.rows(query.order_by(t.items.c.n.desc()).limit(limit)), ItemView)
