"""Commands about the server itself: start it, stop it, what it offers and what it is set to."""

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dayshift.app.cli.address import SERVER_FILE, Address, find
from dayshift.app.cli.desk import Desk, command
from dayshift.app.cli.failure import FAILED, REFUSED, FailureError
from dayshift.app.cli.home import prepare_home
from dayshift.app.cli.late import late_in_force, late_serve, late_server
from dayshift.app.settings import Resolved, described, environment

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

config = typer.Typer(help="Settings: what is in force and where it came from.")
POLL_S = 0.1
HIDDEN = "(set, not shown)"


def up(
    desk: Desk,
    office: Annotated[
        str | None,
        typer.Argument(metavar="[OFFICE]", help="A name in the home, an office file or a folder."),
    ] = None,
    *,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="For agents that name none.")
    ] = None,
    allow_plain_http: Annotated[
        bool,
        typer.Option("--allow-plain-http", help="Let others reach it without TLS; not advised."),
    ] = False,
) -> None:
    """Start the server, and print a link to sign in with."""
    flags = {**desk.flags, "host": host, "port": port, "model": model}
    settings = late_in_force()(flags, environment()).settings
    home = settings.home_path
    prepare_home(home)
    code = late_serve()(
        home=home,
        office=office,
        host=settings.host,
        port=settings.port,
        model=settings.model or None,
        announce=desk.output.note if desk.output.is_json else desk.output.text,
        allow_plain_http=allow_plain_http or None,
    )
    raise typer.Exit(code)


def stop(
    desk: Desk,
    *,
    limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="Longest wait for its end.")
    ] = 60.0,
) -> None:
    """Stop the server of the home.

    Turns under way may end within its setting stop_grace_s; what is left is taken up at the next
    start.
    """
    address = find(desk.settings)
    if not address.is_here:
        raise FailureError(
            f"The server at {address.url} runs elsewhere.",
            code="denied",
            hint="Stop it on its own machine; without DAYSHIFT_URL this stops the home's server.",
            exit_code=REFUSED,
        )
    asyncio.run(_stop(desk, address, limit))
    desk.show({"stopped": True, "pid": address.pid}, f"The server, process {address.pid}, ended.")


def openapi(desk: Desk) -> None:
    """Print the OpenAPI document of the running server."""

    async def work(server: "Server") -> "Reply":
        return await server.get("openapi.json")

    desk.output.document(desk.ask(work, doing="Reading the document").raw)


@command(config, "show")
def show_config(desk: Desk) -> None:
    """Show every setting, its value and where it came from; secrets are not shown."""
    resolved = desk.of_server
    rows = [
        (
            setting.name,
            _value(resolved, setting.name),
            resolved.origins[setting.name],
            setting.variable,
        )
        for setting in described()
    ]
    document: list[dict[str, Any]] = [
        {
            "name": setting.name,
            "value": HIDDEN
            if setting.is_secret and getattr(resolved.settings, setting.name)
            else getattr(resolved.settings, setting.name),
            "origin": resolved.origins[setting.name],
            "variable": setting.variable,
        }
        for setting in described()
    ]
    head = ("SETTING", "VALUE", "FROM", "VARIABLE")
    desk.show_table({"settings": document}, head, rows, empty="No settings.")


def _value(resolved: Resolved, name: str) -> str:
    secret = {setting.name for setting in described() if setting.is_secret}
    value = getattr(resolved.settings, name)
    if name in secret and value:
        return HIDDEN
    return str(value) or "-"


async def _stop(desk: Desk, address: Address, limit_s: float) -> None:
    with desk.output.progress("Stopping the server") as progress:
        await _must_be_ours(address)
        os.kill(address.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(limit_s):
                while _runs(address.pid):
                    progress.tell("Stopping the server: runs end their turn")
                    await asyncio.sleep(POLL_S)
        except TimeoutError as error:
            raise FailureError(
                f"The server, process {address.pid}, did not end within {limit_s:g} s.",
                code="no_answer",
                hint=f"It may still be ending. To force it: kill -9 {address.pid}; "
                "nothing that was committed is lost.",
                retryable=True,
                exit_code=FAILED,
            ) from error


async def _must_be_ours(address: Address) -> None:
    """Ask the process for who it is, so that no stranger with its number is ended."""
    try:
        async with late_server()(address) as server:
            await server.get("me")
    except FailureError as error:
        if error.code == "no_server" and not _runs(address.pid):
            left = address.home / SERVER_FILE if address.home else SERVER_FILE
            raise FailureError(
                f"No server is running: process {address.pid}, which {left} names, is gone.",
                code="no_server",
                hint="Nothing is to be done; the next dayshift up takes the home over.",
                exit_code=FAILED,
            ) from error
        raise


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Whether a process has ended and only waits to be fetched by its parent."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[:1] == ["Z"]
