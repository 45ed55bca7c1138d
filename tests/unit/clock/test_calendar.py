"""Office days and local times, also where clocks are changed."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.clock.calendar import OfficeCalendar, moment_of

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 1, 5)
WALL = OfficeCalendar("wall", BERLIN, FIRST)
SIMULATED = OfficeCalendar("simulated", BERLIN, FIRST)


@pytest.mark.parametrize(
    ("moment", "wall", "simulated"),
    [
        ("2026-01-05T08:00:00+01:00", 1, 1),
        ("2026-01-05T00:00:00+01:00", 1, 1),
        ("2026-01-04T12:00:00+01:00", 1, 1),
        ("2026-01-05T23:59:59+01:00", 1, 1),
        ("2026-01-06T00:00:00+01:00", 2, 1),
        ("2026-01-06T07:59:59+01:00", 2, 1),
        ("2026-01-06T08:00:00+01:00", 2, 2),
        ("2026-01-05T23:30:00+00:00", 2, 1),
        ("2026-03-29T12:00:00+02:00", 84, 84),
        ("2026-10-25T07:30:00+01:00", 294, 293),
    ],
)
def test_which_office_day_a_moment_belongs_to(moment: str, wall: int, simulated: int) -> None:
    """Dates in wall mode; in simulated mode a day begins with its shift. The first is day 1.

    Demanded by: TIME-1.
    """
    at = datetime.fromisoformat(moment)

    assert (WALL.day_of(at), SIMULATED.day_of(at)) == (wall, simulated)


def test_a_day_begins_at_midnight_or_with_its_shift() -> None:
    """Simulated day 1 is the start date at 08:00:00 office time.

    Demanded by: TIME-1.
    """
    assert WALL.start_of(1) == datetime(2026, 1, 5, tzinfo=BERLIN)
    assert SIMULATED.start_of(1) == datetime(2026, 1, 5, 8, tzinfo=BERLIN)
    assert SIMULATED.start_of(85) == datetime(2026, 3, 30, 8, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("zone", "day", "local", "moment"),
    [
        # The hour that is skipped: the first moment after the gap.
        ("Europe/Berlin", date(2026, 3, 29), time(2, 30), "2026-03-29T03:00:00+02:00"),
        ("Europe/Berlin", date(2026, 3, 29), time(1, 59), "2026-03-29T01:59:00+01:00"),
        ("Europe/Berlin", date(2026, 3, 29), time(3), "2026-03-29T03:00:00+02:00"),
        ("America/New_York", date(2026, 3, 8), time(2, 30), "2026-03-08T03:00:00-04:00"),
        ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), "2026-10-04T02:30:00+11:00"),
        ("Africa/Cairo", date(2026, 4, 24), time(), "2026-04-24T01:00:00+03:00"),
        # The hour that comes twice: the first of the two.
        ("Europe/Berlin", date(2026, 10, 25), time(2, 30), "2026-10-25T02:30:00+02:00"),
        ("America/New_York", date(2026, 11, 1), time(1, 30), "2026-11-01T01:30:00-04:00"),
        ("Australia/Lord_Howe", date(2026, 4, 5), time(1, 45), "2026-04-05T01:45:00+11:00"),
        # A day that a country left out.
        ("Pacific/Apia", date(2011, 12, 30), time(8), "2011-12-31T00:00:00+14:00"),
    ],
)
def test_a_local_time_at_a_clock_change(zone: str, day: date, local: time, moment: str) -> None:
    """There is exactly one moment for every local time, and it is never before it.

    Demanded by: TIME-07.
    """
    found = OfficeCalendar("wall", ZoneInfo(zone), FIRST).at(day, local)

    assert found.isoformat() == moment


NAIVE = st.datetimes(  # local times are what is drawn
    datetime.fromisoformat("2025-01-01"), datetime.fromisoformat("2028-01-01")
)
ZONES = st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"])


@given(zone=ZONES, days=st.integers(0, 800), local=st.times())
def test_the_same_local_time_each_day_is_later_each_day(zone: str, days: int, local: time) -> None:
    """A daily time neither doubles nor stops, whatever the clocks do.

    Demanded by: TIME-07.
    """
    calendar = OfficeCalendar("wall", ZoneInfo(zone), FIRST)
    day = FIRST + timedelta(days=days)

    today, tomorrow = calendar.at(day, local), calendar.at(day + timedelta(days=1), local)

    assert timedelta(hours=22) < tomorrow.astimezone(UTC) - today.astimezone(UTC)
    assert tomorrow.astimezone(UTC) - today.astimezone(UTC) < timedelta(hours=26)
    assert (today.date(), tomorrow.date()) == (day, day + timedelta(days=1))


@given(zone=ZONES, moment=NAIVE)
def test_office_days_follow_one_another(zone: str, moment: datetime) -> None:
    """A moment is in the day that began before it, and before the next began.

    Demanded by: TIME-1.
    """
    calendar = OfficeCalendar("simulated", ZoneInfo(zone), date(2024, 12, 30))
    at = moment_of(moment, ZoneInfo(zone)).astimezone(UTC)

    day = calendar.day_of(at)

    assert calendar.start_of(day).astimezone(UTC) <= at
    assert at < calendar.start_of(day + 1).astimezone(UTC)
