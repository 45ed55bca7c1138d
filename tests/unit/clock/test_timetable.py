"""The timetable and its keeper: in order, each once, across jumps, pauses, edits and failures."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta

import pytest

from dayshift.clock.office_clock import OfficeClock, open_clock
from dayshift.clock.timetable import TimerEntry, Timetable, TimetableKeeper
from dayshift.config.office import ClockConfig
from dayshift.core.errors import InvalidError, StorageError
from tests.unit.clock.hands import Hands

NINE = datetime(2026, 6, 1, 9, tzinfo=UTC)
WAIT_S = 30


def entry(id_: str, minutes: float = 0, *, purpose: str = "reminder") -> TimerEntry:
    """Something due some minutes after nine."""
    return TimerEntry(id=id_, due_at=NINE + timedelta(minutes=minutes), agent="", purpose=purpose)


def test_entries_fall_due_in_order() -> None:
    """By moment, whatever the zone, then by id, whatever the order in which they were set.

    Demanded by: TIME-1, TIME-9.
    """
    table = Timetable()
    in_tokyo = datetime.fromisoformat("2026-06-01T18:05:00+09:00")
    tokyo = TimerEntry(id="T-9", due_at=in_tokyo, agent="iris", purpose="note")
    for each in (entry("T-3", 30), entry("T-2", 10), tokyo, entry("T-1", 10)):
        table.set(each)

    assert len(table) == 4
    assert [each.id for each in table.entries()] == ["T-9", "T-1", "T-2", "T-3"]
    assert [each.id for each in table.due(NINE + timedelta(minutes=10))] == ["T-9", "T-1", "T-2"]
    assert table.due(NINE) == []
    assert (table.first(), table.next_due()) == (tokyo, in_tokyo)


def test_what_is_edited_or_cancelled_falls_due_as_it_is_now() -> None:
    """The old time of an edited entry is gone; cancelling says whether there was anything.

    Demanded by: TIME-05, TIME-09.
    """
    table = Timetable()
    told = list[int]()
    table.watch(lambda: told.append(len(table)))
    table.set(entry("T-1", 10))
    table.set(entry("T-1", 50))
    table.set(entry("T-2", 20))

    assert table.first() == entry("T-2", 20)
    assert (table.cancel("T-2"), table.cancel("T-2")) == (True, False)
    assert table.first() == entry("T-1", 50)
    table.set(entry("T-1", 10))
    assert table.first() == entry("T-1", 10)
    assert told == [1, 1, 2, 1, 1]
    assert table.cancel("T-1")
    assert (table.first(), table.next_due(), len(table)) == (None, None, 0)


def test_a_due_time_without_a_zone_is_refused() -> None:
    """A local time of nowhere is no moment.

    Demanded by: TIME-08.
    """
    naive = NINE.replace(tzinfo=None)

    with pytest.raises(ValueError, match="The due time of T-1 has no zone"):
        Timetable().set(TimerEntry(id="T-1", due_at=naive, agent="", purpose="note"))


class Desk:
    """What falls due, as the office writes it down."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.fired: list[str] = []
        self.failures: list[Exception] = []
        self.on_fire: Callable[[TimerEntry], None] = lambda _entry: None
        self._news = asyncio.Event()

    async def fire(self, fallen: TimerEntry) -> None:
        """Write it down, or fail as told."""
        await asyncio.sleep(0)
        if self.failures:
            self._news.set()
            raise self.failures.pop(0)
        self.on_fire(fallen)
        self.fired.append(fallen.id)
        self._news.set()

    async def has(self, *ids: str) -> None:
        """Wait until exactly these have fired."""
        async with asyncio.timeout(WAIT_S):
            while self.fired != list(ids):
                self._news.clear()
                await self._news.wait()


def wall_clock(hands: Hands) -> OfficeClock:
    """An office that lives in real time."""
    return open_clock(ClockConfig(), mark=None, wall=hands.wall, monotonic=hands.monotonic)


def simulated_clock(hands: Hands, *, idle_s: float) -> OfficeClock:
    """An office whose day 1 begins at eight."""
    return open_clock(
        ClockConfig(mode="simulated", start_date=date(2026, 6, 1), fast_forward_idle_s=idle_s),
        mark=None,
        wall=hands.wall,
        monotonic=hands.monotonic,
    )


@asynccontextmanager
async def keeping(
    table: Timetable, clock: OfficeClock, desk: Desk
) -> AsyncGenerator[TimetableKeeper]:
    """A keeper at work for the length of the block."""
    keeper = TimetableKeeper(table, clock, desk.fire, retry_s=0.01)
    async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as group:
        group.create_task(keeper.run(), name=keeper.name)
        yield keeper
        keeper.stop()


async def settle() -> None:
    """Let everything that can run now run."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_each_entry_fires_once_when_its_moment_comes() -> None:
    """Not before, in order, and those that are set while it waits as well.

    Demanded by: TIME-1, TIME-03.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    async with keeping(table, wall_clock(hands), desk) as keeper:
        await settle()
        table.set(entry("T-2", 2))
        table.set(entry("T-1", 1))
        hands.go(59)
        keeper.look_again()
        await settle()
        assert desk.fired == []
        hands.go(1)
        keeper.look_again()
        await desk.has("T-1")
        hands.go(3600)
        keeper.look_again()
        await desk.has("T-1", "T-2")
        keeper.look_again()
        await settle()

    assert desk.fired == ["T-1", "T-2"]
    assert len(table) == 0


