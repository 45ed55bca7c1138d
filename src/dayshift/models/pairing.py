"""A dialogue as the strictest provider wants it: every call answered once and at once.

A dialogue may be cut anywhere: by a crash, a compaction, a cancelled run. What is sent is mended
here; what is stored stays as it is.
"""

from collections.abc import Sequence

from dayshift.core.model import AssistantMessage, Fragment, ToolMessage

INTERRUPTED = (
    "Interrupted: this call did not report back. "
    "Its outcome is unknown; check before doing it again."
)


def is_settled(messages: Sequence[Fragment]) -> bool:
    """Whether every call is followed by its result, in order, and every result follows its call."""
    waiting: tuple[str, ...] = ()
    for fragment in messages:
        answers = fragment.answers
        if answers:
            if not waiting or answers != waiting[0]:
                return False
            waiting = waiting[1:]
        elif waiting:
            return False
        else:
            waiting = fragment.call_ids
    return not waiting


def settled(messages: Sequence[Fragment]) -> Sequence[Fragment]:
    """The dialogue with results moved to their calls, missing ones supplied, orphans left out."""
    if is_settled(messages):
        return messages
    mended: list[Fragment] = []
    at = 0
    while at < len(messages):
        fragment = messages[at]
        at += 1
        if type(fragment.message) is ToolMessage:
            continue
        mended.append(fragment)
        if type(fragment.message) is AssistantMessage and fragment.call_ids:
            end = _next_assistant(messages, at)
            mended += _results(fragment, fragment.message, messages[at:end])
    return mended


def _next_assistant(messages: Sequence[Fragment], at: int) -> int:
    for index in range(at, len(messages)):
        if type(messages[index].message) is AssistantMessage:
            return index
    return len(messages)


def _results(
    asking: Fragment, message: AssistantMessage, following: Sequence[Fragment]
) -> list[Fragment]:
    found: dict[str, Fragment] = {}
    for fragment in following:
        if type(fragment.message) is ToolMessage:
            found.setdefault(fragment.message.call_id, fragment)
    names = {call.id: call.name for call in message.calls}
    return [
        found.get(call_id)
        or Fragment(ToolMessage(call_id=call_id, name=names[call_id], text=INTERRUPTED, ok=False))
        for call_id in dict.fromkeys(asking.call_ids)
    ]
