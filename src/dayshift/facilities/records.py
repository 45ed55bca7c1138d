"""Runs, events, usage and files written, as people look them up."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from dayshift.bus.bus import Bus
from dayshift.core.details import (
    BudgetView,
    CallDetail,
    Page,
    RunDetail,
    UsageReport,
    UsageRow,
)
from dayshift.core.entries import Recorded
from dayshift.core.errors import InvalidError, NotFoundError
from dayshift.core.model import AssistantMessage, Message
from dayshift.core.states import RunState
from dayshift.core.views import Decision, EventView, RunView, TurnView
from dayshift.core.wishes import EventFilter, RunFilter, UsageKey
from dayshift.facilities.paging import cursor
from dayshift.store import arrivals, ledger_query, speech, staff, work
from dayshift.store.rows import Rows, number

RESULT_CHARS_MAX = 1_048_576
WRITES_SHOWN = 200


class Records:
    """What is written down of one office's work."""

    def __init__(self, bus: Bus) -> None:
        """Everything is read from the ledger."""
        self._bus = bus

    async def runs(self, wanted: RunFilter, *, before: str, limit: int) -> Page[RunView]:
        """Runs, newest first."""
        if wanted.state and wanted.state not in set(RunState):
            raise InvalidError(
                f"There is no run state {wanted.state!r}.", hint=f"One of: {', '.join(RunState)}."
            )
        filters = {
            "agent": wanted.agent,
            "state": wanted.state,
            "task": wanted.task,
            "thread": wanted.thread,
        }
        upto = cursor(before)
        found = await self._bus.read(
            lambda r: work.runs(r, self._bus.office, filters=filters, before=upto, limit=limit + 1)
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(number(found[limit - 1].id)) if more else None)

    async def run(self, id_: str) -> RunDetail:
        """One run with its turns and calls."""

        def query(asked: Rows) -> RunDetail | None:
            run = work.run(asked, self._bus.office, id_)
            if run is None or run.id != id_:
                return None
            turns = work.turns(asked, self._bus.office, id_)
            calls = [call.view for call in work.calls(asked, self._bus.office, id_)]
            return RunDetail(run=run, turns=turns, calls=calls)

        found = await self._bus.read(query)
        if found is None:
            raise NotFoundError(f"There is no run {id_}.")
        return found

    async def call(self, id_: str) -> CallDetail:
        """One call whole."""
        run = id_.split(".", 1)[0]
        calls = await self._bus.read(lambda r: work.calls(r, self._bus.office, run))
        for call in calls:
            if call.view.id == id_:
                return CallDetail(
                    call=call.view, arguments=call.arguments, result=call.result[:RESULT_CHARS_MAX]
                )
        raise NotFoundError(f"There is no tool call {id_}.")

    async def answer(self, run: str, n: int) -> AssistantMessage:
        """The canonical answer of a turn."""

        def query(asked: Rows) -> AssistantMessage | None:
            found = work.turn_facts(asked, self._bus.office, run, n)
            if found is None or found[0].run != run:
                return None
            _, facts = found
            places = speech.utterances(
                asked,
                self._bus.office,
                facts["dialogue"],
                first=facts["upto"] + 1,
                upto=facts["upto"] + 1,
            )
            message = places[0][1] if places else None
            return message if isinstance(message, AssistantMessage) else None

        found = await self._bus.read(query)
        if found is None:
            raise NotFoundError(f"Turn {n} of {run} has no answer.")
        return found

    async def request(self, run: str, n: int) -> "RequestFacts":
        """What a turn's request was made of."""

        def query(asked: Rows) -> RequestFacts | None:
            found = work.turn_facts(asked, self._bus.office, run, n)
            if found is None or found[0].run != run:
                return None
            turn, facts = found
            prompt = staff.prompt(asked, self._bus.office, turn.agent, facts["prompt"])
            messages = speech.utterances(
                asked,
                self._bus.office,
                facts["dialogue"],
                first=max(1, facts["first"]),
                upto=facts["upto"],
            )
            version = int(work.decode(facts["request"], dict[str, Any]).get("version", 0))
            summary = (
                speech.utterances(
                    asked, self._bus.office, facts["dialogue"], first=-version, upto=-version
                )
                if version
                else []
            )
            return RequestFacts(
                turn, prompt or "", [m for _, m in [*summary, *messages]], facts["request"]
            )

        found = await self._bus.read(query)
        if found is None:
            raise NotFoundError(f"There is no turn {n} of {run}.")
        return found

    async def events(self, wanted: EventFilter, *, before: str, limit: int) -> Page[EventView]:
        """Events, newest first."""
        upto = cursor(before)
        found = await self._bus.read(
            lambda r: arrivals.events(r, self._bus.office, wanted, before=upto, limit=limit + 1)
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(number(found[limit - 1].id)) if more else None)

    async def event(self, id_: str) -> tuple[EventView, list[Decision]]:
        """One event with the decisions that were written down."""
        found = await self._bus.read(lambda r: arrivals.event(r, self._bus.office, id_))
        if found is None:
            raise NotFoundError(f"There is no event {id_}.")
        return found

    async def writes(self, agent: str, path: str) -> Sequence[Recorded]:
        """The entries of files an agent wrote, newest first."""
        return await self._bus.read(
            lambda r: ledger_query.writes(
                r, self._bus.office, agent=agent, path=path, limit=WRITES_SHOWN
            )
        )

    async def usage(self, *, by: UsageKey, days: int, limit_micros: int) -> UsageReport:
        """Usage of the last office days."""
        today = self._bus.clock.day()
        column = "run_n" if by == "run" else by

        def query(asked: Rows) -> tuple[Sequence[Any], int]:
            rows = work.usage_rows(asked, self._bus.office, by=column, since_day=today - days + 1)
            return rows, work.spent(asked, self._bus.office, day=today)[0]

        raw, spent = await self._bus.read(query)
        rows = [_usage_row(f"R-{row[0]}" if by == "run" else str(row[0]), row) for row in raw]
        if by != "day":
            rows.sort(key=lambda row: (-row.cost_usd_micros, -row.input_tokens))
        return UsageReport(
            rows=rows,
            total=_total(rows),
            budget=BudgetView(limit_usd_micros=limit_micros, spent_usd_micros=spent),
        )


class RequestFacts(NamedTuple):
    """What a turn's request was made of.

    Attributes:
        prompt: The snapshot of its system prompt as JSON; empty when it is not kept any more.
        rest: What else went into it, as JSON.
    """

    turn: TurnView
    prompt: str
    messages: list[Message]
    rest: str


def _usage_row(key: str, row: Sequence[Any]) -> UsageRow:
    return UsageRow(
        key=key,
        input_tokens=int(row[1] or 0),
        output_tokens=int(row[2] or 0),
        cache_read_tokens=int(row[3] or 0),
        cache_write_tokens=int(row[4] or 0),
        requests=int(row[5] or 0),
        cost_usd_micros=int(row[6] or 0),
        unpriced_requests=int(row[7] or 0),
    )


def _total(rows: Sequence[UsageRow]) -> UsageRow:
    names = [name for name in UsageRow.__struct_fields__ if name != "key"]
    return UsageRow(
        key="total", **{name: sum(getattr(row, name) for row in rows) for name in names}
    )
