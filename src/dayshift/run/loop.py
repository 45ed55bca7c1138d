"""The loop: one agent works one inbox item, turn by turn, until it is done, stopped or spent.

Each step is written down before the next begins, so that a run goes on after a crash where it was.
"""

from dataclasses import dataclass

from dayshift.config.office import AgentConfig
from dayshift.core.errors import BudgetSpentError, ContextOverflowError, InvalidError, ModelError
from dayshift.core.limits import TURNS_MAX
from dayshift.core.model import AssistantMessage, Model, UserMessage
from dayshift.core.states import RunState, TaskStatus, TurnState
from dayshift.core.views import ItemView, RunView
from dayshift.facilities.alerts import Alarm
from dayshift.facilities.journal import NewCall
from dayshift.facilities.past_runs import OpenRun
from dayshift.run import calls as rules
from dayshift.run import compaction, telling
from dayshift.run.breaker import Breaker, past_outcomes
from dayshift.run.briefing import Prompt
from dayshift.run.budget import near_end
from dayshift.run.dialogue import Dialogue
from dayshift.run.ending import Ending
from dayshift.run.live import LiveText
from dayshift.run.outcome import Outcome
from dayshift.run.record import Record
from dayshift.run.room import Room
from dayshift.run.turn import Asked, Asker, Question, sent_of
from dayshift.run.workplace import Workplace

CUT_ANSWERS_MAX = 3
OVERFLOWS_MAX = 3
LAST_TURN = (
    "This is the last turn of this run; tools are no longer available. Say in a few lines what was "
    "done, where it is, and what is open."
)
CUT_OFF = "Your answer was cut off by the output limit. Go on where it ended."
NEAR_END = (
    "This run has used {used}, four fifths or more of what it may. Come to an end: finish what is "
    "nearly done, and say what is open."
)
UNFINISHED = (
    "{task} is still in progress and this run is about to end. Call task_update for it now: done "
    "with result and evidence, failed, or blocked with the reason."
)


@dataclass(frozen=True, kw_only=True)
class Started:
    """A run that is in the ledger and about to go.

    Attributes:
        left: How a former worker left it; ``None`` for one that begins.
        pending: Calls of its last turn that were not carried out yet.
    """

    agent: AgentConfig
    run: RunView
    item: ItemView
    dialogue: Dialogue
    prompt: Prompt
    left: OpenRun | None = None
    pending: tuple[NewCall, ...] = ()


