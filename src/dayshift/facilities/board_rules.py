"""The board's rules, pure: which moves are allowed, what they need, and what follows from them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from dayshift.core.details import TaskChange
from dayshift.core.errors import ConflictError, DeniedError, InvalidError
from dayshift.core.states import TASK_MOVES, TaskStatus
from dayshift.core.views import TaskView
from dayshift.core.wishes import TaskMove

Move = TaskMove
FINISHED = frozenset({TaskStatus.DONE, TaskStatus.FAILED})
RESTARTABLE = frozenset({TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.BLOCKED})
LOST = frozenset({TaskStatus.FAILED, TaskStatus.BLOCKED})
TASKS_OPEN_MAX = 2_000
"""Open tasks of one office; finished ones do not count."""
CHAIN_TASKS_MAX = 100
"""Tasks made in one chain, finished ones too, until a person starts a new one."""
CHAIN_DEPTH_MAX = 5
"""How often work may be handed on within a chain."""
AGAIN_MAX = 10
"""How often agents may put an ended or blocked card back to todo, until a person touches it."""


class Actor(msgspec.Struct, frozen=True, kw_only=True):
    """Who changes a card.

    Attributes:
        by: ``person:ID``, ``agent:NAME`` or ``office``.
        run: The run an agent does it from.
        is_override: Whether a maker or manager means to reach into somebody else's work.
    """

    by: str
    run: str = ""
    is_override: bool = False

    @property
    def agent(self) -> str:
        """The agent's name; empty for people and the office."""
        kind, _, name = self.by.partition(":")
        return name if kind == "agent" else ""


def check_actor(task: TaskView, actor: Actor, *, managers: Collection[str], is_held: bool) -> None:
    """Refuse an agent that may not change a card.

    Its own card an agent may change, but not from a run that another run has taken it from. Who
    made it may as long as nobody works on it. Who made it, and those the assignee reports to, may
    at any time if they say that they mean to. People may always. ``managers`` are those the
    assignee reports to, ``is_held`` says that a run under way holds the card.

    Raises:
        ConflictError: Another run works on it.
        DeniedError: It is somebody else's.
    """
    agent = actor.agent
    if not agent:
        return
    if agent == task.assignee or not task.assignee:
        if is_held and task.run != actor.run:
            raise ConflictError(
                f"{task.id} is worked on in {task.run}.", hint="Leave it to that run."
            )
        return
    is_maker = actor.by == task.created_by
    if is_maker and not is_held:
        return
    whose = f"{task.id} is {task.assignee}'s" + (", who is working on it" if is_held else "")
    if not is_maker and agent not in managers:
        raise DeniedError(
            f"{whose}, and was made by {task.created_by}.",
            hint=f"Remark on it, or ask {task.assignee} or their manager.",
        )
    if not actor.is_override:
        raise DeniedError(f"{whose}.", hint="Remark on it; or pass override to decide over it.")


def check_move(task: TaskView, move: Move, actor: Actor) -> None:
    """Refuse a move that is not allowed or lacks what it needs.

    Raises:
        ConflictError: The task cannot go there from where it is.
        InvalidError: A reason, a result or evidence is missing.
    """
    allowed = TASK_MOVES[task.status] - ({TaskStatus.TODO} if task.status in FINISHED else set())
    if move.status not in allowed:
        words = ", ".join(sorted(allowed)) or "nowhere; restart it to work on it again"
        raise ConflictError(
            f"Task {task.id} is {task.status} and cannot become {move.status}.",
            hint=f"From {task.status} it can go to: {words}.",
        )
    if move.status is TaskStatus.DONE:
        _check_done(task, move, actor)
    if move.status in LOST and not move.reason.strip():
        raise InvalidError(
            f"Task {task.id} cannot be {move.status} without a reason.",
            hint="Say why, and what would help.",
        )
    is_own = bool(actor.agent) and actor.agent == task.assignee
    if move.status is TaskStatus.TODO and task.status is TaskStatus.IN_PROGRESS and is_own:
        raise ConflictError(
            f"Task {task.id} is yours and begun; you cannot put it back.",
            hint="End it: done, failed, or blocked with the reason.",
        )


