"""One open office: its rooms put together, from the ground floor up, and its start and stop.

Everything in memory follows the ledger: agents, inboxes, the office's own state. What is here only
puts together and listens; what it changes goes through units of work.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

import msgspec
import structlog

from dayshift.app.timekeeping import Timekeeping, spent_so_far
from dayshift.app.toolbox import Toolbox, without_secrets
from dayshift.bus.bus import Bus
from dayshift.clock.describe import describe
from dayshift.clock.office_clock import ClockMark, OfficeClock, open_clock
from dayshift.computers.options import Options
from dayshift.config.office import OfficeConfig
from dayshift.core.computer import Computer
from dayshift.core.entries import (
    AgentChanged,
    CallOutput,
    ItemChanged,
    Live,
    OfficeChanged,
    RunDelta,
    TurnEnded,
)
from dayshift.core.errors import QuotaSpentError
from dayshift.core.model import ModelCatalogue
from dayshift.core.redaction import secrets_in
from dayshift.core.states import Activity, Duty
from dayshift.core.tools import Tool
from dayshift.core.views import AgentView, ItemView, OfficeView
from dayshift.core.wishes import ChannelDraft
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import Inboxes
from dayshift.dispatch.index import AttentionIndex
from dayshift.dispatch.salience import profile
from dayshift.facilities.alerts import Alarm, Alerts
from dayshift.facilities.board import Board
from dayshift.facilities.journal import Journal
from dayshift.facilities.retention import Retention
from dayshift.facilities.talk import Talk
from dayshift.facilities.waiting import Waiting
from dayshift.run.briefing import Briefer
from dayshift.run.budget import Purse
from dayshift.run.dialogue import Dialogues
from dayshift.run.gate import Gate
from dayshift.run.live import Voice
from dayshift.run.worker import Staff
from dayshift.run.workplace import Means, Patience, Rooms, Workplace
from dayshift.store import arrivals, ledger_query, staff
from dayshift.store.database import Database, Reading
from dayshift.store.rows import decode
from dayshift.store.writer import Committed, Unit
from dayshift.stream.feed import Feed, open_feed

log = structlog.get_logger()
MARK = "clock"


class Computers(Protocol):
    """The computers of all agents of a server."""

    def of(
        self, office: str, agent: str, options: Options | None = None, *, kind: str = "local"
    ) -> Computer:
        """An agent's computer, the same one every time; options hold from its next start on."""
        ...


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What all offices of a server stand on.

    Attributes:
        wall: Real time, aware. ``monotonic``: real seconds.
    """

    home: Path
    database: Database
    catalogue: Callable[[str], ModelCatalogue]
    computers: Computers
    is_isolated: bool
    person_name: Callable[[str], str]
    wall: Callable[[], datetime]
    monotonic: Callable[[], float]
    patience: Patience = field(default_factory=Patience)
    tools: tuple[Tool, ...] = ()
    """Tools of the ground's own, beside the built-in ones."""


