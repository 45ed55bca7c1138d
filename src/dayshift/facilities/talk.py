"""Talk: direct threads, channels and internal talk, for people and for agents.

One message service and one store; the tools and pages differ only in audience. A message and the inbox items it
causes are one unit of work, and its key makes it happen once.
"""

from collections.abc import Callable, Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.details import Page, Posted
from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    NotFoundError,
)
from dayshift.core.events import Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import HOPS_MAX
from dayshift.core.states import Priority
from dayshift.core.views import ItemView, MessageView, RunView, ThreadView
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import threads
from dayshift.facilities.limits import RateLimit
from dayshift.facilities.threads import Post
from dayshift.store import cards, speech
from dayshift.store.rows import Rows
from dayshift.store.writer import Unit

GENERAL = "general"
OFFICE = "office"


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """An agent that speaks, from within a tool call. ``call`` makes the message happen once."""

    agent: str
    run: str
    call: str
    hops: int


class Talk:
    """The threads of one office."""

    def __init__(
        self, bus: Bus, dispatcher: Dispatcher, *, book: DutyBook, person_name: Callable[[str], str]
    ) -> None:
        """``person_name`` gives a person's display name by id, empty when there is none."""
        self._bus = bus
        self._dispatcher = dispatcher
        self._book = book
        self._person_name = person_name
        now = bus.clock.now
        self._messages = RateLimit("messages", 10, window_s=30, now=now)
        self._posts = RateLimit("posts in a channel", 5, window_s=30, now=now)

    # What people do.

    async def post(self, thread: str, text: str, *, person: str, mode: str, key: str) -> Posted:
        """Post a person's message; the same ``key`` again returns the first and does nothing."""
        threads.check_text(text)
        view = await self.thread(thread)
        if view.kind == "internal":
            raise DeniedError(
                "Internal talk is between agents; people read it.",
                hint="Write to one of them directly.",
            )
        if view.kind == "dm" and view.person != person:
            raise DeniedError(
                "This is another person's direct thread.", hint="Write to the agent in your own."
            )
        mentions = threads.mentions_in(text, view.members)
        to = view.members if view.kind == "dm" else (mentions or tuple(view.members))
        to = [name for name in to if self._book.get(name) is not None]
        event_of = self._event_maker(
            view, text, by=f"person:{person}", key=key, steer=mode == "steer"
        )

        def work(unit: Unit) -> Posted:
            post = Post(
                thread=thread,
                author_kind="person",
                author=person,
                text=text,
                key=key and f"person:{person}:{key}",
                mentions=mentions,
            )
            message, new = threads.write(unit, post, self._bus.clock.now())
            items = (
                [
                    item
                    for name in to
                    for item in self._dispatcher.deliver(unit, event_of(name, message)).items
                ]
                if new
                else []
            )
            speech.put_read(unit, person, thread, message.n)
            return Posted(message=message, item=items[0] if items else None)

        return await self._bus.commit(work, actor=f"person:{person}")

    def _event_maker(
        self, view: ThreadView, text: str, *, by: str, key: str, steer: bool
    ) -> Callable[[str, MessageView], Event]:
        source = "channel" if view.kind == "channel" else "person"

        def make(target: str, message: MessageView) -> Event:
            return Event(
                source=source,
                type="message",
                text=text,
                priority=Priority.HIGH,
                target=target,
                by=by,
                thread=view.id,
                dedup_key=f"message:{message.id}:{target}",
                payload={"message": message.id},
                steer=steer,
            )

        return make

    async def dm(self, agent: str, *, person: str) -> ThreadView:
        """The person's direct thread with an agent, made when there is none."""
        self._book.one(agent)
        return await self._bus.commit(
            lambda unit: self.open_dm(unit, agent, person), actor=f"person:{person}"
        )

    def open_dm(self, unit: UnitOfWork, agent: str, person: str) -> ThreadView:
        """The direct thread, made within a unit when there is none."""
        id_ = threads.dm_id(agent, person)
        return threads.ensure(
            unit, threads.new_thread(id_, "dm", name=agent, members=[agent], person=person)
        )

    async def threads(self) -> Sequence[ThreadView]:
        """All threads, the latest talk first."""
        found = await self._bus.read(lambda r: speech.threads(r, self._bus.office))
        return sorted(
            found,
            key=lambda t: (t.last_at is None, -(t.last_at.timestamp() if t.last_at else 0), t.id),
        )

    async def thread(self, thread: str) -> ThreadView:
        """One thread; raises NotFoundError."""
        found = await self._bus.read(lambda r: speech.thread(r, self._bus.office, thread))
        if found is None:
            raise NotFoundError(f"There is no thread {thread}.")
        return found

    async def messages(self, thread: str, *, before: str, limit: int) -> Page[MessageView]:
        """A thread's messages that were not cleared, newest first."""
        view = await self.thread(thread)
        upto = cursor(before)
        found = await self._bus.read(
            lambda r: speech.messages(
                r, self._bus.office, thread, before=upto, after=view.cleared_before, limit=limit + 1
            )
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(found[limit - 1].n) if more else None)

    async def read(self, thread: str, *, person: str, n: int) -> None:
        """Note that the person has read up to message ``n``; never goes back."""
        view = await self.thread(thread)
        await self._bus.commit(
            lambda unit: speech.put_read(unit, person, thread, min(n, view.messages)),
            actor=f"person:{person}",
        )

    async def clear(self, thread: str, *, by: str) -> ThreadView:
        """Hide what was said so far and start the agents' dialogue of it afresh."""
        view = await self.thread(thread)
        if view.kind == "internal":
            raise DeniedError("Internal talk is the agents' record and is not cleared.")

        def work(unit: Unit) -> ThreadView:
            now = speech.thread(unit, unit.office, thread) or view
            cleared = msgspec.structs.replace(
                now, cleared_before=now.messages, last_at=None, last_text="", last_author=""
            )
            speech.put_thread(unit, cleared)
            for member in now.members:
                found = speech.find_dialogue(unit, unit.office, member, f"thread:{thread}")
                if found is not None:
                    speech.close_dialogue(unit, found[0])
            return cleared

        return await self._bus.commit(work, actor=by)

    async def search(self, text: str, *, before: str, limit: int) -> Page[MessageView]:
        """Messages that hold the text, in any case."""
        if not text.strip():
            raise InvalidError("There is nothing to search for.", hint="Give at least one letter.")
        skip = cursor(before)
        found = await self._bus.read(
            lambda r: speech.search_messages(r, self._bus.office, text, limit=skip + limit + 1)
        )
        page = found[skip : skip + limit]
        return Page(items=page, next=str(skip + limit) if len(found) > skip + limit else None)

    # What agents do, within their tool calls.

    async def person_behind(self, thread: str, task: str) -> str:
        """The person whom a run's work is for: of its thread, or of the thread its task's chain began in.

        Raises:
            NotFoundError: No person is behind it.
        """

        def query(asked: Rows) -> str:
            id_ = thread
            if task and not id_.startswith("dm:"):
                card = cards.task(asked, self._bus.office, task)
                id_ = card.thread if card else id_
            view = speech.thread(asked, self._bus.office, id_) if id_ else None
            return view.person if view else ""

        person = await self._bus.read(query)
        if not person:
            raise NotFoundError(
                "No person is behind this work.", hint="Name the person's id, or use post_channel."
            )
        return person

    def plan_to_person(
        self, sender: Sender, text: str, person: str
    ) -> Callable[[UnitOfWork], MessageView]:
        """A message from an agent to a person's direct thread.

        Raises:
            NotFoundError: No such person.
            LimitError: Too fast, or too long.
        """
        threads.check_text(text)
        if not self._person_name(person):
            raise NotFoundError(
                f"There is no person {person!r}.", hint="Leave it out to answer who asked."
            )
        self._messages.take(sender.agent)

        def work(unit: UnitOfWork) -> MessageView:
            thread = self.open_dm(unit, sender.agent, person)
            post = Post(
                thread=thread.id,
                author_kind="agent",
                author=sender.agent,
                text=text,
                key=sender.call,
                run=sender.run,
            )
            return threads.write(unit, post, self._bus.clock.now())[0]

        return work

    def plan_answer(
        self, run: RunView, item: ItemView, *, text: str
    ) -> Callable[[UnitOfWork], None]:
        """The last text of a run as the answer to the person who woke it, unless it has answered there already."""
        asked_by_person = item.sender.startswith("person:") and item.thread.startswith(
            ("dm:", "ch:")
        )
        if not text.strip() or not asked_by_person:
            return lambda _unit: None

        def answer(unit: UnitOfWork) -> None:
            thread = speech.thread(unit, unit.office, item.thread)
            if thread is None or speech.said_in_run(unit, unit.office, thread.id, run=run.id):
                return
            post = Post(
                thread=thread.id,
                author_kind="agent",
                author=run.agent,
                text=text,
                key=f"answer:{run.id}",
                run=run.id,
            )
            threads.write(unit, post, self._bus.clock.now())

        return answer

    def plan_to_agent(
        self, sender: Sender, text: str, to: str
    ) -> Callable[[UnitOfWork], MessageView]:
        """A message from an agent to another, which wakes it.

        Raises:
            NotFoundError: Nobody of that name.
            InvalidError: To itself.
            LimitError: Too fast, too long, or too many hops without a person.
        """
        threads.check_text(text)
        colleague = self._book.one(to)
        if to == sender.agent:
            raise InvalidError(
                "That is you.", hint="Write a note instead of a message to yourself."
            )
        self._check_hops(sender)
        self._messages.take(sender.agent)

        def work(unit: UnitOfWork) -> MessageView:
            id_ = threads.internal_id(sender.agent, to)
            names = sorted((sender.agent, to))
            thread = threads.ensure(
                unit, threads.new_thread(id_, "internal", name=" & ".join(names), members=names)
            )
            post = Post(
                thread=thread.id,
                author_kind="agent",
                author=sender.agent,
                text=text,
                key=sender.call,
                run=sender.run,
            )
            message, new = threads.write(unit, post, self._bus.clock.now())
            if new:
                self._wake(unit, sender, message, colleague.name)
            return message

        return work

    def plan_to_channel(
        self, sender: Sender, text: str, channel: str, *, mentions: Sequence[str] = ()
    ) -> Callable[[UnitOfWork], tuple[MessageView, list[str]]]:
        """A post of an agent in a channel; wakes those it mentions and nobody else.

        The result names mentions that are no members and were not woken.

        Raises:
            DeniedError: The agent is no member.
            LimitError: Too fast, too long, or too many hops without a person.
        """
        threads.check_text(text)
        self._posts.take(f"{sender.agent} in #{channel}")

        def work(unit: UnitOfWork) -> tuple[MessageView, list[str]]:
            view = speech.thread(unit, unit.office, threads.channel_id(channel))
            if view is None:
                raise NotFoundError(f"There is no channel #{channel}.")
            if sender.agent not in view.members:
                raise DeniedError(f"{sender.agent} is not a member of #{channel}.")
            wanted = dict.fromkeys(
                [*mentions, *threads.mentions_in(text, (a.name for a in self._book.all()))]
            )
            here = [name for name in wanted if name in view.members and name != sender.agent]
            if here:
                self._check_hops(sender)
            post = Post(
                thread=view.id,
                author_kind="agent",
                author=sender.agent,
                text=text,
                key=sender.call,
                run=sender.run,
                mentions=tuple(here),
            )
            message, new = threads.write(unit, post, self._bus.clock.now())
            for name in here if new else ():
                self._wake(unit, sender, message, name)
            return message, [name for name in wanted if name not in here and name != sender.agent]

        return work

    def _wake(self, unit: UnitOfWork, sender: Sender, message: MessageView, target: str) -> None:
        source = "channel" if message.thread.startswith("ch:") else "talk"
        self._dispatcher.deliver(
            unit,
            Event(
                source=source,
                type="message",
                text=message.text,
                target=target,
                by=f"agent:{sender.agent}",
                thread=message.thread,
                dedup_key=f"message:{message.id}:{target}",
                payload={"message": message.id},
                hops=sender.hops + 1,
            ),
        )

    def _check_hops(self, sender: Sender) -> None:
        if sender.hops + 1 > HOPS_MAX:
            raise LimitError(
                f"This exchange has gone {sender.hops} agents' messages deep without a person; the limit is {HOPS_MAX}.",
                hint="Finish what you can, and tell the person or your manager's card what is open.",
            )

    # Channels.

    async def create_channel(self, draft: "ChannelPlan", *, by: str) -> ThreadView:
        """Open a channel; without members, all agents are."""
        members = self._known(draft.members) or [agent.name for agent in self._book.all()]

        def work(unit: Unit) -> ThreadView:
            if speech.thread(unit, unit.office, threads.channel_id(draft.name)) is not None:
                raise ConflictError(
                    f"There is a channel #{draft.name} already.", hint="Choose another name."
                )
            fresh = threads.new_thread(
                threads.channel_id(draft.name),
                "channel",
                name=draft.name,
                members=members,
                description=draft.description,
            )
            speech.put_thread(unit, fresh)
            return fresh

        return await self._bus.commit(work, actor=by)

    async def change_channel(
        self, name: str, *, by: str, description: str | None, members: Sequence[str] | None
    ) -> ThreadView:
        """Change a channel's description or members."""
        known = None if members is None else self._known(members)

        def work(unit: Unit) -> ThreadView:
            view = speech.thread(unit, unit.office, threads.channel_id(name))
            if view is None:
                raise NotFoundError(f"There is no channel #{name}.")
            after = msgspec.structs.replace(
                view,
                description=view.description if description is None else description,
                members=view.members if known is None else known,
            )
            if after != view:
                speech.put_thread(unit, after)
            return after

        return await self._bus.commit(work, actor=by)

    async def delete_channel(self, name: str, *, by: str) -> None:
        """Close a channel; the general one stays."""
        if name == GENERAL:
            raise ConflictError(
                "#general is everyone's and cannot be deleted.", hint="Change its members instead."
            )

        def work(unit: Unit) -> None:
            if speech.thread(unit, unit.office, threads.channel_id(name)) is None:
                raise NotFoundError(f"There is no channel #{name}.")
            speech.remove_thread(unit, threads.channel_id(name))

        await self._bus.commit(work, actor=by)

    def _known(self, members: Sequence[str]) -> list[str]:
        strangers = [name for name in members if self._book.get(name) is None]
        if strangers:
            raise InvalidError(f"{', '.join(strangers)}: nobody of that name works here.")
        return list(dict.fromkeys(members))


class ChannelPlan(msgspec.Struct, frozen=True):
    """A channel to open."""

    name: str
    description: str = ""
    members: list[str] = []


def cursor(before: str) -> int:
    """The number in a list's cursor; 0 for none.

    Raises:
        InvalidError: It is no cursor of such a list.
    """
    if not before:
        return 0
    if not before.isdecimal() or len(before) > 15:
        raise InvalidError(
            f"{before!r} is no cursor of this list.", hint="Pass on what `next` said."
        )
    return int(before)
