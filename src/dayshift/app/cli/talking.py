"""Commands that talk: messages to agents, threads and channels."""

import sys
import uuid
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dayshift.app.cli.choice import the_office
from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.failure import FAILED, REFUSED, FailureError
from dayshift.app.cli.late import late_lost
from dayshift.app.cli.shown import moment, state
from dayshift.core.details import Page, Posted
from dayshift.core.entries import ItemChanged, Recorded, RunChanged, TurnEnded
from dayshift.core.snapshot import Snapshot
from dayshift.core.states import RUN_ENDS, ItemState
from dayshift.core.views import MessageView, ThreadView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

threads = typer.Typer(help="Conversations: list, read, write.")
channels = typer.Typer(help="Channels of an office: create, edit, delete.")
ITEM_ENDS = frozenset({ItemState.DONE, ItemState.PARKED, ItemState.CANCELLED, ItemState.EXPIRED})
Thread = Annotated[str, typer.Argument(metavar="THREAD", help="Its id; see thread list.")]
Text = Annotated[str, typer.Argument(help="The text; - reads it from standard input.")]
Channel = Annotated[str, typer.Argument(metavar="CHANNEL", help="The channel's name.")]
Members = Annotated[
    list[str] | None, typer.Option("--member", metavar="AGENT", help="A member; repeatable.")
]


class _Ended(msgspec.Struct, frozen=True):
    """How the work on a message ended."""

    state: str
    reason: str
    ok: bool


def send(
    desk: Desk,
    office: Annotated[str, typer.Argument(metavar="OFFICE", help="The office's name.")],
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's name.")],
    text: Text,
    *,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until it is worked off, and print the answers.")
    ] = False,
    steer: Annotated[
        bool, typer.Option("--steer", help="Tell it the run under way, if there is one.")
    ] = False,
    limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="Longest wait with --wait.")
    ] = 3_600.0,
) -> None:
    """Send a message to an agent."""
    # The key makes the message arrive once, however often the request does.
    wish = {
        "text": _read(text),
        "mode": "steer" if steer else "queue",
        "key": uuid.uuid4().hex,
    }

    async def work(server: "Server") -> "tuple[Reply, Posted]":
        path = ("offices", office, "agents", agent, "messages")
        reply = await server.send("POST", *path, body=wish)
        return reply, await reply.read(Posted)

    reply, posted = desk.ask(work, doing="Sending")
    if not wait:
        to = f"{posted.item.id} in the inbox" if posted.item else "told to the run under way"
        desk.show(reply.raw, f"{posted.message.id}: {to} of {agent}.")
        return
    ended, answers = desk.ask(_Waiting(office, agent, posted, limit).work, doing="At work")
    document = {"posted": posted, "state": ended.state, "reason": ended.reason, "answers": answers}
    desk.show(document, "\n\n".join(message.text for message in answers))
    if not ended.ok:
        told = f": {ended.reason}" if ended.reason else ""
        desk.output.note(f"The work on the message is {state(ended.state)}{told}.")
        raise typer.Exit(FAILED)


class _Waiting:
    """Waits until a message is worked off, and reads the answers."""

    def __init__(self, office: str, agent: str, posted: Posted, limit_s: float) -> None:
        self._office = office
        self._agent = agent
        self._posted = posted
        self._limit_s = limit_s
        self._run = ""

    async def work(self, server: "Server") -> tuple[_Ended, list[MessageView]]:
        """How it ended, and the agent's messages in the thread since, oldest first."""
        import asyncio

        try:
            async with asyncio.timeout(self._limit_s):
                ended = await self._ended(server)
        except TimeoutError as error:
            raise FailureError(
                f"{self._agent} was not done after {self._limit_s:g} s; the work goes on.",
                code="no_answer",
                hint="dayshift status shows how it stands.",
                retryable=False,
                exit_code=FAILED,
            ) from error
        except late_lost() as error:
            raise FailureError(
                "The connection ended while waiting; the message is with the agent.",
                code="no_answer",
                hint=f"dayshift thread show {self._posted.message.thread} shows the answer.",
                exit_code=FAILED,
            ) from error
        return ended, await self._answers(server)

    async def _ended(self, server: "Server") -> _Ended:
        """Follow the feed until the item, or the run that was steered, has ended."""
        async with server.feed(self._office, after="") as frames:
            async for frame in frames:
                ended: _Ended | None = None
                if frame.event == "snapshot":
                    ended = self._at_once(msgspec.json.decode(frame.data, type=Snapshot))
                elif frame.event == "message":
                    ended = self._after(msgspec.json.decode(frame.data, type=Recorded))
                if ended is not None:
                    return ended
        raise late_lost()(said_bye=False)

    def _at_once(self, snapshot: Snapshot) -> _Ended | None:
        """How it ended before the feed began: what is open stands in the snapshot."""
        if self._posted.item is not None:
            item = snapshot.items.get(self._posted.item.id)
            if item is None:
                return _Ended(ItemState.DONE, "", ok=True)
            return _Ended(item.state, item.reason, ok=False) if item.state in ITEM_ENDS else None
        agent = snapshot.agents.get(self._agent)
        self._run = agent.run if agent else ""
        return None if self._run else _Ended("ended", "", ok=True)

    def _after(self, recorded: Recorded) -> _Ended | None:
        match recorded.entry:
            case ItemChanged(item=item) if self._posted.item is not None:
                if item.id == self._posted.item.id and item.state in ITEM_ENDS:
                    return _Ended(item.state, item.reason, ok=item.state is ItemState.DONE)
            case RunChanged(run=run) | TurnEnded(run=run) if self._posted.item is None:
                if run.id == self._run and run.state in RUN_ENDS:
                    return _Ended(run.state, run.reason, ok=run.state == "completed")
            case _:
                pass
        return None

    async def _answers(self, server: "Server") -> list[MessageView]:
        message = self._posted.message
        path = ("offices", self._office, "threads", message.thread, "messages")
        page = await (await server.get(*path, query={"limit": 200})).read(Page[MessageView])
        return [each for each in reversed(page.items) if each.n > message.n and _is_agents(each)]


