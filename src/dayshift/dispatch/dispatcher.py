"""Event in, inbox items out.

Whom a broadcast concerns is decided on the event loop, before the unit of work; the unit writes
the event, the decisions and the items together, so that an event is never on disk without what
became of it. An event with a target is decided within the unit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from dayshift.core.errors import InvalidError, LimitError
from dayshift.core.events import SOURCES, Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.core.states import ItemState
from dayshift.core.views import Decision, EventView, ItemView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import ORDER_STEP
from dayshift.dispatch.salience import targeted
from dayshift.store import arrivals, work
from dayshift.store.rows import number

KINDS = {
    "task": "task",
    "time": "timer",
    "person": "message",
    "talk": "message",
    "channel": "message",
}
TYPE_CHARS_MAX = 64
KEY_CHARS_MAX = 150


class Attention(Protocol):
    """Decides for a broadcast, at a cost that grows with matches."""

    def __len__(self) -> int:
        """How many agents a broadcast is decided for."""
        ...

    def decide(self, event: Event) -> list[Decision]:
        """The decision for each agent that matched something or is woken by anything."""
        ...


@dataclass(frozen=True)
class Published:
    """What an event became; of one that came before, what it became then, as it is now."""

    event: EventView
    items: tuple[ItemView, ...]


@dataclass(frozen=True)
class Cause:
    """The run that brought an item about, and how often in a row its agent woke itself by it."""

    run: str = ""
    own_wakes: int = 0


NO_CAUSE = Cause()


class Dispatcher:
    """Decides whom an event reaches and writes it down."""

    def __init__(
        self,
        book: DutyBook,
        attention: Attention,
        now: Callable[[], datetime],
        *,
        clean: Callable[[str], str] = str,
    ) -> None:
        """``now`` is office time; ``clean`` takes secrets out of what comes from outside."""
        self._book = book
        self._attention = attention
        self._now = now
        self._clean = clean

    def plan(self, event: Event) -> Callable[[UnitOfWork], Published]:
        """Check an event from outside and decide now; write down when the unit runs.

        Raises:
            InvalidError: The source is unknown, the type or the key is none, the time is negative.
            LimitError: Text or payload are larger than a message may be.
            NotFoundError: The target does not work here.
        """
        check(event)
        event = msgspec.structs.replace(event, text=self._clean(event.text))
        if event.target:
            self._book.one(event.target)
            return lambda unit: self.deliver(unit, event)
        decisions = self._attention.decide(event)
        considered, now = len(self._attention), self._now()
        return lambda unit: _write(unit, event, decisions, considered=considered, now=now)

    def deliver(self, unit: UnitOfWork, event: Event) -> Published:
        """Decide and write down an event with a target, within somebody's unit of work.

        Raises:
            NotFoundError: The target does not work here.
        """
        duty = self._book.one(event.target).duty
        cause = self._cause(unit, event.target)
        decisions = [targeted(event, duty)]
        return _write(unit, event, decisions, considered=1, now=self._now(), cause=cause)

    def _cause(self, unit: UnitOfWork, target: str) -> Cause:
        """The run within which this happens, and whether an agent wakes itself by it."""
        kind, _, name = unit.actor.partition(":")
        agent = self._book.get(name) if kind == "agent" else None
        if agent is None or not agent.run:
            return NO_CAUSE
        if name != target:
            return Cause(agent.run)
        before = work.item_of(unit, unit.office, agent.run)
        return Cause(agent.run, (before.own_wakes if before else 0) + 1)


def check(event: Event) -> None:
    """Refuse an event that is none.

    Raises:
        InvalidError: The source is unknown, the type or the key is none, the time is negative.
        LimitError: Text or payload are larger than a message may be.
    """
    if event.source not in SOURCES:
        raise InvalidError(
            f"There is no event source {event.source!r}.", hint=f"One of: {', '.join(SOURCES)}."
        )
    if not event.type.strip() or len(event.type) > TYPE_CHARS_MAX:
        raise InvalidError(
            f"An event needs a type of at most {TYPE_CHARS_MAX} characters.",
            hint="One or two words, for example new_pr.",
        )
    if len(event.dedup_key) > KEY_CHARS_MAX or "\x00" in event.dedup_key:
        raise InvalidError(f"A dedup key has at most {KEY_CHARS_MAX} characters, none of them NUL.")
    if event.expires_in_s < 0:
        raise InvalidError("An event cannot expire before it came.")
    size = len(event.text.encode("utf-8", "replace")) + len(msgspec.json.encode(event.payload))
    if size > MESSAGE_BYTES_MAX:
        raise LimitError(
            f"The event has {size:,} bytes; at most {MESSAGE_BYTES_MAX:,} are allowed.",
            hint="Put the long part into a file and name its path.",
        )


def _write(
    unit: UnitOfWork,
    event: Event,
    decisions: list[Decision],
    *,
    considered: int,
    now: datetime,
    cause: Cause = NO_CAUSE,
) -> Published:
    if event.dedup_key:
        known = arrivals.event_by_key(unit, unit.office, event.dedup_key)
        if known is not None:
            return Published(known.event, tuple(known.items))
    accepted = [decision.agent for decision in decisions if decision.accepted]
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
    items = [
        msgspec.structs.replace(
            _item(event, view, agent=agent, id_=unit.next_id("I")),
            cause=cause.run,
            own_wakes=cause.own_wakes,
        )
        for agent in accepted
    ]
    first = items[0].id if items else ""
    arrivals.put_event(unit, view, decisions=decisions, dedup_key=event.dedup_key, first_item=first)
    for item in items:
        arrivals.put_item(unit, item)
    return Published(view, tuple(items))


def _item(event: Event, view: EventView, *, agent: str, id_: str) -> ItemView:
    return ItemView(
        id=id_,
        agent=agent,
        kind="steer" if event.steer else KINDS.get(event.source, "event"),
        source=event.source,
        type=event.type,
        sender=event.by,
        text=event.text,
        priority=event.priority,
        order=number(id_) * ORDER_STEP,
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
