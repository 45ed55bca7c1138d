"""Commands about files of agents' workspaces: look around, and read one."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.choice import the_office
from dayshift.app.cli.desk import Desk, command
from dayshift.app.cli.failure import FAILED, FailureError
from dayshift.core.details import FolderView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Server

files = typer.Typer(help="Files of agents' workspaces: list, read, save.")
Agent = Annotated[str, typer.Argument(metavar="AGENT", help="Whose workspace.")]


@command(files, "list", in_office=True)
def list_files(
    desk: Desk,
    agent: Agent,
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="Else the workspace.")] = "",
) -> None:
    """List a folder of an agent's workspace."""
    raw, found = desk.read(
        FolderView, "agents", agent, "files", query={"path": folder}, doing="Reading the folder"
    )
    rows = [(each.kind, f"{each.size_bytes:,}", each.path) for each in found.items]
    desk.show_table(raw, ("KIND", "BYTES", "PATH"), rows, empty="Nothing is in it.")
    if found.truncated:
        desk.output.note("The folder holds more than is shown.")


@command(files, "read", in_office=True)
def read_file(
    desk: Desk,
    agent: Agent,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The file in the workspace.")],
    *,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there; else it is printed.")
    ] = None,
) -> None:
    """Print a file of an agent's workspace as it is, or save it."""

    async def work(server: "Server") -> bytes:
        name = await the_office(server, desk.office)
        where = ("offices", name, "agents", agent, "files", "content")
        return (await server.get(*where, query={"path": path})).raw

    content = desk.ask(work, doing="Reading the file")
    if save is not None:
        _save(content, save)
        document = {"agent": agent, "path": path, "bytes": len(content), "saved": str(save)}
        desk.show(document, f"{agent}:{path} is saved as {save}.")
    elif desk.output.is_json:
        text = content.decode("utf-8", "replace")
        desk.output.document({"agent": agent, "path": path, "bytes": len(content), "text": text})
    elif desk.output.is_terminal:
        desk.output.text(content.decode("utf-8", "replace"))
    else:
        sys.stdout.buffer.write(content)


def _save(content: bytes, file: Path) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise FailureError(
            f"{file} cannot be written: {error.strerror}.", code="storage", exit_code=FAILED
        ) from error
