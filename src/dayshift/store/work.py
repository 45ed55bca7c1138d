"""Rows of runs, turns and tool calls: the journal that a run is resumed from."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, select, update

from dayshift.core.entries import CallChanged, Entry, RunChanged, TurnEnded
from dayshift.core.errors import FencedError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import Usage
from dayshift.core.states import CallState, RunState
from dayshift.core.views import CallView, ItemView, RunView, TurnView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number
from dayshift.store.statements import Prepared, param, prepared_insert

_INSERT_TURN = prepared_insert(t.turns)
_INSERT_CALL = prepared_insert(t.calls)
_THIS_CALL = (
    (t.calls.c.office == param("of_office"))
    & (t.calls.c.run_n == param("of_run"))
    & (t.calls.c.turn == param("of_turn"))
    & (t.calls.c.index == param("of_index"))
)
_MOVE_CALL = Prepared(
    update(t.calls).where(_THIS_CALL).values(state=param("to_state"), entry=param("to_entry"))
)
_END_CALL = Prepared(
    update(t.calls)
    .where(_THIS_CALL)
    .values(state=param("to_state"), entry=param("to_entry"), result=param("to_result"))
)
_HOLD = Prepared(
    select(t.runs.c.fence, t.runs.c.state)
    .where(t.runs.c.office == param("of_office"), t.runs.c.n == param("of_n"))
    .with_for_update()
)
_LOCK_ITEM = Prepared(
    select(t.items.c.n)
    .where(t.items.c.office == param("of_office"), t.items.c.n == param("of_n"))
    .with_for_update()
)
_RUN = Prepared(
    select(t.runs.c.body).where(t.runs.c.office == param("of_office"), t.runs.c.n == param("of_n"))
)
_LOOK_BACK_RUNS = 2_000
OPEN_RUNS = (RunState.QUEUED.value, RunState.RUNNING.value, RunState.AWAITING_PERSON.value)


def put_run(unit: UnitOfWork, view: RunView, *, day: int) -> None:
    """Write a run at its start or end and tell of it."""
    unit.upsert(
        t.runs,
        {
            "office": unit.office,
            "n": number(view.id),
            "agent": view.agent,
            "state": view.state.value,
            "fence": view.fence,
            "thread": view.thread,
            "task": view.task,
            "day": day,
            "body": encode(view),
        },
    )
    unit.append(RunChanged(run=view))


def hold(unit: UnitOfWork, run_id: str, fence: int) -> None:
    """Make sure that the writer still owns the run, until the unit is committed.

    Raises:
        FencedError: Another worker took it over, or it has ended.
    """
    rows = unit.rows(_HOLD, {"of_office": unit.office, "of_n": number(run_id)})
    if not rows or rows[0][0] != fence or rows[0][1] not in OPEN_RUNS:
        raise FencedError(f"Run {run_id} is no longer this worker's; its write was refused.")


def lock_item(unit: UnitOfWork, id_: str) -> None:
    """Keep everybody else from an inbox item until the unit is committed."""
    unit.rows(_LOCK_ITEM, {"of_office": unit.office, "of_n": number(id_)})


def take_over(unit: UnitOfWork, view: RunView, fence: int) -> None:
    """Give an open run a new fencing number."""
    where = (t.runs.c.office == unit.office) & (t.runs.c.n == number(view.id))
    unit.change(update(t.runs).where(where).values(fence=fence, body=encode(view)))
    unit.append(RunChanged(run=view))


def put_turn(unit: UnitOfWork, view: TurnView, *, run: RunView, facts: dict[str, Any]) -> None:
    """Write a turn. ``facts``: day, task, priced, prompt, dialogue, first, upto, request."""
    usage = view.usage
    entry: Entry = TurnEnded(turn=view, run=run)
    unit.change(
        _INSERT_TURN,
        {
            "office": unit.office,
            "run_n": number(view.run),
            "n": view.n,
            "agent": view.agent,
            "model": view.model,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "cost_usd_micros": view.cost_usd_micros,
            "entry": unit.append(entry),
            **facts,
        },
    )


def add_call(
    unit: UnitOfWork,
    view: CallView,
    *,
    provider_id: str,
    arguments: str,
    slot: int,
    starts: CallView | None = None,
) -> None:
    """Write a new tool call, and that it ``starts`` if it does so at once.

    ``slot`` is the place of its result in the dialogue.
    """
    entry = unit.append(CallChanged(call=view))
    if starts is not None:
        entry = unit.append(CallChanged(call=starts))
    unit.change(
        _INSERT_CALL,
        {
            "office": unit.office,
            "run_n": number(view.run),
            "turn": view.turn,
            "index": view.index,
            "provider_id": provider_id,
            "state": (starts or view).state.value,
            "slot": slot,
            "arguments": arguments,
            "result": view.result,
            "entry": entry,
        },
    )


def move_call(unit: UnitOfWork, view: CallView, *, result: str = "") -> None:
    """Write a tool call's new state and tell of it."""
    given = {
        "of_office": unit.office,
        "of_run": number(view.run),
        "of_turn": view.turn,
        "of_index": view.index,
        "to_state": view.state.value,
        "to_entry": unit.append(CallChanged(call=view)),
    }
    if result:
        unit.change(_END_CALL, {**given, "to_result": result})
    else:
        unit.change(_MOVE_CALL, given)


