"""A building in memory, for tests of the web alone; its reception and its feeds are real."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from msgspec.structs import replace

from dayshift.access.reception import Reception
from dayshift.core import details as d
from dayshift.core import wishes as w
from dayshift.core.errors import ConflictError
from dayshift.core.views import OfficeView
from dayshift.store.database import Database
from dayshift.store.staff import put_office
from dayshift.stream.feed import Feed, open_feed
from dayshift.stream.search import LedgerSearch
from dayshift.testing import rooms as r
from dayshift.testing.rooms import Heard, MemoryFiles, known, sample
from dayshift.web.building import Building
from dayshift.web.rooms import OfficeRooms
from dayshift.web.samples import views


@dataclass
class MemoryOffices:
    """Offices by name."""

    open: dict[str, OfficeRooms] = field(default_factory=dict[str, OfficeRooms])
    heard: dict[str, Heard] = field(default_factory=dict[str, Heard])
    files: dict[str, MemoryFiles] = field(default_factory=dict[str, MemoryFiles])

    async def views(self) -> Sequence[OfficeView]:
        """See Offices."""
        return [await self.open[name].desk.view() for name in sorted(self.open)]

    def rooms(self, name: str) -> OfficeRooms:
        """See Offices."""
        return known(self.open, name)

    async def create(self, draft: w.OfficeDraft, *, by: str) -> OfficeView:
        """See Offices; the new office is only looked at, not opened."""
        if draft.name in self.open:
            raise ConflictError(f"There is an office {draft.name!r} already.")
        return replace(views.OFFICE, name=draft.name, title=draft.title, paused_by=by)

    def add(self, database: Database, feed: Feed) -> None:
        """Open the office that a feed is of."""
        heard = Heard()
        files = MemoryFiles(heard)
        self.heard[feed.office], self.files[feed.office] = heard, files
        self.open[feed.office] = OfficeRooms(
            desk=r.MemoryDesk(heard, replace(views.OFFICE, name=feed.office)),
            roster=r.MemoryRoster(heard),
            inbox=r.MemoryInbox(heard),
            talk=r.MemoryTalk(heard),
            board=r.MemoryBoard(heard),
            runs=r.MemoryRuns(heard),
            events=r.MemoryEvents(heard),
            files=files,
            usage=r.MemoryUsage(),
            alerts=r.MemoryAlerts(heard),
            feed=feed,
            ledger=LedgerSearch(database, feed.office),
        )


class MemoryProviders:
    """One provider, which answers."""

    async def report(self) -> Sequence[d.ProviderReport]:
        """See Providers."""
        return [sample(d.ProviderReport)]

    async def check(self, provider: str) -> d.ProviderCheck:
        """See Providers."""
        return known({"anthropic": sample(d.ProviderCheck)}, provider)


class MemoryIsolation:
    """As if bubblewrap worked."""

    async def report(self) -> d.IsolationReport:
        """See Isolation."""
        return sample(d.IsolationReport)


@asynccontextmanager
async def memory_building(
    database: Database, *, wall: Callable[[], float]
) -> AsyncGenerator[tuple[Building, MemoryOffices]]:
    """A building with the offices acme and globex, for the length of the block.

    Yields:
        The building, and its offices, to be looked into.
    """
    offices = MemoryOffices()
    for name in ("acme", "globex"):
        view = replace(views.OFFICE, name=name)
        await database.commit(name, lambda unit, view=view: put_office(unit, view), at=views.START)
    async with open_feed(database, "acme") as acme, open_feed(database, "globex") as globex:
        offices.add(database, acme)
        offices.add(database, globex)
        building = Building(
            version="0.0.test",
            database=database.kind,
            reception=Reception.open(database, wall=wall),
            offices=offices,
            providers=MemoryProviders(),
            isolation=MemoryIsolation(),
        )
        yield building, offices
