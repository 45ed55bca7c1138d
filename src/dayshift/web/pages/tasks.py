"""The board: cards, their moves, comments and history."""

from typing import Annotated

from fastapi import Depends
from msgspec import Meta

from dayshift.core.details import Page, TaskCard
from dayshift.core.views import CommentView, TaskView
from dayshift.core.wishes import TaskChanges, TaskDraft, TaskFilter, TaskMove, Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Created, Done, Reply
from dayshift.web.route import Before, Limit, Word, page

router = page("/api/offices/{office}/tasks", "Tasks")
Reading = Annotated[Inside, Depends(InOffice("tasks:read"))]
Editing = Annotated[Inside, Depends(InOffice("tasks:edit"))]


class CommentDraft(Wish, frozen=True, kw_only=True):
    """A remark on a card."""

    text: Annotated[str, Meta(min_length=1, max_length=20_000, pattern=r"\S")]


def wanted_tasks(
    status: Word = "", assignee: Word = "", parent: Word = "", text: Word = ""
) -> TaskFilter:
    """The filter in a query."""
    return TaskFilter(status=status, assignee=assignee, parent=parent, text=text)


@router.get("")
async def list_tasks(
    inside: Reading,
    wanted: Annotated[TaskFilter, Depends(wanted_tasks)],
    before: Before = "",
    limit: Limit = 50,
) -> Reply[Page[TaskView]]:
    """Cards, newest first."""
    return Reply(await inside.rooms.board.tasks(wanted, before=before, limit=limit))


@router.post("")
async def create_task(
    inside: Editing, draft: Annotated[TaskDraft, Depends(BodyOf(TaskDraft))]
) -> Created[TaskView]:
    """Add a card; one that waits for nothing wakes its assignee."""
    return Created(await inside.rooms.board.create(draft, by=inside.by))


@router.get("/{task}")
async def read_task(task: str, inside: Reading) -> Reply[TaskCard]:
    """One card with its comments, history, runs and dependents."""
    return Reply(await inside.rooms.board.card(task))


@router.patch("/{task}")
async def edit_task(
    task: str, inside: Editing, changes: Annotated[TaskChanges, Depends(BodyOf(TaskChanges))]
) -> Reply[TaskView]:
    """Change a card without moving it."""
    return Reply(await inside.rooms.board.edit(task, changes, by=inside.by))


@router.post("/{task}/move")
async def move_task(
    task: str, inside: Editing, move: Annotated[TaskMove, Depends(BodyOf(TaskMove))]
) -> Reply[TaskView]:
    """Move a card to another column."""
    return Reply(await inside.rooms.board.move(task, move, by=inside.by))


@router.post("/{task}/restart")
async def restart_task(task: str, inside: Editing) -> Reply[TaskView]:
    """Put a card that was done, failed or blocked back to todo."""
    return Reply(await inside.rooms.board.restart(task, by=inside.by))


@router.post("/{task}/comments")
async def comment_task(
    task: str, inside: Editing, draft: Annotated[CommentDraft, Depends(BodyOf(CommentDraft))]
) -> Created[CommentView]:
    """Remark on a card."""
    return Created(await inside.rooms.board.comment(task, draft.text, by=inside.by))


@router.delete("/{task}")
async def delete_task(
    task: str, inside: Annotated[Inside, Depends(InOffice("tasks:delete"))]
) -> Done:
    """Take a card off the board; the ledger keeps what happened."""
    await inside.rooms.board.delete(task, by=inside.by)
    return Done()
