"""The feed of one office: committed entries and live text, told to everyone who watches.

One log of encoded frames is shared by all watchers; each holds only its place in it. A watcher that
falls behind the log's oldest frame is brought up to date from what is kept of the entries, from the
database, or by a new snapshot. So a slow one costs no memory and never holds up the office.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dayshift.core.entries import Live
from dayshift.core.errors import StorageError
from dayshift.store import ledger_query
from dayshift.store.database import Database, Reading
from dayshift.store.writer import Committed
from dayshift.stream import frames
from dayshift.stream.frame_log import FrameLog
from dayshift.stream.snapshot import snapshot
from dayshift.stream.texts import Texts

HEARTBEAT_S = 15.0
FLUSH_S = 0.04
"""Frames that come closer together than this are sent together."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much a feed keeps.

    Attributes:
        log_frames: Frames a watcher may be behind before it is brought up to date anew.
        log_bytes: The same in bytes.
        recent: Entries kept in memory for those who come back.
        recent_bytes: The same in bytes.
        resume: Entries read from the database for those who were away longer; beyond, a snapshot.
        stale: Entries a snapshot in memory may be behind and still open a stream, which tells them.
        tries: How often a watcher is given a snapshot that is outrun before it could be sent.
    """

    log_frames: int = 4_096
    log_bytes: int = 8 * 1024 * 1024
    recent: int = 4_096
    recent_bytes: int = 8 * 1024 * 1024
    resume: int = 2_000
    stale: int = 64
    tries: int = 5


class Feed:
    """One office's feed. Lives on the event loop; opened with ``open_feed``."""

    def __init__(self, database: Database, office: str, *, bounds: Bounds | None = None) -> None:
        self.office = office
        self._database = database
        self._bounds = bounds or Bounds()
        self._seq = 0
        self._log = FrameLog(frames_max=self._bounds.log_frames, bytes_max=self._bounds.log_bytes)
        self._recent: deque[tuple[int, bytes]] = deque()
        self._recent_bytes = 0
        self._texts = Texts()
        self._snapshot: tuple[int, bytes] | None = None
        self._snapshot_lock = asyncio.Lock()
        self._pulse = asyncio.Event()
        self._flush_at = 0.0
        self._flush: asyncio.Handle | None = None
        self._heart = _Heart(self.beat)
        self._closed = False
        self.watchers = 0

    @property
    def seq(self) -> int:
        """The number of the newest entry that was told."""
        return self._seq

    @property
    def is_beating(self) -> bool:
        """Whether a heartbeat is due: only while somebody watches, so that a rest is one."""
        return self._heart.is_beating

    async def watch(self, after: int | None) -> AsyncGenerator[bytes]:
        """Frames from behind the entry ``after`` on; ``None`` begins with a snapshot.

        Each item is whole frames. Ends with a ``bye`` when the feed is closed.

        Raises:
            StorageError: The watcher could not be brought up to date.
        """
        self.watchers += 1
        self._heart.go_on()
        try:
            yield frames.HELLO
            place, seq = -1, after
            while not self._closed:
                if place == self._log.end:
                    await self._pulse.wait()
                    continue
                behind = place < self._log.start
                chunk = await self._catch_up(seq) if behind else self._log.since(place)
                # Before anything is sent: the log goes on growing while a slow watcher takes it.
                place, seq = self._log.end, self._seq
                if chunk:
                    yield chunk
            yield frames.BYE
        finally:
            self.watchers -= 1
            if not self.watchers:
                self._heart.stop()

    def live(self, live: Live) -> None:
        """Tell of text that is being written; it is never in the ledger."""
        self._texts.add(live)
        if self.watchers:
            self._append(frames.live_frame(live))

    async def snapshot(self) -> bytes:
        """The office as of the newest entry, as JSON.

        Raises:
            NotFoundError: The office is not in the database.
            StorageError: The database refused.
        """
        return (await self._fresh_snapshot(stale=0))[1]

    def beat(self) -> None:
        """Send a heartbeat to all watchers."""
        if self.watchers:
            self._append(frames.HEARTBEAT)

    def close(self) -> None:
        """Say bye to all watchers; their streams end."""
        self._closed = True
        self._heart.stop()
        self._wake()

    # --- what comes in ------------------------------------------------------------------------

    def begin(self, seq: int) -> None:
        """Say where the ledger ends; called once, after hearing has begun."""
        self._seq = max(self._seq, seq)

    def tell(self, entries: Sequence[Committed]) -> None:
        """Hear committed entries, of any office."""
        for entry in entries:
            if entry.office != self.office:
                return
            frame = frames.entry_frame(entry.seq, entry.stamp, actor=entry.actor, body=entry.body)
            self._keep(entry.seq, frame)
            self._seq = entry.seq
            self._texts.settle(entry.entry)
            self._append(frame)

    def _keep(self, seq: int, frame: bytes) -> None:
        """Keep an entry's frame for those who come back; the oldest go."""
        self._recent.append((seq, frame))
        self._recent_bytes += len(frame)
        bounds = self._bounds
        while len(self._recent) > bounds.recent or self._recent_bytes > bounds.recent_bytes:
            self._recent_bytes -= len(self._recent.popleft()[1])

    # --- telling it on ------------------------------------------------------------------------

    def _append(self, frame: bytes) -> None:
        if self.watchers:
            self._log.append(frame)
            self._wake()
        else:
            self._log.forget()

    def _wake(self) -> None:
        if self._flush is None:
            loop = asyncio.get_running_loop()
            self._flush = loop.call_at(max(self._flush_at, loop.time()), self._wake_all)

    def _wake_all(self) -> None:
        self._flush = None
        self._flush_at = asyncio.get_running_loop().time() + FLUSH_S
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()

    # --- bringing a watcher up to date --------------------------------------------------------

    async def _catch_up(self, after: int | None) -> bytes:
        """Frames that bring a watcher to the log's end, from behind an entry or from nothing."""
        if after is not None:
            missed = await self._missed(after)
            if missed is not None:
                return missed
        for _ in range(self._bounds.tries):
            seq, encoded = await self._fresh_snapshot(stale=self._bounds.stale)
            await self._reach(seq)
            tail = self._kept_after(seq)
            if tail is not None:
                return b"".join([frames.snapshot_frame(seq, encoded), *tail, *self._whole()])
        raise StorageError(
            "More happens in this office than a new watcher could be told of.",
            hint="Try again in a moment.",
        )

    async def _missed(self, after: int) -> bytes | None:
        """The entries behind a number; ``None`` when it is too old, or none of this ledger's."""
        if after > self._seq:
            last = await self._database.read(
                lambda reading: ledger_query.last_seq(reading, self.office)
            )
            if after > last:
                return None
            await self._reach(after)
        kept = self._kept_after(after)
        if kept is not None:
            return b"".join([*kept, *self._whole()])
        if self._seq - after > self._bounds.resume:
            return None
        limit = 2 * self._bounds.resume
        rows = await self._database.read(
            lambda reading: ledger_query.entries_after(reading, self.office, after, limit=limit)
        )
        if not rows or rows[0].seq != after + 1:
            return None
        await self._reach(rows[-1].seq)
        tail = self._kept_after(rows[-1].seq)
        if tail is None:
            return None
        read = [frames.entry_frame(r.seq, r.at, actor=r.actor, body=r.body) for r in rows]
        return b"".join([*read, *tail, *self._whole()])

    def _kept_after(self, after: int) -> list[bytes] | None:
        """Frames of the entries behind a number, from memory; ``None`` when some are not kept."""
        missing = self._seq - after
        if missing <= 0:
            return []
        if missing > len(self._recent):
            return None
        return [frame for seq, frame in self._recent if seq > after]

    def _whole(self) -> list[bytes]:
        return [frames.live_frame(live) for live in self._texts.whole()]

    async def _reach(self, seq: int) -> None:
        """Wait until an entry that is committed has been told here too."""
        while self._seq < seq and not self._closed:
            await self._pulse.wait()

    async def _fresh_snapshot(self, *, stale: int) -> tuple[int, bytes]:
        """A snapshot at most ``stale`` entries behind; read once for all who ask at once."""
        async with self._snapshot_lock:
            known = self._snapshot
            if known is not None and self._seq - known[0] <= stale:
                return known

            def query(reading: Reading) -> tuple[int, bytes]:
                fresh = snapshot(reading, self.office)
                return fresh.seq, frames.snapshot_json(fresh)

            self._snapshot = await self._database.read(query)
            return self._snapshot


@asynccontextmanager
async def open_feed(
    database: Database, office: str, *, bounds: Bounds | None = None
) -> AsyncGenerator[Feed]:
    """An office's feed for the length of the block; at its end all watchers are told bye.

    Raises:
        StorageError: The database refused.
    """
    feed = Feed(database, office, bounds=bounds)
    stop_hearing = database.subscribe(feed.tell)
    try:
        feed.begin(await database.read(lambda reading: ledger_query.last_seq(reading, office)))
        yield feed
    finally:
        stop_hearing()
        feed.close()


class _Heart:
    """The heart of a feed: one timer for all its watchers, which runs while there are any."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_beating(self) -> bool:
        return self._timer is not None

    def go_on(self) -> None:
        """Beat after every interval, if it does not already."""
        if self._timer is None:
            self._next()

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT_S, self._now)

    def _now(self) -> None:
        self._beat()
        self._next()
