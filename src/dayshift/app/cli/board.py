"""Commands of the board: tasks as cards that people and agents see."""

from collections.abc import Mapping
from typing import Annotated

import typer

from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.shown import moment, state
from dayshift.core.details import Page, TaskCard
from dayshift.core.states import TaskStatus
from dayshift.core.views import CommentView, TaskView

tasks = typer.Typer(help="The board: list, create, move and remark on tasks.")
Id = Annotated[str, typer.Argument(metavar="TASK", help="Its id, for example T-4.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="How many at most.")]


@command(tasks, "list")
def list_tasks(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    status: Annotated[TaskStatus | None, typer.Option(help="Only this column.")] = None,
    assignee: Annotated[str, typer.Option(metavar="AGENT", help="Only this agent's.")] = "",
    text: Annotated[str, typer.Option(help="Only with this text in title or description.")] = "",
    limit: Limit = 50,
) -> None:
    """List tasks, newest first."""
    query = {"status": status, "assignee": assignee, "text": text, "limit": limit}
    raw, page = desk.read(
        Page[TaskView], "tasks", query=query, doing="Reading the board", office=office
    )
    found = page.items
    rows = [
        (task.id, state(task.status), task.assignee or "-", str(task.priority), task.title)
        for task in found
    ]
    desk.show_table(
        raw, ("TASK", "STATUS", "ASSIGNEE", "PRIORITY", "TITLE"), rows, empty="No tasks."
    )


@command(tasks, in_office=True)
def create(
    desk: Desk,
    title: Annotated[str, typer.Argument(help="What is to be done, in a line.")],
    *,
    description: Annotated[str, typer.Option(help="The whole of it.")] = "",
    assignee: Annotated[str, typer.Option(metavar="AGENT", help="Who shall do it.")] = "",
    priority: Annotated[int, typer.Option(min=0, max=4, help="0 idle … 4 critical.")] = 2,
    after: Annotated[
        list[str] | None, typer.Option(metavar="TASK", help="Waits for this task; repeatable.")
    ] = None,
    parent: Annotated[str, typer.Option(metavar="TASK", help="The task it is a part of.")] = "",
) -> None:
    """Put a task on the board; its assignee is woken when nothing holds it back."""
    draft = {
        "title": title,
        "description": description,
        "assignee": assignee,
        "priority": priority,
        "depends_on": after or [],
        "parent": parent,
    }

    raw, made = desk.tell("POST", TaskView, "tasks", body=draft, doing="Creating the task")
    desk.show(raw, f"{made.id} is {state(made.status)}.")


@command(tasks, in_office=True)
def move(
    desk: Desk,
    task: Id,
    status: Annotated[TaskStatus, typer.Argument(help="The column it goes to.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; blocked and failed need it.")] = "",
    result: Annotated[str, typer.Option(help="What came of it; done needs it.")] = "",
    file: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT:PATH", help="A file that shows it is done; repeatable."),
    ] = None,
    check: Annotated[
        list[str] | None, typer.Option(help="What was checked to see it is done; repeatable.")
    ] = None,
) -> None:
    """Move a task to another column; done needs a result and a file or a check as evidence."""
    evidence = [*map(_file, file or []), *({"kind": "check", "text": each} for each in check or [])]
    wish = {"status": status, "reason": reason, "result": result, "evidence": evidence}
    _change(desk, "POST", (task, "move"), wish)


@command(tasks, in_office=True)
def restart(desk: Desk, task: Id) -> None:
    """Take a task that is done or failed up again."""
    _change(desk, "POST", (task, "restart"), {})


@command(tasks, in_office=True)
def assign(
    desk: Desk, task: Id, agent: Annotated[str, typer.Argument(help="Who shall do it.")]
) -> None:
    """Give a task to an agent."""
    _change(desk, "PATCH", (task,), {"assignee": agent})


@command(tasks, in_office=True)
def comment(desk: Desk, task: Id, text: Annotated[str, typer.Argument(help="The remark.")]) -> None:
    """Remark on a task; its assignee reads it."""
    raw, made = desk.tell(
        "POST",
        CommentView,
        "tasks",
        task,
        "comments",
        body={"text": text},
        doing="Writing the remark",
    )
    desk.show(raw, f"Remark {made.n} on {made.task}.")


@command(tasks, in_office=True)
def delete(desk: Desk, task: Id) -> None:
    """Take a task off the board."""
    desk.delete("tasks", task, doing="Deleting the task")
    desk.show({"deleted": task}, f"{task} is deleted.")


def _file(named: str) -> dict[str, str]:
    """Evidence from ``agent:path``."""
    agent, colon, path = named.partition(":")
    if not colon:
        raise typer.BadParameter(f"{named!r} names no agent; for example juno:site/index.html")
    return {"kind": "file", "text": named, "agent": agent, "path": path}


def _change(desk: Desk, method: str, path: tuple[str, ...], wish: Mapping[str, object]) -> None:
    """Change a task and say what it is now."""
    raw, now = desk.tell(method, TaskView, "tasks", *path, body=wish, doing="Changing the task")
    held = f", given to {now.assignee}" if now.assignee else ""
    desk.show(raw, f"{now.id} is {state(now.status)}{held}.")


def card(found: TaskCard) -> list[str]:
    """A card with everything about it, as lines."""
    task = found.task
    lines = [
        f"{task.id}  {task.title}",
        f"{state(task.status)}, priority {task.priority}, {task.assignee or 'nobody'}",
        f"created {moment(task.created_at)} by {task.created_by}",
    ]
    facts = {
        "waits for": ", ".join(task.depends_on),
        "waited for by": ", ".join(found.dependents),
        "part of": task.parent,
        "blocked": task.blocked_reason,
        "result": task.result,
    }
    lines += [f"{name}: {told}" for name, told in facts.items() if told]
    lines += [f"evidence: {each.kind} {each.path} {each.text}" for each in task.evidence]
    if task.description:
        lines += ["", task.description]
    for heading, entries in _sections(found):
        if entries:
            lines += ["", heading, *(f"  {entry}" for entry in entries)]
    return lines


def _sections(found: TaskCard) -> list[tuple[str, list[str]]]:
    history = [
        f"{moment(row.at)}  {row.actor}  {row.change}: {row.before} → {row.after} {row.note}"
        for row in found.history
    ]
    remarks = [f"{moment(row.at)}  {row.author}: {row.text}" for row in found.comments]
    runs = [f"{run.id}  {run.agent}  {state(run.state)}  {run.title}" for run in found.runs]
    return [("History", history), ("Remarks", remarks), ("Runs", runs)]
