"""Rows of offices, their agents, their marks and alerts."""

from sqlalchemy import select

from dayshift.core.entries import AgentChanged, AlertChanged, OfficeChanged, PromptComposed
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import AgentView, AlertView, OfficeView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number
from dayshift.store.statements import Prepared, param

_OFFICE = param("office")
_AGENT = Prepared(
    select(t.agents.c.body).where(
        t.agents.c.office == _OFFICE,
        t.agents.c.name == param("name"),
        t.agents.c.removed == 0,
    )
)
_MARK = Prepared(
    select(t.marks.c.body).where(t.marks.c.office == _OFFICE, t.marks.c.name == param("name"))
)
_PROMPT = Prepared(
    select(t.prompts.c.body).where(
        t.prompts.c.office == _OFFICE,
        t.prompts.c.agent == param("agent"),
        t.prompts.c.hash == param("hash"),
    )
)
_ALERT_BY_FOLD = Prepared(
    select(t.alerts.c.body)
    .where(t.alerts.c.office == _OFFICE, t.alerts.c.fold == param("fold"))
    .order_by(t.alerts.c.n.desc())
    .limit(1)
)


def put_office(unit: UnitOfWork, view: OfficeView) -> None:
    """Write an office and tell of it."""
    unit.upsert(t.offices, {"office": view.name, "body": encode(view)})
    unit.append(OfficeChanged(office=view))


def office(asked: Rows, name: str) -> OfficeView | None:
    """One office, ``None`` when unknown."""
    rows = asked.rows(select(t.offices.c.body).where(t.offices.c.office == name))
    return decode(rows[0][0], OfficeView) if rows else None


def offices(asked: Rows) -> list[OfficeView]:
    """All offices by name."""
    return bodies(asked.rows(select(t.offices.c.body).order_by(t.offices.c.office)), OfficeView)


def put_agent(unit: UnitOfWork, view: AgentView) -> None:
    """Write an agent and tell of it."""
    unit.upsert(
        t.agents,
        {
            "office": unit.office,
            "name": view.name,
            "removed": int(view.removed),
            "body": encode(view),
        },
    )
    unit.append(AgentChanged(agent=view))


def agent(asked: Rows, office_name: str, name: str) -> AgentView | None:
    """One agent that was not removed, ``None`` when there is none."""
    rows = asked.rows(_AGENT, {"office": office_name, "name": name})
    return decode(rows[0][0], AgentView) if rows else None


def agents(asked: Rows, office_name: str) -> list[AgentView]:
    """All agents of an office that were not removed, by name."""
    query = (
        select(t.agents.c.body)
        .where(t.agents.c.office == office_name, t.agents.c.removed == 0)
        .order_by(t.agents.c.name)
    )
    return bodies(asked.rows(query), AgentView)


def put_mark(unit: UnitOfWork, name: str, body: str) -> None:
    """Remember something small about the office by name; no entry is written."""
    unit.upsert(t.marks, {"office": unit.office, "name": name, "body": body})


def mark(asked: Rows, office_name: str, name: str) -> str | None:
    """What was remembered, ``None`` when nothing was."""
    rows = asked.rows(_MARK, {"office": office_name, "name": name})
    return str(rows[0][0]) if rows else None


def put_prompt(unit: UnitOfWork, agent: str, hash_: str, *, body: str, chars: int, at: str) -> None:
    """Keep a snapshot of an agent's system prompt; the same text is kept once."""
    if prompt(unit, unit.office, agent, hash_) is None:
        unit.upsert(
            t.prompts,
            {"office": unit.office, "agent": agent, "hash": hash_, "at": at, "body": body},
        )
        unit.append(PromptComposed(agent=agent, hash=hash_, chars=chars))


def prompt(asked: Rows, office_name: str, agent: str, hash_: str) -> str | None:
    """A stored snapshot of a system prompt."""
    rows = asked.rows(_PROMPT, {"office": office_name, "agent": agent, "hash": hash_})
    return str(rows[0][0]) if rows else None


def put_alert(unit: UnitOfWork, view: AlertView, fold: str) -> None:
    """Write an alert and tell of it."""
    unit.upsert(
        t.alerts,
        {
            "office": unit.office,
            "n": number(view.id),
            "code": view.code,
            "fold": fold,
            "open": int(not view.acknowledged_by),
            "body": encode(view),
        },
    )
    unit.append(AlertChanged(alert=view))


def last_alert(asked: Rows, office_name: str, fold: str) -> AlertView | None:
    """The newest alert that one of the same kind may be folded into, open or not."""
    rows = asked.rows(_ALERT_BY_FOLD, {"office": office_name, "fold": fold})
    return decode(rows[0][0], AlertView) if rows else None


def alerts(asked: Rows, office_name: str, *, only_open: bool, limit: int) -> list[AlertView]:
    """Alerts, newest first."""
    c = t.alerts.c
    query = select(c.body).where(c.office == office_name)
    if only_open:
        query = query.where(c.open == 1)
    return bodies(asked.rows(query.order_by(c.n.desc()).limit(limit)), AlertView)


def closed_alerts(asked: Rows, office_name: str, *, limit: int) -> list[AlertView]:
    """Alerts that were acknowledged, newest first."""
    c = t.alerts.c
    query = select(c.body).where(c.office == office_name, c.open == 0)
    return bodies(asked.rows(query.order_by(c.n.desc()).limit(limit)), AlertView)


def alert(asked: Rows, office_name: str, id_: str) -> tuple[AlertView, str] | None:
    """One alert and what folds into it."""
    query = select(t.alerts.c.body, t.alerts.c.fold).where(
        t.alerts.c.office == office_name, t.alerts.c.n == number(id_)
    )
    rows = asked.rows(query)
    view = decode(rows[0][0], AlertView) if rows else None
    return (view, str(rows[0][1])) if view is not None and view.id == id_ else None
