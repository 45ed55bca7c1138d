"""Commands about offices: make, check, list, look, edit, pause; the first three need no server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.choice import offices as offices_of
from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.failure import FAILED, NOTHING_THERE, FailureError
from dayshift.app.cli.home import prepare_home
from dayshift.app.cli.late import late_check, late_create, late_names, late_office_file
from dayshift.app.cli.shown import money, state
from dayshift.app.settings import environment
from dayshift.core.details import Pruned
from dayshift.core.errors import ConfigError
from dayshift.core.views import OfficeView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

offices = typer.Typer(help="Offices: create, validate, list, show, edit.")


@command(offices)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name, in small letters.")],
    *,
    example: Annotated[
        str, typer.Option("--from", metavar="EXAMPLE", help="An example to start from.")
    ] = "",
    title: Annotated[str, typer.Option(help="The name people read.")] = "",
) -> None:
    """Make an office: a folder of the home with an office.yaml to edit.

    A running server opens it at once; else it is opened at the next start.
    """
    home = desk.settings.home_path
    draft = {"name": name, "title": title, "example": example}

    async def work(server: "Server") -> "Reply":
        return await server.send("POST", "offices", body=draft)

    is_open = True
    try:
        desk.ask(work, doing="Creating the office")
    except FailureError as failure:
        if failure.code != "no_server" or desk.settings.url:
            raise
        is_open = False
        prepare_home(home)
        late_create()(home, name, title=title, example=example)
    file = late_office_file()(home, name)
    then = "" if is_open else f"\nStart it: dayshift up {name}"
    document = {"office": name, "file": "" if desk.settings.url else str(file), "open": is_open}
    desk.show(document, f"{name} is made" + ("." if desk.settings.url else f": {file}") + then)


@command(offices)
def validate(
    desk: Desk,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An office of the home, or a path to its file.")
    ],
) -> None:
    """Check an office file; every fault is told as file:line:column: message."""
    path = _file(desk, name)
    found = late_check()(path, environment(), home=desk.settings.home_path)
    faults = found.faults
    document = {
        "file": str(path),
        "valid": not faults,
        "faults": [_fault(each) for each in faults],
        "notes": found.notes,
    }
    lines = [f"{each.message} {each.hint}".rstrip() for each in faults]
    plural = "" if len(faults) == 1 else "s"
    lines.append(f"{len(faults)} fault{plural} in {path}." if faults else f"{path} is valid.")
    desk.show(document, "\n".join([*lines, *found.notes]))
    if faults:
        raise typer.Exit(FAILED)


@command(offices, "list")
def list_offices(desk: Desk) -> None:
    """List the offices of the home, or those of the server that DAYSHIFT_URL names."""
    if desk.settings.url:

        async def work(server: "Server") -> list[OfficeView]:
            return await offices_of(server)

        found = [office.name for office in desk.ask(work, doing="Asking the server")]
    else:
        found = late_names()(desk.settings.home_path)
    empty = "No offices. Make one: dayshift office create NAME"
    desk.show({"offices": found}, "\n".join(found) or empty)


@command(offices)
def show(desk: Desk, office: OfficeArgument = None) -> None:
    """Show an office of the running server."""
    raw, found = desk.read(OfficeView, doing="Reading the office", office=office)
    budget = money(found.budget_usd_micros) if found.budget_usd_micros else "none"
    lines = [
        f"{found.name}  {found.title}",
        f"{found.state}, {found.clock.mode} clock in {found.clock.zone}, day {found.clock.day}",
        f"model: {found.model or 'chosen by the server'}",
        f"budget a day: {budget}, spent today: {money(found.spent_usd_micros)}",
    ]
    if found.paused_reason:
        lines.append(f"paused by {found.paused_by}: {found.paused_reason}")
    if found.description:
        lines += ["", found.description]
    desk.show(raw, "\n".join(lines))


@command(offices)
def edit(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    description: Annotated[str | None, typer.Option(help="What the office is for.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="For agents that name none.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="Ceiling a day; 0 is none.")
    ] = None,
) -> None:
    """Change an office, in its file and as it runs; what is not given stays as it is."""
    told = {"title": title, "description": description, "model": model, "budget_usd": budget}
    changes = {field: value for field, value in told.items() if value is not None}

    raw, now = desk.tell(
        "PATCH", OfficeView, body=changes, doing="Changing the office", office=office
    )
    desk.show(raw, f"{now.name} is changed.")


def pause(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    reason: Annotated[str, typer.Option(help="Why; everybody sees it.")] = "",
) -> None:
    """Pause an office: no run starts, those under way end their turn."""
    _set(desk, office or "", "pause", {"reason": reason})


def resume(desk: Desk, office: OfficeArgument = None) -> None:
    """Let a paused office go on."""
    _set(desk, office or "", "resume", {})


@command(offices)
def prune(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    keep_days: Annotated[
        int,
        typer.Option(min=0, max=36_500, metavar="DAYS", help="What ended since is kept whole."),
    ],
) -> None:
    """Forget the inner life of work that ended long ago; outcomes, costs and messages stay."""
    raw, gone = desk.tell(
        "POST",
        Pruned,
        "prune",
        body={"keep_days": keep_days},
        doing="Forgetting old work",
        office=office,
    )
    told = f"{gone.runs:,} runs, {gone.items:,} items and {gone.events:,} events"
    desk.show(raw, f"Forgotten: {told}, {gone.entries:,} entries of the ledger.")


def _set(desk: Desk, office: str, verb: str, body: dict[str, str]) -> None:
    raw, now = desk.tell(
        "POST", OfficeView, verb, body=body, doing="Telling the office", office=office
    )
    desk.show(raw, f"{now.name} is {state(now.state)}.")


def _file(desk: Desk, name: str) -> Path:
    """The office file that is meant: a path when it looks like one, else an office of the home."""
    if "/" in name or name.endswith((".yaml", ".yml")):
        path = Path(name)
        return path / "office.yaml" if path.is_dir() else path
    path = late_office_file()(desk.settings.home_path, name)
    if not path.is_file():
        known = ", ".join(late_names()(desk.settings.home_path)) or "none"
        raise FailureError(
            f"There is no office {name!r} in {desk.settings.home_path}.",
            code="not_found",
            hint=f"Offices there: {known}.",
            exit_code=NOTHING_THERE,
        )
    return path


def _fault(error: ConfigError) -> dict[str, str | int]:
    return {
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "message": error.message,
        "hint": error.hint,
    }
