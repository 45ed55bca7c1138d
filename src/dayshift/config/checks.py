"""What only the whole file can tell: who exists, who reports to whom, which name is taken.

Each check is a small function over the parts of a file that are valid by themselves; it yields
every fault it finds, each at its place.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from dayshift.config.faults import near
from dayshift.config.fields import AgentFields, ChannelFields, OfficeFields
from dayshift.config.place import Path as ValuePath
from dayshift.config.place import Places
from dayshift.config.variables import substitute
from dayshift.core.errors import ConfigError

RESERVED = frozenset(
    {"all", "everyone", "here", "me", "office", "people", "person", "self", "system", "user"}
)
"""Names that mean somebody else: mentions, authors, tool arguments."""
RESERVED_ENV = frozenset({"HOME", "LOGNAME", "PWD", "SHELL", "TMPDIR", "USER"})
"""Set by the agent's computer; names that begin with DAYSHIFT_ are reserved too."""


@dataclass(frozen=True)
class Parts:
    """The valid parts of a file, with their positions.

    Attributes:
        names: Every agent name that is written, also by an agent that has other faults.
        folder: The office's folder.
        env: The server's environment.
    """

    office: OfficeFields | None
    agents: tuple[tuple[int, AgentFields], ...]
    channels: tuple[tuple[int, ChannelFields], ...]
    names: tuple[str, ...]
    places: Places
    folder: Path
    env: Mapping[str, str]


