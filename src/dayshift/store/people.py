"""Rows of people, their roles, and the links, sessions and tokens they come in by.

Secrets are never stored: a link, session or token is found by the SHA-256 of its secret.
"""

from typing import Any

import msgspec
from sqlalchemy import delete, select, update

from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import Person
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode
from dayshift.store.statements import Prepared, param


class SessionRow(msgspec.Struct, frozen=True):
    """A session as stored; times in seconds since the epoch."""

    hash: str
    id: str
    person: str
    created_at: float
    seen_at: float
    expires_at: float
    agent: str
    address: str
    csrf: str


class TokenRow(msgspec.Struct, frozen=True):
    """An API token as stored; ``scopes`` are separated by blanks, a time of 0 is never."""

    hash: str
    id: str
    name: str
    person: str
    office: str
    scopes: str
    created_at: float
    used_at: float
    revoked_at: float


def put_person(unit: UnitOfWork, person: Person) -> None:
    """Write an account."""
    unit.upsert(t.people, {"id": person.id, "body": encode(person)})


def person(asked: Rows, id_: str) -> Person | None:
    """One account, ``None`` when unknown."""
    rows = asked.rows(_PERSON, {"of_id": id_})
    return decode(rows[0][0], Person) if rows else None


def people(asked: Rows) -> list[Person]:
    """All accounts, by id."""
    return bodies(asked.rows(select(t.people.c.body).order_by(t.people.c.id)), Person)


def put_link(unit: UnitOfWork, hash_: str, *, person_id: str, expires_at: float) -> None:
    """Write a sign-in link."""
    row = {"hash": hash_, "person": person_id, "expires_at": expires_at, "used": 0}
    unit.upsert(t.links, row)


def use_link(unit: UnitOfWork, hash_: str, *, now: float) -> str | None:
    """Use up a link that still holds, and return whose it is; ``None`` when it does not."""
    holds = (t.links.c.hash == hash_) & (t.links.c.used == 0) & (t.links.c.expires_at > now)
    if unit.change(update(t.links).where(holds).values(used=1)) != 1:
        return None
    return str(unit.rows(select(t.links.c.person).where(t.links.c.hash == hash_))[0][0])


def put_session(unit: UnitOfWork, row: SessionRow) -> None:
    """Write a session."""
    unit.upsert(t.sessions, msgspec.structs.asdict(row))


def session(asked: Rows, hash_: str) -> SessionRow | None:
    """One session by the hash of its secret."""
    rows = asked.rows(_SESSION_BY_HASH, {"of_hash": hash_})
    return SessionRow(*rows[0]) if rows else None


def sessions(asked: Rows, person_id: str, *, now: float) -> list[SessionRow]:
    """A person's sessions that have not ended, the last seen first."""
    c = t.sessions.c
    query = _SESSION.where(c.person == person_id, c.expires_at > now)
    return [SessionRow(*row) for row in asked.rows(query.order_by(c.seen_at.desc(), c.id))]


def touch_session(unit: UnitOfWork, hash_: str, *, seen_at: float, expires_at: float) -> None:
    """Note that a session was used; one that was ended meanwhile stays ended."""
    c = t.sessions.c
    changed = update(t.sessions).where(c.hash == hash_, c.expires_at > seen_at)
    unit.change(changed.values(seen_at=seen_at, expires_at=expires_at))


def end_session(unit: UnitOfWork, person_id: str, session_id: str) -> bool:
    """Delete one of a person's sessions; returns whether there was one."""
    c = t.sessions.c
    return unit.change(delete(t.sessions).where(c.person == person_id, c.id == session_id)) > 0


def forget_ended(unit: UnitOfWork, *, now: float) -> None:
    """Delete links and sessions whose time is over."""
    unit.change(delete(t.links).where(t.links.c.expires_at <= now))
    unit.change(delete(t.sessions).where(t.sessions.c.expires_at <= now))


def put_token(unit: UnitOfWork, row: TokenRow) -> None:
    """Write an API token."""
    unit.upsert(t.tokens, msgspec.structs.asdict(row))


def token(asked: Rows, hash_: str) -> TokenRow | None:
    """One token by the hash of its secret, revoked or not."""
    rows = asked.rows(_TOKEN_BY_HASH, {"of_hash": hash_})
    return TokenRow(*rows[0]) if rows else None


def tokens(asked: Rows, person_id: str) -> list[TokenRow]:
    """A person's tokens that were not revoked, newest first."""
    c = t.tokens.c
    query = _TOKEN.where(c.person == person_id, c.revoked_at == 0)
    return [TokenRow(*row) for row in asked.rows(query.order_by(c.created_at.desc(), c.id))]


def touch_token(unit: UnitOfWork, hash_: str, *, used_at: float) -> None:
    """Note that a token was used."""
    unit.change(update(t.tokens).where(t.tokens.c.hash == hash_).values(used_at=used_at))


def revoke_token(unit: UnitOfWork, person_id: str, token_id: str, *, now: float) -> bool:
    """Revoke one of a person's tokens; returns whether there was one that held."""
    c = t.tokens.c
    holds = (c.person == person_id) & (c.id == token_id) & (c.revoked_at == 0)
    return unit.change(update(t.tokens).where(holds).values(revoked_at=now)) > 0


def put_member(unit: UnitOfWork, office: str, person_id: str, role: str) -> None:
    """Give a person a role in an office; an empty one takes it away."""
    if role:
        unit.upsert(t.members, {"office": office, "person": person_id, "role": role})
        return
    c = t.members.c
    unit.change(delete(t.members).where(c.office == office, c.person == person_id))


def roles(asked: Rows, person_id: str) -> dict[str, str]:
    """Office to role, for one person."""
    rows = asked.rows(_ROLES, {"of_person": person_id})
    return {str(office): str(role) for office, role in rows}


def _columns(table: Any, row: type[msgspec.Struct]) -> Any:  # noqa: ANN401  a table and its query
    return select(*(table.c[name] for name in row.__struct_fields__))


_SESSION = _columns(t.sessions, SessionRow)
_TOKEN = _columns(t.tokens, TokenRow)
_SESSION_BY_HASH = Prepared(_SESSION.where(t.sessions.c.hash == param("of_hash")))
_TOKEN_BY_HASH = Prepared(_TOKEN.where(t.tokens.c.hash == param("of_hash")))
_PERSON = Prepared(select(t.people.c.body).where(t.people.c.id == param("of_id")))
_ROLES = Prepared(
    select(t.members.c.office, t.members.c.role).where(t.members.c.person == param("of_person"))
)
