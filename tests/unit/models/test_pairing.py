"""Every call is answered once and at once, whatever happened to the dialogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.core.model import (
    AssistantMessage,
    CallPart,
    Fragment,
    Message,
    TextPart,
    ToolMessage,
    UserMessage,
)
from dayshift.models.pairing import INTERRUPTED, is_settled, settled

if TYPE_CHECKING:
    from collections.abc import Sequence


def says(text: str) -> UserMessage:
    """A message to the agent."""
    return UserMessage((TextPart(text),))


def calls(*ids: str) -> AssistantMessage:
    """An answer that calls tools."""
    return AssistantMessage(tuple(CallPart(i, "look", "{}") for i in ids), finish="tool_calls")


def result(call_id: str, text: str = "ok") -> ToolMessage:
    """What a call came to."""
    return ToolMessage(call_id, "look", text)


def lost(call_id: str) -> ToolMessage:
    """What stands for a result that never came."""
    return ToolMessage(call_id, "look", INTERRUPTED, ok=False)


def mend(messages: Sequence[Message]) -> list[Message]:
    """The dialogue as it is sent."""
    return [fragment.message for fragment in settled([Fragment(m) for m in messages])]


ANSWER = AssistantMessage((TextPart("Done."),))


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        (
            [says("a"), calls("1"), result("1"), ANSWER],
            [says("a"), calls("1"), result("1"), ANSWER],
        ),
        ([says("a"), calls("1")], [says("a"), calls("1"), lost("1")]),
        (
            [says("a"), calls("1", "2"), result("2"), ANSWER],
            [says("a"), calls("1", "2"), lost("1"), result("2"), ANSWER],
        ),
        (
            [calls("1", "2"), result("2"), result("1")],
            [calls("1", "2"), result("1"), result("2")],
        ),
        (
            [calls("1"), says("wait"), result("1"), ANSWER],
            [calls("1"), result("1"), says("wait"), ANSWER],
        ),
        ([result("9"), says("a"), ANSWER, result("9")], [says("a"), ANSWER]),
        ([calls("1"), result("1"), result("1", "again")], [calls("1"), result("1")]),
        (
            [calls("1"), ANSWER, result("1")],
            [calls("1"), lost("1"), ANSWER],
        ),
        (
            [calls("1"), result("1", "first"), calls("1"), result("1", "second")],
            [calls("1"), result("1", "first"), calls("1"), result("1", "second")],
        ),
        ([says("a"), ToolMessage("", "look", "x")], [says("a")]),
        ([], []),
    ],
)
def test_what_is_sent_pairs_every_call_with_one_result(
    stored: list[Message], sent: list[Message]
) -> None:
    """Unanswered calls are told as interrupted, results go to their calls, orphans are left out.

    Demanded by: RUN-4, history valid for the strictest provider; MODEL-1.
    """
    assert mend(stored) == sent


MESSAGES = st.lists(
    st.one_of(
        st.builds(says, st.just("hello")),
        st.lists(st.sampled_from("123"), max_size=3, unique=True).map(lambda ids: calls(*ids)),
        st.builds(result, st.sampled_from("1234")),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_any_dialogue_is_settled_after_mending_and_stays_so(messages: list[Message]) -> None:
    """A dialogue may be cut anywhere by a crash or a compaction.

    Demanded by: RUN-4, history valid for the strictest provider.
    """
    mended = settled([Fragment(message) for message in messages])

    assert is_settled(mended)
    assert [f.message for f in settled(mended)] == [f.message for f in mended]
    kept = [f.message for f in mended if not isinstance(f.message, ToolMessage)]
    assert kept == [m for m in messages if not isinstance(m, ToolMessage)]