def run(asked: Rows, office: str, id_: str) -> RunView | None:
    """One run; totals of an open run are summed from its turns."""
    rows = asked.rows(_RUN, {"of_office": office, "of_n": number(id_)})
    return _totalled(asked, office, [decode(rows[0][0], RunView)])[0] if rows else None


def item_of(asked: Rows, office: str, run_id: str) -> ItemView | None:
    """The inbox item that a run works off."""
    rows = asked.rows(_RUN, {"of_office": office, "of_n": number(run_id)})
    if not rows:
        return None
    item_id = decode(rows[0][0], RunView).item
    found = asked.rows(
        select(t.items.c.body).where(t.items.c.office == office, t.items.c.n == number(item_id))
    )
    return decode(found[0][0], ItemView) if found else None


def open_runs(asked: Rows, office: str) -> list[RunView]:
    """Runs that have not ended, oldest first."""
    query = select(t.runs.c.body).where(t.runs.c.office == office, t.runs.c.state.in_(OPEN_RUNS))
    return _totalled(asked, office, bodies(asked.rows(query.order_by(t.runs.c.n)), RunView))


def runs(
    asked: Rows, office: str, *, filters: dict[str, str], before: int, limit: int
) -> list[RunView]:
    """Runs, newest first, filtered by agent, state, task or thread."""
    query = select(t.runs.c.body).where(t.runs.c.office == office)
    for name, value in filters.items():
        if value:
            query = query.where(t.runs.c[name] == value)
    if before:
        query = query.where(t.runs.c.n < before)
    return _totalled(
        asked, office, bodies(asked.rows(query.order_by(t.runs.c.n.desc()).limit(limit)), RunView)
    )


def last_runs(asked: Rows, office: str, *, agent: str, task: str, limit: int) -> list[RunView]:
    """An agent's last runs on a task that have ended, newest first, among its office's latest."""
    c = t.runs.c
    newest = select(func.max(c.n)).where(c.office == office).scalar_subquery()
    query = select(c.body).where(
        c.office == office,
        c.n > newest - _LOOK_BACK_RUNS,
        c.agent == agent,
        c.task == task,
        c.state.not_in(OPEN_RUNS),
    )
    return bodies(asked.rows(query.order_by(c.n.desc()).limit(limit)), RunView)


def _totalled(asked: Rows, office: str, views: list[RunView]) -> list[RunView]:
    """Runs are written at start and end only; what lies between is in the turns."""
    return [
        _total(asked, office, view) if view.state.value in OPEN_RUNS else view for view in views
    ]


def _total(asked: Rows, office: str, view: RunView) -> RunView:
    c = t.turns.c
    query = select(_told(t.turns)).where(c.office == office, c.run_n == number(view.id))
    turns_ = _turns(asked.rows(query.order_by(c.n)))
    calls_ = asked.rows(
        select(func.count()).where(t.calls.c.office == office, t.calls.c.run_n == number(view.id))
    )
    return totals(view, turns_, int(calls_[0][0]))


def stalled(unit: UnitOfWork, run_id: str, *, progress: int) -> int:
    """Note that a run is taken over; returns how often in a row it had come no further."""
    name = _stall(run_id)
    where = (t.marks.c.office == unit.office) & (t.marks.c.name == name)
    rows = unit.rows(select(t.marks.c.body).where(where))
    before = decode(rows[0][0], dict[str, int]) if rows else {}
    count = before.get("count", 0) + 1 if before.get("progress") == progress else 1
    body = encode({"progress": progress, "count": count})
    unit.upsert(t.marks, {"office": unit.office, "name": name, "body": body})
    return count


def forget_stalls(unit: UnitOfWork, run_id: str) -> None:
    """The run has ended, or came further."""
    where = (t.marks.c.office == unit.office) & (t.marks.c.name == _stall(run_id))
    unit.change(delete(t.marks).where(where))


def _stall(run_id: str) -> str:
    return f"stall:{run_id}"


def totals(view: RunView, turns_: Sequence[TurnView], calls_: int) -> RunView:
    """A run with its counters summed up; requests for summaries cost, and are no turns."""
    used = [turn.usage for turn in turns_]
    fields = Usage.__struct_fields__
    usage = Usage(**{name: sum(getattr(one, name) for one in used) for name in fields})
    from_turns = [turn for turn in turns_ if turn.n < SUMMARIES_FROM]
    return _replace(
        view,
        turns=len(from_turns),
        calls=calls_,
        usage=usage,
        cost_usd_micros=sum(turn.cost_usd_micros for turn in turns_),
    )


def _replace(view: RunView, **changes: Any) -> RunView:  # noqa: ANN401  fields of the view
    return RunView(
        **{name: changes.get(name, getattr(view, name)) for name in RunView.__struct_fields__}
    )


OPEN_CALLS = (CallState.PENDING.value, CallState.RUNNING.value)
SUMMARIES_FROM = 1_000_000
"""Turn numbers from here on are requests for a summary, kept for their usage."""


