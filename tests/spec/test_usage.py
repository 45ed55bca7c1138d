"""Usage: what each turn took and cost, by agent, run, task, model and day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.core.model import ModelFacts, Prices, Usage
from dayshift.facilities.records import Records
from dayshift.testing.model_server import Fail, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path

DOLLAR = 1_000_000
PRICED = ModelFacts(
    prices=Prices(
        input=2 * DOLLAR, output=10 * DOLLAR, cache_read=DOLLAR // 5, cache_write=5 * DOLLAR // 2
    )
)
CACHED = Usage(
    input_tokens=10_000, output_tokens=500, cache_read_tokens=8_000, cache_write_tokens=1_000
)
COST = 1_000 * 2 + 8_000 // 5 + 2_500 + 500 * 10
"""Of ``CACHED``, in millionths of a dollar."""


async def test_cached_tokens_cost_what_they_cost(tmp_path: Path) -> None:
    """Input with a part read from and a part written to the cache is priced part by part, once.

    Demanded by: MODEL-5, COST-05.
    """
    async with OfficeHarness(tmp_path, Setting(facts={"fake:m": PRICED})) as office:
        office.says("iris", Say(text="ok", usage=CACHED))

        await office.ada.asks("iris", "Go")
        await office.settled()

        turn = (await office.turns("R-1"))[0]
        run = (await office.runs())[0]
        assert (turn.usage, turn.cost_usd_micros) == (CACHED, COST)
        assert (run.usage, run.cost_usd_micros) == (CACHED, COST)
        assert (await office.snapshot()).office.spent_usd_micros == COST
        await office.snapshot_equals_replay()


async def test_the_same_call_costs_the_same_in_both_dialects(tmp_path: Path) -> None:
    """One dialect counts cached input inside the input, the other beside it.

    Demanded by: COST-05.
    """
    setting = Setting(facts={"fake:m": PRICED}, dialect="anthropic")
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(text="ok", usage=CACHED))

        await office.ada.asks("iris", "Go")
        await office.settled()

        turn = (await office.turns("R-1"))[0]
        assert (turn.usage, turn.cost_usd_micros) == (CACHED, COST)


async def test_what_was_spent_is_the_same_after_a_crash(tmp_path: Path) -> None:
    """The day's spending is summed from the turns, so that nothing is forgotten or counted twice.

    Demanded by: MODEL-5, RUN-4.
    """
    async with OfficeHarness(tmp_path, Setting(facts={"fake:m": PRICED})) as office:
        office.says("iris", does("bash", command="echo hi"), Say(text="ok", usage=CACHED))
        await office.ada.asks("iris", "Go")
        await office.settled()
        before = (await office.snapshot()).office.spent_usd_micros

        await office.kill_and_reopen()

        assert (await office.snapshot()).office.spent_usd_micros == before
        assert office.office.purse.total.micros == before
        await office.ada.pauses()
        await office.snapshot_equals_replay()


async def test_a_failed_turn_is_a_row_with_its_attempts_and_its_error(tmp_path: Path) -> None:
    """Three refusals that may pass and one that may not: the turn says how often and why.

    Demanded by: MODEL-3, MODEL-5.
    """
    async with OfficeHarness(tmp_path) as office:
        down = Fail(status=503)
        wrong = Fail(status=401, body={"error": {"message": "bad key"}})
        office.says("iris", down, down, down, wrong)

        await office.ada.asks("iris", "Go")
        await office.settled()

        turn = (await office.turns("R-1"))[0]
        run = (await office.runs())[0]
        assert (turn.state, turn.attempts, turn.usage) == ("failed", 4, Usage())
        assert "401" in turn.error or "key" in turn.error
        assert (run.state, run.reason_code) == ("failed", "model_auth")
        await office.snapshot_equals_replay()


async def test_a_fallback_is_booked_under_its_own_name_and_price(tmp_path: Path) -> None:
    """The first model is down for good; the second answers, and the turn says which it was.

    Demanded by: MODEL-3, MODEL-5.
    """
    yaml = OFFICE.replace("title: Lead", 'title: Lead, fallbacks: ["nobody:x", "other:b"]')
    setting = Setting(yaml=yaml, facts={"other:b": PRICED})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("m", Fail(status=404, body={"error": {"message": "no such model"}}))
        office.says("b", Say(text="I am the second.", usage=CACHED))

        await office.ada.asks("iris", "Go")
        await office.settled()

        turn = (await office.turns("R-1"))[0]
        assert (turn.model, turn.attempts, turn.cost_usd_micros) == ("other:b", 2, COST)
        assert (await office.ada.sees("iris"))[-1] == "iris: I am the second."


async def test_usage_is_told_by_agent_run_task_model_and_day(tmp_path: Path) -> None:
    """Every grouping has the same total; a model without a price is counted as unpriced.

    Demanded by: MODEL-5.
    """
    yaml = OFFICE.replace("title: Tester", 'title: Tester, model: "other:free"')
    setting = Setting(yaml=yaml, facts={"fake:m": PRICED})
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda seen: (
            does("task_update", id="T-1", status="failed", reason="no")
            if "T-1" in seen.said and seen.step == 0
            else Say(text="ok", usage=CACHED)
        )
        await office.ada.asks("iris", "Go")
        await office.ada.asks("kai", "Go")
        await office.ada.adds_task("Build it", to="juno")
        await office.settled()

        records = Records(office.office.bus)
        reports = {
            by: await records.usage(by=by, days=7, limit_micros=5)
            for by in ("agent", "run", "task", "model", "day")
        }
        totals = {report.total for report in reports.values()}
        assert len(totals) == 1
        agents = {row.key: row for row in reports["agent"].rows}
        assert (agents["iris"].cost_usd_micros, agents["iris"].requests) == (COST, 1)
        assert (agents["kai"].cost_usd_micros, agents["kai"].unpriced_requests) == (0, 1)
        assert {row.key for row in reports["model"].rows} == {"fake:m", "other:free"}
        assert {row.key for row in reports["task"].rows} == {"", "T-1"}
        budget = reports["day"].budget
        assert (budget.limit_usd_micros, budget.spent_usd_micros) == (
            5,
            reports["day"].total.cost_usd_micros,
        )
