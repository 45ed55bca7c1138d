"""Frames of the feed: server-sent events, encoded once for however many watch.

An entry's frame carries its number as id, a live frame has none, so that a browser that comes back
names the last entry it has. The same entry gives the same bytes from memory and from the database.
"""

import msgspec

from dayshift.core.entries import Live
from dayshift.core.snapshot import Snapshot

HELLO = b"retry: 1000\n\n"
"""Opens every stream: says when to come back, and lets proxies pass the headers on."""
HEARTBEAT = b": still here\n\n"
BYE = b"event: bye\ndata: {}\n\n"

_ENCODER = msgspec.json.Encoder()


def recorded_json(seq: int, at: str, *, actor: str, body: str) -> bytes:
    """A Recorded as JSON, from an entry's JSON as stored. ``at`` is in ISO form."""
    told = f'{{"seq":{seq},"at":"{stamp(at)}","actor":{_text(actor)},"entry":{body}}}'
    return told.encode()


def stamp(at: str) -> str:
    """A time in ISO form, spelled as the views spell it: UTC is ``Z``."""
    return at[:-6] + "Z" if at.endswith("+00:00") else at


def entry_frame(seq: int, at: str, *, actor: str, body: str) -> bytes:
    """The frame of a committed entry."""
    return b"id: %d\ndata: %b\n\n" % (seq, recorded_json(seq, at, actor=actor, body=body))


def live_frame(live: Live) -> bytes:
    """The frame of what is being written right now."""
    return b"event: live\ndata: %b\n\n" % _ENCODER.encode(live)


def snapshot_json(snapshot: Snapshot) -> bytes:
    """A snapshot as JSON."""
    return _ENCODER.encode(snapshot)


def snapshot_frame(seq: int, encoded: bytes) -> bytes:
    """The frame of a snapshot, which stands for all entries up to ``seq``."""
    return b"id: %d\nevent: snapshot\ndata: %b\n\n" % (seq, encoded)


def _text(text: str) -> str:
    return _ENCODER.encode(text).decode()
