"""The server: one process, one home, all its offices; started, announced, stopped in order.

Stopping: doors closed (no new requests, streams told bye, no run begins), turns under way ended or
cut off so that they resume at the next start, computers off, ledger flushed and closed.
"""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
import uvloop
from filelock import FileLock, Timeout

import dayshift
from dayshift.access.links import sign_in_url
from dayshift.app import examples
from dayshift.app.building import adopt_office, create_office_files
from dayshift.app.doors import Doors
from dayshift.app.garbage import keep_what_there_is
from dayshift.app.house import House, open_house
from dayshift.app.logs import set_up_logs
from dayshift.app.office_files import check, office_file
from dayshift.app.office_files import names as office_names
from dayshift.app.open_files import allow_all
from dayshift.app.settings import Settings, environment
from dayshift.app.settings_file import in_force
from dayshift.app.stopping import Stopping
from dayshift.clock.real import wall
from dayshift.core.errors import (
    ConfigErrors,
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
    OfficeError,
)
from dayshift.web.app import create_app
from dayshift.web.settings import check_binding, settings_for

FAILED, WRONG_USE, REFUSED, MISSING = 1, 2, 3, 4
STREAMS_CLOSE_S = 3
SERVER_FILE = "server.json"
REHEARSAL = "rehearsal"
LINK = "To sign in, open this link once:"


def serve(
    *,
    home: Path,
    office: str | None,
    host: str,
    port: int,
    model: str | None,
    announce: Callable[[str], None],
    allow_plain_http: bool | None = None,
) -> int:
    """Run the server until it is told to stop; returns the exit code of the process.

    What is ``None`` is taken from the environment, or from the home's settings file.
    """
    flags = {
        "home": str(home),
        "host": host,
        "port": port,
        "model": model,
        "allow_plain_http": allow_plain_http,
    }
    settings = in_force(flags, environment()).settings
    set_up_logs(settings.log)
    allow_all()
    try:
        return uvloop.run(_serve(settings, office, announce))
    except OfficeError as error:
        _complain(error)
        codes = (
            (NotFoundError, MISSING),
            (InvalidError, WRONG_USE),
            (ConflictError, REFUSED),
            (DeniedError, REFUSED),
        )
        return next((code for kind, code in codes if isinstance(error, kind)), FAILED)
    except KeyboardInterrupt:
        return 0


def _complain(error: OfficeError) -> None:
    sys.stderr.write(f"dayshift: {error.message}\n" + (f"  {error.hint}\n" if error.hint else ""))


async def _serve(settings: Settings, office: str | None, announce: Callable[[str], None]) -> int:
    check_binding(settings.host, tls=False, allow_plain=settings.allow_plain_http)
    web = settings_for(settings.host, public_url=settings.public_url)
    home = settings.home_path
    async with AsyncExitStack() as stack:
        stack.enter_context(_locked(home))
        listener = stack.enter_context(_bound(settings.host, settings.port))
        url = f"http://{_shown(settings.host)}:{listener.getsockname()[1]}"
        house = await stack.enter_async_context(open_house(settings))
        if settings.model and (obstacle := await house.providers.check_ref(settings.model)):
            announce(f"{settings.model} does not answer yet. {obstacle}")
        is_new = not office_names(home)
        for name in _chosen_offices(home, office, announce):
            await _open(house, name, announce, is_named=office is not None)
            if is_new or name == examples.DEMO:
                await house.offices.ask_first(name)
        server = Doors(
            uvicorn.Config(
                create_app(house.building, settings=web),
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=STREAMS_CLOSE_S,
                server_header=False,
                lifespan="off",
            ),
            wall,
        )
        owner = await house.building.reception.people.ensure_owner()
        await stack.enter_async_context(_findable(home, url, house, owner.id))
        stopping = Stopping(
            house.offices.open.values, grace_s=settings.stop_grace_s, announce=announce
        )
        _stop_on_signal(server, house, stopping)
        announce(f"Dayshift {dayshift.__version__} at {url}")
        secret = await house.building.reception.links.make(owner.id)
        announce(f"{LINK}\n  {sign_in_url(settings.public_url.rstrip('/') or url, secret)}")
        keep_what_there_is()
        async with asyncio.TaskGroup() as group:
            group.create_task(server.serve(sockets=[listener]), name="web")
            if any(office.view.rehearsal for office in house.offices.open.values()):
                announce(await _ways_to_a_model(house))
        await stopping.wind_down()
    return 0