def _check_done(task: TaskView, move: Move, actor: Actor) -> None:
    if not move.result.strip():
        raise InvalidError(
            f"Task {task.id} cannot be done without a result.",
            hint="Say in result what was done, and where it is.",
        )
    if actor.agent and not move.evidence:
        raise InvalidError(
            f"Task {task.id} cannot be done without evidence.",
            hint="Name the files that show it, or what you checked.",
        )


def moved(task: TaskView, move: Move, now: datetime) -> TaskView:
    """The task after a move that was allowed."""
    started = move.status is TaskStatus.IN_PROGRESS
    return msgspec.structs.replace(
        task,
        status=move.status,
        result=move.result or (move.reason if move.status is TaskStatus.FAILED else task.result),
        evidence=list(move.evidence) or task.evidence,
        blocked_reason=move.reason if move.status is TaskStatus.BLOCKED else "",
        blocked_by=[],
        attempts=task.attempts + int(started),
        run=task.run if started else "",
        updated_at=now,
        started_at=now if started else task.started_at,
        completed_at=now if move.status in FINISHED else None,
    )


def restarted(task: TaskView, now: datetime) -> TaskView:
    """The task put back to todo, its result and times cleared.

    Raises:
        ConflictError: It is not done, failed or blocked.
    """
    if task.status not in RESTARTABLE:
        raise ConflictError(
            f"Task {task.id} is {task.status}; only done, failed or blocked tasks are restarted."
        )
    return msgspec.structs.replace(
        task,
        status=TaskStatus.TODO,
        result="",
        evidence=[],
        blocked_reason="",
        blocked_by=[],
        run="",
        updated_at=now,
        started_at=None,
        completed_at=None,
    )


def sent_back(history: Sequence[TaskChange]) -> int:
    """How often agents have put a card back since a person last changed it; its history, in order.

    What follows by itself, as when the card it waited for is done, does not count.
    """
    count = 0
    for line in history:
        if line.actor.startswith("person:"):
            count = 0
        elif line.actor.startswith("agent:"):
            count += line.before in RESTARTABLE and line.after not in RESTARTABLE
    return count


def settled(task: TaskView, needs: Sequence[TaskView], now: datetime) -> TaskView:
    """A task that nobody has begun, in the column that what it waits for puts it into.

    One that was begun, ended or blocked by hand stays where it is, and the same view is returned;
    so it is when it is in its place already.
    """
    by_itself = task.status in {TaskStatus.WAITING, TaskStatus.TODO} or bool(task.blocked_by)
    if not by_itself:
        return task
    lost = [one.id for one in needs if one.status in LOST]
    status, reason = TaskStatus.WAITING, ""
    if lost:
        status = TaskStatus.BLOCKED
        reason = f"It waits for {', '.join(lost)}, which will not be done as things stand."
    elif all(one.status is TaskStatus.DONE for one in needs):
        status = TaskStatus.TODO
    if (status, lost) == (task.status, task.blocked_by):
        return task
    return msgspec.structs.replace(
        task, status=status, blocked_reason=reason, blocked_by=lost, updated_at=now
    )


def circle(task_id: str, needs: Sequence[str], edges: Mapping[str, Iterable[str]]) -> list[str]:
    """The way in which a task would come to wait for itself; empty when it would not."""
    stack = [(one, [task_id, one]) for one in needs]
    seen: set[str] = set()
    while stack:
        node, way = stack.pop()
        if node == task_id:
            return way
        if node in seen:
            continue
        seen.add(node)
        stack.extend((after, [*way, after]) for after in edges.get(node, ()))
    return []