@dataclass
class Office:
    """One open office. Its rooms are whole once ``open_office`` has given it out."""

    name: str
    folder: Path
    ground: Ground
    config: OfficeConfig
    clock: OfficeClock
    bus: Bus
    feed: Feed
    view: OfficeView
    default_model: str = ""
    book: DutyBook = field(default_factory=DutyBook)
    inboxes: Inboxes = field(default_factory=Inboxes)
    index: AttentionIndex = field(default_factory=AttentionIndex)
    gate: Gate = field(default_factory=lambda: Gate(is_open=True))
    is_stopping: bool = False

    def __post_init__(self) -> None:
        """Put the rooms together."""
        ground = self.ground
        self.dispatcher = Dispatcher(self.book, self.index, self.clock.now, clean=self.bus.clean)
        self.talk = Talk(self.bus, self.dispatcher, book=self.book, person_name=ground.person_name)
        self.board = Board(
            self.bus,
            self.dispatcher,
            self.book,
            default_channel=lambda: self.config.report_channel,
        )
        self.waiting = Waiting(self.bus, self.inboxes, self.book)
        self.alerts = Alerts(self.bus)
        self.journal = Journal(self.bus, self.book)
        self.tools: dict[str, Tool] = {tool.name: tool for tool in self._make_tools()}
        self.briefer = Briefer(
            lambda: self.config, lambda: list(self.tools.values()), self._workspace_of
        )
        self.purse = Purse(
            day=self.clock.day,
            office=self.config.budget,
            warned=self._warn,
            agents={agent.name: agent.budget for agent in self.config.agents},
        )
        self.retention = Retention(self.bus, self.config.keep_days)
        chores = (self.waiting.sweep, self.retention.sweep)
        self.time = Timekeeping(self.bus, self.clock, lambda: self.view, new_day=chores)
        self.staff = Staff(self._workplace())
        self.book.watch(self.index.follow)
        self.pending: set[asyncio.Task[object]] = set()

    def _make_tools(self) -> Sequence[Tool]:
        toolbox = Toolbox(
            talk=self.talk,
            board=self.board,
            book=self.book,
            computer_of=self.computer_of,
            describe_time=lambda: describe(self.clock, self.config.language),
            is_isolated=self.ground.is_isolated,
        )
        every = [*toolbox.tools(), *self.ground.tools]
        return [without_secrets(tool, self.bus.clean) for tool in every]

    def _workplace(self) -> Workplace:
        rooms = Rooms(
            journal=self.journal,
            book=self.book,
            inboxes=self.inboxes,
            board=self.board,
            talk=self.talk,
            alerts=self.alerts,
        )
        means = Means(
            catalogue=self.ground.catalogue(self.name),
            tools=self.tools,
            computer_of=self.computer_of,
            dialogues=Dialogues(self.journal),
            briefer=self.briefer,
            purse=self.purse,
        )
        return Workplace(
            office=self.name,
            rooms=rooms,
            means=means,
            gate=self.gate,
            clock=self.clock,
            config=lambda: self.config,
            voice=Voice(self._live, self.ground.database.redactor.begun),
            monotonic=self.ground.monotonic,
            out_of_money=self._out_of_money,
            person_name=self.ground.person_name,
            is_stopping=lambda: self.is_stopping,
            sessions_of=lambda agent: self.folder / "agents" / agent / "sessions",
            patience=self.ground.patience,
        )

    def computer_of(self, agent: str) -> Computer:
        """An agent's computer, with what the office's file says of it."""
        config = self.config.agent(agent)
        if config is None:
            return self.ground.computers.of(self.name, agent)
        folder = Path(config.cwd) if config.cwd else None
        options = Options(folder=folder, env=config.env, network=config.computer.network)
        return self.ground.computers.of(self.name, agent, options, kind=config.computer.kind)

    def _workspace_of(self, agent: str) -> str:
        return self.computer_of(agent).status().workspace

    def now(self) -> OfficeView:
        """The office as it is, its clock read anew."""
        return msgspec.structs.replace(self.view, clock=self.clock.view())

    # What happens by itself.

    def follow(self, committed: Committed) -> None:
        """Let memory follow what was committed."""
        match committed.entry:
            case AgentChanged(agent=agent):
                self.book.keep(agent)
                self._note_work()
            case ItemChanged(item=item):
                self.inboxes.keep(item)
                self._note_work()
            case OfficeChanged(office=office):
                self.view = office
                self.gate.set(is_open=office.state == "running")
            case TurnEnded(turn=turn) if turn.day == self.view.spent_day:
                spent = self.view.spent_usd_micros + turn.cost_usd_micros
                self.view = msgspec.structs.replace(self.view, spent_usd_micros=spent)
            case _:
                pass

    def _note_work(self) -> None:
        busy = (
            any(agent.activity is Activity.BUSY for agent in self.book.all())
            if self.clock.mode == "simulated"
            else False
        )
        if self.clock.mode == "simulated":
            self.clock.set_busy(busy or bool(self.inboxes.agents_with_mail()))

    def _live(self, live: Live) -> None:
        """Tell those who watch, without secrets."""
        redactor = self.ground.database.redactor
        match live:
            case RunDelta(text=text, reasoning=reasoning):
                text, reasoning = redactor.clean(text), redactor.clean(reasoning)
                if text is not live.text or reasoning is not live.reasoning:
                    live = msgspec.structs.replace(live, text=text, reasoning=reasoning)
            case CallOutput(text=text):
                text = redactor.clean(text)
                if text is not live.text:
                    live = msgspec.structs.replace(live, text=text)
        self.feed.live(live)

    def _warn(self, who: str, text: str) -> None:
        alarm = Alarm(code="budget_warning", fold=f"budget:{who}:{self.clock.day()}", text=text)
        self.spawn(self.alerts.raise_(alarm))

    def _out_of_money(self, error: QuotaSpentError) -> None:
        self.gate.set(is_open=False)
        self.spawn(self.pause(f"{error.message} {error.hint}".strip(), by="office"))

    def spawn(self, work: Coroutine[object, object, object]) -> None:
        """Do something beside the run that causes it; owned by the office's task group."""
        if self.group is not None:
            task = self.group.create_task(work)
            self.pending.add(task)
            task.add_done_callback(self.pending.discard)

    group: asyncio.TaskGroup | None = None

    # Changes of the office as a whole.

    async def pause(self, reason: str, *, by: str) -> OfficeView:
        """Start no more runs; those under way end their turn."""
        if self.clock.mode == "simulated" or not self.clock.is_paused:
            self.clock.pause()
        return await self.put(state="paused", paused_reason=reason, paused_by=by, by=by)

    async def resume(self, *, by: str) -> OfficeView:
        """Go on."""
        self.clock.resume()
        return await self.put(state="running", paused_reason="", paused_by="", by=by)

    async def put(self, *, by: str, **changes: object) -> OfficeView:
        """Write the office down with some fields changed, and where its clock stands."""

        def write(unit: Unit) -> OfficeView:
            view = msgspec.structs.replace(self.view, clock=self.clock.view(), **changes)
            view = spent_so_far(unit, view)
            staff.put_office(unit, view)
            staff.put_mark(unit, MARK, msgspec.json.encode(self.clock.mark()).decode())
            return view

        return await self.bus.commit(write, actor=by)

    async def take(self, config: OfficeConfig, *, by: str) -> None:
        """Work by another configuration from now on."""
        self.config = config = with_model(config, self.default_model)
        self.purse.office = config.budget
        self.purse.agents = {agent.name: agent.budget for agent in config.agents}
        self.learn()
        await self.bus.commit(self.write_config, actor=by)

    def learn(self) -> None:
        """Tell the attention filter what concerns each agent, and the redactor what they hide.

        On the event loop, like their use.
        """
        for agent in self.config.agents:
            for name, secret in secrets_in(agent.env):
                self.ground.database.redactor.learn(name, secret)
            known = self.book.get(agent.name)
            interests = profile(
                agent.name,
                keywords=agent.keywords,
                skills=agent.skills,
                threshold=agent.salience_threshold,
            )
            self.index.put(interests, known.duty if known else Duty.ON_DUTY)

    def write_config(self, unit: Unit) -> None:
        """Let the ledger say what the file says: the office, its agents, its channels."""
        view = spent_so_far(unit, office_view(self.config, self.clock, self.view))
        if view != self.view:
            staff.put_office(unit, view)
        for agent in self.config.agents:
            self.book.hire(unit, self._agent_view(agent.name))
        for gone in self.book.all():
            if self.config.agent(gone.name) is None:
                _let_go(self, unit, gone.name)
        self.talk.channels.apply(
            unit,
            [
                ChannelDraft(name=one.name, description=one.description, members=list(one.members))
                for one in self.config.channels
            ],
        )

    def _agent_view(self, name: str) -> AgentView:
        agent = self.config.agent(name)
        assert agent is not None  # noqa: S101  only names of the configuration come here
        return AgentView(
            name=agent.name,
            title=agent.title,
            description=agent.description,
            group=agent.group,
            reports_to=agent.reports_to,
            model=agent.model or self.config.model,
            priority=agent.priority,
            thinking=agent.thinking,
            duty=Duty.ON_DUTY,
            activity=Activity.IDLE,
            run="",
            computer=agent.computer.kind,
            tools=sorted(tool for tool in self.tools if agent.may_call(tool)),
            inbox_paused=False,
        )


