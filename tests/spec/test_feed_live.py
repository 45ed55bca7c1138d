"""The feed while much happens: live text, snapshots shared, slow watchers, heartbeat and bye."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest

from dayshift.core.entries import CallOutput, RunDelta, ThreadRead, TurnEnded
from dayshift.core.errors import NotFoundError, StorageError
from dayshift.core.snapshot import Snapshot
from dayshift.core.states import CallState, RunState
from dayshift.store.work import add_call, move_call, put_run
from dayshift.stream.feed import HEARTBEAT_S, Bounds, Feed, open_feed
from dayshift.stream.frames import BYE, HEARTBEAT, HELLO
from dayshift.stream.texts import OUTPUT_CHARS_MAX, Texts
from dayshift.web.samples import views as v
from tests.spec.watchers import Client, happen, two_offices, watching

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from dayshift.store.database import Database, Reading
    from dayshift.store.writer import Unit

T = TypeVar("T")


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


async def test_live_text_reaches_those_who_watch_and_is_whole_for_those_who_join(
    database: Database, feed: Feed
) -> None:
    """The parts join up to the same text for both.

    Demanded by: the contract of the feed.
    """
    async with watching(feed, 1) as early:
        await happen(database, 1)
        await early.until(2)
        feed.live(RunDelta(run="R-17", agent="iris", turn=2, reasoning="Hm."))
        feed.live(RunDelta(run="R-17", agent="iris", turn=2, text="I will"))
        feed.live(RunDelta(run="R-17", agent="iris", turn=2, tool="bash"))
        feed.live(RunDelta(run="R-17", agent="iris", turn=2, tool="ls"))
        feed.live(CallOutput(call="C-1", run="R-17", agent="iris", text="one\n"))
        feed.live(CallOutput(call="C-1", run="R-17", agent="iris", text="two\n"))
        await early.take()
        async with watching(feed, 2) as late:
            await late.take()
            await late.take()
            feed.live(RunDelta(run="R-17", agent="iris", turn=2, text=" do it."))
            await late.take()
        await early.take()
    joined = RunDelta(
        run="R-17", agent="iris", turn=2, text="I will", reasoning="Hm.", tool="bash", whole=True
    )
    rest = RunDelta(run="R-17", agent="iris", turn=2, text=" do it.")
    assert late.live == [
        joined,
        RunDelta(run="R-17", agent="iris", turn=2, tool="ls"),
        CallOutput(call="C-1", run="R-17", agent="iris", text="one\ntwo\n", whole=True),
        rest,
    ]
    assert [live.text for live in early.live] == ["", "I will", "", "", "one\n", "two\n", " do it."]
    assert early.live[-1] == rest


async def test_what_has_ended_is_no_longer_live(database: Database, feed: Feed) -> None:
    """The turn, the call and the run that ended leave nothing behind for those who join.

    Demanded by: the contract of the feed.
    """
    ended = msgspec.structs.replace(v.RUN, id="R-18", state=RunState.COMPLETED)
    feed.live(RunDelta(run="R-17", agent="iris", turn=1, text="done"))
    feed.live(RunDelta(run="R-18", agent="juno", turn=1, text="done"))
    feed.live(CallOutput(call="C-204", run="R-17", agent="iris", text="done"))
    feed.live(CallOutput(call="C-205", run="R-18", agent="juno", text="done"))
    feed.live(RunDelta(run="R-19", agent="kai", turn=1, text="going on"))

    def work(unit: Unit) -> None:
        put_run(unit, v.RUN, day=3)
        unit.append(TurnEnded(turn=v.TURN, run=v.RUN))
        add_call(unit, v.CALL, provider_id="x", arguments="{}", slot=1)
        move_call(
            unit, msgspec.structs.replace(v.CALL, state=CallState.SUCCEEDED), result="copy.md"
        )
        put_run(unit, ended, day=3)

    await database.commit("acme", work, at=v.START)
    async with watching(feed, 6) as client:
        await client.take()
        await client.take()
    assert client.live == [
        RunDelta(run="R-19", agent="kai", turn=1, text="going on", whole=True),
    ]


def test_the_whole_output_of_a_call_is_bounded() -> None:
    """Of much output the end is kept.

    Demanded by: bounded memory.
    """
    texts = Texts()
    for n in range(100):
        texts.add(CallOutput(call="C-1", run="R-1", agent="iris", text=f"{n:>9}\n" * 1_000))
    end = "".join(f"{n:>9}\n" * 1_000 for n in range(100))[-OUTPUT_CHARS_MAX:]
    assert texts.whole() == [CallOutput(call="C-1", run="R-1", agent="iris", text=end, whole=True)]
    assert sum(len(part) for part in texts._outputs["C-1"].parts) <= 2 * OUTPUT_CHARS_MAX


async def test_a_new_try_of_a_turn_replaces_what_the_first_said(feed: Feed) -> None:
    """A delta marked whole begins the text anew.

    Demanded by: MODEL-3.
    """
    feed.live(RunDelta(run="R-17", agent="iris", turn=2, text="I wi"))
    feed.live(RunDelta(run="R-17", agent="iris", turn=2, whole=True))
    feed.live(RunDelta(run="R-17", agent="iris", turn=2, text="No:"))
    assert [live.text for live in feed._texts.whole()] == ["No:"]


async def test_the_feed_says_bye_before_it_ends(feed: Feed) -> None:
    """To those who watch and to those who come after.

    Demanded by: the contract of the feed.
    """
    async with watching(feed, 1) as client, watching(feed, 1) as late:
        await client.take()
        feed.close()
        assert await client.take() == BYE
        assert await client.take() == b""
        assert await late.take() == HELLO
        assert await late.take() == BYE


async def test_a_heartbeat_goes_to_all_who_watch(feed: Feed) -> None:
    """It is a comment: no watcher takes it for an entry.

    Demanded by: the contract of the feed.
    """
    async with watching(feed, 1) as client:
        await client.take()
        waiting = asyncio.ensure_future(client.take())
        await asyncio.sleep(0)
        feed.beat()
        assert await waiting == HEARTBEAT
    assert HEARTBEAT.startswith(b":")
    assert HEARTBEAT_S == 15


async def test_the_heart_beats_only_while_somebody_watches(feed: Feed) -> None:
    """It begins with the first who watches, goes on for the rest, and ends with the last.

    Demanded by: P9, an office at rest is not woken.
    """
    assert not feed.is_beating
    async with watching(feed, 1) as client:
        await client.take()
        async with watching(feed, 1) as other:
            await other.take()
        assert feed.is_beating
        feed.beat()
        assert feed.is_beating
    assert not feed.is_beating
    async with watching(feed, 1) as client:
        await client.take()
        assert feed.is_beating
        feed.close()
        assert not feed.is_beating


async def test_a_stalled_watcher_holds_up_nobody(database: Database) -> None:
    """It takes nothing while much happens; others hear all, memory stays bounded, commits go on.

    Demanded by: P10.
    """
    bounds = Bounds(log_frames=10, log_bytes=1_000_000, recent=16, resume=0)
    async with (
        open_feed(database, "acme", bounds=bounds) as feed,
        watching(feed, 1) as stalled,
        watching(feed, 1) as quick,
    ):
        await stalled.take()
        await happen(database, 1)
        await stalled.take()
        for _ in range(20):
            await happen(database, 10)
            await quick.until(feed.seq)
        assert feed._log.end - feed._log.start <= 2 * bounds.log_frames
        assert len(feed._recent) == 16
        await stalled.until(202)
        await happen(database, 1)
        await stalled.until(203)
    assert quick.seqs == list(range(2, 203))
    assert stalled.seqs == [2, 203]
    assert [snapshot.seq for snapshot in stalled.snapshots] == [202]


async def test_long_entries_are_kept_for_fewer_of_them(database: Database) -> None:
    """What is kept for those who come back is bounded in bytes; the database has the rest.

    Demanded by: P10, promise of flat memory.
    """
    bounds = Bounds(recent_bytes=4_000)
    async with open_feed(database, "acme", bounds=bounds) as feed:
        await happen(database, 100)
        kept = [frame for _, frame in feed._recent]
        assert 0 < sum(map(len, kept)) <= bounds.recent_bytes
        assert len(kept) < 100
        async with watching(feed, 1) as client:
            await client.until(feed.seq)
    assert client.seqs == list(range(2, 102))
    assert client.snapshots == []


async def test_one_who_is_a_little_behind_needs_no_snapshot(database: Database) -> None:
    """Having fallen out of the log, it is told the kept entries and the live text whole.

    Demanded by: P10, STRM-03.
    """
    bounds = Bounds(log_frames=4, recent=64)
    async with open_feed(database, "acme", bounds=bounds) as feed, watching(feed, 1) as client:
        await client.take()
        await happen(database, 1)
        await client.take()
        feed.live(RunDelta(run="R-17", agent="iris", turn=2, text="So"))
        for _ in range(20):
            feed.live(RunDelta(run="R-17", agent="iris", turn=2, text=" so"))
        await happen(database, 3)
        await client.until(5)
    assert client.seqs == [2, 3, 4, 5]
    assert client.snapshots == []
    assert client.live == [
        RunDelta(run="R-17", agent="iris", turn=2, text="So" + " so" * 20, whole=True)
    ]


async def test_entries_of_one_unit_come_together_and_in_order(
    database: Database, feed: Feed
) -> None:
    """A group of commits is one write to each watcher.

    Demanded by: P10.
    """

    def work(unit: Unit) -> None:
        for n in range(20):
            unit.append(ThreadRead(thread="H-3", person="ada", n=n))

    async with watching(feed, 1) as client:
        await client.take()
        await database.commit("acme", work, at=v.START)
        await client.take()
    assert client.seqs == list(range(2, 22))


async def test_many_who_come_at_once_share_one_snapshot(database: Database, feed: Feed) -> None:
    """A restart with a thousand browsers reads the office once.

    Demanded by: P10.
    """
    reads = 0
    read = database.read

    async def counting(query: Callable[[Reading], T]) -> T:
        nonlocal reads
        reads += 1
        return await read(query)

    database.read = counting
    clients = [Client(feed, None) for _ in range(100)]
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.until(1))
    for client in clients:
        await client.leave()
    assert [client.snapshots[0].seq for client in clients] == [1] * 100
    assert reads == 1


async def test_a_watcher_is_not_left_alone_with_a_snapshot_that_was_outrun(
    database: Database,
) -> None:
    """When memory cannot bridge the gap again and again, it is told so and may come again.

    Demanded by: P10.
    """
    async with open_feed(database, "acme", bounds=Bounds(recent=0, stale=10)) as feed:
        async with watching(feed, None) as client:
            await client.take()
            await client.take()
        await happen(database, 1)
        async with watching(feed, None) as client:
            await client.take()
            with pytest.raises(StorageError):
                await client.take()


async def test_an_office_that_is_not_there_has_no_snapshot(database: Database) -> None:
    """It is refused like any other thing that is not there.

    Demanded by: PLAT-3.
    """
    async with open_feed(database, "nowhere") as feed:
        with pytest.raises(NotFoundError):
            await feed.snapshot()


async def test_a_snapshot_is_never_behind_what_its_reader_did(
    database: Database, feed: Feed
) -> None:
    """After a change has returned, the next snapshot holds it.

    Demanded by: PLAT-3.
    """
    seqs: list[int] = []
    for _ in range(3):
        await happen(database, 1)
        seqs.append(msgspec.json.decode(await feed.snapshot(), type=Snapshot).seq)
    assert seqs == [2, 3, 4]
