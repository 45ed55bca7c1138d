"""The database as the rooms above see it: commit a unit of work, or read beside it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine, event, exc

from dayshift.core.redaction import Redactor
from dayshift.store.complaints import storage_error
from dayshift.store.engine import open_engine
from dayshift.store.statements import Hand, Prepared
from dayshift.store.writer import Committed, Unit, Writer

T = TypeVar("T")
READERS = 3


class Reading:
    """A read beside the writer: one consistent view of what is committed."""

    __slots__ = ("_connection", "_hand")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._hand = Hand(connection)

    def rows(self, statement: Any, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:  # noqa: ANN401  any statement
        """Run a query and return its rows."""
        if isinstance(statement, Prepared):
            return self._hand.rows(statement, parameters or {})
        return self._connection.execute(statement, parameters or {}).all()


class Database:
    """One database with its writer and its readers."""

    def __init__(self, writer_engine: Engine, reader_engine: Engine, redactor: Redactor) -> None:
        self._writer_engine = writer_engine
        self._reader_engine = reader_engine
        self._told: list[Callable[[Sequence[Committed]], None]] = []
        self._driver_error: type[Exception] = reader_engine.dialect.loaded_dbapi.Error
        self.redactor = redactor
        self.writer = Writer(writer_engine, self._tell, redactor)
        _guard(writer_engine, redactor)
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="ledger-reader")

    @property
    def kind(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._writer_engine.dialect.name

    def subscribe(self, told: Callable[[Sequence[Committed]], None]) -> Callable[[], None]:
        """Hear committed entries on the event loop, in order; returns how to stop hearing."""
        self._told.append(told)
        return lambda: self._told.remove(told)

    def _tell(self, entries: Sequence[Committed]) -> None:
        for told in tuple(self._told):
            told(entries)

    async def commit(
        self, office: str, work: Callable[[Unit], T], *, at: datetime, actor: str = "office"
    ) -> T:
        """See Writer.commit. ``at`` is office time; ``office`` is empty for rows of no office."""
        return await self.writer.commit(office, work, at=at, actor=actor)

    async def read(self, query: Callable[[Reading], T]) -> T:
        """Run a query on a reader's thread.

        Raises:
            StorageError: The database refused.
        """

        def run() -> T:
            try:
                with self._reader_engine.connect() as connection, connection.begin():
                    return query(Reading(connection))
            except (exc.SQLAlchemyError, self._driver_error) as error:
                raise storage_error(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._pool, run)

    async def close(self) -> None:
        """Finish queued units and close all connections."""
        await self.writer.close()
        await asyncio.to_thread(self._release)

    def _release(self) -> None:
        self._pool.shutdown(wait=True)
        self._writer_engine.dispose()
        self._reader_engine.dispose()


def _guard(engine: Engine, redactor: Redactor) -> None:
    """Keep known secrets out of what SQLAlchemy itself sends; prepared statements see to it."""

    def on_execute(*sent: Any) -> tuple[str, Any]:  # noqa: ANN401  as SQLAlchemy hands it over
        _connection, _cursor, statement, parameters, _context, _many = sent
        return statement, _cleaned(parameters, redactor)

    event.listen(engine, "before_cursor_execute", on_execute, retval=True)


def _cleaned(parameters: Any, redactor: Redactor) -> Any:  # noqa: ANN401  a driver's parameters
    match parameters:
        case str():
            return redactor.clean_stored(parameters)
        case dict():
            given = cast("dict[str, Any]", parameters)  # named parameters
            return {name: _cleaned(value, redactor) for name, value in given.items()}
        case list():
            rows = cast("list[Any]", parameters)  # one set after the other
            return [_cleaned(one, redactor) for one in rows]
        case tuple():
            values = cast("tuple[Any, ...]", parameters)  # parameters in their order
            return tuple(_cleaned(value, redactor) for value in values)
        case _:
            return parameters


@asynccontextmanager
async def open_database(
    url: str, *, synchronous: str = "FULL", redactor: Redactor | None = None
) -> AsyncGenerator[Database]:
    """The database for the length of the block, migrated and with its writer running.

    No secret that ``redactor`` knows reaches the disk, or whoever hears what is committed.

    Raises:
        StorageError: See open_engine.
        ConflictError: See open_engine.
    """
    engines = await asyncio.to_thread(open_engine, url, readers=READERS, synchronous=synchronous)
    database = Database(*engines, redactor or Redactor())
    database.writer.start()
    try:
        yield database
    finally:
        await database.close()
