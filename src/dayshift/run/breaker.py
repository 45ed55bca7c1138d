"""The loop breaker: notices that a run goes nowhere, from its own calls."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from dayshift.core.limits import IDENTICAL_FAILURES_MAX
from dayshift.core.states import CallState
from dayshift.facilities.past_runs import OpenRun
from dayshift.run.outcome import Outcome

NO_PROGRESS_TURNS_MAX = 8
"""Turns in a row in which every call was one made before with the same result."""
REASON_CHARS = 300


class Breaker:
    """Watches one run."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._failed: dict[tuple[str, str], int] = {}
        self._seen: dict[tuple[str, str], str] = {}
        self._stale_turns = 0

    def saw(self, outcomes: Sequence[Outcome]) -> str:
        """Take note of a turn's calls.

        Returns:
            Why the run should stop; empty when it may go on.
        """
        if not outcomes:
            return ""
        fresh = False
        for outcome in outcomes:
            key = (outcome.name, outcome.arguments)
            fresh = fresh or self._seen.get(key) != outcome.text
            self._seen[key] = outcome.text
            if outcome.ok:
                self._failed.pop(key, None)
                continue
            self._failed[key] = self._failed.get(key, 0) + 1
            if self._failed[key] >= IDENTICAL_FAILURES_MAX:
                return (
                    f"The same call of {outcome.name} failed {self._failed[key]} times with the "
                    f"same arguments: {outcome.text[:REASON_CHARS]}"
                )
        self._stale_turns = 0 if fresh else self._stale_turns + 1
        if self._stale_turns >= NO_PROGRESS_TURNS_MAX:
            return (
                f"{self._stale_turns} turns in a row repeated calls made before, "
                "with the same results."
            )
        return ""

    def recall(self, left: OpenRun) -> None:
        """Take note of the turns of a run that was left open, but for its last one."""
        last = left.turns[-1].n if left.turns else 0
        for turn, outcomes in groupby(past_outcomes(left), lambda outcome: outcome.turn):
            if turn < last:
                self.saw(list(outcomes))


def past_outcomes(left: OpenRun) -> Iterable[Outcome]:
    """The calls of a run that was left open, as far as they have ended."""
    for call in left.calls:
        view = call.view
        if view.ended_at is not None:
            ok = view.state is CallState.SUCCEEDED
            yield Outcome(view.turn, view.name, call.arguments, ok=ok, text=call.result)
