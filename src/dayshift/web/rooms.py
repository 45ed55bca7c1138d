"""What web needs of the rooms below it for one office: one protocol a noun, filled by app.

Every method may also raise StorageError. ``by`` is who asks, as ``person:ID``; whether that person
may was decided before. Lists are newest first unless told otherwise; ``before`` is the cursor of
the page before it, empty for the first, and a cursor that is none raises InvalidError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dayshift.core.details import (
    CallDetail,
    EventDetail,
    FilePart,
    FolderView,
    Page,
    Posted,
    PromptView,
    Pruned,
    RunDetail,
    TaskCard,
    ToolView,
    UsageReport,
)
from dayshift.core.entries import Recorded
from dayshift.core.events import Event
from dayshift.core.views import (
    AgentView,
    AlertView,
    CommentView,
    EventView,
    ItemView,
    MessageView,
    OfficeView,
    RunView,
    TaskView,
    ThreadView,
)
from dayshift.core.wishes import (
    AgentChanges,
    ChannelChanges,
    ChannelDraft,
    EventFilter,
    Mode,
    OfficeChanges,
    RunFilter,
    TaskChanges,
    TaskDraft,
    TaskFilter,
    TaskMove,
    UsageKey,
)
from dayshift.stream.feed import Feed
from dayshift.stream.search import LedgerSearch


class OfficeDesk(Protocol):
    """The office as a whole."""

    async def view(self) -> OfficeView:
        """The office now."""
        ...

    async def pause(self, reason: str, *, by: str) -> OfficeView:
        """Start no more runs; those under way end their turn. Again: only the reason changes."""
        ...

    async def resume(self, *, by: str) -> OfficeView:
        """Go on; an office that is running stays as it is."""
        ...

    async def prune(self, keep_days: int, *, by: str) -> Pruned:
        """Forget what ended before the last ``keep_days`` days, but for outcomes and costs."""
        ...

    async def edit(self, changes: OfficeChanges, *, by: str) -> OfficeView:
        """Change the office file and the running office.

        Raises:
            InvalidError: A model no provider knows (the hint names near ones), or without its key.
            ConflictError: The office file was changed by someone else meanwhile.
        """
        ...


class Roster(Protocol):
    """The office's agents."""

    async def agents(self) -> Sequence[AgentView]:
        """All agents, in the order of the office file."""
        ...

    async def agent(self, name: str) -> AgentView:
        """One agent.

        Raises:
            NotFoundError: No such agent.
        """
        ...

    async def edit(self, name: str, changes: AgentChanges, *, by: str) -> AgentView:
        """Change an agent in the office file and in the running office.

        Raises:
            NotFoundError: No such agent.
            InvalidError: A model no provider knows, a manager who is none, a circle of managers.
            ConflictError: The office file was changed by someone else meanwhile.
        """
        ...

    async def prompt(self, name: str) -> PromptView:
        """The system prompt the agent would have now; raises NotFoundError."""
        ...

    async def tools(self, name: str) -> Sequence[ToolView]:
        """All tools, with whether the agent may use them; raises NotFoundError."""
        ...


