"""The doctor's command: what works on this machine, what does not, and what would help."""

import asyncio
from typing import TYPE_CHECKING

import typer

from dayshift.app.cli.address import find
from dayshift.app.cli.desk import Desk
from dayshift.app.cli.failure import FAILED, FailureError
from dayshift.app.cli.late import late_examine, late_server

if TYPE_CHECKING:
    from dayshift.app.doctor import Report

MARKS = {"good": "ok  ", "note": "note", "bad": "BAD "}


def doctor(desk: Desk) -> None:
    """Examine this machine: Python, UI, home, disk, database, port, isolation, providers."""
    report = asyncio.run(_examine(desk))
    desk.show(report, "\n".join(_lines(report)))
    if not report.is_good:
        raise typer.Exit(FAILED)


async def _examine(desk: Desk) -> "Report":
    examine = late_examine()
    with desk.output.progress("Examining") as progress:
        url = await _server_url(desk)
        return await examine(desk.of_server.settings, server_url=url, tell=progress.tell)


async def _server_url(desk: Desk) -> str:
    """Where this home's server answers; empty when none does."""
    try:
        address = find(desk.settings)
        async with late_server()(address) as server:
            await server.get("health")
    except FailureError:
        return ""
    return address.url


def _lines(report: "Report") -> list[str]:
    lines = [f"Dayshift {report.version}, home {report.home}", ""]
    for finding in report.findings:
        lines.append(f"{MARKS[finding.verdict]}  {finding.name}: {finding.told}")
        if finding.hint:
            lines.append(f"      {finding.hint}")
    lines += ["", "Models"]
    for provider in report.providers:
        if provider.usable:
            lines.append(
                f"  yes  {provider.id}: {provider.default_model or provider.hint or provider.name}"
            )
        else:
            lines.append(f"  no   {provider.id}: {provider.reason} {provider.hint}".rstrip())
    return lines