async def test_after_the_machine_slept_what_was_missed_falls_due() -> None:
    """The wall clock is eight hours on, and no other clock knows; all of it fires, once.

    Demanded by: TIME-10.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    for each in (entry("T-1", 60), entry("T-2", 120), entry("T-3", 600)):
        table.set(each)
    async with keeping(table, wall_clock(hands), desk) as keeper:
        await settle()
        hands.jump(8 * 3600)
        keeper.look_again()
        await desk.has("T-1", "T-2")
        hands.jump(-8 * 3600)
        keeper.look_again()
        await settle()

    assert desk.fired == ["T-1", "T-2"]
    assert [each.id for each in table.entries()] == ["T-3"]


async def test_the_keeper_wakes_by_itself() -> None:
    """A wait that is over needs no change.

    Demanded by: TIME-1.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    table.set(TimerEntry(id="T-1", due_at=NINE + timedelta(seconds=0.01), agent="", purpose="x"))
    clock = wall_clock(hands)
    clock.pause()
    async with keeping(table, clock, desk):
        await settle()
        clock.resume()
        await settle()
        hands.go(1)
        await desk.has("T-1")


async def test_a_pause_holds_what_falls_due_until_the_office_goes_on() -> None:
    """Nothing is lost by it, and nothing fires during it.

    Demanded by: TIME-4.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    clock = wall_clock(hands)
    table.set(entry("T-1", 1))
    async with keeping(table, clock, desk) as keeper:
        clock.pause()
        hands.go(600)
        keeper.look_again()
        await settle()
        assert desk.fired == []
        clock.resume()
        await desk.has("T-1")


async def test_a_simulated_office_skips_from_entry_to_entry() -> None:
    """A week of rest passes at once; work set up by an entry is not skipped over.

    Demanded by: TIME-1, TIME-9.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    clock = simulated_clock(hands, idle_s=0)
    seen = list[tuple[str, datetime, int]]()

    def note(fallen: TimerEntry) -> None:
        seen.append((fallen.id, clock.now(), clock.day()))
        clock.set_busy(fallen.purpose == "work")

    desk.on_fire = note
    table.set(entry("T-1", 24 * 60))
    table.set(entry("T-2", 3 * 24 * 60, purpose="work"))
    table.set(entry("T-3", 7 * 24 * 60))
    async with keeping(table, clock, desk):
        await desk.has("T-1", "T-2")
        await settle()
        assert desk.fired == ["T-1", "T-2"]
        clock.set_busy(False)
        await desk.has("T-1", "T-2", "T-3")

    assert seen == [
        ("T-1", NINE + timedelta(days=1), 2),
        ("T-2", NINE + timedelta(days=3), 4),
        ("T-3", NINE + timedelta(days=7), 8),
    ]


async def test_an_office_with_nothing_before_it_does_not_run_through_its_days() -> None:
    """The turn of the day is met on the way to something, and is nothing to skip to.

    Demanded by: TIME-1, P9.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    clock = simulated_clock(hands, idle_s=0)
    table.set(entry("day:2", 23 * 60, purpose="day"))
    async with keeping(table, clock, desk):
        await settle()
        assert desk.fired == []
        table.set(entry("T-1", 3 * 24 * 60))
        await desk.has("day:2", "T-1")
        table.set(entry("day:3", 4 * 24 * 60, purpose="day"))
        await settle()

    assert desk.fired == ["day:2", "T-1"]
    assert clock.now() == NINE + timedelta(days=3)


async def test_an_entry_edited_while_it_fires_is_kept() -> None:
    """What was set under its id meanwhile is another entry; what was cancelled stays away.

    Demanded by: TIME-05.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()

    def edit(fallen: TimerEntry) -> None:
        table.cancel("T-2")
        table.set(entry(fallen.id, 24 * 60))

    desk.on_fire = edit
    table.set(entry("T-1", 1))
    table.set(entry("T-2", 1))
    async with keeping(table, wall_clock(hands), desk) as keeper:
        hands.go(60)
        keeper.look_again()
        await desk.has("T-1")
        await settle()

    assert table.entries() == [entry("T-1", 24 * 60)]


async def test_what_the_disk_refuses_is_tried_again_and_what_is_wrong_is_not() -> None:
    """A full disk delays an entry; an entry that can never be written stops no other.

    Demanded by: TIME-1.
    """
    hands, table, desk = Hands(NINE), Timetable(), Desk()
    desk.failures = [StorageError("The disk is full."), InvalidError("No such purpose.")]
    table.set(entry("T-1", 1))
    table.set(entry("T-2", 2))
    async with keeping(table, wall_clock(hands), desk) as keeper:
        hands.go(600)
        keeper.look_again()
        await desk.has("T-2")

    assert desk.fired == ["T-2"]
    assert len(table) == 0


async def test_a_bug_in_what_fires_is_not_hidden() -> None:
    """The keeper ends with it, and the entry stays for the next start.

    Demanded by: TIME-1.
    """
    table, desk = Timetable(), Desk()
    desk.failures = [ZeroDivisionError()]
    table.set(entry("T-1"))
    keeper = TimetableKeeper(table, wall_clock(Hands(NINE)), desk.fire)

    with pytest.raises(ZeroDivisionError):
        await keeper.run()
    assert len(table) == 1


async def test_a_stopped_keeper_fires_nothing_more() -> None:
    """It ends after the entry it is firing.

    Demanded by: TIME-1.
    """
    table, desk = Timetable(), Desk()
    keeper = TimetableKeeper(table, wall_clock(Hands(NINE)), desk.fire)
    desk.on_fire = lambda _entry: keeper.stop()
    table.set(entry("T-1"))
    table.set(entry("T-2"))

    async with asyncio.timeout(WAIT_S):
        await keeper.run()

    assert desk.fired == ["T-1"]
    assert [each.id for each in table.entries()] == ["T-2"]
