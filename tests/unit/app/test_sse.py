"""The feed's frames as the command line reads them."""

from __future__ import annotations

from itertools import chain

import pytest

from dayshift.app.cli.sse import Frame, FrameReader

STREAM = (
    b'retry: 1000\n\n: still here\n\nid: 7\ndata: {"seq":7,"text":"\xe4\xbd\xa0"}\n\n'
    b"event: live\r\ndata: a\r\ndata: b\r\n\r\nevent: bye\ndata: {}\n\n"
)
FRAMES = [
    Frame("message", '{"seq":7,"text":"你"}'.encode(), "7"),
    Frame("live", b"a\nb", ""),
    Frame("bye", b"{}", ""),
]


@pytest.mark.parametrize("size", range(1, 40))
def test_frames_are_the_same_however_the_network_splits_them(size: int) -> None:
    """Comments and the retry hint are no frames; a frame is whole or not there.

    Demanded by: PLAT-3, the feed.
    """
    reader = FrameReader()
    parts = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert list(chain.from_iterable(reader.feed(part) for part in parts)) == FRAMES


def test_a_frame_that_was_cut_off_is_not_told() -> None:
    """Half an entry is none.

    Demanded by: PLAT-3, the feed.
    """
    assert list(FrameReader().feed(b'id: 8\ndata: {"seq":8}\n')) == []
