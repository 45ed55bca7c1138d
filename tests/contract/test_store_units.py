"""Units of work: all of a unit is on disk or nothing of it, in order, told after it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from dayshift.core.entries import AlertChanged, ItemChanged, PromptComposed
from dayshift.core.errors import ConflictError, StorageError
from dayshift.store import arrivals, ledger_query, staff
from dayshift.store.database import Database, open_database
from tests.contract.things import NOW, alert, item

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dayshift.store.rows import Rows
    from dayshift.store.writer import Committed, Unit

OFFICE = "acme"


def _noting(name: str, *, then: Exception | None = None) -> Callable[[Unit], str]:
    """A unit that writes a mark and an item, and then may fail."""

    def work(unit: Unit) -> str:
        staff.put_mark(unit, name, f'"{name}"')
        id_ = unit.next_id("I")
        arrivals.put_item(unit, item(id_, text=name))
        if then is not None:
            raise then
        return id_

    return work


async def _all(database: Database, *works: Callable[[Unit], Any]) -> list[Any]:
    """Commit units at the same time; returns what each came to."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_outcome(database, work)) for work in works]
    return [task.result() for task in tasks]


async def _outcome(database: Database, work: Callable[[Unit], Any]) -> object:
    try:
        return await database.commit(OFFICE, work, at=NOW)
    except ConflictError as error:
        return error.message


async def _seqs(database: Database) -> list[int]:
    rows = await database.read(lambda r: ledger_query.entries_after(r, OFFICE, 0, limit=1_000))
    return [row.seq for row in rows]


async def test_a_unit_that_fails_leaves_nothing(url: str) -> None:
    """Rows, entries and numbers of a unit that raises are undone, and the next unit takes them.

    Demanded by: product (one durable ledger), invariant 2.
    """
    async with open_database(url) as database:
        heard: list[Committed] = []
        database.subscribe(heard.extend)

        with pytest.raises(ConflictError, match="not like this"):
            await database.commit(OFFICE, _noting("a", then=ConflictError("not like this")), at=NOW)
        id_ = await database.commit(OFFICE, _noting("b"), at=NOW)

        marks = await database.read(lambda r: [staff.mark(r, OFFICE, name) for name in "ab"])
        assert (id_, marks, await _seqs(database)) == ("I-1", [None, '"b"'], [1])
        assert [entry.seq for entry in heard] == [1]


async def test_rows_without_an_entry_are_undone_as_well(url: str) -> None:
    """A unit that only changed rows, and then raises, leaves them as they were.

    Demanded by: product (one durable ledger).
    """

    def forgetful(unit: Unit) -> None:
        staff.put_mark(unit, "a", "2")
        raise ConflictError("never mind")

    async with open_database(url) as database:
        await database.commit(OFFICE, lambda unit: staff.put_mark(unit, "a", "1"), at=NOW)

        outcomes = await _all(database, forgetful, _noting("b"))

        assert outcomes == ["never mind", "I-1"]
        assert await database.read(lambda r: staff.mark(r, OFFICE, "a")) == "1"


async def test_units_of_a_group_fail_one_by_one(url: str) -> None:
    """Of units that wait together, those that fail are undone, and the rest is numbered on.

    Demanded by: stack (commit in groups), invariant 2.
    """
    async with open_database(url) as database:
        works = [
            _noting(str(n), then=ConflictError(f"no {n}") if n % 3 == 1 else None)
            for n in range(12)
        ]

        before = database.writer.commits
        outcomes = await _all(database, *works)

        assert outcomes == [
            "I-1",
            "no 1",
            "I-2",
            "I-3",
            "no 4",
            "I-4",
            "I-5",
            "no 7",
            "I-6",
            "I-7",
            "no 10",
            "I-8",
        ]
        assert await _seqs(database) == list(range(1, 9))
        assert database.writer.commits - before < len(works)


async def test_a_refusal_before_anything_was_written_costs_the_others_nothing(url: str) -> None:
    """A unit that only looks and then refuses leaves its group as it is: nobody runs twice.

    Demanded by: stack (commit in groups without a savepoint each).
    """
    runs: list[str] = []

    def looking(unit: Unit) -> None:
        runs.append("looking")
        if staff.mark(unit, OFFICE, "nothing") is None:
            raise ConflictError("there is nothing")

    def writing(unit: Unit) -> str:
        runs.append("writing")
        return _noting("w")(unit)

    async with open_database(url) as database:
        outcomes = await _all(database, writing, looking, writing)

        assert outcomes == ["I-1", "there is nothing", "I-2"]
        assert sorted(runs) == ["looking", "writing", "writing"]


async def test_entries_are_told_in_order_after_the_commit_and_before_the_caller(url: str) -> None:
    """What is heard is on disk already, without a gap, and its caller has not gone on yet.

    Demanded by: the working office (the feed is the ledger told outward), invariant 2.
    """
    async with open_database(url) as database:
        order: list[str] = []

        def heard(entries: Sequence[Committed]) -> None:
            order.extend(f"told {entry.seq}" for entry in entries)

        async def commit(n: int) -> None:
            await database.commit(OFFICE, _noting(str(n)), at=NOW)
            order.append(f"done {n}")

        database.subscribe(heard)
        async with asyncio.TaskGroup() as group:
            for n in range(1, 4):
                group.create_task(commit(n))

        told = [word for word in order if word.startswith("told")]
        assert told == ["told 1", "told 2", "told 3"]
        assert all(order.index(f"told {n}") < order.index(f"done {n}") for n in range(1, 4))


