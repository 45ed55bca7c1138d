"""All offices of one home, open, and what they share."""

import asyncio
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from dayshift.app import examples
from dayshift.app.desks.desk import OfficeDesk, Roster
from dayshift.app.desks.work import Events, Files, Runs, UsageDesk
from dayshift.app.office import Ground, Office, open_office
from dayshift.app.office_edit import OfficeEditor
from dayshift.app.office_files import OFFICE_FILE, named_within, office_file
from dayshift.config.office import lean, load
from dayshift.config.scaffold import scaffold
from dayshift.core.details import IsolationReport, ProviderCheck, ProviderReport
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError, StorageError
from dayshift.core.names import IN_WORDS, OFFICE_NAME
from dayshift.core.views import OfficeView
from dayshift.core.wishes import OfficeDraft
from dayshift.facilities.records import Records
from dayshift.models.catalogue import Catalogue
from dayshift.stream.search import LedgerSearch
from dayshift.web.rooms import OfficeRooms

log = structlog.get_logger()
FIRST_REQUEST = "request.txt"
OWNER = "owner"
OWN_SCREENPLAY = "rehearsal:screenplay"
REHEARSAL = "rehearsal:hello"
REHEARSALS = "rehearsal"


def create_office_files(home: Path, name: str, *, title: str, example: str) -> Path:
    """Make an office's folder with its file; nothing is opened.

    Raises:
        InvalidError: The name cannot be used.
        ConflictError: There is an office of that name.
        NotFoundError: There is no such example.
    """
    if not re.fullmatch(OFFICE_NAME, name):
        raise InvalidError(
            f"{name!r} cannot name an office.",
            hint=f"Expected {IN_WORDS[OFFICE_NAME]}.",
        )
    target = office_file(home, name).parent
    if (target / OFFICE_FILE).exists():
        raise ConflictError(f"There is an office {name} already.", hint="Choose another name.")
    source = examples.example(example) if example else None
    was_there = target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        if source is None:
            (target / OFFICE_FILE).write_text(scaffold(name, title=title), encoding="utf-8")
        else:
            copy_office(source, target, name, title=title)
    except OSError as error:
        if not was_there:
            shutil.rmtree(target, ignore_errors=True)
        raise StorageError(
            f"The office {name} cannot be made in {target}: {error.strerror or error}.",
            hint="See that there is space, and that this account may write there.",
        ) from error
    return target


def copy_office(source: Path, target: Path, name: str, *, title: str = "") -> None:
    """Copy an office's files, its file under the new name."""
    for file in sorted(source.iterdir()):
        if file.is_file() and file.name != OFFICE_FILE:
            shutil.copyfile(file, target / file.name)
    data = (source / OFFICE_FILE).read_bytes()
    (target / OFFICE_FILE).write_bytes(examples.renamed(data, name, title=title))


def adopt_office(home: Path, source: Path, name: str) -> None:
    """Make an office of the home from a folder elsewhere; later changes there are not seen."""
    target = office_file(home, name).parent
    target.mkdir(parents=True, exist_ok=True)
    copy_office(source, target, name)


@dataclass
class Offices:
    """The open offices. Lives for the length of ``opened``'s stack."""

    ground: Ground
    env: Mapping[str, str]
    chosen_model: str
    stack: AsyncExitStack
    rooms_by_name: dict[str, OfficeRooms] = field(default_factory=dict[str, OfficeRooms])
    open: dict[str, Office] = field(default_factory=dict[str, Office])
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open_one(self, name: str) -> Office:
        """Open an office of the home.

        Raises:
            ConfigErrors: Its file is wrong.
            StorageError: The database refused.
        """
        file = office_file(self.ground.home, name)
        config = lean(lambda: load(file, self.env))
        office = await self.stack.enter_async_context(
            open_office(self.ground, config, file.parent, model=self.model_for(file.parent))
        )
        self.open[name] = office
        self.rooms_by_name[name] = _rooms(office, self.env)
        return office

    async def ask_first(self, name: str) -> None:
        """Put an example's own request to its first agent: then there is something to see.

        Only while nobody has spoken in the office, so that it is asked once, also when the server
        was killed before it could be.
        """
        office = self.open.get(name)
        request = office.folder / FIRST_REQUEST if office else None
        if office is None or request is None or not request.is_file() or not office.config.agents:
            return
        if any(thread.last_at for thread in await office.talk.threads()):
            return
        text = request.read_text(encoding="utf-8").strip()
        thread = await office.talk.dm(office.config.agents[0].name, person=OWNER)
        await office.talk.post(thread.id, text, person=OWNER, mode="queue", key="first-request")

    def model_for(self, folder: Path) -> str:
        """The model of agents for which the file of the office in this folder names none."""
        if self.chosen_model:
            return self.chosen_model
        return OWN_SCREENPLAY if (folder / "screenplay.yaml").is_file() else REHEARSAL

    async def views(self) -> Sequence[OfficeView]:
        """All offices by name."""
        return [self.open[name].now() for name in sorted(self.open)]

    def rooms(self, name: str) -> OfficeRooms:
        """The rooms of an office."""
        rooms = self.rooms_by_name.get(name)
        if rooms is None:
            raise NotFoundError(f"There is no office {name}.")
        return rooms

    async def create(self, draft: OfficeDraft, *, by: str) -> OfficeView:
        """Make and open a new office."""
        log.info("office_created", office=draft.name, by=by)
        home = self.ground.home
        async with self._lock:
            with named_within(home):
                await asyncio.to_thread(
                    create_office_files,
                    home,
                    draft.name,
                    title=draft.title,
                    example=draft.example,
                )
                office = await self.open_one(draft.name)
            return office.now()


def _rooms(office: Office, env: Mapping[str, str]) -> OfficeRooms:
    editor = OfficeEditor(office, env)
    records = Records(office.bus)
    return OfficeRooms(
        desk=OfficeDesk(office, editor),
        roster=Roster(office, editor),
        inbox=office.waiting,
        talk=office.talk,
        board=office.board,
        runs=Runs(office, records),
        events=Events(office, records),
        files=Files(office, records),
        usage=UsageDesk(office, records),
        alerts=office.alerts,
        feed=office.feed,
        ledger=LedgerSearch(office.ground.database, office.name),
    )


class Providers:
    """Model providers as this server can use them."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Asks the catalogue each time."""
        self._catalogue = catalogue

    async def check_ref(self, ref: str) -> str:
        """What keeps a model from answering now, or nothing; a screenplay is each office's own.

        Raises:
            InvalidError: No provider knows it, or its key is missing.
        """
        if not ref.startswith(f"{REHEARSALS}:"):
            await asyncio.to_thread(self._catalogue.resolve, ref)
        return await self._catalogue.obstacle(ref)

    async def report(self) -> Sequence[ProviderReport]:
        """All providers, usable ones first."""
        return await self._catalogue.report()

    async def check(self, provider: str) -> ProviderCheck:
        """Send one small real request."""
        return await self._catalogue.check(provider)


class Isolation:
    """How agents' commands are kept in."""

    def __init__(self, report: IsolationReport) -> None:
        """What the probe found at the start."""
        self._report = report

    async def report(self) -> IsolationReport:
        """What is in force now."""
        return self._report
