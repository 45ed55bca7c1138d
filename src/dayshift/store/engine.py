"""Opens the database: SQLite by default, PostgreSQL by URL; checks it, migrates it, and names what is wrong.

SQLite runs in WAL mode with ``synchronous=FULL`` and explicit ``BEGIN IMMEDIATE``; the driver's own implicit
transactions lose updates silently and are switched off.
"""

import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, exc, text

from dayshift.core.errors import ConflictError, OfficeError, StorageError

HEAD = "0001"
MIGRATIONS = Path(__file__).parent / "migrations"


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file."""
    return f"sqlite:///{path}"


def open_engine(url: str, *, readers: int = 3, synchronous: str = "FULL") -> tuple[Engine, Engine]:
    """Open the writer's and the readers' engine and bring the schema up to date.

    Raises:
        StorageError: The file is no database, is damaged, is from a newer version, or cannot be written.
        ConflictError: Another program holds it locked.
    """
    try:
        writer, reader = _engines(url, readers=readers, synchronous=synchronous)
        migrate(writer)
    except (exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise storage_error(error) from error
    return writer, reader


def _engines(url: str, *, readers: int, synchronous: str) -> tuple[Engine, Engine]:
    if url.startswith("sqlite"):
        writer = create_engine(
            url,
            pool_size=1,
            max_overflow=0,
            connect_args={"timeout": 10, "check_same_thread": False},
        )
        reader = create_engine(
            url,
            pool_size=readers,
            max_overflow=0,
            connect_args={"timeout": 10, "check_same_thread": False},
        )
        _prepare_sqlite(
            writer,
            pragmas=("journal_mode=WAL", f"synchronous={synchronous}"),
            begin="BEGIN IMMEDIATE",
        )
        _prepare_sqlite(reader, pragmas=("query_only=ON",), begin="BEGIN")
        return writer, reader
    if url.startswith("postgresql://"):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    options: dict[str, Any] = {"pool_pre_ping": True, "connect_args": {"connect_timeout": 10}}
    # A reading may ask several times, and must see one moment.
    consistent = {"isolation_level": "REPEATABLE READ", **options}
    return create_engine(url, pool_size=1, max_overflow=0, **options), create_engine(
        url, pool_size=readers, max_overflow=0, **consistent
    )


def _prepare_sqlite(engine: Engine, *, pragmas: tuple[str, ...], begin: str) -> None:
    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in ("page_size=2048", "busy_timeout=10000", "foreign_keys=ON", *pragmas):
            connection.execute(f"PRAGMA {pragma}").close()

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)


def migrate(engine: Engine) -> None:
    """Upgrade the schema to this version's; a newer database is refused untouched."""
    revision = current_revision(engine)
    if revision == HEAD:
        return
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    if revision:
        known = {path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("*.py")}
        if revision not in known:
            raise StorageError(
                f"The database was written by a newer Dayshift (schema {revision}; this version knows up to {HEAD}).",
                hint="Install that version again, or restore a backup made by this one.",
            )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def current_revision(engine: Engine) -> str:
    """The schema revision in the database; empty when there is none yet."""
    with engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return ""
        row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
        return str(row[0]) if row else ""


def storage_error(error: BaseException) -> OfficeError:
    """Put a database's or the disk's complaint into the office's words."""
    if isinstance(error, OfficeError):
        return error
    words = str(getattr(error, "orig", None) or error)
    low = words.lower()
    if "full" in low or "no space" in low or "quota" in low:
        return StorageError(
            f"The disk is full: {words}.",
            hint="Free some space; nothing was changed. The office goes on by itself.",
        )
    if "locked" in low or "busy" in low:
        return ConflictError(
            f"The database is locked by another program: {words}.",
            hint="Stop the other program and try again.",
        )
    if "not a database" in low or "malformed" in low or "corrupt" in low:
        return StorageError(
            f"The database file is damaged: {words}.",
            hint="Move it aside and restore a backup; Dayshift has not changed it.",
        )
    if "readonly" in low or "read-only" in low or "permission" in low or "unable to open" in low:
        return StorageError(
            f"The database cannot be written: {words}.",
            hint="Check the folder's owner and permissions.",
        )
    return StorageError(f"The database refused: {words}.", hint="")
