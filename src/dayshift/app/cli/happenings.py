"""Commands about events and alerts: what happened, who heard of it, what needs a person."""

import uuid
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from dayshift.app.cli.choice import the_office
from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.failure import WRONG_USE, FailureError
from dayshift.app.cli.shown import moment
from dayshift.core.details import Page
from dayshift.core.events import SOURCES
from dayshift.core.states import Priority
from dayshift.core.views import AlertView, EventView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

events = typer.Typer(help="Events: publish one, list them.")
alerts = typer.Typer(help="What a person should look at: list, acknowledge.")


class Urgency(StrEnum):
    """How urgent an event is."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    EMERGENCY = "emergency"


@command(events, in_office=True)
def publish(
    desk: Desk,
    kind: Annotated[str, typer.Argument(metavar="TYPE", help="What happened, for example new_pr.")],
    text: Annotated[str, typer.Argument(help="What the filter matches and the agents read.")],
    *,
    target: Annotated[str, typer.Option(metavar="AGENT", help="Only for it; else for all.")] = "",
    priority: Annotated[Urgency, typer.Option(help="How urgent it is.")] = Urgency.NORMAL,
    payload: Annotated[str, typer.Option(metavar="JSON", help="An object kept with it.")] = "",
    key: Annotated[str, typer.Option(help="An event with the same key again does nothing.")] = "",
) -> None:
    """Publish an event; the attention filter decides whom it wakes."""
    wish = {
        "source": "custom",
        "type": kind,
        "text": text,
        "priority": Priority[priority.name].value,
        "target": target,
        "payload": _object(payload),
        "dedup_key": key or uuid.uuid4().hex,
    }

    async def work(server: "Server") -> "tuple[Reply, EventView]":
        name = await the_office(server, desk.office)
        reply = await server.send("POST", "offices", name, "events", body=wish)
        return reply, await reply.read(EventView)

    reply, made = desk.ask(work, doing="Publishing")
    desk.show(reply.raw, f"{made.id}: accepted by {made.accepted} of {made.considered} agents.")


@command(events, "list")
def list_events(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    source: Annotated[str, typer.Option(help=f"One of {', '.join(SOURCES)}.")] = "",
    text: Annotated[str, typer.Option(help="Only with this text.")] = "",
    before: Annotated[
        str, typer.Option(metavar="CURSOR", help="Older than this; `next` of the last page.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many at most.")] = 20,
) -> None:
    """List events, newest first."""
    query = {"source": source, "text": text, "before": before, "limit": limit}

    async def work(server: "Server") -> "tuple[Reply, Page[EventView]]":
        name = await the_office(server, office or "")
        reply = await server.get("offices", name, "events", query=query)
        return reply, await reply.read(Page[EventView])

    reply, page = desk.ask(work, doing="Reading the events")
    rows = [
        (
            event.id,
            moment(event.at),
            f"{event.source}/{event.type}",
            event.target or f"{event.accepted} of {event.considered}",
            event.text,
        )
        for event in page.items
    ]
    head = ("EVENT", "AT", "WHAT", "REACHED", "TEXT")
    desk.show_table(reply.raw, head, rows, empty="No events.")
    if page.next:
        desk.output.note(f"Older ones: --before {page.next}")


@command(alerts, "list")
def list_alerts(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Acknowledged ones, too.")] = False,
) -> None:
    """List alerts, newest first."""

    async def work(server: "Server") -> "tuple[Reply, list[AlertView]]":
        name = await the_office(server, office or "")
        query = {"open": None if every else 1}
        reply = await server.get("offices", name, "alerts", query=query)
        return reply, (await reply.read(Page[AlertView])).items

    reply, found = desk.ask(work, doing="Reading the alerts")
    rows = [
        (alert.id, moment(alert.at), alert.severity, alert.agent or "-", alert.text)
        for alert in found
    ]
    head = ("ALERT", "AT", "SEVERITY", "AGENT", "TEXT")
    desk.show_table(reply.raw, head, rows, empty="No alerts.")


@command(alerts, in_office=True)
def acknowledge(
    desk: Desk, alert: Annotated[str, typer.Argument(metavar="ALERT", help="Its id.")]
) -> None:
    """Mark an alert as seen."""

    async def work(server: "Server") -> "tuple[Reply, AlertView]":
        name = await the_office(server, desk.office)
        reply = await server.send("POST", "offices", name, "alerts", alert, "acknowledge")
        return reply, await reply.read(AlertView)

    reply, now = desk.ask(work, doing="Telling the office")
    desk.show(reply.raw, f"{now.id} is acknowledged by {now.acknowledged_by}.")


def _object(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise FailureError(
            f"--payload is no JSON object: {error}.",
            code="invalid",
            hint="""For example --payload '{"number": 12}'""",
            exit_code=WRONG_USE,
        ) from error
