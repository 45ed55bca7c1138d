"""The feed, the snapshot it starts from, and the ledger it tells."""

from typing import Annotated

from fastapi import Depends, Header, Query, Request

from dayshift.core.details import Page
from dayshift.core.entries import Recorded
from dayshift.core.snapshot import Snapshot
from dayshift.core.wishes import LedgerFilter
from dayshift.web.doors import InOffice, Inside, settings_of, still_admitted
from dayshift.web.reply import Encoded, Reply
from dayshift.web.route import Before, Limit, Word, page
from dayshift.web.sse import FeedResponse

router = page("/api/offices/{office}", "Feed")
PERMISSION = "ledger:read"
Reading = Annotated[Inside, Depends(InOffice(PERMISSION))]
DIGITS_MAX = 15


@router.get("/snapshot")
async def read_snapshot(inside: Reading) -> Encoded[Snapshot]:
    """The office as of its newest entry: agents, threads, tasks, and what is open."""
    return Encoded(await inside.rooms.feed.snapshot())


@router.get("/feed", response_class=FeedResponse)
async def watch_feed(
    request: Request,
    inside: Reading,
    office: str,
    after: Annotated[
        str, Query(description="Number of the last entry one has.", max_length=64)
    ] = "",
    last_event_id: Annotated[
        str, Header(description="The same, as browsers send it; it counts before `after`.")
    ] = "",
) -> FeedResponse:
    """Everything that happens, as server-sent events, gapless and in order.

    Entries come as `id: <seq>` with a Recorded; text that is being written as `event: live` without
    an id. Whoever names no entry, or one that is too old or unknown, is sent `event: snapshot`
    first. A comment comes every 15 seconds, `event: bye` before the server closes.
    """
    start = _number(last_event_id or after)
    return FeedResponse(
        inside.rooms.feed.watch(start),
        is_admitted=still_admitted(request, PERMISSION, office=office),
        settings=settings_of(request),
    )


def _number(text: str) -> int | None:
    fits = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    return int(text) if fits else None


def wanted_entries(
    kind: Word = "",
    agent: Word = "",
    run: Word = "",
    task: Word = "",
    actor: Word = "",
    text: Word = "",
) -> LedgerFilter:
    """The filter in a query."""
    return LedgerFilter(kind=kind, agent=agent, run=run, task=task, actor=actor, text=text)


@router.get("/ledger")
async def list_entries(
    inside: Reading,
    wanted: Annotated[LedgerFilter, Depends(wanted_entries)],
    before: Before = "",
    after: Annotated[str, Query(description="Only entries with larger numbers.")] = "",
    limit: Limit = 50,
) -> Reply[Page[Recorded]]:
    """Entries of the ledger, newest first. `kind` may name several, with commas."""
    page_ = await inside.rooms.ledger.page(wanted, before=before, after=after, limit=limit)
    return Reply(page_)
