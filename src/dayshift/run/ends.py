"""The two ends of a run: how it begins in the ledger, and what else happens when it is over.

The run, its item, its card, its answer to a person and its alert are one unit of work.
"""

from collections.abc import Callable

import msgspec

from dayshift.core.errors import ConflictError, OfficeError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Activity, CallState, ItemState, RunState, TaskStatus
from dayshift.core.views import ItemView, RunView
from dayshift.dispatch.inbox import ATTEMPTS_MAX
from dayshift.facilities.alerts import Alarm
from dayshift.facilities.board_rules import Move
from dayshift.facilities.journal import Begin
from dayshift.run.briefing import Prompt
from dayshift.run.calls import NOT_STARTED
from dayshift.run.ending import Ending
from dayshift.run.workplace import Workplace

STARTS_TASK = frozenset({"task_ready", "task_restarted"})
OUTCOME_CHARS = 20_000
NO_WORD = "The run ended without a task_update."


class Ends:
    """Begins and ends the runs of one office."""

    def __init__(self, place: Workplace) -> None:
        """Nothing is written yet."""
        self._place = place
        self._kept: set[tuple[str, str]] = set()

    async def keep_prompt(self, agent: str, prompt: Prompt) -> None:
        """Keep a snapshot of the prompt before it is first used."""
        if (agent, prompt.hash) in self._kept:
            return
        journal = self._place.rooms.journal
        await journal.commit(
            journal.plan_prompt(agent, prompt.hash, body=prompt.body, chars=len(prompt.text))
        )
        self._kept.add((agent, prompt.hash))

    async def begin(self, begin: Begin) -> RunView | None:
        """Begin a run, claiming its card if it has one; ``None`` when the item is no longer to be done."""
        journal, board = self._place.rooms.journal, self._place.rooms.board
        start = journal.plan_begin(begin)
        item = begin.item
        claims = bool(item.task) and item.type in STARTS_TASK

        def work(unit: UnitOfWork) -> RunView | None:
            run = start(unit)
            if (
                run is not None
                and claims
                and board.plan_claim(item.task, run=run.id, agent=run.agent)(unit) is None
            ):
                raise ConflictError(f"{item.task} is no longer {item.agent}'s to begin.")
            return run

        try:
            return await journal.bus.commit(work, actor=f"agent:{item.agent}")
        except ConflictError as error:
            reason = error.message
            await journal.commit(
                lambda unit: journal.settle_item(unit, item, ItemState.DONE, reason=reason)
            )
            return None

    async def park(self, item: ItemView, reason: str) -> None:
        """Set an item aside, with one alert."""
        journal, alerts = self._place.rooms.journal, self._place.rooms.alerts
        alarm = Alarm(
            code="item_parked",
            fold=f"item:{item.id}",
            agent=item.agent,
            text=f"{item.id} for {item.agent} was parked: {reason}",
        )

        def plan(unit: UnitOfWork) -> None:
            journal.settle_item(unit, item, ItemState.PARKED, reason=reason)
            alerts.plan(alarm)(unit)

        await journal.commit(plan)

    async def end(self, run: RunView, item: ItemView, ending: Ending) -> None:
        """Write the end of a run and all that follows from it."""
        ended = msgspec.structs.replace(
            run,
            state=ending.state,
            reason_code=ending.code,
            reason=ending.reason,
            outcome=ending.outcome[:OUTCOME_CHARS],
            ended_at=self._place.clock.now(),
        )
        journal = self._place.rooms.journal
        state = ItemState.PARKED if ending.state is RunState.FAILED else ItemState.DONE
        follow = self._follow(ended, item, ending)
        await journal.commit(
            journal.plan_end(ended, item, item_state=state, also=follow), actor=f"agent:{run.agent}"
        )

    async def cancelled(self, run: RunView, item: ItemView, ending: Ending) -> None:
        """End a cancelled run; calls that were not settled are closed, so that the dialogue stays valid."""
        journal = self._place.rooms.journal
        await journal.commit(
            journal.plan_close_calls(run, text=NOT_STARTED, state=CallState.CANCELLED)
        )
        await self.end(run, item, ending)

    def _follow(self, run: RunView, item: ItemView, ending: Ending) -> Callable[[UnitOfWork], None]:
        answer = self._place.rooms.talk.plan_answer(run, item, text=_answer(ending))
        alarm = _alarm(run, ending)
        move = _card_move(ending)

        def follow(unit: UnitOfWork) -> None:
            answer(unit)
            if run.task:
                self._place.rooms.board.plan_release(run.task, run=run.id, move=move, by="office")(
                    unit
                )
            if alarm is not None:
                self._place.rooms.alerts.plan(alarm)(unit)

        return follow

    async def crashed(self, run: RunView | None, error: Exception) -> None:
        """A fault of ours ended a run: try its item again, and park it when that does not help."""
        if run is None:
            return
        journal = self._place.rooms.journal
        item = await journal.item(run.item)
        if item is None or item.state is not ItemState.TAKEN:
            return
        words = (
            error.message
            if isinstance(error, OfficeError)
            else f"{type(error).__name__} inside Dayshift"
        )
        again = item.attempts < ATTEMPTS_MAX
        ended = msgspec.structs.replace(
            run,
            state=RunState.FAILED,
            reason_code="internal",
            reason=words,
            ended_at=self._place.clock.now(),
        )
        alarm = Alarm(
            code="run_crashed",
            fold=f"crash:{run.item}",
            severity="error",
            agent=run.agent,
            run=run.id,
            text=f"{run.id} of {run.agent} failed: {words}",
            hint="It is tried again." if again else "Its item is parked.",
        )

        def also(unit: UnitOfWork) -> None:
            journal.close_calls(unit, ended, text=NOT_STARTED, state=CallState.CANCELLED)
            self._place.rooms.alerts.plan(alarm)(unit)
            if run.task:
                self._place.rooms.board.plan_release(run.task, run=run.id, move=None, by="office")(
                    unit
                )

        state = ItemState.QUEUED if again else ItemState.PARKED
        await journal.commit(
            journal.plan_end(ended, item, item_state=state, also=also, activity=Activity.IDLE)
        )


def _answer(ending: Ending) -> str:
    if ending.state is RunState.COMPLETED:
        return ending.outcome
    words = f"{ending.outcome}\n\n" if ending.outcome else ""
    verb = {RunState.CANCELLED: "was cancelled", RunState.BLOCKED: "stopped"}.get(
        ending.state, "failed"
    )
    return f"{words}[The run {verb}: {ending.reason} {ending.hint}".rstrip() + "]"


def _card_move(ending: Ending) -> Move | None:
    match ending.state:
        case RunState.COMPLETED:
            return Move(status=TaskStatus.BLOCKED, reason=NO_WORD)
        case RunState.CANCELLED:
            return Move(
                status=TaskStatus.BLOCKED, reason=f"Its run was {ending.reason or 'cancelled'}."
            )
        case _:
            return Move(status=TaskStatus.BLOCKED, reason=f"{ending.reason} {ending.hint}".strip())


def _alarm(run: RunView, ending: Ending) -> Alarm | None:
    if ending.state not in {RunState.FAILED, RunState.BLOCKED}:
        return None
    return Alarm(
        code=f"run_{ending.state}",
        fold=f"run:{run.agent}:{ending.code}",
        severity="error" if ending.state is RunState.FAILED else "warning",
        agent=run.agent,
        run=run.id,
        task=run.task,
        text=f"{run.id} of {run.agent} is {ending.state}: {ending.reason}",
        hint=ending.hint,
    )
