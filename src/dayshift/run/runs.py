"""The runs of an office: begun on an item or taken over from a former worker, and carried out."""

from collections.abc import Callable

import structlog

from dayshift.core.errors import NotFoundError
from dayshift.core.limits import TAKE_OVERS_MAX
from dayshift.core.model import UserMessage
from dayshift.core.views import ItemView, MessageView, RunView
from dayshift.facilities.journal import Begin
from dayshift.facilities.past_runs import OpenRun, PastRuns
from dayshift.run import telling
from dayshift.run.ends import Ends
from dayshift.run.loop import Loop, Started
from dayshift.run.resuming import sorted_calls
from dayshift.run.wakes import Tripped, tripped
from dayshift.run.workplace import Workplace

log = structlog.get_logger()
Took = Callable[[RunView], None]
"""Hears of the run as soon as it is this worker's."""


class Runs:
    """Carries runs through, each from where it is to its end."""

    def __init__(self, place: Workplace, ends: Ends, past: PastRuns) -> None:
        """Nothing runs yet."""
        self._place = place
        self._ends = ends
        self._past = past

    async def begin(self, item: ItemView, took: Took) -> None:
        """Begin a run on an item, and work until its end."""
        agent = self._place.config().agent(item.agent)
        if agent is None:
            await self._ends.park(item, f"{item.agent} is not in the office's file any more")
            return
        prompt = self._place.means.briefer.prompt(agent)
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
            begun = await self._ends.begin(begin, prompt)
        except BaseException:
            dialogues.forget(agent.name, key)
            raise
        run = begun.run
        if run is None:
            # What is stale is read anew, and the item, which still waits, is taken up again.
            dialogues.forget(agent.name, key)
            return
        took(run)
        dialogue.id = run.dialogue
        dialogue.put(begin.place, begin.told)
        if trip is not None:
            await self._trip(run, item, trip)
            return
        await self._go(Started(agent=agent, run=run, item=item, dialogue=dialogue, prompt=prompt))

    async def _trip(self, run: RunView, item: ItemView, trip: Tripped) -> None:
        log.warning("breaker_tripped", run_id=run.id, agent_id=run.agent, code=trip.ending.code)
        await self._ends.end(run, item, trip.ending, pauses=trip.pauses)

    async def resume(self, left: OpenRun, took: Took, *, after_crash: bool) -> None:
        """Go on with a run that was left, until its end.

        What was running then is told as interrupted. With ``after_crash``, a run that comes no
        further time after time is given up.
        """
        journal = self._place.rooms.journal
        calls = sorted_calls(left, self._place.means.tools, self._place.clock.now())
        taken = await journal.bus.commit(
            self._past.plan_take_over(left, calls.interrupted, after_crash=after_crash)
        )
        run = taken.run
        took(run)
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
        self._place.means.dialogues.rest(agent, dialogue)
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
            item,
            now=self._place.clock.now(),
            person_name=self._place.person_name,
            before=before,
            channel=await self._place.channel_of(item),
        )


def dialogue_key(item: ItemView, day: int) -> str:
    """The dialogue an item belongs to: a person's thread has its own, other work has the day's."""
    if item.thread.startswith("dm:") and item.source == "person":
        return f"thread:{item.thread}"
    return f"day:{day}"
