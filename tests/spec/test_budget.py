"""Budgets: ceilings are checked before a model is asked, and hold for calls side by side."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dayshift.core.entries import AlertChanged, PromptComposed
from dayshift.core.model import ModelFacts, Prices, Usage
from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import BARE, OfficeHarness, Setting, does
from dayshift.testing.office_harness_means import JumpingClock

if TYPE_CHECKING:
    from pathlib import Path

DOLLAR = 1_000_000
PRICED = ModelFacts(
    output_tokens=1_000,
    prices=Prices(
        input=1 * DOLLAR, output=10 * DOLLAR, cache_read=DOLLAR // 10, cache_write=2 * DOLLAR
    ),
)
FREE = ModelFacts(output_tokens=1_000)


def office_with(budget: str) -> str:
    """The office with a budget of its own."""
    return BARE.replace('model: "fake:m"', f'model: "fake:m", budget: {{{budget}}}')


def agent_with(budget: str) -> str:
    """The office in which Iris has a budget of her own."""
    return BARE.replace("title: Lead", f"title: Lead, budget: {{{budget}}}")


def says(*, tokens: int, text: str = "ok") -> Say:
    """An answer that used so many tokens."""
    return Say(text=text, usage=Usage(input_tokens=tokens - 10, output_tokens=10))


def codes(office: OfficeHarness) -> list[str]:
    """Codes of the alerts, one for each time one was raised or repeated."""
    return [entry.alert.code for entry in office.entries(AlertChanged)]


async def about_to_ask(office: OfficeHarness, agent: str) -> None:
    """Wait until an agent's first request is sent, or waits for what others have set aside."""
    await office.until(PromptComposed, lambda entry: entry.agent == agent)
    await office.runs()


async def test_a_days_tokens_warn_at_four_fifths_and_stop_before_they_are_passed(
    tmp_path: Path,
) -> None:
    """A model that costs nothing still has a ceiling in tokens; the request beyond it is not sent.

    Demanded by: COST-06, RUN-8.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 100000"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", says(tokens=79_000), says(tokens=2_000), says(tokens=18_500))
        await office.ada.asks("iris", "One")
        await office.settled()
        before_warning = codes(office)
        await office.ada.asks("iris", "Two")
        await office.settled()
        at_warning = codes(office)
        await office.ada.asks("iris", "Three")
        await office.settled()

        await office.ada.asks("iris", "Four")
        await office.settled()

        run = (await office.runs())[-1]
        assert (before_warning, at_warning) == ([], ["budget_warning"])
        assert codes(office) == ["budget_warning", "run_blocked"]
        assert len(office.model.requests) == 3
        assert (run.state, run.reason_code) == ("blocked", "budget_spent")
        assert "99,500 tokens of 100,000 tokens" in run.reason
        assert "tokens_per_day" in (await office.ada.sees("iris"))[-1]
        await office.snapshot_equals_replay()


async def test_requests_side_by_side_cannot_jump_over_a_ceiling_together(tmp_path: Path) -> None:
    """Where there is room for one of two requests, the second waits for what the first leaves.

    Demanded by: COST-06.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 3800"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda _: says(tokens=3_000)
        office.script.hold()
        await office.ada.asks("iris", "One")
        await office.model_asked(1)
        await office.ada.asks("juno", "Two")
        await about_to_ask(office, "juno")
        office.script.let_go()
        await office.settled()

        assert len(office.model.requests) == 1
        states = sorted(run.state for run in await office.runs())
        assert states == ["blocked", "completed"]


async def test_what_a_request_did_not_use_is_there_for_the_one_that_waits(tmp_path: Path) -> None:
    """The second of two requests is sent when the first has given back what it had set aside.

    Demanded by: COST-06.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 3800"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda _: says(tokens=100)
        office.script.hold()
        await office.ada.asks("iris", "One")
        await office.model_asked(1)
        await office.ada.asks("juno", "Two")
        await about_to_ask(office, "juno")
        asked = len(office.model.requests)
        office.script.let_go()
        await office.settled()

        assert (asked, len(office.model.requests)) == (1, 2)
        assert [run.state for run in await office.runs()] == ["completed"] * 2


async def test_an_answer_is_made_shorter_where_little_is_left(tmp_path: Path) -> None:
    """A ceiling with room for half an answer asks for half an answer.

    Demanded by: RUN-8.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 2000"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        await office.ada.asks("iris", "One")
        await office.settled()

        limit = office.model.requests[0].body["max_tokens"]
        assert 512 <= limit < 1_000


