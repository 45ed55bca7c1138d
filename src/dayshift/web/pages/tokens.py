"""API tokens: list, make, revoke."""

from typing import Annotated

from fastapi import Depends

from dayshift.core.details import Page
from dayshift.core.people import TokenDraft, TokenView
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import AtDoor, OnServer
from dayshift.web.reply import Created, Done, Reply
from dayshift.web.route import page, whole

router = page("/api/tokens", "API tokens")
Editing = Annotated[AtDoor, Depends(OnServer("tokens:edit"))]


@router.get("")
async def list_tokens(
    door: Annotated[AtDoor, Depends(OnServer("tokens:read"))],
) -> Reply[Page[TokenView]]:
    """One's own API tokens, newest first, without their secrets."""
    return Reply(whole(await door.building.reception.tokens.of_person(door.actor.person.id)))


@router.post("")
async def create_token(
    door: Editing, draft: Annotated[TokenDraft, Depends(BodyOf(TokenDraft))]
) -> Created[TokenView]:
    """Make an API token; its secret is in this answer and never shown again."""
    reception = door.building.reception
    if draft.office:
        await reception.access.require(door.actor, "office:read", office=draft.office)
        door.building.offices.rooms(draft.office)
    await reception.access.require_grantable(door.actor, draft.scopes, office=draft.office)
    made = await reception.tokens.make(
        door.actor.person.id, draft.name, office=draft.office, scopes=draft.scopes
    )
    return Created(made)


@router.delete("/{token}")
async def revoke_token(token: str, door: Editing) -> Done:
    """Revoke one of one's own API tokens, at once."""
    await door.building.reception.tokens.revoke(door.actor.person.id, token)
    return Done()
