"""Who hears what of a task: its assignee when it is ready, its maker when it ends or is stuck.

Nobody is told of what they did themselves, and a remark of an agent wakes nobody.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dayshift.bus.bus import Bus
from dayshift.core.events import Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Priority, TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import threads
from dayshift.facilities.alerts import Alarm, raise_alert
from dayshift.facilities.board_rules import FINISHED, LOST, Actor
from dayshift.facilities.threads import OFFICE, Post
from dayshift.store import posts

RANKS = (Priority.LOW, Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.HIGH)
"""A task's priority, 0 idle to 4 critical, as an inbox item's."""
ENDS = {
    TaskStatus.DONE: "task_done",
    TaskStatus.FAILED: "task_failed",
    TaskStatus.BLOCKED: "task_blocked",
}
NAMED_MAX = 20


@dataclass(frozen=True, kw_only=True)
class _Notice:
    """What to tell an agent. ``key`` tells it from other notices of the same change of the task."""

    type: str
    target: str
    text: str
    key: str
    steer: bool = False


class Notices:
    """Writes the notices of one board, within its units of work."""

    def __init__(
        self, bus: Bus, dispatcher: Dispatcher, book: DutyBook, default_channel: Callable[[], str]
    ) -> None:
        """``default_channel`` announces ends of tasks with no channel of their own; empty: none."""
        self._bus = bus
        self._dispatcher = dispatcher
        self._book = book
        self._default_channel = default_channel

    def ready(self, unit: UnitOfWork, task: TaskView, *, by: str, again: bool = False) -> None:
        """Wake the assignee of a task that can be worked on."""
        if task.status is not TaskStatus.TODO or not self._works_here(task.assignee):
            return
        self._notify(
            unit,
            task,
            _Notice(
                type="task_restarted" if again else "task_ready",
                target=task.assignee,
                text=f"{task.id} {task.title}\n{task.description}".strip(),
                key=f"ready:{task.assignee}:{task.attempts}:{int(again)}",
            ),
            by=by,
        )

    def ended(
        self, unit: UnitOfWork, task: TaskView, actor: Actor, held_up: Sequence[TaskView]
    ) -> None:
        """Tell a task's maker that it ended or is stuck; or the people, if no maker can hear it.

        ``held_up`` are tasks that were blocked with it; their makers hear of it, too, once each.
        """
        waiting = ", ".join(one.id for one in held_up[:NAMED_MAX])
        more = f", and {len(held_up) - NAMED_MAX} more" if len(held_up) > NAMED_MAX else ""
        words = [task.result if task.status in FINISHED else task.blocked_reason]
        words += [f"Held up with it: {waiting}{more}."] if waiting else []
        told = self._tell_maker(unit, task, actor, words="\n".join(words))
        for one in held_up:
            if one.created_by not in told:
                told |= self._tell_maker(unit, one, actor, words=one.blocked_reason)
        self._report(unit, task)

    def taken(self, unit: UnitOfWork, task: TaskView, actor: Actor) -> None:
        """Tell the run that held a task that somebody else has moved it."""
        if not self._works_here(task.assignee) or actor.agent == task.assignee:
            return
        self._notify(
            unit,
            task,
            _Notice(
                type="task_taken",
                target=task.assignee,
                text=f"{task.id} {task.title} is {task.status} now. "
                "Do not go on with it in this run.",
                key="taken",
                steer=True,
            ),
            by=actor.by,
        )

    def remarked(self, unit: UnitOfWork, task: TaskView, remark: CommentView) -> None:
        """Tell the assignee of a person's remark, at once if it is working on the task."""
        if self._works_here(task.assignee):
            self._notify(
                unit,
                task,
                _Notice(
                    type="task_remark",
                    target=task.assignee,
                    text=f"{task.id} {task.title}\nRemark: {remark.text}",
                    key=f"remark:{remark.n}",
                    steer=bool(task.run),
                ),
                by=remark.author,
            )

    def _tell_maker(
        self, unit: UnitOfWork, task: TaskView, actor: Actor, *, words: str
    ) -> set[str]:
        """Returns the makers that need not be told again."""
        type_ = ENDS.get(task.status)
        _, _, maker = task.created_by.partition(":")
        is_own = maker == task.assignee
        if type_ is None or (actor.by == task.created_by and not is_own):
            return {task.created_by}
        is_agents = task.created_by.startswith("agent:") and self._works_here(maker)
        if is_agents and not is_own:
            self._notify(
                unit,
                task,
                _Notice(
                    type=type_,
                    target=maker,
                    text=f"{task.id} {task.title}\n{words}".strip(),
                    key=str(task.status),
                ),
                by=actor.by,
            )
        elif task.status in LOST and not actor.by.startswith("person:"):
            alarm = Alarm(
                code=type_,
                fold=f"task:{task.id}",
                task=task.id,
                agent=task.assignee,
                text=f"{task.id} {task.title} is {task.status}: {words}",
                hint="See what it needs, then restart the task.",
            )
            raise_alert(unit, alarm, self._bus)
        return {task.created_by}

    def _works_here(self, name: str) -> bool:
        return bool(name) and self._book.get(name) is not None

    def _notify(self, unit: UnitOfWork, task: TaskView, notice: "_Notice", *, by: str) -> None:
        event = Event(
            source="task",
            type=notice.type,
            text=notice.text,
            priority=RANKS[task.priority],
            target=notice.target,
            by=by,
            task=task.id,
            thread=task.thread,
            dedup_key=f"task:{task.id}:{notice.key}:{task.updated_at.isoformat()}",
            payload={"status": task.status.value},
            steer=notice.steer,
        )
        self._dispatcher.deliver(unit, event)

    def _report(self, unit: UnitOfWork, task: TaskView) -> None:
        """Announce the end of a task in its channel."""
        name = (task.report_channel or self._default_channel()).removeprefix("#")
        if task.status not in FINISHED or not name:
            return
        channel = posts.channel(unit, unit.office, name)
        if channel is None:
            return
        post = Post(
            thread=channel.id,
            author_kind=OFFICE,
            author=OFFICE,
            text=threads.fitting(f"{task.id} {task.title}: {task.status}\n{task.result}".strip()),
            key=f"report:{task.id}:{task.updated_at.isoformat()}",
        )
        threads.write(unit, post, self._bus.clock.now())
