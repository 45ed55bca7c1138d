"""The office calendar: which office day a moment belongs to, and which moment a local time is.

In wall mode an office day is a date in the office's zone. In simulated mode it begins with the
shift, so that a night worked through still belongs to the day before; day 1 begins on the start
date at the start of the shift.

Everything is reckoned in UTC. A local time that a clock change skips means the first moment after
the gap; one that it repeats means the first of the two.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from dayshift.core.clock import ClockMode


@dataclass(frozen=True)
class OfficeCalendar:
    """The days of one office. ``first_day`` is the date of office day 1."""

    mode: ClockMode
    zone: ZoneInfo
    first_day: date
    shift_start: time = time(8)

    def day_of(self, moment: datetime) -> int:
        """The office day number of an aware moment; never below 1."""
        local = moment.astimezone(self.zone)
        day = local.date()
        if self.mode == "simulated" and moment < self.start_of_date(day):
            day -= timedelta(days=1)
        return max(1, (day - self.first_day).days + 1)

    def start_of(self, day: int) -> datetime:
        """The first moment of an office day, in the office's zone."""
        return self.start_of_date(self.first_day + timedelta(days=day - 1))

    def start_of_date(self, day: date) -> datetime:
        """The first moment of the office day that has this date."""
        return self.at(day, time() if self.mode == "wall" else self.shift_start)

    def at(self, day: date, local: time) -> datetime:
        """The moment at which the office's clock shows a local time of a date."""
        return moment_of(datetime.combine(day, local), self.zone)


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """The aware moment, in the zone, that a naive local time means."""
    early = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if early.astimezone(zone).replace(tzinfo=None, fold=0) == local:
        return early.astimezone(zone)
    return _end_of_gap(local, zone).astimezone(zone)


def _end_of_gap(local: datetime, zone: ZoneInfo) -> datetime:
    """The first moment after the gap in which a local time lies, to the second."""
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    after = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):  # the span is halved each time
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after.replace(microsecond=0)
