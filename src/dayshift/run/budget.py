"""Ceilings, checked before a model is asked: of a run, of an agent's day and of the office's day.

What a request may cost at most is reserved before it is sent and settled after, so that calls side by side cannot
jump over a ceiling together.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from dayshift.config.office import Budget
from dayshift.core.errors import BudgetSpentError
from dayshift.core.model import Prices, Usage
from dayshift.core.views import RunView

WARN_SHARE = 0.8
MILLION = 1_000_000


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


@dataclass
class Spent:
    """What was spent on one office day, and what is reserved by requests under way."""

    day: int = 0
    micros: int = 0
    tokens: int = 0
    reserved_micros: int = 0
    reserved_tokens: int = 0


@dataclass(frozen=True)
class Reservation:
    """What one request may cost at most."""

    agent: str
    day: int
    micros: int
    tokens: int


@dataclass
class Purse:
    """The day's spending of one office and of each of its agents.

    ``warned`` is called once per day and ceiling when four fifths are spent.
    """

    day: Callable[[], int]
    office: Budget
    warned: Callable[[str, str], None]
    agents: dict[str, Budget] = field(default_factory=dict[str, Budget])
    total: Spent = field(default_factory=Spent)
    by_agent: dict[str, Spent] = field(default_factory=dict[str, Spent])
    _warnings: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    def reserve(self, agent: str, *, micros: int, tokens: int) -> Reservation:
        """Set aside what a request may cost.

        Raises:
            BudgetSpentError: It would pass a ceiling of the agent's or the office's day.
        """
        day = self.day()
        for who, spent, ceiling in self._accounts(agent, day):
            if (
                ceiling.usd_micros_per_day
                and spent.micros + spent.reserved_micros + micros > ceiling.usd_micros_per_day
            ):
                raise BudgetSpentError(
                    f"The day's budget of {who} is spent: {dollars(spent.micros)} of {dollars(ceiling.usd_micros_per_day)}, "
                    f"and the next request may cost {dollars(micros)}.",
                    hint="Raise budget.usd_per_day in office.yaml, or wait for the next office day.",
                )
            if (
                ceiling.tokens_per_day
                and spent.tokens + spent.reserved_tokens + tokens > ceiling.tokens_per_day
            ):
                raise BudgetSpentError(
                    f"The day's tokens of {who} are spent: {spent.tokens:,} of {ceiling.tokens_per_day:,}, "
                    f"and the next request may take {tokens:,}.",
                    hint="Raise budget.tokens_per_day in office.yaml, or wait for the next office day.",
                )
        for _, spent, _ in self._accounts(agent, day):
            spent.reserved_micros += micros
            spent.reserved_tokens += tokens
        return Reservation(agent, day, micros, tokens)

    def settle(self, reservation: Reservation, *, micros: int, tokens: int) -> None:
        """Book what the request really cost, 0 when it failed, and give back what was set aside."""
        for who, spent, ceiling in self._accounts(reservation.agent, reservation.day):
            spent.reserved_micros = max(0, spent.reserved_micros - reservation.micros)
            spent.reserved_tokens = max(0, spent.reserved_tokens - reservation.tokens)
            spent.micros += micros
            spent.tokens += tokens
            self._warn(who, spent, ceiling)

    def _accounts(self, agent: str, day: int) -> list[tuple[str, Spent, Budget]]:
        mine = self.by_agent.setdefault(agent, Spent(day))
        for spent in (self.total, mine):
            if spent.day != day:
                spent.day, spent.micros, spent.tokens = day, 0, 0
        accounts = [("the office", self.total, self.office)]
        if agent in self.agents:
            accounts.append((agent, mine, self.agents[agent]))
        return accounts

    def _warn(self, who: str, spent: Spent, ceiling: Budget) -> None:
        money = (
            ceiling.usd_micros_per_day and spent.micros >= ceiling.usd_micros_per_day * WARN_SHARE
        )
        tokens = ceiling.tokens_per_day and spent.tokens >= ceiling.tokens_per_day * WARN_SHARE
        if (money or tokens) and (spent.day, who) not in self._warnings:
            self._warnings.add((spent.day, who))
            amount = dollars(spent.micros) if money else f"{spent.tokens:,} tokens"
            self.warned(who, f"{who} has spent {amount}, four fifths or more of the day's budget.")


def check_run(run: RunView, budget: Budget, *, seconds: float, micros: int, tokens: int) -> None:
    """Check a run's own ceilings before its next request.

    Raises:
        BudgetSpentError: The request would pass one of them.
    """
    if budget.usd_micros_per_run and run.cost_usd_micros + micros > budget.usd_micros_per_run:
        raise BudgetSpentError(
            f"The run has spent {dollars(run.cost_usd_micros)} of {dollars(budget.usd_micros_per_run)}.",
            hint="Raise budget.usd_per_run in office.yaml.",
        )
    used = run.usage.input_tokens + run.usage.output_tokens
    if budget.tokens_per_run and used + tokens > budget.tokens_per_run:
        raise BudgetSpentError(
            f"The run has used {used:,} of {budget.tokens_per_run:,} tokens.",
            hint="Raise budget.tokens_per_run in office.yaml.",
        )
    if budget.seconds_per_run and seconds > budget.seconds_per_run:
        raise BudgetSpentError(
            f"The run has taken {seconds:.0f} s of {budget.seconds_per_run} s.",
            hint="Raise budget.seconds_per_run in office.yaml.",
        )


def dollars(micros: int) -> str:
    """Money as people read it."""
    value = micros / MILLION
    return f"${value:.2f}" if micros >= MILLION or micros == 0 else f"${value:.6f}".rstrip("0")
