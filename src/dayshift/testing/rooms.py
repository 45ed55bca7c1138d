"""Rooms in memory, for tests of the web alone: a small office that remembers what it was asked.

It holds the nouns of `dayshift.web.samples` and raises what the protocols of `dayshift.web.rooms`
say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from dayshift.core import details as d
from dayshift.core import wishes as w
from dayshift.core.computer import FileInfo
from dayshift.core.entries import Recorded
from dayshift.core.errors import ConflictError, DeniedError, InvalidError, NotFoundError
from dayshift.core.events import Event
from dayshift.core.states import RunState
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
from dayshift.web.samples import details, entries, views

T = TypeVar("T")


@dataclass
class Heard:
    """What the rooms of one office were asked to do, in order: verb, subject, who."""

    asked: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def note(self, verb: str, subject: str, by: str) -> None:
        """Remember one thing."""
        self.asked.append((verb, subject, by))


def known(things: dict[str, T], id_: str) -> T:
    """The thing of that id; raises NotFoundError."""
    if id_ not in things:
        raise NotFoundError(f"There is no {id_!r} here.")
    return things[id_]


class MemoryDesk:
    """The office as a whole."""

    def __init__(self, heard: Heard, office: OfficeView) -> None:
        self._heard = heard
        self._office = office

    async def view(self) -> OfficeView:
        """See OfficeDesk."""
        return self._office

    async def pause(self, reason: str, *, by: str) -> OfficeView:
        """See OfficeDesk."""
        self._heard.note("pause", reason, by)
        self._office = replace(self._office, state="paused", paused_reason=reason, paused_by=by)
        return self._office

    async def resume(self, *, by: str) -> OfficeView:
        """See OfficeDesk."""
        self._heard.note("resume", "", by)
        self._office = replace(self._office, state="running", paused_reason="", paused_by="")
        return self._office

    async def prune(self, keep_days: int, *, by: str) -> d.Pruned:
        """See OfficeDesk."""
        self._heard.note("prune", str(keep_days), by)
        return d.Pruned(runs=1, entries=2, items=3, events=4)

    async def edit(self, changes: w.OfficeChanges, *, by: str) -> OfficeView:
        """See OfficeDesk."""
        self._heard.note("edit", str(changes.title), by)
        if isinstance(changes.title, str):
            self._office = replace(self._office, title=changes.title)
        return self._office


class MemoryRoster:
    """Iris and Juno."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._agents = {"iris": views.IRIS, "juno": views.JUNO}

    async def agents(self) -> Sequence[AgentView]:
        """See Roster."""
        return list(self._agents.values())

    async def agent(self, name: str) -> AgentView:
        """See Roster."""
        return known(self._agents, name)

    async def edit(self, name: str, changes: w.AgentChanges, *, by: str) -> AgentView:
        """See Roster."""
        agent = known(self._agents, name)
        if changes.model == "nobody:knows":
            raise InvalidError("No provider is called 'nobody'.", hint="Near it: none.")
        self._heard.note("edit agent", name, by)
        if isinstance(changes.description, str):
            self._agents[name] = agent = replace(agent, description=changes.description)
        return agent

    async def prompt(self, name: str) -> d.PromptView:
        """See Roster."""
        known(self._agents, name)
        return sample(d.PromptView)

    async def tools(self, name: str) -> Sequence[d.ToolView]:
        """See Roster."""
        known(self._agents, name)
        return [sample(d.ToolView)]


