"""The office time in one line."""
# ruff: noqa: RUF001  Chinese is written with Chinese signs

from datetime import UTC, date, datetime

import pytest

from dayshift.clock.describe import describe
from dayshift.clock.office_clock import open_clock
from dayshift.config.office import ClockConfig
from dayshift.core.clock import ClockMode
from tests.unit.clock.hands import Hands


@pytest.mark.parametrize(
    ("mode", "language", "line"),
    [
        (
            "wall",
            "en",
            "Sunday, 7 June 2026, 14:03:09 (Europe/Berlin, UTC+0200), office day 154.",
        ),
        ("wall", "zh", "2026年6月7日 星期日 14:03:09（Europe/Berlin, UTC+0200），第154个办公日。"),
        (
            "simulated",
            "en",
            (
                "Monday, 5 January 2026, 08:00:00 (Europe/Berlin, UTC+0100), "
                "office day 1 in simulated time."
            ),
        ),
        (
            "simulated",
            "zh",
            "2026年1月5日 星期一 08:00:00（Europe/Berlin, UTC+0100），第1个办公日（模拟时间）。",
        ),
    ],
)
def test_the_time_in_one_line(mode: ClockMode, language: str, line: str) -> None:
    """Weekday, date, time, zone and office day, in both languages.

    Demanded by: TIME-8.
    """
    hands = Hands(datetime(2026, 6, 7, 12, 3, 9, tzinfo=UTC))
    config = ClockConfig(mode=mode, zone="Europe/Berlin", start_date=date(2026, 1, 5))

    clock = open_clock(config, mark=None, wall=hands.wall, monotonic=hands.monotonic)

    assert describe(clock, language) == line
