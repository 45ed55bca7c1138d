"""Opens the database: SQLite by default, PostgreSQL by URL; checks it and brings it up to date.

SQLite runs in WAL mode with ``synchronous=FULL`` and explicit ``BEGIN IMMEDIATE``; the driver's own
implicit transactions lose updates silently and are switched off.
"""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, exc, text

from dayshift.core.errors import StorageError
from dayshift.store.complaints import storage_error
from dayshift.store.statements import BEGIN

HEAD = "0001"
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_LIMIT_S = 10
CONNECT_LIMIT_S = 10
PAGE_BYTES = 512
"""A commit writes whole pages, and nearly all rows are small."""
LOG_PAGES = 8_192
"""Pages of the write-ahead log, 4 MB, before they are copied into the file: what is written again
and again until then is copied once."""
STATEMENTS_KEPT = 512
OWNER_LOCK = 0x0DA7_5117
"""Number of the lock by which one server owns a PostgreSQL database."""
_SQLITE = ("sqlite:",)
_POSTGRESQL = ("postgresql:", "postgresql+psycopg:", "postgres:")


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file."""
    return f"sqlite:///{path}"


def open_engine(url: str, *, readers: int = 3, synchronous: str = "FULL") -> tuple[Engine, Engine]:
    """Open the writer's and the readers' engine and bring the schema up to date.

    Raises:
        StorageError: The file is no database, is damaged, is from a newer version, is locked by
            another program or cannot be written; the database server cannot be reached, or
            another Dayshift works on the database.
    """
    try:
        writer, reader = _engines(url, readers=readers, synchronous=synchronous)
        migrate(writer)
        _try_to_write(writer)
    except (exc.SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
        raise storage_error(error) from error
    return writer, reader


def _try_to_write(engine: Engine) -> None:
    """Find out now whether the database can be written, and not with the first message."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection, connection.begin() as transaction:
            connection.exec_driver_sql("PRAGMA user_version=1")
            transaction.rollback()


def _engines(url: str, *, readers: int, synchronous: str) -> tuple[Engine, Engine]:
    if url.startswith(_SQLITE):
        return _sqlite_engines(url, readers=readers, synchronous=synchronous)
    if not url.startswith(_POSTGRESQL):
        scheme = url.partition(":")[0]
        raise StorageError(
            f"A database of the kind {scheme!r} cannot be used.",
            hint="Give a URL that begins with sqlite:/// or postgresql://.",
        )
    return _postgresql_engines(url, readers=readers)


def _sqlite_engines(url: str, *, readers: int, synchronous: str) -> tuple[Engine, Engine]:
    connect: dict[str, Any] = {
        "timeout": BUSY_LIMIT_S,
        "check_same_thread": False,
        "cached_statements": STATEMENTS_KEPT,
    }
    writer = create_engine(url, pool_size=1, max_overflow=0, connect_args=connect)
    reader = create_engine(url, pool_size=readers, max_overflow=0, connect_args=connect)
    pragmas = (
        f"page_size={PAGE_BYTES}",
        "journal_mode=WAL",
        f"synchronous={synchronous}",
        f"wal_autocheckpoint={LOG_PAGES}",
        "foreign_keys=ON",
    )
    _prepare_sqlite(writer, pragmas=pragmas, begin=BEGIN)
    _prepare_sqlite(reader, pragmas=("query_only=ON",), begin="BEGIN")
    return writer, reader


def _prepare_sqlite(engine: Engine, *, pragmas: tuple[str, ...], begin: str) -> None:
    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        try:
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}").close()
        except sqlite3.Error:
            # The pool forgets it, and its file would stay open for as long as the error lives.
            connection.close()
            raise

    def on_begin(connection: Connection) -> None:
        if not connection.connection.dbapi_connection.in_transaction:  # pyright: ignore[reportOptionalMemberAccess]  it is open
            connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)


def _postgresql_engines(url: str, *, readers: int) -> tuple[Engine, Engine]:
    url = f"postgresql+psycopg:{url.partition(':')[2]}"
    options: dict[str, Any] = {
        "max_overflow": 0,
        "pool_pre_ping": True,
        "connect_args": {"connect_timeout": CONNECT_LIMIT_S},
    }
    writer = create_engine(url, pool_size=1, **options)
    # A reading may ask several times, and must see one moment.
    reader = create_engine(
        url,
        pool_size=readers,
        isolation_level="REPEATABLE READ",
        execution_options={"postgresql_readonly": True},
        **options,
    )
    event.listen(writer, "connect", _own)
    return writer, reader


def _own(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's connection
    """Own the database for as long as the connection lasts; a dead server's lock goes with it."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{BUSY_LIMIT_S}s'")
        try:
            cursor.execute(f"SELECT pg_advisory_lock({OWNER_LOCK})")
        except Exception as error:
            if getattr(error, "sqlstate", "") != "55P03":
                raise
            raise StorageError(
                "Another Dayshift server works on this database.",
                hint="Stop it, or give this server a database of its own.",
            ) from error
        cursor.execute("SET lock_timeout = 0")
    connection.commit()


def migrate(engine: Engine) -> None:
    """Upgrade the schema to this version's; a newer database is refused untouched."""
    revision = current_revision(engine)
    if revision == HEAD:
        return
    if revision:
        known = {path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("*.py")}
        if revision not in known:
            raise StorageError(
                f"The database was written by a newer Dayshift: its schema is {revision}, "
                f"and this version knows up to {HEAD}.",
                hint="Install that version again, or restore a backup made by this one.",
            )
    # Alembic takes a while to import, and is seldom needed.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
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
