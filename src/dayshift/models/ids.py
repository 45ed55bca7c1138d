"""Ids of tool calls: unique within a dialogue, and of a form that every vendor takes."""

import hashlib
from collections.abc import Sequence

from dayshift.core.model import Fragment

_NINE = 9
_CHARS_MAX = 40
_SHORT = 16
"""Ids shorter than this are counters in disguise, which a provider may give again."""


def free_id(call_id: str, place: int, taken: Sequence[str], history: Sequence[Fragment]) -> str:
    """The id a provider gave, or another when it is empty or already stands in the dialogue.

    Args:
        call_id: As given.
        place: Of the call in its message.
        taken: Ids of the calls before it in the same message.
        history: The dialogue so far.
    """
    used = call_id in taken or (
        len(call_id) < _SHORT and any(call_id in fragment.call_ids for fragment in history)
    )
    return call_id if call_id and not used else f"{call_id or 'call'}_{len(history)}_{place}"


def safe_id(call_id: str, style: str) -> str:
    """A call's id as it is sent: unchanged where every vendor takes it, else a stable other."""
    plain = call_id.replace("_", "").replace("-", "") if call_id.isascii() else ""
    if style == "nine":
        if len(call_id) == _NINE and call_id == plain and call_id.isalnum():
            return call_id
        return _digest(call_id)[:_NINE]
    if len(call_id) <= _CHARS_MAX and plain.isalnum():
        return call_id
    return f"call_{_digest(call_id)[:24]}"


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode("utf-8", "replace")).hexdigest()
