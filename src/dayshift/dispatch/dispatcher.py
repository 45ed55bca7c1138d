"""Event in, inbox items out.

The decision for each agent is taken on the event loop, before the unit of work; the unit writes the event, the
decisions and the items together, so that an event is never on disk without what became of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from dayshift.core.errors import InvalidError
from dayshift.core.events import SOURCES, Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Duty, ItemState, Priority
from dayshift.core.views import Decision, EventView, ItemView
from dayshift.dispatch.duty import DutyBook
from dayshift.store import arrivals
from dayshift.store.rows import number

TITLE_CHARS = 160
KINDS = {
    "task": "task",
    "time": "timer",
    "person": "message",
    "talk": "message",
    "channel": "message",
}


class Attention(Protocol):
    """Decides for a broadcast, at a cost that grows with matches."""

    def decide(self, event: Event) -> list[Decision]:
        """The decision for each agent that matched something or is woken by anything."""
        ...


@dataclass(frozen=True)
class Published:
    """What an event became. ``items`` is empty when it reached nobody or came a second time."""

    event: EventView
    items: tuple[ItemView, ...]


class Dispatcher:
    """Decides whom an event reaches and writes it down."""

    def __init__(self, book: DutyBook, attention: Attention, now: Callable[[], datetime]) -> None:
        """``now`` is office time."""
        self._book = book
        self._attention = attention
        self._now = now

    def plan(self, event: Event) -> Callable[[UnitOfWork], Published]:
        """Decide now; write down when the unit runs.

        Raises:
            InvalidError: The source is unknown.
            NotFoundError: The target does not work here.
        """
        if event.source not in SOURCES:
            raise InvalidError(
                f"There is no event source {event.source!r}.", hint=f"One of: {', '.join(SOURCES)}."
            )
        decisions = [self._targeted(event)] if event.target else self._attention.decide(event)
        considered = 1 if event.target else len(self._book.all())
        now = self._now()
        return lambda unit: _write(unit, event, decisions, considered, now)

    def deliver(self, unit: UnitOfWork, event: Event) -> Published:
        """Decide and write down an event with a target, within somebody's unit of work."""
        return _write(unit, event, [self._targeted(event)], 1, self._now())

    def _targeted(self, event: Event) -> Decision:
        agent = self._book.one(event.target)
        held = agent.duty is Duty.OFF_DUTY and event.priority < Priority.EMERGENCY
        return Decision(
            agent=agent.name,
            accepted=True,
            layer="target",
            score=1.0,
            threshold=0.0,
            keywords=[],
            reason="addressed to it; held until it is on duty" if held else "addressed to it",
        )


def _write(
    unit: UnitOfWork, event: Event, decisions: list[Decision], considered: int, now: datetime
) -> Published:
    if event.dedup_key:
        known = arrivals.event_by_key(unit, unit.office, event.dedup_key)
        if known is not None:
            return Published(known, ())
    accepted = [decision for decision in decisions if decision.accepted]
    view = EventView(
        id=unit.next_id("E"),
        source=event.source,
        type=event.type,
        priority=event.priority,
        target=event.target,
        text=event.text,
        payload=event.payload,
        by=event.by,
        accepted=len(accepted),
        considered=considered,
        at=now,
    )
    arrivals.put_event(unit, view, decisions=decisions, dedup_key=event.dedup_key)
    items: list[ItemView] = []
    for decision in accepted:
        item = _item(unit, event, view, agent=decision.agent)
        arrivals.put_item(unit, item)
        items.append(item)
    return Published(view, tuple(items))


def _item(unit: UnitOfWork, event: Event, view: EventView, *, agent: str) -> ItemView:
    id_ = unit.next_id("I")
    return ItemView(
        id=id_,
        agent=agent,
        kind="steer" if event.steer else KINDS.get(event.source, "event"),
        source=event.source,
        type=event.type,
        sender=event.by,
        text=event.text,
        priority=event.priority,
        order=number(id_),
        state=ItemState.QUEUED,
        event=view.id,
        thread=event.thread,
        task=event.task,
        run="",
        attempts=0,
        reason="",
        hops=event.hops,
        queued_at=view.at,
        expires_at=view.at + timedelta(seconds=event.expires_in_s) if event.expires_in_s else None,
    )
