"""The reception: all that access offers to the doors, in one hand."""

from dataclasses import dataclass
from typing import Self

from dayshift.access.access import Access, Actor
from dayshift.access.audit import Audit
from dayshift.access.changes import Changes
from dayshift.access.links import Links
from dayshift.access.people import People
from dayshift.access.secrets import TOKEN_PREFIX, Wall
from dayshift.access.sessions import Sessions
from dayshift.access.tokens import Tokens
from dayshift.core.errors import SignedOutError
from dayshift.store.database import Database


@dataclass(frozen=True, kw_only=True)
class Reception:
    """People, the ways they come in, and what they may do."""

    people: People
    links: Links
    sessions: Sessions
    tokens: Tokens
    access: Access
    audit: Audit
    changes: Changes

    @classmethod
    def open(cls, database: Database, *, wall: Wall) -> Self:
        """The reception of a home's database. ``wall`` is real time in seconds since the epoch."""
        changes = Changes()
        return cls(
            people=People(database, wall=wall, changes=changes),
            links=Links(database, wall=wall),
            sessions=Sessions(database, wall=wall, changes=changes),
            tokens=Tokens(database, wall=wall, changes=changes),
            access=Access(database),
            audit=Audit(database, wall=wall),
            changes=changes,
        )

    async def admit(self, *, cookie: str, bearer: str | None) -> Actor:
        """Who asks. Where a token is shown it alone counts; a bad one lets nobody in.

        Raises:
            SignedOutError: Neither holds.
        """
        if bearer is not None:
            if not bearer.startswith(TOKEN_PREFIX):
                raise SignedOutError(
                    "This is no API token of ours.",
                    hint=f"They begin with {TOKEN_PREFIX}; make one: dayshift token create NAME",
                )
            token = await self.tokens.of(bearer)
            return Actor(
                person=token.person,
                via="token",
                id=token.id,
                scopes=token.scopes,
                office=token.office,
            )
        if not cookie:
            raise SignedOutError("You are not signed in.", hint="Open a sign-in link.")
        session = await self.sessions.of(cookie)
        return Actor(person=session.person, via="session", id=session.id, csrf=session.csrf)
