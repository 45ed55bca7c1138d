"""A database that refuses: each fault has one clear sentence, and changes nothing."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, text

from dayshift.core.errors import StorageError
from dayshift.store import staff
from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url
from tests.contract.things import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import PoolProxiedConnection

    from dayshift.store.writer import Unit
    from tests.contract.things import PostgresDatabase

OFFICE = "acme"
BIG = "x" * 400_000


async def _put(database: Database, name: str, body: str = "1") -> None:
    def work(unit: Unit) -> None:
        staff.put_mark(unit, name, body)

    await database.commit(OFFICE, work, at=NOW)


async def _mark(database: Database, name: str) -> str | None:
    return await database.read(lambda r: staff.mark(r, OFFICE, name))


async def test_a_full_disk_refuses_and_the_office_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    """A unit that does not fit is undone alone and may be tried again; a small one still fits.

    Demanded by: the working office (a full disk gives a clear error and changes nothing).
    """
    async with open_database(sqlite_url(tmp_path / "a.db")) as database:
        await _put(database, "before")
        await _let_it_have(database, pages=150)

        outcomes = await asyncio.gather(
            _put(database, "small"),
            _put(database, "big", BIG),
            _put(database, "other"),
            return_exceptions=True,
        )
        marks = [await _mark(database, name) for name in ("before", "small", "big", "other")]
        await _let_it_have(database, pages=1_000_000)
        await _put(database, "big", BIG)

        error = outcomes[1]
        assert isinstance(error, StorageError)
        assert error.message.startswith("The disk is full: ")
        assert error.retryable
        assert [outcomes[0], outcomes[2], *marks] == [None, None, "1", "1", None, "1"]
        assert await _mark(database, "big") == BIG


async def test_a_disk_that_stays_full_leaves_no_file_open(tmp_path: Path) -> None:
    """Each refusal costs a connection, whose files are let go at once and not some time later.

    Demanded by: the measures, load and faults, no leaked file handle.
    """
    file = tmp_path / "a.db"
    async with open_database(sqlite_url(file)) as database:
        await _put(database, "before")
        await _let_it_have(database, pages=150)
        before = _open_files(tmp_path)

        gc.disable()
        try:
            for _ in range(20):
                with pytest.raises(StorageError, match="The disk is full"):
                    await _put(database, "big", BIG)
            assert _open_files(tmp_path) <= before + 4
        finally:
            gc.enable()


def _open_files(folder: Path) -> int:
    """How many files below a folder this process has open."""
    links = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
    return sum(os.readlink(link).startswith(str(folder)) for link in links if os.path.lexists(link))


async def _let_it_have(database: Database, *, pages: int) -> None:
    """Let the disk be as large as so many pages, for this connection and those after it."""
    statement = f"PRAGMA max_page_count={pages}"

    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(statement)

    event.listen(database.writer.engine, "connect", on_connect)
    await database.commit(OFFICE, lambda unit: unit.rows(text(statement)), at=NOW)


async def test_a_database_that_another_program_locks_is_named(tmp_path: Path) -> None:
    """A lock that is not given up in time is a passing fault that changed nothing.

    Demanded by: the working office (a locked database).
    """
    file = tmp_path / "a.db"
    async with open_database(sqlite_url(file)) as database:
        await database.commit(OFFICE, lambda u: u.rows(text("PRAGMA busy_timeout=20")), at=NOW)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StorageError, match="locked by another program") as caught:
            await _put(database, "a")
        other.execute("ROLLBACK")
        await _put(database, "b")

        assert caught.value.retryable
        assert [await _mark(database, name) for name in "ab"] == [None, "1"]
        other.close()


async def test_a_newer_database_is_refused_untouched(tmp_path: Path) -> None:
    """A schema that this version does not know is not worked with, and not changed.

    Demanded by: the working office (a newer database), PLAT-7.
    """
    file = tmp_path / "a.db"
    async with open_database(sqlite_url(file)):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    before = file.read_bytes()

    with pytest.raises(StorageError, match="newer Dayshift: its schema is 9999") as caught:
        async with open_database(sqlite_url(file)):
            pass

    assert "restore a backup" in caught.value.hint
    assert file.read_bytes() == before


@pytest.mark.parametrize("garbage", [b"this is no database " * 400, b"SQLite format 3\x00" * 900])
async def test_a_file_that_is_no_database_is_refused_untouched(
    tmp_path: Path, garbage: bytes
) -> None:
    """A damaged file is named as such, and left as it is.

    Demanded by: the working office (a corrupt database file).
    """
    file = tmp_path / "a.db"
    file.write_bytes(garbage)

    with pytest.raises(StorageError, match="The database file is damaged"):
        async with open_database(sqlite_url(file)):
            pass

    assert file.read_bytes() == garbage


async def test_a_page_that_is_damaged_is_named_when_it_is_met(tmp_path: Path) -> None:
    """A database damaged in the middle opens, and says what is wrong when that part is read.

    Demanded by: the working office (a corrupt database file).
    """
    file = tmp_path / "a.db"
    async with open_database(sqlite_url(file)) as database:
        await _put(database, "a", BIG)
    with sqlite3.connect(file) as connection:
        page = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name='marks'"
        ).fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with file.open("r+b") as raw:
        raw.seek((page[0] - 1) * size[0])
        raw.write(b"\xff" * size[0])

    async with open_database(sqlite_url(file)) as database:
        with pytest.raises(StorageError, match="The database file is damaged"):
            await _mark(database, "a")
        with pytest.raises(StorageError, match="The database file is damaged"):
            await _put(database, "b")


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A database that can be neither found nor made says what to look at.

    Demanded by: the working office (no write permission).
    """
    with pytest.raises(StorageError, match="cannot be written: unable to open") as caught:
        async with open_database(sqlite_url(tmp_path / "nowhere" / "a.db")):
            pass

    assert "permissions" in caught.value.hint


