"""Alerts: what a person should look at."""

from typing import Annotated

from fastapi import Depends, Query

from dayshift.core.details import Page
from dayshift.core.views import AlertView
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Reply
from dayshift.web.route import page, whole

router = page("/api/offices/{office}/alerts", "Alerts")


@router.get("")
async def list_alerts(
    inside: Annotated[Inside, Depends(InOffice("alerts:read"))],
    open_only: Annotated[
        bool, Query(alias="open", description="Only those nobody has acknowledged.")
    ] = False,
) -> Reply[Page[AlertView]]:
    """Alerts, newest first."""
    return Reply(whole(await inside.rooms.alerts.list(open_only=open_only)))


@router.post("/{alert}/acknowledge")
async def acknowledge_alert(
    alert: str, inside: Annotated[Inside, Depends(InOffice("alerts:acknowledge"))]
) -> Reply[AlertView]:
    """Mark an alert as seen."""
    return Reply(await inside.rooms.alerts.acknowledge(alert, by=inside.by))
