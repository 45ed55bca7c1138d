"""Sessions: signed-in browsers. Their end moves on with use, up to an absolute one."""

from dataclasses import dataclass

from dayshift.access import audit
from dayshift.access.changes import Changes
from dayshift.access.secrets import Wall, hash_of, instant, new_id, new_secret
from dayshift.core.errors import NotFoundError, SignedOutError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import Person, SessionView
from dayshift.store import people as rows
from dayshift.store.database import Database, Reading
from dayshift.store.people import SessionRow

IDLE_S = 7 * 86_400.0
LIVES_S = 30 * 86_400.0
TOUCH_S = 60.0
"""A session's use is written down at most this often."""
AGENT_CHARS_MAX = 200
ADDRESS_CHARS_MAX = 64


@dataclass(frozen=True, kw_only=True)
class OpenSession:
    """A session whose secret was shown. ``secret`` is set only where it was just opened."""

    id: str
    person: Person
    csrf: str
    secret: str = ""


class Sessions:
    """The sessions of a home."""

    lives_s = LIVES_S

    def __init__(self, database: Database, *, wall: Wall, changes: Changes) -> None:
        self._database = database
        self._wall = wall
        self._changes = changes

    async def open(self, person: Person, *, user_agent: str, address: str) -> OpenSession:
        """Begin a session for a person who has shown who they are."""
        secret, now = new_secret(), self._wall()
        row = SessionRow(
            hash=hash_of(secret),
            id=new_id("S"),
            person=person.id,
            created_at=now,
            seen_at=now,
            expires_at=now + min(IDLE_S, LIVES_S),
            agent=_printable(user_agent, AGENT_CHARS_MAX),
            address=_printable(address, ADDRESS_CHARS_MAX),
            csrf=new_secret(),
        )

        def work(unit: UnitOfWork) -> None:
            rows.put_session(unit, row)
            actor = f"person:{person.id}"
            audit.add(unit, now, "signed_in", actor=actor, subject=row.id, address=row.address)

        await self._database.commit("", work, at=instant(now))
        return OpenSession(id=row.id, person=person, csrf=row.csrf, secret=secret)

    async def of(self, secret: str) -> OpenSession:
        """The session a secret opens.

        Raises:
            SignedOutError: There is none, or it has ended.
        """
        hash_, now = hash_of(secret), self._wall()

        def query(reading: Reading) -> tuple[SessionRow | None, Person | None]:
            row = rows.session(reading, hash_)
            return row, rows.person(reading, row.person) if row is not None else None

        row, person = await self._database.read(query)
        if row is None or person is None or row.expires_at <= now:
            raise SignedOutError("You are signed out.", hint="Sign in with a new link.")
        if now - row.seen_at >= TOUCH_S:
            await self._touch(row, now)
        return OpenSession(id=row.id, person=person, csrf=row.csrf)

    async def _touch(self, row: SessionRow, now: float) -> None:
        expires_at = min(now + IDLE_S, row.created_at + LIVES_S)

        def work(unit: UnitOfWork) -> None:
            rows.touch_session(unit, row.hash, seen_at=now, expires_at=expires_at)

        await self._database.commit("", work, at=instant(now))

    async def of_person(self, person_id: str, *, current: str) -> list[SessionView]:
        """A person's open sessions, the last seen first; ``current`` is the asking one's id."""
        now = self._wall()
        found = await self._database.read(
            lambda reading: rows.sessions(reading, person_id, now=now)
        )
        return [
            SessionView(
                id=row.id,
                current=row.id == current,
                created_at=instant(row.created_at),
                last_seen_at=instant(row.seen_at),
                expires_at=instant(row.expires_at),
                user_agent=row.agent,
                address=row.address,
            )
            for row in found
        ]

    async def end(self, person_id: str, session_id: str) -> None:
        """End one of a person's sessions at once.

        Raises:
            NotFoundError: They have none of that id.
        """
        now = self._wall()

        def work(unit: UnitOfWork) -> bool:
            if not rows.end_session(unit, person_id, session_id):
                return False
            audit.add(unit, now, "signed_out", actor=f"person:{person_id}", subject=session_id)
            return True

        ended = await self._database.commit("", work, at=instant(now))
        self._changes.note()
        if not ended:
            raise NotFoundError(f"You have no session {session_id!r}.")


def _printable(text: str, chars_max: int) -> str:
    return "".join(char for char in text if char.isprintable())[:chars_max]
