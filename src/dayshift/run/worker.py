"""The staff at work: an item arrives, its agent starts at once; one item of an agent at a time.

An agent that is idle is no task and holds nothing. A run that fails by a fault of ours does not end the office.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import msgspec
import structlog

from dayshift.config.office import AgentConfig
from dayshift.core.errors import ConflictError, FencedError
from dayshift.core.model import ToolMessage, UserMessage
from dayshift.core.states import Activity, CallState, Duty, RunState
from dayshift.core.tools import Tool
from dayshift.core.views import CallView, ItemView, MessageView, RunView
from dayshift.facilities.journal import Begin, NewCall, OpenRun
from dayshift.run import telling
from dayshift.run.briefing import base_text
from dayshift.run.calls import INTERRUPTED
from dayshift.run.dialogue import Dialogue, loaded
from dayshift.run.ending import Ending
from dayshift.run.ends import Ends
from dayshift.run.loop import Loop
from dayshift.run.workplace import Workplace

log = structlog.get_logger()


@dataclass
class Desk:
    """One agent at work."""

    task: asyncio.Task[None]
    run: RunView | None = None
    cancelled: Ending | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Staff:
    """The agents of one office, working. It runs for the length of ``working``'s block."""

    def __init__(self, place: Workplace) -> None:
        """Nobody works before ``start``."""
        self._place = place
        self._desks: dict[str, Desk] = {}
        self._group: asyncio.TaskGroup | None = None
        self._ends = Ends(place)
        self._left: dict[str, list[OpenRun]] = {}
        self._rested = asyncio.Event()
        self._rested.set()

    async def start(self, group: asyncio.TaskGroup) -> None:
        """Take over what a former process left, then start whoever has mail. ``group`` owns the work."""
        self._group = group
        await asyncio.to_thread(base_text)
        for open_run in await self._place.rooms.journal.left_open():
            self._left.setdefault(open_run.run.agent, []).append(open_run)
        self._place.rooms.inboxes.on_arrival(self.wake)
        self._place.rooms.book.watch(lambda _before, now: self.wake(now.name))
        for agent in [*self._left, *self._place.rooms.inboxes.agents_with_mail()]:
            self.wake(agent)

    def wake(self, agent: str) -> None:
        """Let an agent look at its inbox, unless it is at work already."""
        if self._group is None or agent in self._desks or self._place.is_stopping():
            return
        if self._ready(agent) is None and agent not in self._left:
            return
        task = self._group.create_task(self._work(agent), name=f"agent {agent}")
        self._desks[agent] = Desk(task)
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
        """End a run, its model stream and its commands; returns when it is written down.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: It has ended.
        """
        for desk in self._desks.values():
            if desk.run is not None and desk.run.id == run_id:
                words = reason or f"cancelled by {telling.name_of(by, self._place.person_name)}"
                desk.cancelled = Ending(state=RunState.CANCELLED, code="cancelled", reason=words)
                desk.task.cancel()
                await desk.ended.wait()
                return
        raise ConflictError(
            f"Run {run_id} is not under way.", hint="It has ended, or there is none of that id."
        )

    async def stop(self) -> None:
        """End all work; what is cut off is resumed at the next start."""
        for desk in list(self._desks.values()):
            desk.task.cancel()
        self._group = None

    async def _work(self, agent: str) -> None:
        desk = self._desks[agent]
        try:
            for open_run in self._left.pop(agent, []):
                await self._place.gate.passed()
                await self._guarded(desk, lambda left=open_run: self._resume(desk, left))
            while (item := self._ready(agent)) is not None:
                await self._place.gate.passed()
                if self._ready(agent) is not item:
                    continue
                await self._guarded(desk, lambda found=item: self._begin(desk, found))
        finally:
            self._desks.pop(agent, None)
            desk.ended.set()
            if not self._desks:
                self._rested.set()
        self.wake(agent)

    def _ready(self, agent: str) -> ItemView | None:
        view = self._place.rooms.book.get(agent)
        if (
            view is None
            or view.inbox_paused
            or view.duty is Duty.OFF_DUTY
            or view.activity is Activity.DEAD
        ):
            return None
        return self._place.rooms.inboxes.next(agent)

    async def _guarded(self, desk: Desk, work: Callable[[], Awaitable[None]]) -> None:
        """Carry one item to its end, whatever happens to it."""
        desk.run = None
        desk.cancelled = None
        desk.ended = asyncio.Event()
        try:
            await work()
        except FencedError as error:
            log.warning("run_lost", run_id=desk.run.id if desk.run else "", reason=error.message)
        except Exception as error:  # one item's fault must not end the office
            log.exception("run_crashed", run_id=desk.run.id if desk.run else "")
            await self._ends.crashed(desk.run, error)
        finally:
            desk.ended.set()

    async def _begin(self, desk: Desk, item: ItemView) -> None:
        agent = self._place.config().agent(item.agent)
        if agent is None:
            await self._ends.park(item, f"{item.agent} is not in the office's file any more.")
            return
        key = dialogue_key(item, self._place.clock.day())
        dialogue = await self._place.means.dialogues.open(agent.name, key)
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
        run = await self._ends.begin(begin)
        if run is None:
            self._place.means.dialogues.forget(agent.name, key)
            return
        dialogue.id = run.dialogue
        dialogue.put(begin.place, begin.told)
        await self._run(desk, Started(agent, run, item, dialogue, key), first_turn=1, pending=[])

    async def _resume(self, desk: Desk, left: OpenRun) -> None:
        """Go on with a run that a former process left: what was running then is told as interrupted."""
        agent = self._place.config().agent(left.run.agent)
        journal = self._place.rooms.journal
        interrupted, pending = _sort_calls(left, self._place.means.tools)
        run = await journal.bus.commit(journal.plan_take_over(left, interrupted))
        dialogue = loaded(await journal.dialogue_by_id(run.dialogue))
        desk.run = run
        if agent is None:
            ending = Ending(
                state=RunState.FAILED,
                code="no_such_agent",
                reason=f"{run.agent} does not work here any more.",
            )
            await self._ends.end(run, left.item, ending)
            return
        key = dialogue_key(left.item, self._place.clock.day())
        self._place.means.dialogues.forget(agent.name, key)
        first = left.turns[-1].n + 1 if left.turns else 1
        await self._run(
            desk, Started(agent, run, left.item, dialogue, key), first_turn=first, pending=pending
        )

    async def _run(
        self, desk: Desk, started: "Started", *, first_turn: int, pending: list[NewCall]
    ) -> None:
        agent, run = started.agent, started.run
        desk.run = run
        prompt = self._place.means.briefer.prompt(agent)
        loop = Loop(
            self._place, agent, run=run, item=started.item, dialogue=started.dialogue, prompt=prompt
        )
        try:
            await self._ends.keep_prompt(agent.name, prompt)
            ending = await loop.go(first_turn=first_turn, pending=pending)
        except asyncio.CancelledError:
            if desk.cancelled is None:
                raise
            self._place.means.dialogues.forget(agent.name, started.key)
            await asyncio.shield(self._ends.cancelled(loop.run, started.item, desk.cancelled))
            _uncancel()
            return
        log.info(
            "run_ended",
            run_id=run.id,
            agent_id=run.agent,
            state=ending.state.value,
            code=ending.code,
            turns=loop.run.turns,
            cost_usd_micros=loop.run.cost_usd_micros,
        )
        await self._ends.end(loop.run, started.item, ending)

    async def _told(self, item: ItemView) -> UserMessage:
        before: list[MessageView] = []
        if item.thread.startswith("ch:"):
            limit = self._place.config().channel_context
            page = await self._place.rooms.talk.messages(item.thread, before="", limit=limit + 1)
            before = list(reversed(page.items[1:]))
        return telling.tell(
            item, now=self._place.clock.now(), person_name=self._place.person_name, before=before
        )


