"""The one writer: units of work, committed in groups on a thread of its own.

Units that wait while a commit is under way are committed together, each in its own savepoint, so that durability
costs one flush a group. After the commit, entries are told to subscribers in the order of their numbers, and
only then does the caller go on: what is in memory never runs ahead of the disk.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, exc, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from dayshift.core.entries import Base, Entry
from dayshift.core.errors import StorageError
from dayshift.store import tables as t
from dayshift.store.engine import storage_error

T = TypeVar("T")
GROUP_MAX = 256
_ENCODER = msgspec.json.Encoder()
_INSERT_LEDGER = insert(t.ledger)
_NOUNS = ("call", "turn", "run", "item", "comment", "message", "task", "agent", "alert", "event")
_UPSERTS: dict[tuple[str, str, tuple[str, ...]], Any] = {}


class Committed(msgspec.Struct, frozen=True):
    """An entry that is on disk, with its JSON as stored."""

    office: str
    seq: int
    at: datetime
    actor: str
    entry: Entry
    body: str


class Unit:
    """One open unit of work; implements core.ledger.UnitOfWork."""

    __slots__ = ("_connection", "_counters", "_entries", "_now", "actor", "at", "office")

    def __init__(self, connection: Connection, counters: "Counters", job: "Job[Any]") -> None:
        self._connection = connection
        self._counters = counters
        self._entries: list[tuple[str, Entry]] = []
        self.office = job.office
        self.at = job.at
        self.actor = job.actor

    def append(self, entry: Entry, *, actor: str = "") -> None:
        """Write an entry to the ledger at commit."""
        self._entries.append((actor or self.actor, entry))

    def rows(self, statement: Any, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:  # noqa: ANN401  any statement of SQLAlchemy
        """Run a query."""
        return self._connection.execute(statement, parameters or {}).all()

    def change(
        self,
        statement: Any,  # noqa: ANN401  any statement of SQLAlchemy
        parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Run an insert, update or delete."""
        return int(self._connection.execute(statement, parameters or {}).rowcount)

    def upsert(self, table: Any, values: Mapping[str, Any]) -> None:  # noqa: ANN401  any table
        """Insert a row or replace the one with its primary key."""
        key = (self._connection.dialect.name, table.name, tuple(values))
        statement = _UPSERTS.get(key)
        if statement is None:
            statement = _UPSERTS[key] = _upsert(table, list(values), key[0])
        self._connection.execute(statement, dict(values))

    def next_id(self, letter: str) -> str:
        """The next id of a kind within the office."""
        return f"{letter}-{self._counters.next(self._connection, self.office, letter)}"

    def flush(self) -> "list[Committed]":
        """Number and write the entries; called once, just before the savepoint is released."""
        if not self._entries:
            return []
        seq = self._counters.seq(self._connection, self.office)
        done: list[Committed] = []
        for actor, entry in self._entries:
            seq += 1
            body = _ENCODER.encode(entry).decode()
            done.append(Committed(self.office, seq, self.at, actor, entry, body))
        at = self.at.isoformat()
        self._connection.execute(
            _INSERT_LEDGER,
            [
                {
                    "office": self.office,
                    "seq": c.seq,
                    "at": at,
                    "actor": c.actor,
                    "kind": c.entry.__struct_config__.tag,
                    "body": c.body,
                    **_subject(c.entry),
                }
                for c in done
            ],
        )
        self._counters.pending_seq[self.office] = seq
        return done


def _upsert(table: Any, names: list[str], dialect: str) -> Any:  # noqa: ANN401  any table, its statement
    keys = [column.name for column in table.primary_key.columns]
    statement = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


def _subject(entry: Base) -> dict[str, str]:
    """The agent, run and task an entry is about, for the ledger's columns."""
    for name in _NOUNS:
        noun = getattr(entry, name, None)
        if isinstance(noun, msgspec.Struct):
            break
    else:
        noun = entry
    agent = (
        getattr(noun, "agent", "")
        or getattr(noun, "assignee", "")
        or (getattr(noun, "name", "") if hasattr(noun, "duty") else "")
    )
    run = getattr(noun, "run", "") or (getattr(noun, "id", "") if hasattr(noun, "fence") else "")
    task = getattr(noun, "task", "") or (
        getattr(noun, "id", "") if hasattr(noun, "depends_on") else ""
    )
    return {
        "agent": agent if isinstance(agent, str) else "",
        "run": run if isinstance(run, str) else "",
        "task": task if isinstance(task, str) else "",
    }


