"""office.yaml: read, checked as a whole, and settled into what the office works with.

``load`` gives a frozen ``OfficeConfig`` in which nothing is left out any more: models, budgets,
environments and channel members are what they come to. Everything wrong with a file is told at
once, with line and column.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from dayshift.config import checks
from dayshift.config.faults import FAULTS_MAX, faults_of
from dayshift.config.fields import (
    PRIORITIES,
    WEEKDAYS,
    AgentFields,
    BudgetFields,
    ChannelFields,
    ClockFields,
    FileFields,
    Language,
    OfficeFields,
    OfficePriority,
)
from dayshift.config.place import Places
from dayshift.config.variables import substitute
from dayshift.config.yaml_text import Plain, as_mapping, read_yaml
from dayshift.core.clock import ClockMode
from dayshift.core.errors import ConfigError, ConfigErrors
from dayshift.core.limits import TURNS_MAX
from dayshift.core.model import Thinking

ModelT = TypeVar("ModelT", bound=BaseModel)

RUN_SECONDS_MAX = 21_600
"""Real seconds a run may take when office.yaml says nothing: six hours."""
GENERAL = "general"


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Ceilings, in millionths of a dollar, tokens, turns and real seconds; 0 means none."""

    usd_micros_per_day: int = 0
    tokens_per_day: int = 0
    usd_micros_per_run: int = 0
    tokens_per_run: int = 0
    turns_per_run: int = TURNS_MAX
    seconds_per_run: int = RUN_SECONDS_MAX


@dataclass(frozen=True, kw_only=True)
class ClockConfig:
    """How office time runs. ``workdays`` counts Monday as 0; without ``start_date`` it is today."""

    mode: ClockMode = "wall"
    zone: str = "UTC"
    start_date: date | None = None
    seconds_per_tick: float = 1.0
    sim_seconds_per_real_second: float = 1.0
    fast_forward_idle_s: float = 60.0
    shift_start: time = time(8)
    shift_end: time = time(18)
    workdays: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, kw_only=True)
class ComputerConfig:
    """Where an agent's commands run."""

    kind: str = "local"
    network: bool = False


@dataclass(frozen=True, kw_only=True)
class AgentConfig:
    """One employee, with everything settled.

    Attributes:
        model: ``provider:model``; empty when neither the agent nor the office names one.
        cwd: Absolute folder; empty for the agent's own workspace.
        reports_to: The manager's name; empty when it reports to a person.
        tools_allow: Only these tools; ``None`` when all but ``tools_deny``.
        budget: Its own ceilings per day, and those of each of its runs.
    """

    name: str
    title: str = ""
    description: str = ""
    group: str = ""
    model: str = ""
    fallbacks: tuple[str, ...] = ()
    priority: OfficePriority = "normal"
    thinking: Thinking = "low"
    prompt_inline: str = ""
    prompt_mode: str = "full"
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    reports_to: str = ""
    keywords: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    salience_threshold: float = 0.4
    tools_allow: tuple[str, ...] | None = None
    tools_deny: tuple[str, ...] = ()
    computer: ComputerConfig = field(default_factory=ComputerConfig)
    budget: Budget = field(default_factory=Budget)

    @property
    def rank(self) -> int:
        """The priority as a number, 0 idle to 4 critical."""
        return PRIORITIES.index(self.priority)

    def may_call(self, tool: str) -> bool:
        """Whether the file lets it call a tool of that name."""
        return tool not in self.tools_deny if self.tools_allow is None else tool in self.tools_allow


@dataclass(frozen=True, kw_only=True)
class ChannelConfig:
    """A channel; ``members`` are agents, in the order of the file.

    ``is_written`` is false for a ``general`` that the file does not mention.
    """

    name: str
    description: str = ""
    members: tuple[str, ...] = ()
    report: bool = False
    is_written: bool = True


