"""The writer's connection: its transactions, and what it means when one of them fails."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine, exc

from dayshift.core.errors import StorageError
from dayshift.core.redaction import Redactor
from dayshift.store.statements import BEGIN, Hand
from dayshift.store.unit import Committed, Counters, Means, is_written, write_entries


class LostError(Exception):
    """The connection is gone; what was not committed is undone."""


class UnsureError(LostError):
    """The connection was lost while committing: whether that took effect must be looked up."""


class RefusedError(Exception):
    """The database refused something in the transaction; nothing of it took effect."""


class Session:
    """One connection at a time, used by one thread.

    Attributes:
        commits: How many transactions were committed.
    """

    def __init__(self, engine: Engine, redactor: Redactor) -> None:
        """It connects when it is first needed."""
        self.commits = 0
        self.counters = Counters()
        self._engine = engine
        self._redactor = redactor
        self._driver_error: Any = engine.dialect.loaded_dbapi.Error
        self._begin = BEGIN if engine.dialect.name == "sqlite" else ""
        self._connection: Connection | None = None
        self._hand: Hand | None = None

    @contextmanager
    def transaction(self, entries: Callable[[], Sequence[Committed]]) -> Generator[Means]:
        """A transaction for the length of the block; its ``entries`` are written at its end.

        Raises:
            LostError: The connection is gone. UnsureError: it went while committing.
            RefusedError: The database refused something; its cause says what.
        """
        connection = self._connected()
        try:
            means = Means(connection, self.counters, self._redactor)
            self._hand = means.hand
            if self._begin:
                means.hand.begin(self._begin)
            yield means
            write_entries(means.hand, entries())
            self.counters.write(means.hand)
        except Exception as error:
            self.counters.settle(committed=False)
            failure = self._failure(error, connection, LostError)
            with suppress(exc.DBAPIError, self._driver_error):
                _roll_back(connection)
            if failure is error:
                raise
            raise failure from error
        try:
            _commit(connection)
        except Exception as error:
            failure = self._failure(error, connection, UnsureError)
            if failure is error:
                raise
            raise failure from error
        self.counters.settle(committed=True)
        self.commits += 1

    def holds(self, entry: Committed) -> bool:
        """Whether this very entry is on disk.

        Raises:
            LostError: The connection is gone.
        """
        connection = self._connected()
        try:
            with connection.begin():
                return is_written(Means(connection, self.counters, self._redactor).hand, entry)
        except (exc.DBAPIError, self._driver_error) as error:
            raise self._failure(error, connection, LostError) from error

    def drop(self) -> None:
        """Let go of the connection; the next one may see other numbers."""
        self.counters.forget()
        if self._hand is not None:
            # SQLite closes a file when its last cursor is gone, and an error may keep that alive.
            with suppress(self._driver_error):
                self._hand.close()
            self._hand = None
        if self._connection is not None:
            with suppress(exc.DBAPIError, self._driver_error):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None

    def is_of_database(self, error: Exception) -> bool:
        """Whether the database or its driver raised an error."""
        return isinstance(error, (exc.DBAPIError, self._driver_error))

    def _connected(self) -> Connection:
        if self._connection is None:
            try:
                self._connection = self._engine.connect()
            except (exc.DBAPIError, StorageError) as error:
                if self._engine.dialect.name == "sqlite":
                    raise
                raise LostError from error
        return self._connection

    def _failure(
        self, error: Exception, connection: Connection, lost: type[LostError]
    ) -> Exception:
        """What to raise for an error: itself, unless it is the database's."""
        if not self.is_of_database(error):
            return error
        original = error.orig if isinstance(error, exc.DBAPIError) else error
        if connection.invalidated:
            return lost()
        raw = connection.connection.dbapi_connection
        is_lost = self._engine.dialect.is_disconnect(original, raw, None)  # pyright: ignore[reportArgumentType]  the driver's own error
        return lost() if is_lost else RefusedError()


# What ends a transaction is SQLAlchemy, if anything went through it, else the driver; in both ways
# by the dialect, which is where faults of the disk are put in for tests.


def _commit(connection: Connection) -> None:
    transaction = connection.get_transaction()
    if transaction is not None:
        transaction.commit()
    else:
        connection.dialect.do_commit(connection.connection)


def _roll_back(connection: Connection) -> None:
    transaction = connection.get_transaction()
    if transaction is not None:
        transaction.rollback()
    else:
        connection.dialect.do_rollback(connection.connection)
