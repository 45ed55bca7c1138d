"""The delivery table: what reaches an agent in which duty state.

| duty        | ordinary broadcast    | addressed to it | emergency |
|-------------|-----------------------|-----------------|-----------|
| on duty     | delivered, if salient | delivered       | delivered |
| waiting     | dropped               | held            | delivered |
| wrapping up | dropped               | held            | delivered |
| off duty    | dropped               | held            | delivered |

Held means: it lies in the agent's inbox, and is begun when the agent is on duty again.
Bells and other events of the office clock count as addressed to everyone.
"""

from enum import StrEnum

from dayshift.core.events import Event
from dayshift.core.states import Duty, Priority


class Reach(StrEnum):
    """How an event comes to an agent."""

    BROADCAST = "broadcast"
    ADDRESSED = "addressed"
    EMERGENCY = "emergency"


class Delivery(StrEnum):
    """What becomes of it."""

    DELIVERED = "delivered"
    HELD = "held"
    DROPPED = "dropped"


_AWAY = {
    Reach.BROADCAST: Delivery.DROPPED,
    Reach.ADDRESSED: Delivery.HELD,
    Reach.EMERGENCY: Delivery.DELIVERED,
}
DELIVERIES: dict[Duty, dict[Reach, Delivery]] = {
    Duty.ON_DUTY: dict.fromkeys(Reach, Delivery.DELIVERED),
    Duty.WAIT: _AWAY,
    Duty.WRAPPING_UP: _AWAY,
    Duty.OFF_DUTY: _AWAY,
}


def reach_of(event: Event) -> Reach:
    """How an event comes to the agents it may concern."""
    if event.priority >= Priority.EMERGENCY:
        return Reach.EMERGENCY
    return Reach.ADDRESSED if event.target or event.source == "time" else Reach.BROADCAST


def delivery(duty: Duty, event: Event) -> Delivery:
    """What becomes of an event for an agent; a broadcast must be salient besides."""
    return DELIVERIES[duty][reach_of(event)]


def may_start(duty: Duty, priority: int) -> bool:
    """Whether an agent may begin an inbox item of that priority; if not, the item is held."""
    is_emergency = priority >= Priority.EMERGENCY
    reach = Reach.EMERGENCY if is_emergency else Reach.ADDRESSED
    return DELIVERIES[duty][reach] is Delivery.DELIVERED
