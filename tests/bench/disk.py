"""P7 beyond bytes: commits, rows and growth per turn, and what a long run adds to each turn."""

import asyncio
import sqlite3
import struct
from pathlib import Path

from figures import Figure, figure
from rig import Fake, Server, fake_model, office, storage_bytes

CALLS = 7
LONG_CALLS = 40
SHORT_CALLS = 10
THOUSAND = 1_000
PAGE_AT = 4
"""Where a frame of SQLite's log says how large the database is; not 0 in the last of a commit."""


def script(calls: int) -> str:
    """So many turns with a call, and one without."""
    return f"k{calls}-c2-l0-p0"


async def work(server: Server, agents: int) -> None:
    """A message to each agent, until all have answered."""
    async with server.watched() as ends:
        await ends.of(await asyncio.gather(*(server.say(f"a{n}", "go") for n in range(agents))))


def file_of(server: Server) -> Path:
    """The database's file."""
    (found,) = server.home.glob("*.sqlite3")
    return found


def rows_in(file: Path) -> dict[str, int]:
    """How many rows each table has."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608  its own names
            for (name,) in named.fetchall()
        }
    finally:
        connection.close()


def commits_in(log: Path) -> int:
    """Commits that stand in SQLite's log, by the frames that end one."""
    data = log.read_bytes()
    page = struct.unpack_from(">I", data, 8)[0]
    salt = data[16:24]
    frames = range(32, len(data) - 24 - page + 1, 24 + page)
    return sum(
        data[at + 8 : at + 16] == salt and struct.unpack_from(">I", data, at + PAGE_AT)[0] > 0
        for at in frames
    )


def size_of(file: Path) -> int:
    """Bytes of the database with its log folded in, as it would lie there at rest."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        pages, page, free = (
            connection.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "page_size", "freelist_count")
        )
    finally:
        connection.close()
    return (pages - free) * page


async def rows_and_commits(agents: int) -> list[Figure]:
    """Commits, rows and growth of the database per turn.

    A reader that stays at the beginning keeps SQLite from using its log anew, so that every
    commit still stands there afterwards.
    """
    async with fake_model() as fake, office(fake, script(CALLS), agents) as server:
        await work(server, agents)
        file = file_of(server)
        reader = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM offices").fetchone()
        log = file.with_name(f"{file.name}-wal")
        commits, rows, size = commits_in(log), rows_in(file), size_of(file)
        await fake.reset()
        rounds = 4 if agents == 1 else 1
        for _ in range(rounds):
            await work(server, agents)
        turns = (await fake.stats())["requests"]
        made = commits_in(log) - commits
        after = rows_in(file)
        added = {name: after[name] - rows.get(name, 0) for name in after}
        grown = size_of(file) - size
        reader.close()
        for n in range(agents):
            await server.clear(f"a{n}")
        await server.post("prune", {"keep_days": 0})
        left = size_of(file)
    most = sorted(((count, name) for name, count in added.items() if count), reverse=True)[:4]
    told = ", ".join(f"{name} {count / turns:.2g}" for count, name in most)
    many = "many_agents" if agents > 1 else "one_agent"
    return [
        figure(
            f"P7.commits_{many}",
            f"commits per turn, {agents} agents at once",
            made / turns,
            "",
            at_most=None if agents > 1 else 3.0,
        ),
        figure(f"P7.rows_{many}", f"rows added per turn ({told})", sum(added.values()) / turns, ""),
        figure(
            f"P7.growth_{many}",
            f"growth of the database per 1,000 turns, {agents} agents",
            grown / turns * THOUSAND / 1e6,
            "MB",
        ),
        figure(
            f"P7.kept_{many}",
            "database when conversations are closed and old work is pruned, over before",
            left / 1e6,
            "MB",
            baseline=(size + grown) / 1e6,
        ),
    ]


async def long_runs() -> list[Figure]:
    """P7: bytes written per turn of a run of 41 turns over one of 11, each of a fresh dialogue."""
    costs: dict[int, float] = {}
    async with fake_model() as fake:
        for calls, rounds in ((SHORT_CALLS, 8), (LONG_CALLS, 2)):
            costs[calls] = await _bytes_per_turn(fake, calls, rounds)
    return [
        figure(
            "P7.long",
            "bytes written per turn of a run of 41 turns over one of 11",
            costs[LONG_CALLS],
            "B",
            baseline=costs[SHORT_CALLS],
            at_most=1.05,
        )
    ]


async def _bytes_per_turn(fake: Fake, calls: int, rounds: int) -> float:
    async with office(fake, script(calls), 1) as server:
        await work(server, 1)
        await fake.reset()
        written = 0
        for _ in range(rounds):
            await server.clear("a0")
            before = storage_bytes(server.pid)
            await work(server, 1)
            written += storage_bytes(server.pid) - before
        return written / (await fake.stats())["requests"]
