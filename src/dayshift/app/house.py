"""The house: what all offices of a server stand on, opened from the ground floor up."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import structlog

import dayshift
from dayshift.access.reception import Reception
from dayshift.app.building import Isolation, Offices, Providers
from dayshift.app.logs import redactor
from dayshift.app.office import Ground
from dayshift.app.settings import Settings, environment
from dayshift.clock.real import monotonic, wall
from dayshift.computers.isolation import probe
from dayshift.computers.kinds import Machines
from dayshift.core.redaction import Redactor
from dayshift.models.catalogue import Catalogue
from dayshift.models.local import Shelf
from dayshift.models.providers import Providers as ProviderTable
from dayshift.models.providers import load_providers
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire
from dayshift.store.database import open_database
from dayshift.store.engine import sqlite_url
from dayshift.web.building import Building

log = structlog.get_logger()
LOCAL_TOKEN = "local server"  # noqa: S105  its name, not its secret


@dataclass(frozen=True)
class House:
    """An open house. ``building`` is what the web sees of it."""

    building: Building
    offices: Offices
    providers: Providers

    def close_doors(self) -> None:
        """Tell everyone who watches that the server goes down; their streams end."""
        for office in self.offices.open.values():
            office.feed.close()

    async def local_token(self, owner: str) -> str:
        """A fresh token by which the command line here speaks for the owner; older ones end."""
        tokens = self.building.reception.tokens
        for old in await tokens.of_person(owner):
            if old.name == LOCAL_TOKEN:
                await tokens.revoke(owner, old.id)
        made = await tokens.make(owner, name=LOCAL_TOKEN, office="", scopes=("*",))
        redactor().learn("local token", str(made.secret))
        return str(made.secret)


def learn_secrets(
    known: Redactor, providers: ProviderTable, env: Mapping[str, str], settings: Settings
) -> None:
    """Tell the redactor every secret this server was given: providers' keys, its database's."""
    for row in providers.rows.values():
        if row.api_key_env and env.get(row.api_key_env):
            known.learn(row.api_key_env, env[row.api_key_env])
        in_file = providers.key_in_file(row.id)
        if in_file:
            known.learn(f"key of {row.id}", in_file.reveal())
    password = urlsplit(settings.database_url).password if settings.database_url else None
    if password:
        known.learn("database password", password)


@asynccontextmanager
async def open_house(
    settings: Settings, *, env: Mapping[str, str] | None = None
) -> AsyncGenerator[House]:
    """The house of a home for the length of the block; its offices are opened one by one.

    Raises:
        StorageError: The database cannot be opened.
    """
    env = environment() if env is None else env
    home = settings.home_path
    url = settings.database_url or sqlite_url(settings.database_file)
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(url, redactor=redactor()))
        wire = await stack.enter_async_context(Wire())
        reception = Reception.open(database, wall=lambda: wall().timestamp())
        await reception.people.ensure_owner()
        await reception.people.everyone()
        isolation = probe(allow_unisolated=settings.allow_unisolated)
        computers = Machines(home, isolation)
        stack.push_async_callback(computers.off)
        swept = await computers.sweep()
        if swept:
            log.warning("leftover_processes_ended", count=swept)
        providers = load_providers(home)
        learn_secrets(redactor(), providers, env, settings)
        catalogue = Catalogue(providers, env.get, wire, Rehearsals(), shelf=Shelf(home))
        await asyncio.to_thread(catalogue.warm)
        ground = Ground(
            home=home,
            database=database,
            catalogue=lambda office: catalogue.within(home / "offices" / office),
            computers=computers,
            is_isolated=isolation.in_force != "none",
            person_name=reception.people.name,
            wall=wall,
            monotonic=monotonic,
        )
        offices_stack = await stack.enter_async_context(AsyncExitStack())
        offices = Offices(ground, env, settings.model, offices_stack)
        offered = Providers(catalogue)
        building = Building(
            version=dayshift.__version__,
            database=database.kind,
            reception=reception,
            offices=offices,
            providers=offered,
            isolation=Isolation(isolation),
        )
        yield House(building, offices, offered)
