"""Rows of events and of the inbox items they became."""

from typing import NamedTuple

from sqlalchemy import select

from dayshift.core.entries import EventPublished, ItemChanged
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import ItemState
from dayshift.core.views import Decision, EventView, ItemView
from dayshift.core.wishes import EventFilter
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number
from dayshift.store.statements import Prepared, param

OPEN = frozenset({ItemState.QUEUED, ItemState.PAUSED, ItemState.TAKEN, ItemState.PARKED})
_PART = 200

_e, _i = t.events.c, t.items.c
_OFFICE = param("office")
_EVENT_BY_KEY = Prepared(
    select(_e.body, _e.first_item).where(
        _e.office == _OFFICE, _e.dedup_key == param("key"), t.has_key(_e.dedup_key)
    )
)
_EVENT = Prepared(select(_e.body, _e.decisions).where(_e.office == _OFFICE, _e.n == param("n")))
_ITEM = Prepared(select(_i.body).where(_i.office == _OFFICE, _i.n == param("n")))
_ITEMS_FROM = Prepared(
    select(_i.body)
    .where(_i.office == _OFFICE, _i.n >= param("first"), _i.n < param("end"))
    .order_by(_i.n)
)
_OPEN_OF_AGENT = Prepared(
    select(_i.body)
    .where(_i.office == _OFFICE, _i.agent == param("agent"), t.is_open(t.items))
    .order_by(_i.n)
)
_OPEN_OF_ALL = Prepared(
    select(_i.body).where(_i.office == _OFFICE, t.is_open(t.items)).order_by(_i.n)
)


class Arrived(NamedTuple):
    """An event that came before, and the items it became, as they are now."""

    event: EventView
    items: list[ItemView]


def put_event(
    unit: UnitOfWork,
    view: EventView,
    *,
    decisions: list[Decision],
    dedup_key: str,
    first_item: str,
) -> None:
    """Write an event with its decisions and tell of it.

    Its items, one for each agent that is woken, have the ids from ``first_item`` on.
    """
    unit.upsert(
        t.events,
        {
            "office": unit.office,
            "n": number(view.id),
            "id": view.id,
            "dedup_key": dedup_key,
            "first_item": number(first_item),
            "body": encode(view),
            "decisions": encode(decisions),
        },
    )
    unit.append(EventPublished(event=view, decisions=decisions))


def event_by_key(asked: Rows, office: str, dedup_key: str) -> Arrived | None:
    """The event that came in under a dedup key; ``None`` when there is none."""
    rows = asked.rows(_EVENT_BY_KEY, {"office": office, "key": dedup_key})
    if not rows:
        return None
    view, first = decode(rows[0][0], EventView), int(rows[0][1])
    if not first:
        return Arrived(view, [])
    bounds = {"office": office, "first": first, "end": first + view.accepted}
    return Arrived(view, bodies(asked.rows(_ITEMS_FROM, bounds), ItemView))


def event(asked: Rows, office: str, id_: str) -> tuple[EventView, list[Decision]] | None:
    """One event and the decisions that were written down."""
    rows = asked.rows(_EVENT, {"office": office, "n": number(id_)})
    view = decode(rows[0][0], EventView) if rows else None
    if view is None or view.id != id_:
        return None
    return view, decode(rows[0][1], list[Decision])


def events(
    asked: Rows, office: str, wanted: EventFilter, *, before: int, limit: int
) -> list[EventView]:
    """Events that a filter lets through, newest first; ``before`` 0 begins with the newest."""
    found: list[EventView] = []
    part: list[EventView] = []
    at = before
    while len(found) < limit and (part := _part_of_events(asked, office, at)):
        found += [one for one in part if _fits(one, wanted)]
        at = number(part[-1].id)
    return found[:limit]


def _part_of_events(asked: Rows, office: str, before: int) -> list[EventView]:
    query = select(_e.body).where(_e.office == office)
    if before:
        query = query.where(_e.n < before)
    return bodies(asked.rows(query.order_by(_e.n.desc()).limit(_PART)), EventView)


def _fits(event: EventView, wanted: EventFilter) -> bool:
    return (
        (not wanted.source or event.source == wanted.source)
        and (not wanted.type or event.type == wanted.type)
        and (not wanted.agent or event.target == wanted.agent)
        and (not wanted.text or wanted.text.casefold() in event.text.casefold())
    )


def put_item(unit: UnitOfWork, view: ItemView) -> None:
    """Write an inbox item and tell of it."""
    unit.upsert(
        t.items,
        {
            "office": unit.office,
            "n": number(view.id),
            "agent": view.agent,
            "state": view.state.value,
            "open": int(view.state in OPEN),
            "body": encode(view),
        },
    )
    unit.append(ItemChanged(item=view))


def item(asked: Rows, office: str, id_: str) -> ItemView | None:
    """One inbox item."""
    rows = asked.rows(_ITEM, {"office": office, "n": number(id_)})
    view = decode(rows[0][0], ItemView) if rows else None
    return view if view is not None and view.id == id_ else None


def items(asked: Rows, office: str, *, agent: str = "") -> list[ItemView]:
    """Items that have not ended, oldest first; of one agent or of all."""
    if agent:
        return bodies(asked.rows(_OPEN_OF_AGENT, {"office": office, "agent": agent}), ItemView)
    return bodies(asked.rows(_OPEN_OF_ALL, {"office": office}), ItemView)


def ended_items(asked: Rows, office: str, *, agent: str, limit: int) -> list[ItemView]:
    """Items of an agent that have ended, newest first."""
    query = select(_i.body).where(_i.office == office, _i.agent == agent, _i.open == 0)
    return bodies(asked.rows(query.order_by(_i.n.desc()).limit(limit)), ItemView)
