"""The log of frames that all watchers of an office share."""

from __future__ import annotations

from dayshift.stream.frame_log import FrameLog


def test_a_place_is_followed_by_what_came_after_it() -> None:
    """Whatever is asked twice is joined once.

    Demanded by: P10.
    """
    log = FrameLog(frames_max=10, bytes_max=1_000)
    start = log.end
    log.append(b"a")
    middle = log.end
    log.append(b"b")
    assert (log.since(start), log.since(middle), log.since(log.end)) == (b"ab", b"b", b"")
    assert log.since(start) == b"ab"
    assert log.since(middle) is log.since(middle)


def test_the_log_is_bounded_in_frames() -> None:
    """At least the bound is kept, at most twice of it.

    Demanded by: bounded memory.
    """
    log = FrameLog(frames_max=3, bytes_max=1_000)
    kept: list[int] = []
    for n in range(20):
        log.append(b"%d" % (n % 10))
        kept.append(log.end - log.start)
    assert max(kept) == 6
    assert min(kept[3:]) == 3
    assert log.end == 20
    assert log.since(17) == b"789"


def test_the_log_is_bounded_in_bytes() -> None:
    """A few long frames are as much as many short ones; one longer than all is kept by nobody.

    Demanded by: bounded memory.
    """
    log = FrameLog(frames_max=1_000, bytes_max=100)
    for _ in range(30):
        log.append(b"x" * 30)
    held = len(log.since(log.start))
    log.append(b"y" * 500)
    assert 90 <= held <= 200
    assert (log.start, log.since(log.end)) == (31, b"")


def test_places_count_on_when_nothing_is_kept() -> None:
    """So that a place of before is behind, and never taken for one of now.

    Demanded by: STRM-03.
    """
    log = FrameLog(frames_max=3, bytes_max=1_000)
    log.append(b"a")
    before = log.since(0)
    log.forget()
    log.append(b"b")
    assert (before, log.start, log.end, log.since(1)) == (b"a", 1, 2, b"b")