async def test_money_stops_a_run_before_it_is_overspent(tmp_path: Path) -> None:
    """A run's ceiling in money counts what the next request may cost at most.

    Demanded by: RUN-8, MODEL-5.
    """
    setting = Setting(yaml=agent_with("usd_per_run: 0.1"), facts={"fake:m": PRICED})
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda seen: Say(
            calls=does("bash", command=f"echo {seen.step}").calls,
            usage=Usage(input_tokens=10_000, output_tokens=1_000),
        )

        await office.ada.asks("iris", "Go")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == ("blocked", "budget_spent")
        assert (run.turns, run.cost_usd_micros) == (5, 100_000)
        assert codes(office) == ["run_budget_warning", "run_blocked"]
        assert "four fifths" in office.model.requests[-1].said
        await office.snapshot_equals_replay()


async def test_an_agents_own_day_stops_it_and_nobody_else(tmp_path: Path) -> None:
    """Iris has spent hers, Juno works on; also after a restart.

    Demanded by: RUN-8.
    """
    setting = Setting(yaml=agent_with("tokens_per_day: 4000"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda _: says(tokens=3_500)
        await office.ada.asks("iris", "One")
        await office.settled()
        await office.restart()

        await office.ada.asks("iris", "Two")
        await office.ada.asks("juno", "Three")
        await office.settled()

        assert sorted((run.agent, run.state) for run in await office.runs()) == [
            ("iris", "blocked"),
            ("iris", "completed"),
            ("juno", "completed"),
        ]
        assert codes(office) == ["budget_warning", "run_blocked"]


async def test_a_spent_day_holds_the_inbox_until_the_next(tmp_path: Path) -> None:
    """With nothing left of the day no run begins; what waits is worked off the next day.

    Demanded by: RUN-8, EVT-4.
    """
    setting = Setting(
        yaml=office_with("tokens_per_day: 4000"), facts={"fake:m": FREE}, clock=JumpingClock()
    )
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", says(tokens=4_000), says(tokens=100, text="Good morning."))
        await office.ada.asks("iris", "One")
        await office.settled()
        await office.ada.asks("iris", "Two")
        await office.settled()
        held = [item.state for item in (await office.snapshot()).items.values()]

        office.jump(days=1)
        await office.model_asked(2)
        await office.settled()

        assert held == ["queued"]
        assert (await office.ada.sees("iris"))[-1] == "iris: Good morning."
        await office.snapshot_equals_replay()


async def test_a_run_stops_when_its_time_is_over(tmp_path: Path) -> None:
    """Real seconds count from its start, over a restart.

    Demanded by: RUN-8.
    """
    setting = Setting(yaml=agent_with("seconds_per_run: 600"), clock=JumpingClock())
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda seen: does("bash", command=f"echo {seen.step}")
        office.script.hold()
        await office.ada.asks("iris", "Go")
        await office.model_asked(1)
        office.jump(seconds=601)
        office.script.let_go()
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code, run.turns) == ("blocked", "budget_spent", 1)
        assert "601 s of 600 s" in run.reason


async def test_a_warning_is_given_once_a_day(tmp_path: Path) -> None:
    """Beyond four fifths every further request is silent, also after a restart.

    Demanded by: RUN-8.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 10000"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", says(tokens=8_000), says(tokens=100))
        office.says("juno", says(tokens=100))
        await office.ada.asks("iris", "One")
        await office.settled()
        await office.ada.asks("iris", "Two")
        await office.settled()
        await office.restart()

        await office.ada.asks("juno", "Three")
        await office.settled()

        assert codes(office) == ["budget_warning"]
        alert = office.entries(AlertChanged)[0].alert
        assert "8,000 tokens of 10,000, four fifths or more" in alert.text


async def test_cancelling_gives_back_what_was_set_aside(tmp_path: Path) -> None:
    """A request that was cut off holds nothing for the next one.

    Demanded by: COST-06, RUN-3.
    """
    setting = Setting(yaml=office_with("tokens_per_day: 3800"), facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(text="x", stall_after=0))
        office.says("juno", says(tokens=100))
        await office.ada.asks("iris", "One")
        await office.model_asked(1)

        async with asyncio.TaskGroup() as group:
            group.create_task(office.ada.asks("juno", "Two"))
            group.create_task(office.ada.cancels("R-1"))
        await office.settled()

        assert [(run.agent, run.state) for run in await office.runs()] == [
            ("iris", "cancelled"),
            ("juno", "completed"),
        ]