def _let_go(office: Office, unit: Unit, agent: str) -> None:
    """Write down that an agent works here no longer, and what becomes of its work."""
    office.board.claims.leave(unit, agent)
    office.talk.channels.leave(unit, agent)
    office.waiting.leave(unit, agent)
    office.book.remove(unit, agent)


def office_view(config: OfficeConfig, clock: OfficeClock, before: OfficeView | None) -> OfficeView:
    """The office as its file says it, with the state it was left in."""
    refs = [agent.model or config.model for agent in config.agents]
    return OfficeView(
        name=config.name,
        title=config.title or config.name,
        description=config.description,
        language=config.language,
        state=before.state if before else "running",
        paused_reason=before.paused_reason if before else "",
        paused_by=before.paused_by if before else "",
        model=config.model,
        rehearsal=any(ref.startswith("rehearsal:") for ref in refs),
        clock=clock.view(),
        budget_usd_micros=config.budget.usd_micros_per_day,
        spent_usd_micros=before.spent_usd_micros
        if before and before.spent_day == clock.day()
        else 0,
        spent_day=clock.day(),
    )


@dataclass(frozen=True)
class Left:
    """What a former process left of an office."""

    view: OfficeView | None
    agents: list[AgentView]
    items: list[ItemView]
    mark: ClockMark | None
    last_at: datetime | None


