"""People: accounts, and the role each holds in each office."""

import difflib
from datetime import datetime

import msgspec

from dayshift.access import audit
from dayshift.access.changes import Changes
from dayshift.access.permissions import ROLES, Role
from dayshift.access.secrets import Wall, instant
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import Person, PersonChanges
from dayshift.store import people as rows
from dayshift.store.database import Database

OWNER = "owner"


class People:
    """The accounts of a home. Their display names are kept in memory, too; they are few."""

    def __init__(self, database: Database, *, wall: Wall, changes: Changes) -> None:
        self._database = database
        self._changes = changes
        self._wall = wall
        self._names: dict[str, str] = {}

    def name(self, id_: str) -> str:
        """Somebody's display name now; empty when there is none of that id."""
        return self._names.get(id_, "")

    async def ensure_owner(self, name: str = "Owner") -> Person:
        """The owner's account, made when the home is fresh."""

        def work(unit: UnitOfWork) -> Person:
            known = rows.person(unit, OWNER)
            if known is not None:
                return known
            owner = Person(id=OWNER, name=name, is_owner=True)
            rows.put_person(unit, owner)
            return owner

        return self._known_as(await self._database.commit("", work, at=self._now()))

    async def add(self, id_: str, name: str) -> Person:
        """Make an account. It may see nothing until it is given a role.

        Raises:
            ConflictError: The id is taken.
            InvalidError: The id is not lower-case letters, digits and hyphens.
        """
        bare = id_.replace("-", "")
        if not (bare.isascii() and bare.isalnum() and id_ == id_.lower()):
            raise InvalidError(f"{id_!r} is no id of a person.", hint="For example: ada")

        def work(unit: UnitOfWork) -> Person:
            if rows.person(unit, id_) is not None:
                raise ConflictError(f"There is a person {id_} already.")
            person = Person(id=id_, name=name)
            rows.put_person(unit, person)
            return person

        return self._known_as(await self._database.commit("", work, at=self._now()))

    async def person(self, id_: str) -> Person:
        """One account; raises NotFoundError."""
        found = await self._database.read(lambda reading: rows.person(reading, id_))
        return _known(found, id_)

    async def everyone(self) -> list[Person]:
        """All accounts, by id."""
        return [self._known_as(one) for one in await self._database.read(rows.people)]

    async def edit(self, id_: str, changes: PersonChanges) -> Person:
        """Change an account; raises NotFoundError."""

        def work(unit: UnitOfWork) -> Person:
            old = _known(rows.person(unit, id_), id_)
            person = Person(
                id=old.id,
                name=changes.name if isinstance(changes.name, str) else old.name,
                language=changes.language if isinstance(changes.language, str) else old.language,
                theme=changes.theme if isinstance(changes.theme, str) else old.theme,
                is_owner=old.is_owner,
            )
            rows.put_person(unit, person)
            if person != old:
                now, actor = self._wall(), f"person:{id_}"
                audit.add(unit, now, "account_edited", actor=actor, subject=_told(old, person))
            return person

        return self._known_as(await self._database.commit("", work, at=self._now()))

    async def give(self, id_: str, role: Role, *, office: str) -> None:
        """Give a person a role in an office, in place of the one they had.

        Raises:
            NotFoundError: No such person.
            InvalidError: No such role.
        """
        if role not in ROLES:
            near = difflib.get_close_matches(role, ROLES, n=1) or list(ROLES)
            raise InvalidError(f"There is no role {role!r}.", hint=f"Roles: {', '.join(near)}.")

        def work(unit: UnitOfWork) -> None:
            _known(rows.person(unit, id_), id_)
            rows.put_member(unit, office, id_, role)

        await self._database.commit("", work, at=self._now())
        self._changes.note()

    async def take_away(self, id_: str, *, office: str) -> None:
        """Take a person's role in an office away; they no longer see it."""

        def work(unit: UnitOfWork) -> None:
            rows.put_member(unit, office, id_, "")

        await self._database.commit("", work, at=self._now())
        self._changes.note()

    def _known_as(self, person: Person) -> Person:
        self._names[person.id] = person.name
        return person

    def _now(self) -> datetime:
        return instant(self._wall())


def _known(person: Person | None, id_: str) -> Person:
    if person is None:
        raise NotFoundError(f"There is no person {id_!r}.")
    return person


def _told(old: Person, now: Person) -> str:
    """The fields that are not as they were."""
    before, after = msgspec.structs.asdict(old), msgspec.structs.asdict(now)
    return ", ".join(f"{name}: {after[name]}" for name in after if after[name] != before[name])
