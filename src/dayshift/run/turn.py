"""One turn: one model request with its retries and fallbacks, streamed to people who watch, and its cost."""

from dataclasses import dataclass

import msgspec

from dayshift.config.office import AgentConfig
from dayshift.core.errors import ModelError, QuotaSpentError
from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Model,
    ModelRequest,
    ToolChoice,
    Usage,
)
from dayshift.core.states import TurnState
from dayshift.core.views import RunView, TurnView
from dayshift.run import route
from dayshift.run.briefing import Prompt
from dayshift.run.budget import check_run, cost_micros
from dayshift.run.capping import clean
from dayshift.run.dialogue import Dialogue, tokens_in
from dayshift.run.live import LiveText
from dayshift.run.workplace import Workplace

SHOWN_CHARS = 200_000
TOOL_TOKENS = 150
"""A guess of what one tool's schema takes."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A finished turn. ``answer`` is ``None`` when it failed, with the error."""

    view: TurnView
    answer: Answer | None
    error: ModelError | None
    priced: bool
    first: int
    upto: int


class Asker:
    """Asks the models of one run."""

    def __init__(
        self,
        place: Workplace,
        agent: AgentConfig,
        *,
        item: dict[str, str],
        prompt: Prompt,
        live: LiveText,
    ) -> None:
        """``item`` says what is worked off, for the rehearsal provider."""
        self._place = place
        self._agent = agent
        self._item = item
        self._prompt = prompt
        self._live = live
        self._prompt_tokens = tokens_in(prompt.text) + TOOL_TOKENS * len(prompt.tools.schemas)

    @property
    def prompt_tokens(self) -> int:
        """A guess of the tokens of the system prompt and the tools."""
        return self._prompt_tokens

    def models(self) -> list[Model]:
        """The agent's model and its fallbacks.

        Raises:
            InvalidError: The first one cannot be used; unusable fallbacks are left out.
        """
        catalogue = self._place.means.catalogue
        refs = [self._agent.model or self._place.config().model, *self._agent.fallbacks]
        return [catalogue.resolve(ref) for ref in refs if ref]

    async def ask(
        self,
        run: RunView,
        n: int,
        *,
        dialogue: Dialogue,
        models: list[Model],
        choice: ToolChoice,
        seconds: float,
    ) -> Asked:
        """Ask once; a provider's failure is in the result.

        Raises:
            BudgetSpentError: A ceiling would be passed; nothing was sent.
        """
        prices = models[0].facts.prices
        tokens = dialogue.tokens + self._prompt_tokens + models[0].facts.output_tokens
        most = Usage(
            input_tokens=tokens - models[0].facts.output_tokens,
            output_tokens=models[0].facts.output_tokens,
        )
        micros = cost_micros(most, prices)
        check_run(run, self._place.config().budget, seconds=seconds, micros=micros, tokens=tokens)
        check_run(run, self._agent.budget, seconds=seconds, micros=micros, tokens=tokens)
        held = self._place.means.purse.reserve(run.agent, micros=micros, tokens=tokens)
        began = self._place.monotonic()
        spent = 0
        used = 0
        try:
            asked = await self._route(run, n, dialogue, models, choice, began)
            spent = asked.view.cost_usd_micros
            used = asked.view.usage.input_tokens + asked.view.usage.output_tokens
            return asked
        finally:
            self._place.means.purse.settle(held, micros=spent, tokens=used)

    async def _route(
        self,
        run: RunView,
        n: int,
        dialogue: Dialogue,
        models: list[Model],
        choice: ToolChoice,
        began: float,
    ) -> Asked:
        first, upto = dialogue.first, dialogue.last
        sent = dialogue.sent()

        def request_for(model: Model) -> ModelRequest:
            return ModelRequest(
                model=model.ref.partition(":")[2],
                system=self._prompt.text,
                messages=sent,
                tools=self._prompt.tools,
                tool_choice=choice,
                thinking=self._agent.thinking if model.facts.reasoning else "off",
                max_output_tokens=model.facts.output_tokens,
                agent=run.agent,
                item=self._item,
            )

        attempting = route.Attempting(
            wait=self._place.gate.pause_within,
            begin=lambda _ref, _attempt: self._live.begin(n),
            out_of_money=self._out_of_money,
        )
        try:
            routed = await route.ask(models, request_for, self._live.add, attempting=attempting)
        except ModelError as error:
            view = self._view(run, n, models[0], None, error.attempts, began, error.message)
            return Asked(view=view, answer=None, error=error, priced=True, first=first, upto=upto)
        finally:
            self._live.stop()
        answer = msgspec.structs.replace(
            routed.answer, message=_tidy(routed.answer.message, run, n)
        )
        view = self._view(run, n, routed.model, answer, routed.attempts, began, "")
        priced = routed.model.facts.prices is not None
        return Asked(view=view, answer=answer, error=None, priced=priced, first=first, upto=upto)

    async def _out_of_money(self, error: QuotaSpentError) -> None:
        self._place.out_of_money(error)
        await self._place.gate.passed()

    def _view(
        self,
        run: RunView,
        n: int,
        model: Model,
        answer: Answer | None,
        attempts: int,
        began: float,
        error: str,
    ) -> TurnView:
        message = answer.message if answer else None
        usage = answer.usage if answer else Usage()
        return TurnView(
            run=run.id,
            agent=run.agent,
            n=n,
            state=TurnState.COMPLETED if answer else TurnState.FAILED,
            model=model.ref,
            text=clean(message.text)[:SHOWN_CHARS] if message else "",
            reasoning=clean(message.reasoning)[:SHOWN_CHARS] if message else "",
            finish=message.finish if message else "",
            usage=usage,
            cost_usd_micros=cost_micros(usage, model.facts.prices),
            attempts=attempts,
            duration_ms=int((self._place.monotonic() - began) * 1000),
            error=error,
            day=self._place.clock.day(),
            at=self._place.clock.now(),
        )


def _tidy(message: AssistantMessage, run: RunView, n: int) -> AssistantMessage:
    """Give calls that came without an id, or with one used twice, an id of ours."""
    ids = [call.id for call in message.calls]
    if all(ids) and len(set(ids)) == len(ids):
        return message
    seen: set[str] = set()
    parts = list(message.parts)
    for index, part in enumerate(parts):
        if isinstance(part, CallPart):
            if not part.id or part.id in seen:
                parts[index] = msgspec.structs.replace(part, id=f"{run.id}_{n}_{index}")
            seen.add(part.id)
    return msgspec.structs.replace(message, parts=tuple(parts))
