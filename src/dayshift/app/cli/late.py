"""Parts of the product that take long to import: only the commands that need them ask for them.

``dayshift --help`` must come at once, so no file of the command line imports these at its top.
"""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from dayshift.app.settings import Resolved, Settings

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from dayshift.app.cli.server import LostError, Server
    from dayshift.app.doctor import Report
    from dayshift.app.model_check.sitting import Sitting
    from dayshift.app.office_files import Checked
    from dayshift.core.details import ProviderReport


class Serve(Protocol):
    """Runs the server until it is told to stop."""

    def __call__(
        self,
        *,
        home: Path,
        office: str | None,
        host: str,
        port: int,
        model: str | None,
        announce: Callable[[str], None],
        allow_plain_http: bool | None = None,
    ) -> int:
        """The exit code of the process."""
        ...


class Examine(Protocol):
    """Examines this machine."""

    def __call__(
        self, settings: Settings, *, server_url: str, tell: Callable[[str], None]
    ) -> "Awaitable[Report]":
        """What was found."""
        ...


class Check(Protocol):
    """Reads an office file."""

    def __call__(self, path: Path, env: Mapping[str, str], *, home: Path) -> "Checked":
        """Everything that is wrong with it."""
        ...


class InForce(Protocol):
    """Merges flags, environment and the home's settings file."""

    def __call__(
        self, flags: Mapping[str, str | int | bool | None], variables: Mapping[str, str]
    ) -> Resolved:
        """The settings in force for a server."""
        ...


class Create(Protocol):
    """Makes an office's folder with its file."""

    def __call__(self, home: Path, name: str, *, title: str, example: str) -> Path:
        """The folder."""
        ...


class ModelFiles(Protocol):
    """What is known of models on this machine."""

    def report(self, home: Path, variables: Mapping[str, str]) -> "Awaitable[list[ProviderReport]]":
        """Every provider with whether it can be used."""
        ...

    def install(self, home: Path, name: str) -> str:
        """Fetch a small model."""
        ...

    def add(self, home: Path, file: Path, *, sha256: str) -> str:
        """Copy a model file into the home."""
        ...


class OpenCheck(Protocol):
    """Makes a check of a model ready."""

    def __call__(
        self,
        home: Path,
        variables: Mapping[str, str],
        ref: str,
        *,
        max_usd: float,
    ) -> "AbstractAsyncContextManager[Sitting]":
        """The check, for the length of a block."""
        ...


def late_model_files() -> ModelFiles:
    """Models; brings the HTTP client and the price list."""
    return cast("ModelFiles", import_module("dayshift.app.model_files"))


def late_open_check() -> OpenCheck:
    """The check of a model; brings the HTTP client, the tools and the loop."""
    return cast("OpenCheck", import_module("dayshift.app.model_check.sitting").open_check)


def late_in_force() -> InForce:
    """The settings with the home's own file; brings YAML."""
    return cast("InForce", import_module("dayshift.app.settings_file").in_force)


def late_create() -> Create:
    """The making of offices; brings everything."""
    return cast("Create", import_module("dayshift.app.building").create_office_files)


def late_check() -> Check:
    """The reading of office files; brings YAML and its checks."""
    return cast("Check", import_module("dayshift.app.office_files").check)


def late_clean() -> Callable[[str], str]:
    """What takes the secrets that this process knows out of a text; brings the logs."""
    return cast("Callable[[str], str]", import_module("dayshift.app.logs").redactor().clean)


def late_names() -> Callable[[Path], list[str]]:
    """The offices of a home."""
    return cast("Callable[[Path], list[str]]", import_module("dayshift.app.office_files").names)


def late_office_file() -> Callable[[Path, str], Path]:
    """Where an office's file is."""
    office_files = import_module("dayshift.app.office_files")
    return cast("Callable[[Path, str], Path]", office_files.office_file)


def late_server() -> "type[Server]":
    """The conversation with a running server; brings the HTTP client."""
    return cast("type[Server]", import_module("dayshift.app.cli.server").Server)


def late_lost() -> "type[LostError]":
    """What a feed raises when its connection ends."""
    return cast("type[LostError]", import_module("dayshift.app.cli.server").LostError)


def late_serve() -> Serve:
    """The server; brings everything."""
    return cast("Serve", import_module("dayshift.app.server").serve)


def late_examine() -> Examine:
    """The doctor; brings the database and the computers."""
    return cast("Examine", import_module("dayshift.app.doctor").examine)
