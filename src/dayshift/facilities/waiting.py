"""What people do with items that wait: hold back, let go on, take out, reorder; and with whole inboxes."""

from collections.abc import Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.states import ItemState
from dayshift.core.views import AgentView, ItemView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import Inboxes
from dayshift.store import arrivals, staff
from dayshift.store.writer import Unit

ENDED_SHOWN = 200
WAITING = frozenset({ItemState.QUEUED, ItemState.PAUSED, ItemState.PARKED})


class Waiting:
    """The inboxes of one office as people see them."""

    def __init__(self, bus: Bus, inboxes: Inboxes, book: DutyBook) -> None:
        """Changes go through the ledger; the inboxes follow."""
        self._bus = bus
        self._inboxes = inboxes
        self._book = book

    async def items(self, agent: str, *, state: str) -> Sequence[ItemView]:
        """An agent's items in the order they will be taken, then those that ended lately."""
        self._book.one(agent)
        if state and state not in set(ItemState):
            raise InvalidError(
                f"There is no item state {state!r}.", hint=f"One of: {', '.join(ItemState)}."
            )
        waiting = self._inboxes.waiting(agent)
        known = {item.id for item in waiting}
        recent = await self._bus.read(
            lambda r: arrivals.recent_items(r, self._bus.office, agent=agent, limit=ENDED_SHOWN)
        )
        every = [*waiting, *(item for item in recent if item.id not in known)]
        return [item for item in every if not state or item.state == state]

    async def cancel(self, item: str, *, by: str) -> ItemView:
        """Take a waiting item out."""
        return await self._change(item, ItemState.CANCELLED, by=by, reason="cancelled by a person")

    async def pause(self, item: str, *, by: str) -> ItemView:
        """Hold a waiting item back."""
        return await self._change(item, ItemState.PAUSED, by=by, reason="held back by a person")

    async def resume(self, item: str, *, by: str) -> ItemView:
        """Let a paused or parked item go on."""
        return await self._change(item, ItemState.QUEUED, by=by, reason="")

    async def _change(self, id_: str, state: ItemState, *, by: str, reason: str) -> ItemView:
        def work(unit: Unit) -> ItemView:
            item = _waiting(unit, id_)
            after = msgspec.structs.replace(item, state=state, reason=reason)
            if after != item:
                arrivals.put_item(unit, after)
            return after

        return await self._bus.commit(work, actor=by)

    async def move(self, item: str, *, before: str | None, by: str) -> ItemView:
        """Put a waiting item before another of the same agent and priority, or to the end."""

        def work(unit: Unit) -> ItemView:
            moving = _waiting(unit, item)
            same = [
                one
                for one in arrivals.items(unit, unit.office, agent=moving.agent, states=WAITING)
                if one.priority == moving.priority and one.id != moving.id
            ]
            order = sorted(same, key=lambda one: (one.order, one.id))
            at = len(order)
            if before is not None:
                _waiting(unit, before)
                places = [index for index, one in enumerate(order) if one.id == before]
                if not places:
                    raise ConflictError(
                        f"{item} and {before} are not in the same queue.",
                        hint="Same agent and same priority.",
                    )
                at = places[0]
            order.insert(at, moving)
            base = min(one.order for one in order)
            moved = moving
            for index, one in enumerate(order):
                if one.order != base + index:
                    after = msgspec.structs.replace(one, order=base + index)
                    arrivals.put_item(unit, after)
                    moved = after if one.id == item else moved
            return moved

        return await self._bus.commit(work, actor=by)

    async def pause_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take nothing more."""
        return await self._inbox_of(name, is_paused=True, by=by)

    async def resume_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take items again."""
        return await self._inbox_of(name, is_paused=False, by=by)

    async def _inbox_of(self, name: str, *, is_paused: bool, by: str) -> AgentView:
        def work(_unit: Unit) -> AgentView:
            view = msgspec.structs.replace(self._book.one(name), inbox_paused=is_paused)
            staff.put_agent(_unit, view)
            return view

        return await self._bus.commit(work, actor=by)


def _waiting(unit: Unit, id_: str) -> ItemView:
    item = arrivals.item(unit, unit.office, id_)
    if item is None:
        raise NotFoundError(f"There is no inbox item {id_}.")
    if item.state not in WAITING:
        raise ConflictError(
            f"{id_} is {item.state} and no longer waits.",
            hint="Cancel its run instead." if item.run else "",
        )
    return item