async def test_a_waiter_that_is_cancelled_does_not_undo_its_unit(url: str) -> None:
    """Who stops waiting gets nothing; the unit takes effect all the same, and is told.

    Demanded by: house 2 (what is cancelled half-way), RUN-4.
    """
    async with open_database(url) as database:
        waiter = asyncio.ensure_future(database.commit(OFFICE, _noting("a"), at=NOW))
        await asyncio.sleep(0)
        waiter.cancel()
        await database.commit(OFFICE, _noting("b"), at=NOW)

        with pytest.raises(asyncio.CancelledError):
            await waiter
        assert await _seqs(database) == [1, 2]


async def test_closing_finishes_what_is_queued_and_refuses_what_comes_after(url: str) -> None:
    """A server that stops loses no unit it has taken.

    Demanded by: product (a restart loses nothing).
    """
    async with open_database(url) as database:
        tasks = [asyncio.ensure_future(database.commit(OFFICE, _noting(n), at=NOW)) for n in "abc"]
        await asyncio.sleep(0)

    assert [await task for task in tasks] == ["I-1", "I-2", "I-3"]
    with pytest.raises(StorageError, match="closed"):
        await database.commit(OFFICE, _noting("d"), at=NOW)


async def test_numbers_go_on_after_a_restart(url: str) -> None:
    """Feed numbers and ids continue where a former process was.

    Demanded by: the working office (a gap-free sequence per office).
    """
    async with open_database(url) as database:
        await database.commit(OFFICE, _noting("a"), at=NOW)
    async with open_database(url) as database:
        id_ = await database.commit(OFFICE, _noting("b"), at=NOW)

        assert (id_, await _seqs(database)) == ("I-2", [1, 2])


async def test_a_listener_that_fails_holds_nobody_up(url: str) -> None:
    """A fault in one listener is reported, and the caller goes on.

    Demanded by: house 2 (a loop must outlive its item).
    """
    reported: list[BaseException] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: reported.append(context["exception"]))

    async with open_database(url) as database:
        database.subscribe(lambda _entries: 1 // 0)  # type: ignore[arg-type]  it fails

        assert await database.commit(OFFICE, _noting("a"), at=NOW) == "I-1"
    assert [type(error) for error in reported] == [ZeroDivisionError]


async def test_a_reading_sees_one_moment(url: str) -> None:
    """Two questions of one reading have the same answer, whatever is committed between them.

    Demanded by: PLAT-3 (a snapshot is of one moment).
    """
    async with open_database(url) as database:
        await database.commit(OFFICE, _noting("a"), at=NOW)
        loop = asyncio.get_running_loop()

        def twice(asked: Rows) -> tuple[int, int]:
            first = ledger_query.last_seq(asked, OFFICE)
            coming = database.commit(OFFICE, _noting("b"), at=NOW)
            asyncio.run_coroutine_threadsafe(coming, loop).result(5)
            return first, ledger_query.last_seq(asked, OFFICE)

        assert await database.read(twice) == (1, 1)
        assert await _seqs(database) == [1, 2]


async def test_the_longest_names_fit(url: str) -> None:
    """Names as long as they may be are stored and found, also where a column has a width.

    Demanded by: PLAT-7 (the same on both databases).
    """
    name, office = "n" * 64, "o" * 64
    async with open_database(url) as database:

        def work(unit: Unit) -> None:
            staff.put_mark(unit, f"rate:posts:{name} ch:{name}", "1")
            arrivals.put_item(unit, item("I-1", agent=name))
            unit.append(PromptComposed(agent=name, hash="h" * 16, chars=1), actor=f"agent:{name}")

        await database.commit(office, work, at=NOW)

        found = await database.read(lambda r: arrivals.items(r, office, agent=name))
        assert [one.id for one in found] == ["I-1"]


async def test_an_entry_reads_back_as_it_was_written(url: str) -> None:
    """What is told, and what the ledger gives back, is the entry itself, whatever is in its text.

    Demanded by: invariant 14.
    """
    text = '“quotes” \\ " \n\t \x00 % 中文 🦊'
    async with open_database(url) as database:
        heard: list[Committed] = []
        database.subscribe(heard.extend)

        def work(unit: Unit) -> None:
            arrivals.put_item(unit, item(unit.next_id("I"), text=text))
            staff.put_alert(unit, alert("A-1", text=text), "f")

        await database.commit(OFFICE, work, at=NOW)

        entries = [
            ItemChanged(item=item("I-1", text=text)),
            AlertChanged(alert=alert("A-1", text=text)),
        ]
        stored = await database.read(lambda r: arrivals.item(r, OFFICE, "I-1"))
        assert [one.entry for one in heard] == entries
        assert stored == item("I-1", text=text)
