"""Statements of a fixed shape: compiled once, then run on the driver's own cursor.

SQLAlchemy writes the SQL, for either database. Running it through SQLAlchemy as well costs several
times what the database itself needs, so what is run often is prepared; the rest is not.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, Dialect, bindparam, insert
from sqlalchemy.dialects import postgresql, sqlite

Parameters = Mapping[str, Any]
BEGIN = "BEGIN IMMEDIATE"
"""How SQLite begins to write; PostgreSQL begins by itself, with the first statement."""


def param(name: str) -> BindParameter[Any]:
    """A parameter of a prepared statement."""
    return bindparam(name)


class Shape(NamedTuple):
    """A statement as one dialect writes it.

    Attributes:
        names: The parameters in their order; ``None`` when the driver takes them by name.
        fixed: Parameters that stand in the statement itself, and defaults of columns left out.
        picked: Puts parameters into that order.
    """

    sql: str
    names: tuple[str, ...] | None
    fixed: dict[str, Any]
    picked: Callable[[Parameters], tuple[Any, ...]]

    def bound(self, given: Parameters) -> Any:  # noqa: ANN401  what the driver takes
        """The parameters as the driver takes them."""
        every = {**self.fixed, **given} if self.fixed else given
        return every if self.names is None else self.picked(every)


def _picker(names: tuple[str, ...]) -> Callable[[Parameters], tuple[Any, ...]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda given: tuple(given[name] for name in names)


class Prepared:
    """A statement whose parameters are named with ``param``, or the columns of an insert."""

    __slots__ = ("_clause", "_columns", "_shapes")

    def __init__(self, clause: Any, columns: Sequence[str] | None = None) -> None:  # noqa: ANN401  any statement of SQLAlchemy
        """``columns`` are those an insert is given."""
        self._clause = clause
        self._columns = list(columns) if columns is not None else None
        self._shapes: dict[str, Shape] = {}

    def shape(self, dialect: Dialect) -> Shape:
        """The statement as a dialect writes it, the same every time."""
        shape = self._shapes.get(dialect.name)
        if shape is None:
            shape = self._shapes[dialect.name] = self._compiled(dialect)
        return shape

    def _compiled(self, dialect: Dialect) -> Shape:
        compiled = self._clause.compile(dialect=dialect, column_keys=self._columns)
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        fixed |= {column.key: column.default.arg for column in compiled.insert_prefetch}
        fixed |= self._left_out(compiled.params)
        order = tuple(compiled.positiontup) if compiled.positional else None
        return Shape(str(compiled), order, fixed, _picker(order or ()))

    def _left_out(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What an insert writes into columns that it was not given: their defaults."""
        if self._columns is None:
            return {}
        columns = self._clause.table.c
        return {name: columns[name].default.arg for name in parameters.keys() - self._columns}


class Hand:
    """The driver's cursor of one connection; it works within the connection's transaction."""

    __slots__ = ("_cursor", "_dialect")

    def __init__(self, connection: Connection) -> None:
        """The connection has begun its transaction, or begins it before the first statement."""
        self._cursor: Any = connection.connection.cursor()
        self._dialect = connection.dialect

    def close(self) -> None:
        """Let go of the cursor, whoever still holds this."""
        self._cursor.close()

    def begin(self, sql: str) -> None:
        """Begin the transaction, where it does not begin by itself."""
        self._cursor.execute(sql)

    def rows(self, statement: Prepared, given: Parameters) -> Sequence[Any]:
        """Run a query and return its rows."""
        shape = statement.shape(self._dialect)
        self._cursor.execute(shape.sql, shape.bound(given))
        return self._cursor.fetchall()

    def change(self, statement: Prepared, given: Parameters) -> int:
        """Run an insert, update or delete and return how many rows it touched."""
        shape = statement.shape(self._dialect)
        self._cursor.execute(shape.sql, shape.bound(given))
        return int(self._cursor.rowcount)

    def change_each(self, statement: Prepared, given: Sequence[Parameters]) -> None:
        """Run an insert, update or delete once for each of several sets of parameters."""
        shape = statement.shape(self._dialect)
        self._cursor.executemany(shape.sql, [shape.bound(one) for one in given])

    def upsert(self, table: Any, values: Parameters) -> None:  # noqa: ANN401  any table
        """Insert a row, or change the one with its primary key."""
        self.change(self._upsert_into(table, tuple(values)), values)

    def upsert_each(self, table: Any, rows: Sequence[Parameters]) -> None:  # noqa: ANN401  any table
        """Insert rows with the same columns, or change those with their primary keys."""
        self.change_each(self._upsert_into(table, tuple(rows[0])), rows)

    def _upsert_into(self, table: Any, names: tuple[str, ...]) -> Prepared:  # noqa: ANN401  any table
        key = (self._dialect.name, table.name, names)
        statement = _UPSERTS.get(key)
        if statement is None:
            statement = _UPSERTS[key] = _upsert(table, names, self._dialect.name)
        return statement


_UPSERTS: dict[tuple[str, str, tuple[str, ...]], Prepared] = {}


def _upsert(table: Any, names: tuple[str, ...], dialect: str) -> Prepared:  # noqa: ANN401  any table
    keys = [column.name for column in table.primary_key.columns]
    statement = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    if not changed:
        return Prepared(statement.on_conflict_do_nothing(index_elements=keys), names)
    return Prepared(statement.on_conflict_do_update(index_elements=keys, set_=changed), names)


def prepared_insert(table: Any, *names: str) -> Prepared:  # noqa: ANN401  any table
    """An insert of the named columns; of all of them when none is named."""
    return Prepared(insert(table), names or [column.name for column in table.columns])
