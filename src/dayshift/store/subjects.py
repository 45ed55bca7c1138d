"""What an entry is about: the agent, run and task it is found by in the ledger."""

from collections.abc import Callable
from typing import Any, NamedTuple

from dayshift.core import entries as e


class Subject(NamedTuple):
    """Names of what an entry is about; empty where it is about none."""

    agent: str = ""
    run: str = ""
    task: str = ""


def subject(entry: e.Entry) -> Subject:
    """What an entry is about."""
    return _SUBJECTS[type(entry)](entry)


def _message(entry: e.MessagePosted) -> Subject:
    message, thread = entry.message, entry.thread
    by_agent = message.author if message.author_kind == "agent" else ""
    return Subject(by_agent or (thread.name if thread.kind == "dm" else ""), message.run)


def _nothing(_entry: e.Entry) -> Subject:
    return Subject()


_SUBJECTS: dict[type[e.Entry], Callable[[Any], Subject]] = {
    e.OfficeChanged: _nothing,
    e.AgentChanged: lambda entry: Subject(entry.agent.name, entry.agent.run),
    e.EventPublished: lambda entry: Subject(entry.event.target),
    e.ItemChanged: lambda entry: Subject(entry.item.agent, entry.item.run, entry.item.task),
    e.RunChanged: lambda entry: Subject(entry.run.agent, entry.run.id, entry.run.task),
    e.TurnEnded: lambda entry: Subject(entry.turn.agent, entry.turn.run, entry.run.task),
    e.CallChanged: lambda entry: Subject(entry.call.agent, entry.call.run),
    e.ThreadChanged: _nothing,
    e.ThreadRemoved: _nothing,
    e.MessagePosted: _message,
    e.ThreadRead: _nothing,
    e.TaskChanged: lambda entry: Subject(entry.task.assignee, entry.task.run, entry.task.id),
    e.TaskRemoved: lambda entry: Subject(task=entry.task),
    e.TaskCommented: lambda entry: Subject(entry.task.assignee, entry.task.run, entry.task.id),
    e.AlertChanged: lambda entry: Subject(entry.alert.agent, entry.alert.run, entry.alert.task),
    e.DialogueCompacted: lambda entry: Subject(entry.agent, entry.run),
    e.FileWritten: lambda entry: Subject(entry.agent, entry.run),
    e.PromptComposed: lambda entry: Subject(entry.agent),
    e.TimerChanged: lambda entry: Subject(entry.agent),
}
