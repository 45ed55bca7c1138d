"""Who watches a feed, and what there is to see, for the specs of the feed."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from dayshift.core.entries import CallOutput, Recorded, RunDelta
from dayshift.core.snapshot import Snapshot
from dayshift.store import ledger_query
from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url
from dayshift.store.speech import put_read
from dayshift.store.staff import put_office
from dayshift.web.samples import views as v

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from dayshift.store.writer import Unit
    from dayshift.stream.feed import Feed

WAIT_S = 30.0
_DECODER = msgspec.json.Decoder(Recorded)


@asynccontextmanager
async def two_offices(folder: Path) -> AsyncGenerator[Database]:
    """A database with the offices acme and globex; entry 1 of each is the office itself."""
    async with open_database(sqlite_url(folder / "home.sqlite3"), synchronous="OFF") as database:
        for name in ("acme", "globex"):
            office = msgspec.structs.replace(v.OFFICE, name=name)
            await database.commit(
                name, lambda unit, office=office: put_office(unit, office), at=v.START
            )
        yield database


async def happen(database: Database, count: int, office: str = "acme") -> None:
    """Commit entries, one after the other: someone reads a thread further and further."""

    def work(unit: Unit) -> None:
        put_read(unit, "ada", "H-3", ledger_query.last_seq(unit, office) + 1)

    for n in range(count):
        await database.commit(office, work, at=v.at(n), actor="person:ada")


class Client:
    """One who watches: takes frames, and remembers what came."""

    def __init__(self, feed: Feed, after: int | None) -> None:
        self._frames = feed.watch(after)
        self.seqs: list[int] = []
        self.snapshots: list[Snapshot] = []
        self.live: list[Any] = []
        self.others: list[bytes] = []

    async def take(self) -> bytes:
        """The next chunk; empty when the feed has ended."""
        async with asyncio.timeout(WAIT_S):
            try:
                chunk = await anext(self._frames)
            except StopAsyncIteration:
                return b""
        for frame in chunk.split(b"\n\n")[:-1]:
            self._read(frame)
        return chunk

    async def until(self, seq: int) -> None:
        """Take chunks up to an entry."""
        while seq not in self.seqs[-1:] and not (self.snapshots and self.snapshots[-1].seq == seq):
            assert await self.take(), "the feed has ended"

    def _read(self, frame: bytes) -> None:
        fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if line[:1] != b":")
        if fields.get(b"event") == b"snapshot":
            self.snapshots.append(msgspec.json.decode(fields[b"data"], type=Snapshot))
            assert int(fields[b"id"]) == self.snapshots[-1].seq
        elif fields.get(b"event") == b"live":
            assert b"id" not in fields
            self.live.append(msgspec.json.decode(fields[b"data"], type=RunDelta | CallOutput))
        elif b"data" in fields and b"event" not in fields:
            recorded = _DECODER.decode(fields[b"data"])
            assert int(fields[b"id"]) == recorded.seq
            self.seqs.append(recorded.seq)
        else:
            self.others.append(frame + b"\n\n")

    async def leave(self) -> None:
        """Watch no more."""
        await self._frames.aclose()


@asynccontextmanager
async def watching(feed: Feed, after: int | None = None) -> AsyncGenerator[Client]:
    """A client that leaves at the end of the block."""
    client = Client(feed, after)
    try:
        yield client
    finally:
        await client.leave()
