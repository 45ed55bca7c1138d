"""Looks at a database without changing it, for people who want to know what is wrong."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, exc

from dayshift.core.errors import OfficeError
from dayshift.store.complaints import storage_error
from dayshift.store.engine import HEAD, current_revision

CONNECT_LIMIT_S = 5


@dataclass(frozen=True, kw_only=True)
class Checkup:
    """How a database stands.

    Attributes:
        revision: Its schema; empty when there is none yet.
        is_current: Whether its schema is this version's.
        problem: What stands in the way of working with it; ``None`` when nothing.
    """

    kind: str
    revision: str = ""
    is_current: bool = False
    size_bytes: int = 0
    problem: OfficeError | None = None


def check_up_file(path: Path) -> Checkup:
    """Look at a SQLite file; one that is not there has no revision and no problem. Blocks."""
    if not path.exists():
        return Checkup(kind="sqlite")
    try:
        size = path.stat().st_size
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=CONNECT_LIMIT_S)
        try:
            revision = _revision(connection)
        finally:
            connection.close()
    except (sqlite3.Error, OSError) as error:
        return Checkup(kind="sqlite", problem=storage_error(error))
    return Checkup(kind="sqlite", revision=revision, is_current=revision == HEAD, size_bytes=size)


def check_up_server(url: str) -> Checkup:
    """Look at a PostgreSQL database. Blocks, at most some ``CONNECT_LIMIT_S`` seconds."""
    url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    try:
        engine = create_engine(url, connect_args={"connect_timeout": CONNECT_LIMIT_S})
        try:
            revision = current_revision(engine)
        finally:
            engine.dispose()
    except (exc.SQLAlchemyError, ImportError) as error:
        return Checkup(kind="postgresql", problem=storage_error(error))
    return Checkup(kind="postgresql", revision=revision, is_current=revision == HEAD)


def _revision(connection: sqlite3.Connection) -> str:
    query = "SELECT name FROM sqlite_master WHERE name = 'alembic_version'"
    if connection.execute(query).fetchone() is None:
        return ""
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else ""
