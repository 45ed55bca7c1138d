"""Runs, events, files and usage of an office, as people look at them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from dayshift.app.office import Office
from dayshift.core.details import (
    CallDetail,
    EventDetail,
    FilePart,
    FolderView,
    Page,
    RunDetail,
    UsageReport,
)
from dayshift.core.entries import Recorded
from dayshift.core.errors import ConflictError, NotFoundError, OfficeError
from dayshift.core.events import Event
from dayshift.core.model import Fragment, ModelRequest, ToolSchema, ToolSet
from dayshift.core.states import RUN_ENDS, Priority
from dayshift.core.views import Decision, EventView, RunView
from dayshift.core.wishes import EventFilter, RunFilter, UsageKey
from dayshift.facilities.records import Records

ENTRIES_SHOWN = 1_000
RESULT_BYTES_SHOWN = 1_000_000


class Runs:
    """Runs, their turns and their calls."""

    def __init__(self, office: Office, records: Records) -> None:
        """Reads from the ledger; stops and steers the staff."""
        self._office = office
        self._records = records

    async def list(self, wanted: RunFilter, *, before: str, limit: int) -> Page[RunView]:
        """Runs, newest first."""
        return await self._records.runs(wanted, before=before, limit=limit)

    async def one(self, run: str) -> RunDetail:
        """One run."""
        return await self._records.run(run)

    async def cancel(self, run: str, *, reason: str, by: str) -> RunView:
        """End a run within a second, its commands with it."""
        view = await self._open(run)
        await self._office.staff.cancel(view.id, reason=reason, by=by)
        return (await self._records.run(run)).run

    async def steer(self, run: str, text: str, *, by: str) -> RunView:
        """Tell the running run something before its next model request."""
        view = await self._open(run)
        event = Event(
            source="person",
            type="steer",
            text=text,
            priority=Priority.HIGH,
            target=view.agent,
            by=by,
            thread=view.thread,
            steer=True,
        )
        await self._office.bus.commit(self._office.dispatcher.plan(event), actor=by)
        return view

    async def _open(self, run: str) -> RunView:
        view = (await self._records.run(run)).run
        if view.state in RUN_ENDS:
            raise ConflictError(f"{run} has ended: it is {view.state}.")
        return view

    async def request_body(self, run: str, turn: int) -> bytes:
        """The JSON body as it was sent to the provider, rendered again from the ledger."""
        view, prompt, messages, rest = await self._records.request(run, turn)
        if not prompt:
            raise NotFoundError(f"The prompt of turn {turn} of {run} is not kept any more.")
        kept: dict[str, Any] = msgspec.json.decode(prompt)
        facts: dict[str, Any] = msgspec.json.decode(rest)
        model = self._office.ground.catalogue(self._office.name).resolve(view.model)
        request = ModelRequest(
            model=view.model.partition(":")[2],
            system=kept["system"],
            messages=[Fragment(message) for message in messages],
            tools=ToolSet(tuple(msgspec.convert(one, ToolSchema) for one in kept["tools"])),
            thinking=facts.get("thinking", "off") if model.facts.reasoning else "off",
            tool_choice=facts.get("choice", "auto"),
            max_output_tokens=model.facts.output_tokens,
        )
        return model.render(request)

    async def answer_body(self, run: str, turn: int) -> bytes:
        """The canonical answer as JSON."""
        return msgspec.json.encode(await self._records.answer(run, turn))

    async def call(self, call: str) -> CallDetail:
        """One call, its result whole as far as it can be shown.

        A result that was shortened for the model lies in the agent's workspace; it counts as long
        as it has the size it had.
        """
        found = await self._records.call(call)
        view = found.call
        if not view.result_path:
            return found
        computer = self._office.computer_of(view.agent)
        try:
            whole = await computer.read(view.result_path, limit=RESULT_BYTES_SHOWN)
        except OfficeError:
            return found
        if whole.size_bytes != view.result_bytes:
            return found
        return msgspec.structs.replace(found, result=whole.data.decode(errors="replace"))


class Events:
    """Events and what the attention filter made of them."""

    def __init__(self, office: Office, records: Records) -> None:
        """Reads from the ledger; publishes through the dispatcher."""
        self._office = office
        self._records = records

    async def list(self, wanted: EventFilter, *, before: str, limit: int) -> Page[EventView]:
        """Events, newest first."""
        return await self._records.events(wanted, before=before, limit=limit)

    async def publish(self, event: Event, *, by: str) -> EventView:
        """Put an event on the bus."""
        stamped = msgspec.structs.replace(event, by=by)
        published = await self._office.bus.commit(self._office.dispatcher.plan(stamped), actor=by)
        return published.event

    async def decisions(self, event: str, *, after: str, limit: int) -> EventDetail:
        """The event, and the decisions by agent name."""
        view, told = await self._records.event(event)
        known = {decision.agent: decision for decision in told}
        names = sorted({*known, *(agent.name for agent in self._office.book.all())})
        page = [name for name in names if name > after][: limit + 1]
        decisions = [known.get(name) or self._explained(view, name) for name in page[:limit]]
        return EventDetail(
            event=view, decisions=decisions, next=page[limit - 1] if len(page) > limit else None
        )

    def _explained(self, view: EventView, agent: str) -> Decision:
        event = Event(
            source=view.source,
            type=view.type,
            text=view.text,
            priority=Priority(view.priority),
            target=view.target,
            payload=view.payload,
            by=view.by,
        )
        return self._office.index.explain(event, agent)


class Files:
    """Agents' workspaces, read-only."""

    def __init__(self, office: Office, records: Records) -> None:
        """Reads through the agents' computers, which keep to the workspace."""
        self._office = office
        self._records = records

    async def entries(self, agent: str, path: str) -> FolderView:
        """A folder."""
        self._office.book.one(agent)
        found = await self._office.computer_of(agent).entries(path or ".", limit=ENTRIES_SHOWN + 1)
        return FolderView(
            path=path, items=found[:ENTRIES_SHOWN], truncated=len(found) > ENTRIES_SHOWN
        )

    async def content(self, agent: str, path: str, *, offset: int, limit: int) -> FilePart:
        """Bytes ``offset`` to ``offset + limit`` of a file."""
        self._office.book.one(agent)
        computer = self._office.computer_of(agent)
        info = await computer.info(path)
        content = await computer.read(path, offset=offset, limit=limit)
        return FilePart(data=content.data, info=info)

    async def history(self, agent: str, path: str) -> Sequence[Recorded]:
        """The ``file_written`` entries of a path, newest first."""
        self._office.book.one(agent)
        return await self._records.writes(agent, path)


class UsageDesk:
    """What models cost."""

    def __init__(self, office: Office, records: Records) -> None:
        """Reads from the ledger."""
        self._office = office
        self._records = records

    async def report(self, *, by: UsageKey, days: int) -> UsageReport:
        """Usage of the last ``days`` office days with today."""
        ceiling = self._office.config.budget.usd_micros_per_day
        return await self._records.usage(by=by, days=days, limit_micros=ceiling)