class Inbox(Protocol):
    """What waits for agents."""

    async def items(self, agent: str, *, state: str) -> Sequence[ItemView]:
        """An agent's items in the order they will be taken; the last 200 ended ones after them.

        With a ``state``, only those in it.

        Raises:
            NotFoundError: No such agent.
            InvalidError: No such state.
        """
        ...

    async def cancel(self, item: str, *, by: str) -> ItemView:
        """Take a waiting item out.

        Raises:
            NotFoundError: No such item.
            ConflictError: It is being worked on, or has ended.
        """
        ...

    async def pause(self, item: str, *, by: str) -> ItemView:
        """Hold a waiting item back; raises like ``cancel``."""
        ...

    async def resume(self, item: str, *, by: str) -> ItemView:
        """Let a paused item go on; raises like ``cancel``."""
        ...

    async def move(self, item: str, *, before: str | None, by: str) -> ItemView:
        """Put a waiting item before another of the same agent and priority, or to the end.

        Raises:
            NotFoundError: No such item, or no such ``before``.
            ConflictError: One of them no longer waits, or they are of different agents.
        """
        ...

    async def pause_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take nothing more; raises NotFoundError."""
        ...

    async def resume_agent(self, name: str, *, by: str) -> AgentView:
        """Let an agent take items again; raises NotFoundError."""
        ...


class Talk(Protocol):
    """Threads and their messages."""

    async def threads(self) -> Sequence[ThreadView]:
        """All threads, the latest talk first."""
        ...

    async def thread(self, thread: str) -> ThreadView:
        """One thread; raises NotFoundError."""
        ...

    async def messages(self, thread: str, *, before: str, limit: int) -> Page[MessageView]:
        """A thread's messages that were not cleared, newest first.

        Raises:
            NotFoundError: No such thread.
            InvalidError: ``before`` is no cursor.
        """
        ...

    async def post(self, thread: str, text: str, *, person: str, mode: Mode, key: str) -> Posted:
        """Post a person's message; the same ``key`` again returns the first and does nothing.

        ``steer`` enters the agent's running run before its next model request; without a run it
        is queued.

        Raises:
            NotFoundError: No such thread.
            DeniedError: Someone else's DM, or an internal thread, which people only read.
            InvalidError: The text is empty.
        """
        ...

    async def post_dm(self, agent: str, text: str, *, person: str, mode: Mode, key: str) -> Posted:
        """Post in the person's DM with an agent, made when there is none; raises like ``post``."""
        ...

    async def read(self, thread: str, *, person: str, n: int) -> None:
        """Note that the person has read up to message ``n``; never goes back.

        Raises:
            NotFoundError: No such thread.
        """
        ...

    async def clear(self, thread: str, *, by: str) -> ThreadView:
        """Hide what was said so far and start the agents' dialogue of it afresh.

        Raises:
            NotFoundError: No such thread.
            DeniedError: An internal thread.
        """
        ...

    async def search(self, text: str, *, before: str, limit: int) -> Page[MessageView]:
        """Messages that hold the text, in any case; raises InvalidError for no text."""
        ...

    async def create_channel(self, draft: ChannelDraft, *, by: str) -> ThreadView:
        """Open a channel.

        Raises:
            ConflictError: The name is taken.
            InvalidError: A member who is no agent.
        """
        ...

    async def edit_channel(self, name: str, changes: ChannelChanges, *, by: str) -> ThreadView:
        """Change a channel; raises NotFoundError, and like ``create_channel``."""
        ...

    async def delete_channel(self, name: str, *, by: str) -> None:
        """Close a channel.

        Raises:
            NotFoundError: No such channel.
            ConflictError: It is the general one.
        """
        ...


class Board(Protocol):
    """The board's cards."""

    async def tasks(self, wanted: TaskFilter, *, before: str, limit: int) -> Page[TaskView]:
        """Cards, newest first; raises InvalidError for a status that is none."""
        ...

    async def card(self, task: str) -> TaskCard:
        """One card with everything about it; raises NotFoundError."""
        ...

    async def create(self, draft: TaskDraft, *, by: str) -> TaskView:
        """Add a card.

        Raises:
            InvalidError: No such assignee, parent, dependency or channel.
        """
        ...

    async def edit(self, task: str, changes: TaskChanges, *, by: str) -> TaskView:
        """Change a card.

        Raises:
            NotFoundError: No such card.
            InvalidError: As ``create``, or the dependencies would go in a circle.
            ConflictError: It is being worked on, and the change would take it away.
        """
        ...

    async def move(self, task: str, move: TaskMove, *, by: str) -> TaskView:
        """Move a card to another column.

        Raises:
            NotFoundError: No such card.
            ConflictError: That move is not allowed; the hint names those that are.
            InvalidError: A reason or result is missing.
        """
        ...

    async def restart(self, task: str, *, by: str) -> TaskView:
        """Put a done, failed or blocked card back to todo.

        Raises:
            NotFoundError: No such card.
            ConflictError: It is in another column.
        """
        ...

    async def comment(self, task: str, text: str, *, by: str) -> CommentView:
        """Remark on a card.

        Raises:
            NotFoundError: No such card.
            InvalidError: The text is empty.
        """
        ...

    async def delete(self, task: str, *, by: str) -> None:
        """Take a card off the board.

        Raises:
            NotFoundError: No such card.
            ConflictError: It is being worked on, or others depend on it.
        """
        ...


