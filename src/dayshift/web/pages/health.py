"""Health: whether the server is there, for whoever asks."""

from fastapi import Request
from msgspec import Struct

from dayshift.web.doors import building_of
from dayshift.web.reply import Reply
from dayshift.web.route import page

router = page("/api", "Server")


class Health(Struct, frozen=True):
    """The server is up. ``isolation`` names what keeps agents' commands in."""

    status: str
    version: str
    database: str
    isolation: str


@router.get("/health")
async def read_health(request: Request) -> Reply[Health]:
    """Whether the server is up; asked without signing in."""
    building = building_of(request)
    isolation = await building.isolation.report()
    return Reply(
        Health(
            status="ok",
            version=building.version,
            database=building.database,
            isolation=isolation.in_force,
        )
    )
