"""What people ask for: filters of lists, drafts of new things and changes to things there are.

A field of a change that is left out stays as it is. Unknown fields are refused.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dayshift.core.model import Thinking
from dayshift.core.names import NAME, OFFICE_NAME
from dayshift.core.states import TaskStatus
from dayshift.core.views import Evidence

Mode = Literal["queue", "steer"]
UsageKey = Literal["day", "agent", "model", "task", "run"]
OfficeName = Annotated[str, Meta(pattern=OFFICE_NAME)]
Name = Annotated[str, Meta(pattern=NAME)]
"""Name of a channel or an agent."""
Title = Annotated[str, Meta(min_length=1, max_length=200)]
Line = Annotated[str, Meta(max_length=1_000)]
Prose = Annotated[str, Meta(max_length=20_000)]
Level = Annotated[int, Meta(ge=0, le=4)]
"""A task's priority: 0 idle, 1 low, 2 normal, 3 high, 4 critical."""


class Wish(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Base of all wishes."""


class OfficeDraft(Wish, frozen=True, kw_only=True):
    """A new office; ``example`` names a built-in one to start from."""

    name: OfficeName
    title: Annotated[str, Meta(max_length=200)] = ""
    example: Annotated[str, Meta(max_length=64)] = ""


class OfficeChanges(Wish, frozen=True, kw_only=True):
    """Changes to an office. A budget of 0 is no ceiling."""

    title: Title | UnsetType = UNSET
    description: Prose | UnsetType = UNSET
    model: Title | UnsetType = UNSET
    budget_usd: Annotated[float, Meta(ge=0, le=1_000_000)] | UnsetType = UNSET


class AgentChanges(Wish, frozen=True, kw_only=True):
    """Changes to an agent. ``reports_to`` may be empty: then it reports to nobody."""

    model: Title | UnsetType = UNSET
    thinking: Thinking | UnsetType = UNSET
    priority: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    reports_to: Annotated[str, Meta(max_length=96)] | UnsetType = UNSET
    description: Prose | UnsetType = UNSET
    prompt_inline: Prose | UnsetType = UNSET


class ChannelDraft(Wish, frozen=True, kw_only=True):
    """A new channel. No members means all agents."""

    name: Name
    description: Line = ""
    members: Annotated[list[str], Meta(max_length=10_000)] = []


class ChannelChanges(Wish, frozen=True, kw_only=True):
    """Changes to a channel."""

    name: Name | UnsetType = UNSET
    description: Line | UnsetType = UNSET
    members: Annotated[list[str], Meta(max_length=10_000)] | UnsetType = UNSET


class TaskDraft(Wish, frozen=True, kw_only=True):
    """A new card. ``assignee`` may be empty: then nobody is woken."""

    title: Title
    description: Prose = ""
    assignee: Annotated[str, Meta(max_length=96)] = ""
    priority: Level = 2
    depends_on: Annotated[list[str], Meta(max_length=100)] = []
    parent: Annotated[str, Meta(max_length=96)] = ""
    report_channel: Annotated[str, Meta(max_length=96)] = ""


class TaskChanges(Wish, frozen=True, kw_only=True):
    """Changes to a card that are no move."""

    title: Title | UnsetType = UNSET
    description: Prose | UnsetType = UNSET
    assignee: Annotated[str, Meta(max_length=96)] | UnsetType = UNSET
    priority: Level | UnsetType = UNSET
    depends_on: Annotated[list[str], Meta(max_length=100)] | UnsetType = UNSET
    parent: Annotated[str, Meta(max_length=96)] | UnsetType = UNSET
    report_channel: Annotated[str, Meta(max_length=96)] | UnsetType = UNSET


class TaskMove(Wish, frozen=True, kw_only=True):
    """A card to another column. Blocked and failed need a reason, done needs a result."""

    status: TaskStatus
    reason: Prose = ""
    result: Prose = ""
    evidence: Annotated[list[Evidence], Meta(max_length=50)] = []


class TaskFilter(Wish, frozen=True, kw_only=True):
    """Cards to list; an empty field does not filter. ``text`` is in title or description."""

    status: str = ""
    assignee: str = ""
    parent: str = ""
    text: str = ""


class RunFilter(Wish, frozen=True, kw_only=True):
    """Runs to list; an empty field does not filter."""

    agent: str = ""
    state: str = ""
    task: str = ""
    thread: str = ""


class EventFilter(Wish, frozen=True, kw_only=True):
    """Events to list; an empty field does not filter. ``agent`` is the target."""

    source: str = ""
    type: str = ""
    agent: str = ""
    text: str = ""


class LedgerFilter(Wish, frozen=True, kw_only=True):
    """Entries to list; an empty field does not filter. ``text`` is anywhere in the entry."""

    kind: str = ""
    agent: str = ""
    run: str = ""
    task: str = ""
    actor: str = ""
    text: str = ""