async def test_a_read_only_database_is_refused_at_the_start(tmp_path: Path) -> None:
    """What cannot be written is found out when it is opened, not with the first message.

    Demanded by: the working office (no write permission).
    """
    file = tmp_path / "a.db"
    async with open_database(sqlite_url(file)):
        pass

    with pytest.raises(StorageError, match="cannot be written: attempt to write a readonly"):
        async with open_database(f"sqlite:///file:{file}?mode=ro&uri=true"):
            pass


@pytest.mark.parametrize("url", ["mysql://host/name", "nonsense", "oracle://x"])
async def test_a_kind_of_database_that_we_do_not_speak_is_refused(url: str) -> None:
    """Only SQLite and PostgreSQL are offered, and the error says so.

    Demanded by: PLAT-7.
    """
    with pytest.raises(StorageError, match="cannot be used") as caught:
        async with open_database(url):
            pass

    assert "sqlite:/// or postgresql://" in caught.value.hint


@pytest.mark.needs("postgres")
async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    """The error says that the database server cannot be reached, and gives no secret away.

    Demanded by: PLAT-6, PLAT-7.
    """
    with pytest.raises(StorageError, match="server cannot be reached") as caught:
        async with open_database("postgresql://ada:canary-password@127.0.0.1:1/office"):
            pass

    assert "canary-password" not in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.retryable


@pytest.mark.needs("postgres")
@pytest.mark.timeout(240)
async def test_units_go_on_over_a_lost_connection(fresh: PostgresDatabase) -> None:
    """A database server that restarts costs time, but no unit, and none takes effect twice.

    Demanded by: PLAT-7, the measures (lost database connections).
    """
    async with open_database(fresh.url) as database:
        heard: list[int] = []
        database.subscribe(lambda entries: heard.extend(entry.seq for entry in entries))
        await database.commit(OFFICE, _counting, at=NOW)

        await asyncio.to_thread(fresh.server.cut_connections)
        await database.commit(OFFICE, _counting, at=NOW)
        restarting = asyncio.ensure_future(asyncio.to_thread(fresh.server.restart))
        ids = await asyncio.gather(*(database.commit(OFFICE, _counting, at=NOW) for _ in range(20)))
        await restarting
        last = await database.commit(OFFICE, _counting, at=NOW)

        assert [*ids, last] == [f"P-{n}" for n in range(3, 24)]
        assert heard == list(range(1, 24))


def _counting(unit: Unit) -> str:
    id_ = unit.next_id("P")
    staff.put_prompt(unit, "iris", id_, body="{}", chars=1, at=NOW.isoformat())
    return id_


@pytest.mark.needs("postgres")
@pytest.mark.timeout(240)
async def test_a_commit_that_was_cut_off_is_looked_up_and_not_repeated(
    fresh: PostgresDatabase,
) -> None:
    """When the connection breaks while committing, what is on disk decides, not a guess.

    Demanded by: the working office (exactly once), PLAT-7.
    """
    async with open_database(fresh.url) as database:
        dialect = database.writer.engine.dialect
        commit = dialect.do_commit
        cuts = iter(["after", "before"])

        def cut(connection: PoolProxiedConnection) -> None:
            when, raw = next(cuts, ""), connection.driver_connection
            if when == "after":
                commit(connection)
            if when:
                raw.close()  # pyright: ignore[reportOptionalMemberAccess]  it is connected
            commit(connection)

        await database.commit(OFFICE, _counting, at=NOW)
        dialect.do_commit = cut  # type: ignore[method-assign]  the cable is pulled here
        ids = [await database.commit(OFFICE, _counting, at=NOW) for _ in range(3)]

        prompts = [
            await database.read(lambda r, n=n: staff.prompt(r, OFFICE, "iris", f"P-{n}"))
            for n in range(1, 6)
        ]
        assert ids == ["P-2", "P-3", "P-4"]
        assert prompts == ["{}", "{}", "{}", "{}", None]


@pytest.mark.needs("postgres")
@pytest.mark.timeout(240)
async def test_two_servers_do_not_work_on_one_database(fresh: PostgresDatabase) -> None:
    """A second server is refused while the first one lives, and let in after it.

    Demanded by: TASK-01 (two processes on one store).
    """
    async with open_database(fresh.url) as first:
        await _put(first, "a")
        with pytest.raises(StorageError, match="Another Dayshift server works on this database"):
            async with open_database(fresh.url):
                pass
    async with open_database(fresh.url) as second:
        assert await _mark(second, "a") == "1"
