"""The two ends of a run: how it begins in the ledger, and what else happens when it is over.

The run, its item, its card, its answer to a person and its alert are one unit of work.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from dayshift.core.errors import OfficeError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import TAKE_OVERS_MAX
from dayshift.core.states import CallState, ItemState, RunState, TaskStatus
from dayshift.core.views import CallView, ItemView, RunView
from dayshift.dispatch.inbox import ATTEMPTS_MAX
from dayshift.facilities.alerts import Alarm
from dayshift.facilities.board_rules import Move
from dayshift.facilities.journal import Begin, Begun
from dayshift.run.briefing import Prompt
from dayshift.run.ending import Ending
from dayshift.run.workplace import Workplace

STARTS_TASK = frozenset({"task_ready", "task_restarted"})
OUTCOME_CHARS = 20_000
NO_WORD = "The run ended without a task_update."
INTERRUPTED = (
    "Interrupted: this call was under way when the server stopped. Its outcome is unknown: it may "
    "have taken effect in full, in part or not at all. Look before you do it again."
)
CANCELLED = (
    "The run was cancelled while this call was under way; it was ended. What it did until then "
    "stands."
)
NOT_STARTED = "The run ended before this call was started. Nothing was done."
_PARKS = frozenset({RunState.FAILED})


class _NotTheirsError(Exception):
    """The card is no longer the agent's to begin."""


@dataclass(frozen=True)
class Last:
    """How a run ends in the ledger: the run with its end, and its item's."""

    run: RunView
    item: ItemView
    ending: Ending
    pauses: bool = False


