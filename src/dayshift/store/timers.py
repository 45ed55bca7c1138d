"""Rows of the timetable."""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from dayshift.core.entries import TimerChanged
from dayshift.core.ledger import UnitOfWork
from dayshift.store import tables as t
from dayshift.store.rows import Rows, decode, encode


def put_timer(
    unit: UnitOfWork,
    id_: str,
    *,
    due_at: datetime,
    agent: str,
    purpose: str,
    payload: dict[str, Any],
) -> None:
    """Write a timetable entry that is set."""
    unit.upsert(
        t.timers,
        {
            "office": unit.office,
            "id": id_,
            "state": "set",
            "due_at": due_at.isoformat(),
            "agent": agent,
            "body": encode({"purpose": purpose, "payload": payload}),
        },
    )
    unit.append(TimerChanged(id=id_, agent=agent, purpose=purpose, state="set", due_at=due_at))


def end_timer(unit: UnitOfWork, id_: str, *, fired: bool) -> bool:
    """Mark an entry fired or cancelled; returns whether it was still set."""
    c = t.timers.c
    rows = unit.rows(
        select(c.due_at, c.agent, c.body, c.state).where(c.office == unit.office, c.id == id_)
    )
    if not rows or rows[0][3] != "set":
        return False
    due_at, agent, body, _ = rows[0]
    state = "fired" if fired else "cancelled"
    unit.upsert(
        t.timers,
        {
            "office": unit.office,
            "id": id_,
            "state": state,
            "due_at": due_at,
            "agent": agent,
            "body": body,
        },
    )
    purpose = str(decode(body, dict[str, Any])["purpose"])
    unit.append(
        TimerChanged(
            id=id_, agent=agent, purpose=purpose, state=state, due_at=datetime.fromisoformat(due_at)
        )
    )
    return True


def set_timers(asked: Rows, office: str) -> list[tuple[str, datetime, str, str, dict[str, Any]]]:
    """All entries that are set: id, due_at, agent, purpose, payload."""
    c = t.timers.c
    rows = asked.rows(
        select(c.id, c.due_at, c.agent, c.body).where(c.office == office, c.state == "set")
    )
    found: list[tuple[str, datetime, str, str, dict[str, Any]]] = []
    for id_, due_at, agent, body in rows:
        what = decode(body, dict[str, Any])
        found.append(
            (
                id_,
                datetime.fromisoformat(due_at),
                agent,
                str(what["purpose"]),
                dict(what["payload"]),
            )
        )
    return found