class MemoryInbox:
    """One item of Iris's."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._items = {"I-88": views.ITEM}

    async def items(self, agent: str, *, state: str) -> Sequence[ItemView]:
        """See Inbox."""
        found = [item for item in self._items.values() if item.agent == agent]
        return [item for item in found if state in {"", item.state.value}]

    async def cancel(self, item: str, *, by: str) -> ItemView:
        """See Inbox; its one item is being worked on."""
        found = known(self._items, item)
        self._heard.note("cancel item", item, by)
        raise ConflictError(f"Item {found.id} is being worked on.", hint="Cancel its run.")

    async def pause(self, item: str, *, by: str) -> ItemView:
        """See Inbox."""
        self._heard.note("pause item", item, by)
        return known(self._items, item)

    async def resume(self, item: str, *, by: str) -> ItemView:
        """See Inbox."""
        self._heard.note("resume item", item, by)
        return known(self._items, item)

    async def move(self, item: str, *, before: str | None, by: str) -> ItemView:
        """See Inbox."""
        self._heard.note("move item", f"{item} before {before}", by)
        return known(self._items, item)

    async def pause_agent(self, name: str, *, by: str) -> AgentView:
        """See Inbox."""
        self._heard.note("pause agent", name, by)
        return replace(views.IRIS, name=name, inbox_paused=True)

    async def resume_agent(self, name: str, *, by: str) -> AgentView:
        """See Inbox."""
        self._heard.note("resume agent", name, by)
        return replace(views.IRIS, name=name, inbox_paused=False)


class MemoryTalk:
    """One channel, Ada's DM with Iris, and what is said in them."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._threads = {"H-1": views.CHANNEL, "H-3": views.THREAD}
        self._messages = {"H-1": list[MessageView](), "H-3": [views.MESSAGE]}
        self._keys: dict[str, d.Posted] = {}

    async def threads(self) -> Sequence[ThreadView]:
        """See Talk."""
        return list(self._threads.values())

    async def thread(self, thread: str) -> ThreadView:
        """See Talk."""
        return known(self._threads, thread)

    async def messages(self, thread: str, *, before: str, limit: int) -> d.Page[MessageView]:
        """See Talk."""
        end = int(before) if before else 2**53
        found = [m for m in reversed(known(self._messages, thread)) if m.n < end]
        return _page(found, limit, lambda message: str(message.n))

    async def post(
        self, thread: str, text: str, *, person: str, mode: w.Mode, key: str
    ) -> d.Posted:
        """See Talk."""
        view = known(self._threads, thread)
        if view.kind == "dm" and view.person != person:
            raise DeniedError("This is someone else's conversation.")
        if key in self._keys:
            return self._keys[key]
        self._heard.note(f"post ({mode})", text[:80], f"person:{person}")
        told = self._messages[thread]
        message = replace(
            views.MESSAGE,
            id=f"M-{len(told) + 100}",
            thread=thread,
            n=len(told) + 8,
            author=person,
            text=text,
        )
        told.append(message)
        posted = d.Posted(message=message, item=views.ITEM if mode == "queue" else None)
        if key:
            self._keys[key] = posted
        return posted

    async def post_dm(
        self, agent: str, text: str, *, person: str, mode: w.Mode, key: str
    ) -> d.Posted:
        """See Talk."""
        thread = self._dm(agent, person)
        return await self.post(thread.id, text, person=person, mode=mode, key=key)

    def _dm(self, agent: str, person: str) -> ThreadView:
        if agent not in {"iris", "juno"}:
            raise NotFoundError(f"There is no agent {agent!r}.")
        for thread in self._threads.values():
            if (thread.kind, thread.name, thread.person) == ("dm", agent, person):
                return thread
        made = replace(
            views.THREAD, id=f"H-{len(self._threads) + 10}", name=agent, person=person, messages=0
        )
        self._threads[made.id], self._messages[made.id] = made, []
        return made

    async def read(self, thread: str, *, person: str, n: int) -> None:
        """See Talk."""
        known(self._threads, thread)
        self._heard.note("read", f"{thread} {n}", f"person:{person}")

    async def clear(self, thread: str, *, by: str) -> ThreadView:
        """See Talk."""
        self._heard.note("clear", thread, by)
        return known(self._threads, thread)

    async def search(self, text: str, *, before: str, limit: int) -> d.Page[MessageView]:
        """See Talk."""
        everything = [m for told in self._messages.values() for m in told]
        found = [m for m in everything if text.casefold() in m.text.casefold()]
        return _page(found, limit, lambda message: message.id + before)

    async def create_channel(self, draft: w.ChannelDraft, *, by: str) -> ThreadView:
        """See Talk."""
        if draft.name in {thread.name for thread in self._threads.values()}:
            raise ConflictError(f"There is a channel {draft.name!r} already.")
        self._heard.note("create channel", draft.name, by)
        return replace(views.CHANNEL, name=draft.name, description=draft.description)

    async def edit_channel(self, name: str, changes: w.ChannelChanges, *, by: str) -> ThreadView:
        """See Talk."""
        if name != "general":
            raise NotFoundError(f"There is no channel {name!r}.")
        self._heard.note("edit channel", str(changes.description), by)
        return views.CHANNEL

    async def delete_channel(self, name: str, *, by: str) -> None:
        """See Talk."""
        self._heard.note("delete channel", name, by)
        raise ConflictError("The general channel stays.")


