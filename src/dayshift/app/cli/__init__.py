"""The command line: everything a person does in the browser, from a terminal or a script."""

from typing import Annotated

import typer
from typer.main import get_command

from dayshift import __version__
from dayshift.app.cli import (
    board,
    files,
    happenings,
    health,
    keys,
    models,
    offices,
    serving,
    staff,
    talking,
    watching,
    work,
)
from dayshift.app.cli.crash import catch_crashes
from dayshift.app.cli.desk import command

app = typer.Typer(
    name="dayshift",
    help="Runs a company of AI agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """Runs a company of AI agents."""
    if version:
        typer.echo(f"dayshift {__version__}")
        raise typer.Exit


command(app)(serving.up)
command(app)(serving.stop)
command(app)(watching.status)
command(app)(watching.tail)
command(app)(talking.send)
app.add_typer(board.tasks, name="task")
command(app)(work.runs)
app.add_typer(work.shows, name="show")
command(app, in_office=True)(work.steer)
command(app, in_office=True)(work.cancel)
command(app)(work.cost)
command(app)(staff.inbox)
app.add_typer(staff.items, name="item")
app.add_typer(offices.offices, name="office")
command(app)(offices.pause)
command(app)(offices.resume)
app.add_typer(staff.agents, name="agent")
app.add_typer(files.files, name="file")
app.add_typer(talking.threads, name="thread")
app.add_typer(talking.channels, name="channel")
app.add_typer(happenings.events, name="event")
app.add_typer(happenings.alerts, name="alert")
app.add_typer(keys.tokens, name="token")
command(app)(keys.signin)
command(app)(keys.audit)
command(app)(health.doctor)
app.add_typer(models.models, name="model")
app.add_typer(serving.config, name="config")
command(app)(serving.openapi)


def main() -> None:
    """Run the command line; the process ends with one of the exit codes of ``failure``."""
    command_line = get_command(app)
    # Called by itself, the app would put typer's own handler in the place of ours.
    catch_crashes()
    command_line(prog_name="dayshift")
