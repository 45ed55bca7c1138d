"""Rows of the audit: who did what to accounts, sign-ins, tokens and settings; only added to."""

import msgspec
from sqlalchemy import select

from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import AuditView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, encode, number

FOLD_S = 60.0
"""Refused sign-ins from one address within such a time are one row, counted."""


def add(unit: UnitOfWork, line: AuditView) -> None:
    """Write a line down; its number is given here."""
    last = next(iter(lines(unit, before=0, limit=1)), None)
    if last is not None and _is_same(last, line):
        line = msgspec.structs.replace(line, n=last.n, at=last.at, count=last.count + 1)
    else:
        line = msgspec.structs.replace(line, n=number(unit.next_id("U")))
    unit.upsert(t.audit, {"n": line.n, "body": encode(line)})


def lines(asked: Rows, *, before: int, limit: int) -> list[AuditView]:
    """Lines, newest first; ``before`` 0 begins with the newest."""
    query = select(t.audit.c.body).order_by(t.audit.c.n.desc()).limit(limit)
    if before:
        query = query.where(t.audit.c.n < before)
    return bodies(asked.rows(query), AuditView)


def _is_same(last: AuditView, line: AuditView) -> bool:
    """Whether a line only goes on with the last one, so that guessing fills no disk."""
    return (
        line.action == last.action == "sign_in_refused"
        and line.address == last.address
        and (line.at - last.at).total_seconds() < FOLD_S
    )