class Ends:
    """Begins and ends the runs of one office."""

    def __init__(self, place: Workplace) -> None:
        """Nothing is written yet."""
        self._place = place
        self._kept: dict[str, str] = {}

    async def keep_prompt(self, agent: str, prompt: Prompt) -> None:
        """Keep a snapshot of the prompt before it is first used."""
        keep = self._plan_prompt(agent, prompt)
        if keep is not None:
            await self._place.rooms.journal.commit(keep)
            self._kept[agent] = prompt.hash

    def _plan_prompt(self, agent: str, prompt: Prompt) -> Callable[[UnitOfWork], None] | None:
        """How to keep a snapshot of the prompt; ``None`` when it is kept."""
        if self._kept.get(agent) == prompt.hash:
            return None
        return self._place.rooms.journal.plan_prompt(
            agent, prompt.hash, body=prompt.snapshot(), chars=len(prompt.text)
        )

    async def begin(self, begin: Begin, prompt: Prompt) -> Begun:
        """Begin a run, claiming its card if it has one; its prompt is kept with it."""
        journal, board = self._place.rooms.journal, self._place.rooms.board
        start = journal.plan_begin(begin)
        item = begin.item
        keep = self._plan_prompt(item.agent, prompt)
        claims = bool(item.task) and item.type in STARTS_TASK

        def work(unit: UnitOfWork) -> Begun:
            begun = start(unit)
            run = begun.run
            if (
                run is not None
                and claims
                and board.plan_claim(item.task, run=run.id, agent=run.agent)(unit) is None
            ):
                raise _NotTheirsError
            if run is not None and keep is not None:
                keep(unit)
            return begun

        try:
            begun = await journal.bus.commit(work, actor=f"agent:{item.agent}")
        except _NotTheirsError:
            reason = f"{item.task} is no longer {item.agent}'s to begin."
            await journal.commit(
                lambda unit: journal.settle_item(unit, item, ItemState.DONE, reason=reason)
            )
            return Begun(why="gone")
        if begun.run is not None:
            self._kept[item.agent] = prompt.hash
        return begun

    async def park(self, item: ItemView, reason: str) -> None:
        """Set an item aside, with one alert."""
        journal, alerts = self._place.rooms.journal, self._place.rooms.alerts
        alarm = Alarm(
            code="item_parked",
            fold=f"item:{item.id}",
            agent=item.agent,
            text=f"{item.id} for {item.agent} was parked: {reason}",
            hint="Resume it when the reason is gone.",
        )

        def plan(unit: UnitOfWork) -> None:
            journal.settle_item(unit, item, ItemState.PARKED, reason=reason)
            alerts.plan(alarm)(unit)

        await journal.commit(plan)

    async def end(
        self, run: RunView, item: ItemView, ending: Ending, *, pauses: bool = False
    ) -> None:
        """Write the end of a run and all that follows from it.

        With ``pauses``, its agent takes nothing more until a person says so.
        """
        last = Last(self._over(run, ending), item, ending, pauses)
        journal = self._place.rooms.journal
        await self._place.written(
            lambda: journal.commit(lambda unit: self._write(unit, last), actor=f"agent:{run.agent}")
        )

    async def cancel(self, run_id: str, ending: Ending, *, by: str) -> RunView:
        """End an open run where it is: from now on its worker can write nothing more.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: It has ended.
        """
        journal = self._place.rooms.journal

        def work(unit: UnitOfWork) -> RunView:
            run, item = journal.open_run(unit, run_id)
            journal.close_calls(unit, run, _cancelled)
            last = Last(self._over(run, ending), item, ending)
            self._write(unit, last)
            return last.run

        return await journal.bus.commit(work, actor=by)

    async def crashed(self, run: RunView, error: Exception) -> None:
        """A fault of ours ended a run: try its item again, and park it when that does not help."""
        words = (
            error.message
            if isinstance(error, OfficeError)
            else f"a fault inside Dayshift ({type(error).__name__})"
        )
        ending = Ending(state=RunState.FAILED, code="internal", reason=words)
        journal = self._place.rooms.journal

        def work(unit: UnitOfWork) -> None:
            left, item = journal.open_run(unit, run.id)
            again = item.attempts < ATTEMPTS_MAX
            journal.close_calls(unit, left, _interrupted)
            alarm = Alarm(
                code="run_crashed",
                fold=f"crash:{item.id}",
                severity="error",
                agent=left.agent,
                run=left.id,
                task=left.task,
                text=f"{left.id} of {left.agent} failed: {words}; "
                + ("it is tried again." if again else "its item is parked."),
                hint="The server's log says more.",
            )
            self._place.rooms.alerts.plan(alarm)(unit)
            board = self._place.rooms.board
            if left.task and again:
                board.plan_release(left.task, run=left.id, move=None, by="office")(unit)
            elif left.task:
                move = _card_move(ending)
                board.plan_release(left.task, run=left.id, move=move, by="office")(unit)
            state = ItemState.QUEUED if again else ItemState.PARKED
            journal.plan_end(self._over(left, ending), item, item_state=state)(unit)

        await journal.commit(work)

    async def give_up(self, run: RunView, *, is_gone: bool) -> None:
        """End a run that was left: it stops the server each time, or its agent is gone."""
        ending = Ending(
            state=RunState.FAILED,
            code="no_such_agent" if is_gone else "poison",
            reason=f"{run.agent} does not work here any more."
            if is_gone
            else f"The server stopped {TAKE_OVERS_MAX} times in a row while it worked on this.",
            hint="" if is_gone else "Look into the server's log before you resume the item.",
        )
        journal = self._place.rooms.journal

        def work(unit: UnitOfWork) -> None:
            left, item = journal.open_run(unit, run.id)
            journal.close_calls(unit, left, _interrupted)
            self._write(unit, Last(self._over(left, ending), item, ending))

        await journal.commit(work)

    def _over(self, run: RunView, ending: Ending) -> RunView:
        return msgspec.structs.replace(
            run,
            state=ending.state,
            reason_code=ending.code,
            reason=ending.reason,
            outcome=ending.outcome[:OUTCOME_CHARS],
            ended_at=self._place.clock.now(),
        )

    def _write(self, unit: UnitOfWork, last: Last) -> None:
        end = self._place.rooms.journal.plan_end(
            last.run,
            last.item,
            item_state=_item_state(last.ending),
            also=self._follow(last),
            pauses=last.pauses,
        )
        end(unit)

    def _follow(self, last: Last) -> Callable[[UnitOfWork], None]:
        run = last.run
        answer = self._place.rooms.talk.plan_answer(run, last.item, text=_answer(last.ending))
        alarm = _alarm(run, last.ending)
        move = _card_move(last.ending)

        def follow(unit: UnitOfWork) -> None:
            answer(unit)
            if run.task:
                self._place.rooms.board.plan_release(run.task, run=run.id, move=move, by="office")(
                    unit
                )
            if alarm is not None:
                self._place.rooms.alerts.plan(alarm)(unit)

        return follow


def _cancelled(call: CallView) -> tuple[CallState, str]:
    running = call.state is CallState.RUNNING
    return CallState.CANCELLED, CANCELLED if running else NOT_STARTED


def _interrupted(call: CallView) -> tuple[CallState, str]:
    if call.state is CallState.RUNNING:
        return CallState.INTERRUPTED, INTERRUPTED
    return CallState.CANCELLED, NOT_STARTED


def _item_state(ending: Ending) -> ItemState:
    if ending.state is RunState.CANCELLED:
        return ItemState.CANCELLED
    return ItemState.PARKED if ending.state in _PARKS else ItemState.DONE


def _answer(ending: Ending) -> str:
    if ending.state is RunState.COMPLETED:
        return ending.outcome
    words = f"{ending.outcome}\n\n" if ending.outcome else ""
    if ending.state is RunState.CANCELLED:
        return f"{words}[The run was {ending.reason}.]"
    verb = "stopped" if ending.state is RunState.BLOCKED else "failed"
    reason = ending.reason if ending.reason.endswith((".", "!", "?")) else f"{ending.reason}."
    return f"{words}[The run {verb}: {reason} {ending.hint}".rstrip() + "]"


def _card_move(ending: Ending) -> Move:
    match ending.state:
        case RunState.COMPLETED:
            return Move(status=TaskStatus.BLOCKED, reason=NO_WORD)
        case RunState.CANCELLED:
            return Move(status=TaskStatus.BLOCKED, reason=f"Its run was {ending.reason}.")
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
