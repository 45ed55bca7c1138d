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
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Literal

from dayshift.app.office import Ground, open_office
from dayshift.clock.real import monotonic, wall
from dayshift.computers.isolation import probe
from dayshift.computers.kinds import Machines
from dayshift.config.office import OfficeConfig, load
from dayshift.core.errors import StorageError
from dayshift.core.events import Event
from dayshift.core.model import ModelFacts
from dayshift.core.tools import Tool
from dayshift.models.wire import Wire
from dayshift.run.workplace import Patience
from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url
from dayshift.store.writer import Committed
from dayshift.testing.memory_shell import Word
from dayshift.testing.model_server import Call, ModelServer, Reply, Say, Strictness
from dayshift.testing.office_harness_means import (
    Dialect,
    Disk,
    JumpingClock,
    MemoryComputers,
    ServedModels,
)
from dayshift.testing.office_harness_people import Person
from dayshift.testing.office_harness_watch import LIMIT_S, NAME, Kept

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
        synchronous: How SQLite waits for the disk; a process that is killed needs no waiting.
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
    synchronous: Literal["FULL", "OFF"] = "FULL"
    computers: Literal["memory", "local"] = "memory"
    commands: Mapping[str, Word] = field(default_factory=lambda: MappingProxyType({}))
    tools: tuple[Tool, ...] = ()
    clock: JumpingClock | None = None
    patience: Patience = field(default_factory=lambda: Patience(backoff_s=0.01, storage_s=0.01))


class OfficeHarness(Kept):
    """One office at work for the length of a block.

    Attributes:
        model: The scripted model server; it outlives restarts.
        script: What it answers.
        heard: Every entry committed since the block began, over restarts.
        ada, ben, cleo: People; Ada owns the office.
    """

    def __init__(
        self,
        home: Path,
        setting: Setting | None = None,
        *,
        on_database: Callable[[Database], None] = lambda _: None,
    ) -> None:
        """``home`` is an empty folder, or one that an office was in before.

        ``on_database`` is given each database that is opened, before anything is written to it.
        """
        super().__init__()
        self.home = home
        self._on_database = on_database
        self.setting = setting or Setting()
        self.model = ModelServer(self.script.reply, strictness=self.setting.strictness)
        self.model.agent_of = YOU_ARE
        self.ada, self.ben, self.cleo = (Person(id_, lambda: self.office) for id_ in PEOPLE)
        self.memory = MemoryComputers(self.setting.commands)
        self._outer = AsyncExitStack()
        self._inner = AsyncExitStack()
        self._disk: Disk | None = None
        self._kill_after = ""
        self._is_cut = asyncio.Event()

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
        self._database = await enter(open_database(url, synchronous=self.setting.synchronous))
        self._disk = Disk(self._database)
        self._on_database(self._database)
        computers = self.memory
        if self.setting.computers == "local":
            computers = Machines(self.home, await asyncio.to_thread(probe))
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