class MemoryBoard:
    """Two cards."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._tasks = {"T-12": views.TASK, "T-11": views.TASK_DONE}

    async def tasks(self, wanted: w.TaskFilter, *, before: str, limit: int) -> d.Page[TaskView]:
        """See Board."""
        found = [
            task
            for task in self._tasks.values()
            if wanted.status in {"", task.status.value} and wanted.text in task.title
        ]
        return _page([t for t in found if not before or t.id < before], limit, lambda t: t.id)

    async def card(self, task: str) -> d.TaskCard:
        """See Board."""
        return replace(sample(d.TaskCard), task=known(self._tasks, task))

    async def create(self, draft: w.TaskDraft, *, by: str) -> TaskView:
        """See Board."""
        self._heard.note("create task", draft.title, by)
        task = replace(
            views.TASK, id=f"T-{len(self._tasks) + 11}", title=draft.title, created_by=by
        )
        self._tasks[task.id] = task
        return task

    async def edit(self, task: str, changes: w.TaskChanges, *, by: str) -> TaskView:
        """See Board."""
        self._heard.note("edit task", task, by)
        found = known(self._tasks, task)
        return replace(found, title=changes.title) if isinstance(changes.title, str) else found

    async def move(self, task: str, move: w.TaskMove, *, by: str) -> TaskView:
        """See Board."""
        self._heard.note("move task", f"{task} to {move.status.value}", by)
        found = known(self._tasks, task)
        if found.status == move.status:
            raise ConflictError(f"{task} is {move.status.value} already.")
        return replace(found, status=move.status, blocked_reason=move.reason)

    async def restart(self, task: str, *, by: str) -> TaskView:
        """See Board."""
        self._heard.note("restart task", task, by)
        return known(self._tasks, task)

    async def comment(self, task: str, text: str, *, by: str) -> CommentView:
        """See Board."""
        self._heard.note("comment", text, by)
        return replace(views.COMMENT, task=known(self._tasks, task).id, author=by, text=text)

    async def delete(self, task: str, *, by: str) -> None:
        """See Board."""
        self._heard.note("delete task", task, by)
        del self._tasks[known(self._tasks, task).id]


class MemoryRuns:
    """One run with one turn and one call."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._runs = {"R-17": views.RUN}

    async def list(self, wanted: w.RunFilter, *, before: str, limit: int) -> d.Page[RunView]:
        """See Runs."""
        found = [run for run in self._runs.values() if wanted.state in {"", run.state.value}]
        return _page(found, limit, lambda run: run.id + before)

    async def one(self, run: str) -> d.RunDetail:
        """See Runs."""
        return replace(sample(d.RunDetail), run=known(self._runs, run))

    async def cancel(self, run: str, *, reason: str, by: str) -> RunView:
        """See Runs."""
        found = known(self._runs, run)
        self._heard.note("cancel run", reason, by)
        self._runs[run] = found = replace(found, state=RunState.CANCELLED, reason=reason)
        return found

    async def steer(self, run: str, text: str, *, by: str) -> RunView:
        """See Runs."""
        self._heard.note("steer", text, by)
        return known(self._runs, run)

    async def request_body(self, run: str, turn: int) -> bytes:
        """See Runs."""
        known(self._runs, run)
        return b'{"model":"claude-sonnet-4-5","turn":%d}' % turn

    async def answer_body(self, run: str, turn: int) -> bytes:
        """See Runs."""
        known(self._runs, run)
        if turn > 1:
            raise NotFoundError(f"Turn {turn} has no answer yet.")
        return b'{"role":"assistant","parts":[]}'

    async def call(self, call: str) -> d.CallDetail:
        """See Runs."""
        return replace(sample(d.CallDetail), call=known({"C-204": views.CALL}, call))


