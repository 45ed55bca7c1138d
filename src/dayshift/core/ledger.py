"""The unit of work: state rows and ledger entries that commit together or not at all.

Work is a plain function of one unit. It runs alone, on the writer; nothing it did is visible or
acted on before the commit, and an exception undoes all of it. It may be run a second time after its
first try was undone, so what it does must follow from the unit and its own arguments alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dayshift.core.entries import Entry


class UnitOfWork(Protocol):
    """One open transaction of an office."""

    office: str
    actor: str
    """Who works: ``person:ID``, ``agent:NAME`` or ``office``."""

    def append(self, entry: Entry, *, actor: str = "") -> int:
        """Write an entry to the ledger and return its number; the numbers have no gaps.

        ``actor`` is ``person:ID``, ``agent:NAME`` or ``office``; empty means the unit's own actor.
        """
        ...

    def rows(self, statement: Any, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:  # noqa: ANN401  a statement is the store's own type
        """Run a query and return its rows."""
        ...

    def change(
        self,
        statement: Any,  # noqa: ANN401  a statement is the store's own type
        parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ) -> int:
        """Run an insert, update or delete and return how many rows it touched."""
        ...

    def upsert(self, table: Any, values: Mapping[str, Any]) -> None:  # noqa: ANN401  a table is the store's own type
        """Insert a row or replace the one with its primary key."""
        ...

    def next_id(self, letter: str) -> str:
        """The next id of a kind within the office, for example ``R-17``."""
        ...
