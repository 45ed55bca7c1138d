"""A unit of work as the writer runs it, and the counters it takes its numbers from."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import msgspec
from sqlalchemy import Connection, func, select

from dayshift.core.entries import Entry
from dayshift.core.redaction import Redactor
from dayshift.store import tables as t
from dayshift.store.rows import encode
from dayshift.store.statements import Hand, Prepared, param, prepared_insert
from dayshift.store.subjects import subject

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)
_INSERT_LEDGER = prepared_insert(t.ledger)
_LAST_SEQ = Prepared(select(func.max(t.ledger.c.seq)).where(t.ledger.c.office == param("office")))
_LAST_ID = Prepared(
    select(t.counters.c.value).where(
        t.counters.c.office == param("office"), t.counters.c.letter == param("letter")
    )
)
_ENTRY_AT = Prepared(
    select(t.ledger.c.body).where(
        t.ledger.c.office == param("office"), t.ledger.c.seq == param("seq")
    )
)


class Committed(msgspec.Struct, frozen=True):
    """An entry that is on disk, with its JSON as it is told and as it is stored."""

    office: str
    seq: int
    at: datetime
    actor: str
    entry: Entry
    body: str
    stored: str
    stamp: str
    """``at`` in ISO form."""


class Means:
    """What the units of one transaction work with: the connection, its cursor, the counters."""

    __slots__ = ("connection", "counters", "hand", "redactor")

    def __init__(self, connection: Connection, counters: "Counters", redactor: Redactor) -> None:
        self.connection = connection
        self.counters = counters
        self.redactor = redactor
        self.hand = Hand(connection)


class Unit:
    """One open unit of work; implements core.ledger.UnitOfWork."""

    __slots__ = ("_entries", "_means", "actor", "at", "has_written", "office")

    def __init__(self, means: Means, office: str, *, at: datetime, actor: str) -> None:
        self._means = means
        self._entries: list[tuple[int, str, Entry]] = []
        self.office = office
        self.at = at
        self.actor = actor
        self.has_written = False
        """Whether anything must be undone if it fails."""

    def append(self, entry: Entry, *, actor: str = "") -> int:
        """Write an entry to the ledger at commit, under the number that is returned."""
        self.has_written = True
        seq = self._means.counters.next_seq(self._means.hand, self.office)
        self._entries.append((seq, actor or self.actor, entry))
        return seq

    def rows(self, statement: Any, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:  # noqa: ANN401  any statement
        """Run a query."""
        if isinstance(statement, Prepared):
            return self._means.hand.rows(statement, parameters or {})
        return self._means.connection.execute(statement, parameters or {}).all()

    def change(
        self,
        statement: Any,  # noqa: ANN401  any statement
        parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Run an insert, update or delete."""
        self.has_written = True
        if isinstance(statement, Prepared):
            given = cast("Mapping[str, Any]", parameters or {})  # a prepared one is run once
            return self._means.hand.change(statement, self._clean(given))
        return int(self._means.connection.execute(statement, parameters or {}).rowcount)

    def upsert(self, table: Any, values: Mapping[str, Any]) -> None:  # noqa: ANN401  any table
        """Insert a row or replace the one with its primary key."""
        self.has_written = True
        self._means.hand.upsert(table, self._clean(values))

    def next_id(self, letter: str) -> str:
        """The next id of a kind within the office."""
        self.has_written = True
        return f"{letter}-{self._means.counters.next(self._means.hand, self.office, letter)}"

    def _clean(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        redactor = self._means.redactor
        least = redactor.chars_min
        texts = [v for v in values.values() if isinstance(v, str) and len(v) >= least]
        # One look for all of them: no secret holds the NUL that parts them.
        whole = "\0".join(texts)
        if redactor.clean_stored(whole) is whole:
            return values
        clean = redactor.clean_stored
        return {k: clean(v) if isinstance(v, str) else v for k, v in values.items()}

    def told(self) -> list[Committed]:
        """Its entries as they are told and stored; called once, when the work is done."""
        done: list[Committed] = []
        stamp = self.at.isoformat()
        clean = self._means.redactor.clean_stored
        for seq, actor, entry in self._entries:
            told, body = entry, _ENCODER.encode(entry).decode()
            cleaned = clean(body)
            if cleaned is not body:
                told, body = _DECODER.decode(cleaned), cleaned
            stored = encode(told)
            done.append(Committed(self.office, seq, self.at, actor, told, body, stored, stamp))
        return done


class Counters:
    """Feed numbers and id counters of all offices: as committed, and as the open group has them."""

    def __init__(self) -> None:
        self._seq: dict[str, int] = {}
        self._ids: dict[tuple[str, str], int] = {}
        self.seq: dict[str, int] = {}
        """Last feed numbers given in the open group, by office."""
        self._pending: dict[tuple[str, str], int] = {}

    def next_seq(self, hand: Hand, office: str) -> int:
        """The next number of an entry in the office."""
        last = self.seq.get(office)
        if last is None:
            last = self._seq.get(office)
        if last is None:
            last = self._seq[office] = int(hand.rows(_LAST_SEQ, {"office": office})[0][0] or 0)
        self.seq[office] = last + 1
        return last + 1

    def next(self, hand: Hand, office: str, letter: str) -> int:
        """Count one up; it is written down at the end of the group."""
        key = (office, letter)
        last = self._pending.get(key) or self._ids.get(key)
        if last is None:
            rows = hand.rows(_LAST_ID, {"office": office, "letter": letter})
            last = self._ids[key] = int(rows[0][0]) if rows else 0
        self._pending[key] = last + 1
        return last + 1

    def write(self, hand: Hand) -> None:
        """Write down what the group counted."""
        if self._pending:
            rows = [
                {"office": office, "letter": letter, "value": value}
                for (office, letter), value in self._pending.items()
            ]
            hand.upsert_each(t.counters, rows)

    def mark(self) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
        """What to go back to when a savepoint is rolled back."""
        return dict(self.seq), dict(self._pending)

    def back_to(self, mark: tuple[dict[str, int], dict[tuple[str, str], int]]) -> None:
        """Undo what came after the mark."""
        self.seq, self._pending = mark

    def settle(self, *, committed: bool) -> None:
        """End the group."""
        if committed:
            self._seq.update(self.seq)
            self._ids.update(self._pending)
        self.seq.clear()
        self._pending.clear()

    def forget(self) -> None:
        """Ask the database anew: another connection may see other numbers."""
        self.settle(committed=False)
        self._seq.clear()
        self._ids.clear()


def write_entries(hand: Hand, entries: Sequence[Committed]) -> None:
    """Write entries to the ledger's table."""
    if not entries:
        return
    rows: list[dict[str, Any]] = []
    for one in entries:
        about = subject(one.entry)
        rows.append(
            {
                "office": one.office,
                "seq": one.seq,
                "at": one.stamp,
                "actor": one.actor,
                "kind": one.entry.__struct_config__.tag,
                "agent": about.agent,
                "run": about.run,
                "task": about.task,
                "body": one.stored,
            }
        )
    hand.change_each(_INSERT_LEDGER, rows)


def is_written(hand: Hand, entry: Committed) -> bool:
    """Whether the ledger holds this very entry at its number."""
    rows = hand.rows(_ENTRY_AT, {"office": entry.office, "seq": entry.seq})
    return bool(rows) and rows[0][0] == entry.stored


Work = Callable[[Unit], Any]
