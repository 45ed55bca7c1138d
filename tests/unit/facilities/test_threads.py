"""Threads: ids that two sides agree on, texts that fit, and who is mentioned, by table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.core.errors import InvalidError, LimitError
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.facilities.threads import (
    CUT,
    KEY_CHARS_MAX,
    channel_id,
    check_key,
    check_text,
    dm_id,
    fitting,
    internal_id,
    mentions_in,
)

STAFF = ("iris", "juno", "Kai-2")


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("@iris look", ("iris",)),
        ("look, @IRIS!", ("iris",)),
        ("(@kai-2)", ("Kai-2",)),
        ("@juno and @iris and @juno", ("juno", "iris")),
        ("@iris's page", ("iris",)),
        ("见 @iris。", ("iris",)),
        ("@nobody", ()),
        ("@irisx", ()),
        ("iris", ()),
        ("ada@iris.example", ()),
        ("/home/@iris", ()),
        ("@@iris", ()),
        ("@ iris", ()),
        ("", ()),
    ],
)
def test_who_is_mentioned(text: str, mentioned: tuple[str, ...]) -> None:
    """Whole names in any case, each once, in the order of the text; no address is a mention.

    Demanded by: WORK-2.
    """
    assert mentions_in(text, STAFF) == mentioned


@given(text=st.text(), names=st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)))
def test_only_names_that_are_known_are_mentioned(text: str, names: list[str]) -> None:
    """Each once, whatever the text is.

    Demanded by: WORK-2.
    """
    found = mentions_in(text + "".join(f" @{name}" for name in names), names)
    assert sorted(found) == sorted(set(names))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x", None),
        ("x" * MESSAGE_BYTES_MAX, None),
        ("x" * (MESSAGE_BYTES_MAX + 1), LimitError),
        ("ü" * (MESSAGE_BYTES_MAX // 2), None),
        ("ü" * (MESSAGE_BYTES_MAX // 2 + 1), LimitError),
        ("", InvalidError),
        (" \n\t", InvalidError),
        ("half \ud83d", InvalidError),
    ],
)
def test_what_is_a_message(text: str, error: type[Exception] | None) -> None:
    """Bytes are counted, not characters; the refusal says which it is.

    Demanded by: the working office, "a message over 64 KB"; TEXT-01.
    """
    if error is None:
        check_text(text)
        return
    with pytest.raises(error):
        check_text(text)


@given(text=st.text(alphabet=st.sampled_from("aü字😀"), max_size=20), times=st.integers(1, 8_000))
def test_a_text_is_cut_to_what_fits_and_says_so(text: str, times: int) -> None:
    """Never within a character; one that fits stays as it is.

    Demanded by: TEXT-01; RUN-1, an answer reaches the person.
    """
    long = text * times
    cut = fitting(long)
    is_too_long = len(long.encode()) > MESSAGE_BYTES_MAX
    assert len(cut.encode()) <= MESSAGE_BYTES_MAX
    assert cut.endswith(CUT) is is_too_long
    assert long.startswith(cut.removesuffix(CUT))
    assert fitting(cut) == cut


def test_half_a_character_does_not_lose_an_answer() -> None:
    """It is shown as a mark.

    Demanded by: TEXT-01.
    """
    assert fitting("half \ud83d") == "half ?"


@pytest.mark.parametrize(
    ("key", "is_one"),
    [("", True), ("k" * KEY_CHARS_MAX, True), ("k" * (KEY_CHARS_MAX + 1), False), ("\0", False)],
)
def test_what_can_be_a_key(key: str, is_one: bool) -> None:
    """Up to its length, without NUL, which a database would refuse.

    Demanded by: the working office, bad input.
    """
    if is_one:
        check_key(key)
        return
    with pytest.raises(InvalidError):
        check_key(key)


def test_a_thread_has_the_same_id_from_all_sides() -> None:
    """And no two kinds share one.

    Demanded by: WORK-3.
    """
    ids = [dm_id("iris", "ada"), channel_id("iris"), internal_id("iris", "ada")]
    assert ids == ["dm:ada:iris", "ch:iris", "in:ada:iris"]
    assert internal_id("juno", "iris") == internal_id("iris", "juno")
