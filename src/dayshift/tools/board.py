"""Tools for the board: create, change, list, read and delete tasks.

A change is committed together with its call's result: it happens exactly once.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dayshift.core.artifacts import Artifact
from dayshift.core.computer import Computer
from dayshift.core.errors import OfficeError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.tools import Tool, ToolContext, ToolResult, atomic, define, refused
from dayshift.core.views import Evidence, TaskView
from dayshift.core.wishes import TaskChanges, TaskFilter
from dayshift.facilities.board import Board
from dayshift.facilities.board_plans import ChainSpentError, NewTask
from dayshift.facilities.board_rules import Actor, Move

FAMILY = "board"
Rank = Literal["idle", "low", "normal", "high", "critical"]
RANKS: tuple[Rank, ...] = ("idle", "low", "normal", "high", "critical")
LISTED_MAX = 100
MARKS = {
    "waiting": "…",
    "todo": "○",
    "in_progress": "▶",
    "done": "✓",
    "failed": "✗",
    "blocked": "■",
}


class TaskCreate(msgspec.Struct, forbid_unknown_fields=True):
    """Create a task. Its assignee is woken when everything it depends on is done."""

    title: Annotated[str, Meta(description="One clear result.", min_length=1, max_length=200)]
    assignee: Annotated[str, Meta(description="Who does it: a colleague's name, or your own.")]
    description: Annotated[
        str,
        Meta(
            description="What is wanted, where the inputs lie, how one will know it is done.",
            max_length=20_000,
        ),
    ] = ""
    depends_on: Annotated[
        list[str], Meta(description="Ids of tasks that must be done first, for example T-3.")
    ] = []
    parent: Annotated[str, Meta(description="Id of the task this is a part of.")] = ""
    priority: Annotated[Rank, Meta(description="How urgent it is.")] = "normal"
    report_channel: Annotated[str, Meta(description="Channel in which its end is announced.")] = ""


class Proof(msgspec.Struct, forbid_unknown_fields=True):
    """What shows that a task is done."""

    text: Annotated[
        str, Meta(description="What it shows, or what you checked and what came of it.")
    ]
    path: Annotated[str, Meta(description="Path of a file in your workspace, if it is one.")] = ""


class TaskUpdate(msgspec.Struct, forbid_unknown_fields=True):
    """Move a task or change it. done needs result and evidence; failed and blocked need reason.

    To have a task done again that you made for a colleague, put it back to todo.
    """

    id: Annotated[str, Meta(description="The task's id, for example T-3.", min_length=1)]
    status: Annotated[
        Literal["todo", "in_progress", "done", "failed", "blocked", ""],
        Meta(description="The new status."),
    ] = ""
    result: Annotated[
        str, Meta(description="For done: what was done and where it is.", max_length=20_000)
    ] = ""
    evidence: Annotated[
        list[Proof], Meta(description="For done: the files or checks that show it.", max_length=50)
    ] = []
    reason: Annotated[
        str,
        Meta(description="For failed and blocked: why, and what would help.", max_length=20_000),
    ] = ""
    assignee: Annotated[str, Meta(description="A new assignee.")] = ""
    priority: Annotated[
        Literal["idle", "low", "normal", "high", "critical", ""],
        Meta(description="A new priority."),
    ] = ""
    comment: Annotated[
        str, Meta(description="A remark for whoever looks at the card.", max_length=20_000)
    ] = ""
    override: Annotated[
        bool,
        Meta(description="Decide over work of a colleague; only as its maker or their manager."),
    ] = False


class TaskList(msgspec.Struct, forbid_unknown_fields=True):
    """List tasks, newest first."""

    assignee: Annotated[str, Meta(description="Only this agent's.")] = ""
    status: Annotated[
        Literal["waiting", "todo", "in_progress", "done", "failed", "blocked", ""],
        Meta(description="Only in this status."),
    ] = ""
    parent: Annotated[str, Meta(description="Only parts of this task.")] = ""


class TaskGet(msgspec.Struct, forbid_unknown_fields=True):
    """Read one task with its remarks, result and evidence."""

    id: Annotated[str, Meta(description="The task's id.", min_length=1)]


class TaskDelete(msgspec.Struct, forbid_unknown_fields=True):
    """Delete a task that you made by mistake."""

    id: Annotated[str, Meta(description="The task's id.", min_length=1)]


class MyTasks(msgspec.Struct, forbid_unknown_fields=True):
    """List your own open tasks and those you made for others."""


class Tools:
    """The functions behind the tools."""

    def __init__(self, board: Board, computer_of: Callable[[str], Computer]) -> None:
        """``computer_of`` is where evidence is looked for."""
        self._board = board
        self._computer_of = computer_of

    async def create(self, ctx: ToolContext, args: TaskCreate) -> ToolResult:
        """task_create."""
        new = NewTask(
            title=args.title,
            description=args.description,
            assignee=args.assignee,
            priority=RANKS.index(args.priority),
            depends_on=tuple(args.depends_on),
            parent=args.parent,
            report_channel=args.report_channel.removeprefix("#"),
            thread=await self._board.thread_of(ctx.task_id) if ctx.task_id else ctx.thread_id,
            within=ctx.task_id,
            key=f"call:{ctx.call_id}",
        )
        actor = Actor(by=f"agent:{ctx.agent}", run=ctx.run_id)
        plan = self._board.plans.create(new, actor)

        def effect(unit: UnitOfWork) -> ToolResult:
            try:
                return _card("Created", plan(unit))
            except ChainSpentError as spent:
                self._board.plans.tell_stopped(unit, spent, actor)
                return refused(spent)

        return ToolResult(ok=True, text="", effect=effect)

    async def update(self, ctx: ToolContext, args: TaskUpdate) -> ToolResult:
        """task_update."""
        actor = Actor(by=f"agent:{ctx.agent}", run=ctx.run_id, is_override=args.override)
        board = self._board.plans
        plans: list[Callable[[UnitOfWork], object]] = []
        if args.assignee or args.priority:
            changes = TaskChanges(
                assignee=args.assignee or msgspec.UNSET,
                priority=RANKS.index(args.priority) if args.priority else msgspec.UNSET,
            )
            plans.append(board.edit(args.id, changes, actor))
        if args.comment:
            plans.append(board.comment(args.id, args.comment, actor.by))
        if args.status:
            checked = await self._evidence(ctx, args)
            if isinstance(checked, ToolResult):
                return checked
            move = Move(
                status=TaskStatus(args.status),
                reason=args.reason,
                result=args.result,
                evidence=checked,
            )
            plans.append(board.move(args.id, move, actor))
        if not plans:
            return ToolResult(
                ok=False,
                text="Nothing to change was given: status, assignee, priority or comment.",
                code="invalid",
            )

        def effect(unit: UnitOfWork) -> ToolResult:
            try:
                for plan in plans:
                    plan(unit)
            except ChainSpentError as spent:
                board.tell_stopped(unit, spent, actor)
                return refused(spent)
            return _card("Updated", board.read(unit, args.id))

        return ToolResult(ok=True, text="", effect=effect)

    async def _evidence(self, ctx: ToolContext, args: TaskUpdate) -> list[Evidence] | ToolResult:
        """Evidence is looked at, not believed: a named file must be there."""
        if args.status != "done":
            return []
        found: list[Evidence] = []
        for proof in args.evidence:
            if proof.path:
                try:
                    await self._computer_of(ctx.agent).info(proof.path)
                except OfficeError as error:
                    return ToolResult(
                        ok=False,
                        text=f"The evidence {proof.path} was not found in your workspace: "
                        f"{error.message} Nothing was changed.",
                        code="evidence_not_found",
                    )
            kind = "file" if proof.path else "check"
            found.append(Evidence(kind=kind, text=proof.text, path=proof.path, agent=ctx.agent))
        return found

    async def list(self, _ctx: ToolContext, args: TaskList) -> ToolResult:
        """task_list."""
        wanted = TaskFilter(status=args.status, assignee=args.assignee, parent=args.parent)
        page = await self._board.tasks(wanted, before="", limit=LISTED_MAX)
        text = "\n".join(_line(task) for task in page.items) or "There are no such tasks."
        return ToolResult(ok=True, text=text + ("\n… and older ones" if page.next else ""))

    async def get(self, _ctx: ToolContext, args: TaskGet) -> ToolResult:
        """task_get."""
        card = await self._board.card(args.id)
        task = card.task
        lines = [_line(task), task.description]
        lines += [f"depends on: {', '.join(task.depends_on)}"] if task.depends_on else []
        lines += [f"waiting for it: {', '.join(card.dependents)}"] if card.dependents else []
        lines += [f"result: {task.result}"] if task.result else []
        lines += [f"blocked: {task.blocked_reason}"] if task.blocked_reason else []
        lines += [
            f"evidence: {e.agent}:{e.path} {e.text}" if e.path else f"evidence: {e.text}"
            for e in task.evidence
        ]
        lines += [f"remark of {c.author}: {c.text}" for c in card.comments]
        return ToolResult(ok=True, text="\n".join(line for line in lines if line))

    async def delete(self, ctx: ToolContext, args: TaskDelete) -> ToolResult:
        """task_delete."""
        actor = Actor(by=f"agent:{ctx.agent}", run=ctx.run_id)
        plan = self._board.plans.delete(args.id, actor)

        def effect(unit: UnitOfWork) -> ToolResult:
            plan(unit)
            return ToolResult(ok=True, text=f"Deleted {args.id}.")

        return ToolResult(ok=True, text="", effect=effect)

    async def mine(self, ctx: ToolContext, _args: MyTasks) -> ToolResult:
        """my_tasks."""
        tasks = await self._board.concerning(ctx.agent)
        own = [task for task in tasks if task.assignee == ctx.agent]
        made = [task for task in tasks if task.assignee != ctx.agent]
        text = "Yours:\n" + ("\n".join(_line(task) for task in own) or "  none open")
        if made:
            text += "\nMade by you for others:\n" + "\n".join(_line(task) for task in made)
        return ToolResult(ok=True, text=text)


def tools(board: Board, computer_of: Callable[[str], Computer]) -> list[Tool]:
    """The tools of this family."""
    it = Tools(board, computer_of)
    return [
        atomic(define(TaskCreate, it.create, name="task_create", family=FAMILY)),
        atomic(define(TaskUpdate, it.update, name="task_update", family=FAMILY)),
        define(TaskList, it.list, name="task_list", family=FAMILY, read_only=True),
        define(TaskGet, it.get, name="task_get", family=FAMILY, read_only=True),
        atomic(define(TaskDelete, it.delete, name="task_delete", family=FAMILY)),
        define(MyTasks, it.mine, name="my_tasks", family=FAMILY, read_only=True),
    ]


def _line(task: TaskView) -> str:
    who = f" → {task.assignee}" if task.assignee else ""
    needs = (
        f" (waits for {', '.join(task.depends_on)})" if task.status is TaskStatus.WAITING else ""
    )
    return f"{MARKS[task.status]} {task.id} [{task.status}] {task.title}{who}{needs}"


def _card(verb: str, task: TaskView) -> ToolResult:
    text = f"{verb} {_line(task)}" + (f"\n{task.blocked_reason}" if task.blocked_reason else "")
    return ToolResult(ok=True, text=text, artifacts=(Artifact(kind="task", id=task.id),))
