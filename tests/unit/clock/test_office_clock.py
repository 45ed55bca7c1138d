"""The office clock in both modes: flow, rest, skip, pause, restart."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from dayshift.clock import real
from dayshift.clock.office_clock import (
    RECHECK_S,
    ClockMark,
    OfficeClock,
    SimulatedClock,
    open_clock,
)
from dayshift.config.office import ClockConfig
from dayshift.core.views import ClockView
from tests.unit.clock.hands import Hands

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 1, 5, 12, tzinfo=SHANGHAI)
EIGHT = datetime(2026, 1, 5, 8, tzinfo=SHANGHAI)
SIMULATED = ClockConfig(mode="simulated", zone="Asia/Shanghai", start_date=date(2026, 1, 5))


@pytest.fixture
def hands() -> Hands:
    """Real time, at noon of a day in June."""
    return Hands(datetime(2026, 6, 1, 12, tzinfo=UTC))


def simulated(
    hands: Hands,
    *,
    speed: float = 1.0,
    idle_s: float = 60.0,
    tick_s: float = 1.0,
    mark: ClockMark | None = None,
) -> SimulatedClock:
    """A simulated clock in Shanghai that starts on 5 January 2026."""
    clock = open_clock(
        ClockConfig(
            mode="simulated",
            zone="Asia/Shanghai",
            start_date=date(2026, 1, 5),
            seconds_per_tick=tick_s,
            sim_seconds_per_real_second=speed,
            fast_forward_idle_s=idle_s,
        ),
        mark=mark,
        wall=hands.wall,
        monotonic=hands.monotonic,
    )
    assert isinstance(clock, SimulatedClock)
    return clock


def at(hour: int, minute: int = 0, second: int = 0, *, day: int = 5) -> datetime:
    """A moment in Shanghai."""
    return datetime(2026, 1, day, hour, minute, second, tzinfo=SHANGHAI)


def test_a_wall_clock_shows_real_time_in_the_offices_zone(hands: Hands) -> None:
    """Now is now; the first day is the day of the first start; day numbers count on.

    Demanded by: TIME-1, TIME-8.
    """
    config = ClockConfig(zone="Asia/Shanghai")
    clock = open_clock(config, mark=None, wall=hands.wall, monotonic=hands.monotonic)
    mark = clock.mark()
    hands.go(86_400)
    later = open_clock(config, mark=mark, wall=hands.wall, monotonic=hands.monotonic)

    assert mark == ClockMark(date(2026, 6, 1), datetime(2026, 6, 1, 12, tzinfo=UTC))
    assert later.day() == 2
    assert later.view() == ClockView(
        mode="wall",
        zone="Asia/Shanghai",
        day=2,
        office_at=datetime(2026, 6, 2, 20, tzinfo=SHANGHAI),
        real_at=datetime(2026, 6, 2, 12, tzinfo=UTC),
        rate=1.0,
    )
    assert later.now().tzinfo is SHANGHAI


def test_a_wall_clock_makes_a_waiter_look_again(hands: Hands) -> None:
    """Within a minute, since the machine may sleep and its clock may be set; work moves nothing.

    Demanded by: TIME-10.
    """
    clock = open_clock(ClockConfig(), mark=None, wall=hands.wall, monotonic=hands.monotonic)
    due = datetime(2026, 6, 1, 20, tzinfo=UTC)
    clock.set_busy(True)

    assert (clock.wait_s(due), clock.reach(due)) == (RECHECK_S, False)
    hands.jump(8 * 3600 - 5)
    assert (clock.wait_s(due), clock.reach(due)) == (5.0, False)
    hands.go(6)
    assert (clock.wait_s(due), clock.reach(due)) == (0.0, True)


def test_nothing_falls_due_while_the_office_is_paused(hands: Hands) -> None:
    """In wall mode the time of day goes on, but the timetable waits.

    Demanded by: TIME-4.
    """
    clock = open_clock(ClockConfig(), mark=None, wall=hands.wall, monotonic=hands.monotonic)
    told = list[str]()
    clock.watch(lambda: told.append("changed"))
    due = datetime(2026, 6, 1, 12, 0, 5, tzinfo=UTC)

    clock.pause()
    hands.go(10)
    assert (clock.is_paused, clock.wait_s(due), clock.reach(due)) == (True, None, False)
    assert clock.now() == datetime(2026, 6, 1, 12, 0, 10, tzinfo=UTC)
    clock.resume()
    assert (clock.is_paused, clock.wait_s(due), clock.reach(due)) == (False, 0.0, True)
    assert told == ["changed", "changed"]


def test_simulated_day_1_begins_at_eight(hands: Hands) -> None:
    """On the start date, or on the date of the first start; at the start of the shift.

    Demanded by: TIME-1.
    """
    today = open_clock(
        ClockConfig(mode="simulated", zone="Asia/Shanghai", shift_start=time(9, 30)),
        mark=None,
        wall=hands.wall,
        monotonic=hands.monotonic,
    )

    assert (simulated(hands).now(), simulated(hands).day()) == (EIGHT, 1)
    assert today.now() == datetime(2026, 6, 1, 9, 30, tzinfo=SHANGHAI)


def test_simulated_time_runs_while_anybody_works(hands: Hands) -> None:
    """At the set speed; it stands still at rest and while paused.

    Demanded by: TIME-1, TIME-4.
    """
    clock = simulated(hands, speed=60)

    hands.go(10)
    assert (clock.now(), clock.view().rate) == (EIGHT, 0.0)
    clock.set_busy(True)
    hands.go(10)
    assert (clock.now(), clock.view().rate) == (at(8, 10), 60.0)
    clock.pause()
    hands.go(100)
    assert (clock.now(), clock.view().rate) == (at(8, 10), 0.0)
    clock.resume()
    hands.go(20)
    assert clock.now() == at(8, 30)
    clock.set_busy(False)
    hands.go(59)
    assert clock.view() == ClockView(
        mode="simulated",
        zone="Asia/Shanghai",
        day=1,
        office_at=at(8, 30),
        real_at=datetime(2026, 6, 1, 12, 3, 19, tzinfo=UTC),
        rate=0.0,
    )


def test_simulated_time_moves_in_ticks_and_loses_nothing_between_them(hands: Hands) -> None:
    """What runs between two ticks is kept over every change of state.

    Demanded by: TIME-1.
    """
    clock = simulated(hands, tick_s=60)
    clock.set_busy(True)

    hands.go(59)
    assert clock.now() == at(8)
    clock.pause()
    clock.resume()
    hands.go(1)
    assert clock.now() == at(8, 1)


def test_a_resting_office_skips_to_the_next_entry(hands: Hands) -> None:
    """After the set rest, and not before; work and pause begin the rest anew.

    Demanded by: TIME-1.
    """
    clock = simulated(hands)
    told = list[str]()
    due = at(17, 0, day=9)

    hands.go(30)
    assert (clock.wait_s(due), clock.reach(due)) == (30.0, False)
    clock.set_busy(True)
    clock.set_busy(False)
    assert clock.wait_s(due) == 60.0
    hands.go(59)
    clock.pause()
    assert (clock.wait_s(due), clock.reach(due)) == (None, False)
    clock.resume()
    hands.go(59.5)
    assert (clock.wait_s(due), clock.reach(due), clock.now()) == (0.5, False, EIGHT)
    clock.watch(lambda: told.append("skipped"))
    hands.go(0.5)
    assert (clock.reach(due), clock.now(), clock.day(), told) == (True, due, 5, ["skipped"])
    assert (clock.reach(due), clock.wait_s(due), told) == (True, 0.0, ["skipped"])


def test_a_rest_of_nothing_skips_at_once(hands: Hands) -> None:
    """A week passes in no time when nobody has anything to do.

    Demanded by: TIME-1.
    """
    clock = simulated(hands, idle_s=0)

    assert (clock.wait_s(at(8, day=12)), clock.reach(at(8, day=12))) == (0.0, True)
    assert clock.day() == 8


def test_a_working_office_reaches_an_entry_by_running(hands: Hands) -> None:
    """It never skips; at speed 0 it never comes there.

    Demanded by: TIME-1.
    """
    clock, frozen = simulated(hands, speed=60, idle_s=0), simulated(hands, speed=0)
    clock.set_busy(True)
    frozen.set_busy(True)

    assert (clock.wait_s(at(9)), clock.reach(at(9))) == (60.0, False)
    assert (frozen.wait_s(at(9)), frozen.reach(at(9))) == (None, False)
    hands.go(60)
    assert (clock.wait_s(at(9)), clock.reach(at(9)), clock.now()) == (0.0, True, at(9))
    assert (frozen.reach(at(8)), frozen.now()) == (True, EIGHT)


def test_an_entry_between_two_ticks_falls_due_at_the_later(hands: Hands) -> None:
    """So that now is never before what has fallen due.

    Demanded by: TIME-1.
    """
    clock = simulated(hands, tick_s=600, idle_s=0)

    assert clock.reach(at(8, 1))
    assert clock.now() == at(8, 10)


def test_a_restart_neither_loses_nor_gains_office_time(hands: Hands) -> None:
    """The clock goes on where it was marked, to the microsecond, however long the office was shut.

    Demanded by: TIME-1.
    """
    clock = simulated(hands, tick_s=60)
    clock.set_busy(True)
    hands.go(90.25)
    mark = clock.mark()
    hands.go(100_000)

    again = simulated(hands, tick_s=60, mark=mark)

    assert mark == ClockMark(date(2026, 1, 5), datetime(2026, 1, 5, 0, 1, 30, 250_000, tzinfo=UTC))
    assert (again.now(), again.mark(), again.view().rate) == (at(8, 1), mark, 0.0)
    again.set_busy(True)
    hands.go(30)
    assert again.now() == at(8, 2)


def test_after_a_crash_the_clock_is_not_before_what_has_happened(hands: Hands) -> None:
    """The last entry of the ledger counts when the mark is older; a start date does not move it.

    Demanded by: TIME-1, RUN-4.
    """
    mark = ClockMark(date(2026, 1, 2), at(8, 10).astimezone(UTC))

    def start(not_before: datetime) -> datetime:
        clock = open_clock(
            SIMULATED,
            mark=mark,
            wall=hands.wall,
            monotonic=hands.monotonic,
            not_before=not_before,
        )
        return clock.now()

    assert (start(at(8, 5)), start(at(9, 1))) == (at(8, 10), at(9, 1))


def test_both_clocks_are_office_clocks(hands: Hands) -> None:
    """Whoever holds one need not know which.

    Demanded by: TIME-1.
    """
    clocks: list[OfficeClock] = [
        open_clock(ClockConfig(), mark=None, wall=hands.wall, monotonic=hands.monotonic),
        simulated(hands),
    ]

    assert [(clock.mode, clock.is_paused) for clock in clocks] == [
        ("wall", False),
        ("simulated", False),
    ]


def test_the_machines_own_clocks() -> None:
    """Real time is aware, and the other one does not go back.

    Demanded by: TIME-1.
    """
    assert real.wall().tzinfo is UTC
    assert real.monotonic() <= real.monotonic()
