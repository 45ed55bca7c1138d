"""The kinds of computers there are, and the computers of a home, each of the kind its agent has.

A kind is a module here and a line in ``KINDS``; adding one is a recipe (docs/extend).
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from dayshift.computers.local import LocalComputers
from dayshift.computers.options import Options
from dayshift.core.computer import Computer
from dayshift.core.details import IsolationReport


class Fleet(Protocol):
    """All computers of one kind in one home."""

    def of(self, office: str, agent: str, options: Options | None = None) -> Computer:
        """An agent's computer, the same one every time; options hold from its next start on."""
        ...

    async def sweep(self) -> int:
        """End what a killed server left running of them; how many processes."""
        ...

    async def off(self) -> None:
        """End every process of every one of them."""
        ...


KINDS: Mapping[str, Callable[[Path, IsolationReport], Fleet]] = {
    "local": LocalComputers,
}
"""By the name that office.yaml gives under ``computer: kind``."""


class Machines:
    """The computers of all agents of one home.

    Args:
        home: The server's home.
        report: The isolation in force on this machine, from ``probe``.
    """

    def __init__(self, home: Path, report: IsolationReport) -> None:
        self._fleets = {kind: make(home, report) for kind, make in KINDS.items()}

    def of(
        self, office: str, agent: str, options: Options | None = None, *, kind: str = "local"
    ) -> Computer:
        """An agent's computer of a kind, the same one every time.

        One of a kind it had before stays as it is, and is off when the server stops.
        """
        return self._fleets[kind].of(office, agent, options)

    async def sweep(self) -> int:
        """End what computers of this home left running when the server was killed; how many.

        For the start of a server that owns the home, before any computer is on.
        """
        return sum([await fleet.sweep() for fleet in self._fleets.values()])

    async def off(self) -> None:
        """End every process of every computer."""
        async with asyncio.TaskGroup() as group:
            for fleet in self._fleets.values():
                group.create_task(fleet.off())
