"""Server-sent events come out the same, however the bytes were split and the lines ended."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.models.sse import EventReader, EventTooLongError

STREAM = (
    b"\xef\xbb\xbf: hello\n\n"
    b'data: {"a": "\xe4\xbd\xa0\xe5\xa5\xbd"}\n\n'
    b'event: ping\ndata:{"b": 1}\nid: 7\n\n'
    b"\n\n: keep-alive\n\n"
    b"data: one\ndata: two\n\n"
    b"retry: 10\n\n"
    b"data\n\n"
    b"data: [DONE]\n\n"
)
FOUND = [
    b'{"a": "\xe4\xbd\xa0\xe5\xa5\xbd"}',
    b'{"b": 1}',
    b"one\ntwo",
    b"[DONE]",
]


def read(pieces: list[bytes]) -> list[bytes]:
    """Everything that a reader finds in the pieces."""
    reader = EventReader()
    found = [payload for piece in pieces for payload in reader.feed(piece)]
    return found + reader.end()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@given(cuts=st.sets(st.integers(0, len(STREAM) * 2)))
def test_events_are_the_same_wherever_the_bytes_are_split(line_end: bytes, cuts: set[int]) -> None:
    """A packet may end anywhere: inside a character, between a CR and its LF.

    Demanded by: MODEL-1.
    """
    stream = STREAM.replace(b"\n", line_end)
    places = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]

    assert read([stream[start:end] for start, end in pairwise(places)]) == FOUND


def test_events_are_the_same_byte_by_byte() -> None:
    """The worst of all splits.

    Demanded by: MODEL-1.
    """
    assert read([STREAM[at : at + 1] for at in range(len(STREAM))]) == FOUND


def test_a_last_event_without_an_empty_line_is_found_at_the_end() -> None:
    """Some servers forget the last line end.

    Demanded by: MODEL-1.
    """
    reader = EventReader()

    assert reader.feed(b"data: a\n\ndata: b\n") == [b"a"]
    assert reader.end() == [b"b"]
    assert reader.end() == []


def test_an_event_without_end_is_refused() -> None:
    """A server that never ends its event must not fill the memory.

    Demanded by: the house, every loop has a bound.
    """
    reader = EventReader(bytes_max=100)
    reader.feed(b"data: " + b"x" * 60)

    with pytest.raises(EventTooLongError):
        reader.feed(b"y" * 60)
