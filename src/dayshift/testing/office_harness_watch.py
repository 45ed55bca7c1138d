"""What a harness's tests wait for, and what they look at: the feed, the live text, the rows."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

import msgspec

from dayshift.app.office import Office
from dayshift.core.entries import (
    CallChanged,
    CallOutput,
    Entry,
    Live,
    OfficeChanged,
    Recorded,
    RunDelta,
)
from dayshift.core.snapshot import Snapshot, apply
from dayshift.core.views import CallView, RunView, TurnView
from dayshift.store import work
from dayshift.store.database import Database
from dayshift.store.writer import Committed
from dayshift.stream.snapshot import snapshot
from dayshift.testing.model_server import Seen
from dayshift.testing.office_harness_means import Script

T = TypeVar("T")
LIMIT_S = 30.0
NAME = "acme"


class Watched:
    """An office that is watched; every wait ends by an event, or fails after ``LIMIT_S``.

    Attributes:
        heard: Every entry committed since the watching began, over restarts.
        script: What the model answers.
    """

    def __init__(self) -> None:
        """Nothing is heard yet."""
        self.heard: list[Committed] = []
        self.script = Script()
        self._pulse = asyncio.Event()
        self._office: Office | None = None
        self._database: Database | None = None

    @property
    def office(self) -> Office:
        """The open office itself."""
        if self._office is None:
            raise RuntimeError("the office is closed")
        return self._office

    @property
    def database(self) -> Database:
        """The open database."""
        if self._database is None:
            raise RuntimeError("the office is closed")
        return self._database

    async def settled(self, *, limit_s: float = LIMIT_S) -> None:
        """Wait until all that was set going is done: nobody works, nothing is left to be said."""
        async with asyncio.timeout(limit_s):
            while not self.office.staff.is_idle() or self.office.pending:
                await self.office.staff.rested()
                if self.office.pending:
                    await asyncio.wait(self.office.pending)

    async def until(
        self,
        kind: type[T],
        holds: Callable[[T], object] = lambda _: True,
        *,
        since: int = 0,
        limit_s: float = LIMIT_S,
    ) -> T:
        """Wait for an entry of a kind; those heard already count, from the ``since``-th on."""
        at = since
        async with asyncio.timeout(limit_s):
            while True:  # ends with the entry, or by the time limit
                while at < len(self.heard):
                    entry = self.heard[at].entry
                    at += 1
                    if isinstance(entry, kind) and holds(entry):
                        return entry
                await self._pulse.wait()

    async def model_asked(self, times: int) -> Seen:
        """Wait until the model was asked so many times; returns the last of those requests."""
        async with asyncio.timeout(LIMIT_S):
            return await self.script.asked(times)

    async def paused(self) -> None:
        """Wait until the office is paused."""
        await self.until(OfficeChanged, lambda entry: entry.office.state == "paused")

    async def until_output(self, call: str, text: str) -> None:
        """Wait until people who watch are told of some output of a running call."""
        seen = ""
        async with asyncio.timeout(LIMIT_S), aclosing(self.watch()) as frames:
            async for live in frames:
                if isinstance(live, CallOutput) and live.call == call:
                    seen = live.text if live.whole else seen + live.text
                if text in seen:
                    return

    async def until_text(self, run: str, text: str) -> str:
        """Wait until people who watch are told of some text of a run's turn; that turn's so far."""
        seen = ""
        async with asyncio.timeout(LIMIT_S), aclosing(self.watch()) as frames:
            async for live in frames:
                if isinstance(live, RunDelta) and live.run == run:
                    seen = live.text if live.whole else seen + live.text
                if text in seen:
                    break
        return seen

    async def watch(self) -> AsyncGenerator[Live]:
        """Live text, as one who begins to watch now is told it."""
        feed = self.office.feed
        async for chunk in feed.watch(feed.seq):
            for frame in chunk.split(b"\n\n"):
                if frame.startswith(b"event: live"):
                    yield msgspec.json.decode(frame.partition(b"data: ")[2], type=Live)

    async def until_call(self, id_: str, state: str) -> CallView:
        """Wait until a call is told to be in a state."""
        entry = await self.until(
            CallChanged, lambda one: one.call.id == id_ and one.call.state == state
        )
        return entry.call


class Kept(Watched):
    """What is in the ledger of an office that is watched."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        super().__init__()
        self._bases: list[Snapshot] = []

    def entries(self, kind: type[T]) -> list[T]:
        """Every entry of a kind heard so far."""
        return [c.entry for c in self.heard if isinstance(c.entry, kind)]

    async def runs(self) -> list[RunView]:
        """All runs, oldest first."""
        found = await self.database.read(
            lambda r: work.runs(r, NAME, filters={}, before=0, limit=1_000)
        )
        return found[::-1]

    async def turns(self, run: str) -> list[TurnView]:
        """A run's turns."""
        return await self.database.read(lambda r: work.turns(r, NAME, run))

    async def calls(self, run: str) -> list[CallView]:
        """A run's calls."""
        return [c.view for c in await self.database.read(lambda r: work.calls(r, NAME, run))]

    async def files(self, agent: str) -> list[str]:
        """The files in an agent's workspace."""
        return [info.path for info in await self.office.computer_of(agent).walk(".")]

    async def snapshot(self) -> Snapshot:
        """A fresh snapshot from the database."""
        return await self.database.read(lambda r: snapshot(r, NAME))

    async def snapshot_equals_replay(self) -> None:
        """Assert that every older snapshot, brought up to date by the feed, is the fresh one."""
        fresh = await self.snapshot()
        async with asyncio.timeout(LIMIT_S):
            # What is on disk is told a moment later; what came after the snapshot is left out.
            while not self.heard or self.heard[-1].seq < fresh.seq:
                await self._pulse.wait()
        for base in self._bases:
            old = msgspec.json.decode(msgspec.json.encode(base), type=Snapshot)
            for committed in self.heard:
                if committed.seq <= fresh.seq:
                    apply(old, recorded(committed))
            assert old == fresh  # noqa: S101  a harness speaks for tests


def recorded(committed: Committed) -> Recorded:
    """An entry as the feed tells it: by way of its JSON."""
    entry: Entry = msgspec.json.decode(committed.body, type=Entry)
    return Recorded(committed.seq, committed.at, committed.actor, entry)
