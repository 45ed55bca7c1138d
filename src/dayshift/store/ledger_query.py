"""Reads of the ledger itself: its end, its tail from a number on, and its entries by filter."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select

from dayshift.core.entries import FileWritten, Recorded
from dayshift.core.wishes import LedgerFilter
from dayshift.store import tables as t
from dayshift.store.rows import Rows, decode, told_of

_EXACT = ("agent", "run", "task", "actor")
_ROW = select(t.ledger.c.seq, t.ledger.c.at, t.ledger.c.actor, t.ledger.c.body)


class LedgerRow(NamedTuple):
    """One entry: ``at`` in ISO form, ``body`` the entry's JSON as it is told."""

    seq: int
    at: str
    actor: str
    body: str


def last_seq(asked: Rows, office: str) -> int:
    """The number of an office's newest entry; 0 when there is none."""
    c = t.ledger.c
    return int(asked.rows(select(func.max(c.seq)).where(c.office == office))[0][0] or 0)


def last_at(asked: Rows, office: str) -> datetime | None:
    """Office time of the newest entry; ``None`` when there is none."""
    c = t.ledger.c
    rows = asked.rows(select(c.at).where(c.office == office).order_by(c.seq.desc()).limit(1))
    return datetime.fromisoformat(rows[0][0]) if rows else None


def entries_after(asked: Rows, office: str, seq: int, *, limit: int) -> list[LedgerRow]:
    """The entries behind a number, oldest first."""
    c = t.ledger.c
    query = _ROW.where(c.office == office, c.seq > seq).order_by(c.seq).limit(limit)
    return _rows(asked.rows(query))


def entries(
    asked: Rows, office: str, wanted: LedgerFilter, *, before: int, after: int, limit: int
) -> list[LedgerRow]:
    """Entries that a filter lets through, newest first, with numbers between two; 0 is no bound."""
    c = t.ledger.c
    query = _ROW.where(c.office == office)
    if before:
        query = query.where(c.seq < before)
    if after:
        query = query.where(c.seq > after)
    if wanted.kind:
        query = query.where(c.kind.in_(wanted.kind.split(",")))
    for name in _EXACT:
        value = getattr(wanted, name)
        if value:
            query = query.where(c[name] == value)
    if wanted.text:
        # Bodies are JSON: what was asked for is looked for as it is spelled there.
        spelled = msgspec.json.encode(wanted.text)[1:-1].decode()
        query = query.where(c.body.icontains(spelled, autoescape=True))
    return _rows(asked.rows(query.order_by(c.seq.desc()).limit(limit)))


def writes(asked: Rows, office: str, *, agent: str, path: str, limit: int) -> list[Recorded]:
    """Entries of files an agent's tools wrote, newest first; of one path, or of all for none."""
    c = t.ledger.c
    query = _ROW.where(c.office == office, c.kind == "file_written", c.agent == agent)
    if path:
        spelled = msgspec.json.encode(path).decode()
        query = query.where(c.body.contains(f'"path":{spelled}', autoescape=True))
    rows = asked.rows(query.order_by(c.seq.desc()).limit(limit))
    return [
        Recorded(seq, datetime.fromisoformat(at), actor, decode(body, FileWritten))
        for seq, at, actor, body in rows
    ]


def _rows(rows: Sequence[Any]) -> list[LedgerRow]:
    return [LedgerRow(seq, at, actor, told_of(body)) for seq, at, actor, body in rows]
