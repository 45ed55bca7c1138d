"""A ledger entry as one line, for watching an office in a terminal.

What is worth a phrase of its own has one; every other kind is told by its name and the thing it is
about, so that a new kind of entry shows up here without a change.
"""

from typing import Any, cast

import msgspec

from dayshift.app.cli.output import one_line
from dayshift.app.cli.shown import duration, money, state
from dayshift.core import entries as e
from dayshift.core.entries import Recorded

TEXT_CHARS = 240


class Told(msgspec.Struct, frozen=True):
    """A line of the feed as it came: known well enough to filter, whatever its kind."""

    seq: int
    at: str
    actor: str
    entry: dict[str, Any]

    @property
    def kind(self) -> str:
        """The entry's kind."""
        return str(self.entry.get("kind", ""))

    def concerns(self, agent: str) -> bool:
        """Whether an agent did it, or it is about the agent."""
        if self.actor == f"agent:{agent}":
            return True
        return any(_names(noun, agent) for noun in (self.entry, *self.nouns().values()))

    def nouns(self) -> dict[str, dict[str, Any]]:
        """The views it carries, by the name of their field."""
        return {
            name: cast("dict[str, Any]", value)
            for name, value in self.entry.items()
            if isinstance(value, dict)
        }


def line_of(raw: bytes, told: Told) -> str:
    """The entry as a line: number, time, who, what."""
    try:
        recorded = msgspec.json.decode(raw, type=Recorded)
    except msgspec.MsgspecError:
        # A server of another version may tell what this command does not know.
        return _line(told.seq, told.at[11:19], told.actor, _unknown(told))
    at = recorded.at.strftime("%H:%M:%S")
    return _line(recorded.seq, at, recorded.actor, _phrase(recorded.entry, told))


def _line(seq: int, at: str, actor: str, phrase: str) -> str:
    text = one_line(phrase)
    short = text if len(text) <= TEXT_CHARS else text[:TEXT_CHARS] + " …"
    return f"{seq:>6}  {at}  {actor.rpartition(':')[2]:<14}  {short}"


def _phrase(entry: e.Entry, told: Told) -> str:
    match entry:
        case e.RunChanged() | e.TurnEnded() | e.CallChanged() | e.FileWritten():
            phrase = _work(entry)
        case e.MessagePosted(message=message, thread=thread):
            phrase = f"says in {thread.name or thread.id}: {message.text}"
        case e.TaskChanged(task=task, change=change):
            phrase = f"{task.id} {change}: {task.title} ({state(task.status)}, {task.assignee})"
        case e.TaskCommented(comment=comment):
            phrase = f"remarks on {comment.task}: {comment.text}"
        case e.EventPublished(event=event):
            to = event.target or f"{event.accepted} of {event.considered} agents"
            phrase = f"{event.id} {event.source}/{event.type} to {to}: {event.text}"
        case e.ItemChanged(item=item):
            phrase = f"{item.id} for {item.agent} {state(item.state)}: {item.text}"
        case e.AlertChanged(alert=alert):
            phrase = f"alert {alert.id}: {alert.text}"
        case e.OfficeChanged(office=office):
            phrase = f"the office is {office.state} {office.paused_reason}"
        case _:
            phrase = _unknown(told)
    return phrase


def _work(entry: e.RunChanged | e.TurnEnded | e.CallChanged | e.FileWritten) -> str:
    match entry:
        case e.RunChanged(run=run):
            end = f", {money(run.cost_usd_micros)} {run.outcome or run.reason}"
            return f"{run.id} {state(run.state)}: {run.title}{end if run.ended_at else ''}"
        case e.TurnEnded(turn=turn):
            said = turn.text or turn.error or turn.finish
            return f"{turn.run} turn {turn.n}, {duration(turn.duration_ms)}: {said}"
        case e.CallChanged(call=call):
            told_of = call.result if call.ended_at else call.arguments
            return f"{call.run} {call.name} {state(call.state)}: {told_of}"
        case e.FileWritten(path=path, bytes=size, new=new):
            return f"{'writes' if new else 'changes'} {path} ({size:,} bytes)"


def _unknown(told: Told) -> str:
    """What can be said of any entry: its kind, and the short facts in it."""
    nouns = {name: noun.get("id") or noun.get("name") for name, noun in told.nouns().items()}
    facts = {**told.entry, **nouns}
    facts.pop("kind", None)
    short = ", ".join(f"{name} {value}" for name, value in facts.items() if value)
    return f"{state(told.kind)}: {short}"


def _names(noun: dict[str, Any], agent: str) -> bool:
    fields = ("agent", "assignee", "author", "target")
    if any(noun.get(field) == agent for field in fields):
        return True
    return "duty" in noun and noun.get("name") == agent
