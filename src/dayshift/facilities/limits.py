"""Rate limits: how often somebody may do something within a sliding window of office time.

What was done lately stands in the ledger and is counted within the unit of work that does it: a
unit that is refused has used up nothing, and a restart forgets nothing.
"""

from datetime import datetime, timedelta

import msgspec

from dayshift.core.errors import LimitError
from dayshift.core.ledger import UnitOfWork
from dayshift.store import staff
from dayshift.store.rows import decode


class RateLimit(msgspec.Struct, frozen=True):
    """At most ``count`` times in ``window_s`` seconds by each of those who are limited.

    Attributes:
        name: What it is kept under.
        what: Names the thing in the refusal, for example ``messages``.
    """

    name: str
    what: str
    count: int
    window_s: float

    def take(self, unit: UnitOfWork, who: str, now: datetime) -> None:
        """Count one of somebody's.

        Raises:
            LimitError: The limit is reached; tells when the next one passes.
        """
        key = f"rate:{self.name}:{who}"
        stored = staff.mark(unit, unit.office, key)
        every = decode(stored, list[datetime]) if stored else []
        recent = [at for at in every if at > now - timedelta(seconds=self.window_s)]
        if len(recent) >= self.count:
            passes_at = recent[-self.count] + timedelta(seconds=self.window_s)
            wait_s = (passes_at - now).total_seconds()
            raise LimitError(
                f"{who} has reached the limit of {self.count} {self.what} "
                f"in {self.window_s:g} seconds.",
                hint=f"The next one passes in {wait_s:.0f} s; say more in one instead.",
                retry_after_s=wait_s,
            )
        staff.put_mark(unit, key, msgspec.json.encode([*recent, now]).decode())


MESSAGES = RateLimit("messages", "messages", 10, 30.0)
"""An agent's messages to people and colleagues."""
POSTS = RateLimit("posts", "posts in one channel", 5, 30.0)
"""An agent's posts, counted for each channel by itself."""
TASKS = RateLimit("tasks", "changes of tasks that others are told of", 40, 30.0)
"""An agent's changes on the board."""
