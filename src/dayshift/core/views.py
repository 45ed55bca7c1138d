"""Nouns as everyone outside the store sees them: in the feed, the API, the snapshot and the tools.

Times are aware; office time unless the name says ``real``. Money is in millionths of a US dollar.
"""

from datetime import datetime
from typing import Any, Literal

import msgspec

from dayshift.core.artifacts import Artifact
from dayshift.core.model import Thinking, Usage
from dayshift.core.states import (
    Activity,
    CallState,
    Duty,
    ItemState,
    RunState,
    TaskStatus,
    TurnState,
)

AuthorKind = Literal["person", "agent", "office"]
ThreadKind = Literal["dm", "channel", "internal"]


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """Base of all views."""


class ClockView(View, frozen=True, kw_only=True):
    """The office's clock.

    Between ``real_at`` and the next clock entry it runs at ``rate`` office seconds a second.
    """

    mode: Literal["wall", "simulated"]
    zone: str
    day: int
    office_at: datetime
    real_at: datetime
    rate: float


class OfficeView(View, frozen=True, kw_only=True):
    """One office."""

    name: str
    title: str
    description: str
    language: str
    state: Literal["running", "paused"]
    paused_reason: str
    paused_by: str
    model: str
    rehearsal: bool
    """Whether any agent works on the rehearsal provider."""
    clock: ClockView
    budget_usd_micros: int
    """Ceiling per office day; 0 when there is none."""
    spent_usd_micros: int
    """Spent this office day."""
    spent_day: int


class AgentView(View, frozen=True, kw_only=True):
    """One employee."""

    name: str
    title: str
    description: str
    group: str
    reports_to: str
    model: str
    priority: str
    thinking: Thinking
    duty: Duty
    activity: Activity
    run: str
    """The run it works on; empty when none."""
    computer: str
    tools: list[str]
    inbox_paused: bool
    removed: bool = False


class ThreadView(View, frozen=True, kw_only=True):
    """A people-side conversation."""

    id: str
    kind: ThreadKind
    name: str
    """Channel name; for a DM the agent; for internal talk ``a & b``."""
    title: str
    description: str
    members: list[str]
    """Agent names; people are members of every channel of an office they may see."""
    person: str
    """The person of a DM; empty otherwise."""
    messages: int
    last_at: datetime | None
    last_text: str
    last_author: str
    cleared_before: int
    """Messages with a number below this are hidden by a cleared history."""


class MessageView(View, frozen=True, kw_only=True):
    """One message of a thread. ``n`` counts from 1 within its thread."""

    id: str
    thread: str
    n: int
    author_kind: AuthorKind
    author: str
    text: str
    mentions: list[str]
    files: list[str]
    """Workspace paths of the author's files, as ``agent:path``."""
    run: str
    at: datetime


class Evidence(View, frozen=True, kw_only=True):
    """What shows that a task is done."""

    kind: Literal["file", "note", "check"]
    text: str
    path: str = ""
    agent: str = ""


class TaskView(View, frozen=True, kw_only=True):
    """A card on the board."""

    id: str
    title: str
    description: str
    status: TaskStatus
    priority: int
    """0 idle, 1 low, 2 normal, 3 high, 4 critical."""
    assignee: str
    created_by: str
    """``person:ID``, ``agent:NAME`` or ``office``."""
    parent: str
    depends_on: list[str]
    thread: str
    """The people-side thread that started the chain; empty when none."""
    report_channel: str
    result: str
    evidence: list[Evidence]
    blocked_reason: str
    blocked_by: list[str] = []
    """Tasks whose failing or being stuck blocked this one; empty when it was blocked by hand."""
    chain: str = ""
    """The first task of the chain this one was made in; empty for the first one itself."""
    depth: int = 0
    """How often work was handed on within the chain until this task was made."""
    attempts: int
    comments: int
    run: str
    """The run that holds the card, as long as it is under way; empty when none does."""
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    completed_at: datetime | None


class CommentView(View, frozen=True, kw_only=True):
    """A remark on a task."""

    task: str
    n: int
    author: str
    text: str
    at: datetime


class RunView(View, frozen=True, kw_only=True):
    """One agent working off one inbox item."""

    id: str
    agent: str
    state: RunState
    item: str
    dialogue: str
    kind: str
    """The item's kind: message, task, timer, event."""
    title: str
    thread: str
    task: str
    model: str
    fence: int
    turns: int
    calls: int
    usage: Usage
    cost_usd_micros: int
    reason_code: str
    reason: str
    outcome: str
    started_at: datetime
    ended_at: datetime | None


class TurnView(View, frozen=True, kw_only=True):
    """One model request of a run. ``n`` counts from 1 within the run."""

    run: str
    agent: str
    n: int
    state: TurnState
    model: str
    text: str
    reasoning: str
    finish: str
    usage: Usage
    cost_usd_micros: int
    attempts: int
    duration_ms: int
    error: str
    day: int
    """Office day the usage is booked on."""
    at: datetime


class CallView(View, frozen=True, kw_only=True):
    """One tool call.

    ``arguments`` and ``result`` are capped; ``result_bytes`` is the whole size.
    """

    id: str
    run: str
    agent: str
    turn: int
    index: int
    name: str
    arguments: str
    state: CallState
    code: str
    result: str
    result_bytes: int
    result_path: str
    """Workspace path of the full result when it was capped."""
    artifacts: list[Artifact]
    started_at: datetime | None
    ended_at: datetime | None
    duration_ms: int


class Decision(View, frozen=True, kw_only=True):
    """What the attention filter decided for one agent, and why."""

    agent: str
    accepted: bool
    layer: Literal["target", "mask", "salience", "wake"]
    score: float
    threshold: float
    keywords: list[str]
    reason: str


class EventView(View, frozen=True, kw_only=True):
    """Something that happened."""

    id: str
    source: str
    type: str
    priority: int
    target: str
    """Agent name; empty for a broadcast."""
    text: str
    payload: dict[str, Any]
    by: str
    accepted: int
    considered: int
    at: datetime


class ItemView(View, frozen=True, kw_only=True):
    """An inbox item."""

    id: str
    agent: str
    kind: str
    """message, steer, task, timer or event."""
    source: str
    type: str
    sender: str
    text: str
    priority: int
    order: int
    """Position key among equals: arrival, or what a person set."""
    state: ItemState
    event: str
    thread: str
    task: str
    run: str
    attempts: int
    reason: str
    hops: int
    """Agents' messages since a person's last one."""
    queued_at: datetime
    expires_at: datetime | None
    cause: str = ""
    """The run whose work brought it about; empty when none did."""
    own_wakes: int = 0
    """How often in a row the agent has woken itself up to this item, with nobody else between."""


class AlertView(View, frozen=True, kw_only=True):
    """Something a person should look at."""

    id: str
    code: str
    severity: Literal["info", "warning", "error"]
    text: str
    hint: str
    agent: str
    run: str
    task: str
    count: int
    at: datetime
    acknowledged_by: str
    acknowledged_at: datetime | None