async def _open(
    house: House, name: str, announce: Callable[[str], None], *, is_named: bool
) -> None:
    """Open an office; what keeps its agents from working here is told.

    One whose file is wrong is left shut, and the others work; when it was asked for by name, the
    server does not start.

    Raises:
        ConfigErrors: The file of the office that was named is wrong.
    """
    ground = house.offices.ground
    file = office_file(ground.home, name)
    model = house.offices.model_for(file.parent)
    found = await asyncio.to_thread(check, file, house.offices.env, home=ground.home, model=model)
    if found.faults and is_named:
        raise ConfigErrors(found.faults)
    if found.faults:
        announce(f"The office {name} stays shut, its file is wrong:")
        announce("\n".join(f"  {fault.message} {fault.hint}".rstrip() for fault in found.faults))
        return
    office = await house.offices.open_one(name)
    for note in found.notes:
        announce(f"In the office {name}, {note}")
    if office.view.rehearsal:
        announce(f"The office {name} is a rehearsal: a script answers, not a model.")


async def _ways_to_a_model(house: House) -> str:
    """What could be used in place of a rehearsal; nothing is spent before a person chooses it."""
    usable = [
        p
        for p in await house.building.providers.report()
        if p.usable and p.default_model and p.id != REHEARSAL
    ]
    if not usable:
        return (
            "For a real model set a provider's key and MODEL=provider:model; see dayshift doctor."
        )
    refs = ", ".join(f"{p.id}:{p.default_model}" for p in usable[:3])
    return f"Usable here: {refs}. Choose one with --model (make run MODEL=…) or in Settings."


def _chosen_offices(home: Path, office: str | None, announce: Callable[[str], None]) -> list[str]:
    """The offices to open: the named one, made from its folder if given, or all there are."""
    if office is None:
        known = office_names(home)
        if known:
            return known
        create_office_files(home, examples.DEMO, title="", example=examples.DEMO)
        announce(f"A new home: the demo office {examples.DEMO} was made in {home}.")
        return [examples.DEMO]
    path = Path(office).expanduser()
    folder = path.parent if path.suffix in {".yaml", ".yml"} else path
    if (folder / "office.yaml").is_file() and ("/" in office or path.suffix):
        name = folder.resolve().name
        if not office_file(home, name).is_file():
            adopt_office(home, folder.resolve(), name)
        return [name]
    if office in office_names(home):
        return [office]
    if office in examples.names():
        create_office_files(home, office, title="", example=office)
        return [office]
    known = ", ".join(office_names(home)) or "none yet"
    raise NotFoundError(
        f"There is no office {office} in {home}.",
        hint=f"Offices: {known}. dayshift office create {office}",
    )


@contextmanager
def _locked(home: Path) -> Generator[None]:
    """One server a home."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(home / "server.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ConflictError(
            f"Another server is running for the home {home}.",
            hint="Stop it with: dayshift stop; or choose another home by DAYSHIFT_HOME.",
        ) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _bound(host: str, port: int) -> Generator[socket.socket]:
    """A socket that listens, taken before anything else is begun."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # From here on a client waits for the server instead of being refused.
        listener.listen()
    except OSError as error:
        listener.close()
        raise ConflictError(
            f"The server cannot listen on {host}:{port}: {error.strerror}.",
            hint="If another program uses the port, choose one with --port (make run PORT=…); "
            "0 takes any free one.",
        ) from error
    with listener:
        yield listener


def _shown(host: str) -> str:
    """The host as a browser on this machine would reach it."""
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  not bound to
    bare = anywhere.get(host, host)
    return f"[{bare}]" if ":" in bare and not bare.startswith("[") else bare


@asynccontextmanager
async def _findable(home: Path, url: str, house: House, owner: str) -> AsyncGenerator[None]:
    """Let the command line of this home find the server and speak for its owner while it runs."""
    secret = await house.local_token(owner)
    file = home / SERVER_FILE
    body = json.dumps({"url": url, "pid": os.getpid(), "token": secret})
    partial = file.with_suffix(".new")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w") as out:
        out.write(body)
    partial.replace(file)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _stop_on_signal(server: Doors, house: House, stopping: Stopping) -> None:
    def stop() -> None:
        server.close()
        stopping.begin()
        house.close_doors()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
