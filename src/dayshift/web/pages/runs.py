"""Runs: turns, calls, and what was said to the model and back."""

from typing import Annotated, Any

from fastapi import Depends, Path
from msgspec import Meta

from dayshift.core.details import CallDetail, Page, RunDetail
from dayshift.core.views import RunView
from dayshift.core.wishes import RunFilter, Wish
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import InOffice, Inside
from dayshift.web.reply import Encoded, Reply
from dayshift.web.route import Before, Limit, Word, page

router = page("/api/offices/{office}", "Runs")
Reading = Annotated[Inside, Depends(InOffice("runs:read"))]
Control = Annotated[Inside, Depends(InOffice("runs:control"))]
TurnNumber = Annotated[int, Path(description="The turn's number, from 1.", ge=1, le=2**53)]


class Reason(Wish, frozen=True, kw_only=True):
    """Why a run is cancelled; kept with it."""

    reason: Annotated[str, Meta(max_length=1_000)] = ""


class Steer(Wish, frozen=True, kw_only=True):
    """What to tell a running run before its next model request."""

    text: Annotated[str, Meta(min_length=1, max_length=20_000, pattern=r"\S")]


def wanted_runs(
    agent: Word = "", state: Word = "", task: Word = "", thread: Word = ""
) -> RunFilter:
    """The filter in a query."""
    return RunFilter(agent=agent, state=state, task=task, thread=thread)


@router.get("/runs")
async def list_runs(
    inside: Reading,
    wanted: Annotated[RunFilter, Depends(wanted_runs)],
    before: Before = "",
    limit: Limit = 50,
) -> Reply[Page[RunView]]:
    """Runs, newest first."""
    return Reply(await inside.rooms.runs.list(wanted, before=before, limit=limit))


@router.get("/runs/{run}")
async def read_run(run: str, inside: Reading) -> Reply[RunDetail]:
    """One run with its turns and calls."""
    return Reply(await inside.rooms.runs.one(run))


@router.post("/runs/{run}/cancel")
async def cancel_run(
    run: str, inside: Control, why: Annotated[Reason, Depends(BodyOf(Reason, optional=True))]
) -> Reply[RunView]:
    """End a run within a second, and whatever it started."""
    return Reply(await inside.rooms.runs.cancel(run, reason=why.reason, by=inside.by))


@router.post("/runs/{run}/steer")
async def steer_run(
    run: str, inside: Control, steer: Annotated[Steer, Depends(BodyOf(Steer))]
) -> Reply[RunView]:
    """Tell a running run something before its next model request."""
    return Reply(await inside.rooms.runs.steer(run, steer.text, by=inside.by))


@router.get("/runs/{run}/turns/{n}/request")
async def read_request(run: str, n: TurnNumber, inside: Reading) -> Encoded[Any]:
    """The body of a turn's model request, as it was sent."""
    return Encoded(await inside.rooms.runs.request_body(run, n))


@router.get("/runs/{run}/turns/{n}/response")
async def read_response(run: str, n: TurnNumber, inside: Reading) -> Encoded[Any]:
    """A turn's answer in our own form."""
    return Encoded(await inside.rooms.runs.answer_body(run, n))


@router.get("/calls/{call}")
async def read_call(call: str, inside: Reading) -> Reply[CallDetail]:
    """One tool call with its whole arguments and result."""
    return Reply(await inside.rooms.runs.call(call))
