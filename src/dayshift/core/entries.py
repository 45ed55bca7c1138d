"""Ledger entries: everything that happens, as people can watch it.

An entry carries the noun's whole new view, so that a reader applies it by putting the view in its
place. The order of the union is the order of the reference page. Adding one is a recipe, in
docs/extend.
"""

from datetime import datetime
from typing import Literal

import msgspec

from dayshift.core.views import (
    AgentView,
    AlertView,
    CallView,
    CommentView,
    Decision,
    EventView,
    ItemView,
    MessageView,
    OfficeView,
    RunView,
    TaskView,
    ThreadView,
    TurnView,
)


class Base(msgspec.Struct, frozen=True, tag_field="kind", kw_only=True):
    """Base of all entries; ``kind`` tells them apart."""


class OfficeChanged(Base, frozen=True, kw_only=True, tag="office_changed"):
    """The office itself: state, clock, budget, title."""

    office: OfficeView


class AgentChanged(Base, frozen=True, kw_only=True, tag="agent_changed"):
    """An agent was hired, edited, moved between states or removed (``removed`` is set)."""

    agent: AgentView


class EventPublished(Base, frozen=True, kw_only=True, tag="event_published"):
    """An event came in, with the decision for each agent it reached or nearly reached."""

    event: EventView
    decisions: list[Decision]


class ItemChanged(Base, frozen=True, kw_only=True, tag="item_changed"):
    """An inbox item was queued, taken, parked, paused, moved or ended."""

    item: ItemView


class RunChanged(Base, frozen=True, kw_only=True, tag="run_changed"):
    """A run started or ended."""

    run: RunView


class TurnEnded(Base, frozen=True, kw_only=True, tag="turn_ended"):
    """A model request ended; ``run`` is the run's new total."""

    turn: TurnView
    run: RunView


class CallChanged(Base, frozen=True, kw_only=True, tag="call_changed"):
    """A tool call moved to another state."""

    call: CallView


class ThreadChanged(Base, frozen=True, kw_only=True, tag="thread_changed"):
    """A thread was made, renamed, got or lost members, or was cleared."""

    thread: ThreadView


class ThreadRemoved(Base, frozen=True, kw_only=True, tag="thread_removed"):
    """A channel was deleted."""

    thread: str


class MessagePosted(Base, frozen=True, kw_only=True, tag="message_posted"):
    """A message, with its thread as it is now."""

    message: MessageView
    thread: ThreadView


class ThreadRead(Base, frozen=True, kw_only=True, tag="thread_read"):
    """A person has read a thread up to message ``n``."""

    thread: str
    person: str
    n: int


class TaskChanged(Base, frozen=True, kw_only=True, tag="task_changed"):
    """A task was made or changed; ``change`` names what in one word or two."""

    task: TaskView
    change: str


class TaskRemoved(Base, frozen=True, kw_only=True, tag="task_removed"):
    """A task was deleted."""

    task: str


class TaskCommented(Base, frozen=True, kw_only=True, tag="task_commented"):
    """A remark on a task, with the task as it is now."""

    comment: CommentView
    task: TaskView


class AlertChanged(Base, frozen=True, kw_only=True, tag="alert_changed"):
    """An alert was raised, repeated or acknowledged."""

    alert: AlertView


class DialogueCompacted(Base, frozen=True, kw_only=True, tag="dialogue_compacted"):
    """Older messages of a dialogue were replaced by a summary; the originals stay readable."""

    agent: str
    dialogue: str
    run: str
    before_tokens: int
    after_tokens: int
    method: Literal["summary", "trimmed"]


class FileWritten(Base, frozen=True, kw_only=True, tag="file_written"):
    """An agent's tool wrote a file in its workspace."""

    agent: str
    path: str
    run: str
    call: str
    bytes: int
    new: bool


class PromptComposed(Base, frozen=True, kw_only=True, tag="prompt_composed"):
    """An agent's system prompt changed; ``hash`` names the stored snapshot."""

    agent: str
    hash: str
    chars: int


class TimerChanged(Base, frozen=True, kw_only=True, tag="timer_changed"):
    """A timetable entry was set, fired, moved or cancelled."""

    id: str
    agent: str
    purpose: str
    state: Literal["set", "fired", "cancelled"]
    due_at: datetime


Entry = (
    OfficeChanged
    | AgentChanged
    | EventPublished
    | ItemChanged
    | RunChanged
    | TurnEnded
    | CallChanged
    | ThreadChanged
    | ThreadRemoved
    | MessagePosted
    | ThreadRead
    | TaskChanged
    | TaskRemoved
    | TaskCommented
    | AlertChanged
    | DialogueCompacted
    | FileWritten
    | PromptComposed
    | TimerChanged
)


class Recorded(msgspec.Struct, frozen=True):
    """An entry in its place: ``seq`` counts from 1 within the office, without gaps.

    ``at`` is office time.
    """

    seq: int
    at: datetime
    actor: str
    entry: Entry


class RunDelta(msgspec.Struct, frozen=True, tag_field="kind", tag="run_delta", omit_defaults=True):
    """Live text of a running turn, at most every 50 ms; never in the ledger.

    With ``whole`` set, the texts are everything so far (sent to a client that joins in mid-turn).
    """

    run: str
    agent: str
    turn: int
    text: str = ""
    reasoning: str = ""
    tool: str = ""
    whole: bool = False


class CallOutput(
    msgspec.Struct, frozen=True, tag_field="kind", tag="call_output", omit_defaults=True
):
    """Live output of a running tool call; never in the ledger."""

    call: str
    run: str
    agent: str
    text: str
    whole: bool = False


Live = RunDelta | CallOutput
