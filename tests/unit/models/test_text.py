"""Text is valid UTF-8, whatever halves of characters came in."""

from __future__ import annotations

import tracemalloc

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.models.text import dumps, loads, sound

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain 你好 😀", "plain 你好 😀"),
        ("half \ud83d", "half \ufffd"),
        ("\ude00 half", "\ufffd half"),
        ("joined \ud83d\ude00", "joined 😀"),
        ("wrong order \ude00\ud83d", "wrong order \ufffd\ufffd"),
    ],
)
def test_halves_are_joined_or_replaced(text: str, expected: str) -> None:
    """A lone half makes every request of a session fail elsewhere.

    Demanded by: TEXT-01.
    """
    assert sound(text) == expected
    assert orjson.loads(dumps({"deep": [text]})) == {"deep": [expected]}


@given(ANY_TEXT)
def test_what_is_written_is_always_utf_8(text: str) -> None:
    """Whatever a tool, a mail or a file name brings.

    Demanded by: TEXT-01.
    """
    assert orjson.loads(dumps({text: text}))
    assert sound(text).encode() or not text


def test_json_with_an_escaped_half_is_read() -> None:
    """A provider may send the halves of one character in two events.

    Demanded by: TEXT-01.
    """
    assert loads(b'{"a": "\\ud83d"}') == {"a": "\ud83d"}
    assert loads(b'{"a": "\xff"}') == {"a": "\ufffd"}


@pytest.mark.parametrize("garbage", [b"", b"{", b"<html>", b"\xff\xfe"])
def test_what_is_no_json_is_refused(garbage: bytes) -> None:
    """Forgiving of halves, and of nothing else.

    Demanded by: MODEL-1.
    """
    with pytest.raises(ValueError, match=r".*"):
        loads(garbage)


def test_numbers_beyond_64_bits_are_written() -> None:
    """JSON has no bound on numbers, our encoder has.

    Demanded by: MODEL-1.
    """
    assert loads(dumps({"n": 2**70, "half": "\ud800"})) == {"n": float(2**70), "half": "\ufffd"}


def test_written_json_keeps_only_the_memory_of_its_text() -> None:
    """A dialogue keeps each of its messages as it was written, so slack would be most of it.

    Demanded by: the soak's promise that memory stays flat.
    """
    count = 200
    tracemalloc.start()
    try:
        kept = [dumps({"role": "user", "content": "Good morning"}) for _ in range(count)]
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < count * (len(kept[0]) + 100)
