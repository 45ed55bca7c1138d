"""A whole office for tests: real rooms, a real database, the real wire to a scripted model server.

In a test::

    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Hello, Ada."))
        await office.ada.asks("iris", "Good morning")
        await office.settled()
        assert await office.ada.sees("iris") == ["ada: Good morning", "iris: Hello, Ada."]

Every wait ends by an event, and fails after ``LIMIT_S``.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Literal, TypeVar

import msgspec

from dayshift.app.office import Ground, Office, open_office
from dayshift.clock.real import monotonic, wall
from dayshift.computers.isolation import probe
from dayshift.computers.local import LocalComputers
from dayshift.config.office import OfficeConfig, load
from dayshift.core.entries import (
    CallChanged,
    CallOutput,
    Entry,
    Live,
    OfficeChanged,
    Recorded,
    RunDelta,
)
from dayshift.core.errors import StorageError
from dayshift.core.events import Event
from dayshift.core.model import ModelFacts
from dayshift.core.snapshot import Snapshot, apply
from dayshift.core.tools import Tool
from dayshift.core.views import CallView, RunView, TurnView
from dayshift.models.wire import Wire
from dayshift.run.workplace import Patience
from dayshift.store import work
from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url
from dayshift.store.writer import Committed
from dayshift.stream.snapshot import snapshot
from dayshift.testing.memory_shell import Word
from dayshift.testing.model_server import Call, ModelServer, Reply, Say, Seen, Strictness
from dayshift.testing.office_harness_means import (
    Dialect,
    Disk,
    JumpingClock,
    MemoryComputers,
    Script,
    ServedModels,
)
from dayshift.testing.office_harness_people import Person

T = TypeVar("T")
LIMIT_S = 5.0
NAME = "acme"
OFFICE = """
office: {name: acme, title: Acme, model: "fake:m"}
agents:
  - {name: iris, title: Lead}
  - {name: juno, title: Developer, reports_to: iris}
  - {name: kai, title: Tester, reports_to: iris}
"""
BARE = OFFICE.replace("- {", "- {prompt_mode: minimal, permissions: {tools: {allow: [bash]}}, ")
"""The same office with the shortest of prompts, about 1,200 tokens."""
PEOPLE = {"ada": "Ada", "ben": "Ben", "cleo": "Cleo"}
YOU_ARE = re.compile(r"# You\nYou are ([\w-]+)")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How an office under test is set up.

    Attributes:
        yaml: Its office.yaml; the office is called ``acme``.
        dialect: What ``fake:`` models speak; ``other:`` models speak OpenAI's.
        facts: Context windows and prices of models, by ref.
        strictness: What the model server refuses beyond what everybody refuses.
        database: URL of a PostgreSQL database; empty for a SQLite file in the home.
        computers: ``memory``, or ``local`` with this machine's isolation.
        commands: Commands of the test's own on computers in memory.
        tools: Tools of the test's own, beside the built-in ones.
        clock: Real time that jumps; ``None`` for the machine's own.
        patience: How long runs wait; short where a test waits for the end of it.
    """

    yaml: str = OFFICE
    dialect: Dialect = "openai"
    facts: Mapping[str, ModelFacts] = field(default_factory=lambda: MappingProxyType({}))
    strictness: Strictness = field(default_factory=Strictness)
    database: str = ""
    computers: Literal["memory", "local"] = "memory"
    commands: Mapping[str, Word] = field(default_factory=lambda: MappingProxyType({}))
    tools: tuple[Tool, ...] = ()
    clock: JumpingClock | None = None
    patience: Patience = field(default_factory=lambda: Patience(backoff_s=0.01, storage_s=0.01))


