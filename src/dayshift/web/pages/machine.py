"""What this server can use: model providers, and what keeps agents' commands in."""

from typing import Annotated

from fastapi import Depends

from dayshift.core.details import IsolationReport, ProviderCheck, ProviderReport
from dayshift.web.doors import AtDoor, OnServer
from dayshift.web.reply import Reply
from dayshift.web.route import page

router = page("/api", "Server")


@router.get("/providers")
async def list_providers(
    door: Annotated[AtDoor, Depends(OnServer("providers:read"))],
) -> Reply[list[ProviderReport]]:
    """All model providers, usable ones first, and why the others are not."""
    return Reply(list(await door.building.providers.report()))


@router.post("/providers/{provider}/test")
async def test_provider(
    provider: str, door: Annotated[AtDoor, Depends(OnServer("providers:test"))]
) -> Reply[ProviderCheck]:
    """Send a provider one small real request and say what came of it."""
    return Reply(await door.building.providers.check(provider))


@router.get("/isolation")
async def read_isolation(
    door: Annotated[AtDoor, Depends(OnServer("isolation:read"))],
) -> Reply[IsolationReport]:
    """How agents' commands are kept in, and what would make that stronger."""
    return Reply(await door.building.isolation.report())
