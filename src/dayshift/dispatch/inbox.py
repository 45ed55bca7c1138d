"""The inboxes: what waits for each agent, in the order it will be worked off.

Priority first, then arrival; one item of an agent at a time. The inboxes follow the ledger: an item
is put in when its entry was committed, and by nothing else.
"""

from bisect import bisect_left, insort
from collections.abc import Callable
from datetime import datetime
from heapq import merge

from dayshift.core.states import ItemState
from dayshift.core.views import ItemView

ATTEMPTS_MAX = 3
"""After so many runs that died on it, an item is parked instead of being tried again."""
ORDER_STEP = 1 << 16
"""Distance of two arrivals in ``ItemView.order``, so that an item can be put between them."""

Key = tuple[int, int, str]


class _Queue:
    """What waits for one agent; each list in order."""

    __slots__ = ("held", "ready", "steering")

    def __init__(self) -> None:
        self.ready: list[Key] = []
        self.steering: list[Key] = []
        self.held: list[Key] = []

    def of(self, item: ItemView) -> list[Key]:
        """The list an item belongs to."""
        if item.state is ItemState.PAUSED:
            return self.held
        return self.steering if item.kind == "steer" else self.ready

    def is_empty(self) -> bool:
        return not (self.ready or self.steering or self.held)


class Inboxes:
    """The waiting items of one office, per agent."""

    def __init__(self) -> None:
        """Empty inboxes."""
        self._queues: dict[str, _Queue] = {}
        self._items: dict[str, ItemView] = {}
        self._with_mail: set[str] = set()
        self._expiring: list[tuple[datetime, str]] = []
        self._arrived: list[Callable[[str], None]] = []

    def on_arrival(self, told: Callable[[str], None]) -> None:
        """Hear the agent's name whenever an item waits for it anew."""
        self._arrived.append(told)

    def keep(self, item: ItemView) -> None:
        """Follow a committed item."""
        known = self._items.get(item.id)
        if known is not None:
            self._take_out(known)
        if item.state in {ItemState.QUEUED, ItemState.PAUSED}:
            self._put_in(item)
        self._note(item.agent)
        if item.state is ItemState.QUEUED:
            for told in self._arrived:
                told(item.agent)

    def next(self, agent: str) -> ItemView | None:
        """The item an agent should work on now, ``None`` when nothing waits.

        Items that are held back are passed over.
        """
        queue = self._queues.get(agent)
        heads = [keys[0] for keys in (queue.ready, queue.steering) if keys] if queue else []
        return self._items[min(heads)[2]] if heads else None

    def steering(self, agent: str) -> list[ItemView]:
        """Items that should enter the agent's running run, in order."""
        queue = self._queues.get(agent)
        return [self._items[key[2]] for key in queue.steering] if queue else []

    def waiting(self, agent: str) -> list[ItemView]:
        """What waits for an agent, held back or not, in order."""
        queue = self._queues.get(agent)
        if queue is None:
            return []
        return [self._items[key[2]] for key in merge(queue.ready, queue.steering, queue.held)]

    def agents_with_mail(self) -> list[str]:
        """Agents for whom something waits that is not held back."""
        return sorted(self._with_mail)

    def expired(self, now: datetime) -> list[ItemView]:
        """What waits and is no longer worth doing, the longest over first."""
        end = bisect_left(self._expiring, (now, chr(0x10FFFF)))
        return [self._items[id_] for _, id_ in self._expiring[:end]]

    def _put_in(self, item: ItemView) -> None:
        self._items[item.id] = item
        queue = self._queues.setdefault(item.agent, _Queue())
        insort(queue.of(item), _key(item))
        if item.expires_at is not None:
            insort(self._expiring, (item.expires_at, item.id))

    def _take_out(self, item: ItemView) -> None:
        del self._items[item.id]
        queue = self._queues[item.agent]
        keys = queue.of(item)
        del keys[bisect_left(keys, _key(item))]
        if queue.is_empty():
            del self._queues[item.agent]
        if item.expires_at is not None:
            del self._expiring[bisect_left(self._expiring, (item.expires_at, item.id))]

    def _note(self, agent: str) -> None:
        queue = self._queues.get(agent)
        if queue is not None and (queue.ready or queue.steering):
            self._with_mail.add(agent)
        else:
            self._with_mail.discard(agent)


def _key(item: ItemView) -> Key:
    return (-item.priority, item.order, item.id)


def is_expired(item: ItemView, now: datetime) -> bool:
    """Whether an item is no longer worth doing."""
    return item.expires_at is not None and item.expires_at <= now
