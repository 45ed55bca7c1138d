"""Compaction: how a dialogue that nears its model's window is made to fit.

Its older part becomes a summary, merged with the one before. If none comes, or saves next to
nothing, twice at most, the older part is left out by rule. What must stay and is still too long is
shortened. So there is no dead end. These are the rules alone; ``room`` carries them out.
"""

from collections.abc import Sequence

import msgspec

from dayshift.core.model import (
    AssistantMessage,
    CallPart,
    Fragment,
    ImagePart,
    Message,
    Model,
    TextPart,
    ToolMessage,
    UserMessage,
)
from dayshift.run.capping import shorten
from dayshift.run.dialogue import Dialogue, tokens_in, tokens_of

BUDGET_RATIO = 0.7
"""Share of a model's window, less the answer's part, that prompt and dialogue may take."""
KEEP_SHARE = 0.3
"""Share of the budget that the newest messages may keep, whole."""
SMALL_SHARE = 0.1
"""An older part below this share of the budget is not worth a summary."""
TOKENS_MIN = 1_000
TRIES = 2
WORTH_SHARE = 0.9
"""A summary must bring its part of the dialogue below this share of what it was."""
SUMMARY_TOKENS = 2_000
KEPT_SUMMARY_CHARS = 12_000
KEPT_ITEM_CHARS = 4_000
SHORT_CHARS = (8_000, 4_000, 2_000, 1_000, 500, 250, 120)
"""Lengths that texts are shortened to, tried in turn until the dialogue fits."""
IMAGES_FROM_CHARS = 2_000
"""Images are left out where texts must be shorter than this."""
SUMMARY_HEAD = "[Summary of the dialogue so far, written by you]\n"
ASK = (
    "Summarise the dialogue so far for yourself, so that you can go on without it. Keep: what was "
    "asked and by whom, decisions and their reasons, results with file paths and ids, what is "
    "open, what must not be forgotten. Merge an earlier summary into it. Leave out politeness and "
    "what no longer matters. Plain text, at most 600 words. Call no tools."
)
TRIMMED = (
    "[Earlier parts of this dialogue were left out to fit; they are kept in the office's ledger.]"
)
AT_HAND = "[What you are working on came as:]"
SHORTENED = "[Long texts below were shortened to fit; they are kept in the office's ledger.]"
NO_IMAGE = "[An image was left out to fit.]"


def budget_tokens(model: Model, *, prompt: int, ratio: float = BUDGET_RATIO) -> int:
    """Tokens a dialogue may take on a model, its system prompt and its answer taken off."""
    facts = model.facts
    room = facts.context_tokens - min(facts.output_tokens, facts.context_tokens // 4)
    return max(TOKENS_MIN, int(room * ratio) - prompt)


def find_cut(dialogue: Dialogue, budget: int) -> int:
    """Where the newest messages begin that may stay: those within their share, one group at least.

    Messages before that index go. Never between a call and its result.
    """
    starts = dialogue.group_starts()
    keep = int(budget * KEEP_SHARE)
    index = starts[-1] if starts else len(dialogue.sizes)
    for start in reversed(starts):
        if sum(dialogue.sizes[start:]) > keep:
            break
        index = start
    return index


def older_part(dialogue: Dialogue, index: int, *, tokens_max: int) -> list[Fragment]:
    """What is shown to be summarised: the messages before ``index``, the newest that fit."""
    first = index
    for start in reversed([s for s in dialogue.group_starts() if s < index]):
        if sum(dialogue.sizes[start:index]) > tokens_max:
            break
        first = start
    before = [dialogue.summary] if dialogue.summary is not None else []
    return [*before, *dialogue.fragments[first:index], _told(ASK)]


def is_worth(text: str, dialogue: Dialogue, index: int) -> bool:
    """Whether a summary saves enough of what it stands for."""
    older = sum(dialogue.sizes[:index]) + dialogue.summary_size
    return bool(text) and tokens_in(text) < older * WORTH_SHARE


def trimmed(dialogue: Dialogue, at_hand: str) -> str:
    """What stands for the older part when there is no summary of it."""
    kept = dialogue.summary_text.split(f"{TRIMMED}\n{AT_HAND}")[0].strip()
    lines = [shorten(kept, KEPT_SUMMARY_CHARS), TRIMMED, AT_HAND, shorten(at_hand, KEPT_ITEM_CHARS)]
    return "\n".join(line for line in lines if line)


def shortened(messages: Sequence[Message], budget: int) -> list[Message]:
    """The messages with their longest texts shortened until all of them fit, as far as they can."""
    made = list(messages)
    for chars in SHORT_CHARS:
        made = [_short(message, chars) for message in messages]
        if sum(map(tokens_of, made)) <= budget:
            break
    return made


def _short(message: Message, chars: int) -> Message:
    images = chars >= IMAGES_FROM_CHARS
    match message:
        case ToolMessage(text=text):
            kept = message.images if images else ()
            note = f"\n{NO_IMAGE}" if len(kept) < len(message.images) else ""
            return msgspec.structs.replace(message, text=shorten(text, chars) + note, images=kept)
        case UserMessage(parts=parts):
            return UserMessage(tuple(_short_told(part, chars, images=images) for part in parts))
        case AssistantMessage(parts=parts):
            return msgspec.structs.replace(
                message, parts=tuple(_short_said(part, chars) for part in parts)
            )


def _short_told(part: TextPart | ImagePart, chars: int, *, images: bool) -> TextPart | ImagePart:
    if isinstance(part, TextPart):
        return TextPart(shorten(part.text, chars))
    return part if images else TextPart(NO_IMAGE)


def _short_said(part: msgspec.Struct, chars: int) -> msgspec.Struct:
    match part:
        case TextPart(text=text):
            return TextPart(shorten(text, chars))
        case CallPart(arguments=arguments) if len(arguments) > chars:
            left_out = {"left_out": f"{len(arguments):,} characters of arguments, to fit"}
            return msgspec.structs.replace(part, arguments=msgspec.json.encode(left_out).decode())
        case _:
            return part


def _told(text: str) -> Fragment:
    return Fragment(UserMessage((TextPart(text),)))
