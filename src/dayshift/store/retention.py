"""What retention takes out of an office's rows: the inner life of work that ended long ago.

A run keeps its row, and a turn what it cost. Its calls, its requests and what was said in dialogues
that nobody goes on with are deleted, and so are old ledger entries, events and settled items.
"""

from datetime import datetime

from sqlalchemy import delete, func, select, update

from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import RUN_ENDS
from dayshift.core.views import EventView, ItemView, RunView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, number

_DAY, _THREADLESS = "day:", "closed:"


def first_whole_run(asked: Rows, office: str) -> int:
    """The number of the first run of which a turn is kept whole; 0 when there is none."""
    c = t.turns.c
    query = select(func.min(c.run_n)).where(c.office == office, c.entry > 0)
    return int(asked.rows(query)[0][0] or 0)


def runs_from(asked: Rows, office: str, n: int, *, limit: int) -> list[RunView]:
    """Runs from a number on, oldest first."""
    c = t.runs.c
    query = select(c.body).where(c.office == office, c.n >= n).order_by(c.n).limit(limit)
    return bodies(asked.rows(query), RunView)


def is_over(run: RunView, before: datetime) -> bool:
    """Whether a run ended before a moment."""
    return run.state in RUN_ENDS and run.ended_at is not None and run.ended_at < before


def empty_run(unit: UnitOfWork, run: RunView) -> int:
    """Delete a run's calls and what its turns were made of; returns how many turns were whole."""
    calls, turns, n = t.calls.c, t.turns.c, number(run.id)
    unit.change(delete(t.calls).where(calls.office == unit.office, calls.run_n == n))
    return unit.change(
        update(t.turns)
        .where(turns.office == unit.office, turns.run_n == n, turns.entry > 0)
        .values(entry=0, prompt="", dialogue="", first=0, upto=0, request="")
    )


def empty_dialogue(unit: UnitOfWork, dialogue: str, *, today: int) -> int:
    """Delete what a dialogue does not begin with any more, and no whole turn was asked with.

    Of a dialogue that nobody goes on with, that is all; summaries stay as long as the dialogue.
    """
    d, u, turns, n = t.dialogues.c, t.utterances.c, t.turns.c, number(dialogue)
    rows = unit.rows(select(d.key, d.cursor).where(d.office == unit.office, d.n == n))
    if not rows:
        return 0
    key, cursor = str(rows[0][0]), int(rows[0][1])
    whole = select(func.min(turns.first)).where(
        turns.office == unit.office, turns.dialogue == dialogue, turns.entry > 0
    )
    needed = unit.rows(whole)[0][0]
    is_past = key.startswith(_THREADLESS) or _is_past_day(key, today)
    of_it = (u.office == unit.office) & (u.dialogue_n == n)
    if is_past and needed is None:
        return unit.change(delete(t.utterances).where(of_it))
    below = min(int(needed if needed is not None else cursor), cursor)
    return unit.change(delete(t.utterances).where(of_it, u.n > 0, u.n < below))


def _is_past_day(key: str, today: int) -> bool:
    day = key.removeprefix(_DAY)
    return day != key and day.isdecimal() and int(day) < today


def first_needed_entry(asked: Rows, office: str, before: datetime) -> int:
    """The number of the first entry that must stay: a later one, or one that a row points to."""
    c = t.ledger.c
    lately = select(func.min(c.seq)).where(c.office == office, c.at >= before.isoformat())
    newest = select(func.max(c.seq)).where(c.office == office)
    pointed = [
        select(func.min(table.c.entry)).where(table.c.office == office, table.c.entry > 0)
        for table in (t.turns, t.calls)
    ]
    found = [asked.rows(query)[0][0] for query in (lately, newest, *pointed)]
    return min((int(seq) for seq in found if seq is not None), default=0)


def forget_entries(unit: UnitOfWork, *, below: int, limit: int) -> int:
    """Delete the oldest entries below a number, at most ``limit``; returns how many."""
    c = t.ledger.c
    first = unit.rows(select(func.min(c.seq)).where(c.office == unit.office))[0][0]
    if first is None:
        return 0
    end = min(below, int(first) + limit)
    return unit.change(delete(t.ledger).where(c.office == unit.office, c.seq < end))


def forget_items(unit: UnitOfWork, before: datetime, *, after: int, limit: int) -> tuple[int, int]:
    """Delete settled items that came before a moment and belong to no run that is kept whole.

    Returns:
        How many were deleted, and the number to go on behind; 0 when there are no more.
    """
    c = t.items.c
    query = select(c.n, c.open, c.body).where(c.office == unit.office, c.n > after)
    rows = unit.rows(query.order_by(c.n).limit(limit))
    items = [(int(n), bool(is_open), decode(body, ItemView)) for n, is_open, body in rows]
    old = [(n, item) for n, is_open, item in items if item.queued_at < before and not is_open]
    whole = _whole_runs(unit, [number(item.run) for _, item in old if item.run])
    gone = [n for n, item in old if number(item.run) not in whole]
    unit.change(delete(t.items).where(c.office == unit.office, c.n.in_(gone)))
    is_last = len(items) < limit or items[-1][2].queued_at >= before
    return len(gone), 0 if is_last else items[-1][0]


def _whole_runs(asked: UnitOfWork, runs: list[int]) -> set[int]:
    c, r = t.turns.c, t.runs.c
    turns = select(c.run_n).where(c.office == asked.office, c.run_n.in_(runs), c.entry > 0)
    open_ = select(r.n).where(
        r.office == asked.office, r.n.in_(runs), r.state.not_in([end.value for end in RUN_ENDS])
    )
    return {int(n) for query in (turns, open_) for (n,) in asked.rows(query)}


def forget_events(unit: UnitOfWork, before: datetime, *, after: int, limit: int) -> tuple[int, int]:
    """Delete events from before a moment of which no item is left.

    Returns:
        How many were deleted, and the number to go on behind; 0 when there are no more.
    """
    c, i = t.events.c, t.items.c
    query = select(c.n, c.body).where(c.office == unit.office, c.n > after)
    rows = unit.rows(query.order_by(c.n).limit(limit))
    events = [(int(n), decode(body, EventView)) for n, body in rows]
    oldest = unit.rows(select(i.body).where(i.office == unit.office).order_by(i.n).limit(1))
    needed = number(decode(oldest[0][0], ItemView).event) if oldest else 1 << 60
    gone = [n for n, event in events if event.at < before and n < needed]
    unit.change(delete(t.events).where(c.office == unit.office, c.n.in_(gone)))
    is_last = len(gone) < limit
    return len(gone), 0 if is_last else events[-1][0]
