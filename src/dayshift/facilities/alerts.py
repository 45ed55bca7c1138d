"""Alerts: what a person should look at. The same thing again is counted onto what is there."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import AlertView
from dayshift.store import staff

OPEN_MAX = 10_000
CLOSED_SHOWN = 200
QUIET = timedelta(hours=1)
"""Office time for which an alert that was acknowledged stays quiet about the very same thing."""


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """An alert to raise. Alarms with the same ``fold`` are one alert while it is open."""

    code: str
    text: str
    fold: str
    severity: Literal["info", "warning", "error"] = "warning"
    hint: str = ""
    agent: str = ""
    run: str = ""
    task: str = ""


class Alerts:
    """The office's alerts."""

    def __init__(self, bus: Bus) -> None:
        """Alerts are kept in the ledger alone."""
        self._bus = bus

    def plan(self, alarm: Alarm) -> Callable[[UnitOfWork], AlertView]:
        """What to write within a unit of work."""
        return lambda unit: raise_alert(unit, alarm, self._bus)

    async def raise_(self, alarm: Alarm) -> AlertView:
        """Raise an alert by itself."""
        return await self._bus.commit(self.plan(alarm))

    async def list(self, *, open_only: bool) -> Sequence[AlertView]:
        """Alerts, the last raised or counted first: all open ones, and the last acknowledged."""
        office = self._bus.office
        found = await self._bus.read(
            lambda r: staff.alerts(r, office, only_open=True, limit=OPEN_MAX)
        )
        if not open_only:
            found += await self._bus.read(
                lambda r: staff.closed_alerts(r, office, limit=CLOSED_SHOWN)
            )
        return sorted(found, key=lambda alert: alert.at, reverse=True)

    async def acknowledge(self, alert: str, *, by: str) -> AlertView:
        """Mark an alert as seen by a person; one that was stays as it is."""

        def work(unit: UnitOfWork) -> AlertView:
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


def raise_alert(unit: UnitOfWork, alarm: Alarm, bus: Bus) -> AlertView:
    """Write an alert within a unit of work, or count it onto the one of its kind.

    While that one is open, it is counted there. One that a person has acknowledged counts quietly
    for a while, as long as it says the same; then a new one is raised.
    """
    now, text = bus.clock.now(), bus.clean(alarm.text)
    known = staff.last_alert(unit, unit.office, alarm.fold)
    is_quiet = (
        known is not None
        and known.acknowledged_at is not None
        and known.text == text
        and now < known.acknowledged_at + QUIET
    )
    if known is not None and (is_quiet or not known.acknowledged_by):
        view = msgspec.structs.replace(known, count=known.count + 1, text=text, at=now)
    else:
        view = AlertView(
            id=unit.next_id("A"),
            code=alarm.code,
            severity=alarm.severity,
            text=text,
            hint=bus.clean(alarm.hint),
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
