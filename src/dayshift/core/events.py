"""Events: something happened that may concern agents."""

from typing import Any

import msgspec

from dayshift.core.states import Priority

SOURCES = ("time", "task", "mail", "talk", "channel", "person", "webhook", "custom")


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What is published on the bus.

    Attributes:
        source: One of ``SOURCES``.
        type: What kind of thing, for example ``message`` or ``new_pr``.
        target: Agent name; empty for a broadcast.
        text: What the filter matches and the agent reads.
        dedup_key: A second event with the same key is the same event; empty for none.
        expires_in_s: Seconds of office time after which a waiting item is no longer worth doing;
            0 for never.
        thread: The people-side thread it belongs to.
        task: The task it is about.
        hops: Agents' messages since a person's last one.
        steer: Whether it should enter a run that is under way, before its next model request.
    """

    source: str
    type: str
    text: str
    priority: Priority = Priority.NORMAL
    target: str = ""
    payload: dict[str, Any] = {}
    by: str = "office"
    dedup_key: str = ""
    expires_in_s: float = 0.0
    thread: str = ""
    task: str = ""
    hops: int = 0
    steer: bool = False
