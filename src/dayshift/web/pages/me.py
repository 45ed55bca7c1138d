"""Signing in and out, and one's own account."""

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from dayshift.access.access import Actor
from dayshift.access.links import sign_in_path
from dayshift.core.details import Page
from dayshift.core.people import Me, Person, PersonChanges, SessionView, SignIn, SignInLink
from dayshift.web.bodies import BodyOf
from dayshift.web.building import Building
from dayshift.web.doors import COOKIE, AtDoor, OnServer, building_of, settings_of
from dayshift.web.reply import Created, Done, Reply
from dayshift.web.route import page, whole

router = page("/api", "Account")
Door = Annotated[AtDoor, Depends(OnServer("account:read"))]
OwnDoor = Annotated[AtDoor, Depends(OnServer("account:edit"))]


@router.post("/sign-in")
async def sign_in(request: Request, shown: Annotated[SignIn, Depends(BodyOf(SignIn))]) -> Reply[Me]:
    """Sign in with the token of a sign-in link, which works once; sets the session cookie."""
    building = building_of(request)
    address = request.client.host if request.client else ""
    person = await building.reception.links.redeem(shown.token, address=address)
    sessions = building.reception.sessions
    session = await sessions.open(
        person, user_agent=request.headers.get("user-agent", ""), address=address
    )
    actor = Actor(person=person, via="session", id=session.id, csrf=session.csrf)
    reply = Reply(await _me(building, actor))
    reply.set_cookie(
        COOKIE,
        session.secret,
        max_age=int(sessions.lives_s),
        httponly=True,
        samesite="strict",
        secure=_is_https(request),
    )
    return reply


@router.post("/sign-out")
async def sign_out(request: Request, door: OwnDoor) -> Done:
    """End this session and forget its cookie."""
    if door.actor.via == "session":
        await door.building.reception.sessions.end(door.actor.person.id, door.actor.id)
    done = Done()
    _forget_cookie(done, request)
    return done


@router.get("/me")
async def read_me(door: Door) -> Reply[Me]:
    """Who is signed in, the CSRF token for changes, and the offices they may see."""
    return Reply(await _me(door.building, door.actor))


@router.patch("/me")
async def edit_me(
    door: OwnDoor, changes: Annotated[PersonChanges, Depends(BodyOf(PersonChanges))]
) -> Reply[Me]:
    """Change one's own name, language or theme."""
    person = await door.building.reception.people.edit(door.actor.person.id, changes)
    return Reply(await _me(door.building, door.actor, person))


@router.post("/me/sign-in-links")
async def make_sign_in_link(
    door: Annotated[AtDoor, Depends(OnServer("account:link"))],
) -> Created[SignInLink]:
    """Make a link by which one signs in once, on another device or in another browser.

    A session may everything its person may, so an API token needs the scope `*` for it.
    """
    reception = door.building.reception
    await reception.access.require_grantable(door.actor, ["*"], office=door.actor.office)
    secret = await reception.links.make(door.actor.person.id)
    return Created(SignInLink(path=sign_in_path(secret), expires_in_s=int(reception.links.lives_s)))


@router.get("/me/sessions")
async def list_sessions(door: Door) -> Reply[Page[SessionView]]:
    """One's own signed-in browsers, the last seen first."""
    current = door.actor.id if door.actor.via == "session" else ""
    sessions = door.building.reception.sessions
    return Reply(whole(await sessions.of_person(door.actor.person.id, current=current)))


@router.delete("/me/sessions/{session}")
async def end_session(session: str, door: OwnDoor) -> Done:
    """Sign one of one's own browsers out, at once."""
    await door.building.reception.sessions.end(door.actor.person.id, session)
    return Done()


async def _me(building: Building, actor: Actor, person: Person | None = None) -> Me:
    views = await building.offices.views()
    names = [view.name for view in views]
    visible = await building.reception.access.visible(actor, names)
    return Me(
        person=person or actor.person,
        csrf=actor.csrf,
        offices=[view for view in views if view.name in visible],
        version=building.version,
    )


def _is_https(request: Request) -> bool:
    return settings_of(request).https or request.url.scheme == "https"


def _forget_cookie(response: Response, request: Request) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_is_https(request))
