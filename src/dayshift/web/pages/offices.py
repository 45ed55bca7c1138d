"""Offices: list, make, look at, change, pause."""

from typing import Annotated

from fastapi import Depends
from msgspec import Meta

from dayshift.access.audit import told
from dayshift.core.details import Page, Pruned
from dayshift.core.views import OfficeView
from dayshift.core.wishes import OfficeChanges, OfficeDraft, Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import AtDoor, InOffice, Inside, OnServer
from dayshift.web.reply import Created, Reply
from dayshift.web.route import page, whole

router = page("/api/offices", "Offices")
Pausing = Annotated[Inside, Depends(InOffice("office:pause"))]


class Pause(Wish, frozen=True, kw_only=True):
    """Why an office is paused; shown to everyone."""

    reason: Annotated[str, Meta(max_length=1_000)] = ""


class Pruning(Wish, frozen=True, kw_only=True):
    """How much is kept whole: what ended within the last days. 0 keeps only what is under way."""

    keep_days: Annotated[int, Meta(ge=0, le=36_500)]


@router.get("")
async def list_offices(
    door: Annotated[AtDoor, Depends(OnServer("offices:read"))],
) -> Reply[Page[OfficeView]]:
    """The offices one may see, by name."""
    views = await door.building.offices.views()
    access = door.building.reception.access
    visible = await access.visible(door.actor, [view.name for view in views])
    return Reply(whole([view for view in views if view.name in visible]))


@router.post("")
async def create_office(
    door: Annotated[AtDoor, Depends(OnServer("offices:create"))],
    draft: Annotated[OfficeDraft, Depends(BodyOf(OfficeDraft))],
) -> Created[OfficeView]:
    """Make an office, empty or from a built-in example, and open it."""
    made = await door.building.offices.create(draft, by=door.by)
    await door.building.reception.audit.note(door.by, "office_made", draft.name)
    return Created(made)


@router.get("/{office}")
async def read_office(
    inside: Annotated[Inside, Depends(InOffice("office:read"))],
) -> Reply[OfficeView]:
    """One office: state, clock, budget."""
    return Reply(await inside.rooms.desk.view())


@router.patch("/{office}")
async def edit_office(
    inside: Annotated[Inside, Depends(InOffice("office:edit"))],
    changes: Annotated[OfficeChanges, Depends(BodyOf(OfficeChanges))],
) -> Reply[OfficeView]:
    """Change an office's title, description, model or budget, in its file and at once."""
    edited = await inside.rooms.desk.edit(changes, by=inside.by)
    subject = f"{inside.office}: {told(changes)}"
    await inside.building.reception.audit.note(inside.by, "office_edited", subject)
    return Reply(edited)


@router.post("/{office}/pause")
async def pause_office(
    inside: Pausing, pause: Annotated[Pause, Depends(BodyOf(Pause, optional=True))]
) -> Reply[OfficeView]:
    """Start no more runs; those under way end their turn."""
    return Reply(await inside.rooms.desk.pause(pause.reason, by=inside.by))


@router.post("/{office}/prune")
async def prune_office(
    inside: Annotated[Inside, Depends(InOffice("office:edit"))],
    pruning: Annotated[Pruning, Depends(BodyOf(Pruning))],
) -> Reply[Pruned]:
    """Forget the inner life of work that ended long ago; outcomes, costs and messages stay."""
    return Reply(await inside.rooms.desk.prune(pruning.keep_days, by=inside.by))


@router.post("/{office}/resume")
async def resume_office(inside: Pausing) -> Reply[OfficeView]:
    """Go on after a pause."""
    return Reply(await inside.rooms.desk.resume(by=inside.by))
