"""The states things can be in, and the moves between them that are allowed."""

from enum import IntEnum, StrEnum


class Priority(IntEnum):
    """How urgent an event or inbox item is."""

    LOW = 1
    NORMAL = 3
    HIGH = 6
    EMERGENCY = 10


class Duty(StrEnum):
    """Whether an agent is at work; written by dispatch/duty.py alone."""

    ON_DUTY = "on_duty"
    WAIT = "wait"
    WRAPPING_UP = "wrapping_up"
    OFF_DUTY = "off_duty"


class Activity(StrEnum):
    """What an agent is doing right now."""

    IDLE = "idle"
    BUSY = "busy"
    STUCK = "stuck"
    DEAD = "dead"


class RunState(StrEnum):
    """A run's state; the last four are final."""

    QUEUED = "queued"
    RUNNING = "running"
    AWAITING_PERSON = "awaiting_person"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    BLOCKED = "blocked"


class TurnState(StrEnum):
    """A turn's state."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class CallState(StrEnum):
    """A tool call's state; the last four are final."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class ItemState(StrEnum):
    """An inbox item's state."""

    QUEUED = "queued"
    PAUSED = "paused"
    TAKEN = "taken"
    DONE = "done"
    PARKED = "parked"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class TaskStatus(StrEnum):
    """A task's column on the board."""

    WAITING = "waiting"
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"


RUN_MOVES: dict[RunState, frozenset[RunState]] = {
    RunState.QUEUED: frozenset({RunState.RUNNING, RunState.CANCELLED}),
    RunState.RUNNING: frozenset(
        {
            RunState.AWAITING_PERSON,
            RunState.COMPLETED,
            RunState.FAILED,
            RunState.CANCELLED,
            RunState.BLOCKED,
        }
    ),
    RunState.AWAITING_PERSON: frozenset({RunState.RUNNING, RunState.CANCELLED, RunState.FAILED}),
    RunState.COMPLETED: frozenset(),
    RunState.FAILED: frozenset(),
    RunState.CANCELLED: frozenset(),
    RunState.BLOCKED: frozenset(),
}

RUN_ENDS = frozenset(state for state, moves in RUN_MOVES.items() if not moves)
CALL_ENDS = frozenset(
    {CallState.SUCCEEDED, CallState.FAILED, CallState.CANCELLED, CallState.INTERRUPTED}
)

TASK_MOVES: dict[TaskStatus, frozenset[TaskStatus]] = {
    TaskStatus.WAITING: frozenset({TaskStatus.TODO, TaskStatus.BLOCKED, TaskStatus.FAILED}),
    TaskStatus.TODO: frozenset(
        {
            TaskStatus.WAITING,
            TaskStatus.IN_PROGRESS,
            TaskStatus.BLOCKED,
            TaskStatus.DONE,
            TaskStatus.FAILED,
        }
    ),
    TaskStatus.IN_PROGRESS: frozenset(
        {TaskStatus.TODO, TaskStatus.DONE, TaskStatus.FAILED, TaskStatus.BLOCKED}
    ),
    TaskStatus.BLOCKED: frozenset({TaskStatus.TODO, TaskStatus.WAITING, TaskStatus.FAILED}),
    TaskStatus.DONE: frozenset({TaskStatus.TODO}),
    TaskStatus.FAILED: frozenset({TaskStatus.TODO}),
}
"""Done and failed go back to todo only by a restart, which a person or the creator asks for."""
