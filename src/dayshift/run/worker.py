"""The staff at work: an item arrives, its agent starts at once; one item of an agent at a time.

An agent that is idle is no task and holds nothing. A run that fails by a fault of ours does not end
the office, and one whose write the disk refused is taken up again when the disk lets it.
"""

import asyncio
from dataclasses import dataclass, field

import structlog

from dayshift.bus.bus import Committed
from dayshift.core.entries import OfficeChanged, RunChanged
from dayshift.core.errors import ConflictError, FencedError, NotFoundError, StorageError
from dayshift.core.limits import TAKE_OVERS_MAX
from dayshift.core.model import UserMessage
from dayshift.core.states import RUN_ENDS, Activity, Duty, RunState
from dayshift.core.views import AgentView, ItemView, MessageView, RunView
from dayshift.dispatch.inbox import ATTEMPTS_MAX
from dayshift.facilities.journal import Begin
from dayshift.facilities.past_runs import OpenRun, PastRuns
from dayshift.run import telling
from dayshift.run.briefing import base_text
from dayshift.run.ending import Ending
from dayshift.run.ends import Ends
from dayshift.run.loop import Loop, Started
from dayshift.run.mirror import Mirror
from dayshift.run.resuming import sorted_calls
from dayshift.run.wakes import Tripped, tripped
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
        for left in await self._past.left_open():
            self._left.setdefault(left.run.agent, []).append(left)
        rooms = self._place.rooms
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

    def run_of(self, agent: str) -> RunView | None:
        """The run an agent works on."""
        desk = self._desks.get(agent)
        return desk.run if desk else None

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
        self.wake(now.name)

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
            or view.duty is Duty.OFF_DUTY
            or view.activity is Activity.DEAD
            or self._place.means.purse.is_spent(agent)
        ):
            return None
        return self._place.rooms.inboxes.next(agent)

    async def _work(self, agent: str) -> None:
        desk = self._desks[agent]
        try:
            while (work := self._next(agent)) is not None:
                await self._place.gate.passed()
                if self._next(agent) is work:
                    await self._carry_out(desk, work)
                    await self._pace()
        finally:
            self._desks.pop(agent, None)
            if not self._desks:
                self._rested.set()
        self.wake(agent)

    async def _pace(self) -> None:
        pause_s = self._place.config().tick_interval_s
        if pause_s:
            await asyncio.sleep(pause_s)

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
                await self._resume(desk, work)
            else:
                await self._begin(desk, work)
        except FencedError as error:
            log.warning("run_lost", run_id=desk.run.id if desk.run else "", reason=error.message)
        except (StorageError, ConflictError):
            raise
        except Exception as error:  # noqa: BLE001  one item's fault must not end the office
            # A traceback is read from source files, which the loop must not wait for.
            run_id = desk.run.id if desk.run else ""
            await asyncio.to_thread(log.error, "run_crashed", run_id=run_id, exc_info=error)
            if desk.run is not None:
                await self._ends.crashed(desk.run, error)
            elif isinstance(work, ItemView):
                await self._count_failure(work, error)

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

    async def _begin(self, desk: Desk, item: ItemView) -> None:
        agent = self._place.config().agent(item.agent)
        if agent is None:
            await self._ends.park(item, f"{item.agent} is not in the office's file any more")
            return
        trip = await tripped(item, self._past, self._place.means.tools)
        dialogues = self._place.means.dialogues
        key = dialogue_key(item, self._place.clock.day())
        dialogue = await dialogues.open(agent.name, key)
        begin = Begin(
            item=item,
            dialogue=dialogue.id,
            key=key,
            place=dialogue.take_place(),
            told=await self._told(item),
            model=agent.model or self._place.config().model,
            title=telling.title_of(item),
            day=self._place.clock.day(),
        )
        try:
            begun = await self._ends.begin(begin)
        except BaseException:
            dialogues.forget(agent.name, key)
            raise
        run = desk.run = begun.run
        if run is None:
            # What is stale is read anew, and the item, which still waits, is taken up again.
            dialogues.forget(agent.name, key)
            return
        dialogue.id = run.dialogue
        dialogue.put(begin.place, begin.told)
        if trip is not None:
            await self._trip(run, item, trip)
            return
        prompt = self._place.means.briefer.prompt(agent)
        await self._go(Started(agent=agent, run=run, item=item, dialogue=dialogue, prompt=prompt))

    async def _trip(self, run: RunView, item: ItemView, trip: Tripped) -> None:
        log.warning("breaker_tripped", run_id=run.id, agent_id=run.agent, code=trip.ending.code)
        await self._ends.end(run, item, trip.ending, pauses=trip.pauses)

    async def _resume(self, desk: Desk, left: OpenRun) -> None:
        """Go on with a run that was left: what was running then is told as interrupted."""
        desk.run = left.run
        journal = self._place.rooms.journal
        calls = sorted_calls(left, self._place.means.tools, self._place.clock.now())
        taken = await journal.bus.commit(
            self._past.plan_take_over(left, calls.interrupted, after_crash=self._after_crash)
        )
        self._left[desk.agent].remove(left)
        run = desk.run = taken.run
        agent = self._place.config().agent(run.agent)
        if agent is None or taken.stalls > TAKE_OVERS_MAX:
            await self._ends.give_up(run, is_gone=agent is None)
            return
        dialogue = await self._place.means.dialogues.reopen(agent.name, run.dialogue)
        started = Started(
            agent=agent,
            run=run,
            item=left.item,
            dialogue=dialogue,
            prompt=self._place.means.briefer.prompt(agent),
            left=calls.left,
            pending=calls.pending,
        )
        await self._go(started)

    async def _go(self, started: Started) -> None:
        agent, dialogue = started.agent.name, started.dialogue
        loop = Loop(self._place, started)
        try:
            await self._ends.keep_prompt(agent, started.prompt)
            ending = await loop.go()
            await self._ends.end(loop.run, started.item, ending)
        except BaseException:
            # Memory may be ahead of the ledger, or behind it: the next run reads it anew.
            self._place.means.dialogues.forget(agent, dialogue.key)
            raise
        log.info(
            "run_ended",
            run_id=loop.run.id,
            agent_id=agent,
            state=ending.state.value,
            code=ending.code,
            turns=loop.run.turns,
            cost_usd_micros=loop.run.cost_usd_micros,
        )

    async def _told(self, item: ItemView) -> UserMessage:
        before: list[MessageView] = []
        if item.thread.startswith("ch:"):
            limit = self._place.config().channel_context
            try:
                page = await self._place.rooms.talk.messages(
                    item.thread, before="", limit=limit + 1
                )
            except NotFoundError:
                page = None
            before = list(reversed(page.items[1:])) if page else []
        return telling.tell(
            item, now=self._place.clock.now(), person_name=self._place.person_name, before=before
        )


def dialogue_key(item: ItemView, day: int) -> str:
    """The dialogue an item belongs to: a person's thread has its own, other work has the day's."""
    if item.thread.startswith("dm:") and item.source == "person":
        return f"thread:{item.thread}"
    return f"day:{day}"


def _uncancel() -> None:
    """The cancellation meant the run, not the agent: it goes on with its next item."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
