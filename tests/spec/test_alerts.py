"""Alerts: what a person should look at, said once, counted after, and quiet when it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import AlertChanged
from dayshift.core.errors import NotFoundError
from dayshift.facilities.alerts import Alarm
from dayshift.testing.model_server import Fail, Say
from dayshift.testing.office_harness import JumpingClock, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

BY = "person:ada"
SLOW = Alarm(code="slow", fold="slow:iris", text="Iris is slow.", hint="Wait.", agent="iris")
SLOWER = Alarm(code="slow", fold="slow:iris", text="Iris is slower.", hint="Wait.", agent="iris")
LATE = Alarm(code="late", fold="late:juno", text="Juno is late.", severity="error", agent="juno")


def _setting() -> Setting:
    return Setting(clock=JumpingClock())


async def test_the_same_again_is_counted_onto_what_is_open(tmp_path: Path) -> None:
    """With its last words and time; what is another matter is another alert. Newest first.

    Demanded by: EVT-6, one alert to a person; MSG-10, repeats are folded.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        alerts = office.office.alerts
        first = await alerts.raise_(SLOW)
        office.jump(seconds=5)
        other = await alerts.raise_(LATE)
        office.jump(seconds=5)
        again = await alerts.raise_(SLOWER)

        assert (again.id, again.count, again.text) == (first.id, 2, "Iris is slower.")
        assert (again.at - first.at).total_seconds() == 10
        assert (first.severity, other.severity) == ("warning", "error")
        assert [one.id for one in await alerts.list(open_only=True)] == [again.id, other.id]
        await office.snapshot_equals_replay()


async def test_an_alert_a_person_has_seen_is_open_no_longer(tmp_path: Path) -> None:
    """By whom and when stands there, and the first one counts; it can still be read.

    Demanded by: EVT-6.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        alerts = office.office.alerts
        raised = await alerts.raise_(SLOW)
        office.jump(seconds=60)
        seen = await alerts.acknowledge(raised.id, by=BY)
        office.jump(seconds=60)
        again = await alerts.acknowledge(raised.id, by="person:ben")

        assert (seen.acknowledged_by, again) == (BY, seen)
        assert seen.acknowledged_at is not None
        assert (seen.acknowledged_at - raised.at).total_seconds() == 60
        assert await alerts.list(open_only=True) == []
        assert [one.id for one in await alerts.list(open_only=False)] == [raised.id]
        assert (await office.snapshot()).alerts == {}
        with pytest.raises(NotFoundError, match="A-99"):
            await alerts.acknowledge("A-99", by=BY)
        await office.snapshot_equals_replay()


@pytest.mark.parametrize(
    ("alarm", "hours", "is_new"),
    [(SLOW, 0.99, False), (SLOW, 1, True), (SLOWER, 0, True)],
)
async def test_an_alert_that_was_seen_stays_quiet_for_an_hour_about_the_very_same(
    tmp_path: Path, alarm: Alarm, hours: float, is_new: bool
) -> None:
    """Other words, or an hour of the office's time, and it is raised anew.

    Demanded by: MSG-10, acknowledged alerts stay quiet.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        alerts = office.office.alerts
        raised = await alerts.raise_(SLOW)
        await alerts.acknowledge(raised.id, by=BY)
        office.jump(hours=hours)
        await office.restart()

        again = await office.office.alerts.raise_(alarm)

        assert (again.id != raised.id) is is_new
        assert len(await office.office.alerts.list(open_only=True)) == int(is_new)
        assert again.count == (1 if is_new else 2)
        await office.snapshot_equals_replay()


async def test_a_run_that_fails_raises_one_alert_with_what_to_do(tmp_path: Path) -> None:
    """It names agent and run, says why, and the next failure of the same kind is counted.

    Demanded by: RUN-7; EVT-6; MODEL-3.
    """
    refusal = Fail(status=401, body={"error": {"message": "Incorrect API key"}})
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", refusal, refusal, Say(text="Now I can."))
        await office.ada.asks("iris", "Hello")
        await office.settled()
        first = office.entries(AlertChanged)[-1].alert
        await office.ada.asks("iris", "Hello?")
        await office.settled()

        last = office.entries(AlertChanged)[-1].alert
        assert (first.agent, first.run, first.count) == ("iris", "R-1", 1)
        assert (last.id, last.count) == (first.id, 2)
        assert first.hint
        assert len((await office.snapshot()).alerts) == 1
        await office.snapshot_equals_replay()
