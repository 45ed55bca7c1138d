"""What web needs of the whole server, beside the rooms of each office; filled by app."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dayshift.access.reception import Reception
from dayshift.core.details import IsolationReport, ProviderCheck, ProviderReport
from dayshift.core.views import OfficeView
from dayshift.core.wishes import OfficeDraft
from dayshift.web.rooms import OfficeRooms


class Offices(Protocol):
    """All offices of this server."""

    async def views(self) -> Sequence[OfficeView]:
        """All offices by name."""
        ...

    def rooms(self, name: str) -> OfficeRooms:
        """The rooms of an office; raises NotFoundError."""
        ...

    async def create(self, draft: OfficeDraft, *, by: str) -> OfficeView:
        """Make and open a new office.

        Raises:
            ConflictError: The name is taken.
            NotFoundError: No such example; the hint names those there are.
        """
        ...


class Providers(Protocol):
    """Model providers as this server can use them."""

    async def report(self) -> Sequence[ProviderReport]:
        """All providers, usable ones first."""
        ...

    async def check(self, provider: str) -> ProviderCheck:
        """Send one small real request; a provider that fails is an answer, not an error.

        Raises:
            NotFoundError: No such provider.
        """
        ...


class Isolation(Protocol):
    """How agents' commands are kept in."""

    async def report(self) -> IsolationReport:
        """What is in force now."""
        ...


@dataclass(frozen=True, kw_only=True)
class Building:
    """The server: what every office shares."""

    version: str
    database: str
    """``sqlite`` or ``postgresql``."""
    reception: Reception
    offices: Offices
    providers: Providers
    isolation: Isolation
