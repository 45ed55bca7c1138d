"""Who hears what of a task: its assignee when it is ready, its creator when it ends or is stuck."""

from dayshift.bus.bus import Bus
from dayshift.core.events import Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Priority, TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import threads
from dayshift.facilities.alerts import Alarm, AlertPlan
from dayshift.facilities.limits import RateLimit
from dayshift.facilities.threads import Post
from dayshift.store import speech

RANKS = (Priority.LOW, Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.HIGH)
"""A task's priority, 0 idle to 4 critical, as an inbox item's."""
ENDS = {
    TaskStatus.DONE: "task_done",
    TaskStatus.FAILED: "task_failed",
    TaskStatus.BLOCKED: "task_blocked",
}


class Notices:
    """Writes the notices of one board, within its units of work."""

    def __init__(self, bus: Bus, dispatcher: Dispatcher, book: DutyBook) -> None:
        """An agent may cause 40 changes in 30 s that others are told of; more are refused."""
        self._bus = bus
        self._dispatcher = dispatcher
        self._book = book
        self._limit = RateLimit("task notices", 40, window_s=30, now=bus.clock.now)

    def check_rate(self, by: str) -> None:
        """Count a change that others will be told of; people and the office are not limited.

        Raises:
            LimitError: The agent changes tasks too fast.
        """
        if by.startswith("agent:"):
            self._limit.take(by.removeprefix("agent:"))

    def ready(self, unit: UnitOfWork, task: TaskView, *, by: str, again: bool = False) -> None:
        """Wake the assignee of a task that can be worked on."""
        if (
            task.status is not TaskStatus.TODO
            or not task.assignee
            or self._book.get(task.assignee) is None
        ):
            return
        self._notify(
            unit,
            task,
            type_="task_restarted" if again else "task_ready",
            target=task.assignee,
            by=by,
            text=f"{task.id} {task.title}\n{task.description}".strip(),
            key=f"task:{task.id}:ready:{task.assignee}:{task.attempts}:{int(again)}:{task.updated_at.isoformat()}",
        )

    def moved(self, unit: UnitOfWork, task: TaskView, *, by: str) -> None:
        """Tell a task's creator that it ended or is stuck, and the people when they asked for it."""
        type_ = ENDS.get(task.status)
        if type_ is None:
            return
        kind, _, name = task.created_by.partition(":")
        words = task.result or task.blocked_reason
        if kind == "agent" and name != task.assignee and self._book.get(name) is not None:
            self._notify(
                unit,
                task,
                type_=type_,
                target=name,
                by=by,
                text=f"{task.id} {task.title}\n{words}".strip(),
                key=f"task:{task.id}:{task.status}:{task.updated_at.isoformat()}",
            )
        elif task.status is TaskStatus.BLOCKED:
            alarm = Alarm(
                code="task_blocked",
                fold=f"task:{task.id}",
                task=task.id,
                agent=task.assignee,
                text=f"{task.id} {task.title} is blocked: {task.blocked_reason}",
                hint="Answer what it waits for, then restart the task.",
            )
            AlertPlan(alarm, self._bus)(unit)
        if task.report_channel and task.status is not TaskStatus.BLOCKED:
            self._report(unit, task, words)

    def remarked(self, unit: UnitOfWork, task: TaskView, remark: CommentView) -> None:
        """Tell the assignee of a person's remark."""
        if task.assignee and self._book.get(task.assignee) is not None:
            self._notify(
                unit,
                task,
                type_="task_remark",
                target=task.assignee,
                by=remark.author,
                text=f"{task.id} {task.title}\nRemark: {remark.text}",
                key=f"task:{task.id}:remark:{remark.n}",
            )

    def _notify(
        self,
        unit: UnitOfWork,
        task: TaskView,
        *,
        type_: str,
        target: str,
        by: str,
        text: str,
        key: str,
    ) -> None:
        event = Event(
            source="task",
            type=type_,
            text=text,
            priority=RANKS[task.priority],
            target=target,
            by=by,
            task=task.id,
            thread=task.thread,
            dedup_key=key,
            payload={"status": task.status.value},
        )
        self._dispatcher.deliver(unit, event)

    def _report(self, unit: UnitOfWork, task: TaskView, words: str) -> None:
        id_ = threads.channel_id(task.report_channel.lstrip("#"))
        if speech.thread(unit, unit.office, id_) is None:
            return
        post = Post(
            thread=id_,
            author_kind="office",
            author="office",
            text=f"{task.id} {task.title}: {task.status}\n{words}".strip(),
            key=f"report:{task.id}:{task.updated_at.isoformat()}",
        )
        threads.write(unit, post, self._bus.clock.now())
