"""Makes room in a run's dialogue before a request that would not fit."""

from collections.abc import Sequence

from dayshift.core.model import Model
from dayshift.core.views import ItemView
from dayshift.facilities.journal import SUMMARIES_FROM
from dayshift.run import compaction as rules
from dayshift.run.dialogue import tokens_in, tokens_of
from dayshift.run.record import Record
from dayshift.run.turn import Asker, Question, Sent


class Room:
    """Carries out compactions of one run's dialogue."""

    def __init__(self, record: Record, asker: Asker, *, item: ItemView, summaries: int) -> None:
        """``summaries``: how many the run has asked for before."""
        self._record = record
        self._asker = asker
        self._item = item
        self._summaries = summaries

    async def make(
        self, models: list[Model], *, seconds: float, ratio: float = rules.BUDGET_RATIO
    ) -> None:
        """Compact the dialogue if it does not fit the first model's window.

        With a smaller ``ratio``, it must become that much smaller than it is: the model refused it.

        Raises:
            BudgetSpentError: There is no money for a summary.
        """
        dialogue = self._record.dialogue
        prompt = self._asker.prompt_tokens
        budget = rules.budget_tokens(models[0], prompt=prompt, ratio=ratio)
        if ratio != rules.BUDGET_RATIO:
            budget = min(budget, int(dialogue.tokens * ratio))
        budget = int(budget / self._asker.scale)
        if dialogue.tokens <= budget:
            return
        index = rules.find_cut(dialogue, budget)
        if sum(dialogue.sizes[:index]) < budget * rules.SMALL_SHARE:
            index = 0  # Little would be won by cutting it off: what is too long lies behind it.
        summary = await self._summary(models, index, seconds) if index else ""
        text = rules.SUMMARY_HEAD + summary if summary else self._without_summary(index)
        left = budget - tokens_in(text)
        kept = [fragment.message for fragment in dialogue.fragments[index:]]
        copies = rules.shortened(kept, left) if sum(dialogue.sizes[index:]) > left else []
        await self._record.compact(index, text, is_summary=bool(summary), copies=copies)

    def _without_summary(self, index: int) -> str:
        if index:
            return rules.trimmed(self._record.dialogue, self._item.text)
        return self._record.dialogue.summary_text or rules.SHORTENED

    async def _summary(self, models: Sequence[Model], index: int, seconds: float) -> str:
        """A summary of the messages before an index; empty when none came that is worth it."""
        dialogue = self._record.dialogue
        prompt = self._asker.prompt_tokens + tokens_in(rules.ASK)
        room = rules.budget_tokens(models[0], prompt=prompt, ratio=1.0)
        for attempt in range(rules.TRIES):
            part = rules.older_part(dialogue, index, tokens_max=room // 2**attempt)
            tokens = sum(tokens_of(fragment.message) for fragment in part)
            sent = Sent(fragments=part, tokens=tokens, first=0, upto=0, version=dialogue.version)
            self._summaries += 1
            question = Question(
                n=SUMMARIES_FROM + self._summaries,
                sent=lambda sent=sent: sent,
                seconds=seconds,
                choice="none",
                output_tokens=rules.SUMMARY_TOKENS,
                is_shown=False,
            )
            asked = await self._asker.ask(self._record.run, question, list(models))
            await self._record.booked(asked, is_turn=False)
            if asked.answer is None:
                continue
            text = asked.answer.message.text.strip()
            whole = asked.answer.message.finish == "stop"
            if whole and rules.is_worth(text, dialogue, index):
                return text
        return ""
