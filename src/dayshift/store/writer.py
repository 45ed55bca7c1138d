"""The one writer: units of work, committed in groups on a thread of its own.

Units that wait while a commit is under way are committed together, so that durability costs one
flush a group. They run one after the other in one transaction; when one of them fails after it has
written something, all is undone and the group is run again with a savepoint each, and when the
database itself refuses, each is run again by itself. So a unit's failure undoes that unit alone.

After the commit, entries are told to subscribers in the order of their numbers, and only then does
the caller go on: what is in memory never runs ahead of the disk.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine

from dayshift.core.errors import StorageError
from dayshift.core.redaction import Redactor
from dayshift.store.complaints import storage_error
from dayshift.store.session import LostError, RefusedError, Session, UnsureError
from dayshift.store.unit import Committed, Unit

__all__ = ["Committed", "Unit", "Writer"]

T = TypeVar("T")
GROUP_MAX = 256
RECONNECT_S = (0.05, 0.2, 0.5, 1.0, *[2.0] * 30)
"""Waits before a lost connection is tried again, in real seconds; units wait a minute for it."""


class Job(Generic[T]):
    """A unit of work that waits for its turn."""

    __slots__ = ("actor", "at", "entries", "error", "future", "office", "result", "work")

    def __init__(self, office: str, work: Callable[[Unit], T], *, at: datetime, actor: str) -> None:
        self.office = office
        self.work = work
        self.at = at
        self.actor = actor
        self.result: T | None = None
        self.error: Exception | None = None
        self.entries: list[Committed] = []
        self.future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def reset(self, error: Exception | None = None) -> None:
        """Forget what it came to; with an error, it came to nothing."""
        self.error = error
        self.result = None
        self.entries = []


class _SpoiltError(Exception):
    """A unit failed after it had written something: the transaction holds half of it."""


class Writer:
    """Commits units of work in groups. One a process; started and closed by its owner."""

    def __init__(
        self, engine: Engine, told: Callable[[Sequence[Committed]], None], redactor: Redactor
    ) -> None:
        """``told`` hears each unit's committed entries on the event loop, in order."""
        self.engine = engine
        self.group_max = GROUP_MAX
        self._session = Session(engine, redactor)
        self._told = told
        self._queue: SimpleQueue[Job[Any] | None] = SimpleQueue()
        """What waits; ``None`` at its end, when the writer is closed."""
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def commits(self) -> int:
        """How many groups were committed."""
        return self._session.commits

    def start(self) -> None:
        """Start the writer's thread; call on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    async def commit(
        self, office: str, work: Callable[[Unit], T], *, at: datetime, actor: str
    ) -> T:
        """Run a unit of work and return its result once it is on disk.

        Cancelling the wait does not cancel the work.

        Raises:
            OfficeError: What the work raised, or StorageError when the database or the disk
                refused; nothing was changed.
        """
        if self._closed.is_set():
            raise StorageError("The ledger is closed; the server is stopping.")
        job = Job(office, work, at=at, actor=actor)
        self._queue.put(job)
        return await job.future

    async def close(self) -> None:
        """Finish what is queued and stop."""
        self._closed.set()
        self._queue.put(None)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    # What follows runs on the writer's thread.

    def _run(self) -> None:
        while group := self._next_group():
            self._settle(group)
            self._deliver(group)
        self._session.drop()

    def _next_group(self) -> list[Job[Any]]:
        """The units that wait; empty when the writer is closed and none is left."""
        group: list[Job[Any]] = []
        job = self._queue.get()
        while job is not None:
            group.append(job)
            if len(group) == self.group_max or self._queue.empty():
                return group
            job = self._queue.get()
        if group:
            self._queue.put(None)
        return group

    def _settle(self, group: list[Job[Any]]) -> None:
        """Bring every unit of a group to its result or its error."""
        try:
            self._carry_out(group)
        except RefusedError as refused:
            if len(group) == 1:
                group[0].reset(storage_error(refused.__cause__ or refused))
                return
            for job in group:
                self._settle([job])
        except Exception as error:  # noqa: BLE001  the writer outlives any group; its callers are told
            cause = error.__cause__ if isinstance(error, LostError) else None
            failure = storage_error(cause or error)
            for job in group:
                job.reset(failure)

    def _carry_out(self, group: list[Job[Any]]) -> None:
        """Commit a group; over a lost connection, again, and never twice."""
        is_unsure = False
        for wait_s in (*RECONNECT_S, None):
            try:
                if is_unsure and self._is_committed(group):
                    return
                is_unsure = False
                self._commit(group)
            except LostError as lost:
                is_unsure = is_unsure or isinstance(lost, UnsureError)
                self._session.drop()
                if wait_s is None:
                    raise
                self._pause(wait_s)
            except BaseException:
                self._session.drop()
                raise
            else:
                return

    def _commit(self, group: list[Job[Any]]) -> None:
        for job in group:
            job.reset()
        try:
            self._together(group)
        except _SpoiltError:
            if len(group) > 1:
                self._apart(group)

    def _together(self, group: list[Job[Any]]) -> None:
        """Run the units one after the other; one that fails before it wrote anything just fails."""
        with self._session.transaction(lambda: _entries(group)) as means:
            for job in group:
                unit = Unit(means, job.office, at=job.at, actor=job.actor)
                self._work(job, unit)
                if job.error is not None and unit.has_written:
                    raise _SpoiltError

    def _apart(self, group: list[Job[Any]]) -> None:
        """Run the units in a savepoint each, so that one that fails can be undone by itself."""
        for job in group:
            job.reset()
        with self._session.transaction(lambda: _entries(group)) as means:
            for job in group:
                mark = self._session.counters.mark()
                savepoint = means.connection.begin_nested()
                self._work(job, Unit(means, job.office, at=job.at, actor=job.actor))
                if job.error is None:
                    savepoint.commit()
                else:
                    savepoint.rollback()
                    self._session.counters.back_to(mark)

    def _work(self, job: Job[Any], unit: Unit) -> None:
        try:
            job.result = job.work(unit)
            job.entries = unit.told()
        except Exception as error:
            if self._session.is_of_database(error):
                raise
            job.reset(error)

    def _is_committed(self, group: list[Job[Any]]) -> bool:
        """Whether a group whose commit was cut off took effect; one without entries is redone."""
        entries = _entries(group)
        return bool(entries) and self._session.holds(entries[-1])

    def _pause(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def _deliver(self, group: list[Job[Any]]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, group)

    # And this on the event loop.

    def _tell(self, group: list[Job[Any]]) -> None:
        for job in group:
            try:
                if job.entries:
                    self._told(job.entries)
            except Exception as error:  # noqa: BLE001  one listener's fault must not hold up the rest
                context = {"message": "A listener of the ledger failed.", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)
            if job.future.done():
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)


def _entries(group: Sequence[Job[Any]]) -> list[Committed]:
    return [entry for job in group for entry in job.entries]
