"""Nouns in detail: what the page of one thing shows beyond its view, and lists in pages."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

import msgspec

from dayshift.core.computer import FileInfo
from dayshift.core.views import (
    CallView,
    CommentView,
    Decision,
    EventView,
    ItemView,
    MessageView,
    RunView,
    TaskView,
    TurnView,
    View,
)

T = TypeVar("T")


class Page(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A part of a list. ``next`` is the ``before`` of the part after it; null at the end."""

    items: list[T]
    next: str | None = None


class PromptBlock(View, frozen=True, kw_only=True):
    """One block of a system prompt. Sizes in characters; ``cut`` says that the cap shortened it."""

    name: str
    title: str
    text: str
    chars: int
    cap: int
    cut: bool


class PromptView(View, frozen=True, kw_only=True):
    """The system prompt an agent has now; its text is the blocks' texts in order."""

    hash: str
    mode: str
    version: str
    """Version of the base prompt."""
    chars: int
    cap: int
    blocks: list[PromptBlock]


class ToolView(View, frozen=True, kw_only=True):
    """A tool as one agent has it. ``reason`` says why it is allowed or not."""

    name: str
    family: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments."""
    allowed: bool
    reason: str
    read_only: bool
    dangerous: bool
    limit_s: float


class Posted(View, frozen=True, kw_only=True):
    """A posted message and the first inbox item it became; none when it woke nobody.

    ``strangers`` are agents that were mentioned and not woken, since they are no members there.
    """

    message: MessageView
    item: ItemView | None
    strangers: list[str] = msgspec.field(default_factory=list[str])


class TaskChange(View, frozen=True, kw_only=True):
    """One row of a card's history. ``before`` and ``after`` are called from and to outside."""

    at: datetime
    actor: str
    change: str
    before: str = msgspec.field(name="from")
    after: str = msgspec.field(name="to")
    note: str


class TaskCard(View, frozen=True, kw_only=True):
    """A card with everything about it. ``dependents`` are the ids of tasks that wait for it."""

    task: TaskView
    comments: list[CommentView]
    history: list[TaskChange]
    runs: list[RunView]
    dependents: list[str]


class RunDetail(View, frozen=True, kw_only=True):
    """A run with its turns and calls, oldest first."""

    run: RunView
    turns: list[TurnView]
    calls: list[CallView]


class CallDetail(View, frozen=True, kw_only=True):
    """A call with its whole arguments and result. ``result`` ends at 1 MB."""

    call: CallView
    arguments: str
    result: str


class EventDetail(View, frozen=True, kw_only=True):
    """An event with a page of decisions, one per agent. ``next`` is what to pass as ``after``."""

    event: EventView
    decisions: list[Decision]
    next: str | None


class FolderView(View, frozen=True, kw_only=True):
    """A folder of an agent's workspace. ``truncated`` says that it holds more entries."""

    path: str
    items: list[FileInfo]
    truncated: bool


class FilePart(msgspec.Struct, frozen=True):
    """Bytes of a file, with what the file is."""

    data: bytes
    info: FileInfo


class UsageRow(View, frozen=True, kw_only=True):
    """What was used under one key; the cost lacks ``unpriced_requests``, whose price is unknown."""

    key: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    requests: int
    cost_usd_micros: int
    unpriced_requests: int


class BudgetView(View, frozen=True, kw_only=True):
    """The office day's ceiling and what is spent of it; a limit of 0 is none."""

    limit_usd_micros: int
    spent_usd_micros: int


class UsageReport(View, frozen=True, kw_only=True):
    """Usage over some office days."""

    rows: list[UsageRow]
    total: UsageRow
    budget: BudgetView


class Pruned(View, frozen=True, kw_only=True):
    """How much of old work was forgotten."""

    runs: int
    """Runs of which only the outcome and the cost are left."""
    entries: int
    """Entries of the ledger; the feed then begins later."""
    items: int
    events: int


class ModelReport(View, frozen=True, kw_only=True):
    """A model a provider offers. Prices are US dollars for a million tokens; null when unknown."""

    ref: str
    context_tokens: int
    reasoning: bool
    images: bool
    input_usd_per_million: float | None
    output_usd_per_million: float | None


class ProviderReport(View, frozen=True, kw_only=True):
    """A provider, and whether it can be used here and now."""

    id: str
    name: str
    dialect: str
    base_url: str
    key_env: str
    """Name of the variable that holds the key; never the key."""
    local: bool
    usable: bool
    reason: str
    hint: str
    default_model: str
    models: list[ModelReport]


class ProviderCheck(View, frozen=True, kw_only=True):
    """What came of one real, small request to a provider."""

    ok: bool
    message: str
    latency_ms: int


class IsolationReport(View, frozen=True, kw_only=True):
    """How agents' commands are kept in on this machine."""

    in_force: Literal["bubblewrap", "landlock", "none", "refused"]
    network: bool
    """Whether commands reach the network."""
    why: str
    improve: str
    """What would make it stronger; empty when nothing."""


class Deleted(View, frozen=True, kw_only=True):
    """What was deleted, by id or name."""

    deleted: str
