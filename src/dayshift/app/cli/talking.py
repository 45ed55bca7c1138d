"""Commands that talk: messages to agents, threads and channels."""

import sys
import uuid
from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.failure import FAILED, REFUSED, FailureError
from dayshift.app.cli.shown import moment, state
from dayshift.app.cli.waiting import Waiting, last_seq
from dayshift.core.details import Page, Posted
from dayshift.core.views import MessageView, ThreadView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Reply, Server

threads = typer.Typer(help="Conversations: list, read, write.")
channels = typer.Typer(help="Channels of an office: create, edit, delete.")
Thread = Annotated[str, typer.Argument(metavar="THREAD", help="Its id; see thread list.")]
Text = Annotated[str, typer.Argument(help="The text; - reads it from standard input.")]
Channel = Annotated[str, typer.Argument(metavar="CHANNEL", help="The channel's name.")]
Members = Annotated[
    list[str] | None, typer.Option("--member", metavar="AGENT", help="A member; repeatable.")
]


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

    async def work(server: "Server") -> "tuple[int, Reply, Posted]":
        seq = await last_seq(server, office) if wait else 0
        path = ("offices", office, "agents", agent, "messages")
        reply = await server.send("POST", *path, body=wish)
        return seq, reply, await reply.read(Posted)

    seq, reply, posted = desk.ask(work, doing="Sending")
    if not wait:
        to = f"{posted.item.id} in the inbox" if posted.item else "told to the run under way"
        desk.show(reply.raw, f"{posted.message.id}: {to} of {agent}.")
        return
    waiting = Waiting(office, agent, posted, after=seq, limit_s=limit)
    ended, answers = desk.ask(waiting.work, doing=f"{agent} is at work")
    document = {"posted": posted, "state": ended.state, "reason": ended.reason, "answers": answers}
    desk.show(document, "\n\n".join(message.text for message in answers))
    if not ended.ok:
        told = f": {ended.reason.rstrip('.')}" if ended.reason else ""
        desk.output.note(f"The work on the message is {state(ended.state)}{told}.")
        raise typer.Exit(FAILED)


@command(threads, "list")
def list_threads(desk: Desk, office: OfficeArgument = None) -> None:
    """List conversations, the latest talk first."""
    raw, page = desk.read(Page[ThreadView], "threads", doing="Reading the threads", office=office)
    found = page.items
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
    desk.show_table(raw, head, rows, empty="No conversations.")


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

    raw, page = desk.read(
        Page[MessageView], "threads", thread, "messages", query=query, doing="Reading the thread"
    )
    lines = [
        f"{moment(message.at)}  {message.author}: {message.text}"
        for message in reversed(page.items)
    ]
    desk.show(raw, "\n".join(lines) or "No messages.")
    if page.next:
        desk.output.note(f"Older ones: --before {page.next}")


@command(threads, "write", in_office=True)
def write_thread(desk: Desk, thread: Thread, text: Text) -> None:
    """Write into a conversation."""
    wish = {"text": _read(text), "mode": "queue", "key": uuid.uuid4().hex}

    raw, posted = desk.tell(
        "POST", Posted, "threads", thread, "messages", body=wish, doing="Writing"
    )
    desk.show(raw, f"{posted.message.id} in {posted.message.thread}.")


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

    raw, made = desk.tell("POST", ThreadView, "channels", body=draft, doing="Creating the channel")
    desk.show(raw, f"{made.name} is {made.id}, with {len(made.members)} members.")


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

    raw, now = desk.tell(
        "PATCH", ThreadView, "channels", channel, body=changes, doing="Changing the channel"
    )
    desk.show(raw, f"{now.name}: {now.description} ({len(now.members)} members)")


@command(channels, in_office=True)
def delete(desk: Desk, channel: Channel) -> None:
    """Delete a channel and its messages from view."""
    desk.delete("channels", channel, doing="Deleting the channel")
    desk.show({"deleted": channel}, f"{channel} is deleted.")


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
