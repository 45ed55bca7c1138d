"""The ledger by filter, a page at a time."""

import difflib
from typing import get_args

import msgspec

from dayshift.core.details import Page
from dayshift.core.entries import Entry, Recorded
from dayshift.core.errors import InvalidError
from dayshift.core.wishes import LedgerFilter
from dayshift.store import ledger_query
from dayshift.store.database import Database
from dayshift.stream.frames import recorded_json

KINDS: tuple[str, ...] = tuple(kind.__struct_config__.tag for kind in get_args(Entry))
DIGITS_MAX = 15
_DECODER = msgspec.json.Decoder(Recorded)


class LedgerSearch:
    """One office's ledger, to be looked through."""

    def __init__(self, database: Database, office: str) -> None:
        self._database = database
        self._office = office

    async def page(
        self, wanted: LedgerFilter, *, before: str, after: str, limit: int
    ) -> Page[Recorded]:
        """Entries, newest first, numbered below ``before`` and above ``after``; empty is no bound.

        ``kind`` may name several kinds with commas.

        Raises:
            InvalidError: A bound that is no number, or a kind that there is not.
        """
        for kind in filter(None, wanted.kind.split(",")):
            if kind not in KINDS:
                near = difflib.get_close_matches(kind, KINDS, n=3) or list(KINDS)
                raise InvalidError(
                    f"There is no kind of entry {kind!r}.", hint=f"Kinds: {', '.join(near)}."
                )
        low, high = cursor(after), cursor(before)
        rows = await self._database.read(
            lambda reading: ledger_query.entries(
                reading, self._office, wanted, before=high, after=low, limit=limit + 1
            )
        )
        items = [
            _DECODER.decode(recorded_json(row.seq, row.at, actor=row.actor, body=row.body))
            for row in rows[:limit]
        ]
        more = len(rows) > limit
        return Page(items=items, next=str(items[-1].seq) if more else None)


def cursor(text: str) -> int:
    """A number of an entry; 0 for empty.

    Raises:
        InvalidError: It is none.
    """
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX):
        raise InvalidError(
            f"{text[:40]!r} is no number of an entry.", hint="Pass on the cursor as it was given."
        )
    return int(text)
