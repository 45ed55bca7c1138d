"""The office's clock: ``wall``, where now is now, or ``simulated``, which runs with the work.

Simulated time runs at a set speed while anybody works and stands still otherwise; after some rest
it skips to the next timetable entry. Both stand still for the timetable while the office is paused:
nothing falls due. Real time comes in through functions, so that tests and replays can jump.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

import msgspec

from dayshift.clock.calendar import OfficeCalendar
from dayshift.config.office import ClockConfig
from dayshift.core.clock import Clock, ClockMode
from dayshift.core.views import ClockView

RECHECK_S = 60.0
"""The longest a wall clock lets anyone wait for a moment, in real seconds.

A wait is measured on the monotonic clock, which neither follows a wall clock that is set nor, on
most machines, a sleep of the machine. So a waiter looks again at least this often; Python 3.11
offers no timer that is told of such a jump.
"""
_MICROSECOND = timedelta(microseconds=1)


class ClockMark(msgspec.Struct, frozen=True):
    """Where a clock stands, to be kept in the ledger and given back at the next start.

    Attributes:
        first_day: Date of office day 1.
        office_at: Office time, in UTC.
    """

    first_day: date
    office_at: datetime


class OfficeClock(Clock, Protocol):
    """A clock with the strings that the timetable and the office pull."""

    is_paused: bool
    calendar: OfficeCalendar

    def wait_s(self, due_at: datetime, *, may_skip: bool = True) -> float | None:
        """Real seconds until a moment may be reached, or should be looked at again.

        ``None`` when nothing but a change of the clock's state can bring it.
        """
        ...

    def reach(self, due_at: datetime, *, may_skip: bool = True) -> bool:
        """Whether a moment has come.

        A simulated clock that has rested long enough skips to it, if it may.
        """
        ...

    def pause(self) -> None:
        """Let nothing fall due; a simulated clock stands still."""
        ...

    def resume(self) -> None:
        """Go on from where it stands."""
        ...

    def set_busy(self, is_busy: bool) -> None:
        """Say whether anybody works or has work waiting."""
        ...

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told when waiting times have changed: pause, resume, work, rest, skip."""
        ...

    def view(self) -> ClockView:
        """The clock as people see it."""
        ...

    def mark(self) -> ClockMark:
        """Where it stands."""
        ...


class _Watched:
    """What both clocks share: watchers, and being paused."""

    def __init__(self) -> None:
        self.is_paused = False
        self._watchers: list[Callable[[], None]] = []

    def watch(self, watcher: Callable[[], None]) -> None:
        """Be told when waiting times have changed."""
        self._watchers.append(watcher)

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()


class WallClock(_Watched):
    """Now is now, in the office's zone."""

    def __init__(self, calendar: OfficeCalendar, *, wall: Callable[[], datetime]) -> None:
        """``wall`` gives real time, aware."""
        super().__init__()
        self.mode: ClockMode = "wall"
        self.calendar = calendar
        self._wall = wall

    def now(self) -> datetime:
        """Office time, aware, in the office's zone."""
        return self._wall().astimezone(self.calendar.zone)

    def day(self) -> int:
        """Days since the office's first, which is 1."""
        return self.calendar.day_of(self._wall())

    def wait_s(self, due_at: datetime, *, may_skip: bool = True) -> float | None:  # noqa: ARG002  a wall clock never skips
        """Real seconds to a moment, at most ``RECHECK_S``; ``None`` while paused."""
        if self.is_paused:
            return None
        left = (due_at - self._wall().astimezone(UTC)).total_seconds()
        return min(RECHECK_S, max(0.0, left))

    def reach(self, due_at: datetime, *, may_skip: bool = True) -> bool:  # noqa: ARG002  a wall clock never skips
        """Whether a moment has come; not while paused."""
        return not self.is_paused and due_at <= self._wall().astimezone(UTC)

    def pause(self) -> None:
        """Let nothing fall due; the time of day goes on."""
        self.is_paused = True
        self._tell()

    def resume(self) -> None:
        """Let things fall due again, those of the pause first."""
        self.is_paused = False
        self._tell()

    def set_busy(self, is_busy: bool) -> None:
        """Work does not move a wall clock."""

    def view(self) -> ClockView:
        """The clock as people see it."""
        now = self.now()
        return ClockView(
            mode=self.mode,
            zone=self.calendar.zone.key,
            day=self.day(),
            office_at=now,
            real_at=now.astimezone(UTC),
            rate=1.0,
        )

    def mark(self) -> ClockMark:
        """Where it stands."""
        return ClockMark(self.calendar.first_day, self._wall().astimezone(UTC))


