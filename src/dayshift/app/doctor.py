"""Examines what Dayshift needs on this machine: what works, what does not, and what would help.

It changes nothing, and needs no server to run.
"""

import asyncio
import os
import shutil
import socket
import stat
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

import dayshift
from dayshift import __version__
from dayshift.app.model_files import report
from dayshift.app.open_files import COMPUTER_FILES, allowed
from dayshift.app.settings import Settings, environment
from dayshift.computers.isolation import probe
from dayshift.core.details import IsolationReport, ProviderReport
from dayshift.core.errors import ConfigError
from dayshift.models.rehearsal import PROVIDER as REHEARSAL
from dayshift.store.checkup import Checkup, check_up_file, check_up_server

Verdict = Literal["good", "note", "bad"]
PYTHON_MIN = (3, 11)
FREE_BYTES_LOW = 1024**3
FREE_BYTES_MIN = 100 * 1024**2
OPEN_FILES_LOW = 4_096
UI_FOLDER = Path(dayshift.__file__).parent / "_ui"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What one examination found. ``note`` is worth knowing, ``bad`` stands in the way."""

    name: str
    verdict: Verdict
    told: str
    hint: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found."""

    version: str
    home: str
    findings: list[Finding]
    isolation: IsolationReport
    providers: list[ProviderReport]

    @property
    def is_good(self) -> bool:
        """Whether nothing stands in the way."""
        return all(finding.verdict != "bad" for finding in self.findings)


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What is examined, and where this home's server answers if it runs."""

    settings: Settings
    server_url: str


async def examine(settings: Settings, *, server_url: str, tell: Callable[[str], None]) -> Report:
    """Examine this machine.

    Args:
        settings: What the server would be started with.
        server_url: Where this home's server answers; empty when it does not run.
        tell: Hears what is being examined.
    """
    machine = Machine(settings=settings, server_url=server_url)
    findings: list[Finding] = []
    for doing, examination in EXAMINATIONS:
        tell(doing)
        findings.append(await examination(machine))
    tell("Trying the isolations")
    isolation = await _isolation(settings)
    findings.append(_told_isolation(isolation))
    tell("Looking for models")
    found = await _providers(settings)
    findings.append(found if isinstance(found, Finding) else _told_providers(found))
    return Report(
        version=__version__,
        home=str(settings.home_path),
        findings=findings,
        isolation=isolation,
        providers=[] if isinstance(found, Finding) else found,
    )


async def _python(_machine: Machine) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < PYTHON_MIN:
        return Finding(
            name="Python",
            verdict="bad",
            told=f"Python {version} is too old.",
            hint="Install Python 3.11 or newer.",
        )
    return Finding(name="Python", verdict="good", told=f"Python {version}.")


async def _ui(_machine: Machine) -> Finding:
    if (UI_FOLDER / "index.html").is_file():
        return Finding(name="Web UI", verdict="good", told="It is built.")
    node = shutil.which("node")
    hint = "In a checkout, `make ui` builds it"
    hint += f" with {node}." if node else "; Node comes with the Python packages it installs."
    return Finding(
        name="Web UI", verdict="bad", told="It is not built, so the browser has none.", hint=hint
    )


async def _home(machine: Machine) -> Finding:
    home = machine.settings.home_path
    if not home.exists():
        above = _nearest(home)
        if os.access(above, os.W_OK | os.X_OK):
            return Finding(name="Home", verdict="good", told=f"{home} will be made.")
        return Finding(
            name="Home",
            verdict="bad",
            told=f"{home} cannot be made: {above} may not be written to.",
            hint="Name another folder with DAYSHIFT_HOME or --home.",
        )
    if not home.is_dir() or not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            name="Home",
            verdict="bad",
            told=f"{home} is no folder that this account may read and write.",
            hint="Change its owner, or name another folder with DAYSHIFT_HOME or --home.",
        )
    if home.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return Finding(
            name="Home",
            verdict="note",
            told=f"Other accounts of this machine may look into {home}.",
            hint=f"Close it: chmod 700 {home}",
        )
    return Finding(name="Home", verdict="good", told=f"{home} is this account's alone.")


async def _disk(machine: Machine) -> Finding:
    free = shutil.disk_usage(_nearest(machine.settings.home_path)).free
    told = f"{free / 1024**3:,.1f} GB are free where the home lies."
    if free < FREE_BYTES_MIN:
        hint = "Free some space: on a full disk nothing can be committed."
        return Finding(name="Disk", verdict="bad", told=told, hint=hint)
    if free < FREE_BYTES_LOW:
        return Finding(name="Disk", verdict="note", told=told, hint="Keep an eye on it.")
    return Finding(name="Disk", verdict="good", told=told)