@dataclass(frozen=True)
class Started:
    """A run that is in the ledger and about to go."""

    agent: AgentConfig
    run: RunView
    item: ItemView
    dialogue: Dialogue
    key: str


def dialogue_key(item: ItemView, day: int) -> str:
    """The dialogue an item belongs to: a person's thread has its own, other work shares the day's."""
    if item.thread.startswith("dm:") and item.source == "person":
        return f"thread:{item.thread}"
    return f"day:{day}"


def _uncancel() -> None:
    """The cancellation meant the run, not the agent: it goes on with its next item."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()


def _sort_calls(
    left: OpenRun, tools: Mapping[str, Tool]
) -> tuple[list[tuple[CallView, int, ToolMessage]], list[NewCall]]:
    """What becomes of a left run's calls: running ones are interrupted unless they only read; the rest starts."""
    interrupted: list[tuple[CallView, int, ToolMessage]] = []
    pending: list[NewCall] = []
    for call in left.calls:
        view = call.view
        if view.state is CallState.PENDING or (
            view.state is CallState.RUNNING and view.name in tools and tools[view.name].read_only
        ):
            fresh = msgspec.structs.replace(view, state=CallState.PENDING)
            pending.append(NewCall(fresh, call.provider_id, call.arguments, call.slot))
        elif view.state is CallState.RUNNING:
            ended = msgspec.structs.replace(
                view, state=CallState.INTERRUPTED, code="interrupted", result=INTERRUPTED
            )
            interrupted.append(
                (ended, call.slot, ToolMessage(call.provider_id, view.name, INTERRUPTED, ok=False))
            )
    return interrupted, pending
