"""The board: cards that people and agents see, with enforced moves, dependencies and notices.

A task is no inbox item: it becomes one for its assignee when it is ready, and for its maker when it
ends.
"""

from collections.abc import Callable

from dayshift.bus.bus import Bus
from dayshift.core.details import Page, TaskCard
from dayshift.core.errors import InvalidError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.core.wishes import TaskChanges, TaskDraft, TaskFilter, TaskMove
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities.board_claims import Claims
from dayshift.facilities.board_effects import Effects
from dayshift.facilities.board_notices import Notices
from dayshift.facilities.board_plans import NewTask, Plans
from dayshift.facilities.board_rules import Actor, Move
from dayshift.facilities.paging import cursor
from dayshift.store import cards, work
from dayshift.store.rows import Rows, number

RUNS_SHOWN = 50


def _nowhere() -> str:
    return ""


class Board:
    """The cards of one office, as people see and change them.

    Attributes:
        plans: Changes within a unit of work, for agents' tool calls.
        claims: Claims of runs.
    """

    def __init__(
        self,
        bus: Bus,
        dispatcher: Dispatcher,
        book: DutyBook,
        *,
        default_channel: Callable[[], str] = _nowhere,
    ) -> None:
        """``default_channel`` announces ends of tasks with no channel of their own; empty: none."""
        self._bus = bus
        notices = Notices(bus, dispatcher, book, default_channel)
        self.plans = Plans(bus, book, notices)
        self.claims = Claims(bus, Effects(bus, notices))

    async def tasks(self, wanted: TaskFilter, *, before: str, limit: int) -> Page[TaskView]:
        """Cards, newest first.

        Raises:
            InvalidError: A status that is none, or ``before`` is no cursor.
        """
        if wanted.status and wanted.status not in set(TaskStatus):
            raise InvalidError(
                f"There is no task status {wanted.status!r}.",
                hint=f"One of: {', '.join(TaskStatus)}.",
            )
        upto = cursor(before)
        found = await self._bus.read(
            lambda r: cards.tasks(r, self._bus.office, wanted, before=upto, limit=limit + 1)
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(number(found[limit - 1].id)) if more else None)

    async def card(self, task: str) -> TaskCard:
        """One card with everything about it.

        Raises:
            NotFoundError: No such card.
        """
        office = self._bus.office

        def query(asked: Rows) -> TaskCard:
            view = cards.task(asked, office, task)
            if view is None:
                raise NotFoundError(
                    f"There is no task {task}.", hint="The board lists those there are."
                )
            return TaskCard(
                task=view,
                comments=cards.comments(asked, office, task),
                history=cards.history(asked, office, task),
                runs=work.runs(asked, office, filters={"task": task}, before=0, limit=RUNS_SHOWN),
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

    async def concerning(self, agent: str) -> list[TaskView]:
        """The open cards that are an agent's, or that it made, oldest first."""
        return await self._bus.read(lambda r: cards.open_tasks_of(r, self._bus.office, agent))

    async def create(self, draft: TaskDraft, *, by: str) -> TaskView:
        """Add a card; see Plans.create."""
        new = NewTask(
            title=draft.title,
            description=draft.description,
            assignee=draft.assignee,
            priority=draft.priority,
            depends_on=tuple(draft.depends_on),
            parent=draft.parent,
            report_channel=draft.report_channel,
        )
        return await self._bus.commit(self.plans.create(new, Actor(by=by)), actor=by)

    async def edit(self, task: str, changes: TaskChanges, *, by: str) -> TaskView:
        """Change a card; see Plans.edit."""
        return await self._bus.commit(self.plans.edit(task, changes, Actor(by=by)), actor=by)

    async def move(self, task: str, move: TaskMove, *, by: str) -> TaskView:
        """Move a card to another column; see Plans.move."""
        return await self._bus.commit(self.plans.move(task, move, Actor(by=by)), actor=by)

    async def restart(self, task: str, *, by: str) -> TaskView:
        """Put a done, failed or blocked card back to todo; see Plans.restart."""
        return await self._bus.commit(self.plans.restart(task, Actor(by=by)), actor=by)

    async def comment(self, task: str, text: str, *, by: str) -> CommentView:
        """Remark on a card; see Plans.comment."""
        return await self._bus.commit(self.plans.comment(task, text, by), actor=by)

    async def delete(self, task: str, *, by: str) -> None:
        """Take a card off the board; see Plans.delete."""
        await self._bus.commit(self.plans.delete(task, Actor(by=by)), actor=by)

    def plan_claim(
        self, task: str, *, run: str, agent: str
    ) -> Callable[[UnitOfWork], TaskView | None]:
        """Take a card for a run; see Claims.claim."""
        return self.claims.claim(task, run=run, agent=agent)

    def plan_release(
        self, task: str, *, run: str, move: Move | None, by: str
    ) -> Callable[[UnitOfWork], None]:
        """Give a card back when its run ends; see Claims.release."""
        return self.claims.release(task, run=run, move=move, by=by)
