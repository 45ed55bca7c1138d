"""Known failures of such systems: money burnt on an empty account, counted twice or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dayshift.core.entries import AlertChanged, OfficeChanged
from dayshift.core.model import ModelFacts, Prices, Usage
from dayshift.core.states import RunState
from dayshift.testing.model_server import Fail, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.testing.office_harness_means import Dialect

DIALECTS = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
EMPTY: dict[str, Any] = {"error": {"code": "insufficient_quota", "message": "Your quota is spent."}}
PRICED = ModelFacts(
    prices=Prices(input=3_000_000, output=15_000_000, cache_read=300_000, cache_write=3_750_000)
)
FREE = ModelFacts(output_tokens=500, prices=Prices(input=0, output=0, cache_read=0, cache_write=0))


@pytest.mark.parametrize(
    "refusal",
    [
        Fail(status=402, body="Payment required"),
        Fail(status=402, body=EMPTY),
        Fail(status=400, body=EMPTY),
        Fail(status=429, body=EMPTY),
    ],
    ids=["402-text", "402-json", "400", "429"],
)
async def test_cost_02_an_empty_account_pauses_the_office(tmp_path: Path, refusal: Fail) -> None:
    """One request, no retry; the reason is shown, and resuming goes on with the held work.

    Demanded by: COST-02; TIME-4, MODEL-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", refusal, Say(text="Here it is."))

        await office.ada.asks("iris", "Write it")
        paused = await office.until(OfficeChanged, lambda e: e.office.state == "paused")
        asked = len(office.model.requests)
        await office.ada.resumes()
        await office.settled()

        assert asked == 1
        assert paused.office.paused_reason
        assert (await office.runs())[0].state is RunState.COMPLETED
        assert await office.ada.sees("iris") == ["ada: Write it", "iris: Here it is."]
        await office.snapshot_equals_replay()


async def test_cost_04_a_refusal_with_a_time_to_wait_is_waited_for(tmp_path: Path) -> None:
    """Payment required for a moment ends nothing: the run goes on where it was.

    Demanded by: COST-04.
    """
    async with OfficeHarness(tmp_path) as office:
        wait = Fail(status=402, body="try later", headers={"Retry-After": "0"})
        office.says("iris", wait, Say(text="Here it is."))

        await office.ada.asks("iris", "Write it")
        await office.settled()

        assert (await office.runs())[0].state is RunState.COMPLETED
        assert {entry.office.state for entry in office.entries(OfficeChanged)} <= {"running"}
        await office.snapshot_equals_replay()


@DIALECTS
async def test_cost_05_cached_tokens_are_paid_once(tmp_path: Path, dialect: Dialect) -> None:
    """Whether a dialect counts them within the input or beside it, the cost is the same.

    Demanded by: COST-05; MODEL-5.
    """
    used = Usage(
        input_tokens=10_000, output_tokens=1_000, cache_read_tokens=6_000, cache_write_tokens=0
    )
    setting = Setting(dialect=dialect, facts={"fake:m": PRICED})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(text="Done.", usage=used))

        await office.ada.asks("iris", "Write it")
        await office.settled()

        # 4,000 new at 3, 6,000 read again at 0.30 and 1,000 written at 15 dollars a million.
        run = (await office.runs())[0]
        assert run.cost_usd_micros == 12_000 + 1_800 + 15_000
        assert (await office.snapshot()).office.spent_usd_micros == run.cost_usd_micros
        assert [turn.cost_usd_micros for turn in await office.turns(run.id)] == [28_800]
        await office.snapshot_equals_replay()


async def test_cost_06_what_costs_no_money_has_a_budget_of_tokens(tmp_path: Path) -> None:
    """A warning at four fifths, a stop before the request that would pass it; side by side too.

    Demanded by: COST-06; RUN-8.
    """
    yaml = OFFICE.replace("title: Acme,", "title: Acme, budget: {tokens_per_day: 100000},")
    setting = Setting(yaml=yaml, facts={"fake:m": FREE})
    async with OfficeHarness(tmp_path, setting) as office:
        used = Usage(input_tokens=2_600, output_tokens=400)
        office.model.script = lambda _: Say(text="Done.", usage=used)

        for n in range(14):
            await office.ada.asks("iris", f"Piece {n}")
            await office.ada.asks("juno", f"Piece {n}")
            await office.ada.asks("kai", f"Piece {n}")
        await office.settled()

        spent = sum(run.usage.input_tokens + run.usage.output_tokens for run in await office.runs())
        told = [entry.alert.text for entry in office.entries(AlertChanged)]
        assert 80_000 < spent <= 100_000
        assert any("four fifths" in text for text in told)
        assert len(office.model.requests) == spent // 3_000
        await office.snapshot_equals_replay()
