"""The journal: every step of a run, written so that the run can go on from it after a crash.

A run is its worker's by a fencing number; each write checks it. Each step is one unit of work: begun, answered,
calls moved, ended.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.entries import DialogueCompacted
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import AssistantMessage, Message, TextPart, ToolMessage, UserMessage
from dayshift.core.states import Activity, CallState, ItemState, RunState
from dayshift.core.views import CallView, ItemView, RunView, TurnView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import is_expired
from dayshift.store import arrivals, speech, staff, work
from dayshift.store.rows import encode
from dayshift.store.work import StoredCall

RUN_LETTER = "R"
SUMMARIES_FROM = work.SUMMARIES_FROM


class StoredDialogue(msgspec.Struct, frozen=True):
    """A dialogue as it is written down. ``version`` counts its summaries; 0 means none."""

    id: str
    summary: str
    version: int
    messages: list[tuple[int, Message]]
    last: int
    """The highest place taken, or promised to a call."""


class Begin(msgspec.Struct, frozen=True, kw_only=True):
    """A run to begin."""

    item: ItemView
    dialogue: str
    """Empty to open a new one under ``key``."""
    key: str
    place: int
    told: UserMessage
    model: str
    title: str
    day: int


class NewCall(msgspec.Struct, frozen=True):
    """A tool call as the model asked for it."""

    view: CallView
    provider_id: str
    arguments: str
    slot: int


class OpenRun(msgspec.Struct, frozen=True):
    """A run that a former process left open."""

    run: RunView
    item: ItemView
    turns: list[TurnView]
    calls: list[StoredCall]


class TurnFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn's request was made of, so that it can be rendered again."""

    task: str
    priced: bool
    prompt: str
    dialogue: str
    first: int
    upto: int
    request: dict[str, object]


