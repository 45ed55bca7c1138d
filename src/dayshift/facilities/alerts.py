"""Alerts: what a person should look at. Repeats of an open alert are folded into it."""

from collections.abc import Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import AlertView
from dayshift.store import staff
from dayshift.store.writer import Unit

LISTED_MAX = 200


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """An alert to raise. Alarms with the same ``fold`` are one alert while it is open."""

    code: str
    text: str
    fold: str
    severity: str = "warning"
    hint: str = ""
    agent: str = ""
    run: str = ""
    task: str = ""


class Alerts:
    """The office's alerts."""

    def __init__(self, bus: Bus) -> None:
        """Alerts are kept in the ledger alone."""
        self._bus = bus

    def plan(self, alarm: Alarm) -> "AlertPlan":
        """What to write within a unit of work."""
        return AlertPlan(alarm, self._bus)

    async def raise_(self, alarm: Alarm) -> AlertView:
        """Raise an alert by itself."""
        return await self._bus.commit(self.plan(alarm))

    async def list(self, *, open_only: bool) -> Sequence[AlertView]:
        """Alerts, newest first."""
        return await self._bus.read(
            lambda r: staff.alerts(r, self._bus.office, only_open=open_only, limit=LISTED_MAX)
        )

    async def acknowledge(self, alert: str, *, by: str) -> AlertView:
        """Mark an alert as seen by a person; one that was stays as it is."""

        def work(unit: Unit) -> AlertView:
            found = staff.alert(unit, unit.office, alert)
            if found is None:
                raise NotFoundError(f"There is no alert {alert}.")
            view, fold = found
            if view.acknowledged_by:
                return view
            seen = msgspec.structs.replace(
                view, acknowledged_by=by, acknowledged_at=self._bus.clock.now()
            )
            staff.put_alert(unit, seen, fold)
            return seen

        return await self._bus.commit(work, actor=by)


class AlertPlan:
    """Writes one alert, or counts it onto the open one of its kind."""

    def __init__(self, alarm: Alarm, bus: Bus) -> None:
        """Nothing is written until it is called with a unit."""
        self._alarm = alarm
        self._bus = bus

    def __call__(self, unit: UnitOfWork) -> AlertView:
        """Write it."""
        alarm, now = self._alarm, self._bus.clock.now()
        known = staff.open_alert(unit, unit.office, alarm.fold)
        if known is not None:
            view = msgspec.structs.replace(known, count=known.count + 1, text=alarm.text, at=now)
        else:
            view = AlertView(
                id=unit.next_id("A"),
                code=alarm.code,
                severity=alarm.severity,  # pyright: ignore[reportArgumentType]  one of three words
                text=alarm.text,
                hint=alarm.hint,
                agent=alarm.agent,
                run=alarm.run,
                task=alarm.task,
                count=1,
                at=now,
                acknowledged_by="",
                acknowledged_at=None,
            )
        staff.put_alert(unit, view, alarm.fold)
        return view
