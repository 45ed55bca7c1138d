"""One request to a model: with retries and fallbacks, streamed to those who watch, and its cost."""

from collections.abc import Awaitable, Callable

import msgspec

from dayshift.config.office import AgentConfig
from dayshift.core.errors import InvalidError, ModelError, QuotaSpentError
from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Fragment,
    Model,
    ModelRequest,
    ReasoningPart,
    TextPart,
    Thinking,
    ToolChoice,
    Usage,
)
from dayshift.core.states import TurnState
from dayshift.core.views import RunView, TurnView
from dayshift.run import budget, route
from dayshift.run.briefing import Prompt
from dayshift.run.capping import clean
from dayshift.run.dialogue import Dialogue
from dayshift.run.live import LiveText
from dayshift.run.workplace import Workplace

SHOWN_CHARS = 200_000
SCALE_MAX = 2.0


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What a request carries of a dialogue: its places ``first`` to ``upto``, after a summary."""

    fragments: list[Fragment]
    tokens: int
    first: int
    upto: int
    version: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to ask a model.

    Attributes:
        n: Number of the turn.
        sent: What to send; asked anew for each attempt.
        seconds: Real seconds the run has taken so far.
        output_tokens: Longest answer; 0 for the model's own.
        is_shown: Whether people see it being answered.
    """

    n: int
    sent: Callable[[], Sent]
    seconds: float
    choice: ToolChoice = "auto"
    output_tokens: int = 0
    is_shown: bool = True


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A finished request. ``answer`` is ``None`` when it failed, with the error."""

    view: TurnView
    answer: Answer | None
    error: ModelError | None
    priced: bool
    sent: Sent
    choice: ToolChoice
    thinking: Thinking
    output_tokens: int


def sent_of(dialogue: Dialogue) -> Sent:
    """The whole dialogue, as a turn sends it."""
    return Sent(
        fragments=dialogue.sent(),
        tokens=dialogue.tokens,
        first=dialogue.first,
        upto=dialogue.last,
        version=dialogue.version,
    )


class Asker:
    """Asks the models of one run.

    Attributes:
        prompt_tokens: A guess of the tokens of the system prompt and the tools.
        scale: How much longer than guessed the last request was for its model; 1 at least.
    """

    def __init__(
        self,
        place: Workplace,
        agent: AgentConfig,
        *,
        item: dict[str, str],
        prompt: Prompt,
        live: LiveText,
        ready: Callable[[], Awaitable[None]],
    ) -> None:
        """``item`` says what is worked off, for the rehearsal provider.

        ``ready`` returns when a request may be sent.
        """
        self._place = place
        self._agent = agent
        self._item = item
        self._prompt = prompt
        self._live = live
        self._ready = ready
        self.prompt_tokens = prompt.tokens
        self.scale = 1.0

    def models(self) -> list[Model]:
        """The agent's model and its fallbacks; fallbacks that cannot be used are left out.

        Raises:
            InvalidError: The first one cannot be used.
        """
        catalogue = self._place.means.catalogue
        found = [catalogue.resolve(self._agent.model or self._place.config().model)]
        for ref in self._agent.fallbacks:
            try:
                found.append(catalogue.resolve(ref))
            except InvalidError:
                continue
        return found

    async def ask(self, run: RunView, question: Question, models: list[Model]) -> Asked:
        """Ask once; a provider's failure is in the result.

        Raises:
            BudgetSpentError: A ceiling would be passed; nothing was sent.
        """
        purse = self._place.means.purse
        tokens = int((question.sent().tokens + self.prompt_tokens) * self.scale)
        most = budget.estimate(models, tokens)
        if question.output_tokens:
            output = min(most.output_tokens, question.output_tokens)
            most = budget.Estimate(
                input_tokens=tokens,
                output_tokens=output,
                input_price=most.input_price,
                output_price=most.output_price,
            )
        budget.check_time(self._agent.budget, question.seconds)
        held = await purse.reserve(run.agent, most, budget.run_ceilings(run, self._agent.budget))
        micros = used = 0
        try:
            asked = await self._route(run, question, models, held.output_tokens)
            micros = asked.view.cost_usd_micros
            used = asked.view.usage.input_tokens + asked.view.usage.output_tokens
        finally:
            purse.settle(held, micros=micros, tokens=used)
        self._learn(asked)
        return asked

    async def _route(
        self, run: RunView, question: Question, models: list[Model], output_tokens: int
    ) -> Asked:
        sending = [question.sent()]
        began = self._place.monotonic()

        def request_for(model: Model) -> ModelRequest:
            sending[0] = question.sent()
            return self._request(model, run, sending[0].fragments, question, output_tokens)

        try:
            routed = await route.ask(
                models,
                request_for,
                self._live.add if question.is_shown else _unseen,
                attempting=self._attempting(question),
            )
            answer = _tidy(routed.answer, sending[0], f"{run.id}_{question.n}")
            model, attempts, error = routed.model, routed.attempts, None
        except ModelError as failed:
            answer, model, attempts, error = None, models[-1], failed.attempts, failed
        finally:
            self._live.stop()
        view = self._view(run, question.n, answer, model=model, attempts=attempts, error=error)
        took_ms = int((self._place.monotonic() - began) * 1000)
        return Asked(
            view=msgspec.structs.replace(view, duration_ms=took_ms),
            answer=answer,
            error=error,
            priced=answer is None or model.facts.prices is not None,
            sent=sending[0],
            choice=question.choice,
            thinking=self._thinking(model),
            output_tokens=min(output_tokens, model.facts.output_tokens),
        )

    def _request(
        self,
        model: Model,
        run: RunView,
        fragments: list[Fragment],
        question: Question,
        output_tokens: int,
    ) -> ModelRequest:
        patience = self._place.patience
        return ModelRequest(
            model=model.ref.partition(":")[2],
            system=self._prompt.text,
            messages=fragments,
            tools=self._prompt.tools,
            tool_choice=question.choice,
            thinking=self._thinking(model),
            max_output_tokens=min(output_tokens, model.facts.output_tokens),
            idle_limit_s=patience.idle_s,
            total_limit_s=patience.turn_s,
            agent=run.agent,
            item=self._item,
        )

    def _attempting(self, question: Question) -> route.Attempting:
        patience = self._place.patience
        return route.Attempting(
            ready=self._ready,
            wait=self._place.gate.pause_within,
            begin=lambda: self._live.begin(question.n) if question.is_shown else None,
            out_of_money=self._out_of_money,
            backoff_s=patience.backoff_s,
            backoff_max_s=patience.backoff_max_s,
        )

    def _out_of_money(self, error: QuotaSpentError) -> None:
        """The first run that is told pauses the office; all of them wait until it goes on."""
        if self._place.gate.is_open:
            self._place.out_of_money(error)

    def _thinking(self, model: Model) -> Thinking:
        return self._agent.thinking if model.facts.reasoning else "off"

    def _learn(self, asked: Asked) -> None:
        guessed = asked.sent.tokens + self.prompt_tokens
        if asked.answer is not None and guessed:
            self.scale = min(SCALE_MAX, max(1.0, asked.answer.usage.input_tokens / guessed))

    def _view(
        self,
        run: RunView,
        n: int,
        answer: Answer | None,
        *,
        model: Model,
        attempts: int,
        error: ModelError | None,
    ) -> TurnView:
        message = answer.message if answer else None
        usage = answer.usage if answer else Usage()
        return TurnView(
            run=run.id,
            agent=run.agent,
            n=n,
            state=TurnState.COMPLETED if answer else TurnState.FAILED,
            model=model.ref,
            text=message.text[:SHOWN_CHARS] if message else "",
            reasoning=message.reasoning[:SHOWN_CHARS] if message else "",
            finish=message.finish if message else "",
            usage=usage,
            cost_usd_micros=budget.cost_micros(usage, model.facts.prices),
            attempts=attempts,
            duration_ms=0,
            error=error.message if error else "",
            day=self._place.clock.day(),
            at=self._place.clock.now(),
        )


def _unseen(_delta: object) -> None:
    return None


def _tidy(answer: Answer, sent: Sent, prefix: str) -> Answer:
    """The answer with valid text; calls without an id, or with one used before, get one of ours."""
    parts = list(answer.message.parts)
    calls = any(isinstance(part, CallPart) for part in parts)
    seen = {id_ for one in sent.fragments for id_ in one.call_ids} if calls else set[str]()
    for index, part in enumerate(parts):
        match part:
            case CallPart():
                id_ = clean(part.id)
                if not id_ or id_ in seen:
                    id_ = f"{prefix}_{index}"
                seen.add(id_)
                parts[index] = CallPart(id_, clean(part.name), clean(part.arguments))
            case TextPart(text=text):
                parts[index] = TextPart(clean(text))
            case ReasoningPart(text=text):
                parts[index] = msgspec.structs.replace(part, text=clean(text))
    message: AssistantMessage = msgspec.structs.replace(answer.message, parts=tuple(parts))
    return msgspec.structs.replace(answer, message=message)
