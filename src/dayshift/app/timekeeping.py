"""The office's own timetable: the day's turn, and how timers are written and fired."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.clock.office_clock import OfficeClock
from dayshift.clock.timetable import TimerEntry, Timetable, TimetableKeeper
from dayshift.core.views import OfficeView
from dayshift.store import staff, timers, work
from dayshift.store.writer import Unit

DAY = "day"
Fire = Callable[[TimerEntry], Awaitable[None]]


class Timekeeping:
    """The timetable of one office, written to the ledger."""

    def __init__(
        self,
        bus: Bus,
        clock: OfficeClock,
        view: Callable[[], OfficeView],
        *,
        new_day: Sequence[Callable[[], Awaitable[None]]],
    ) -> None:
        """``view`` is the office now; what is in ``new_day`` is done when a day has begun."""
        self._bus = bus
        self._new_day = new_day
        self._clock = clock
        self._view = view
        self.timetable = Timetable()

    async def open(self) -> TimetableKeeper:
        """Load what is set, make sure the day will turn, and give out the keeper."""
        for id_, due_at, agent, purpose, payload in await self._bus.read(
            lambda r: timers.set_timers(r, self._bus.office)
        ):
            self.timetable.set(TimerEntry(id_, due_at, agent, purpose, payload))
        await self._set_day(self._clock.day() + 1)
        return TimetableKeeper(self.timetable, self._clock, self._fire)

    async def _set_day(self, day: int) -> None:
        due_at = self._clock.calendar.start_of(day)
        entry = TimerEntry(f"{DAY}:{day}", due_at, "", DAY, {"day": day})
        if any(known.id == entry.id for known in self.timetable.entries()):
            return
        await self._bus.commit(lambda unit: self._write(unit, entry))
        self.timetable.set(entry)

    def _write(self, unit: Unit, entry: TimerEntry) -> None:
        timers.put_timer(
            unit,
            entry.id,
            due_at=entry.due_at,
            agent=entry.agent,
            purpose=entry.purpose,
            payload=entry.payload,
        )

    async def _fire(self, entry: TimerEntry) -> None:
        """Let an entry fall due: what follows and that it has fired are one unit."""

        def work(unit: Unit) -> None:
            if not timers.end_timer(unit, entry.id, fired=True):
                return
            if entry.purpose == DAY:
                view = msgspec.structs.replace(
                    self._view(), clock=self._clock.view(), spent_day=self._clock.day()
                )
                staff.put_office(unit, spent_so_far(unit, view))

        await self._bus.commit(work)
        if entry.purpose == DAY:
            await self._set_day(self._clock.day() + 1)
            for chore in self._new_day:
                await chore()


def spent_so_far(unit: Unit, view: OfficeView) -> OfficeView:
    """The office with what its day has cost up to this unit of work."""
    micros, _ = work.spent(unit, view.name, day=view.spent_day)
    return msgspec.structs.replace(view, spent_usd_micros=micros)