async def _open_files(_machine: Machine) -> Finding:
    files = allowed()
    told = f"{files:,} files may be open, at {COMPUTER_FILES} for each computer that is on."
    if files < OPEN_FILES_LOW:
        return Finding(
            name="Open files",
            verdict="note",
            told=told,
            hint="Many agents need more: raise the hard limit, by LimitNOFILE= of a service, "
            "--ulimit nofile= of a container, or in /etc/security/limits.conf.",
        )
    return Finding(name="Open files", verdict="good", told=told)


async def _database(machine: Machine) -> Finding:
    settings = machine.settings
    if settings.database_url:
        found = await asyncio.to_thread(check_up_server, settings.database_url)
        where = "The PostgreSQL database"
    else:
        found = await asyncio.to_thread(check_up_file, settings.database_file)
        where = str(settings.database_file)
    return _told_database(found, where)


def _told_database(found: Checkup, where: str) -> Finding:
    if found.problem is not None:
        told, hint = found.problem.message, found.problem.hint
        return Finding(name="Database", verdict="bad", told=told, hint=hint)
    if not found.revision:
        return Finding(name="Database", verdict="good", told=f"{where} will be made.")
    size = f", {found.size_bytes / 1024**2:,.1f} MB" if found.size_bytes else ""
    if not found.is_current:
        return Finding(
            name="Database",
            verdict="note",
            told=f"{where} has schema {found.revision}{size}, which is not this version's.",
            hint="An older one is brought up to date at the next start; a newer one is refused.",
        )
    told = f"{where} has schema {found.revision}{size}."
    return Finding(name="Database", verdict="good", told=told)


async def _port(machine: Machine) -> Finding:
    host, port = machine.settings.host, machine.settings.port
    if machine.server_url:
        told = f"The server of this home answers at {machine.server_url}."
        return Finding(name="Port", verdict="good", told=told)
    problem = await asyncio.to_thread(_cannot_listen, host, port)
    if problem:
        return Finding(
            name="Port",
            verdict="bad",
            told=f"{host}:{port} cannot be listened on: {problem}.",
            hint="Another one is named by DAYSHIFT_PORT or --port.",
        )
    return Finding(name="Port", verdict="good", told=f"{host}:{port} is free.")


def _cannot_listen(host: str, port: int) -> str:
    """Why an address cannot be listened on; empty when it can."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        return error.strerror or str(error)
    return ""


async def _isolation(settings: Settings) -> IsolationReport:
    trial = partial(probe, allow_unisolated=settings.allow_unisolated)
    return await asyncio.to_thread(trial)


def _told_isolation(found: IsolationReport) -> Finding:
    verdicts: dict[str, Verdict] = {"bubblewrap": "good", "refused": "bad"}
    return Finding(
        name="Isolation",
        verdict=verdicts.get(found.in_force, "note"),
        told=f"In force: {found.in_force}. {found.why}",
        hint=found.improve,
    )


async def _providers(settings: Settings) -> list[ProviderReport] | Finding:
    """Every provider with whether it can be used, or what is wrong with the owner's list."""
    try:
        return await report(settings.home_path, environment())
    except ConfigError as error:
        return Finding(name="Providers", verdict="bad", told=error.message, hint=error.hint)


def _told_providers(found: list[ProviderReport]) -> Finding:
    usable = [
        each.name
        for each in found
        if each.usable and each.default_model and each.dialect != REHEARSAL
    ]
    if usable:
        return Finding(
            name="Providers", verdict="good", told=f"Models can be used at {', '.join(usable)}."
        )
    return Finding(
        name="Providers",
        verdict="note",
        told="No provider can be used; offices rehearse by a script, and no AI is running.",
        hint="Set a provider's key in the environment, or start a local model server.",
    )


def _nearest(path: Path) -> Path:
    """The path, or the nearest folder above it that there is."""
    return next(each for each in (path, *path.parents) if each.exists())


EXAMINATIONS: tuple[tuple[str, Callable[[Machine], Awaitable[Finding]]], ...] = (
    ("Looking at Python", _python),
    ("Looking for the web UI", _ui),
    ("Looking at the home", _home),
    ("Looking at the disk", _disk),
    ("Looking at the limit of open files", _open_files),
    ("Looking at the database", _database),
    ("Trying the port", _port),
)
