"""What people do with items that wait: hold back, let go on, take out, reorder; and with inboxes.

An item whose time is over is settled as expired, at the latest when its turn comes.
"""

from collections.abc import Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import ItemState
from dayshift.core.views import AgentView, ItemView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import ORDER_STEP, Inboxes, is_expired
from dayshift.facilities.alerts import Alarm, raise_alert
from dayshift.store import arrivals

ENDED_SHOWN = 200
UNDELIVERED_SHOWN = 10
EXCERPT_CHARS = 120
WAITING = frozenset({ItemState.QUEUED, ItemState.PAUSED, ItemState.PARKED})
TOO_LATE = "nobody got to it in time"


class Waiting:
    """The inboxes of one office as people see them."""

    def __init__(self, bus: Bus, inboxes: Inboxes, book: DutyBook) -> None:
        """Changes go through the ledger; the inboxes follow."""
        self._bus = bus
        self._inboxes = inboxes
        self._book = book

    async def items(self, agent: str, *, state: str) -> Sequence[ItemView]:
        """An agent's items in the order they will be taken, then those that ended lately.

        Raises:
            NotFoundError: No such agent.
            InvalidError: No such state.
        """
        self._book.one(agent)
        if state and state not in set(ItemState):
            raise InvalidError(
                f"There is no item state {state!r}.", hint=f"One of: {', '.join(ItemState)}."
            )
        await self.sweep()
        office = self._bus.office
        opened = await self._bus.read(lambda r: arrivals.items(r, office, agent=agent))
        ended = await self._bus.read(
            lambda r: arrivals.ended_items(r, office, agent=agent, limit=ENDED_SHOWN)
        )
        opened.sort(key=lambda item: (_RANKS[item.state], -item.priority, item.order, item.id))
        known = {item.id for item in opened}
        every = [*opened, *(item for item in ended if item.id not in known)]
        return [item for item in every if not state or item.state == state]

    async def cancel(self, item: str, *, by: str) -> ItemView:
        """Take a waiting item out.

        Raises:
            NotFoundError: No such item.
            ConflictError: It is being worked on, or has ended.
        """
        return await self._change(item, ItemState.CANCELLED, by=by, reason="cancelled by a person")

    async def pause(self, item: str, *, by: str) -> ItemView:
        """Hold a waiting item back; raises like ``cancel``."""
        return await self._change(item, ItemState.PAUSED, by=by, reason="held back by a person")

    async def resume(self, item: str, *, by: str) -> ItemView:
        """Let a paused or parked item go on, with all its tries; raises like ``cancel``."""
        return await self._change(item, ItemState.QUEUED, by=by, reason="")

    async def move(self, item: str, *, before: str | None, by: str) -> ItemView:
        """Put a waiting item before another of the same agent and priority, or to the end.

        Raises:
            NotFoundError: No such item, or no such ``before``.
            ConflictError: One of them no longer waits, or they are of different queues.
        """

        def work(unit: UnitOfWork) -> ItemView:
            moving = _waiting(unit, item)
            others = [
                one
                for one in arrivals.items(unit, unit.office, agent=moving.agent)
                if one.state in WAITING and one.priority == moving.priority and one.id != moving.id
            ]
            others.sort(key=lambda one: (one.order, one.id))
            if before is None:
                return _placed(unit, moving, others, len(others))
            _waiting(unit, before)
            at = next((index for index, one in enumerate(others) if one.id == before), None)
            if at is None:
                raise ConflictError(
                    f"{item} cannot be put before {before}.",
                    hint="They must be two items of the same agent and the same priority.",
                )
            return _placed(unit, moving, others, at)

        return await self._bus.commit(work, actor=by)

    async def pause_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take nothing more; raises NotFoundError."""
        return await self._bus.commit(
            lambda unit: self._book.pause_inbox(unit, name, is_paused=True), actor=by
        )

    async def resume_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take items again; raises NotFoundError."""
        return await self._bus.commit(
            lambda unit: self._book.pause_inbox(unit, name, is_paused=False), actor=by
        )

    async def sweep(self) -> None:
        """Settle every item that waits and is no longer worth doing."""
        late = self._inboxes.expired(self._bus.clock.now())
        if late:
            await self._bus.commit(lambda unit: self._expire(unit, late))

    def leave(self, unit: UnitOfWork, agent: str) -> None:
        """Take out what waits for an agent that works here no longer; the people hear of it."""
        reason = f"{agent} works here no longer"
        gone = [
            one for one in arrivals.items(unit, unit.office, agent=agent) if one.state in WAITING
        ]
        for item in gone:
            _put(unit, item, ItemState.CANCELLED, reason)
        if gone:
            lines = [
                f"{item.id} from {item.sender}: {' '.join(item.text.split())[:EXCERPT_CHARS]}"
                for item in gone[:UNDELIVERED_SHOWN]
            ]
            alarm = Alarm(
                code="items_undelivered",
                fold=f"undelivered:{agent}",
                agent=agent,
                text="\n".join([f"{len(gone)} undelivered, since {reason}:", *lines]),
                hint="Send them to someone else, if they still matter.",
            )
            raise_alert(unit, alarm, self._bus)

    async def _change(self, id_: str, state: ItemState, *, by: str, reason: str) -> ItemView:
        return await self._bus.commit(
            lambda unit: _put(unit, _waiting(unit, id_), state, reason), actor=by
        )

    def _expire(self, unit: UnitOfWork, late: Sequence[ItemView]) -> None:
        now = self._bus.clock.now()
        for one in late:
            item = arrivals.item(unit, unit.office, one.id)
            if item is not None and item.state in WAITING and is_expired(item, now):
                _put(unit, item, ItemState.EXPIRED, TOO_LATE)