def check(parts: Parts) -> Iterator[ConfigError]:
    """Every fault that the whole file shows."""
    if parts.office is not None:
        yield from _office_name(parts, parts.office)
        yield from _zone(parts, parts.office)
        yield from _clock(parts, parts.office)
        yield from _env(parts, ("office", "env"), parts.office.env)
    yield from _names(parts, "agents", parts.agents)
    yield from _names(parts, "channels", parts.channels)
    for at, agent in parts.agents:
        yield from _agent(parts, ("agents", at), agent)
    yield from _cycles(parts)
    for at, channel in parts.channels:
        yield from _members(parts, ("channels", at, "members"), channel)
    yield from _report(parts)


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of that name, if there is one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def date_of(text: str) -> date | None:
    """The day of that date, if there is one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def folder_of(cwd: str, folder: Path, env: Mapping[str, str]) -> Path:
    """The absolute folder that ``cwd`` means."""
    if cwd == "~" or cwd.startswith("~/"):
        return Path(env.get("HOME", "/")) / cwd[2:]
    return Path(os.path.normpath(folder.absolute() / cwd))


def _office_name(parts: Parts, office: OfficeFields) -> Iterator[ConfigError]:
    expected = parts.folder.name
    if office.name is not None and office.name != expected:
        yield parts.places.error(
            ("office", "name"),
            f"The office is called '{office.name}', but its folder is '{expected}'.",
            hint="Give both the same name, or leave the name out.",
        )


def _zone(parts: Parts, office: OfficeFields) -> Iterator[ConfigError]:
    if zone_of(office.zone) is None:
        hint = near(office.zone, available_timezones())
        yield parts.places.error(
            ("office", "zone"),
            f"There is no time zone '{office.zone[:60]}'.",
            hint=hint or "Write it as in Europe/Berlin or UTC.",
        )


def _clock(parts: Parts, office: OfficeFields) -> Iterator[ConfigError]:
    clock = office.clock
    if clock.shift.start >= clock.shift.end:
        yield parts.places.error(
            ("office", "clock", "shift"),
            f"The shift ends at {clock.shift.end}, which is not after its start, "
            f"{clock.shift.start}.",
        )
    if clock.start_date is not None and date_of(clock.start_date) is None:
        yield parts.places.error(
            ("office", "clock", "start_date"), f"There is no day {clock.start_date}."
        )
    yield from _twice(parts, ("office", "clock", "workdays"), clock.workdays)


def _env(parts: Parts, path: ValuePath, env: Mapping[str, str]) -> Iterator[ConfigError]:
    for key, text in env.items():
        if key in RESERVED_ENV or key.startswith("DAYSHIFT_"):
            yield parts.places.key_error((*path, key), f"{key} is set by the office itself.")
        for fault in substitute(text, parts.env).faults:
            yield parts.places.error(
                (*path, key), fault, hint="Write $${…} for a text that looks like a variable."
            )


def _names(
    parts: Parts, kind: str, entries: tuple[tuple[int, AgentFields | ChannelFields], ...]
) -> Iterator[ConfigError]:
    seen: dict[str, int] = {}
    for at, entry in entries:
        path: ValuePath = (kind, at, "name")
        name = entry.name
        if name.startswith("__"):
            yield parts.places.error(path, f"'{name}': names that begin with __ are the office's.")
        elif kind == "agents" and name.casefold() in RESERVED:
            yield parts.places.error(path, f"The name '{name}' is reserved.")
        first = seen.setdefault(name.casefold(), at)
        if first != at:
            yield parts.places.error(
                path,
                f"The name '{name}' is taken in line {parts.places.of((kind, first)).line}.",
                hint="Names differ by more than capital letters.",
            )


def _agent(parts: Parts, path: ValuePath, agent: AgentFields) -> Iterator[ConfigError]:
    manager = agent.reports_to
    if manager == agent.name:
        yield parts.places.error((*path, "reports_to"), f"'{manager}' cannot report to itself.")
    elif manager is not None and manager not in parts.names:
        yield parts.places.error(
            (*path, "reports_to"),
            f"There is no agent '{manager}'.",
            hint=near(manager, parts.names),
        )
    for at, keyword in enumerate(agent.keywords):
        if not any(character.isalnum() for character in keyword):
            yield parts.places.error(
                (*path, "keywords", at), f"The keyword '{keyword}' has neither letter nor digit."
            )
    tools = agent.permissions.tools
    if tools.allow is not None and tools.deny is not None:
        yield parts.places.key_error(
            (*path, "permissions", "tools", "deny"),
            "Give either 'allow' or 'deny', not both.",
            hint="'allow' alone already denies everything else.",
        )
    yield from _twice(parts, (*path, "fallbacks"), agent.fallbacks)
    yield from _env(parts, (*path, "env"), agent.env)
    yield from _cwd(parts, (*path, "cwd"), agent.cwd)


def _cwd(parts: Parts, path: ValuePath, cwd: str) -> Iterator[ConfigError]:
    if not cwd:
        return
    if "\0" in cwd or parts.folder.resolve().is_relative_to(
        folder_of(cwd, parts.folder, parts.env).resolve()
    ):
        yield parts.places.error(
            path,
            "An agent cannot work in a folder that holds the office itself.",
            hint="Choose another folder, or leave it out for the agent's own workspace.",
        )


def _cycles(parts: Parts) -> Iterator[ConfigError]:
    """Each circle of managers once, named from its first member in the file."""
    managers = {
        agent.name: agent.reports_to
        for _, agent in parts.agents
        if agent.reports_to is not None and agent.reports_to != agent.name
    }
    order = {agent.name: at for at, agent in reversed(parts.agents)}
    while managers:  # each round takes one circle out, or ends
        try:
            TopologicalSorter({name: [manager] for name, manager in managers.items()}).prepare()
        except CycleError as error:
            members: set[str] = set(error.args[1])
        else:
            return
        first = min(members, key=order.__getitem__)
        circle = [first]
        while (above := managers[circle[-1]]) != first:  # a circle comes back to its first
            circle.append(above)
        yield parts.places.error(
            ("agents", order[first], "reports_to"),
            f"Managers go round in a circle: {' → '.join([*circle, first])}.",
            hint="One of them must report to a person: leave its 'reports_to' out.",
        )
        for name in members:
            del managers[name]


def _members(parts: Parts, path: ValuePath, channel: ChannelFields) -> Iterator[ConfigError]:
    members = channel.members
    if members is None:
        return
    if not members:
        yield parts.places.error(
            path, "A channel needs a member.", hint="Leave 'members' out for every agent."
        )
    for at, member in enumerate(members):
        if member not in parts.names:
            yield parts.places.error(
                (*path, at), f"There is no agent '{member}'.", hint=near(member, parts.names)
            )
    yield from _twice(parts, path, members)


def _report(parts: Parts) -> Iterator[ConfigError]:
    reporting = [at for at, channel in parts.channels if channel.report]
    for at in reporting[1:]:
        yield parts.places.error(
            ("channels", at, "report"), "Only one channel can be the one for reports."
        )


def _twice(parts: Parts, path: ValuePath, entries: Iterable[str]) -> Iterator[ConfigError]:
    seen: set[str] = set()
    for at, entry in enumerate(entries):
        if entry in seen:
            yield parts.places.error((*path, at), f"'{entry}' is given twice.")
        seen.add(entry)
