"""Commands about events and alerts: what happened, who heard of it, what needs a person."""

import uuid
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.failure import WRONG_USE, FailureError
from dayshift.app.cli.shown import moment
from dayshift.core.details import Page
from dayshift.core.events import SOURCES
from dayshift.core.states import Priority
from dayshift.core.views import AlertView, EventView

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

    raw, made = desk.tell("POST", EventView, "events", body=wish, doing="Publishing")
    desk.show(raw, f"{made.id}: accepted by {made.accepted} of {made.considered} agents.")


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

    raw, page = desk.read(
        Page[EventView], "events", query=query, doing="Reading the events", office=office
    )
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
    desk.show_table(raw, head, rows, empty="No events.")
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
    query = {"open": None if every else 1}
    raw, page = desk.read(
        Page[AlertView], "alerts", query=query, doing="Reading the alerts", office=office
    )
    found = page.items
    rows = [
        (alert.id, moment(alert.at), alert.severity, alert.agent or "-", alert.text)
        for alert in found
    ]
    head = ("ALERT", "AT", "SEVERITY", "AGENT", "TEXT")
    desk.show_table(raw, head, rows, empty="No alerts.")


@command(alerts, in_office=True)
def acknowledge(
    desk: Desk, alert: Annotated[str, typer.Argument(metavar="ALERT", help="Its id.")]
) -> None:
    """Mark an alert as seen."""
    raw, now = desk.tell(
        "POST", AlertView, "alerts", alert, "acknowledge", doing="Telling the office"
    )
    desk.show(raw, f"{now.id} is acknowledged by {now.acknowledged_by}.")


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
