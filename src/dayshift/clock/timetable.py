"""The timetable: the office's ordered future, and the service that lets it fall due.

Entries wait in a heap by due time. The keeper waits for the next one, or for a change; it does not
poll. It hands each due entry to a callback, which writes what follows from it, and takes it out
when the callback is done; the callback must be idempotent by the entry's id, for a crash in between
brings the entry again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from heapq import heappop, heappush
from typing import Any

import msgspec
import structlog

from dayshift.clock.office_clock import OfficeClock
from dayshift.core.errors import OfficeError, StorageError

BOOKKEEPING = frozenset({"day"})
"""Purposes of entries that nobody waits for, such as the turn of the day.

A resting simulated office meets them on its way and does not skip to them: an office with nothing
else before it would otherwise run through its days for ever.
"""
RETRY_S = 5.0
"""Real seconds before an entry is tried again that the database or the disk refused."""

_log = structlog.get_logger()


class TimerEntry(msgspec.Struct, frozen=True):
    """Something that falls due.

    Attributes:
        id: Unique within the office, never used again.
        due_at: Aware moment of office time.
        agent: Whom it concerns; empty for the office.
        purpose: What kind of thing falls due, in a word or two.
        payload: What the purpose needs to know.
    """

    id: str
    due_at: datetime
    agent: str
    purpose: str
    payload: dict[str, Any] = {}


Key = tuple[datetime, str]


class Timetable:
    """Entries by due time, those of one moment by id, so that a restart keeps their order."""

    def __init__(self) -> None:
        """An empty timetable."""
        self._entries: dict[str, TimerEntry] = {}
        self._heap: list[Key] = []
        self._watchers: list[Callable[[], None]] = []

    def __len__(self) -> int:
        """How many entries are set."""
        return len(self._entries)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told of every change."""
        self._watchers.append(watcher)

    def set(self, entry: TimerEntry) -> None:
        """Put an entry in; one of the same id is replaced, and falls due no more.

        Raises:
            ValueError: The moment has no zone.
        """
        if entry.due_at.tzinfo is None:
            message = f"The due time of {entry.id} has no zone."
            raise ValueError(message)
        self._entries[entry.id] = entry
        heappush(self._heap, _key(entry))
        self._tell()

    def cancel(self, id_: str) -> bool:
        """Take an entry out; returns whether it was set."""
        known = self._entries.pop(id_, None)
        if known is not None:
            self._tell()
        return known is not None

    def is_awaited(self) -> bool:
        """Whether there is an entry worth skipping to."""
        return any(entry.purpose not in BOOKKEEPING for entry in self._entries.values())

    def first(self) -> TimerEntry | None:
        """The entry that falls due next, ``None`` when there is none."""
        while self._heap:  # each round takes a stale key out, or ends
            due_at, id_ = self._heap[0]
            entry = self._entries.get(id_)
            if entry is not None and _key(entry)[0] == due_at:
                return entry
            heappop(self._heap)
        return None

    def next_due(self) -> datetime | None:
        """When the next entry falls due, ``None`` when nothing is set."""
        entry = self.first()
        return entry.due_at if entry else None

    def due(self, now: datetime) -> list[TimerEntry]:
        """The entries that are due at a moment, in their order; they stay set."""
        moment = now.astimezone(UTC)
        return [entry for entry in self.entries() if _key(entry)[0] <= moment]

    def entries(self) -> list[TimerEntry]:
        """All entries in the order in which they fall due."""
        return sorted(self._entries.values(), key=_key)

    def done(self, entry: TimerEntry) -> None:
        """Take out an entry that has fired, unless another was set under its id meanwhile."""
        if self._entries.get(entry.id) is entry:
            del self._entries[entry.id]

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()


class TimetableKeeper:
    """Lets entries fall due, one after the other, each once."""

    name = "timetable"

    def __init__(
        self,
        timetable: Timetable,
        clock: OfficeClock,
        fire: Callable[[TimerEntry], Awaitable[None]],
        *,
        retry_s: float = RETRY_S,
    ) -> None:
        """``fire`` writes down what follows from an entry, idempotent by its id.

        What it raises as StorageError is tried again after ``retry_s`` real seconds; any other
        OfficeError is final: it is logged, and the entry is taken out.
        """
        self._timetable = timetable
        self._clock = clock
        self._fire = fire
        self._retry_s = retry_s
        self._changed = asyncio.Event()
        self._stopped = asyncio.Event()
        timetable.watch(self._changed.set)
        clock.watch(self._changed.set)

    def stop(self) -> None:
        """End ``run`` after the entry it is firing."""
        self._stopped.set()
        self._changed.set()

    def look_again(self) -> None:
        """Look at the clock now, for example because it is known to have jumped."""
        self._changed.set()

    async def run(self) -> None:
        """Fire what falls due, until stopped."""
        while not self._stopped.is_set():
            self._changed.clear()
            entry = self._timetable.first()
            if entry is None:
                await self._changed.wait()
            elif self._clock.reach(entry.due_at, may_skip=self._timetable.is_awaited()):
                await self._let_fall(entry)
            else:
                may_skip = self._timetable.is_awaited()
                await _wait(self._changed, self._clock.wait_s(entry.due_at, may_skip=may_skip))

    async def _let_fall(self, entry: TimerEntry) -> None:
        """Fire an entry; when it cannot be written down now, keep it, and wait a little."""
        try:
            await self._fire(entry)
        except StorageError as error:
            _log.warning("timer_delayed", timer_id=entry.id, code=error.code, retry_s=self._retry_s)
            await _wait(self._stopped, self._retry_s)
        except OfficeError as error:
            _log.error("timer_refused", timer_id=entry.id, code=error.code, reason=error.message)
            self._timetable.done(entry)
        else:
            self._timetable.done(entry)


async def _wait(event: asyncio.Event, seconds: float | None) -> None:
    """Wait for an event, at most some real seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return


def _key(entry: TimerEntry) -> Key:
    return (entry.due_at.astimezone(UTC), entry.id)
