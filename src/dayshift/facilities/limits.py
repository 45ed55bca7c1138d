"""Rate limits: how often somebody may do something within a sliding window of office time."""

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

from dayshift.core.errors import LimitError


class RateLimit:
    """At most ``count`` times in ``window_s`` seconds per key; a refused try does not count."""

    def __init__(
        self, what: str, count: int, *, window_s: float, now: Callable[[], datetime]
    ) -> None:
        """``what`` names the thing in the refusal, for example ``messages``."""
        self._what = what
        self._count = count
        self._window = timedelta(seconds=window_s)
        self._now = now
        self._seen: dict[str, deque[datetime]] = {}

    def take(self, key: str) -> None:
        """Count one.

        Raises:
            LimitError: The limit is reached; names when the next one passes.
        """
        now = self._now()
        seen = self._seen.setdefault(key, deque())
        while seen and seen[0] <= now - self._window:
            seen.popleft()
        if len(seen) >= self._count:
            wait_s = (seen[0] + self._window - now).total_seconds()
            raise LimitError(
                f"{key} has reached the limit of {self._count} {self._what} in {self._window.total_seconds():g} s.",
                hint=f"The next one passes in {wait_s:.0f} s of office time; say more in one message.",
                retry_after_s=wait_s,
            )
        seen.append(now)
