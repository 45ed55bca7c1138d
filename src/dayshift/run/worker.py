"""The staff at work: an item arrives, its agent starts at once; one item of an agent at a time.

An agent that is idle is no task and holds nothing. A run that fails by a fault of ours does not end
the office, and one whose write the disk refused is taken up again when the disk lets it.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from dayshift.bus.bus import Committed
from dayshift.core.entries import OfficeChanged, RunChanged
from dayshift.core.errors import ConflictError, FencedError, StorageError
from dayshift.core.states import RUN_ENDS, Activity, RunState
from dayshift.core.views import AgentView, ItemView, RunView
from dayshift.dispatch.inbox import ATTEMPTS_MAX
from dayshift.dispatch.rules import may_start
from dayshift.facilities.past_runs import OpenRun, PastRuns
from dayshift.run import telling
from dayshift.run.briefing import base_text
from dayshift.run.ending import Ending
from dayshift.run.ends import Ends
from dayshift.run.faults import tell_fault
from dayshift.run.mirror import Mirror
from dayshift.run.runs import Runs, Took
from dayshift.run.workplace import Workplace

log = structlog.get_logger()
Work = OpenRun | ItemView


@dataclass
class Desk:
    """One agent at work. ``run`` is what it works on right now."""

    agent: str
    task: asyncio.Task[None]
    run: RunView | None = None
    is_cancelled: bool = False
    put_down: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when nothing of the run is left but what is in the ledger."""


