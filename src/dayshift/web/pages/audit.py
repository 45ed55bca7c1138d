"""The audit: who signed in, and who changed what on the server."""

from typing import Annotated

from fastapi import Depends

from dayshift.core.details import Page
from dayshift.core.people import AuditView
from dayshift.web.doors import AtDoor, OnServer
from dayshift.web.reply import Reply
from dayshift.web.route import Before, Limit, page

router = page("/api/audit", "Audit")


@router.get("")
async def list_audit(
    door: Annotated[AtDoor, Depends(OnServer("audit:read"))], before: Before = "", limit: Limit = 50
) -> Reply[Page[AuditView]]:
    """Sign-ins, refused ones, links, tokens and changes of settings, newest first."""
    return Reply(await door.building.reception.audit.page(before=before, limit=limit))