_RANKS = {
    ItemState.TAKEN: 0,
    ItemState.QUEUED: 1,
    ItemState.PAUSED: 1,
    ItemState.PARKED: 2,
}


def _waiting(unit: UnitOfWork, id_: str) -> ItemView:
    item = arrivals.item(unit, unit.office, id_)
    if item is None:
        raise NotFoundError(f"There is no inbox item {id_}.")
    if item.state not in WAITING:
        raise ConflictError(
            f"{id_} is {item.state} and no longer waits.",
            hint="Cancel its run instead." if item.state is ItemState.TAKEN else "",
        )
    return item


def _put(unit: UnitOfWork, item: ItemView, state: ItemState, reason: str) -> ItemView:
    is_retried = item.state is ItemState.PARKED and state is ItemState.QUEUED
    attempts = 0 if is_retried else item.attempts
    after = msgspec.structs.replace(item, state=state, reason=reason, attempts=attempts)
    if after != item:
        arrivals.put_item(unit, after)
    return after


def _placed(unit: UnitOfWork, moving: ItemView, others: list[ItemView], at: int) -> ItemView:
    """Put an item in its place among the others of its queue, which are in order."""
    low = others[at - 1].order if at else None
    high = others[at].order if at < len(others) else None
    order = _between(low, high, moving.order)
    if order is None:
        for index, one in enumerate(others):
            spread = (index + (index >= at)) * ORDER_STEP
            arrivals.put_item(unit, msgspec.structs.replace(one, order=spread))
        order = at * ORDER_STEP
    after = msgspec.structs.replace(moving, order=order)
    if after != moving:
        arrivals.put_item(unit, after)
    return after


def _between(low: int | None, high: int | None, as_it_is: int) -> int | None:
    """A number between two; ``None`` when there is none."""
    if low is None and high is None:
        return as_it_is
    if high is None:
        return (low or 0) + 1
    if low is None:
        return high - ORDER_STEP
    middle = (low + high) // 2
    return middle if low < middle < high else None
