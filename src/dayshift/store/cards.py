"""Rows of the board: tasks, what they wait for, their history and remarks."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select

from dayshift.core.details import TaskChange
from dayshift.core.entries import TaskChanged, TaskCommented, TaskRemoved
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import RUN_ENDS, RunState, TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.core.wishes import TaskFilter
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number
from dayshift.store.statements import Prepared, param, prepared_insert

OPEN_STATUSES = (
    TaskStatus.WAITING,
    TaskStatus.TODO,
    TaskStatus.IN_PROGRESS,
    TaskStatus.BLOCKED,
)
_RUNS_UNDER_WAY = frozenset(state.value for state in set(RunState) - RUN_ENDS)
_PART = 200

_t, _l, _h, _k = t.tasks.c, t.task_links.c, t.task_history.c, t.comments.c
_OFFICE, _N = param("office"), param("n")
_TASK = Prepared(select(_t.body).where(_t.office == _OFFICE, _t.n == _N))
_TASK_BY_KEY = Prepared(
    select(_t.body).where(_t.office == _OFFICE, _t.key == param("key"), t.has_key(_t.key))
)
_DEPENDENTS = Prepared(
    select(_t.body)
    .join(t.task_links, (_l.office == _t.office) & (_l.task_n == _t.n))
    .where(_l.office == _OFFICE, _l.needs_n == _N)
    .order_by(_t.n)
)
_RUN_STATE = Prepared(select(t.runs.c.state).where(t.runs.c.office == _OFFICE, t.runs.c.n == _N))
_LINES = Prepared(select(func.max(_h.n)).where(_h.office == _OFFICE, _h.task_n == _N))
_INSERT_LINE = prepared_insert(t.task_history)
_INSERT_COMMENT = prepared_insert(t.comments)


def put_task(
    unit: UnitOfWork, view: TaskView, *, change: str, line: TaskChange, key: str = ""
) -> None:
    """Write a task with one line of its history and tell of it.

    ``key``, for a new task, is what a second try to make it is known by.
    """
    n = number(view.id)
    _put_row(unit, view, key=key)
    lines = unit.rows(_LINES, {"office": unit.office, "n": n})[0][0] or 0
    unit.change(
        _INSERT_LINE,
        {"office": unit.office, "task_n": n, "n": int(lines) + 1, "body": encode(line)},
    )
    unit.append(TaskChanged(task=view, change=change))


def _put_row(unit: UnitOfWork, view: TaskView, *, key: str = "") -> None:
    values = {
        "office": unit.office,
        "n": number(view.id),
        "status": view.status.value,
        "assignee": view.assignee,
        "parent": view.parent,
        "maker": view.created_by,
        "chain": number(view.chain or view.id),
        "body": encode(view),
    }
    if key:
        values["key"] = key
    unit.upsert(t.tasks, values)


def link(unit: UnitOfWork, task_id: str, needs: Sequence[str]) -> None:
    """Write what a task waits for, each once."""
    for one in needs:
        unit.change(
            insert(t.task_links),
            {"office": unit.office, "needs_n": number(one), "task_n": number(task_id)},
        )


def unlink(unit: UnitOfWork, task_id: str) -> None:
    """Forget what a task waits for."""
    unit.change(delete(t.task_links).where(_l.office == unit.office, _l.task_n == number(task_id)))


def task_by_key(asked: Rows, office: str, key: str) -> TaskView | None:
    """The task that was made under an idempotency key."""
    rows = asked.rows(_TASK_BY_KEY, {"office": office, "key": key})
    return decode(rows[0][0], TaskView) if rows else None


def task(asked: Rows, office: str, id_: str) -> TaskView | None:
    """One task."""
    rows = asked.rows(_TASK, {"office": office, "n": number(id_)})
    view = decode(rows[0][0], TaskView) if rows else None
    return view if view is not None and view.id == id_ else None


def is_held(asked: Rows, office: str, view: TaskView) -> bool:
    """Whether the run that claimed a task is under way."""
    if not view.run:
        return False
    rows = asked.rows(_RUN_STATE, {"office": office, "n": number(view.run)})
    return bool(rows) and rows[0][0] in _RUNS_UNDER_WAY


def tasks(
    asked: Rows, office: str, wanted: TaskFilter, *, before: int, limit: int
) -> list[TaskView]:
    """Tasks that a filter lets through, newest first; ``before`` 0 begins with the newest."""
    needle = wanted.text.casefold()
    found: list[TaskView] = []
    part: list[TaskView] = []
    at = before
    while len(found) < limit and (part := _part_of_tasks(asked, office, wanted, at)):
        found += [one for one in part if needle in f"{one.title}\n{one.description}".casefold()]
        at = number(part[-1].id)
    return found[:limit]


def _part_of_tasks(asked: Rows, office: str, wanted: TaskFilter, before: int) -> list[TaskView]:
    query = select(_t.body).where(_t.office == office)
    for column, value in (
        (_t.status, wanted.status),
        (_t.assignee, wanted.assignee),
        (_t.parent, wanted.parent),
    ):
        if value:
            query = query.where(column == value)
    if before:
        query = query.where(_t.n < before)
    return bodies(asked.rows(query.order_by(_t.n.desc()).limit(_PART)), TaskView)


def open_tasks_of(asked: Rows, office: str, agent: str) -> list[TaskView]:
    """Tasks that are not finished and are an agent's, or made by it, oldest first."""
    query = select(_t.body).where(
        _t.office == office,
        _t.status.in_(OPEN_STATUSES),
        (_t.assignee == agent) | (_t.maker == f"agent:{agent}"),
    )
    return bodies(asked.rows(query.order_by(_t.n)), TaskView)