class Loop:
    """One run at work."""

    def __init__(self, place: Workplace, started: Started) -> None:
        """The run is begun, or taken over, and in the ledger."""
        run, item, prompt = started.run, started.item, started.prompt
        self._place = place
        self._started = started
        self._item = item
        self.record = Record(place, run, dialogue=started.dialogue, prompt=prompt.hash)
        self._asker = Asker(
            place,
            started.agent,
            item=_about(item),
            prompt=prompt,
            live=LiveText(run.id, run.agent, place.voice),
            ready=self._ready,
        )
        self._calls = rules.CallRunner(place, self.record, item=item, prompt=prompt)
        before = started.left.summaries if started.left else 0
        self._room = Room(self.record, self._asker, item=item, summaries=before)
        self._breaker = Breaker()
        self._began = place.monotonic() - _seconds_of(started.left)
        self._told_day = place.clock.day()
        self._cut_answers = 0
        self._overflows = 0
        self._reminded = False
        self._warned = False

    @property
    def run(self) -> RunView:
        """The run with its totals so far."""
        return self.record.run

    async def go(self) -> Ending:
        """Work until the end."""
        n = 1
        left = self._started.left
        if left is not None:
            n = left.turns[-1].n + 1 if left.turns else 1
            ending = await self._go_on(left, last=n > self._turns())
            if ending is not None:
                return ending
        while n <= self._turns():
            ending = await self._turn(n, last=n == self._turns())
            if ending is not None:
                return ending
            n += 1
        return _turns_spent(self._turns(), "")

    def _turns(self) -> int:
        return self._started.agent.budget.turns_per_run or TURNS_MAX

    async def _go_on(self, left: OpenRun, *, last: bool) -> Ending | None:
        """Go on from where a former worker left the run, as far as its last turn says how."""
        self._breaker.recall(left)
        if not left.turns or left.turns[-1].state is not TurnState.COMPLETED:
            return None
        turn = left.turns[-1].n
        outcomes = [one for one in past_outcomes(left) if one.turn == turn]
        outcomes += await self._calls.carry_out(self._started.pending)
        newest = self.record.dialogue.fragments[-1].message if self.record.dialogue.places else None
        if outcomes or not isinstance(newest, AssistantMessage):
            return self._judge(outcomes, "")
        return await self._consequences(newest, [], last=last)

    # --- one turn -----------------------------------------------------------------------------

    async def _turn(self, n: int, *, last: bool) -> Ending | None:
        await self._place.gate.passed()
        try:
            models = self._asker.models()
            if last:
                await self._note(LAST_TURN)
            await self._warn()
            await self._room.make(models, seconds=self._seconds())
            question = Question(
                n=n,
                sent=lambda: sent_of(self.record.dialogue),
                seconds=self._seconds(),
                choice="none" if last else "auto",
            )
            asked = await self._asker.ask(self.run, question, models)
        except InvalidError as error:
            return _stopped(RunState.FAILED, error)
        except BudgetSpentError as error:
            return _stopped(RunState.BLOCKED, error)
        if asked.answer is None:
            return await self._failed(asked, models)
        return await self._answered(asked, asked.answer.message, last=last)

    async def _warn(self) -> None:
        """Tell the agent and the people once that four fifths of the run's budget are used."""
        used = near_end(self.run, self._started.agent.budget, self._seconds())
        if not used or self._warned:
            return
        self._warned = True
        await self._note(NEAR_END.format(used=used))
        alarm = Alarm(
            code="run_budget_warning",
            fold=f"run_budget:{self.run.id}",
            agent=self.run.agent,
            run=self.run.id,
            task=self.run.task,
            text=f"{self.run.id} of {self.run.agent} has used {used}, four fifths or more.",
        )
        await self._place.rooms.alerts.raise_(alarm)

    async def _ready(self) -> None:
        """Wait until a request may be sent, and tell the run what came meanwhile."""
        await self._place.gate.passed()
        items = self._place.rooms.inboxes.steering(self.run.agent)
        day = self._place.clock.day()
        if not items and day == self._told_day:
            return
        now = self._place.clock.now()
        told: list[UserMessage] = [
            telling.tell(
                item,
                now=now,
                person_name=self._place.person_name,
                run=self.run,
                channel=await self._place.channel_of(item),
            )
            for item in items
        ]
        if day != self._told_day:
            self._told_day = day
            told.append(telling.note("A new day has begun.", now))
        await self.record.tell(told, items)

    async def _answered(
        self, asked: Asked, message: AssistantMessage, *, last: bool
    ) -> Ending | None:
        dialogue = self.record.dialogue
        place = dialogue.take_place()
        calls = rules.new_calls(self.run, asked.view.n, message.calls, dialogue)
        code, text = ("", "")
        if message.finish == "length":
            code, text = "cut", rules.CUT
        elif message.finish == "refusal":
            code, text = "refusal", rules.REFUSED
        elif last:
            code, text = "last_turn", rules.LAST_TURN
        ended = self._calls.dropped(calls, code, text) if code else []
        if ended:
            pairs = zip(calls, ended, strict=True)
            calls = [NewCall(e.view, c.provider_id, c.arguments, c.slot) for c, e in pairs]
        else:
            calls = self._calls.starting(calls)
        results = [(call.slot, one.message) for call, one in zip(calls, ended, strict=False)]
        await self.record.answered(asked, message, calls=calls, place=place, results=results)
        self._overflows = 0
        return await self._consequences(message, [] if ended else calls, last=last)

    async def _consequences(
        self, message: AssistantMessage, calls: list[NewCall], *, last: bool
    ) -> Ending | None:
        """What follows from an answer; ``calls`` are those to be carried out."""
        if message.finish == "refusal":
            return Ending(
                state=RunState.BLOCKED,
                code="refusal",
                reason=f"The model refused: {message.text[:500]}",
            )
        if message.finish == "length":
            return await self._cut_off(message)
        self._cut_answers = 0
        if calls:
            return self._judge(await self._calls.carry_out(calls), message.text)
        return None if message.calls else await self._finish(message.text, last=last)

    def _judge(self, outcomes: list[Outcome], text: str) -> Ending | None:
        stop = self._breaker.saw(outcomes)
        if stop:
            hint = "Look at what it tried; a message or a restart lets it go on."
            return Ending(state=RunState.BLOCKED, code="no_progress", reason=stop, hint=hint)
        if any(outcome.ends_run for outcome in outcomes):
            return Ending(state=RunState.COMPLETED, outcome=text)
        return None

    async def _cut_off(self, message: AssistantMessage) -> Ending | None:
        self._cut_answers += 1
        if self._cut_answers >= CUT_ANSWERS_MAX:
            return Ending(
                state=RunState.BLOCKED,
                code="cut",
                reason=f"{self._cut_answers} answers in a row were cut off by the output limit.",
                hint="Choose a model with a larger output limit, or smaller steps.",
                outcome=message.text,
            )
        if not message.calls:
            await self._note(CUT_OFF)
        return None

    async def _finish(self, text: str, *, last: bool) -> Ending | None:
        """Nothing more to do: end, unless something came meanwhile or the card is still open."""
        if last:
            return _turns_spent(self._turns(), text)
        if self._place.rooms.inboxes.steering(self.run.agent):
            return None
        if not self._reminded and await self._card_is_open():
            self._reminded = True
            await self._note(UNFINISHED.format(task=self.run.task))
            return None
        return Ending(state=RunState.COMPLETED, outcome=text)

    async def _card_is_open(self) -> bool:
        if not self.run.task:
            return False
        card = await self._place.rooms.board.peek(self.run.task)
        return (
            card is not None and card.run == self.run.id and card.status is TaskStatus.IN_PROGRESS
        )

    async def _failed(self, asked: Asked, models: list[Model]) -> Ending | None:
        await self.record.booked(asked)
        error = asked.error or ModelError("The model gave no answer.")
        if not isinstance(error, ContextOverflowError) or self._overflows >= OVERFLOWS_MAX:
            return _stopped(RunState.FAILED, error)
        self._overflows += 1
        ratio = compaction.BUDGET_RATIO / 2**self._overflows
        await self._room.make(models, seconds=self._seconds(), ratio=ratio)
        return None

    async def _note(self, text: str) -> None:
        await self.record.tell([telling.note(text, self._place.clock.now())])

    def _seconds(self) -> float:
        return self._place.monotonic() - self._began


def _about(item: ItemView) -> dict[str, str]:
    """What the rehearsal provider and the logs may know of an item."""
    return {
        "kind": item.kind,
        "source": item.source,
        "type": item.type,
        "sender": item.sender,
        "task": item.task,
        "thread": item.thread,
        "text": item.text,
    }


def _seconds_of(left: OpenRun | None) -> float:
    """Real seconds a run had taken when it was left, as far as they were written down."""
    if left is None:
        return 0.0
    turns = sum(turn.duration_ms for turn in left.turns)
    return (turns + sum(call.view.duration_ms for call in left.calls)) / 1000


def _stopped(state: RunState, error: BudgetSpentError | InvalidError | ModelError) -> Ending:
    return Ending(state=state, code=error.code, reason=error.message, hint=error.hint)


def _turns_spent(turns: int, text: str) -> Ending:
    return Ending(
        state=RunState.BLOCKED,
        code="turns_spent",
        reason=f"The run has used all of its {turns} turns.",
        hint="Split the work, or raise budget.turns_per_run.",
        outcome=text,
    )