class Counters:
    """Feed numbers and id counters of all offices, as of the last commit, with what the open group adds."""

    def __init__(self) -> None:
        self._seq: dict[str, int] = {}
        self._ids: dict[tuple[str, str], int] = {}
        self.pending_seq: dict[str, int] = {}
        self._pending_ids: dict[tuple[str, str], int] = {}

    def seq(self, connection: Connection, office: str) -> int:
        """The last number given in the office."""
        if office in self.pending_seq:
            return self.pending_seq[office]
        if office not in self._seq:
            query = select(func.max(t.ledger.c.seq)).where(t.ledger.c.office == office)
            self._seq[office] = connection.execute(query).scalar() or 0
        return self._seq[office]

    def next(self, connection: Connection, office: str, letter: str) -> int:
        """Count one up, in memory and in the open transaction."""
        key = (office, letter)
        value = self._pending_ids.get(key) or self._ids.get(key)
        where = (t.counters.c.office == office) & (t.counters.c.letter == letter)
        if value is None:
            value = connection.execute(select(t.counters.c.value).where(where)).scalar()
            if value is None:
                connection.execute(
                    insert(t.counters), {"office": office, "letter": letter, "value": 0}
                )
                value = 0
        value += 1
        connection.execute(update(t.counters).where(where).values(value=value))
        self._pending_ids[key] = value
        return value

    def mark(self) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
        """What to go back to when a savepoint is rolled back."""
        return dict(self.pending_seq), dict(self._pending_ids)

    def back_to(self, mark: tuple[dict[str, int], dict[tuple[str, str], int]]) -> None:
        """Undo what came after the mark."""
        self.pending_seq, self._pending_ids = mark

    def settle(self, *, committed: bool) -> None:
        """End the group."""
        if committed:
            self._seq.update(self.pending_seq)
            self._ids.update(self._pending_ids)
        else:
            self._seq.clear()
            self._ids.clear()
        self.pending_seq.clear()
        self._pending_ids.clear()


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


class Writer:
    """Commits units of work in groups. One a process; started and closed by its owner."""

    def __init__(self, engine: Engine, told: Callable[[Sequence[Committed]], None]) -> None:
        """``told`` hears each job's committed entries on the event loop, in order, before its caller goes on."""
        self.engine = engine
        self._told = told
        self._queue: list[Job[Any]] = []
        self._ready = threading.Condition()
        self._closed = False
        self._counters = Counters()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.commits = 0

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
            OfficeError: What the work raised, or StorageError when the disk refused; nothing was changed.
        """
        job = Job(office, work, at=at, actor=actor)
        with self._ready:
            if self._closed:
                raise StorageError("The ledger is closed; the server is stopping.")
            self._queue.append(job)
            self._ready.notify()
        return await job.future

    async def close(self) -> None:
        """Finish what is queued and stop."""
        with self._ready:
            self._closed = True
            self._ready.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        connection: Connection | None = None
        while True:  # ends when closed and nothing is queued
            with self._ready:
                self._ready.wait_for(lambda: self._queue or self._closed)
                if not self._queue:
                    break
                group, self._queue = self._queue[:GROUP_MAX], self._queue[GROUP_MAX:]
            try:
                connection = connection or self.engine.connect()
                self._commit(connection, group)
            except Exception as error:  # noqa: BLE001  the writer outlives any group; the error goes to its callers
                self._counters.settle(committed=False)
                connection = _dispose(connection)
                failure = storage_error(error)
                for job in group:
                    job.error = job.error or failure
                    job.entries = []
            self._deliver(group)
        if connection is not None:
            connection.close()

    def _commit(self, connection: Connection, group: list[Job[Any]]) -> None:
        with connection.begin() as transaction:
            for job in group:
                self._one(connection, job, alone=len(group) == 1)
            if len(group) == 1 and group[0].error is not None:
                transaction.rollback()
                self._counters.settle(committed=False)
                return
        self._counters.settle(committed=True)
        self.commits += 1

    def _one(self, connection: Connection, job: Job[Any], *, alone: bool) -> None:
        savepoint = None if alone else connection.begin_nested()
        mark = self._counters.mark()
        unit = Unit(connection, self._counters, job)
        try:
            job.result = job.work(unit)
            job.entries = unit.flush()
        except Exception as error:
            if isinstance(error, exc.DBAPIError) and _is_fatal(error):
                raise
            job.error = storage_error(error) if isinstance(error, exc.OperationalError) else error
            self._counters.back_to(mark)
            if savepoint is not None:
                savepoint.rollback()
            return
        if savepoint is not None:
            savepoint.commit()

    def _deliver(self, group: list[Job[Any]]) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, group)

    def _tell(self, group: list[Job[Any]]) -> None:
        for job in group:
            if job.entries:
                self._told(job.entries)
            if job.future.done():
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)


def _is_fatal(error: exc.DBAPIError) -> bool:
    """Whether the whole transaction is lost with this error (the disk is full, the connection is gone)."""
    words = str(error.orig).lower()
    return (
        error.connection_invalidated or "full" in words or "i/o error" in words or "closed" in words
    )


def _dispose(connection: Connection | None) -> None:
    if connection is not None:
        connection.invalidate()
        connection.close()
