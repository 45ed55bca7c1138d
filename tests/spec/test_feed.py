"""The feed: whoever watches hears every entry once, in order, however often they come back."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from dayshift.core.entries import Recorded
from dayshift.core.snapshot import Snapshot, apply
from dayshift.store import ledger_query
from dayshift.store import tables as t
from dayshift.stream.feed import Bounds, Feed, open_feed
from dayshift.stream.frames import HELLO
from dayshift.web.samples import views as v
from tests.spec.watchers import WAIT_S, Client, happen, two_offices, watching

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from pathlib import Path

    from dayshift.store.database import Database, Reading
    from dayshift.store.writer import Committed

T = TypeVar("T")
_DECODER = msgspec.json.Decoder(Recorded)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    """A database with the offices acme and globex."""
    async with two_offices(tmp_path) as database:
        yield database


@pytest.fixture
async def feed(database: Database) -> AsyncGenerator[Feed]:
    """Acme's feed, which ends at entry 1: the office itself."""
    async with open_feed(database, "acme") as feed:
        yield feed


async def test_who_names_no_entry_is_sent_a_snapshot_and_what_follows(
    database: Database, feed: Feed
) -> None:
    """The snapshot stands for all entries so far; the next entry goes on from it.

    Demanded by: STRM-03, the contract of the feed.
    """
    await happen(database, 3)
    async with watching(feed) as client:
        assert await client.take() == HELLO
        await client.take()
        assert [snapshot.seq for snapshot in client.snapshots] == [4]
        await happen(database, 2)
        await client.until(6)
    assert client.seqs == [5, 6]


async def test_a_dropped_watcher_comes_back_to_exactly_what_it_missed(
    database: Database, feed: Feed
) -> None:
    """Fifty entries while it was away come in order, then the live ones; nothing twice.

    Demanded by: STRM-03.
    """
    await happen(database, 10)
    async with watching(feed, 1) as before:
        await before.until(11)
    await happen(database, 50)
    async with watching(feed, before.seqs[-1]) as after:
        await after.until(61)
        await happen(database, 1)
        await after.until(62)
    assert before.seqs == list(range(2, 12))
    assert after.seqs == list(range(12, 63))
    assert after.snapshots == []


async def test_a_watcher_comes_back_after_the_server_was_restarted(database: Database) -> None:
    """A feed that has nothing in memory reads the missing entries from the ledger, byte for byte.

    Demanded by: STRM-03.
    """
    async with open_feed(database, "acme") as feed, watching(feed, 1) as before:
        await happen(database, 50)
        await before.until(51)
        fresh = b"".join(frame for _, frame in feed._recent)
    async with open_feed(database, "acme") as feed, watching(feed, 1) as after:
        await after.take()
        read = await after.take()
        await happen(database, 1)
        await after.until(52)
    assert read == fresh
    assert after.seqs == list(range(2, 53))
    assert after.snapshots == []


@pytest.mark.parametrize("after", [0, 99, 2**50])
async def test_an_unknown_or_too_old_entry_gives_a_snapshot(database: Database, after: int) -> None:
    """Whether it is from another ledger, or so long ago that telling all would take too long.

    Demanded by: STRM-03.
    """
    bounds = Bounds(recent=4, resume=10)
    async with open_feed(database, "acme", bounds=bounds) as feed:
        await happen(database, 30)
        async with watching(feed, after) as client:
            await client.until(31)
            await happen(database, 1)
            await client.until(32)
    assert [snapshot.seq for snapshot in client.snapshots] == [31]
    assert client.seqs == [32]


async def test_what_is_just_not_too_old_is_told(database: Database) -> None:
    """At the bound the entries come from the ledger, beyond it a snapshot comes.

    Demanded by: STRM-03.
    """
    bounds = Bounds(recent=4, resume=10)
    async with open_feed(database, "acme", bounds=bounds) as feed:
        await happen(database, 30)
        async with watching(feed, 21) as at_bound, watching(feed, 20) as beyond:
            await at_bound.until(31)
            await beyond.until(31)
    assert at_bound.seqs == list(range(22, 32))
    assert beyond.seqs == []
    assert [snapshot.seq for snapshot in beyond.snapshots] == [31]


@asynccontextmanager
async def lagging(database: Database, *, told: int, committed: int) -> AsyncGenerator[Lagging]:
    """A feed that has been told less than is committed: what the writer's thread can be ahead."""
    await happen(database, told - 1)
    held: list[Sequence[Committed]] = []
    feed = Feed(database, "acme")
    feed.begin(told)
    stop_holding = database.subscribe(held.append)
    await happen(database, committed - told)
    stop_holding()
    stop_telling = database.subscribe(feed.tell)
    yield Lagging(feed=feed, held=held)
    stop_telling()
    feed.close()


@dataclass(frozen=True)
class Lagging:
    """A feed, and the entries it has yet to be told."""

    feed: Feed
    held: list[Sequence[Committed]]

    def tell_all(self) -> None:
        """Tell it."""
        for entries in self.held:
            self.feed.tell(entries)


