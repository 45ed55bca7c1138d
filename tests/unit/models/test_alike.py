"""Events that differ in their text alone are read without parsing; all others are left."""

import orjson
import pytest

from dayshift.models.alike import TRIES_MAX, Alike


def event(text: str, **more: object) -> bytes:
    """A piece of a streamed answer."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return orjson.dumps({"id": "c1", "choices": [choice], **more})


def taught(text: str = "Hello") -> Alike:
    """One that has seen an event."""
    alike = Alike()
    alike.learn(event(text), "content", text)
    return alike


@pytest.mark.parametrize("text", ["x", " word ", "ä", "日本", "🙂", "a:b,{}[]"])
def test_the_text_between_the_same_beginning_and_end_is_the_text(text: str) -> None:
    """As the parser would say.

    Demanded by: MODEL-1, figure P3.
    """
    assert taught().text_of(event(text)) == text


@pytest.mark.parametrize("text", ['a"b', "a\\b", "a\nb", "a\x00b", "a\u2028b"])
def test_what_is_written_with_escapes_is_left_to_the_parser(text: str) -> None:
    """So is what may be, and is not.

    Demanded by: MODEL-1, figure P3.
    """
    assert taught().text_of(event(text)) is None


@pytest.mark.parametrize(
    "other",
    [
        event("x", usage={"total_tokens": 1}),
        event("x").replace(b'"index":0', b'"index":1'),
        event("x").replace(b"null", b'"stop"'),
        event("x").replace(b'"content":"x"', b'"content":"x","refusal":"y"'),
        event("x").replace(b'"content":"x"', b'"content":null'),
        event("\xff").replace("\xff".encode(), b"\xff"),
        b"[DONE]",
        b"",
    ],
)
def test_an_event_that_says_anything_else_is_left_to_the_parser(other: bytes) -> None:
    """Whatever differs around the text may mean something.

    Demanded by: MODEL-1, figure P3.
    """
    assert taught().text_of(other) is None


def test_an_event_whose_ends_would_overlap_is_none() -> None:
    """The end of the one is not the beginning of the other.

    Demanded by: MODEL-1, figure P3.
    """
    whole = event("")
    cut = whole.index(b'""') + 1
    assert taught().text_of(whole[:cut] + whole[cut + 1 :]) is None


def test_nothing_is_learnt_where_the_text_stands_twice() -> None:
    """Which of the two would be the one that changes?

    Demanded by: MODEL-1, figure P3.
    """
    alike = Alike()
    twice = event("a", first={"content": "a"})
    alike.learn(twice, "content", "a")
    assert alike.text_of(twice) is None


def test_it_is_not_tried_for_ever() -> None:
    """Some providers put a new number into each event.

    Demanded by: MODEL-1, figure P3.
    """
    alike = Alike()
    for number in range(TRIES_MAX + 1):
        alike.learn(event("a", number=number), "content", "a")
    assert alike.text_of(event("a", number=TRIES_MAX)) is None
    assert alike.text_of(event("a", number=TRIES_MAX - 1)) == "a"
