"""The board: cards that people and agents see, with enforced moves, dependencies and notices.

A task is no inbox item: it becomes one for its assignee when it is ready, and for its creator when it ends. Every
change, its history line, its notices and what it sets free are one unit of work.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.details import Page, TaskCard, TaskChange
from dayshift.core.errors import ConflictError, DeniedError, InvalidError, LimitError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.core.wishes import TaskChanges, TaskDraft, TaskFilter
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import board_rules as rules
from dayshift.facilities.board_notices import Notices
from dayshift.facilities.board_rules import Move
from dayshift.facilities.talk import cursor
from dayshift.facilities.threads import channel_id
from dayshift.store import cards, speech, work
from dayshift.store.rows import Rows
from dayshift.store.writer import Unit

LEASE = timedelta(hours=6)
"""Office time after which a claim that was not renewed may be taken over; a live run renews it."""


class NewTask(msgspec.Struct, frozen=True, kw_only=True):
    """A card to add. ``thread`` is the people-side thread that started the chain; ``key`` makes it happen once."""

    title: str
    description: str = ""
    assignee: str = ""
    priority: int = 2
    depends_on: tuple[str, ...] = ()
    parent: str = ""
    report_channel: str = ""
    thread: str = ""
    key: str = ""


class Board:
    """The cards of one office."""

    def __init__(self, bus: Bus, dispatcher: Dispatcher, book: DutyBook) -> None:
        """Cards are kept in the ledger alone."""
        self._bus = bus
        self._book = book
        self._notices = Notices(bus, dispatcher, book)

    # What people do.

    async def tasks(self, wanted: TaskFilter, *, before: str, limit: int) -> Page[TaskView]:
        """Cards, newest first."""
        if wanted.status and wanted.status not in set(TaskStatus):
            raise InvalidError(
                f"There is no task status {wanted.status!r}.",
                hint=f"One of: {', '.join(TaskStatus)}.",
            )
        filters = {"status": wanted.status, "assignee": wanted.assignee, "parent": wanted.parent}
        upto = cursor(before)
        needle = wanted.text.casefold()

        def query(asked: Rows) -> list[TaskView]:
            found: list[TaskView] = []
            start = upto
            while len(found) <= limit:
                part = cards.tasks(
                    asked, self._bus.office, filters=filters, before=start, limit=200
                )
                found += [t for t in part if needle in f"{t.title}\n{t.description}".casefold()]
                if len(part) < 200:
                    break
                start = number_of(part[-1])
            return found

        found = await self._bus.read(query)
        more = len(found) > limit
        return Page(items=found[:limit], next=str(number_of(found[limit - 1])) if more else None)

    async def card(self, task: str) -> TaskCard:
        """One card with everything about it."""
        office = self._bus.office

        def query(asked: Rows) -> TaskCard:
            view = _one(asked, office, task)
            return TaskCard(
                task=view,
                comments=cards.comments(asked, office, task),
                history=[
                    msgspec.convert(row, TaskChange) for row in cards.history(asked, office, task)
                ],
                runs=work.runs(asked, office, filters={"task": task}, before=0, limit=50),
                dependents=[one.id for one in cards.dependents(asked, office, task)],
            )

        return await self._bus.read(query)

    async def peek(self, task: str) -> TaskView | None:
        """One card alone; ``None`` when there is none."""
        return await self._bus.read(lambda r: cards.task(r, self._bus.office, task))

    async def thread_of(self, task: str) -> str:
        """The thread that a task's chain began in; empty when none."""
        view = await self.peek(task)
        return view.thread if view else ""

    def read_in(self, unit: UnitOfWork, task: str) -> TaskView:
        """One card within a unit of work; raises NotFoundError."""
        return _one(unit, unit.office, task)

    async def concerning(self, agent: str) -> tuple[list[TaskView], list[TaskView]]:
        """An agent's open cards, and the open ones it made for others."""

        def query(asked: Rows) -> list[TaskView]:
            return cards.open_tasks(asked, self._bus.office)

        every = await self._bus.read(query)
        own = [task for task in every if task.assignee == agent]
        made = [t for t in every if t.created_by == f"agent:{agent}" and t.assignee != agent]
        return own, made

    async def create(self, draft: TaskDraft, *, by: str) -> TaskView:
        """Add a card."""
        new = NewTask(
            title=draft.title,
            description=draft.description,
            assignee=draft.assignee,
            priority=draft.priority,
            depends_on=tuple(draft.depends_on),
            parent=draft.parent,
            report_channel=draft.report_channel,
        )
        return await self._bus.commit(self.plan_create(new, by=by), actor=by)

    async def edit(self, task: str, changes: TaskChanges, *, by: str) -> TaskView:
        """Change a card that is no move."""
        return await self._bus.commit(self.plan_edit(task, changes, by=by), actor=by)

    async def move(self, task: str, move: Move, *, by: str) -> TaskView:
        """Move a card to another column."""
        return await self._bus.commit(self.plan_move(task, move, by=by), actor=by)

    async def restart(self, task: str, *, by: str) -> TaskView:
        """Put a done, failed or blocked card back to todo."""

        def change(unit: Unit) -> TaskView:
            view = rules.restarted(_one(unit, unit.office, task), self._bus.clock.now())
            view = self._settle(unit, view)
            self._put(unit, view, change="restarted", by=by)
            self._notices.ready(unit, view, by=by, again=True)
            return view

        return await self._bus.commit(change, actor=by)

    async def comment(self, task: str, text: str, *, by: str) -> CommentView:
        """Remark on a card."""
        return await self._bus.commit(self.plan_comment(task, text, by=by), actor=by)

    async def delete(self, task: str, *, by: str) -> None:
        """Take a card off the board."""
        await self._bus.commit(self.plan_delete(task, by=by), actor=by)

    # What both do, within a unit of work.

    def plan_create(self, new: NewTask, *, by: str) -> Callable[[UnitOfWork], TaskView]:
        """Add a card, and wake its assignee when it is ready.

        Raises:
            InvalidError: No such assignee, parent, dependency or channel.
            LimitError: The board is full.
        """
        self._check_assignee(new.assignee)
        self._notices.check_rate(by)
        if not new.title.strip():
            raise InvalidError("A task needs a title.")

        def create(unit: UnitOfWork) -> TaskView:
            known = cards.task_by_key(unit, unit.office, new.key) if new.key else None
            if known is not None:
                return known
            if cards.open_count(unit, unit.office) >= rules.TASKS_OPEN_MAX:
                raise LimitError(
                    f"The board holds {rules.TASKS_OPEN_MAX} open tasks already.",
                    hint="Finish or delete some first.",
                )
            needs = self._needs(unit, new.depends_on)
            parent = _one(unit, unit.office, new.parent) if new.parent else None
            if new.report_channel:
                self._check_channel(unit, new.report_channel)
            now = self._bus.clock.now()
            view = TaskView(
                id=unit.next_id("T"),
                title=new.title,
                description=new.description,
                status=TaskStatus.TODO if rules.is_ready(needs) else TaskStatus.WAITING,
                priority=new.priority,
                assignee=new.assignee,
                created_by=by,
                parent=new.parent,
                depends_on=[task.id for task in needs],
                thread=new.thread or (parent.thread if parent else ""),
                report_channel=new.report_channel,
                result="",
                evidence=[],
                blocked_reason="",
                attempts=0,
                comments=0,
                run="",
                lease_until=None,
                created_at=now,
                updated_at=now,
                started_at=None,
                completed_at=None,
            )
            self._put(unit, view, change="created", by=by, key=new.key)
            cards.link(unit, view.id, view.depends_on)
            self._notices.ready(unit, view, by=by)
            return view

        return create

    def plan_edit(
        self, task: str, changes: TaskChanges, *, by: str
    ) -> Callable[[UnitOfWork], TaskView]:
        """Change a card that is no move.

        Raises:
            InvalidError: No such assignee, parent or channel.
        """
        given = {k: v for k, v in msgspec.structs.asdict(changes).items() if v is not msgspec.UNSET}
        if "assignee" in given:
            self._check_assignee(given["assignee"])

        def edit(unit: UnitOfWork) -> TaskView:
            view = _one(unit, unit.office, task)
            if (
                view.status is TaskStatus.IN_PROGRESS
                and given.get("assignee", view.assignee) != view.assignee
            ):
                raise ConflictError(
                    f"{view.assignee} is working on {task}.", hint="Cancel its run or wait for it."
                )
            if given.get("parent"):
                _one(unit, unit.office, given["parent"])
            if given.get("report_channel"):
                self._check_channel(unit, given["report_channel"])
            if "depends_on" in given:
                given["depends_on"] = self._relink(unit, view, given["depends_on"])
            after = msgspec.structs.replace(view, **given, updated_at=self._bus.clock.now())
            after = self._settle(unit, after)
            self._put(
                unit, after, change="edited", by=by, note=", ".join(sorted(given)), before=view
            )
            became_ready = after.status is TaskStatus.TODO and view.status is not TaskStatus.TODO
            if became_ready or after.assignee != view.assignee:
                self._notices.ready(unit, after, by=by)
            return after

        return edit

    def plan_move(self, task: str, move: Move, *, by: str) -> Callable[[UnitOfWork], TaskView]:
        """Move a card; tell whom it concerns and set free what waited for it."""
        self._notices.check_rate(by)

        def change(unit: UnitOfWork) -> TaskView:
            view = _one(unit, unit.office, task)
            self._check_mover(view, by)
            rules.check_move(view, move)
            if move.status is TaskStatus.TODO and not rules.is_ready(
                self._needs(unit, view.depends_on)
            ):
                raise ConflictError(
                    f"{task} waits for {', '.join(view.depends_on)}.",
                    hint="It becomes todo by itself.",
                )
            after = rules.moved(view, move, self._bus.clock.now())
            self._put(
                unit,
                after,
                change=after.status.value,
                by=by,
                note=move.reason or move.result,
                before=view,
            )
            self._notices.moved(unit, after, by=by)
            self._set_free(unit, after, by=by)
            return after

        return change

    def plan_claim(
        self, task: str, *, run: str, agent: str
    ) -> Callable[[UnitOfWork], TaskView | None]:
        """Take a card for a run; ``None`` when it is no longer to be worked on by this agent."""

        def claim(unit: UnitOfWork) -> TaskView | None:
            view = cards.task(unit, unit.office, task)
            now = self._bus.clock.now()
            held = (
                view is not None
                and view.run not in {"", run}
                and view.lease_until is not None
                and view.lease_until > now
            )
            if (
                view is None
                or view.assignee != agent
                or held
                or view.status not in {TaskStatus.TODO, TaskStatus.IN_PROGRESS}
            ):
                return None
            after = rules.moved(view, Move(status=TaskStatus.IN_PROGRESS), now)
            after = msgspec.structs.replace(after, run=run, lease_until=now + LEASE)
            self._put(unit, after, change="in_progress", by=f"agent:{agent}", before=view)
            return after

        return claim

    def plan_release(
        self, task: str, *, run: str, move: Move | None, by: str
    ) -> Callable[[UnitOfWork], None]:
        """Give a card back when its run ends; it becomes what ``move`` says, or todo again."""

        def release(unit: UnitOfWork) -> None:
            view = cards.task(unit, unit.office, task)
            if view is None or view.run != run or view.status is not TaskStatus.IN_PROGRESS:
                return
            step = move or Move(status=TaskStatus.TODO)
            after = rules.moved(view, step, self._bus.clock.now())
            self._put(unit, after, change=after.status.value, by=by, note=step.reason, before=view)
            if move is not None:
                self._notices.moved(unit, after, by=by)
                self._set_free(unit, after, by=by)

        return release

    def plan_comment(self, task: str, text: str, *, by: str) -> Callable[[UnitOfWork], CommentView]:
        """Remark on a card; wakes nobody but the assignee, and only for a person's remark on an open card."""
        if not text.strip():
            raise InvalidError("The remark is empty.")

        def comment(unit: UnitOfWork) -> CommentView:
            view = _one(unit, unit.office, task)
            now = self._bus.clock.now()
            after = msgspec.structs.replace(view, comments=view.comments + 1, updated_at=now)
            remark = CommentView(task=task, n=after.comments, author=by, text=text, at=now)
            cards.add_comment(unit, remark, after)
            if by.startswith("person:") and view.status not in rules.FINISHED:
                self._notices.remarked(unit, after, remark)
            return remark

        return comment

    def plan_delete(self, task: str, *, by: str) -> Callable[[UnitOfWork], None]:
        """Take a card off the board."""

        def remove(unit: UnitOfWork) -> None:
            view = _one(unit, unit.office, task)
            self._check_mover(view, by)
            if view.status is TaskStatus.IN_PROGRESS:
                raise ConflictError(
                    f"{view.assignee} is working on {task}.", hint="Cancel its run first."
                )
            waiting = [
                t.id
                for t in cards.dependents(unit, unit.office, task)
                if t.status not in rules.FINISHED
            ]
            if waiting:
                raise ConflictError(
                    f"{', '.join(waiting)} wait for {task}.", hint="Delete or unlink them first."
                )
            cards.remove_task(unit, task)

        return remove

    # Rules that need the rows.

    def _check_mover(self, task: TaskView, by: str) -> None:
        """An agent may move its own cards, those it made, and those of its reports."""
        kind, _, name = by.partition(":")
        if kind != "agent" or name == task.assignee or by == task.created_by or not task.assignee:
            return
        boss = self._book.get(task.assignee)
        while boss is not None and boss.reports_to:
            if boss.reports_to == name:
                return
            boss = self._book.get(boss.reports_to)
        raise DeniedError(
            f"Task {task.id} is {task.assignee}'s, made by {task.created_by}.",
            hint="Remark on it instead, or ask its owner or its owner's manager.",
        )

    def _check_assignee(self, name: str) -> None:
        if name and self._book.get(name) is None:
            names = ", ".join(agent.name for agent in self._book.all()[:20])
            raise InvalidError(f"Nobody called {name} works here.", hint=f"Agents: {names}.")

    def _check_channel(self, unit: UnitOfWork, name: str) -> None:
        if speech.thread(unit, unit.office, channel_id(name.lstrip("#"))) is None:
            raise InvalidError(f"There is no channel #{name}.")

    def _needs(self, unit: UnitOfWork, ids: Sequence[str]) -> list[TaskView]:
        return [_one(unit, unit.office, one) for one in dict.fromkeys(ids)]

    def _relink(self, unit: UnitOfWork, view: TaskView, ids: Sequence[str]) -> list[str]:
        needs = self._needs(unit, ids)
        every = cards.tasks(unit, unit.office, filters={}, before=0, limit=100_000)
        way = rules.circle(view.id, [t.id for t in needs], {t.id: t.depends_on for t in every})
        if way:
            raise InvalidError(f"The tasks would wait for each other: {' → '.join(way)}.")
        cards.unlink(unit, view.id)
        cards.link(unit, view.id, [t.id for t in needs])
        return [t.id for t in needs]

    def _settle(self, unit: UnitOfWork, view: TaskView) -> TaskView:
        """Waiting or todo, as its dependencies say."""
        if view.status not in {TaskStatus.WAITING, TaskStatus.TODO}:
            return view
        ready = rules.is_ready(self._needs(unit, view.depends_on))
        return msgspec.structs.replace(
            view, status=TaskStatus.TODO if ready else TaskStatus.WAITING
        )

    def _set_free(self, unit: UnitOfWork, ended: TaskView, *, by: str) -> None:
        for waiting in cards.dependents(unit, unit.office, ended.id):
            needs = self._needs(unit, waiting.depends_on)
            lost = rules.broken(needs)
            if (
                waiting.status is TaskStatus.BLOCKED
                and waiting.blocked_reason.startswith("waits for")
                and not lost
            ):
                waiting = msgspec.structs.replace(
                    waiting, status=TaskStatus.WAITING, blocked_reason=""
                )
            if waiting.status is not TaskStatus.WAITING:
                continue
            now = self._bus.clock.now()
            if lost:
                reason = f"waits for {', '.join(lost)}, which will not be done as things stand"
                after = rules.moved(waiting, Move(status=TaskStatus.BLOCKED, reason=reason), now)
                self._put(unit, after, change="blocked", by="office", note=reason, before=waiting)
                self._notices.moved(unit, after, by="office")
                self._set_free(unit, after, by=by)
            elif rules.is_ready(needs):
                after = msgspec.structs.replace(waiting, status=TaskStatus.TODO, updated_at=now)
                self._put(unit, after, change="ready", by="office", before=waiting)
                self._notices.ready(unit, after, by=by)

    def _put(
        self,
        unit: UnitOfWork,
        view: TaskView,
        *,
        change: str,
        by: str,
        note: str = "",
        key: str = "",
        before: TaskView | None = None,
    ) -> None:
        line = {
            "at": self._bus.clock.now(),
            "actor": by,
            "change": change,
            "from": before.status.value if before else "",
            "to": view.status.value,
            "note": note,
        }
        cards.put_task(unit, view, change=change, history=line, key=key)


def number_of(task: TaskView) -> int:
    """The number in a task's id, which lists are ordered by."""
    return int(task.id.rpartition("-")[2])


def _one(asked: Rows | UnitOfWork, office: str, task: str) -> TaskView:
    view = cards.task(asked, office, task)
    if view is None:
        raise NotFoundError(f"There is no task {task}.", hint="task_list shows those there are.")
    return view
