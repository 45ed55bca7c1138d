"""The loop: one agent works one inbox item, turn by turn, until it is done, stopped or spent.

Each step is written down before the next begins, so that a run goes on after a crash where it was.
"""

import msgspec

from dayshift.config.office import AgentConfig
from dayshift.core.errors import BudgetSpentError, ContextOverflowError, InvalidError, ModelError
from dayshift.core.limits import TURNS_MAX
from dayshift.core.model import Answer, Model, UserMessage
from dayshift.core.states import CallState, RunState, TaskStatus, TurnState
from dayshift.core.views import ItemView, RunView, TurnView
from dayshift.facilities.journal import SUMMARIES_FROM, NewCall, TurnFacts
from dayshift.run import compaction, telling
from dayshift.run.breaker import Breaker
from dayshift.run.briefing import Prompt
from dayshift.run.budget import cost_micros
from dayshift.run.calls import CUT, CallRunner, new_calls
from dayshift.run.dialogue import Dialogue
from dayshift.run.ending import Ending
from dayshift.run.live import LiveText
from dayshift.run.turn import Asked, Asker
from dayshift.run.workplace import Workplace

CUT_ANSWERS_MAX = 3
OVERFLOWS_MAX = 3
LAST_TURN = (
    "This is the last turn of this run; tools are no longer available. Say in a few lines what was done, where it is, "
    "and what is open."
)
UNFINISHED = (
    "{task} is still in progress and this run is about to end. Call task_update for it now: done with result and evidence, "
    "failed, or blocked with the reason."
)


