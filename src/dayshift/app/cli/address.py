"""Where the server is and how to sign in to it.

A server writes ``server.json`` into its home when it has opened its doors, readable by its owner
alone, and takes it away when it stops. A server elsewhere is named by ``DAYSHIFT_URL`` and
``DAYSHIFT_TOKEN``.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from dayshift.app.cli.failure import FAILED, WRONG_USE, FailureError
from dayshift.app.settings import Settings

SERVER_FILE = "server.json"
_START = "Start it with: dayshift up"


class ServerFile(msgspec.Struct, frozen=True):
    """What a running server says of itself; the token is its owner's, for as long as it runs."""

    url: str
    pid: int
    token: str


@dataclass(frozen=True, kw_only=True)
class Address:
    """A server to speak to. ``pid`` is 0 when it runs elsewhere; ``token`` is never shown."""

    url: str
    token: str
    pid: int
    home: Path | None

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine, for the home that was named."""
        return self.home is not None


def find(settings: Settings) -> Address:
    """The server the settings mean.

    Raises:
        FailureError: None is running, or what says where it is cannot be read.
    """
    if settings.url:
        return _elsewhere(settings)
    home = settings.home_path
    try:
        raw = (home / SERVER_FILE).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise not_running(home) from error
    except PermissionError as error:
        raise FailureError(
            f"{home / SERVER_FILE} cannot be read: it belongs to another account.",
            code="denied",
            hint="Run the command as the one who started the server, or set DAYSHIFT_URL and "
            "DAYSHIFT_TOKEN.",
        ) from error
    except OSError as error:
        raise FailureError(
            f"{home / SERVER_FILE} cannot be read: {error.strerror}.", code="storage"
        ) from error
    try:
        found = msgspec.json.decode(raw, type=ServerFile)
    except msgspec.MsgspecError as error:
        raise FailureError(
            f"{home / SERVER_FILE} is damaged: {error}.",
            code="storage",
            hint="A server writes it anew when it starts: dayshift up",
        ) from error
    return Address(url=found.url.rstrip("/"), token=found.token, pid=found.pid, home=home)


def not_running(home: Path) -> FailureError:
    """No server runs for a home."""
    if not home.is_dir():
        message = f"No server is running: the home {home} does not exist."
        hint = f"{_START}. DAYSHIFT_HOME or --home names another home."
    else:
        message, hint = f"No server is running for the home {home}.", _START
    return FailureError(message, code="no_server", hint=hint, exit_code=FAILED)


def gone(address: Address) -> FailureError:
    """A server that should be there does not answer."""
    if address.is_here:
        message = f"The server at {address.url}, process {address.pid}, does not answer."
        hint = f"It was probably killed; nothing that was committed is lost. {_START}"
    else:
        message = f"The server at {address.url} does not answer."
        hint = "Check DAYSHIFT_URL, and that the server runs."
    return FailureError(message, code="no_server", hint=hint, retryable=True, exit_code=FAILED)


def _elsewhere(settings: Settings) -> Address:
    if not settings.url.startswith(("http://", "https://")):
        raise FailureError(
            f"DAYSHIFT_URL is {settings.url!r}, which is no address of a server.",
            code="invalid",
            hint="It looks like https://office.example.org",
            exit_code=WRONG_USE,
        )
    if not settings.token:
        raise FailureError(
            "DAYSHIFT_URL names a server, but DAYSHIFT_TOKEN holds no API token for it.",
            code="invalid",
            hint="Make one on that server: dayshift token create NAME",
            exit_code=WRONG_USE,
        )
    return Address(url=settings.url.rstrip("/"), token=settings.token, pid=0, home=None)