class Staff:
    """The agents of one office, working. It runs for the length of its task group's block."""

    def __init__(self, place: Workplace) -> None:
        """Nobody works before ``start``."""
        self._place = place
        self._desks: dict[str, Desk] = {}
        self._group: asyncio.TaskGroup | None = None
        self._ends = Ends(place)
        self._past = PastRuns(place.rooms.journal.bus)
        self._runs = Runs(place, self._ends, self._past)
        self.mirror = Mirror(place.rooms.journal, place.sessions_of)
        self._left: dict[str, list[OpenRun]] = {}
        self._failures: dict[str, int] = {}
        self._after_crash = True
        self._rested = asyncio.Event()
        self._rested.set()

    async def start(self, group: asyncio.TaskGroup) -> None:
        """Take over what a former process left, then start whoever has mail.

        ``group`` owns the work.
        """
        await asyncio.to_thread(base_text)
        self._group = group
        self._after_crash = not await self._past.was_stopped()
        day = self._place.clock.day()
        self._place.means.purse.load(day, await self._past.spent(day))
        group.create_task(self.mirror.run(), name="mirrors")
        for run in await self._past.latest():
            self.mirror.note(run.agent, run.dialogue)
        rooms = self._place.rooms
        for left in await self._past.left_open():
            if rooms.book.get(left.run.agent) is None:
                await self._end_of(left.run)
            else:
                self._left.setdefault(left.run.agent, []).append(left)
        rooms.inboxes.on_arrival(self.wake)
        rooms.book.watch(self._agent_changed)
        rooms.journal.bus.subscribe(self._hear)
        self._wake_all()

    def wake(self, agent: str) -> None:
        """Let an agent look at what there is for it, unless it is at work already."""
        if self._group is None or agent in self._desks or self._place.is_stopping():
            return
        if self._next(agent) is None:
            return
        task = self._group.create_task(self._work(agent), name=f"agent {agent}")
        self._desks[agent] = Desk(agent, task)
        self._rested.clear()

    def is_idle(self) -> bool:
        """Whether nobody is at work."""
        return not self._desks

    async def rested(self) -> None:
        """Wait until nobody is at work."""
        await self._rested.wait()

    async def cancel(self, run_id: str, *, reason: str, by: str) -> None:
        """End a run, its model stream and its commands; returns when all of them are gone.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: It has ended.
        """
        who = telling.name_of(by, self._place.person_name)
        words = f"cancelled by {who}" + (f": {reason}" if reason else "")
        ending = Ending(state=RunState.CANCELLED, code="cancelled", reason=words)
        run = await self._ends.cancel(run_id, ending, by=by)
        desk = self._desks.get(run.agent)
        if desk is None or desk.run is None or desk.run.id != run_id:
            left = self._left.get(run.agent, [])
            left[:] = [one for one in left if one.run.id != run_id]
            return
        desk.is_cancelled = True
        desk.task.cancel()
        await desk.put_down.wait()

    def under_way(self) -> list[str]:
        """The agents with a turn under way; those that wait before the gate have none."""
        # Who waits there is only counted: once it is all of them, none has.
        return sorted(self._desks) if self._place.gate.waiting < len(self._desks) else []

    async def stop(self) -> None:
        """End all work; what is cut off is resumed at the next start."""
        self._group = None
        desks = list(self._desks.values())
        for desk in desks:
            desk.task.cancel()
        if desks:
            await asyncio.wait([desk.task for desk in desks])
        self.mirror.stop()
        await self._past.note_stop()

    # --- who works ----------------------------------------------------------------------------

    def _agent_changed(self, _before: AgentView | None, now: AgentView) -> None:
        desk = self._desks.get(now.name)
        run = desk.run if desk else None
        if now.removed and run is not None and self._group is not None:
            self._group.create_task(self._end_of(run), name=f"end of {run.id}")
        self.wake(now.name)

    async def _end_of(self, run: RunView) -> None:
        """End a run whose agent works here no longer."""
        with suppress(ConflictError):  # It has ended by itself meanwhile.
            await self.cancel(run.id, reason=f"{run.agent} works here no longer", by="office")

    def _hear(self, committed: Committed) -> None:
        """Who had to wait for a day or a budget may go on; what a run said is mirrored."""
        match committed.entry:
            case OfficeChanged():
                self._wake_all()
            case RunChanged(run=run) if run.state in RUN_ENDS:
                self.mirror.note(run.agent, run.dialogue)
            case _:
                pass

    def _wake_all(self) -> None:
        for agent in [*self._left, *self._place.rooms.inboxes.agents_with_mail()]:
            self.wake(agent)

    def _next(self, agent: str) -> Work | None:
        """What an agent should do now: what was left, then what waits."""
        left = self._left.get(agent)
        if left:
            return left[0]
        view = self._place.rooms.book.get(agent)
        if (
            view is None
            or view.inbox_paused
            or view.activity is Activity.DEAD
            or self._place.means.purse.is_spent(agent)
        ):
            return None
        item = self._place.rooms.inboxes.next(agent)
        return item if item is not None and may_start(view.duty, item.priority) else None

    async def _work(self, agent: str) -> None:
        desk = self._desks[agent]
        try:
            while (work := self._next(agent)) is not None:
                await self._place.gate.passed()
                if self._next(agent) is work:
                    await self._carry_out(desk, work)
                    if pause_s := self._place.config().tick_interval_s:
                        await asyncio.sleep(pause_s)
        finally:
            self._desks.pop(agent, None)
            self._place.gate.stir()
            if not self._desks:
                self._rested.set()
        self.wake(agent)

    # --- one piece of work --------------------------------------------------------------------

    async def _carry_out(self, desk: Desk, work: Work) -> None:
        """Carry one piece of work to its end, whatever happens to it."""
        desk.put_down = asyncio.Event()
        try:
            await self._guarded(desk, work)
        except asyncio.CancelledError:
            if not desk.is_cancelled:
                raise
            desk.is_cancelled = False
            _uncancel()
        except (StorageError, ConflictError) as error:
            await self._put_off(desk, error)
        finally:
            desk.run = None
            desk.put_down.set()

    async def _guarded(self, desk: Desk, work: Work) -> None:
        try:
            if isinstance(work, OpenRun):
                desk.run = work.run
                took = self._taker(desk, work)
                await self._runs.resume(work, took, after_crash=self._after_crash)
            else:
                await self._runs.begin(work, self._taker(desk))
        except FencedError as error:
            log.warning("run_lost", run_id=desk.run.id if desk.run else "", reason=error.message)
            self._no_longer_left(work)
        except (StorageError, ConflictError):
            raise
        except Exception as error:  # noqa: BLE001  one item's fault must not end the office
            run_id = desk.run.id if desk.run else ""
            await tell_fault("run_crashed", error, agent_id=desk.agent, run_id=run_id)
            self._no_longer_left(work)
            if desk.run is not None:
                await self._ends.crashed(desk.run, error)
            elif isinstance(work, ItemView):
                await self._count_failure(work, error)

    def _taker(self, desk: Desk, left: OpenRun | None = None) -> Took:
        def took(run: RunView) -> None:
            desk.run = run
            self._failures.pop(run.item, None)
            self._no_longer_left(left)

        return took

    def _no_longer_left(self, work: Work | None) -> None:
        if isinstance(work, OpenRun):
            left = self._left.get(work.run.agent, [])
            left[:] = [one for one in left if one is not work]

    async def _count_failure(self, item: ItemView, error: Exception) -> None:
        """An item whose run could not even begin: park it when that happens again and again."""
        count = self._failures[item.id] = self._failures.get(item.id, 0) + 1
        if count >= ATTEMPTS_MAX:
            del self._failures[item.id]
            await self._ends.park(item, f"no run could begin on it ({type(error).__name__})")

    async def _put_off(self, desk: Desk, error: StorageError | ConflictError) -> None:
        """The disk refused: wait, then take up again what the ledger says is open."""
        agent = desk.agent
        wait_s = self._place.patience.storage_s
        log.warning("storage_refused", agent_id=agent, reason=error.message, retry_s=wait_s)
        while True:  # ends when the ledger can be read again, or the office is stopped
            await asyncio.sleep(wait_s)
            try:
                left = await self._past.left_open(agent)
            except (StorageError, ConflictError):
                continue
            if left:
                self._left[agent] = left
            return


def _uncancel() -> None:
    """The cancellation meant the run, not the agent: it goes on with its next item."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
