"""Which office a command means."""

from typing import TYPE_CHECKING

from dayshift.app.cli.failure import NOTHING_THERE, WRONG_USE, FailureError
from dayshift.core.details import Page
from dayshift.core.views import OfficeView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Server


async def offices(server: "Server") -> list[OfficeView]:
    """All offices of the server that the asker may see."""
    reply = await server.get("offices")
    return (await reply.read(Page[OfficeView])).items


async def the_office(server: "Server", named: str) -> str:
    """The office that was named, or the only one there is.

    Raises:
        FailureError: None was named, and there is none or more than one.
    """
    if named:
        return named
    names = [office.name for office in await offices(server)]
    if len(names) == 1:
        return names[0]
    if not names:
        raise FailureError(
            "There is no office yet.",
            code="not_found",
            hint="Make one: dayshift office create NAME",
            exit_code=NOTHING_THERE,
        )
    raise FailureError(
        f"There are {len(names)} offices, and none was named: {', '.join(names)}.",
        code="invalid",
        hint="Name one as OFFICE, or with --office.",
        exit_code=WRONG_USE,
    )
