"""The inboxes: what waits for each agent, in the order it will be worked off.

Priority first, then arrival; one item of an agent at a time. The inboxes follow the ledger: an item is put in
when its entry was committed, and by nothing else.
"""

from bisect import insort
from collections.abc import Callable
from datetime import datetime

from dayshift.core.states import ItemState
from dayshift.core.views import ItemView

ATTEMPTS_MAX = 3
"""After so many runs that died on it, an item is parked instead of being tried again."""

Key = tuple[int, int, str]


class Inboxes:
    """The waiting items of one office, per agent."""

    def __init__(self) -> None:
        """Empty inboxes."""
        self._order: dict[str, list[Key]] = {}
        self._items: dict[str, ItemView] = {}
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
            self._items[item.id] = item
            insort(self._order.setdefault(item.agent, []), _key(item))
        if item.state is ItemState.QUEUED:
            for told in self._arrived:
                told(item.agent)

    def next(self, agent: str) -> ItemView | None:
        """The item an agent should work on now, ``None`` when nothing waits. Paused items are passed over."""
        for key in self._order.get(agent, ()):
            item = self._items[key[2]]
            if item.state is ItemState.QUEUED:
                return item
        return None

    def steering(self, agent: str) -> list[ItemView]:
        """Items that should enter the agent's running run, in order."""
        return [item for item in self.waiting(agent) if item.kind == "steer" and item.state is ItemState.QUEUED]

    def waiting(self, agent: str) -> list[ItemView]:
        """What waits for an agent, in order."""
        return [self._items[key[2]] for key in self._order.get(agent, ())]

    def agents_with_mail(self) -> list[str]:
        """Agents for whom something waits."""
        return sorted(agent for agent, keys in self._order.items() if keys)

    def _take_out(self, item: ItemView) -> None:
        del self._items[item.id]
        keys = self._order[item.agent]
        keys.remove(_key(item))
        if not keys:
            del self._order[item.agent]


def _key(item: ItemView) -> Key:
    return (-item.priority, item.order, item.id)


def is_expired(item: ItemView, now: datetime) -> bool:
    """Whether an item is no longer worth doing."""
    return item.expires_at is not None and item.expires_at <= now
