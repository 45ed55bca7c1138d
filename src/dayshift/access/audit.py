"""The audit: who signed in or was refused, who made or revoked what, who changed which settings.

A line about a sign-in, a link, a token or an account is committed with what it tells of. Whatever
happens inside an office stands in the office's own ledger, with who did it.
"""

import msgspec

from dayshift.access.secrets import Wall, instant
from dayshift.core.details import Page
from dayshift.core.errors import InvalidError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.people import AuditAction, AuditView
from dayshift.store import audit as rows
from dayshift.store.database import Database

SUBJECT_CHARS_MAX = 200
VALUE_CHARS_MAX = 60


class Audit:
    """The audit of a home."""

    def __init__(self, database: Database, *, wall: Wall) -> None:
        self._database = database
        self._wall = wall

    async def note(self, actor: str, action: AuditAction, subject: str) -> None:
        """Write down what was done elsewhere; ``actor`` is who did it, as ``person:ID``."""
        now = self._wall()
        await self._database.commit(
            "", lambda unit: add(unit, now, action, actor=actor, subject=subject), at=instant(now)
        )

    async def page(self, *, before: str, limit: int) -> Page[AuditView]:
        """Lines, newest first.

        Raises:
            InvalidError: ``before`` is no cursor.
        """
        if before and not before.isdecimal():
            raise InvalidError(
                f"{before!r} is no number of a line.", hint="Pass on the cursor as it was given."
            )
        found = await self._database.read(
            lambda reading: rows.lines(reading, before=int(before or 0), limit=limit + 1)
        )
        shown = found[:limit]
        return Page(items=shown, next=str(shown[-1].n) if len(found) > limit else None)


def told(changes: msgspec.Struct) -> str:
    """What a request changes, field by field, each cut short."""
    given = msgspec.structs.asdict(changes)
    return ", ".join(
        f"{name}: {str(value)[:VALUE_CHARS_MAX]}"
        for name, value in given.items()
        if value is not msgspec.UNSET
    )


def add(
    unit: UnitOfWork,
    now: float,
    action: AuditAction,
    *,
    actor: str,
    subject: str,
    address: str = "",
) -> None:
    """Write a line within somebody's unit of work."""
    line = AuditView(
        n=0,
        at=instant(now),
        actor=actor,
        action=action,
        subject=subject[:SUBJECT_CHARS_MAX],
        address=address,
    )
    rows.add(unit, line)
