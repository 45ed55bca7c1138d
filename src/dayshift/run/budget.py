"""Ceilings, checked before a model is asked: of a run, of an agent's day and of the office's day.

What a request may cost at most is reserved before it is sent and settled after, so that calls side
by side cannot jump over a ceiling together. Where less is left than an answer may take, the answer
is made shorter; where too little is left for one, nothing is sent.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from dayshift.config.office import Budget
from dayshift.core.errors import BudgetSpentError
from dayshift.core.model import Model, Prices, Usage
from dayshift.core.views import RunView

WARN_SHARE = 0.8
MILLION = 1_000_000
OUTPUT_MIN = 512
"""Fewer tokens than these are no answer."""


def cost_micros(usage: Usage, prices: Prices | None) -> int:
    """Money a request cost, in millionths of a dollar; 0 when the price is unknown."""
    if prices is None:
        return 0
    plain = max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens)
    total = (
        plain * prices.input
        + usage.cache_read_tokens * prices.cache_read
        + usage.cache_write_tokens * prices.cache_write
        + usage.output_tokens * prices.output
    )
    return -(-total // MILLION)


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What one request may take at most; prices in millionths of a dollar a million tokens."""

    input_tokens: int
    output_tokens: int
    input_price: int = 0
    output_price: int = 0

    def micros(self, output_tokens: int) -> int:
        """Money with an answer of so many tokens."""
        total = self.input_tokens * self.input_price + output_tokens * self.output_price
        return -(-total // MILLION)


def estimate(models: Sequence[Model], input_tokens: int) -> Estimate:
    """What a request to any of some models may take; the dearest counts."""
    prices = [model.facts.prices for model in models if model.facts.prices is not None]
    return Estimate(
        input_tokens=input_tokens,
        output_tokens=models[0].facts.output_tokens,
        input_price=max((max(p.input, p.cache_write) for p in prices), default=0),
        output_price=max((p.output for p in prices), default=0),
    )


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """One limit with what was used of it, in tokens or micros.

    ``held`` is set aside by requests under way, which may give some of it back.
    """

    what: str
    used: int
    limit: int
    is_money: bool
    hint: str
    held: int = 0

    def output_left(self, request: Estimate, *, held: bool) -> int:
        """Tokens of answer that still fit below it; negative when not even the question does.

        With ``held``, what is set aside counts as used.
        """
        left = self.limit - self.used - (self.held if held else 0)
        if not self.is_money:
            return left - request.input_tokens
        left -= request.micros(0)
        if left < 0 or not request.output_price:
            return left if left < 0 else request.output_tokens
        return left * MILLION // request.output_price

    def spent(self) -> BudgetSpentError:
        """The refusal."""
        say = dollars if self.is_money else tokens
        return BudgetSpentError(
            f"{self.what} is spent: {say(self.used)} of {say(self.limit)}, "
            "and the next request may pass it.",
            hint=self.hint,
        )


@dataclass
class Spent:
    """What was spent on one office day, and what is reserved by requests under way."""

    day: int = 0
    micros: int = 0
    tokens: int = 0
    reserved_micros: int = 0
    reserved_tokens: int = 0


class Reservation(msgspec.Struct, frozen=True, kw_only=True):
    """What was set aside for one request. ``output_tokens``: its answer may be so long."""

    agent: str
    day: int
    micros: int
    tokens: int
    output_tokens: int


@dataclass
class Purse:
    """The day's spending of one office and of each of its agents.

    ``warned`` is called once a day and ceiling when four fifths are spent.
    """

    day: Callable[[], int]
    office: Budget
    warned: Callable[[str, str], None]
    agents: dict[str, Budget] = field(default_factory=dict[str, Budget])
    total: Spent = field(default_factory=Spent)
    by_agent: dict[str, Spent] = field(default_factory=dict[str, Spent])
    _warnings: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

    def load(self, day: int, spent: Mapping[str, tuple[int, int]]) -> None:
        """Take over what the ledger says was spent on a day: money and tokens by agent.

        What was warned of before is not warned of again.
        """
        self.by_agent = {name: Spent(day, *amounts) for name, amounts in spent.items()}
        micros = sum(one.micros for one in self.by_agent.values())
        self.total = Spent(day, micros, sum(one.tokens for one in self.by_agent.values()))
        near = [("the office", self.total, self.office)]
        near += [(n, self.by_agent.get(n, Spent()), budget) for n, budget in self.agents.items()]
        self._warnings = {(day, who) for who, one, budget in near if _is_near(one, budget)}

    async def reserve(
        self, agent: str, request: Estimate, own: Sequence[Ceiling] = ()
    ) -> Reservation:
        """Set aside what a request may take; ``own`` are the ceilings of its run.

        Waits while it would fit but for what requests under way have set aside.

        Raises:
            BudgetSpentError: It would pass a ceiling, even with the shortest answer.
        """
        day = self.day()
        ceilings = [*own, *self._ceilings(agent, day)]
        while (output := _fitting(request, ceilings)) is None:
            self._settled.clear()
            await self._settled.wait()
            day = self.day()
            ceilings = [*own, *self._ceilings(agent, day)]
        micros, used = request.micros(output), request.input_tokens + output
        for _, spent, _ in self._accounts(agent, day):
            spent.reserved_micros += micros
            spent.reserved_tokens += used
        return Reservation(agent=agent, day=day, micros=micros, tokens=used, output_tokens=output)

    def settle(self, held: Reservation, *, micros: int, tokens: int) -> None:
        """Book what the request really took, 0 when it failed, and give back what was held."""
        self._settled.set()
        for who, spent, budget in self._accounts(held.agent, held.day):
            spent.reserved_micros = max(0, spent.reserved_micros - held.micros)
            spent.reserved_tokens = max(0, spent.reserved_tokens - held.tokens)
            spent.micros += micros
            spent.tokens += tokens
            if _is_near(spent, budget) and (spent.day, who) not in self._warnings:
                self._warnings.add((spent.day, who))
                self.warned(who, f"{who} has spent {_share(spent, budget)} of the day's budget.")

    def is_spent(self, agent: str) -> bool:
        """Whether nothing is left of the agent's or the office's day, so that no run may begin."""
        return any(ceiling.used >= ceiling.limit for ceiling in self._ceilings(agent, self.day()))

    def _ceilings(self, agent: str, day: int) -> list[Ceiling]:
        found: list[Ceiling] = []
        for who, spent, budget in self._accounts(agent, day):
            if budget.usd_micros_per_day:
                found.append(
                    Ceiling(
                        what=f"The day's budget of {who}",
                        used=spent.micros,
                        held=spent.reserved_micros,
                        limit=budget.usd_micros_per_day,
                        is_money=True,
                        hint=_raise("usd_per_day", "or wait for the next office day"),
                    )
                )
            if budget.tokens_per_day:
                found.append(
                    Ceiling(
                        what=f"The day's token budget of {who}",
                        used=spent.tokens,
                        held=spent.reserved_tokens,
                        limit=budget.tokens_per_day,
                        is_money=False,
                        hint=_raise("tokens_per_day", "or wait for the next office day"),
                    )
                )
        return found

    def _accounts(self, agent: str, day: int) -> list[tuple[str, Spent, Budget]]:
        mine = self.by_agent.setdefault(agent, Spent(day))
        for spent in (self.total, mine):
            if spent.day != day:
                spent.day, spent.micros, spent.tokens = day, 0, 0
        accounts = [("the office", self.total, self.office)]
        if agent in self.agents:
            accounts.append((agent, mine, self.agents[agent]))
        return accounts


def _fitting(request: Estimate, ceilings: Sequence[Ceiling]) -> int | None:
    """Tokens of answer that fit below all ceilings; ``None`` when it must wait for others."""
    least = min(OUTPUT_MIN, request.output_tokens)
    for ceiling in ceilings:
        if ceiling.output_left(request, held=False) < least:
            raise ceiling.spent()
    left = [ceiling.output_left(request, held=True) for ceiling in ceilings]
    output = min([request.output_tokens, *left])
    return output if output >= least else None


def run_ceilings(run: RunView, budget: Budget) -> list[Ceiling]:
    """A run's own ceilings in money and tokens."""
    used = run.usage.input_tokens + run.usage.output_tokens
    found: list[Ceiling] = []
    if budget.usd_micros_per_run:
        found.append(
            Ceiling(
                what="The budget of the run",
                used=run.cost_usd_micros,
                limit=budget.usd_micros_per_run,
                is_money=True,
                hint=_raise("usd_per_run"),
            )
        )
    if budget.tokens_per_run:
        found.append(
            Ceiling(
                what="The token budget of the run",
                used=used,
                limit=budget.tokens_per_run,
                is_money=False,
                hint=_raise("tokens_per_run"),
            )
        )
    return found


def near_end(run: RunView, budget: Budget, seconds: float) -> str:
    """What a run has nearly used up, in words; empty while it has not."""
    ceilings = run_ceilings(run, budget)
    for one in ceilings:
        if one.used >= one.limit * WARN_SHARE:
            say = dollars if one.is_money else tokens
            return f"{say(one.used)} of {say(one.limit)}"
    if budget.seconds_per_run and seconds >= budget.seconds_per_run * WARN_SHARE:
        return f"{seconds:.0f} s of {budget.seconds_per_run} s"
    return ""


def check_time(budget: Budget, seconds: float) -> None:
    """Check a run's ceiling in real seconds.

    Raises:
        BudgetSpentError: It has taken as long as it may.
    """
    if budget.seconds_per_run and seconds >= budget.seconds_per_run:
        raise BudgetSpentError(
            f"The run has taken {seconds:.0f} s of {budget.seconds_per_run} s.",
            hint=_raise("seconds_per_run"),
        )


def dollars(micros: int) -> str:
    """Money as people read it."""
    value = micros / MILLION
    return f"${value:.2f}" if micros >= MILLION or micros == 0 else f"${value:.6f}".rstrip("0")


def tokens(count: int) -> str:
    """Tokens as people read them."""
    return f"{count:,} tokens"


def _raise(name: str, otherwise: str = "") -> str:
    return f"Raise budget.{name} in office.yaml{', ' if otherwise else ''}{otherwise}."


def _is_near(spent: Spent, budget: Budget) -> bool:
    money = budget.usd_micros_per_day and spent.micros >= budget.usd_micros_per_day * WARN_SHARE
    used = budget.tokens_per_day and spent.tokens >= budget.tokens_per_day * WARN_SHARE
    return bool(money or used)


def _share(spent: Spent, budget: Budget) -> str:
    if budget.usd_micros_per_day and spent.micros >= budget.usd_micros_per_day * WARN_SHARE:
        return (
            f"{dollars(spent.micros)} of {dollars(budget.usd_micros_per_day)}, four fifths or more,"
        )
    return f"{tokens(spent.tokens)} of {budget.tokens_per_day:,}, four fifths or more,"
