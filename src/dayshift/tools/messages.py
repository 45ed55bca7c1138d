"""Tools for talking: to people, to colleagues, in channels.

Each message is committed together with its call's result, under the call's id: it is said exactly
once.
"""

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from dayshift.core.artifacts import Artifact
from dayshift.core.ledger import UnitOfWork
from dayshift.core.tools import Effect, Tool, ToolContext, ToolResult, atomic, define, refused
from dayshift.core.views import AgentView
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities.agent_talk import AgentTalk, HopsSpentError, Sender
from dayshift.facilities.talk import Talk

FAMILY = "messages"
READ_MAX = 100


class MessageUser(msgspec.Struct, forbid_unknown_fields=True):
    """Send a message to a person now.

    The last text of a run that a person's direct message started reaches that person anyway; use
    this to say something before that, or to a person who did not ask.
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


class Tools:
    """The functions behind the tools."""

    def __init__(self, talk: Talk, book: DutyBook) -> None:
        """What they say is said through ``talk``."""
        self._talk = talk
        self._agents = talk.agents
        self._book = book

    async def message_user(self, ctx: ToolContext, args: MessageUser) -> ToolResult:
        """message_user."""
        person = args.person or await self._agents.person_behind(ctx.thread_id, ctx.task_id)
        plan = self._agents.plan_to_person(_sender(ctx), args.message, person)

        def effect(unit: UnitOfWork) -> ToolResult:
            message = plan(unit)
            return _said(f"Sent to {person} as {message.id}.", message.id)

        return ToolResult(ok=True, text="", effect=effect)

    async def message_agent(self, ctx: ToolContext, args: MessageAgent) -> ToolResult:
        """message_agent."""
        plan = self._agents.plan_to_agent(_sender(ctx), args.message, args.to)

        def say(unit: UnitOfWork) -> ToolResult:
            message = plan(unit)
            return _said(
                f"Sent to {args.to} as {message.id}; it wakes them. If they answer, you are woken.",
                message.id,
            )

        return ToolResult(ok=True, text="", effect=_stopping(say, self._agents))

    async def post_channel(self, ctx: ToolContext, args: PostChannel) -> ToolResult:
        """post_channel."""
        plan = self._agents.plan_to_channel(
            _sender(ctx), args.message, args.channel, mentions=args.mentions
        )

        def say(unit: UnitOfWork) -> ToolResult:
            message, strangers = plan(unit)
            text = f"Posted in #{args.channel.removeprefix('#')} as {message.id}."
            woken = ", ".join(message.mentions)
            text += f" Woken: {woken}." if woken else " Nobody was woken."
            if strangers:
                text += f" Not woken, since they are no members: {', '.join(strangers)}."
            return _said(text, message.id)

        return ToolResult(ok=True, text="", effect=_stopping(say, self._agents))

    async def read_channel(self, ctx: ToolContext, args: ReadChannel) -> ToolResult:
        """read_channel."""
        view = await self._agents.channel_for(ctx.agent, args.channel)
        page = await self._talk.messages(view.id, before="", limit=args.limit)
        lines = [f"[{m.at:%Y-%m-%d %H:%M}] {m.author}: {m.text}" for m in reversed(page.items)]
        return ToolResult(
            ok=True, text="\n".join(lines) or f"Nothing was said in #{view.name} yet."
        )

    async def list_agents(self, _ctx: ToolContext, _args: ListAgents) -> ToolResult:
        """list_agents."""
        return ToolResult(ok=True, text="\n".join(_line(agent) for agent in self._book.all()))


def tools(talk: Talk, book: DutyBook) -> list[Tool]:
    """The tools of this family."""
    it = Tools(talk, book)
    return [
        atomic(define(MessageUser, it.message_user, name="message_user", family=FAMILY)),
        atomic(define(MessageAgent, it.message_agent, name="message_agent", family=FAMILY)),
        atomic(define(PostChannel, it.post_channel, name="post_channel", family=FAMILY)),
        define(ReadChannel, it.read_channel, name="read_channel", family=FAMILY, read_only=True),
        define(ListAgents, it.list_agents, name="list_agents", family=FAMILY, read_only=True),
    ]


def _line(agent: AgentView) -> str:
    job = agent.title or agent.description.partition("\n")[0] or "agent"
    boss = f"; reports to {agent.reports_to}" if agent.reports_to else ""
    group = f"; group {agent.group}" if agent.group else ""
    return f"{agent.name}: {job}{group}{boss}; {agent.duty}, {agent.activity}"


def _stopping(say: Callable[[UnitOfWork], ToolResult], agents: AgentTalk) -> Effect:
    """Say something; when agents have talked long enough, say that instead, and tell the people."""

    def effect(unit: UnitOfWork) -> ToolResult:
        try:
            return say(unit)
        except HopsSpentError as spent:
            agents.tell_stopped(unit, spent)
            return refused(spent)

    return effect


def _sender(ctx: ToolContext) -> Sender:
    return Sender(
        agent=ctx.agent, run=ctx.run_id, call=ctx.call_id, hops=ctx.hops, task=ctx.task_id
    )


def _said(text: str, message: str) -> ToolResult:
    return ToolResult(ok=True, text=text, artifacts=(Artifact(kind="message", id=message),))
