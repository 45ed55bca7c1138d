"""What specs of events, inboxes and limits work with: an office's desks as the web has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.app.desks.work import Events
from dayshift.facilities.records import Records
from dayshift.facilities.waiting import Waiting
from dayshift.testing.office_harness import does

if TYPE_CHECKING:
    from dayshift.core.events import Event
    from dayshift.core.views import Decision, EventView, ItemView
    from dayshift.testing.model_server import Say
    from dayshift.testing.office_harness import OfficeHarness

OFFICE = """
office: {name: acme, title: Acme, model: "fake:m"}
agents:
  - {name: iris, title: Lead, keywords: [release, 発売]}
  - {name: juno, title: Developer, reports_to: iris, keywords: [login, page]}
  - {name: kai, title: Tester, reports_to: iris}
"""
SHOWN = 200


def events(office: OfficeHarness) -> Events:
    """The page of events."""
    inner = office.office
    return Events(inner, Records(inner.bus))


async def happens(office: OfficeHarness, event: Event, *, by: str = "person:ada") -> EventView:
    """Publish an event from outside, and wait until all that it set going is done."""
    view = await events(office).publish(event, by=by)
    await office.settled()
    return view


async def decided(office: OfficeHarness, event: EventView) -> dict[str, Decision]:
    """The decision of an event for every agent, as its page shows them."""
    detail = await events(office).decisions(event.id, after="", limit=SHOWN)
    return {decision.agent: decision for decision in detail.decisions}


def waiting(office: OfficeHarness) -> Waiting:
    """The page of inboxes."""
    inner = office.office
    return Waiting(inner.bus, inner.inboxes, inner.book)


async def queue(office: OfficeHarness, agent: str, state: str = "") -> list[ItemView]:
    """What waits for an agent and what ended, as its page shows it."""
    return list(await waiting(office).items(agent, state=state))


async def texts(office: OfficeHarness, agent: str, state: str = "queued") -> list[str]:
    """The texts of what waits for an agent, in order."""
    return [item.text for item in await queue(office, agent, state)]


def tells(to: str, text: str) -> Say:
    """A model's answer that writes to a colleague."""
    return does("message_agent", to=to, message=text)
