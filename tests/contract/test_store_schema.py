"""The schema: migrations come to the tables on both databases, and lookups have their index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from dayshift.store import arrivals, cards, posts, speech, staff, work
from dayshift.store.engine import HEAD, MIGRATIONS, current_revision, open_engine, sqlite_url
from dayshift.store.statements import Hand, Prepared
from dayshift.store.tables import metadata

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dayshift.store.rows import Rows

LOOKUPS: dict[str, Callable[[Rows], object]] = {
    "ix_events_office_dedup_key": lambda r: arrivals.event_by_key(r, "acme", "k"),
    "ix_items_open": lambda r: arrivals.items(r, "acme", agent="iris"),
    "ix_items_agent": lambda r: arrivals.ended_items(r, "acme", agent="iris", limit=1),
    "ix_messages_key": lambda r: speech.message_by_key(r, "acme", "k"),
    "ix_turns_day": lambda r: work.usage_rows(r, "acme", by="agent", since_day=3),
    "ix_tasks_key": lambda r: cards.task_by_key(r, "acme", "k"),
    "ix_tasks_chain": lambda r: cards.chain_count(r, "acme", "T-1"),
    "ix_tasks_parent": lambda r: cards.parts(r, "acme", "T-1"),
    "ix_threads_name": lambda r: posts.channel(r, "acme", "general"),
    "ix_alerts_fold": lambda r: staff.last_alert(r, "acme", "f"),
}
"""What must be found through which index, however much there is."""


class Explained:
    """Runs a query, and keeps how SQLite went about it."""

    def __init__(self, hand: Hand, explain: Callable[[str], str]) -> None:
        self._hand = hand
        self._explain = explain
        self.ways: list[str] = []

    def rows(self, statement: object, parameters: object = None) -> list[tuple[int]]:
        """Keep the way; what is found does not matter."""
        assert parameters is None or isinstance(parameters, dict)
        self.ways.append(self._explain(_sql(statement)))
        return [(0,)] if "count(" in _sql(statement) else []


def _sql(statement: object) -> str:
    """A statement as SQLite is given it."""
    clause = statement._clause if isinstance(statement, Prepared) else statement
    return str(clause.compile(dialect=_DIALECT))  # type: ignore[attr-defined]  a statement


def _dialect() -> object:
    from sqlalchemy.dialects import sqlite

    return sqlite.dialect()


_DIALECT = _dialect()


def test_the_migrations_come_to_the_tables(url: str) -> None:
    """An empty database brought up to date has exactly the tables that the code speaks of.

    Demanded by: PLAT-7.
    """
    writer, reader = open_engine(url)
    with writer.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        differences = compare_metadata(context, metadata)
    writer.dispose()
    reader.dispose()

    assert differences == []


def test_a_migration_can_be_undone(url: str) -> None:
    """Going back to the beginning leaves nothing of ours, and going forth again brings all of it.

    Demanded by: PLAT-7.
    """
    writer, reader = open_engine(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with writer.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        left = set(inspect(connection).get_table_names())
        command.upgrade(config, "head")
    revision = current_revision(writer)
    writer.dispose()
    reader.dispose()

    assert (left, revision) == ({"alembic_version"}, HEAD)


@pytest.mark.parametrize("index", LOOKUPS)
def test_what_is_looked_up_is_found_through_its_index(tmp_path: Path, index: str) -> None:
    """No lookup of the daily work walks through a whole office.

    Demanded by: MSG-07 (a long inbox stays fast), EVT-4.
    """
    writer, reader = open_engine(sqlite_url(tmp_path / "a.db"))
    with writer.connect() as connection:

        def explain(sql: str) -> str:
            marks = [""] * sql.count("?")
            cursor = connection.connection.cursor()
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", marks)
            return " ".join(str(row[3]) for row in cursor.fetchall())

        asked = Explained(Hand(connection), explain)
        LOOKUPS[index](asked)
    writer.dispose()
    reader.dispose()

    assert index in asked.ways[0]