class SimulatedClock(_Watched):
    """Time that runs with the work and skips rests.

    It moves in whole ticks. What runs between two ticks is kept, also over a restart.
    """

    def __init__(
        self,
        calendar: OfficeCalendar,
        config: ClockConfig,
        *,
        wall: Callable[[], datetime],
        monotonic: Callable[[], float],
        office_at: datetime,
    ) -> None:
        """``office_at`` is where it starts; it rests until it is told of work."""
        super().__init__()
        self.mode: ClockMode = "simulated"
        self.calendar = calendar
        self._config = config
        self._wall = wall
        self._monotonic = monotonic
        self._base = calendar.start_of(1).astimezone(UTC)
        self._elapsed_us = max(0, (office_at - self._base) // _MICROSECOND)
        """Office time since the base when the present state began."""
        self._since = monotonic()
        """Real time when the present state began."""
        self._is_busy = False

    def now(self) -> datetime:
        """Office time to the last whole tick, aware, in the office's zone."""
        whole = self._flowed_us() // self._tick_us * self._tick_us
        return self._moment(whole).astimezone(self.calendar.zone)

    def day(self) -> int:
        """Days since the office's first, which is 1; a day begins with its shift."""
        return self.calendar.day_of(self.now())

    def wait_s(self, due_at: datetime, *, may_skip: bool = True) -> float | None:
        """Real seconds until a moment is reached as things stand; ``None`` when never."""
        left_us = self._ticked_us(due_at) - self._flowed_us()
        if left_us <= 0 and not self.is_paused:
            return 0.0
        if not self.is_paused and not self._is_busy:
            if not may_skip:
                return None
            rested_s = self._monotonic() - self._since
            return max(0.0, self._config.fast_forward_idle_s - rested_s)
        return left_us / 1_000_000 / self._rate if self._rate else None

    def reach(self, due_at: datetime, *, may_skip: bool = True) -> bool:
        """Whether a moment has come; having rested long enough, skips to it."""
        if self.is_paused:
            return False
        due_us = self._ticked_us(due_at)
        if due_us <= self._flowed_us():
            return True
        rested_s = self._monotonic() - self._since
        if not may_skip or self._is_busy or rested_s < self._config.fast_forward_idle_s:
            return False
        self._elapsed_us = due_us
        self._tell()
        return True

    def pause(self) -> None:
        """Stand still."""
        self._settle(is_paused=True)

    def resume(self) -> None:
        """Go on; a rest begins anew."""
        self._settle(is_paused=False)

    def set_busy(self, is_busy: bool) -> None:
        """Run while there is work, rest while there is none."""
        if is_busy is not self._is_busy:
            self._settle(is_busy=is_busy)

    def view(self) -> ClockView:
        """The clock as people see it."""
        return ClockView(
            mode=self.mode,
            zone=self.calendar.zone.key,
            day=self.day(),
            office_at=self.now(),
            real_at=self._wall().astimezone(UTC),
            rate=self._rate,
        )

    def mark(self) -> ClockMark:
        """Where it stands, between ticks too."""
        return ClockMark(self.calendar.first_day, self._moment(self._flowed_us()))

    @property
    def _rate(self) -> float:
        """Office seconds in a real second, now."""
        runs = self._is_busy and not self.is_paused
        return self._config.sim_seconds_per_real_second if runs else 0.0

    @property
    def _tick_us(self) -> int:
        return max(1, round(self._config.seconds_per_tick * 1_000_000))

    def _flowed_us(self) -> int:
        """Office time since the base."""
        ran_s = (self._monotonic() - self._since) * self._rate
        return self._elapsed_us + int(ran_s * 1_000_000)

    def _ticked_us(self, due_at: datetime) -> int:
        """Office time since the base at the first tick that is not before a moment."""
        us = (due_at.astimezone(UTC) - self._base) // _MICROSECOND
        return -(-us // self._tick_us) * self._tick_us

    def _moment(self, elapsed_us: int) -> datetime:
        return self._base + timedelta(microseconds=elapsed_us)

    def _settle(self, *, is_busy: bool | None = None, is_paused: bool | None = None) -> None:
        """Begin another state, keeping what has run."""
        self._elapsed_us = self._flowed_us()
        self._since = self._monotonic()
        self._is_busy = self._is_busy if is_busy is None else is_busy
        self.is_paused = self.is_paused if is_paused is None else is_paused
        self._tell()


def open_clock(
    config: ClockConfig,
    *,
    mark: ClockMark | None,
    wall: Callable[[], datetime],
    monotonic: Callable[[], float],
    not_before: datetime | None = None,
) -> WallClock | SimulatedClock:
    """The clock of an office, where it stood when it was marked.

    Args:
        config: The clock section of office.yaml.
        mark: What ``mark`` gave last; ``None`` at the first start of the office.
        wall: Real time, aware.
        monotonic: Real seconds that never go back.
        not_before: Office time of the last thing that is known to have happened; a simulated clock
            never starts before it, even when the mark is older.
    """
    zone = ZoneInfo(config.zone)
    today = wall().astimezone(zone).date()
    first_day = mark.first_day if mark else config.start_date or today
    calendar = OfficeCalendar(config.mode, zone, first_day, config.shift_start)
    if config.mode == "wall":
        return WallClock(calendar, wall=wall)
    start = calendar.start_of(1)
    known = [start.astimezone(UTC)]
    known += [mark.office_at] if mark else []
    known += [not_before.astimezone(UTC)] if not_before else []
    return SimulatedClock(calendar, config, wall=wall, monotonic=monotonic, office_at=max(known))
