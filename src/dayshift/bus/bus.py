"""The bus of one office: the only way anything is written down, and the only way to hear of it.

What is appended is on disk before anyone hears it; subscribers hear entries in the order of their
numbers.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from dayshift.core.clock import Clock
from dayshift.store.database import Database, Reading
from dayshift.store.writer import Committed, Unit

T = TypeVar("T")
Told = Callable[[Committed], None]


class Bus:
    """Commits units of work of one office at office time, and tells of them."""

    def __init__(self, database: Database, office: str, clock: Clock) -> None:
        """A bus that is not listening yet; see ``open``."""
        self._database = database
        self.office = office
        self.clock = clock
        self._told: list[Told] = []
        self._leave: Callable[[], None] | None = None

    def open(self) -> None:
        """Begin to hear what is committed."""
        self._leave = self._database.subscribe(self._hear)

    def close(self) -> None:
        """Stop hearing; units may still be committed."""
        if self._leave is not None:
            self._leave()
            self._leave = None

    def subscribe(self, told: Told) -> Callable[[], None]:
        """Hear every committed entry of the office on the event loop; returns how to stop.

        ``told`` must be quick and must not raise.
        """
        self._told.append(told)
        return lambda: self._told.remove(told)

    async def commit(self, work: Callable[[Unit], T], *, actor: str = "office") -> T:
        """Run a unit of work; see Database.commit."""
        return await self._database.commit(self.office, work, at=self.clock.now(), actor=actor)

    async def read(self, query: Callable[[Reading], T]) -> T:
        """Run a query beside the writer."""
        return await self._database.read(query)

    def clean(self, text: str) -> str:
        """A text from outside without the secrets it may hold; the same object when it has none."""
        return self._database.redactor.clean(text)

    def _hear(self, entries: Sequence[Committed]) -> None:
        if entries[0].office != self.office:
            return
        for told in tuple(self._told):
            for entry in entries:
                told(entry)
