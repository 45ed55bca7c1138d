"""The state mask: the first layer of the attention filter, which looks at nothing but who is awake.

| duty                            | ordinary broadcast | bell of the clock, emergency |
|---------------------------------|--------------------|------------------------------|
| on duty                         | ask salience       | let in                       |
| waiting, wrapping up, off duty  | keep out           | let in                       |

An agent's own event is kept out always: nobody is woken by what it said itself.
"""

from enum import StrEnum

from dayshift.core.events import Event
from dayshift.core.states import Duty
from dayshift.dispatch.rules import Reach, reach_of


class Gate(StrEnum):
    """What the mask says."""

    ASK = "ask"
    LET_IN = "let_in"
    KEEP_OUT = "keep_out"


def mask(event: Event, duty: Duty, agent: str) -> Gate:
    """What the mask says to a broadcast for one agent."""
    if is_own(event, agent):
        return Gate.KEEP_OUT
    if reach_of(event) is not Reach.BROADCAST:
        return Gate.LET_IN
    return Gate.ASK if duty is Duty.ON_DUTY else Gate.KEEP_OUT


def is_own(event: Event, agent: str) -> bool:
    """Whether the agent itself is the author."""
    return event.by == f"agent:{agent}"
