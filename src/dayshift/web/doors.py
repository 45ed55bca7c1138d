"""Doors: every route asks who comes in and whether they may, before it reads anything else.

A page writes ``Annotated[Inside, Depends(InOffice("tasks:edit"))]``; what does not ask is found by
a test that walks all routes.
"""

import asyncio
import difflib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Path, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from dayshift.access.access import Actor
from dayshift.core.errors import OfficeError
from dayshift.web.bodies import no_nul
from dayshift.web.building import Building
from dayshift.web.problems import CsrfError, Fault, FaultyError
from dayshift.web.rooms import OfficeRooms
from dayshift.web.settings import WebSettings
from dayshift.web.tickets import Tickets

COOKIE = "dayshift_session"
CSRF_HEADER = "x-csrf-token"
LOOK_UP_S = 600.0
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

OfficeName = Annotated[str, Path(description="Name of the office.", examples=["acme"])]


@dataclass(frozen=True, kw_only=True)
class AtDoor:
    """Who came in to the server."""

    actor: Actor
    building: Building

    @property
    def by(self) -> str:
        """Who asks, as the ledger names them."""
        return self.actor.by


@dataclass(frozen=True, kw_only=True)
class Inside(AtDoor):
    """Who came in to an office, and its rooms."""

    office: str
    rooms: OfficeRooms

    @property
    def person(self) -> str:
        """Id of the person who asks."""
        return self.actor.person.id


class OnServer:
    """A permission of the server as a whole."""

    def __init__(self, permission: str) -> None:
        self.permission = permission

    async def __call__(self, request: Request) -> AtDoor:
        """Let in who may.

        Raises:
            SignedOutError: Nobody known asks.
            DeniedError: They may not.
            InvalidError: The path or query holds what no route takes.
        """
        building = building_of(request)
        check_query(request)
        actor = await admit(request)
        await building.reception.access.require(actor, self.permission)
        return AtDoor(actor=actor, building=building)


class InOffice:
    """A permission within the office that the path names."""

    def __init__(self, permission: str) -> None:
        self.permission = permission

    async def __call__(self, request: Request, office: OfficeName) -> Inside:
        """Let in who may.

        Raises:
            SignedOutError: Nobody known asks.
            NotFoundError: The office is not there, or they may not see it.
            DeniedError: They may see it, but not do this.
            InvalidError: The path or query holds what no route takes.
        """
        building = building_of(request)
        check_query(request)
        actor = await admit(request)
        await building.reception.access.require(actor, self.permission, office=office)
        rooms = building.offices.rooms(office)
        return Inside(actor=actor, building=building, office=office, rooms=rooms)


@dataclass(frozen=True, kw_only=True)
class Previewing:
    """Whose workspace an address shows."""

    rooms: OfficeRooms
    agent: str


class ByTicket:
    """A permission that someone else has lent to an address for a while."""

    def __init__(self, permission: str) -> None:
        self.permission = permission

    async def __call__(self, request: Request, ticket: str) -> Previewing:
        """Let in whoever has the address, as long as who made it may still.

        Raises:
            NotFoundError: The ticket does not hold, or its office may no longer be seen.
            DeniedError: Who made it may no longer.
        """
        check_query(request)
        lent = tickets_of(request).of(ticket)
        building = building_of(request)
        await building.reception.access.require(lent.actor, self.permission, office=lent.office)
        return Previewing(rooms=building.offices.rooms(lent.office), agent=lent.agent)


async def admit(request: Request) -> Actor:
    """Who asks.

    Raises:
        SignedOutError: Neither the token nor the session that was shown holds.
        CsrfError: A change by cookie lacks the CSRF token.
    """
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    # Another scheme is between the browser and a proxy; it says nothing here.
    bearer = shown.strip() if scheme.lower() == "bearer" else None
    reception = building_of(request).reception
    actor = await reception.admit(cookie=request.cookies.get(COOKIE, ""), bearer=bearer)
    if actor.via == "session" and request.method not in SAFE:
        given = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(given.encode(), actor.csrf.encode()):
            raise CsrfError(
                "This change did not come from a page of ours.",
                hint="Send the header X-CSRF-Token with the value from GET /api/me.",
            )
    return actor


def still_admitted(
    request: Request, permission: str, *, office: str
) -> Callable[[], Awaitable[bool]]:
    """A question that a long answer asks again and again: may they still?

    It is looked up anew only when some right has changed, or after ``LOOK_UP_S``. Whoever cannot be
    told from someone who may not is not let in: they may come again.
    """
    reception = building_of(request).reception
    loop = asyncio.get_running_loop()
    seen, look_up_at = reception.changes.count, loop.time() + LOOK_UP_S

    async def ask() -> bool:
        nonlocal seen, look_up_at
        if seen == reception.changes.count and loop.time() < look_up_at:
            return True
        seen, look_up_at = reception.changes.count, loop.time() + LOOK_UP_S
        try:
            await reception.access.require(await admit(request), permission, office=office)
        except OfficeError:
            return False
        return True

    return ask


def building_of(request: Request) -> Building:
    """The building that the app was made for."""
    return cast("Building", request.app.state.building)  # state is untyped by its nature


def tickets_of(request: Request) -> Tickets:
    """The tickets for previews."""
    return cast("Tickets", request.app.state.tickets)  # as above


def settings_of(request: Request) -> WebSettings:
    """The settings that the app was made with."""
    return cast("WebSettings", request.app.state.settings)  # as above


def check_query(request: Request) -> None:
    """Return if the query names only what the route takes; raises FaultyError."""
    route = request.scope.get("route")
    known = _query_names(route.dependant) if isinstance(route, APIRoute) else set[str]()
    faults: list[Fault] = []
    for name, value in request.query_params.multi_items():
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1)
            hint = f"did you mean {near[0]!r}?" if near else "nothing here reads it"
            faults.append(Fault(field=f"query.{name}", message=f"unknown: {hint}"))
        elif "\0" in value:
            raise no_nul()
    if "\0" in request.url.path or any("\0" in str(v) for v in request.path_params.values()):
        raise no_nul()
    if faults:
        first = faults[0]
        raise FaultyError(f"{first.field} is {first.message}", faults=faults)


def _query_names(dependant: Dependant) -> set[str]:
    """The names of all query parameters a route takes."""
    names = {field.alias for field in dependant.query_params}
    for needed in dependant.dependencies:
        names |= _query_names(needed)
    return names
