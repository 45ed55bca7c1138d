"""The loop breaker: notices that a run goes nowhere, from its own calls."""

from dayshift.core.limits import IDENTICAL_FAILURES_MAX

NO_PROGRESS_TURNS_MAX = 8
"""Turns in a row in which every call was one made before with the same result."""


class Breaker:
    """Watches one run."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._failed: dict[tuple[str, str], int] = {}
        self._seen: dict[tuple[str, str], str] = {}
        self._stale_turns = 0

    def saw(self, calls: list[tuple[str, str, bool, str]]) -> str:
        """Take note of a turn's calls: name, arguments, ok, result.

        Returns:
            Why the run should stop; empty when it may go on.
        """
        if not calls:
            return ""
        fresh = False
        for name, arguments, ok, result in calls:
            key = (name, arguments)
            fresh = fresh or self._seen.get(key) != result
            self._seen[key] = result
            if ok:
                self._failed.pop(key, None)
                continue
            self._failed[key] = self._failed.get(key, 0) + 1
            if self._failed[key] >= IDENTICAL_FAILURES_MAX:
                return f"The same call of {name} failed {self._failed[key]} times with the same arguments: {result[:300]}"
        self._stale_turns = 0 if fresh else self._stale_turns + 1
        if self._stale_turns >= NO_PROGRESS_TURNS_MAX:
            return f"{self._stale_turns} turns in a row repeated calls made before, with the same results."
        return ""