@pytest.mark.parametrize(("after", "first"), [(15, 16), (5, 6), (None, 16)])
async def test_what_is_committed_and_not_yet_told_comes_once(
    database: Database, after: int | None, first: int
) -> None:
    """Ten entries were told, fifteen are on disk: who asks now hears each of them once.

    Whoever has the fifteenth waits for it; whoever is behind reads them from the ledger; whoever
    is new has them in the snapshot.

    Demanded by: STRM-03.
    """
    read_done = asyncio.Event()
    read = database.read

    async def watched_read(query: Callable[[Reading], T]) -> T:
        answer = await read(query)
        read_done.set()
        return answer

    async with lagging(database, told=10, committed=15) as late, watching(late.feed, after) as it:
        await it.take()
        database.read = watched_read
        taking = asyncio.ensure_future(it.until(16))
        await asyncio.wait_for(read_done.wait(), WAIT_S)
        database.read = read
        for _ in range(20):
            await asyncio.sleep(0)
        late.tell_all()
        await happen(database, 1)
        await taking
    assert it.seqs == list(range(first, 17))
    assert [snapshot.seq for snapshot in it.snapshots] == ([] if after else [15])


async def test_a_gap_in_the_ledger_gives_a_snapshot(database: Database) -> None:
    """Where retention has deleted what was missed, nothing is left out silently.

    Demanded by: STRM-03.
    """
    await happen(database, 30)
    await database.commit(
        "acme", lambda unit: unit.change(delete(t.ledger).where(t.ledger.c.seq < 20)), at=v.START
    )
    async with open_feed(database, "acme") as feed:
        async with watching(feed, 10) as client:
            await client.until(31)
        async with watching(feed, 19) as whole:
            await whole.until(31)
    assert (client.seqs, [snapshot.seq for snapshot in client.snapshots]) == ([], [31])
    assert (whole.seqs, whole.snapshots) == (list(range(20, 32)), [])


async def test_the_next_watcher_hears_nothing_of_the_last_ones_frames(
    database: Database, feed: Feed
) -> None:
    """While nobody watches nothing is kept, and places are not counted anew.

    Demanded by: STRM-03.
    """
    async with watching(feed, 1) as first:
        await first.take()
        taking = asyncio.ensure_future(first.take())
        await asyncio.sleep(0)
        await happen(database, 1)
        await taking
    await happen(database, 1)
    async with watching(feed, 3) as second:
        await second.take()
        taking = asyncio.ensure_future(second.take())
        await asyncio.sleep(0)
        await happen(database, 1)
        await taking
        await happen(database, 1)
        await second.until(5)
    assert first.seqs == [2]
    assert second.seqs == [4, 5]


async def test_offices_do_not_hear_each_other(database: Database, feed: Feed) -> None:
    """Another office's entries are neither told nor counted.

    Demanded by: PLAT-1.
    """
    async with watching(feed, 1) as client:
        await client.take()
        await happen(database, 5, office="globex")
        await happen(database, 1)
        await client.until(2)
    assert client.seqs == [2]
    assert feed.seq == 2


async def test_watchers_who_come_and_go_while_much_happens_miss_nothing(
    database: Database,
) -> None:
    """Whenever one comes, from a snapshot or a number, its entries go on without gap or double.

    Demanded by: STRM-03.
    """
    bounds = Bounds(log_frames=8, recent=12, resume=40, stale=4)
    async with open_feed(database, "acme", bounds=bounds) as feed:
        clients: list[Client] = []

        async def watch(after: int | None, until: int) -> None:
            async with watching(feed, after) as client:
                clients.append(client)
                await client.until(until)

        async with asyncio.TaskGroup() as group:
            writing = group.create_task(happen(database, 150))
            for n in range(40):
                group.create_task(watch(None if n % 3 == 0 else max(1, feed.seq - n), 151))
                await database.read(lambda reading: ledger_query.last_seq(reading, "acme"))
            await writing
    assert len(clients) == 40
    assert [_is_gapless(client) for client in clients] == [True] * 40


def _is_gapless(client: Client) -> bool:
    """Whether what came, cut at each snapshot, counts up by one to the end."""
    start = client.snapshots[-1].seq + 1 if client.snapshots else client.seqs[0]
    tail = [seq for seq in client.seqs if seq >= start]
    return tail == list(range(start, 152)) and client.seqs == sorted(set(client.seqs))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(st.tuples(st.sampled_from(["happen", "take", "leave"]), st.integers(1, 9))))
async def test_whatever_the_order_of_things_a_snapshot_moved_on_is_the_office(
    database: Database, steps: list[tuple[str, int]]
) -> None:
    """A watcher that comes and goes at random ends with what a fresh reading shows.

    Demanded by: STRM-03, invariant 11.
    """
    bounds = Bounds(log_frames=3, recent=5, resume=7, stale=2)
    async with open_feed(database, "acme", bounds=bounds) as feed:
        known: Snapshot | None = None
        client = Client(feed, None)
        for step, count in [*steps, ("happen", 1), ("take", 1)]:
            if step == "happen":
                await happen(database, count)
            elif step == "leave":
                await client.leave()
                client = Client(feed, known.seq if known is not None else None)
            else:
                known = await _caught_up(client, feed, known)
        await client.leave()
        fresh = msgspec.json.decode(await feed.snapshot(), type=Snapshot)
    assert known == fresh


async def _caught_up(client: Client, feed: Feed, known: Snapshot | None) -> Snapshot:
    """What the client knows once it has taken all there is."""
    while known is None or known.seq < feed.seq:
        chunk = await client.take()
        known = _moved(known, chunk)
    return known


def _moved(known: Snapshot | None, chunk: bytes) -> Snapshot | None:
    for frame in chunk.split(b"\n\n")[:-1]:
        fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if line[:1] != b":")
        if fields.get(b"event") == b"snapshot":
            known = msgspec.json.decode(fields[b"data"], type=Snapshot)
        elif b"id" in fields and known is not None:
            recorded = _DECODER.decode(fields[b"data"])
            assert recorded.seq <= known.seq + 1
            apply(known, recorded)
    return known
