"""Retention: the inner life of work that ended long ago is forgotten, its outcome and cost stay."""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from dayshift.bus.bus import Bus
from dayshift.core.details import Pruned
from dayshift.core.errors import StorageError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import RunView
from dayshift.store import retention as rows
from dayshift.store.rows import number

log = structlog.get_logger()
RUNS_AT_ONCE = 20
ROWS_AT_ONCE = 500
"""Bounds of one unit of work: others wait for it no longer than for any other."""


class Retention:
    """Takes old work out of one office's ledger, a little at a time."""

    def __init__(self, bus: Bus, keep_days: int | None) -> None:
        """``keep_days``: days for which all is kept; ``None`` keeps it for ever."""
        self._bus = bus
        self._keep_days = keep_days

    async def sweep(self) -> None:
        """Forget what is older than the office keeps; what the database refuses waits a day."""
        if self._keep_days is None:
            return
        try:
            await self.prune(self._keep_days, by="office")
        except StorageError as error:
            log.warning("not_pruned", office=self._bus.office, reason=error.message)

    async def prune(self, keep_days: int, *, by: str) -> Pruned:
        """Forget what ended before the last ``keep_days`` days of 24 hours; 0 is all that ended.

        It can be cut off at any point, and done again.
        """
        before = self._bus.clock.now() - timedelta(days=keep_days)
        runs, dialogues = await self._runs(before)
        for dialogue in dialogues:
            await self._empty(dialogue)
        found = Pruned(
            runs=runs,
            entries=await self._entries(before),
            items=await self._each(rows.forget_items, before),
            events=await self._each(rows.forget_events, before),
        )
        log.info("pruned", office=self._bus.office, by=by, runs=runs, entries=found.entries)
        return found

    async def _runs(self, before: datetime) -> tuple[int, set[str]]:
        """Empty the runs that ended before a moment; how many, and the dialogues they were in."""
        office = self._bus.office
        n = await self._bus.read(lambda r: rows.first_whole_run(r, office))
        emptied, dialogues = 0, set[str]()
        while n:
            runs = await self._bus.read(
                lambda r, n=n: rows.runs_from(r, office, n, limit=RUNS_AT_ONCE)
            )
            over = [run for run in runs if rows.is_over(run, before)]
            emptied += await self._bus.commit(_emptying(over)) if over else 0
            dialogues.update(run.dialogue for run in over)
            is_last = len(runs) < RUNS_AT_ONCE or runs[-1].started_at >= before
            n = 0 if is_last else number(runs[-1].id) + 1
        return emptied, dialogues

    async def _empty(self, dialogue: str) -> None:
        today = self._bus.clock.day()
        await self._bus.commit(lambda unit: rows.empty_dialogue(unit, dialogue, today=today))

    async def _entries(self, before: datetime) -> int:
        office = self._bus.office
        below = await self._bus.read(lambda r: rows.first_needed_entry(r, office, before))
        total, gone = 0, -1
        while gone:
            gone = await self._bus.commit(
                lambda unit: rows.forget_entries(unit, below=below, limit=ROWS_AT_ONCE)
            )
            total += gone
        return total

    async def _each(self, forget: Callable[..., tuple[int, int]], before: datetime) -> int:
        total, after, is_more = 0, 0, True
        while is_more:
            gone, after = await self._bus.commit(
                lambda unit, after=after: forget(unit, before, after=after, limit=ROWS_AT_ONCE)
            )
            total += gone
            is_more = after > 0
        return total


def _emptying(runs: list[RunView]) -> Callable[[UnitOfWork], int]:
    """A unit that empties some runs and tells how many of them were whole."""

    def work(unit: UnitOfWork) -> int:
        return sum(rows.empty_run(unit, run) > 0 for run in runs)

    return work