@dataclass(frozen=True, kw_only=True)
class OfficeConfig:
    """A whole office as its file says it.

    Attributes:
        model: Model of agents that name none; empty when the server is to choose.
        tick_interval_s: Seconds between two starts of one agent; 0 for at once.
        keep_days: Days for which finished work is kept whole; ``None`` for ever.
        places: Where everything stands in the file, for errors found later.
    """

    name: str
    title: str
    description: str = ""
    language: Language = "en"
    zone: str = "UTC"
    model: str = ""
    budget: Budget = field(default_factory=Budget)
    clock: ClockConfig = field(default_factory=ClockConfig)
    tick_interval_s: float = 0.0
    keep_days: int | None = None
    channel_context: int = 10
    agents: tuple[AgentConfig, ...] = ()
    channels: tuple[ChannelConfig, ...] = ()
    places: Places = field(default_factory=lambda: Places("office.yaml"), compare=False, repr=False)

    def agent(self, name: str) -> AgentConfig | None:
        """The agent of exactly that name."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> Mapping[str, AgentConfig]:
        return {agent.name: agent for agent in self.agents}

    def channel(self, name: str) -> ChannelConfig | None:
        """The channel of exactly that name."""
        return next((channel for channel in self.channels if channel.name == name), None)

    def reports_of(self, name: str) -> tuple[str, ...]:
        """Who reports to an agent directly, in the order of the file."""
        return tuple(agent.name for agent in self.agents if agent.reports_to == name)

    def managers_of(self, name: str) -> tuple[str, ...]:
        """The way a matter goes up: the manager, the manager's manager, and so on."""
        above = {agent.name: agent.reports_to for agent in self.agents}
        chain: list[str] = []
        while manager := above.get(name, ""):
            chain.append(manager)
            name = manager
        return tuple(chain)

    @property
    def report_channel(self) -> str:
        """Where tasks without a channel of their own are announced; empty when nowhere."""
        return next((channel.name for channel in self.channels if channel.report), "")


def load(path: Path, env: Mapping[str, str]) -> OfficeConfig:
    """Read, check and settle an office file.

    Args:
        path: ``<home>/offices/<office>/office.yaml``; the folder's name is the office's name.
        env: The server's environment, for ``${VAR}`` and ``~``.

    Raises:
        ConfigErrors: Everything that is wrong with the file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigErrors(
            [ConfigError(f"The file cannot be read: {reason}.", file=str(path))]
        ) from error
    return parse(data, path=path, env=env)


def lean(read: Callable[[], OfficeConfig]) -> OfficeConfig:
    """What ``read`` gives, for an office at work: without its places, in memory of its own.

    The places take as much memory as all the rest, and reading a large file fills many times more.
    What is made while that is in use lies between it and keeps the whole from being given back.
    """
    # Pickle also carries what is no UTF-8: a folder or a variable of the environment may hold it.
    packed = pickle.dumps(_without_places(read()))
    return pickle.loads(packed)  # noqa: S301  our own, made in the line before


def _without_places(config: OfficeConfig) -> OfficeConfig:
    return replace(config, places=Places(config.places.file))


def parse(data: bytes, *, path: Path, env: Mapping[str, str]) -> OfficeConfig:
    """Like ``load``, from bytes that are or will be at ``path``.

    Raises:
        ConfigErrors: Everything that is wrong with them.
    """
    try:
        text = read_yaml(data, str(path))
        plain = _without_nulls(as_mapping(text))
    except ConfigError as error:
        raise ConfigErrors([error]) from error
    faults: list[ConfigError] = []
    written: FileFields | None = None
    try:
        written = FileFields.model_validate(plain)
    except ValidationError as error:
        faults += faults_of(error, text.places, (), FileFields)
    faults += checks.check(_parts(plain, written, places=text.places, folder=path.parent, env=env))
    if written is None or faults:
        raise ConfigErrors(_in_order(faults))
    return settle(written, places=text.places, folder=path.parent, env=env)


def _without_nulls(value: Mapping[str, Plain]) -> dict[str, Plain]:
    """A key without a value is a key left out."""
    return {
        key: _without_nulls(inner) if isinstance(inner, dict) else _list_without_nulls(inner)
        for key, inner in value.items()
        if inner is not None
    }


def _list_without_nulls(value: Plain) -> Plain:
    if not isinstance(value, tuple):
        return value
    return tuple(_without_nulls(item) if isinstance(item, dict) else item for item in value)


def _in_order(faults: list[ConfigError]) -> list[ConfigError]:
    """By place, each once, the first ``FAULTS_MAX``."""
    unique = {(fault.line, fault.column, fault.message): fault for fault in faults}
    return [unique[key] for key in sorted(unique)][:FAULTS_MAX]


def _parts(
    plain: Mapping[str, Plain],
    written: FileFields | None,
    *,
    places: Places,
    folder: Path,
    env: Mapping[str, str],
) -> checks.Parts:
    """What can be checked further, also when parts of the file are faulty."""
    agents, channels = _entries(plain, "agents"), _entries(plain, "channels")
    named = [agent.get("name") for agent in agents if isinstance(agent, dict)]
    return checks.Parts(
        office=written.office if written else _valid(OfficeFields, plain.get("office", {})),
        agents=tuple(enumerate(written.agents) if written else _valid_of(AgentFields, agents)),
        channels=tuple(
            enumerate(written.channels) if written else _valid_of(ChannelFields, channels)
        ),
        names=tuple(name for name in named if isinstance(name, str)),
        places=places,
        folder=folder,
        env=env,
    )


def _entries(plain: Mapping[str, Plain], key: str) -> tuple[Plain, ...]:
    value = plain.get(key)
    return value if isinstance(value, tuple) else ()


def _valid(model: type[ModelT], value: Plain) -> ModelT | None:
    """What is left of a part when its faulty fields are taken out; ``None`` when not enough."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        wrong = {detail["loc"][0] for detail in error.errors() if detail["loc"]}
    if not isinstance(value, dict) or not wrong:
        return None
    try:
        return model.model_validate({k: v for k, v in value.items() if k not in wrong})
    except ValidationError:
        return None


