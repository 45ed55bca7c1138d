"""Usage: tokens and money."""

from typing import Annotated

from fastapi import Depends, Query

from dayshift.core.details import UsageReport
from dayshift.core.wishes import UsageKey
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Reply
from dayshift.web.route import page

router = page("/api/offices/{office}", "Usage")


@router.get("/usage")
async def read_usage(
    inside: Annotated[Inside, Depends(InOffice("usage:read"))],
    by: Annotated[UsageKey, Query(description="What to sum up by.")] = "day",
    days: Annotated[int, Query(description="Office days, today included.", ge=1, le=3_660)] = 7,
) -> Reply[UsageReport]:
    """What models cost in tokens and money, and today's budget."""
    return Reply(await inside.rooms.usage.report(by=by, days=days))