@command(threads, "list")
def list_threads(desk: Desk, office: OfficeArgument = None) -> None:
    """List conversations, the latest talk first."""

    async def work(server: "Server") -> "tuple[Reply, list[ThreadView]]":
        name = await the_office(server, office or "")
        reply = await server.get("offices", name, "threads")
        return reply, (await reply.read(Page[ThreadView])).items

    reply, found = desk.ask(work, doing="Reading the threads")
    rows = [
        (
            thread.id,
            thread.kind,
            thread.name,
            str(thread.messages),
            moment(thread.last_at),
            f"{thread.last_author}: {thread.last_text}" if thread.last_author else "",
        )
        for thread in found
    ]
    head = ("THREAD", "KIND", "NAME", "MESSAGES", "LAST", "TEXT")
    desk.show_table(reply.raw, head, rows, empty="No conversations.")


@command(threads, "show", in_office=True)
def show_thread(
    desk: Desk,
    thread: Thread,
    *,
    before: Annotated[
        str, typer.Option(metavar="CURSOR", help="Older than this; `next` of the last page.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many at most.")] = 50,
) -> None:
    """Read a conversation, oldest message first."""
    query = {"before": before, "limit": limit}

    async def work(server: "Server") -> "tuple[Reply, Page[MessageView]]":
        name = await the_office(server, desk.office)
        reply = await server.get("offices", name, "threads", thread, "messages", query=query)
        return reply, await reply.read(Page[MessageView])

    reply, page = desk.ask(work, doing="Reading the thread")
    lines = [
        f"{moment(message.at)}  {message.author}: {message.text}"
        for message in reversed(page.items)
    ]
    desk.show(reply.raw, "\n".join(lines) or "No messages.")
    if page.next:
        desk.output.note(f"Older ones: --before {page.next}")


@command(threads, "write", in_office=True)
def write_thread(desk: Desk, thread: Thread, text: Text) -> None:
    """Write into a conversation."""
    wish = {"text": _read(text), "mode": "queue", "key": uuid.uuid4().hex}

    async def work(server: "Server") -> "tuple[Reply, Posted]":
        name = await the_office(server, desk.office)
        path = ("offices", name, "threads", thread, "messages")
        reply = await server.send("POST", *path, body=wish)
        return reply, await reply.read(Posted)

    reply, posted = desk.ask(work, doing="Writing")
    desk.show(reply.raw, f"{posted.message.id} in {posted.message.thread}.")


@command(channels, in_office=True)
def create(
    desk: Desk,
    channel: Channel,
    *,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    member: Members = None,
) -> None:
    """Make a channel; without members it is for all agents."""
    draft = {"name": channel, "description": description, "members": member or []}

    async def work(server: "Server") -> "tuple[Reply, ThreadView]":
        name = await the_office(server, desk.office)
        reply = await server.send("POST", "offices", name, "channels", body=draft)
        return reply, await reply.read(ThreadView)

    reply, made = desk.ask(work, doing="Creating the channel")
    desk.show(reply.raw, f"{made.name} is {made.id}, with {len(made.members)} members.")


@command(channels, in_office=True)
def edit(
    desk: Desk,
    channel: Channel,
    *,
    rename: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    member: Members = None,
) -> None:
    """Change a channel; what is not given stays as it is."""
    told = {"name": rename, "description": description, "members": member}
    changes = {field: value for field, value in told.items() if value is not None}

    async def work(server: "Server") -> "tuple[Reply, ThreadView]":
        name = await the_office(server, desk.office)
        reply = await server.send("PATCH", "offices", name, "channels", channel, body=changes)
        return reply, await reply.read(ThreadView)

    reply, now = desk.ask(work, doing="Changing the channel")
    desk.show(reply.raw, f"{now.name}: {now.description} ({len(now.members)} members)")


@command(channels, in_office=True)
def delete(desk: Desk, channel: Channel) -> None:
    """Delete a channel and its messages from view."""

    async def work(server: "Server") -> None:
        name = await the_office(server, desk.office)
        await server.send("DELETE", "offices", name, "channels", channel)

    desk.ask(work, doing="Deleting the channel")
    desk.show({"deleted": channel}, f"{channel} is deleted.")


def _is_agents(message: MessageView) -> bool:
    return message.author_kind == "agent"


def _read(text: str) -> str:
    """The text that was given, or what standard input holds for ``-``."""
    if text != "-":
        return text
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise FailureError(
            "Standard input is not UTF-8 text.", code="invalid", exit_code=REFUSED
        ) from error
