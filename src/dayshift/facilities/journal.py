"""The journal: every step of a run, written so that the run can go on from it after a crash.

A run is its worker's by a fencing number; each write checks it. Each step is one unit of work:
begun, told, answered, calls moved, ended.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.entries import DialogueCompacted
from dayshift.core.errors import ConflictError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import AssistantMessage, Message, TextPart, ToolMessage, UserMessage
from dayshift.core.states import RUN_ENDS, Activity, CallState, ItemState, RunState
from dayshift.core.views import CallView, ItemView, RunView, TurnView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import is_expired
from dayshift.store import arrivals, speech, staff, work
from dayshift.store.rows import encode

RUN_LETTER = "R"
SUMMARIES_FROM = work.SUMMARIES_FROM
OPEN_CALLS = frozenset({CallState.PENDING, CallState.RUNNING})


class StoredDialogue(msgspec.Struct, frozen=True):
    """A dialogue as it is written down. ``version`` counts its summaries; 0 means none."""

    id: str
    key: str
    summary: str
    """As it is told; empty when there is none."""
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


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a beginning.

    ``gone``: the item is no longer to be done. ``stale``: its dialogue was closed or replaced.
    """

    run: RunView | None = None
    why: Literal["", "gone", "stale"] = ""


class NewCall(msgspec.Struct, frozen=True):
    """A tool call as the model asked for it. ``slot`` is the place of its result.

    ``starts`` is the call as it starts at once, ``None`` when it waits or never will: it is written
    with the answer, before anything is done.
    """

    view: CallView
    provider_id: str
    arguments: str
    slot: int
    starts: CallView | None = None


class TurnFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn's request was made of, so that it can be rendered again."""

    task: str
    priced: bool
    prompt: str
    dialogue: str
    first: int
    upto: int
    request: dict[str, object]


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn brought: its answer, if any, in its place, and the calls it asked for.

    ``results`` are those of calls that are not carried out, with their places.
    """

    facts: TurnFacts
    message: AssistantMessage | None = None
    place: int = 0
    calls: Sequence[NewCall] = ()
    results: Sequence[tuple[int, ToolMessage]] = ()


class Compacted(msgspec.Struct, frozen=True, kw_only=True):
    """A dialogue that begins later: at ``cursor``, after a summary, which is told as it stands.

    ``copies`` are shortened messages that stand for the ones before the cursor.
    """

    entry: DialogueCompacted
    summary: str
    version: int
    cursor: int
    copies: Sequence[tuple[int, Message]] = ()


class Journal:
    """Writes and reads the runs of one office."""

    def __init__(self, bus: Bus, book: DutyBook) -> None:
        """Runs are kept in the ledger alone."""
        self.bus = bus
        self._book = book

    # --- dialogues ----------------------------------------------------------------------------

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

    async def mirror(
        self, dialogue: str, write: Callable[[Callable[[int], list[str]]], None]
    ) -> None:
        """Let ``write`` copy a dialogue, on a thread where it may wait for the disk.

        It is given a function that returns the messages behind a place, each as a line of JSON.
        """
        office = self.bus.office
        await self.bus.read(
            lambda r: write(lambda after: speech.session_lines(r, office, dialogue, after=after))
        )

    # --- a run, step by step ------------------------------------------------------------------

    def plan_begin(self, begin: Begin) -> Callable[[UnitOfWork], Begun]:
        """Take an item and begin a run on it, if it is still to be done."""

        def start(unit: UnitOfWork) -> Begun:
            work.lock_item(unit, begin.item.id)
            item = arrivals.item(unit, unit.office, begin.item.id)
            if item is None or item.state is not ItemState.QUEUED:
                return Begun(why="gone")
            now = self.bus.clock.now()
            if is_expired(item, now):
                self.settle_item(unit, item, ItemState.EXPIRED, reason="nobody got to it in time")
                return Begun(why="gone")
            known = speech.find_dialogue(unit, unit.office, item.agent, begin.key)
            if (known[0] if known else "") != begin.dialogue:
                return Begun(why="stale")
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
            return Begun(run=run)

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
        self, run: RunView, turn: TurnView, answered: Answered
    ) -> Callable[[UnitOfWork], None]:
        """Write a turn with what it brought. ``run`` carries the new totals."""
        facts = answered.facts
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

        def answer(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            if answered.message is not None:
                speech.utter(
                    unit, run.dialogue, answered.place, run=run.id, message=answered.message
                )
            work.put_turn(unit, turn, run=run, facts=stored)
            for call in answered.calls:
                work.add_call(
                    unit,
                    call.view,
                    provider_id=call.provider_id,
                    arguments=call.arguments,
                    slot=call.slot,
                    starts=call.starts,
                )
            for slot, result in answered.results:
                speech.utter(unit, run.dialogue, slot, run=run.id, message=result)

        return answer

    def plan_running(self, run: RunView, view: CallView) -> Callable[[UnitOfWork], None]:
        """Write that a call starts now."""

        def start(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            work.move_call(unit, view)

        return start

    def write_result(
        self, unit: UnitOfWork, run: RunView, view: CallView, *, slot: int, message: ToolMessage
    ) -> None:
        """End a call with its result in its place, within somebody's unit."""
        work.move_call(unit, view, result=message.text)
        speech.utter(unit, run.dialogue, slot, run=run.id, message=message)

    def hold(self, unit: UnitOfWork, run: RunView) -> None:
        """Make sure that the run is still this worker's; raises FencedError."""
        work.hold(unit, run.id, run.fence)

    def plan_end(
        self,
        run: RunView,
        item: ItemView,
        *,
        item_state: ItemState,
        also: Callable[[UnitOfWork], None] | None = None,
        pauses: bool = False,
    ) -> Callable[[UnitOfWork], None]:
        """End a run, settle its item and let the agent rest.

        With ``pauses``, the agent takes nothing more until a person says so.
        """

        def end(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            if also is not None:
                also(unit)
            work.put_run(unit, run, day=self.bus.clock.day())
            if run.fence > 1:
                work.forget_stalls(unit, run.id)
            self.settle_item(unit, item, item_state, run=run.id, reason=run.reason)
            if self._book.get(run.agent) is None:
                return
            view = self._book.act(unit, run.agent, Activity.IDLE)
            if pauses:
                staff.put_agent(unit, msgspec.structs.replace(view, inbox_paused=True))

        return end

    def close_calls(
        self, unit: UnitOfWork, run: RunView, text_of: Callable[[CallView], tuple[CallState, str]]
    ) -> None:
        """Close every open call of a run, within somebody's unit, so that the dialogue is whole."""
        for call in work.calls(unit, unit.office, run.id):
            if call.view.state not in OPEN_CALLS:
                continue
            state, text = text_of(call.view)
            ended = msgspec.structs.replace(
                call.view,
                state=state,
                code=state.value,
                result=text,
                result_bytes=len(text.encode()),
                ended_at=self.bus.clock.now(),
            )
            work.move_call(unit, ended, result=text)
            message = ToolMessage(call.provider_id, call.view.name, text, ok=False)
            speech.utter(unit, run.dialogue, call.slot, run=run.id, message=message)

    def open_run(self, unit: UnitOfWork, id_: str) -> tuple[RunView, ItemView]:
        """An open run with its item, as they are within a unit.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: It has ended.
        """
        run = work.run(unit, unit.office, id_)
        item = arrivals.item(unit, unit.office, run.item) if run is not None else None
        if run is None or item is None:
            raise NotFoundError(f"There is no run {id_}.")
        if run.state in RUN_ENDS:
            raise ConflictError(f"Run {id_} has ended: it is {run.state}.")
        work.hold(unit, id_, run.fence)
        return run, item

    def settle_item(
        self, unit: UnitOfWork, item: ItemView, state: ItemState, *, run: str = "", reason: str = ""
    ) -> None:
        """Move an item to another state, from what is on disk."""
        now = arrivals.item(unit, unit.office, item.id) or item
        arrivals.put_item(
            unit, msgspec.structs.replace(now, state=state, run=run or now.run, reason=reason)
        )

    def plan_compacted(self, run: RunView, compacted: Compacted) -> Callable[[UnitOfWork], None]:
        """Let a dialogue begin later; what it was before stays readable."""

        def compact(unit: UnitOfWork) -> None:
            work.hold(unit, run.id, run.fence)
            summary = UserMessage((TextPart(compacted.summary),))
            speech.utter(unit, run.dialogue, -compacted.version, run=run.id, message=summary)
            for copy, message in compacted.copies:
                speech.utter(unit, run.dialogue, copy, run=run.id, message=message)
            speech.move_cursor(
                unit, run.dialogue, cursor=compacted.cursor, summary=compacted.summary
            )
            unit.append(compacted.entry)

        return compact

    def plan_prompt(
        self, agent: str, hash_: str, *, body: str, chars: int
    ) -> Callable[[UnitOfWork], None]:
        """Keep a snapshot of a system prompt."""
        at = self.bus.clock.now().isoformat()
        return lambda unit: staff.put_prompt(unit, agent, hash_, body=body, chars=chars, at=at)

    async def item(self, id_: str) -> ItemView | None:
        """One inbox item as it is on disk."""
        return await self.bus.read(lambda r: arrivals.item(r, self.bus.office, id_))

    async def commit(self, plan: Callable[[UnitOfWork], object], *, actor: str = "office") -> None:
        """Commit a plan whose result does not matter."""
        await self.bus.commit(lambda unit: _drop(plan(unit)), actor=actor)


def _drop(_result: object) -> None:
    return None


def _stored(asked: work.Rows, office: str, id_: str) -> StoredDialogue:
    key, cursor, summary = speech.dialogue(asked, office, id_)
    version = speech.summaries(asked, office, id_)
    messages = speech.utterances(asked, office, id_, first=max(1, cursor))
    last = max(messages[-1][0] if messages else cursor, speech.last_slot(asked, office, id_))
    return StoredDialogue(
        id=id_, key=key, summary=summary, version=version, messages=messages, last=last
    )