class OfficeHarness:
    """One office at work for the length of a block.

    Attributes:
        model: The scripted model server; it outlives restarts.
        script: What it answers.
        heard: Every entry committed since the block began, over restarts.
        ada, ben, cleo: People; Ada owns the office.
    """

    def __init__(self, home: Path, setting: Setting | None = None) -> None:
        """``home`` is an empty folder, or one that an office was in before."""
        self.home = home
        self.setting = setting or Setting()
        self.script = Script()
        self.model = ModelServer(self.script.reply, strictness=self.setting.strictness)
        self.model.agent_of = YOU_ARE
        self.heard: list[Committed] = []
        self.ada, self.ben, self.cleo = (Person(id_, lambda: self.office) for id_ in PEOPLE)
        self.memory = MemoryComputers(self.setting.commands)
        self._bases: list[Snapshot] = []
        self._pulse = asyncio.Event()
        self._outer = AsyncExitStack()
        self._inner = AsyncExitStack()
        self._office: Office | None = None
        self._disk: Disk | None = None
        self._kill_after = ""
        self._is_cut = asyncio.Event()
        self._database: Database | None = None

    async def __aenter__(self) -> "OfficeHarness":
        await self._outer.enter_async_context(self.model)
        try:
            await self.open()
        except BaseException:
            await self._inner.aclose()
            await self._outer.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._office is not None:
                await self._inner.__aexit__(kind, error, trace)
        finally:
            self._office = None
            await self._outer.aclose()

    # --- the office ---------------------------------------------------------------------------

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

    @property
    def disk(self) -> Disk:
        """The disk that the database lies on."""
        if self._disk is None:
            raise RuntimeError("the office was never opened")
        return self._disk

    async def open(self) -> None:
        """Open the office that lies in the home."""
        folder = self.home / "offices" / NAME
        config = await asyncio.to_thread(_written, folder, self.setting.yaml)
        self._inner = AsyncExitStack()
        enter = self._inner.enter_async_context
        wire = await enter(Wire())
        url = self.setting.database or sqlite_url(self.home / "dayshift.db")
        self._database = await enter(open_database(url))
        self._disk = Disk(self._database)
        computers = self.memory
        if self.setting.computers == "local":
            computers = LocalComputers(self.home, await asyncio.to_thread(probe))
        self._inner.push_async_callback(computers.off)
        self._inner.callback(self.database.subscribe(self._hear))
        clock = self.setting.clock
        ground = Ground(
            home=self.home,
            database=self.database,
            catalogue=lambda _office: ServedModels(
                self.model, wire, self.setting.dialect, self.setting.facts
            ),
            computers=computers,
            is_isolated=True,
            person_name=lambda id_: PEOPLE.get(id_, ""),
            wall=clock.wall if clock else wall,
            monotonic=clock.monotonic if clock else monotonic,
            patience=self.setting.patience,
            tools=self.setting.tools,
        )
        self._office = await enter(open_office(ground, config, folder))
        self._bases.append(await self.snapshot())

    async def close(self) -> None:
        """Stop the office as a server does that is told to stop."""
        inner, self._office = self._inner, None
        await inner.aclose()
        self._database = None

    async def restart(self) -> None:
        """Stop the office in order, and open it again."""
        await self.close()
        await self.open()

    async def reopen_with(self, yaml: str) -> None:
        """Stop the office, change its file, and open it again."""
        await self.close()
        self.setting = replace(self.setting, yaml=yaml)
        await self.open()

    async def kill(self) -> None:
        """Stop the office as ``kill -9`` does: nothing more reaches the disk from now on."""
        self.office.is_stopping = True
        self.disk.cut()
        try:
            await self.close()
        except* StorageError:
            self._database = None

    def kill_after(self, kind: str) -> None:
        """Let nothing more reach the disk once an entry of that kind has; see ``killed``."""
        self._kill_after = kind
        self._is_cut.clear()

    async def killed(self) -> None:
        """Wait until the entry of ``kill_after`` is on disk, then end what is left in memory."""
        async with asyncio.timeout(LIMIT_S):
            await self._is_cut.wait()
        await self.kill()

    async def kill_and_reopen(self) -> None:
        """Kill the office, and open it again."""
        await self.kill()
        await self.open()

    # --- what is scripted ---------------------------------------------------------------------

    def says(self, agent: str, *replies: Reply) -> None:
        """Queue what the model answers an agent, or whoever asks the model of that name."""
        self.script.queues.setdefault(agent, deque()).extend(replies)

    async def wakes(self, agent: str, text: str, *, task: str = "", times: int = 1) -> None:
        """Let the office wake an agent, over a task or over nothing, one time after the other."""
        event = Event(source="custom", type="look", text=text, target=agent, task=task)
        for _ in range(times):
            await self.office.bus.commit(lambda unit: self.office.dispatcher.deliver(unit, event))
            await self.settled()

    def jump(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Let office time jump; what falls due on the way does so at once."""
        if self.setting.clock is None:
            raise RuntimeError("this office runs by the machine's clock")
        self.setting.clock.jump(days=days, hours=hours, seconds=seconds)
        self.office.clock.resume()

    # --- waiting ------------------------------------------------------------------------------

    async def settled(self, *, limit_s: float = LIMIT_S) -> None:
        """Wait until all that was set going is done: nobody works, nothing is left to be said."""
        async with asyncio.timeout(limit_s):
            while not self.office.staff.is_idle() or self.office.pending:
                await self.office.staff.rested()
                if self.office.pending:
                    await asyncio.wait(self.office.pending)

    async def until(
        self, kind: type[T], holds: Callable[[T], object] = lambda _: True, *, since: int = 0
    ) -> T:
        """Wait for an entry of a kind; those heard already count, from the ``since``-th on."""
        at = since
        async with asyncio.timeout(LIMIT_S):
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

    # --- what is there ------------------------------------------------------------------------

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
        for base in self._bases:
            old = msgspec.json.decode(msgspec.json.encode(base), type=Snapshot)
            for committed in self.heard:
                apply(old, recorded(committed))
            assert old == fresh  # noqa: S101  a harness speaks for tests

    def _hear(self, entries: Sequence[Committed]) -> None:
        self.heard += entries
        if any(one.entry.__struct_config__.tag == self._kill_after for one in entries):
            self._kill_after = ""
            self.disk.cut()
            self._is_cut.set()
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()


def _written(folder: Path, yaml: str) -> OfficeConfig:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "office.yaml"
    file.write_text(yaml, encoding="utf-8")
    return load(file, {})


def does(tool: str, **arguments: object) -> Say:
    """An answer that calls one tool."""
    return Say(calls=(Call(name=tool, arguments=arguments),))


def recorded(committed: Committed) -> Recorded:
    """An entry as the feed tells it: by way of its JSON."""
    entry: Entry = msgspec.json.decode(committed.body, type=Entry)
    return Recorded(committed.seq, committed.at, committed.actor, entry)
