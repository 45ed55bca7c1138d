"""The record of one run under way: what is written down of it, and what memory then follows.

Everything that a run adds to the ledger goes through here, held to the run's fencing number. Memory
takes a message over only after it is on disk.
"""

from collections.abc import Callable, Sequence

import msgspec

from dayshift.core.entries import DialogueCompacted
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import AssistantMessage, Message, ToolMessage, UserMessage
from dayshift.core.views import CallView, ItemView, RunView, TurnView
from dayshift.facilities.journal import Answered, Compacted, NewCall, TurnFacts
from dayshift.run.dialogue import Dialogue, tokens_in, tokens_of
from dayshift.run.turn import Asked
from dayshift.run.workplace import Workplace


class Record:
    """One run, as it is written down.

    Attributes:
        run: With its totals so far.
    """

    def __init__(self, place: Workplace, run: RunView, *, dialogue: Dialogue, prompt: str) -> None:
        """``prompt`` is the hash of the system prompt's snapshot."""
        self.run = run
        self.dialogue = dialogue
        self._place = place
        self._journal = place.rooms.journal
        self._prompt = prompt

    async def tell(self, messages: Sequence[UserMessage], items: Sequence[ItemView] = ()) -> None:
        """Tell the run something more; ``items`` are the steer items that this settles."""
        told = [(self.dialogue.take_place(), message) for message in messages]
        await self._commit(self._journal.plan_told(self.run, told, items))
        self._put(told)

    async def answered(
        self,
        asked: Asked,
        message: AssistantMessage,
        *,
        calls: Sequence[NewCall],
        place: int,
        results: Sequence[tuple[int, ToolMessage]],
    ) -> None:
        """Write a turn with its answer and its calls; ``results`` are of those not carried out."""
        run = added(self.run, asked.view, len(calls))
        answered = Answered(
            facts=self._facts(asked, place),
            message=message,
            place=place,
            calls=calls,
            results=results,
        )
        await self._commit(self._journal.plan_answer(run, asked.view, answered))
        self.run = run
        self._put([(place, message), *results])

    async def booked(self, asked: Asked, *, is_turn: bool = True) -> None:
        """Write a turn that brought no message: one that failed, or a request for a summary."""
        run = added(self.run, asked.view, 0, turns=int(is_turn))
        answered = Answered(facts=self._facts(asked, 0))
        await self._commit(self._journal.plan_answer(run, asked.view, answered))
        self.run = run

    async def running(self, view: CallView) -> None:
        """Write that a call starts now."""
        await self._commit(self._journal.plan_running(self.run, view))

    async def ended(self, call: NewCall, write: Callable[[UnitOfWork], "Ended"]) -> "Ended":
        """Write how a call ended, in one unit with its effect; ``write`` does the effect."""

        def plan(unit: UnitOfWork) -> Ended:
            self._journal.hold(unit, self.run)
            done = write(unit)
            self._journal.write_result(
                unit, self.run, done.view, slot=call.slot, message=done.message
            )
            return done

        actor = f"agent:{self.run.agent}"
        done = await self._place.written(lambda: self._journal.bus.commit(plan, actor=actor))
        self._put([(call.slot, done.message)])
        return done

    async def compact(
        self, index: int, summary: str, *, is_summary: bool, copies: Sequence[Message] = ()
    ) -> None:
        """Let the dialogue begin at ``index``, after a summary.

        ``copies``, if any, stand for the messages from there on.
        """
        dialogue = self.dialogue
        before = dialogue.tokens
        kept = sum(map(tokens_of, copies)) if copies else sum(dialogue.sizes[index:])
        places = [(dialogue.take_place(), message) for message in copies]
        if places:
            cursor, index = places[0][0], len(dialogue.places)
        else:
            at_end = index >= len(dialogue.places)
            cursor = dialogue.last + 1 if at_end else dialogue.places[index]
        entry = DialogueCompacted(
            agent=self.run.agent,
            dialogue=dialogue.id,
            run=self.run.id,
            before_tokens=before,
            after_tokens=tokens_in(summary) + kept,
            method="summary" if is_summary else "trimmed",
        )
        compacted = Compacted(
            entry=entry, summary=summary, version=dialogue.version + 1, cursor=cursor, copies=places
        )
        await self._commit(self._journal.plan_compacted(self.run, compacted))
        dialogue.begin_at(index, summary)
        self._put(places)

    def _put(self, messages: Sequence[tuple[int, Message]]) -> None:
        for place, message in messages:
            self.dialogue.put(place, message)

    def _facts(self, asked: Asked, place: int) -> TurnFacts:
        return TurnFacts(
            task=self.run.task,
            priced=asked.priced,
            prompt=self._prompt,
            dialogue=self.run.dialogue,
            first=asked.sent.first,
            upto=asked.sent.upto,
            request={
                "version": asked.sent.version,
                "thinking": asked.thinking,
                "tool_choice": asked.choice,
                "max_output_tokens": asked.output_tokens,
                "answer_place": place,
            },
        )

    async def _commit(self, plan: Callable[[UnitOfWork], object]) -> None:
        actor = f"agent:{self.run.agent}"
        await self._place.written(lambda: self._journal.commit(plan, actor=actor))


class Ended(msgspec.Struct, frozen=True):
    """A call that has ended: its view, and its result for the dialogue."""

    view: CallView
    message: ToolMessage


def added(run: RunView, turn: TurnView, calls: int, *, turns: int = 1) -> RunView:
    """A run with one more turn in its totals."""
    names = run.usage.__struct_fields__
    total = {name: getattr(run.usage, name) + getattr(turn.usage, name) for name in names}
    return msgspec.structs.replace(
        run,
        turns=run.turns + turns,
        calls=run.calls + calls,
        usage=msgspec.structs.replace(run.usage, **total),
        cost_usd_micros=run.cost_usd_micros + turn.cost_usd_micros,
    )
