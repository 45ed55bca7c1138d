"""API tokens: for programs. Each is a person's, and may do what its scopes say and they may."""

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import UNSET

from dayshift.access import audit
from dayshift.access.changes import Changes
from dayshift.access.permissions import check_scopes
from dayshift.access.secrets import TOKEN_PREFIX, Wall, hash_of, instant, new_id, new_secret
from dayshift.core.errors import NotFoundError, SignedOutError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import Person, TokenView
from dayshift.store import people as rows
from dayshift.store.database import Database, Reading
from dayshift.store.people import TokenRow

TOUCH_S = 60.0
"""A token's use is written down at most this often."""


@dataclass(frozen=True, kw_only=True)
class OpenToken:
    """A token that was shown and holds. An empty office means all of its person's."""

    id: str
    person: Person
    office: str
    scopes: frozenset[str]


class Tokens:
    """The API tokens of a home."""

    def __init__(self, database: Database, *, wall: Wall, changes: Changes) -> None:
        self._database = database
        self._changes = changes
        self._wall = wall

    async def make(
        self, person_id: str, name: str, *, office: str, scopes: Iterable[str]
    ) -> TokenView:
        """A new token, with its secret, which is never shown again.

        Raises:
            InvalidError: A scope that there is not.
        """
        secret, now = new_secret(TOKEN_PREFIX), self._wall()
        row = TokenRow(
            hash=hash_of(secret),
            id=new_id("K"),
            name=name,
            person=person_id,
            office=office,
            scopes=" ".join(sorted(check_scopes(scopes))),
            created_at=now,
            used_at=0.0,
            revoked_at=0.0,
        )

        def work(unit: UnitOfWork) -> None:
            rows.put_token(unit, row)
            subject = f"{row.id} {name}: {row.scopes}"
            audit.add(unit, now, "token_made", actor=f"person:{person_id}", subject=subject)

        await self._database.commit("", work, at=instant(now))
        return _view(row, secret)

    async def of(self, secret: str) -> OpenToken:
        """The token a secret is of.

        Raises:
            SignedOutError: It is none of ours, or was revoked.
        """
        hash_ = hash_of(secret)

        def query(reading: Reading) -> tuple[TokenRow | None, Person | None]:
            row = rows.token(reading, hash_)
            return row, rows.person(reading, row.person) if row is not None else None

        row, person = await self._database.read(query)
        if row is None or person is None or row.revoked_at:
            raise SignedOutError(
                "This API token does not hold.", hint="Make a new one: dayshift token create NAME"
            )
        now = self._wall()
        if now - row.used_at >= TOUCH_S:
            await self._touch(hash_, now)
        scopes = frozenset(row.scopes.split())
        return OpenToken(id=row.id, person=person, office=row.office, scopes=scopes)

    async def _touch(self, hash_: str, now: float) -> None:
        def work(unit: UnitOfWork) -> None:
            rows.touch_token(unit, hash_, used_at=now)

        await self._database.commit("", work, at=instant(now))

    async def of_person(self, person_id: str) -> list[TokenView]:
        """A person's tokens that hold, newest first, without their secrets."""
        found = await self._database.read(lambda reading: rows.tokens(reading, person_id))
        return [_view(row) for row in found]

    async def revoke(self, person_id: str, token_id: str) -> None:
        """Revoke one of a person's tokens at once.

        Raises:
            NotFoundError: They have none of that id.
        """
        now = self._wall()

        def work(unit: UnitOfWork) -> bool:
            if not rows.revoke_token(unit, person_id, token_id, now=now):
                return False
            audit.add(unit, now, "token_revoked", actor=f"person:{person_id}", subject=token_id)
            return True

        revoked = await self._database.commit("", work, at=instant(now))
        self._changes.note()
        if not revoked:
            raise NotFoundError(f"You have no API token {token_id!r}.")


def _view(row: TokenRow, secret: str = "") -> TokenView:
    return TokenView(
        id=row.id,
        name=row.name,
        person=row.person,
        office=row.office,
        scopes=row.scopes.split(),
        created_at=instant(row.created_at),
        last_used_at=instant(row.used_at) if row.used_at else None,
        secret=secret or UNSET,
    )
