"""Reads of channels by name and of messages by what they say."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from dayshift.core.views import MessageView, ThreadView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode
from dayshift.store.statements import Prepared, param

_PART = 200

_t, _m = t.threads.c, t.messages.c
_OFFICE = param("office")
_CHANNEL = Prepared(
    select(_t.body).where(
        _t.office == _OFFICE,
        _t.name == param("name"),
        _t.kind == "channel",
        _t.removed == 0,
    )
)
_ANY_THREAD = Prepared(select(_t.id).where(_t.office == _OFFICE, _t.id == param("id")))
_CHANNELS = Prepared(
    select(_t.body)
    .where(_t.office == _OFFICE, _t.kind == "channel", _t.removed == 0)
    .order_by(_t.name)
)
_THREADS = Prepared(select(_t.body).where(_t.office == _OFFICE, _t.removed == 0))


def channel(asked: Rows, office: str, name: str) -> ThreadView | None:
    """The channel of a name, ``None`` when there is none."""
    rows = asked.rows(_CHANNEL, {"office": office, "name": name})
    return decode(rows[0][0], ThreadView) if rows else None


def channels(asked: Rows, office: str) -> list[ThreadView]:
    """All channels by name."""
    return bodies(asked.rows(_CHANNELS, {"office": office}), ThreadView)


def was_used(asked: Rows, office: str, thread_id: str) -> bool:
    """Whether there is a thread of that id, or was one that was removed."""
    return bool(asked.rows(_ANY_THREAD, {"office": office, "id": thread_id}))


def search(asked: Rows, office: str, text: str, *, before: int, limit: int) -> list[MessageView]:
    """Messages that hold a text in any case, newest first.

    Those of a cleared history and of removed threads are left out. ``before`` is the number in the
    id of the last message of the page before; 0 begins with the newest.
    """
    threads = bodies(asked.rows(_THREADS, {"office": office}), ThreadView)
    shown_from = {thread.id: thread.cleared_before for thread in threads}
    needle = text.casefold()
    found: list[MessageView] = []
    part: Sequence[Any] = ()
    at = before
    while len(found) < limit and (part := _part(asked, office, text, at)):
        for message in bodies(part, MessageView):
            begin = shown_from.get(message.thread)
            if begin is not None and message.n >= begin and needle in message.text.casefold():
                found.append(message)
        at = int(part[-1][1])
    return found[:limit]


def _part(asked: Rows, office: str, text: str, before: int) -> Sequence[Any]:
    query = select(_m.body, _m.number).where(_m.office == office)
    if before:
        query = query.where(_m.number < before)
    if text.isascii():
        # Bodies are JSON: the text is looked for as it is spelled there.
        spelled = msgspec.json.encode(text)[1:-1].decode()
        query = query.where(_m.body.icontains(spelled, autoescape=True))
    return asked.rows(query.order_by(_m.number.desc()).limit(_PART))