def summaries(asked: Rows, office: str, run_id: str) -> int:
    """How many summaries a run has asked for."""
    c = t.turns.c
    query = select(func.count()).where(
        c.office == office, c.run_n == number(run_id), c.n >= SUMMARIES_FROM
    )
    return int(asked.rows(query)[0][0])


def turns(asked: Rows, office: str, run_id: str) -> list[TurnView]:
    """A run's turns in order, requests for summaries left out."""
    c = t.turns.c
    query = select(_told(t.turns)).where(
        c.office == office, c.run_n == number(run_id), c.n < SUMMARIES_FROM, c.entry > 0
    )
    return _turns(asked.rows(query.order_by(c.n)))


def _turns(rows: Sequence[Any]) -> list[TurnView]:
    return [one.turn for one in bodies(rows, TurnEnded)]


def _told(table: Any) -> Any:  # noqa: ANN401  turns or calls
    """The entry that tells of a row as it is now."""
    c = t.ledger.c
    here = (c.office == table.c.office) & (c.seq == table.c.entry)
    return select(c.body).where(here).scalar_subquery()


def turn_facts(
    asked: Rows, office: str, run_id: str, n: int
) -> tuple[TurnView, dict[str, Any]] | None:
    """One turn with what its request was made of."""
    c = t.turns.c
    query = select(_told(t.turns), c.prompt, c.dialogue, c.first, c.upto, c.request).where(
        c.office == office, c.run_n == number(run_id), c.n == n, c.entry > 0
    )
    rows = asked.rows(query)
    if not rows:
        return None
    body, prompt, dialogue, first, upto, request = rows[0]
    facts = {
        "prompt": prompt,
        "dialogue": dialogue,
        "first": first,
        "upto": upto,
        "request": request,
    }
    return decode(body, TurnEnded).turn, facts


class StoredCall(tuple[CallView, str, str, str, int]):
    """A tool call with its provider's id, its full arguments, its full result and its slot."""

    __slots__ = ()

    @property
    def view(self) -> CallView:
        """The call."""
        return self[0]

    @property
    def provider_id(self) -> str:
        """The id the model gave it."""
        return self[1]

    @property
    def arguments(self) -> str:
        """The raw arguments, whole."""
        return self[2]

    @property
    def result(self) -> str:
        """The result as the model reads it."""
        return self[3]

    @property
    def slot(self) -> int:
        """The place of its result in the dialogue."""
        return self[4]


def calls(asked: Rows, office: str, run_id: str) -> list[StoredCall]:
    """A run's tool calls in order."""
    c = t.calls.c
    query = select(_told(t.calls), c.provider_id, c.arguments, c.result, c.slot).where(
        c.office == office, c.run_n == number(run_id)
    )
    rows = asked.rows(query.order_by(c.turn, c.index))
    return [StoredCall((decode(r[0], CallChanged).call, r[1], r[2], r[3], int(r[4]))) for r in rows]


def open_calls(asked: Rows, office: str) -> list[CallView]:
    """Tool calls that have not ended, oldest first; a run that has ended has none."""
    c, r = t.calls.c, t.runs.c
    open_runs_ = select(r.n).where(r.office == office, r.state.in_(OPEN_RUNS))
    query = select(_told(t.calls)).where(
        c.office == office, c.run_n.in_(open_runs_), c.state.in_(OPEN_CALLS)
    )
    rows = asked.rows(query.order_by(c.run_n, c.turn, c.index))
    return [one.call for one in bodies(rows, CallChanged)]


def usage_rows(asked: Rows, office: str, *, by: str, since_day: int) -> Sequence[Any]:
    """Sums of usage grouped by ``day``, ``agent``, ``model``, ``task`` or ``run_n``."""
    c = t.turns.c
    key = c[by]
    query = (
        select(
            key,
            func.sum(c.input_tokens),
            func.sum(c.output_tokens),
            func.sum(c.cache_read_tokens),
            func.sum(c.cache_write_tokens),
            func.count(),
            func.sum(c.cost_usd_micros),
            func.count() - func.sum(c.priced),
        )
        .where(c.office == office, c.day >= since_day)
        .group_by(key)
        .order_by(key)
    )
    return asked.rows(query)


def spent(asked: Rows, office: str, *, day: int) -> tuple[int, int]:
    """Money (micros) and tokens spent on an office day."""
    every = spent_by_agent(asked, office, day=day).values()
    return sum(micros for micros, _ in every), sum(tokens for _, tokens in every)


def spent_by_agent(asked: Rows, office: str, *, day: int) -> dict[str, tuple[int, int]]:
    """Money (micros) and tokens that each agent spent on an office day."""
    c = t.turns.c
    query = (
        select(
            c.agent,
            func.coalesce(func.sum(c.cost_usd_micros), 0),
            func.coalesce(func.sum(c.input_tokens + c.output_tokens), 0),
        )
        .where(c.office == office, c.day == day)
        .group_by(c.agent)
    )
    return {agent: (int(micros), int(tokens)) for agent, micros, tokens in asked.rows(query)}