def open_count(asked: Rows, office: str) -> int:
    """How many tasks are not finished."""
    query = select(func.count()).where(_t.office == office, _t.status.in_(OPEN_STATUSES))
    return int(asked.rows(query)[0][0])


def chain_count(asked: Rows, office: str, first_task: str) -> int:
    """How many tasks were made in the chain that began with a task, itself included."""
    query = select(func.count()).where(_t.office == office, _t.chain == number(first_task))
    return int(asked.rows(query)[0][0])


def dependents(asked: Rows, office: str, id_: str) -> list[TaskView]:
    """Tasks that wait for this one, oldest first."""
    return bodies(asked.rows(_DEPENDENTS, {"office": office, "n": number(id_)}), TaskView)


def parts(asked: Rows, office: str, id_: str) -> list[str]:
    """The ids of the tasks that are parts of this one, oldest first."""
    query = select(_t.n).where(_t.office == office, _t.parent == id_).order_by(_t.n)
    return [f"T-{row[0]}" for row in asked.rows(query)]


def history(asked: Rows, office: str, id_: str) -> list[TaskChange]:
    """A task's history, oldest first."""
    query = select(_h.body).where(_h.office == office, _h.task_n == number(id_)).order_by(_h.n)
    return bodies(asked.rows(query), TaskChange)


def add_comment(unit: UnitOfWork, view: CommentView, task_view: TaskView) -> None:
    """Write a remark with the task as it is afterwards."""
    unit.change(
        _INSERT_COMMENT,
        {"office": unit.office, "task_n": number(view.task), "n": view.n, "body": encode(view)},
    )
    _put_row(unit, task_view)
    unit.append(TaskCommented(comment=view, task=task_view))


def comments(asked: Rows, office: str, id_: str) -> list[CommentView]:
    """A task's remarks, oldest first."""
    query = select(_k.body).where(_k.office == office, _k.task_n == number(id_)).order_by(_k.n)
    return bodies(asked.rows(query), CommentView)


def remove_task(unit: UnitOfWork, id_: str) -> None:
    """Delete a task with its links, history and remarks; the ledger keeps what happened."""
    columns: list[tuple[Any, Any]] = [
        (t.tasks, _t.n),
        (t.task_links, _l.task_n),
        (t.task_links, _l.needs_n),
        (t.task_history, _h.task_n),
        (t.comments, _k.task_n),
    ]
    for table, column in columns:
        unit.change(delete(table).where(table.c.office == unit.office, column == number(id_)))
    unit.append(TaskRemoved(task=id_))
