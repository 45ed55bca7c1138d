"""Tools for talking: to people, to colleagues, in channels.

Each message is committed together with its call's result, under the call's id: it is said exactly once.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from dayshift.core.artifacts import Artifact
from dayshift.core.ledger import UnitOfWork
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities.talk import Sender, Talk
from dayshift.facilities.threads import channel_id

FAMILY = "messages"
READ_MAX = 100


class MessageUser(msgspec.Struct, forbid_unknown_fields=True):
    """Send a message to a person now.

    The last text of a run that a person's direct message started reaches that person anyway; use this to say something before that, or to a person who did not ask.
    """

    message: Annotated[str, Meta(description="What to say, in full.", min_length=1)]
    person: Annotated[
        str, Meta(description="The person's id; leave it out for the one this work is for.")
    ] = ""


class MessageAgent(msgspec.Struct, forbid_unknown_fields=True):
    """Send a message to a colleague. It wakes them; you do not wait for an answer."""

    to: Annotated[str, Meta(description="The colleague's name.", min_length=1)]
    message: Annotated[
        str, Meta(description="What to say: goal, context, what you expect.", min_length=1)
    ]


class PostChannel(msgspec.Struct, forbid_unknown_fields=True):
    """Post in a channel you are a member of. Wakes only the agents you mention."""

    channel: Annotated[str, Meta(description="The channel's name, without #.", min_length=1)]
    message: Annotated[str, Meta(description="What to say. @name mentions a member.", min_length=1)]
    mentions: Annotated[
        list[str], Meta(description="Members to wake, beside those mentioned in the text.")
    ] = []


class ReadChannel(msgspec.Struct, forbid_unknown_fields=True):
    """Read what was last said in a channel, oldest first."""

    channel: Annotated[str, Meta(description="The channel's name, without #.", min_length=1)]
    limit: Annotated[int, Meta(description="How many messages.", ge=1, le=READ_MAX)] = 30


class ListAgents(msgspec.Struct, forbid_unknown_fields=True):
    """List who works here: name, job, manager, whether they are on duty and busy."""


def tools(talk: Talk, book: DutyBook) -> list[Tool]:
    """The tools of this family."""

    async def message_user(ctx: ToolContext, args: MessageUser) -> ToolResult:
        person = args.person or await talk.person_behind(ctx.thread_id, ctx.task_id)
        plan = talk.plan_to_person(_sender(ctx), args.message, person)

        def effect(unit: UnitOfWork) -> ToolResult:
            message = plan(unit)
            return _said(f"Sent to {person} as {message.id}.", message.id)

        return ToolResult(ok=True, text="", effect=effect)

    async def message_agent(ctx: ToolContext, args: MessageAgent) -> ToolResult:
        plan = talk.plan_to_agent(_sender(ctx), args.message, args.to)

        def effect(unit: UnitOfWork) -> ToolResult:
            message = plan(unit)
            return _said(
                f"Sent to {args.to} as {message.id}; it wakes them. If they answer, you are woken.",
                message.id,
            )

        return ToolResult(ok=True, text="", effect=effect)

    async def post_channel(ctx: ToolContext, args: PostChannel) -> ToolResult:
        channel = args.channel.removeprefix("#")
        plan = talk.plan_to_channel(_sender(ctx), args.message, channel, mentions=args.mentions)

        def effect(unit: UnitOfWork) -> ToolResult:
            message, strangers = plan(unit)
            more = (
                f" Not woken, since they are no members: {', '.join(strangers)}."
                if strangers
                else ""
            )
            woken = (
                f" Woken: {', '.join(message.mentions)}."
                if message.mentions
                else " Nobody was woken."
            )
            return _said(f"Posted in #{channel} as {message.id}.{woken}{more}", message.id)

        return ToolResult(ok=True, text="", effect=effect)

    async def read_channel(ctx: ToolContext, args: ReadChannel) -> ToolResult:
        channel = args.channel.removeprefix("#")
        view = await talk.thread(channel_id(channel))
        if ctx.agent not in view.members:
            return ToolResult(ok=False, text=f"You are not a member of #{channel}.", code="denied")
        page = await talk.messages(view.id, before="", limit=args.limit)
        lines = [f"[{m.at:%Y-%m-%d %H:%M}] {m.author}: {m.text}" for m in reversed(page.items)]
        return ToolResult(ok=True, text="\n".join(lines) or f"Nothing was said in #{channel} yet.")

    async def list_agents(_ctx: ToolContext, _args: ListAgents) -> ToolResult:
        lines = [
            f"{a.name}: {a.title or a.description.split(chr(10))[0] or 'agent'}"
            + (f"; reports to {a.reports_to}" if a.reports_to else "")
            + f"; {a.duty}, {a.activity}"
            for a in book.all()
        ]
        return ToolResult(ok=True, text="\n".join(lines))

    return [
        define(MessageUser, message_user, name="message_user", family=FAMILY),
        define(MessageAgent, message_agent, name="message_agent", family=FAMILY),
        define(PostChannel, post_channel, name="post_channel", family=FAMILY),
        define(ReadChannel, read_channel, name="read_channel", family=FAMILY, read_only=True),
        define(ListAgents, list_agents, name="list_agents", family=FAMILY, read_only=True),
    ]


def _sender(ctx: ToolContext) -> Sender:
    return Sender(agent=ctx.agent, run=ctx.run_id, call=ctx.call_id, hops=ctx.hops)


def _said(text: str, message: str) -> ToolResult:
    return ToolResult(ok=True, text=text, artifacts=(Artifact(kind="message", id=message),))