def _valid_of(model: type[ModelT], entries: tuple[Plain, ...]) -> Iterator[tuple[int, ModelT]]:
    for at, entry in enumerate(entries):
        if (valid := _valid(model, entry)) is not None:
            yield at, valid


def settle(
    written: FileFields, *, places: Places, folder: Path, env: Mapping[str, str]
) -> OfficeConfig:
    """What a checked file comes to, with every default in its place."""
    office = written.office
    names = tuple(agent.name for agent in written.agents)
    return OfficeConfig(
        name=office.name or folder.name,
        title=office.title or office.name or folder.name,
        description=office.description,
        language=office.language,
        zone=office.zone,
        model=office.model or "",
        budget=_budget(office.budget, Budget()),
        clock=_clock(office.clock, office.zone),
        tick_interval_s=office.scheduler.tick_interval,
        keep_days=office.keep_days,
        channel_context=office.channel_context,
        agents=tuple(_agent(agent, office, folder, env) for agent in written.agents),
        channels=_channels(written.channels, names),
        places=places,
    )


def _agent(
    agent: AgentFields, office: OfficeFields, folder: Path, env: Mapping[str, str]
) -> AgentConfig:
    tools = agent.permissions.tools
    shared = _budget(office.budget, Budget())
    inherited = replace(shared, usd_micros_per_day=0, tokens_per_day=0)
    return AgentConfig(
        name=agent.name,
        title=agent.title or agent.name,
        description=agent.description,
        group=agent.group,
        model=agent.model or office.model or "",
        fallbacks=agent.fallbacks,
        priority=agent.priority,
        thinking=agent.thinking,
        prompt_inline=agent.prompt_inline.strip(),
        prompt_mode=agent.prompt_mode,
        cwd=str(checks.folder_of(agent.cwd, folder, env)) if agent.cwd else "",
        env={key: substitute(text, env).text for key, text in {**office.env, **agent.env}.items()},
        reports_to=agent.reports_to or "",
        keywords=agent.keywords,
        skills=agent.skills,
        salience_threshold=agent.salience_threshold,
        tools_allow=tools.allow,
        tools_deny=tools.deny or (),
        computer=ComputerConfig(kind=agent.computer.kind, network=agent.computer.network),
        budget=_budget(agent.budget, inherited),
    )


def _budget(written: BudgetFields, outer: Budget) -> Budget:
    """A budget with what it leaves out taken from the one around it."""
    return Budget(
        usd_micros_per_day=_micros(written.usd_per_day, outer.usd_micros_per_day),
        tokens_per_day=_given(written.tokens_per_day, outer.tokens_per_day),
        usd_micros_per_run=_micros(written.usd_per_run, outer.usd_micros_per_run),
        tokens_per_run=_given(written.tokens_per_run, outer.tokens_per_run),
        turns_per_run=_given(written.turns_per_run, outer.turns_per_run),
        seconds_per_run=_given(written.seconds_per_run, outer.seconds_per_run),
    )


def _given(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _micros(dollars: float | None, otherwise: int) -> int:
    return otherwise if dollars is None else round(dollars * 1_000_000)


def _clock(clock: ClockFields, zone: str) -> ClockConfig:
    return ClockConfig(
        mode=clock.mode,
        zone=zone,
        start_date=checks.date_of(clock.start_date) if clock.start_date else None,
        seconds_per_tick=clock.seconds_per_tick,
        sim_seconds_per_real_second=clock.sim_seconds_per_real_second,
        fast_forward_idle_s=clock.fast_forward_idle_s,
        shift_start=time.fromisoformat(clock.shift.start),
        shift_end=time.fromisoformat(clock.shift.end),
        workdays=tuple(sorted(WEEKDAYS.index(day) for day in clock.workdays)),
    )


def _channels(
    written: tuple[ChannelFields, ...], names: tuple[str, ...]
) -> tuple[ChannelConfig, ...]:
    """The channels of the file, and ``general`` with everyone when the file has none."""
    channels = tuple(
        ChannelConfig(
            name=channel.name,
            description=channel.description,
            members=names if channel.members is None else channel.members,
            report=channel.report,
        )
        for channel in written
    )
    if any(channel.name.casefold() == GENERAL for channel in channels):
        return channels
    general = ChannelConfig(name=GENERAL, description="Everyone.", members=names, is_written=False)
    return (general, *channels)
