"""What is kept of a command's output, and what is shown of it while it comes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dayshift.computers.output import Live, Output

PIECES = st.lists(st.binary(max_size=40), max_size=20)
TEXT = st.text(max_size=60)


@given(pieces=PIECES, bytes_max=st.integers(min_value=4, max_value=200))
def test_what_fits_is_kept_whole_and_what_does_not_by_its_ends(
    pieces: list[bytes], bytes_max: int
) -> None:
    """However the bytes are cut, the head and the tail are theirs, and the count is exact.

    Demanded by: RUN-7.
    """
    whole = b"".join(pieces)
    output = Output(bytes_max)
    for piece in pieces:
        output.add(piece)
    text = output.text()
    tail = whole[len(whole) - bytes_max // 4 :]
    head = whole[: bytes_max - bytes_max // 4]
    fits = len(whole) <= bytes_max
    left_out = len(whole) - bytes_max
    cut = f"{_decoded(head)}\n[… {left_out} bytes left out …]\n{_decoded(tail)}"
    assert text == (_decoded(whole) if fits else cut)
    assert (output.bytes, output.is_full) == (len(whole), not fits)


@given(text=TEXT, cuts=st.lists(st.integers(min_value=0, max_value=240), max_size=8))
def test_text_shown_live_is_the_text_however_it_was_cut(text: str, cuts: list[int]) -> None:
    """A character across two pieces is shown once, and whole.

    Demanded by: STRM, TEXT-01.
    """
    data = text.encode("utf-8", "replace")
    seen: list[str] = []
    live = Live(seen.append)
    ends = sorted({min(cut, len(data)) for cut in cuts} | {len(data)})
    for start, end in zip([0, *ends], ends, strict=False):
        live.add(data[start:end])
        live.flush()
    live.flush(ended=True)
    assert "".join(seen) == data.decode()
    assert "" not in seen


def test_half_a_character_at_the_end_is_shown_as_a_mark() -> None:
    """The end of the output is told to whoever watches, too.

    Demanded by: TEXT-01.
    """
    seen: list[str] = []
    live = Live(seen.append)
    live.add("é".encode()[:1])
    live.flush(ended=True)
    assert seen == ["\ufffd"]


def test_of_much_at_a_time_the_newest_is_shown() -> None:
    """Whoever watches is not sent megabytes at once.

    Demanded by: RUN-7.
    """
    seen: list[str] = []
    live = Live(seen.append)
    live.add(b"x" * 1_000_000 + b"end")
    live.flush()
    assert len(seen[0]) < 20_000
    assert (seen[0][:3], seen[0][-3:]) == ("[…]", "end")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
