"""The office at one moment, and how an entry changes it: ``apply(old, entry) == new``.

The same function stands in the UI (``ui/src/stream/apply.ts``); both are held to a fresh snapshot
by tests.
"""

from typing import TypeVar, assert_never

import msgspec

from dayshift.core import entries as e
from dayshift.core.states import CALL_ENDS, RUN_ENDS, ItemState
from dayshift.core.views import (
    AgentView,
    AlertView,
    CallView,
    ItemView,
    OfficeView,
    RunView,
    TaskView,
    ThreadView,
)

T = TypeVar("T")

OPEN_ITEMS = frozenset({ItemState.QUEUED, ItemState.PAUSED, ItemState.TAKEN, ItemState.PARKED})


class Snapshot(msgspec.Struct):
    """What a watcher knows: all agents, threads, tasks; open runs, calls, items and alerts.

    ``reads`` maps ``PERSON/THREAD`` to the last message that person has read.
    """

    seq: int
    office: OfficeView
    agents: dict[str, AgentView]
    threads: dict[str, ThreadView]
    tasks: dict[str, TaskView]
    runs: dict[str, RunView]
    calls: dict[str, CallView]
    items: dict[str, ItemView]
    alerts: dict[str, AlertView]
    reads: dict[str, int]


def apply(snapshot: Snapshot, recorded: e.Recorded) -> None:
    """Bring a snapshot to the moment of the entry, in place.

    An entry already applied changes nothing.
    """
    if recorded.seq <= snapshot.seq:
        return
    snapshot.seq = recorded.seq
    _apply(snapshot, recorded.entry)


def _apply(s: Snapshot, entry: e.Entry) -> None:  # noqa: C901, PLR0912  a branch a kind
    match entry:
        case e.OfficeChanged(office=office):
            s.office = office
        case e.AgentChanged(agent=agent):
            _keep(s.agents, agent.name, agent, kept=not agent.removed)
        case e.ItemChanged(item=item):
            _keep(s.items, item.id, item, kept=item.state in OPEN_ITEMS)
        case e.RunChanged(run=run):
            _keep(s.runs, run.id, run, kept=run.state not in RUN_ENDS)
        case e.TurnEnded(turn=turn, run=run):
            _keep(s.runs, run.id, run, kept=run.state not in RUN_ENDS)
            if turn.day == s.office.spent_day:
                spent = s.office.spent_usd_micros + turn.cost_usd_micros
                s.office = msgspec.structs.replace(s.office, spent_usd_micros=spent)
        case e.CallChanged(call=call):
            _keep(s.calls, call.id, call, kept=call.state not in CALL_ENDS)
        case e.ThreadChanged(thread=thread) | e.MessagePosted(thread=thread):
            s.threads[thread.id] = thread
        case e.ThreadRemoved(thread=thread_id):
            s.threads.pop(thread_id, None)
        case e.ThreadRead(thread=thread_id, person=person, n=n):
            s.reads[f"{person}/{thread_id}"] = n
        case e.TaskChanged(task=task) | e.TaskCommented(task=task):
            s.tasks[task.id] = task
        case e.TaskRemoved(task=task_id):
            s.tasks.pop(task_id, None)
        case e.AlertChanged(alert=alert):
            _keep(s.alerts, alert.id, alert, kept=not alert.acknowledged_by)
        case (
            e.EventPublished()
            | e.DialogueCompacted()
            | e.FileWritten()
            | e.PromptComposed()
            | e.TimerChanged()
        ):
            pass
        case _:
            assert_never(entry)


def _keep(into: dict[str, T], key: str, value: T, *, kept: bool) -> None:
    if kept:
        into[key] = value
    else:
        into.pop(key, None)
