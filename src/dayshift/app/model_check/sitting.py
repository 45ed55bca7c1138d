"""The check itself: every situation is put to the model over its real wire, and judged.

Nothing that the model calls is done; what tools would answer stands with the situation.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from dayshift.app.model_check.judge import Judge, Verdict
from dayshift.app.model_check.scorecard import (
    GOOD_FOR,
    Asked,
    Scorecard,
    Spent,
    asked,
    figures,
    level,
)
from dayshift.app.model_check.situations import Book, Situation, load, tools_of
from dayshift.clock.real import monotonic
from dayshift.core.errors import (
    BudgetSpentError,
    ModelAuthError,
    ModelError,
    ModelNotFoundError,
    ModelUnreachableError,
    QuotaSpentError,
)
from dayshift.core.model import (
    Answer,
    CallPart,
    Fragment,
    Message,
    Model,
    ModelRequest,
    TextPart,
    ToolMessage,
    ToolSet,
    UserMessage,
)
from dayshift.core.tools import ToolResult, parse_arguments
from dayshift.models.catalogue import Catalogue
from dayshift.models.local import Shelf
from dayshift.models.providers import load_providers
from dayshift.models.rehearsal import PROVIDER as REHEARSAL
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire
from dayshift.run import route
from dayshift.run.budget import cost_micros, estimate

AT_ONCE = 3
IDLE_LIMIT_S = 60.0
TOTAL_LIMIT_S = 180.0
BACKOFF_S = 1.0
BACKOFF_MAX_S = 20.0
OUTPUT_TOKENS_MAX = 2_000
ERRORS_MAX = 5
"""So many situations may end by an error of the provider before the check is given up."""
BYTES_PER_TOKEN = 3
"""Few enough that an estimate is rather too high."""
TURNS_USUAL = 1.7
OUTPUT_TOKENS_USUAL = 120
USD = 1_000_000
_FINAL = (ModelAuthError, ModelNotFoundError, ModelUnreachableError, QuotaSpentError)


@dataclass(frozen=True, kw_only=True)
class Means:
    """What a check is done with.

    Attributes:
        max_micros: What it may cost at most, in millionths of a dollar.
        at_once: How many situations are asked at the same time.
        now: Real seconds.
        wait: Waits so many real seconds.
    """

    model: Model
    book: Book
    max_micros: int
    at_once: int
    now: Callable[[], float]
    wait: Callable[[float], Awaitable[object]] = asyncio.sleep


@dataclass
class Sitting:
    """One check of one model."""

    means: Means
    spent: Spent = field(default_factory=Spent)
    done: dict[str, Asked] = field(default_factory=dict[str, Asked])
    errors: int = 0
    is_over: bool = False
    """A limit was reached; nothing more is asked."""
    _held: int = 0

    def __post_init__(self) -> None:
        """Make the tools ready to be offered."""
        self._tools = {tool.name: tool for tool in tools_of(self.means.book)}
        self._offered = ToolSet(tuple(tool.schema for tool in self._tools.values()))

    async def hold(self, tell: Callable[[int], None]) -> Scorecard:
        """Ask everything, or as much as the limit allows.

        Args:
            tell: Hears how many situations are done.

        Raises:
            ModelError: The provider refuses for good, or fails again and again.
        """
        began = self.means.now()
        left = iter(self.means.book.situations)
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(self.means.at_once):
                    group.create_task(self._work(left, tell), name=f"check {number}")
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return self._card(self.means.now() - began)

    def usual_usd(self) -> float | None:
        """About what the whole check costs, in dollars; ``None`` when no price is known."""
        if self.means.model.facts.prices is None:
            return None
        situations = self.means.book.situations
        one = estimate([self.means.model], self._size(self._request([_told(situations[0])])))
        return one.micros(OUTPUT_TOKENS_USUAL) * len(situations) * TURNS_USUAL / USD

    async def _work(self, left: Iterator[Situation], tell: Callable[[int], None]) -> None:
        for situation in left:
            if self.is_over:
                return
            try:
                verdict, turns = await self._play(situation)
            except BudgetSpentError:
                self.is_over = True
                return
            self.done[situation.id] = asked(situation, verdict, turns)
            tell(len(self.done))

    async def _play(self, situation: Situation) -> tuple[Verdict, int]:
        """Put one situation to the model until it is decided."""
        judge = Judge(situation, self.means.book.looks)
        answers = _Answers(situation, self.means.book.world)
        dialogue = [_told(situation)]
        for turn in range(1, situation.turns_max + 1):
            try:
                answer = await self._ask(self._request(dialogue))
            except _FINAL:
                raise
            except ModelError as error:
                self.errors += 1
                if self.errors >= ERRORS_MAX:
                    raise
                return Verdict(right=False, why=error.message), turn
            message = answer.message
            if message.finish == "length":
                return Verdict(right=False, why="It was cut off by the limit of its tokens."), turn
            if not message.calls:
                return judge.ended(message.text), turn
            dialogue.append(Fragment(message))
            for call in message.calls:
                verdict, result = self._called(judge, answers, call)
                if verdict is not None:
                    return verdict, turn
                dialogue.append(Fragment(result))
        return Verdict(right=False, why="It came to no end."), situation.turns_max

    def _called(
        self, judge: Judge, answers: "_Answers", call: CallPart
    ) -> tuple[Verdict | None, Message]:
        """Judge a call, and tell what the tool answers."""
        tool = self._tools.get(call.name)
        if tool is None:
            text = f"There is no tool {call.name}."
            return None, ToolMessage(call.id, call.name, text, ok=False)
        arguments = parse_arguments(tool, call.arguments)
        if isinstance(arguments, ToolResult):
            return None, ToolMessage(call.id, call.name, arguments.text, ok=False)
        verdict = judge.called(call.name, msgspec.to_builtins(arguments))
        return verdict, ToolMessage(call.id, call.name, answers.next(call.name))

    async def _ask(self, request: ModelRequest) -> Answer:
        """Send one request, trying again what may pass, within the limit of money.

        Raises:
            BudgetSpentError: It could cost more than is left.
            ModelError: It failed for good.
        """
        model = self.means.model
        held = estimate([model], self._size(request)).micros(request.max_output_tokens)
        if self.spent.cost_micros + self._held + held > self.means.max_micros:
            raise BudgetSpentError("What the check may cost is used up.")
        self._held += held
        try:
            routed = await route.ask(
                [model], lambda _model: request, lambda _delta: None, attempting=self._attempting()
            )
        finally:
            self._held -= held
        usage = routed.answer.usage
        self.spent.requests += 1
        self.spent.input_tokens += usage.input_tokens
        self.spent.output_tokens += usage.output_tokens
        self.spent.cost_micros += cost_micros(usage, model.facts.prices)
        return routed.answer

    def _attempting(self) -> route.Attempting:
        empty: list[QuotaSpentError] = []

        async def ready() -> None:
            if empty:
                raise empty[0]

        return route.Attempting(
            ready=ready,
            wait=self.means.wait,
            begin=lambda: None,
            out_of_money=empty.append,
            backoff_s=BACKOFF_S,
            backoff_max_s=BACKOFF_MAX_S,
        )

    def _request(self, dialogue: list[Fragment]) -> ModelRequest:
        model = self.means.model
        return ModelRequest(
            model=model.ref.partition(":")[2],
            system=self.means.book.system,
            messages=list(dialogue),
            tools=self._offered,
            max_output_tokens=min(OUTPUT_TOKENS_MAX, model.facts.output_tokens),
            idle_limit_s=IDLE_LIMIT_S,
            total_limit_s=TOTAL_LIMIT_S,
            agent="noa",
            item={"kind": "check", "source": "office", "text": _told_first(dialogue)},
        )

    def _size(self, request: ModelRequest) -> int:
        """About how many tokens a request has; rather too many."""
        return len(self.means.model.render(request)) // BYTES_PER_TOKEN

    def _card(self, took_s: float) -> Scorecard:
        book, model = self.means.book, self.means.model
        done = [self.done[one.id] for one in book.situations if one.id in self.done]
        found = figures(book, done)
        reached = level(found, is_script=model.provider == REHEARSAL)
        return Scorecard(
            model=model.ref,
            complete=len(done) == len(book.situations),
            right=sum(one.right for one in done),
            of=len(done),
            level=reached,
            good_for=GOOD_FOR[reached],
            figures=found,
            requests=self.spent.requests,
            input_tokens=self.spent.input_tokens,
            output_tokens=self.spent.output_tokens,
            cost_usd=self.spent.cost_micros / USD if model.facts.prices is not None else None,
            took_s=round(took_s, 1),
            situations=done,
        )


class _Answers:
    """What the tools of one situation answer."""

    def __init__(self, situation: Situation, world: dict[str, str]) -> None:
        self._left = {tool: list(texts) for tool, texts in situation.results.items()}
        self._world = world

    def next(self, tool: str) -> str:
        """The next answer of a tool; the last one stays."""
        left = self._left.get(tool)
        if not left:
            return self._world[tool]
        return left.pop(0) if len(left) > 1 else left[0]


def _told(situation: Situation) -> Fragment:
    return Fragment(UserMessage((TextPart(situation.text),)))


def _told_first(dialogue: list[Fragment]) -> str:
    message = dialogue[0].message
    parts = message.parts if isinstance(message, UserMessage) else ()
    return "".join(part.text for part in parts if isinstance(part, TextPart))


@asynccontextmanager
async def open_check(
    home: Path,
    variables: Mapping[str, str],
    ref: str,
    *,
    max_usd: float,
) -> AsyncGenerator[Sitting]:
    """A check of a model, ready to be held; nothing has been sent yet.

    Args:
        home: Where the owner's list of providers and the model files are.
        variables: The environment, for keys.
        ref: The model, as ``provider:model``.
        max_usd: What it may cost at most, in dollars.

    Raises:
        InvalidError: No provider knows the model, or its key is missing.
        ConfigError: The owner's list of providers is wrong.
    """
    book = await asyncio.to_thread(load)
    async with Wire() as wire:

        def find() -> Model:
            # Nobody watches, so a script's pauses are left out.
            rehearsals = Rehearsals(scale=0)
            providers = load_providers(home)
            known = Catalogue(providers, variables.get, wire, rehearsals, shelf=Shelf(home))
            return known.resolve(ref)

        model = await asyncio.to_thread(find)
        is_here = model.facts.prices is not None and not model.facts.prices.output
        yield Sitting(
            Means(
                model=model,
                book=book,
                max_micros=round(max_usd * USD),
                # A model on this machine has one place, and its clock runs while others wait.
                at_once=1 if is_here else AT_ONCE,
                now=monotonic,
            )
        )