class Journal:
    """Writes and reads the runs of one office."""

    def __init__(self, bus: Bus, book: DutyBook) -> None:
        """Runs are kept in the ledger alone."""
        self.bus = bus
        self._book = book

    async def dialogue(self, agent: str, key: str) -> StoredDialogue | None:
        """The agent's dialogue under a key, ``None`` when there is none yet."""
        office = self.bus.office

        def query(asked: work.Rows) -> StoredDialogue | None:
            found = speech.find_dialogue(asked, office, agent, key)
            return _stored(asked, office, found[0]) if found else None

        return await self.bus.read(query)

    async def dialogue_by_id(self, id_: str) -> StoredDialogue:
        """A dialogue by its id, as it is now."""
        return await self.bus.read(lambda r: _stored(r, self.bus.office, id_))

    def plan_begin(self, begin: Begin) -> Callable[[UnitOfWork], RunView | None]:
        """Take an item and begin a run on it; ``None`` when it is no longer to be done."""

        def start(unit: UnitOfWork) -> RunView | None:
            item = arrivals.item(unit, unit.office, begin.item.id)
            if item is None or item.state is not ItemState.QUEUED:
                return None
            now = self.bus.clock.now()
            if is_expired(item, now):
                self.settle_item(unit, item, ItemState.EXPIRED, reason="nobody got to it in time")
                return None
            dialogue = begin.dialogue or speech.add_dialogue(unit, item.agent, begin.key)
            run = RunView(
                id=unit.next_id(RUN_LETTER),
                agent=item.agent,
                state=RunState.RUNNING,
                item=item.id,
                dialogue=dialogue,
                kind=item.kind,
                title=begin.title,
                thread=item.thread,
                task=item.task,
                model=begin.model,
                fence=1,
                turns=0,
                calls=0,
                usage=work.Usage(),
                cost_usd_micros=0,
                reason_code="",
                reason="",
                outcome="",
                started_at=now,
                ended_at=None,
            )
            taken = msgspec.structs.replace(
                item, state=ItemState.TAKEN, run=run.id, attempts=item.attempts + 1
            )
            arrivals.put_item(unit, taken)
            work.put_run(unit, run, day=begin.day)
            self._book.act(unit, item.agent, Activity.BUSY, run=run.id)
            speech.utter(unit, dialogue, begin.place, run=run.id, message=begin.told)
            return run

        return start

    def plan_told(
        self,
        run: RunView,
        messages: Sequence[tuple[int, UserMessage]],
        items: Sequence[ItemView] = (),
    ) -> Callable[[UnitOfWork], None]:
        """Tell a running run something more; ``items`` are the steer items this settles."""

        def tell(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            for place, message in messages:
                speech.utter(unit, run.dialogue, place, run=run.id, message=message)
            for item in items:
                self.settle_item(unit, item, ItemState.DONE, run=run.id)

        return tell

    def plan_answer(
        self,
        run: RunView,
        turn: TurnView,
        *,
        message: AssistantMessage | None,
        place: int,
        calls: Sequence[NewCall],
        facts: TurnFacts,
    ) -> Callable[[UnitOfWork], None]:
        """Write a turn with its answer and the calls it asked for. ``run`` carries the new totals."""

        def answer(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            if message is not None:
                speech.utter(unit, run.dialogue, place, run=run.id, message=message)
            stored = {
                "day": turn.day,
                "task": facts.task,
                "priced": int(facts.priced),
                "prompt": facts.prompt,
                "dialogue": facts.dialogue,
                "first": facts.first,
                "upto": facts.upto,
                "request": encode(facts.request),
            }
            work.put_turn(unit, turn, run=run, facts=stored)
            for call in calls:
                work.add_call(
                    unit,
                    call.view,
                    provider_id=call.provider_id,
                    arguments=call.arguments,
                    slot=call.slot,
                )

        return answer

    def plan_calls(
        self,
        run: RunView,
        moved: Sequence[tuple[CallView, str]],
        results: Sequence[tuple[int, ToolMessage]] = (),
        *,
        effect: Callable[[UnitOfWork], None] | None = None,
    ) -> Callable[[UnitOfWork], None]:
        """Move calls to another state, each with its result or nothing.

        ``results`` are the results' places in the dialogue; ``effect`` takes effect with them.
        """

        def move(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            if effect is not None:
                effect(unit)
            for view, result in moved:
                work.move_call(unit, view, result=result)
            for place, message in results:
                speech.utter(unit, run.dialogue, place, run=run.id, message=message)

        return move

    def plan_close_calls(
        self, run: RunView, *, text: str, state: CallState
    ) -> Callable[[UnitOfWork], None]:
        """Close every open call of a run with the same result."""
        return lambda unit: self.close_calls(unit, run, text=text, state=state)

    def close_calls(self, unit: UnitOfWork, run: RunView, *, text: str, state: CallState) -> None:
        """Close every open call of a run, within somebody's unit."""
        work.hold(unit, run.id, run.fence)
        for call in work.calls(unit, unit.office, run.id):
            if call.view.state in OPEN_CALLS:
                ended = msgspec.structs.replace(
                    call.view,
                    state=state,
                    code=state.value,
                    result=text,
                    ended_at=self.bus.clock.now(),
                )
                work.move_call(unit, ended, result=text)
                message = ToolMessage(call.provider_id, call.view.name, text, ok=False)
                speech.utter(unit, run.dialogue, call.slot, run=run.id, message=message)

    async def item(self, id_: str) -> ItemView | None:
        """One inbox item as it is on disk."""
        return await self.bus.read(lambda r: arrivals.item(r, self.bus.office, id_))

    def plan_end(
        self,
        run: RunView,
        item: ItemView,
        *,
        item_state: ItemState,
        also: Callable[[UnitOfWork], None] | None = None,
        activity: Activity = Activity.IDLE,
    ) -> Callable[[UnitOfWork], None]:
        """End a run, settle its item and let the agent rest."""

        def end(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            if also is not None:
                also(unit)
            work.put_run(unit, run, day=self.bus.clock.day())
            self.settle_item(unit, item, item_state, run=run.id, reason=run.reason)
            if self._book.get(run.agent) is not None:
                self._book.act(unit, run.agent, activity)

        return end

    def settle_item(
        self, unit: UnitOfWork, item: ItemView, state: ItemState, *, run: str = "", reason: str = ""
    ) -> None:
        """Move an item to another state, from what is on disk."""
        now = arrivals.item(unit, unit.office, item.id) or item
        arrivals.put_item(
            unit, msgspec.structs.replace(now, state=state, run=run or now.run, reason=reason)
        )

    def plan_compacted(
        self, run: RunView, entry: DialogueCompacted, *, summary: str, version: int, cursor: int
    ) -> Callable[[UnitOfWork], None]:
        """Let a dialogue begin later, after a summary; the version before stays readable."""

        def compact(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            told = UserMessage((TextPart(summary),))
            if version:
                speech.utter(unit, run.dialogue, -version, run=run.id, message=told)
            speech.move_cursor(unit, run.dialogue, cursor=cursor, summary=summary)
            unit.append(entry)

        return compact

    def plan_prompt(
        self, agent: str, hash_: str, *, body: str, chars: int
    ) -> Callable[[UnitOfWork], None]:
        """Keep a snapshot of a system prompt."""
        at = self.bus.clock.now().isoformat()
        return lambda unit: staff.put_prompt(unit, agent, hash_, body=body, chars=chars, at=at)

    async def left_open(self) -> list[OpenRun]:
        """The runs a former process left, oldest first."""
        office = self.bus.office

        def query(asked: work.Rows) -> list[OpenRun]:
            found: list[OpenRun] = []
            for run in work.open_runs(asked, office):
                item = arrivals.item(asked, office, run.item)
                if item is not None:
                    turns = work.turns(asked, office, run.id)
                    found.append(OpenRun(run, item, turns, work.calls(asked, office, run.id)))
            return found

        return await self.bus.read(query)

    def plan_take_over(
        self, open_run: OpenRun, interrupted: Sequence[tuple[CallView, int, ToolMessage]]
    ) -> Callable[[UnitOfWork], RunView]:
        """Own an open run from now on; calls that were running are interrupted and their results written."""
        run = msgspec.structs.replace(open_run.run, fence=open_run.run.fence + 1)

        def take(unit: UnitOfWork) -> RunView:
            work.hold(unit, run.id, open_run.run.fence)
            work.take_over(unit, run, run.fence)
            for view, slot, message in interrupted:
                work.move_call(unit, view, result=message.text)
                speech.utter(unit, run.dialogue, slot, run=run.id, message=message)
            return run

        return take

    async def commit(self, plan: Callable[[UnitOfWork], object], *, actor: str = "office") -> None:
        """Commit a plan whose result does not matter."""
        await self.bus.commit(lambda unit: _drop(plan(unit)), actor=actor)

    def now(self) -> datetime:
        """Office time."""
        return self.bus.clock.now()


def _drop(_result: object) -> None:
    return None


def _stored(asked: work.Rows, office: str, id_: str) -> StoredDialogue:
    _, cursor, summary = speech.dialogue(asked, office, id_)
    version = speech.summaries(asked, office, id_)
    messages = speech.utterances(asked, office, id_, first=cursor)
    last = max(messages[-1][0] if messages else cursor, speech.last_slot(asked, office, id_))
    return StoredDialogue(id=id_, summary=summary, version=version, messages=messages, last=last)


OPEN_CALLS = frozenset({CallState.PENDING, CallState.RUNNING})