class MemoryEvents:
    """One event, decided for one agent."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    async def list(self, wanted: w.EventFilter, *, before: str, limit: int) -> d.Page[EventView]:
        """See Events."""
        found = [views.EVENT] if wanted.source in {"", views.EVENT.source} else []
        return _page(found, limit, lambda event: event.id + before)

    async def publish(self, event: Event, *, by: str) -> EventView:
        """See Events."""
        self._heard.note("publish", event.text, by)
        return replace(views.EVENT, source=event.source, type=event.type, text=event.text, by=by)

    async def decisions(self, event: str, *, after: str, limit: int) -> d.EventDetail:
        """See Events."""
        self._heard.note("decisions", f"{event} after {after!r} limit {limit}", "")
        return replace(sample(d.EventDetail), event=known({"E-102": views.EVENT}, event))


class MemoryFiles:
    """Files by path, the same for all agents."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self.contents: dict[str, bytes] = {}

    async def entries(self, agent: str, path: str) -> d.FolderView:
        """See Files."""
        self._heard.note("folder", f"{agent}:{path}", "")
        items = [_info(name, data) for name, data in sorted(self.contents.items())]
        return d.FolderView(path=path, items=items, truncated=False)

    async def content(self, agent: str, path: str, *, offset: int, limit: int) -> d.FilePart:
        """See Files."""
        self._heard.note("content", f"{agent}:{path} from {offset}", "")
        if ".." in path.split("/"):
            raise DeniedError(f"{path!r} is outside the workspace.")
        data = known(self.contents, path)
        return d.FilePart(data[offset : offset + limit], _info(path, data))

    async def history(self, agent: str, path: str) -> Sequence[Recorded]:
        """See Files."""
        self._heard.note("history", f"{agent}:{path}", "")
        return [sample(Recorded)]


class MemoryUsage:
    """What one day cost."""

    async def report(self, *, by: w.UsageKey, days: int) -> d.UsageReport:
        """See UsageDesk."""
        told = sample(d.UsageReport)
        return replace(told, rows=[replace(told.total, key=f"{by} {days}")])


class MemoryAlerts:
    """One alert."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    async def list(self, *, open_only: bool) -> Sequence[AlertView]:
        """See Alerts."""
        return [views.ALERT] if open_only else [views.ALERT, replace(views.ALERT, id="A-4")]

    async def acknowledge(self, alert: str, *, by: str) -> AlertView:
        """See Alerts."""
        self._heard.note("acknowledge", alert, by)
        return replace(known({"A-5": views.ALERT}, alert), acknowledged_by=by)


def _info(path: str, data: bytes) -> FileInfo:
    return FileInfo(path=path, kind="file", size_bytes=len(data), modified_at=0.0)


def sample(type_: type[T]) -> T:
    """The first sample of a type."""
    samples = [*details.SAMPLES, *entries.ENTRIES]
    return next(sample for sample in samples if isinstance(sample, type_))


def _page(found: list[T], limit: int, cursor: Callable[[T], str]) -> d.Page[T]:
    page = found[:limit]
    return d.Page(items=page, next=cursor(page[-1]) if len(found) > limit else None)