class Runs(Protocol):
    """Runs, their turns and their calls."""

    async def list(self, wanted: RunFilter, *, before: str, limit: int) -> Page[RunView]:
        """Runs, newest first; raises InvalidError for a state that is none."""
        ...

    async def one(self, run: str) -> RunDetail:
        """One run; raises NotFoundError."""
        ...

    async def cancel(self, run: str, *, reason: str, by: str) -> RunView:
        """End a run within a second, its commands with it.

        Raises:
            NotFoundError: No such run.
            ConflictError: It has ended.
        """
        ...

    async def steer(self, run: str, text: str, *, by: str) -> RunView:
        """Tell the running run something before its next model request; raises like ``cancel``."""
        ...

    async def request_body(self, run: str, turn: int) -> bytes:
        """The JSON body as it was sent to the provider; raises NotFoundError."""
        ...

    async def answer_body(self, run: str, turn: int) -> bytes:
        """The canonical answer as JSON.

        Raises:
            NotFoundError: No such turn, or it has no answer yet.
        """
        ...

    async def call(self, call: str) -> CallDetail:
        """One call whole; raises NotFoundError."""
        ...


class Events(Protocol):
    """Events and what the attention filter made of them."""

    async def list(self, wanted: EventFilter, *, before: str, limit: int) -> Page[EventView]:
        """Events, newest first."""
        ...

    async def publish(self, event: Event, *, by: str) -> EventView:
        """Put an event on the bus. The same ``dedup_key`` again returns the first and does nothing.

        Raises:
            NotFoundError: The target is no agent.
            InvalidError: No such source.
        """
        ...

    async def decisions(self, event: str, *, after: str, limit: int) -> EventDetail:
        """The event, and the decisions by agent name; raises NotFoundError."""
        ...


class Files(Protocol):
    """Agents' workspaces, read-only. Paths are relative to the workspace; empty is its root."""

    async def entries(self, agent: str, path: str) -> FolderView:
        """A folder.

        Raises:
            NotFoundError: No such agent or folder.
            DeniedError: Outside the workspace, also by link.
            InvalidError: Not a folder.
        """
        ...

    async def content(self, agent: str, path: str, *, offset: int, limit: int) -> FilePart:
        """Bytes ``offset`` to ``offset + limit`` of a file.

        Raises:
            NotFoundError: No such agent or file.
            DeniedError: Outside the workspace, also by link.
            InvalidError: Not a regular file.
        """
        ...

    async def history(self, agent: str, path: str) -> Sequence[Recorded]:
        """The ``file_written`` entries of a path, newest first, at most 200.

        Raises:
            NotFoundError: No such agent.
        """
        ...


class UsageDesk(Protocol):
    """What models cost."""

    async def report(self, *, by: UsageKey, days: int) -> UsageReport:
        """Usage of the last ``days`` office days with today: largest cost first, days in order."""
        ...


class Alerts(Protocol):
    """What a person should look at."""

    async def list(self, *, open_only: bool) -> Sequence[AlertView]:
        """Alerts, newest first; at most 200 that were acknowledged."""
        ...

    async def acknowledge(self, alert: str, *, by: str) -> AlertView:
        """Mark as seen; one that was stays as it is. Raises NotFoundError."""
        ...


@dataclass(frozen=True, kw_only=True)
class OfficeRooms:
    """One open office."""

    desk: OfficeDesk
    roster: Roster
    inbox: Inbox
    talk: Talk
    board: Board
    runs: Runs
    events: Events
    files: Files
    usage: UsageDesk
    alerts: Alerts
    feed: Feed
    ledger: LedgerSearch