class Loop:
    """One run at work."""

    def __init__(
        self,
        place: Workplace,
        agent: AgentConfig,
        *,
        run: RunView,
        item: ItemView,
        dialogue: Dialogue,
        prompt: Prompt,
    ) -> None:
        """The run is begun, or taken over, and in the ledger."""
        self._place = place
        self._agent = agent
        self.run = run
        self._item = item
        self._dialogue = dialogue
        self._live = LiveText(run.id, run.agent, place.live)
        about = {
            "kind": item.kind,
            "source": item.source,
            "type": item.type,
            "sender": item.sender,
            "task": item.task,
            "thread": item.thread,
            "text": item.text,
        }
        self._asker = Asker(place, agent, item=about, prompt=prompt, live=self._live)
        self._calls = CallRunner(place, run, item=item, dialogue=dialogue, prompt=prompt)
        self._prompt = prompt
        self._breaker = Breaker()
        self._began = place.monotonic()
        self._told_day = place.clock.day()
        self._summaries = 0
        self._cut_answers = 0
        self._overflows = 0
        self._reminded = False

    async def go(self, *, first_turn: int, pending: list[NewCall]) -> Ending:
        """Work until the end. ``pending`` are calls a former process did not start."""
        if pending:
            await self._calls.carry_out(pending)
        turns = min(
            self._agent.budget.turns_per_run or TURNS_MAX,
            self._place.config().budget.turns_per_run or TURNS_MAX,
        )
        n = first_turn
        while n <= turns:
            await self._place.gate.passed()
            ending = await self._turn(n, last=n == turns)
            if ending is not None:
                return ending
            n += 1
        return Ending(
            state=RunState.BLOCKED,
            code="turns_spent",
            reason=f"The run has used all of its {turns} turns.",
            hint="Split the work, or raise budget.turns_per_run.",
        )

    async def _turn(self, n: int, *, last: bool) -> Ending | None:
        try:
            models = self._asker.models()
        except InvalidError as error:
            return Ending(
                state=RunState.FAILED, code=error.code, reason=error.message, hint=error.hint
            )
        await self._hear(last=last)
        await self._make_room(models[0])
        try:
            asked = await self._asker.ask(
                self.run,
                n,
                dialogue=self._dialogue,
                models=models,
                choice="none" if last else "auto",
                seconds=self._place.monotonic() - self._began,
            )
        except BudgetSpentError as error:
            return Ending(
                state=RunState.BLOCKED, code=error.code, reason=error.message, hint=error.hint
            )
        if asked.answer is None:
            return await self._failed(asked, models[0])
        return await self._answered(n, asked, asked.answer, last=last)

    async def _hear(self, *, last: bool) -> None:
        """Tell the run what came meanwhile: steering, a new day, that this is its last turn."""
        told: list[tuple[int, UserMessage]] = []
        now = self._place.clock.now()
        items = self._place.rooms.inboxes.steering(self.run.agent)
        for item in items:
            text = telling.tell(item, now=now, person_name=self._place.person_name)
            told.append((self._dialogue.take_place(), text))
        if self._place.clock.day() != self._told_day:
            self._told_day = self._place.clock.day()
            told.append((self._dialogue.take_place(), telling.note("A new day has begun.", now)))
        if last:
            told.append((self._dialogue.take_place(), telling.note(LAST_TURN, now)))
        if told:
            await self._tell(told, items)

    async def _tell(self, told: list[tuple[int, UserMessage]], items: list[ItemView]) -> None:
        journal = self._place.rooms.journal
        await journal.commit(
            journal.plan_told(self.run, told, items), actor=f"agent:{self.run.agent}"
        )
        for place, message in told:
            self._dialogue.put(place, message)

    async def _answered(self, n: int, asked: Asked, answer: Answer, *, last: bool) -> Ending | None:
        message = answer.message
        place = self._dialogue.take_place()
        calls = new_calls(self.run, n, message.calls, self._dialogue)
        self.run = _added(self.run, asked.view, len(calls))
        self._calls.run = self.run
        journal = self._place.rooms.journal
        facts = self._facts(asked)
        plan = journal.plan_answer(
            self.run, asked.view, message=message, place=place, calls=calls, facts=facts
        )
        await journal.commit(plan, actor=f"agent:{self.run.agent}")
        self._dialogue.put(place, message)
        self._overflows = 0
        if message.finish == "refusal":
            return Ending(
                state=RunState.BLOCKED,
                code="refusal",
                reason=f"The model refused: {message.text[:500]}",
            )
        if calls:
            return await self._carry_out(calls, cut=message.finish == "length", last=last)
        if message.finish == "length":
            return await self._cut_off(n)
        return await self._finish(message.text, last=last)

    async def _carry_out(self, calls: list[NewCall], *, cut: bool, last: bool) -> Ending | None:
        if cut or last:
            await self._calls.drop(
                calls,
                state=CallState.FAILED,
                code="cut" if cut else "last_turn",
                text=CUT if cut else LAST_TURN,
            )
            self._cut_answers += 1
            if self._cut_answers >= CUT_ANSWERS_MAX:
                return Ending(
                    state=RunState.BLOCKED,
                    code="cut",
                    reason=f"{self._cut_answers} answers in a row were cut off by the output limit.",
                    hint="Choose a model with a larger output limit, or smaller steps.",
                )
            return None
        self._cut_answers = 0
        stop = self._breaker.saw(await self._calls.carry_out(calls))
        return Ending(state=RunState.BLOCKED, code="no_progress", reason=stop) if stop else None

    async def _cut_off(self, n: int) -> Ending | None:
        self._cut_answers += 1
        if self._cut_answers >= CUT_ANSWERS_MAX:
            return Ending(
                state=RunState.BLOCKED,
                code="cut",
                reason=f"The answer was cut off {self._cut_answers} times, last in turn {n}.",
            )
        text = telling.note(
            "Your answer was cut off by the output limit. Go on where it ended.",
            self._place.clock.now(),
        )
        await self._tell([(self._dialogue.take_place(), text)], [])
        return None

    async def _finish(self, text: str, *, last: bool) -> Ending | None:
        """The model has nothing more to do: end, unless something came meanwhile or its card is open."""
        if not last and self._place.rooms.inboxes.steering(self.run.agent):
            return None
        if not last and not self._reminded and await self._card_is_open():
            self._reminded = True
            note = telling.note(UNFINISHED.format(task=self.run.task), self._place.clock.now())
            await self._tell([(self._dialogue.take_place(), note)], [])
            return None
        if last:
            return Ending(
                state=RunState.BLOCKED,
                code="turns_spent",
                reason="The run has used all of its turns.",
                outcome=text,
            )
        return Ending(state=RunState.COMPLETED, outcome=text)

    async def _card_is_open(self) -> bool:
        if not self.run.task:
            return False
        card = await self._place.rooms.board.peek(self.run.task)
        return (
            card is not None and card.run == self.run.id and card.status is TaskStatus.IN_PROGRESS
        )

    async def _failed(self, asked: Asked, model: Model) -> Ending | None:
        error = asked.error
        journal = self._place.rooms.journal
        self.run = _added(self.run, asked.view, 0)
        self._calls.run = self.run
        overflow = isinstance(error, ContextOverflowError)
        plan = journal.plan_answer(
            self.run, asked.view, message=None, place=0, calls=[], facts=self._facts(asked)
        )
        await journal.commit(plan, actor=f"agent:{self.run.agent}")
        if overflow and self._overflows < OVERFLOWS_MAX:
            self._overflows += 1
            await self._make_room(model, ratio=compaction.BUDGET_RATIO / 2**self._overflows)
            return None
        fault: ModelError = error or ModelError("The model gave no answer.")
        return Ending(state=RunState.FAILED, code=fault.code, reason=fault.message, hint=fault.hint)

    async def _make_room(self, model: Model, *, ratio: float = compaction.BUDGET_RATIO) -> None:
        budget = compaction.budget_tokens(model, prompt=self._asker.prompt_tokens, ratio=ratio)
        if ratio != compaction.BUDGET_RATIO:
            budget = min(budget, int(self._dialogue.tokens * ratio))
        if self._dialogue.tokens <= budget:
            return
        cut = compaction.find_cut(self._dialogue, budget)
        if cut.index <= 0:
            return
        summary, answers = await compaction.summarise(
            model, self._dialogue, cut, system=self._prompt.text
        )
        for answer in answers:
            await self._book(answer, model)
        await compaction.compact(
            self._place.rooms.journal, self.run, self._dialogue, cut=cut, summary=summary
        )

    async def _book(self, answer: Answer, model: Model) -> None:
        """Book a request for a summary: it costs like any other, and is no turn."""
        self._summaries += 1
        micros = cost_micros(answer.usage, model.facts.prices)
        held = self._place.means.purse.reserve(self.run.agent, micros=0, tokens=0)
        tokens = answer.usage.input_tokens + answer.usage.output_tokens
        self._place.means.purse.settle(held, micros=micros, tokens=tokens)
        n = SUMMARIES_FROM + self.run.turns * 10 + self._summaries
        view = TurnView(
            run=self.run.id,
            agent=self.run.agent,
            n=n,
            state=TurnState.COMPLETED,
            model=model.ref,
            text=answer.message.text,
            reasoning="",
            finish=answer.message.finish,
            usage=answer.usage,
            cost_usd_micros=micros,
            attempts=1,
            duration_ms=0,
            error="",
            day=self._place.clock.day(),
            at=self._place.clock.now(),
        )
        asked = Asked(
            view=view,
            answer=answer,
            error=None,
            priced=model.facts.prices is not None,
            first=0,
            upto=0,
        )
        self.run = _added(self.run, view, 0, turns=0)
        journal = self._place.rooms.journal
        plan = journal.plan_answer(
            self.run, view, message=None, place=0, calls=[], facts=self._facts(asked)
        )
        await journal.commit(plan, actor=f"agent:{self.run.agent}")

    def _facts(self, asked: Asked) -> TurnFacts:
        return TurnFacts(
            task=self.run.task,
            priced=asked.priced,
            prompt=self._prompt.hash,
            dialogue=self.run.dialogue,
            first=asked.first,
            upto=asked.upto,
            request={"version": self._dialogue.version, "thinking": self._agent.thinking},
        )


def _added(run: RunView, turn: TurnView, calls: int, *, turns: int = 1) -> RunView:
    """A run with one more turn in its totals."""
    usage = msgspec.structs.replace(
        run.usage,
        **{
            name: getattr(run.usage, name) + getattr(turn.usage, name)
            for name in run.usage.__struct_fields__
        },
    )
    return msgspec.structs.replace(
        run,
        turns=run.turns + turns,
        calls=run.calls + calls,
        usage=usage,
        cost_usd_micros=run.cost_usd_micros + turn.cost_usd_micros,
    )
