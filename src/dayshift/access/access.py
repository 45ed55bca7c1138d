"""Who may do what: the one question every door asks before it opens.

An office one may not see and an office that is not there look the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dayshift.access.permissions import EVERYBODY, OFFICE, ROLES, SERVER, covers, expand
from dayshift.core.errors import DeniedError, NotFoundError
from dayshift.core.people import Person
from dayshift.store import people as rows
from dayshift.store.database import Database


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who asks.

    Attributes:
        via: A session is a person at a browser, a token is a program of theirs.
        id: The session's or the token's id.
        scopes: What a token is limited to; ``*`` for a session.
        office: The one office a token is limited to; empty for all.
        csrf: What a session's changes must carry; empty for a token.
    """

    person: Person
    via: Literal["session", "token"]
    id: str
    scopes: frozenset[str] = frozenset({"*"})
    office: str = ""
    csrf: str = ""

    @property
    def by(self) -> str:
        """The actor's name in the ledger."""
        return f"person:{self.person.id}"


class Access:
    """Decides by role, scope and office."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def require(self, actor: Actor, permission: str, *, office: str = "") -> None:
        """Return if the actor may; ``office`` is empty for permissions of the server.

        Raises:
            NotFoundError: The office is not there, or the actor may not see it.
            DeniedError: They may see it, but not do this; or nobody may, since it is not listed.
        """
        if office:
            allowed = await self._in_office(actor, office)
        else:
            allowed = self._on_server(actor)
        if permission not in allowed:
            about = OFFICE.get(permission) or SERVER.get(permission) or permission
            raise DeniedError(
                f"You may not do this here: {about}",
                hint=f"It needs the permission {permission}.",
            )

    async def _in_office(self, actor: Actor, office: str) -> frozenset[str]:
        role = await self.role(actor.person, office)
        if role is None or actor.office not in {"", office}:
            raise unseen(office)
        return frozenset(name for name in role if covers(actor.scopes, name))

    def _on_server(self, actor: Actor) -> frozenset[str]:
        if actor.person.is_owner and not actor.office:
            allowed = frozenset(SERVER)
        else:
            beyond_an_office = {"account:link", "tokens:edit"} if actor.office else set[str]()
            allowed = EVERYBODY - beyond_an_office
        return frozenset(name for name in allowed if covers(actor.scopes, name))

    async def role(self, person: Person, office: str) -> frozenset[str] | None:
        """What a person's role in an office allows; ``None`` when they may not see it."""
        if person.is_owner:
            return ROLES["owner"]
        given = await self._database.read(lambda reading: rows.roles(reading, person.id))
        return next((names for role, names in ROLES.items() if role == given.get(office)), None)

    async def visible(self, actor: Actor, offices: Iterable[str]) -> frozenset[str]:
        """Those of some offices that the actor may see."""
        mine = frozenset(office for office in offices if actor.office in {"", office})
        if actor.person.is_owner or not mine:
            return mine
        given = await self._database.read(lambda reading: rows.roles(reading, actor.person.id))
        return mine & given.keys()

    async def require_grantable(self, actor: Actor, scopes: Iterable[str], *, office: str) -> None:
        """Return if the actor may make a token like this: never one that may more than itself.

        Raises:
            NotFoundError: The office is not there, or the actor may not see it.
            DeniedError: The token would may more than the actor.
        """
        if office:
            await self._in_office(actor, office)
        if actor.via == "token" and not expand(scopes) <= expand(actor.scopes):
            raise DeniedError(
                "An API token can't make one that may more than itself.",
                hint="Ask for fewer scopes, or make it in the browser.",
            )


def unseen(office: str) -> NotFoundError:
    """An office that is not there, or may not be seen: the same words for both."""
    return NotFoundError(
        f"There is no office {office!r}, or you may not see it.",
        hint="Offices you may see: GET /api/offices, or dayshift office list",
    )
