"""Compaction: when a dialogue nears its model's window, its older part becomes a summary.

The model is asked for the summary, merged with the one before. If it fails or saves next to nothing, twice at most,
the oldest messages are dropped by rule. There is no dead end: a dialogue can always be made to fit.
"""

import msgspec

from dayshift.core.entries import DialogueCompacted
from dayshift.core.errors import ModelError
from dayshift.core.model import (
    Answer,
    Fragment,
    Model,
    ModelRequest,
    TextPart,
    ToolSet,
    UserMessage,
)
from dayshift.core.views import RunView
from dayshift.facilities.journal import Journal
from dayshift.run.dialogue import Dialogue, tokens_in

BUDGET_RATIO = 0.7
KEEP_SHARE = 0.3
"""Share of the budget that the newest messages may keep, whole."""
TRIES = 2
WORTH_SHARE = 0.9
"""A summary must bring its part of the dialogue below this share of what it was."""
SUMMARY_TOKENS = 2_000
ASK = (
    "Summarise the dialogue so far for yourself, so that you can go on without it. Keep: what was asked and by whom, decisions and "
    "their reasons, results with file paths and ids, what is open, what must not be forgotten. Merge an earlier summary into it. "
    "Leave out politeness and what no longer matters. Plain text, at most 600 words."
)
TRIMMED = (
    "[Earlier parts of this dialogue were left out to fit; they are kept in the office's ledger.]"
)
NO_TOOLS = ToolSet(())


def budget_tokens(model: Model, *, prompt: int, ratio: float = BUDGET_RATIO) -> int:
    """Tokens a dialogue may take on a model, its system prompt and its answer taken off."""
    facts = model.facts
    room = facts.context_tokens - min(facts.output_tokens, facts.context_tokens // 4)
    return max(1_000, int(room * ratio) - prompt)


class Cut(msgspec.Struct, frozen=True):
    """Where to cut a dialogue: messages before ``index`` go."""

    index: int
    before: int
    """Tokens of the whole dialogue."""


def find_cut(dialogue: Dialogue, budget: int, *, keep_share: float = KEEP_SHARE) -> Cut:
    """The cut that keeps the newest messages within ``keep_share`` of the budget, and at least the newest group."""
    starts = dialogue.group_starts()
    keep = int(budget * keep_share)
    index = starts[-1] if starts else len(dialogue.sizes)
    for start in reversed(starts):
        if sum(dialogue.sizes[start:]) > keep:
            break
        index = start
    return Cut(index, dialogue.tokens)


def summary_request(dialogue: Dialogue, cut: Cut, *, system: str, model: str) -> ModelRequest:
    """The request for a summary of what would be cut."""
    older = dialogue.fragments[: cut.index]
    sent = [dialogue.summary, *older] if dialogue.summary is not None else list(older)
    return ModelRequest(
        model=model,
        system=system,
        messages=[*sent, Fragment(UserMessage((TextPart(ASK),)))],
        tools=NO_TOOLS,
        tool_choice="none",
        max_output_tokens=SUMMARY_TOKENS,
    )


async def summarise(
    model: Model, dialogue: Dialogue, cut: Cut, *, system: str
) -> tuple[str, list[Answer]]:
    """Ask for a summary; empty when none came that is worth it. The answers are returned for their usage."""
    answers: list[Answer] = []
    older = sum(dialogue.sizes[: cut.index]) + dialogue.summary_size
    for _ in range(TRIES):
        request = summary_request(dialogue, cut, system=system, model=model.ref.partition(":")[2])
        try:
            answer = await model.ask(request, lambda _delta: None)
        except ModelError:
            continue
        answers.append(answer)
        text = answer.message.text.strip()
        if text and answer.message.finish == "stop" and tokens_in(text) < older * WORTH_SHARE:
            return text, answers
    return "", answers


async def compact(
    journal: Journal, run: RunView, dialogue: Dialogue, *, cut: Cut, summary: str
) -> None:
    """Write a compaction down, then do it in memory."""
    text = summary or TRIMMED
    after = tokens_in(text) + sum(dialogue.sizes[cut.index :])
    entry = DialogueCompacted(
        agent=run.agent,
        dialogue=dialogue.id,
        run=run.id,
        before_tokens=cut.before,
        after_tokens=after,
        method="summary" if summary else "trimmed",
    )
    cursor = dialogue.places[cut.index] if cut.index < len(dialogue.places) else dialogue.last + 1
    plan = journal.plan_compacted(
        run, entry, summary=text, version=dialogue.version + 1, cursor=cursor
    )
    await journal.commit(plan, actor=f"agent:{run.agent}")
    dialogue.begin_at(cut.index, text)