async def _left(database: Database, name: str) -> Left:
    def query(asked: Reading) -> Left:
        mark = staff.mark(asked, name, MARK)
        return Left(
            staff.office(asked, name),
            staff.agents(asked, name),
            arrivals.items(asked, name),
            decode(mark, ClockMark) if mark else None,
            ledger_query.last_at(asked, name),
        )

    return await database.read(query)


@asynccontextmanager
async def open_office(
    ground: Ground, config: OfficeConfig, folder: Path, *, model: str = ""
) -> AsyncGenerator[Office]:
    """An office at work for the length of the block.

    ``model`` is for agents that name none, neither themselves nor through their office.

    Stopping ends model streams and commands; what was under way is resumed at the next start.

    Raises:
        StorageError: The database refused.
    """
    config = with_model(config, model)
    left = await _left(ground.database, config.name)
    clock = open_clock(
        config.clock,
        mark=left.mark,
        wall=ground.wall,
        monotonic=ground.monotonic,
        not_before=left.last_at,
    )
    bus = Bus(ground.database, config.name, clock)
    view = left.view or office_view(config, clock, None)
    async with AsyncExitStack() as stack:
        feed = await stack.enter_async_context(open_feed(ground.database, config.name))
        office = Office(config.name, folder, ground, config, clock, bus, feed, view, model)
        if view.state == "paused":
            clock.pause()
        office.gate.set(is_open=view.state == "running")
        for agent in left.agents:
            office.book.keep(agent)
        for item in left.items:
            office.inboxes.keep(item)
        bus.subscribe(office.follow)
        bus.open()
        stack.callback(bus.close)
        office.learn()
        await bus.commit(office.write_config if left.view else _first(office))
        async with asyncio.TaskGroup() as group:
            office.group = group
            await office.waiting.sweep()
            keeper = await office.time.open()
            timetable = group.create_task(keeper.run(), name=f"timetable {config.name}")
            group.create_task(office.retention.sweep(), name=f"retention {config.name}")
            await office.staff.start(group)
            try:
                yield office
            finally:
                office.is_stopping = True
                keeper.stop()
                await office.staff.stop()
                await office.put(by="office")
                office.group = None
                timetable.cancel()


def _first(office: Office) -> Callable[[Unit], None]:
    def write(unit: Unit) -> None:
        staff.put_office(unit, office.view)
        office.write_config(unit)

    return write


def with_model(config: OfficeConfig, model: str) -> OfficeConfig:
    """The configuration with the server's model where the file names none."""
    return config if config.model or not model else replace(config, model=model)
