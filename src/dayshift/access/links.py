"""Sign-in links: single use, expiring.

The secret stands in the URL's fragment, so that no proxy and no log sees it.
"""

from dayshift.access import audit
from dayshift.access.secrets import Wall, hash_of, instant, new_secret
from dayshift.core.errors import SignedOutError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import Person
from dayshift.store import people as rows
from dayshift.store.database import Database

LINK_LIVES_S = 3_600.0


class Links:
    """The sign-in links of a home."""

    def __init__(self, database: Database, *, wall: Wall, lives_s: float = LINK_LIVES_S) -> None:
        self._database = database
        self._wall = wall
        self.lives_s = lives_s

    async def make(self, person_id: str) -> str:
        """A new secret that signs the person in once, within the time a link lives."""
        secret = new_secret()
        now = self._wall()

        def work(unit: UnitOfWork) -> None:
            rows.forget_ended(unit, now=now)
            expires_at = now + self.lives_s
            rows.put_link(unit, hash_of(secret), person_id=person_id, expires_at=expires_at)
            audit.add(unit, now, "link_made", actor=f"person:{person_id}", subject="")

        await self._database.commit("", work, at=instant(now))
        return secret

    async def redeem(self, secret: str, *, address: str = "") -> Person:
        """Use a link up and say whose it is; ``address`` is where it was shown from.

        Raises:
            SignedOutError: It is none of ours, was used, or is too old; which one is not told.
        """
        now = self._wall()

        def work(unit: UnitOfWork) -> Person | None:
            person_id = rows.use_link(unit, hash_of(secret), now=now)
            if person_id is None:
                audit.add(unit, now, "sign_in_refused", actor="", subject="", address=address)
                return None
            return rows.person(unit, person_id)

        person = await self._database.commit("", work, at=instant(now))
        if person is None:
            raise SignedOutError(
                "This sign-in link does not hold: it was used, or it is too old.",
                hint="Ask for a new one; on the server: dayshift signin",
            )
        return person


def sign_in_path(secret: str) -> str:
    """Where a link leads, below the server's address."""
    return f"/sign-in#token={secret}"


def sign_in_url(base: str, secret: str) -> str:
    """The link a person opens. ``base`` is the server's address without a slash at its end."""
    return base + sign_in_path(secret)
