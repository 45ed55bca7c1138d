"""Rows of the board: tasks, what they wait for, their history and remarks."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select

from dayshift.core.entries import TaskChanged, TaskCommented, TaskRemoved
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import CommentView, TaskView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number

OPEN_STATUSES = ("waiting", "todo", "in_progress", "blocked")


def put_task(
    unit: UnitOfWork, view: TaskView, *, change: str, history: dict[str, Any], key: str = ""
) -> None:
    """Write a task with one line of its history and tell of it."""
    n = number(view.id)
    values = {
        "office": unit.office,
        "n": n,
        "status": view.status.value,
        "assignee": view.assignee,
        "parent": view.parent,
        "body": encode(view),
    }
    if key:
        values["key"] = key
    unit.upsert(t.tasks, values)
    count = unit.rows(
        select(func.count()).where(
            t.task_history.c.office == unit.office, t.task_history.c.task_n == n
        )
    )
    unit.change(
        insert(t.task_history),
        {"office": unit.office, "task_n": n, "n": int(count[0][0]) + 1, "body": encode(history)},
    )
    unit.append(TaskChanged(task=view, change=change))


def link(unit: UnitOfWork, task_id: str, needs: Sequence[str]) -> None:
    """Write what a task waits for."""
    for one in needs:
        unit.change(
            insert(t.task_links),
            {"office": unit.office, "needs_n": number(one), "task_n": number(task_id)},
        )


def unlink(unit: UnitOfWork, task_id: str) -> None:
    """Forget what a task waits for."""
    where = (t.task_links.c.office == unit.office) & (t.task_links.c.task_n == number(task_id))
    unit.change(delete(t.task_links).where(where))


def task_by_key(asked: Rows, office: str, key: str) -> TaskView | None:
    """The task that was made under an idempotency key."""
    rows = asked.rows(
        select(t.tasks.c.body).where(t.tasks.c.office == office, t.tasks.c.key == key)
    )
    return decode(rows[0][0], TaskView) if rows else None


def task(asked: Rows, office: str, id_: str) -> TaskView | None:
    """One task."""
    rows = asked.rows(
        select(t.tasks.c.body).where(t.tasks.c.office == office, t.tasks.c.n == number(id_))
    )
    return decode(rows[0][0], TaskView) if rows else None


def tasks(
    asked: Rows, office: str, *, filters: dict[str, str], before: int, limit: int
) -> list[TaskView]:
    """Tasks, newest first, filtered by status, assignee or parent."""
    query = select(t.tasks.c.body).where(t.tasks.c.office == office)
    for name, value in filters.items():
        if value:
            query = query.where(t.tasks.c[name] == value)
    if before:
        query = query.where(t.tasks.c.n < before)
    return bodies(asked.rows(query.order_by(t.tasks.c.n.desc()).limit(limit)), TaskView)


def open_tasks(asked: Rows, office: str) -> list[TaskView]:
    """All tasks that are not finished, oldest first."""
    query = select(t.tasks.c.body).where(
        t.tasks.c.office == office, t.tasks.c.status.in_(OPEN_STATUSES)
    )
    return bodies(asked.rows(query.order_by(t.tasks.c.n)), TaskView)


def open_count(asked: Rows, office: str) -> int:
    """How many tasks are not finished."""
    query = select(func.count()).where(
        t.tasks.c.office == office, t.tasks.c.status.in_(OPEN_STATUSES)
    )
    return int(asked.rows(query)[0][0])


def dependents(asked: Rows, office: str, id_: str) -> list[TaskView]:
    """Tasks that wait for this one."""
    query = (
        select(t.tasks.c.body)
        .join(
            t.task_links,
            (t.task_links.c.office == t.tasks.c.office) & (t.task_links.c.task_n == t.tasks.c.n),
        )
        .where(t.task_links.c.office == office, t.task_links.c.needs_n == number(id_))
        .order_by(t.tasks.c.n)
    )
    return bodies(asked.rows(query), TaskView)


def history(asked: Rows, office: str, id_: str) -> list[dict[str, Any]]:
    """A task's history, oldest first."""
    c = t.task_history.c
    rows = asked.rows(
        select(c.body).where(c.office == office, c.task_n == number(id_)).order_by(c.n)
    )
    return [decode(row[0], dict[str, Any]) for row in rows]


def add_comment(unit: UnitOfWork, view: CommentView, task_view: TaskView) -> None:
    """Write a remark with the task as it is afterwards."""
    unit.change(
        insert(t.comments),
        {"office": unit.office, "task_n": number(view.task), "n": view.n, "body": encode(view)},
    )
    unit.upsert(
        t.tasks,
        {
            "office": unit.office,
            "n": number(task_view.id),
            "status": task_view.status.value,
            "assignee": task_view.assignee,
            "parent": task_view.parent,
            "body": encode(task_view),
        },
    )
    unit.append(TaskCommented(comment=view, task=task_view))


def comments(asked: Rows, office: str, id_: str) -> list[CommentView]:
    """A task's remarks, oldest first."""
    c = t.comments.c
    query = select(c.body).where(c.office == office, c.task_n == number(id_)).order_by(c.n)
    return bodies(asked.rows(query), CommentView)


def remove_task(unit: UnitOfWork, id_: str) -> None:
    """Delete a task with its links, history and remarks; the ledger keeps what happened."""
    n = number(id_)
    for table, column in (
        (t.tasks, t.tasks.c.n),
        (t.task_links, t.task_links.c.task_n),
        (t.task_links, t.task_links.c.needs_n),
        (t.task_history, t.task_history.c.task_n),
        (t.comments, t.comments.c.task_n),
    ):
        unit.change(delete(table).where(table.c.office == unit.office, column == n))
    unit.append(TaskRemoved(task=id_))
