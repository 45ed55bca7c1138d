"""The board's rules, pure: which moves are allowed, what they need, and what follows from them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from dayshift.core.errors import ConflictError, InvalidError
from dayshift.core.states import TASK_MOVES, TaskStatus
from dayshift.core.views import Evidence, TaskView

FINISHED = frozenset({TaskStatus.DONE, TaskStatus.FAILED})
RESTARTABLE = frozenset({TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.BLOCKED})
TASKS_OPEN_MAX = 2_000
"""Open tasks of one office; finished ones do not count."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A task to another column, with what the column asks for."""

    status: TaskStatus
    reason: str = ""
    result: str = ""
    evidence: tuple[Evidence, ...] = ()


def check_move(task: TaskView, move: Move) -> None:
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
    if move.status is TaskStatus.DONE and not move.result.strip():
        raise InvalidError(
            f"Task {task.id} cannot be done without a result.",
            hint="Say in `result` what was done, and name the files that show it in `evidence`.",
        )
    if move.status in {TaskStatus.FAILED, TaskStatus.BLOCKED} and not move.reason.strip():
        raise InvalidError(
            f"Task {task.id} cannot be {move.status} without a reason.",
            hint="Say why, and what would help.",
        )


def moved(task: TaskView, move: Move, now: datetime) -> TaskView:
    """The task after a move that was allowed."""
    started = move.status is TaskStatus.IN_PROGRESS
    ended = move.status in FINISHED
    return msgspec.structs.replace(
        task,
        status=move.status,
        result=move.result or (move.reason if move.status is TaskStatus.FAILED else task.result),
        evidence=list(move.evidence) or task.evidence,
        blocked_reason=move.reason if move.status is TaskStatus.BLOCKED else "",
        attempts=task.attempts + int(started),
        run=task.run if started else "",
        lease_until=task.lease_until if started else None,
        updated_at=now,
        started_at=now if started else task.started_at,
        completed_at=now if ended else None,
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
        run="",
        lease_until=None,
        updated_at=now,
        started_at=None,
        completed_at=None,
    )


def is_ready(needs: Iterable[TaskView]) -> bool:
    """Whether everything a task waits for is done."""
    return all(task.status is TaskStatus.DONE for task in needs)


def broken(needs: Iterable[TaskView]) -> list[str]:
    """What a task waits for that will not be done as things stand."""
    return [task.id for task in needs if task.status in {TaskStatus.FAILED, TaskStatus.BLOCKED}]


def circle(task_id: str, needs: Sequence[str], edges: dict[str, list[str]]) -> list[str]:
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
        stack.extend((after, [*way, after]) for after in edges.get(node, []))
    return []
