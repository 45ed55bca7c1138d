"""A paused office and its board: cards are moved and nobody works, so that every notice stays."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from dayshift.core.model import Usage
from dayshift.core.states import RunState, TaskStatus
from dayshift.core.views import Evidence
from dayshift.core.wishes import TaskDraft, TaskMove
from dayshift.facilities.board_plans import NewTask
from dayshift.facilities.board_rules import Actor
from dayshift.store import work
from dayshift.testing.office_harness import OfficeHarness
from dayshift.web.samples import views as samples

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from dayshift.core.ledger import UnitOfWork
    from dayshift.core.views import RunView, TaskView
    from dayshift.facilities.board import Board

ADA = "person:ada"
SHOWN = [Evidence(kind="check", text="looked at it")]


class BoardStage:
    """The board of one office, spoken of in short."""

    def __init__(self, office: OfficeHarness) -> None:
        self.office = office

    @property
    def board(self) -> Board:
        """The board itself."""
        return self.office.office.board

    async def add(self, title: str, *, to: str = "juno", by: str = ADA, **more: object) -> TaskView:
        """Put a card on the board."""
        draft = TaskDraft(title=title, assignee=to, **more)  # type: ignore[arg-type]  fields of it
        return await self.board.create(draft, by=by)

    async def make(self, title: str, *, by: str, within: str = "", to: str = "kai") -> TaskView:
        """Let an agent put a card on the board, from a run on another one."""
        new = NewTask(title=title, assignee=to, within=within)
        return await self.commit(self.board.plans.create(new, Actor(by=by)))

    async def move(self, task: str, to: TaskStatus, *, by: str = ADA, why: str = "so") -> TaskView:
        """Move a card, with all that any column asks for."""
        return await self.board.move(task, wish(to, why), by=by)

    async def act(self, task: str, to: TaskStatus, actor: Actor) -> TaskView:
        """Move a card as an agent does from a run."""
        return await self.commit(self.board.plans.move(task, wish(to), actor))

    async def commit(self, plan: Callable[[UnitOfWork], TaskView]) -> TaskView:
        """Carry out a plan."""
        return await self.office.office.bus.commit(plan)

    async def begin_run(self, run: str, task: str, *, agent: str = "juno") -> TaskView | None:
        """Begin a run that claims a card, as the loop does."""
        view = run_view(run, agent, RunState.RUNNING)

        def begin(unit: UnitOfWork) -> TaskView | None:
            work.put_run(unit, view, day=1)
            return self.board.plan_claim(task, run=run, agent=agent)(unit)

        return await self.office.office.bus.commit(begin)

    async def end_run(self, run: str, *, agent: str = "juno") -> None:
        """Let a run have ended, without a word about its card."""
        view = run_view(run, agent, RunState.COMPLETED)
        await self.office.office.bus.commit(lambda unit: work.put_run(unit, view, day=1))

    async def statuses(self, *tasks: str) -> list[str]:
        """The columns that cards stand in."""
        views = [await self.board.peek(task) for task in tasks]
        return [str(view.status) if view else "gone" for view in views]

    def told(self, agent: str) -> list[str]:
        """What waits in an agent's inbox, as ``type task``."""
        items = self.office.office.inboxes.waiting(agent)
        return [f"{item.type} {item.task}" for item in items]

    async def alerts(self) -> list[str]:
        """Open alerts, as ``code task``."""
        found = await self.office.office.alerts.list(open_only=True)
        return [f"{alert.code} {alert.task}" for alert in found]


def wish(to: TaskStatus, why: str = "so") -> TaskMove:
    """A move with all that any column asks for."""
    return TaskMove(status=to, reason=why, result="made", evidence=SHOWN)


def run_view(run: str, agent: str, state: RunState) -> RunView:
    """A run of an agent in a state."""
    fresh = {"turns": 0, "calls": 0, "usage": Usage(), "cost_usd_micros": 0}
    return msgspec.structs.replace(samples.RUN, id=run, agent=agent, state=state, task="", **fresh)


@asynccontextmanager
async def board_stage(home: Path) -> AsyncGenerator[BoardStage]:
    """A paused office for the length of the block."""
    async with OfficeHarness(home) as office:
        await office.ada.pauses("a look at the board")
        yield BoardStage(office)
