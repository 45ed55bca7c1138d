"""Talk: direct threads, channels and internal talk, as people read and write them.

One message service and one store; the tools and pages differ only in audience. A message and the
inbox items it causes are one unit of work, and its key makes it happen once.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.details import Page, Posted
from dayshift.core.errors import DeniedError, InvalidError, NotFoundError
from dayshift.core.events import Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Priority
from dayshift.core.views import ItemView, MessageView, RunView, ThreadView
from dayshift.core.wishes import ChannelChanges, ChannelDraft, Mode
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import threads
from dayshift.facilities.agent_talk import AgentTalk, open_dm
from dayshift.facilities.channels import Channels
from dayshift.facilities.paging import cursor
from dayshift.facilities.threads import Post
from dayshift.store import arrivals, posts, speech
from dayshift.store.rows import number


class Talk:
    """The threads of one office.

    Attributes:
        agents: What agents say, within their tool calls.
        channels: The channels of the office.
    """

    def __init__(
        self, bus: Bus, dispatcher: Dispatcher, *, book: DutyBook, person_name: Callable[[str], str]
    ) -> None:
        """``person_name`` gives a person's display name by id, empty when there is none."""
        self._bus = bus
        self._dispatcher = dispatcher
        self._book = book
        self.agents = AgentTalk(bus, dispatcher, book=book, person_name=person_name)
        self.channels = Channels(bus, book)

    async def threads(self) -> Sequence[ThreadView]:
        """All threads, the latest talk first."""
        found = await self._bus.read(lambda r: speech.threads(r, self._bus.office))
        spoken = [thread for thread in found if thread.last_at is not None]
        silent = [thread for thread in found if thread.last_at is None]
        return [*sorted(spoken, key=lambda t: (t.last_at, t.id), reverse=True), *silent]

    async def thread(self, thread: str) -> ThreadView:
        """One thread.

        Raises:
            NotFoundError: There is no such thread.
        """
        found = await self._bus.read(lambda r: speech.thread(r, self._bus.office, thread))
        if found is None:
            raise NotFoundError(f"There is no thread {thread}.")
        return found

    async def dm(self, agent: str, *, person: str) -> ThreadView:
        """The person's direct thread with an agent, made when there is none.

        Raises:
            NotFoundError: No such agent.
        """
        self._book.one(agent)
        return await self._bus.commit(
            lambda unit: open_dm(unit, agent, person), actor=f"person:{person}"
        )

    async def messages(self, thread: str, *, before: str, limit: int) -> Page[MessageView]:
        """A thread's messages that were not cleared, newest first.

        Raises:
            NotFoundError: No such thread.
            InvalidError: ``before`` is no cursor.
        """
        view = await self.thread(thread)
        upto = cursor(before)
        hidden = max(0, view.cleared_before - 1)
        found = await self._bus.read(
            lambda r: speech.messages(
                r, self._bus.office, thread, before=upto, after=hidden, limit=limit + 1
            )
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(found[limit - 1].n) if more else None)

    async def search(self, text: str, *, before: str, limit: int) -> Page[MessageView]:
        """Messages that hold the text, in any case; those of a cleared history are left out.

        Raises:
            InvalidError: There is no text, or ``before`` is no cursor.
        """
        if not text.strip():
            raise InvalidError("There is nothing to search for.", hint="Give at least one letter.")
        upto = cursor(before)
        found = await self._bus.read(
            lambda r: posts.search(r, self._bus.office, text, before=upto, limit=limit + 1)
        )
        more = len(found) > limit
        return Page(items=found[:limit], next=str(number(found[limit - 1].id)) if more else None)

    async def post(self, thread: str, text: str, *, person: str, mode: Mode, key: str) -> Posted:
        """Post a person's message; the same ``key`` again returns the first and does nothing.

        In a direct thread its agent is woken, in a channel those who are mentioned, or all members
        when nobody is.

        Raises:
            NotFoundError: No such thread, or its agent works here no longer.
            DeniedError: Someone else's direct thread, or internal talk, which people only read.
            InvalidError: The text is empty, or the key is none.
            LimitError: The text is longer than a message may be.
            ConflictError: The key was used in another thread.
        """
        return await self._post(
            lambda unit: self._writable(unit, thread, person),
            text,
            person=person,
            mode=mode,
            key=key,
        )

    async def post_dm(self, agent: str, text: str, *, person: str, mode: Mode, key: str) -> Posted:
        """Post a person's message in their direct thread with an agent, made when there is none.

        Raises:
            NotFoundError: No such agent.
            InvalidError: See post. LimitError: See post. ConflictError: See post.
        """
        self._book.one(agent)
        return await self._post(
            lambda unit: open_dm(unit, agent, person), text, person=person, mode=mode, key=key
        )

    async def _post(
        self,
        find: Callable[[UnitOfWork], ThreadView],
        text: str,
        *,
        person: str,
        mode: Mode,
        key: str,
    ) -> Posted:
        threads.check_text(text)
        threads.check_key(key)
        text = self._bus.clean(text)

        def work(unit: UnitOfWork) -> Posted:
            view = find(unit)
            mentioned = self._mentioned(view, text)
            post = Post(
                thread=view.id,
                author_kind="person",
                author=person,
                text=text,
                key=key and f"person:{person}:{key}",
                mentions=mentioned.members,
            )
            message, is_new = threads.write(unit, post, self._bus.clock.now())
            items = (
                self._wake(unit, view, message, steer=mode == "steer")
                if is_new
                else _woken(unit, view, message)
            )
            speech.put_read(unit, person, view.id, message.n)
            first = items[0] if items else None
            return Posted(message=message, item=first, strangers=mentioned.strangers)

        return await self._bus.commit(work, actor=f"person:{person}")

    async def read(self, thread: str, *, person: str, n: int) -> None:
        """Note that the person has read up to message ``n``; never goes back.

        Raises:
            NotFoundError: No such thread.
        """
        view = await self.thread(thread)
        await self._bus.commit(
            lambda unit: speech.put_read(unit, person, thread, min(n, view.messages)),
            actor=f"person:{person}",
        )

    async def clear(self, thread: str, *, by: str) -> ThreadView:
        """Hide what was said so far and start the agents' dialogue of it afresh.

        Raises:
            NotFoundError: No such thread.
            DeniedError: Internal talk, which is the agents' record.
        """

        def work(unit: UnitOfWork) -> ThreadView:
            view = _existing(unit, thread)
            if view.kind == "internal":
                raise DeniedError("Internal talk is the agents' record and is not cleared.")
            cleared = msgspec.structs.replace(
                view,
                cleared_before=view.messages + 1,
                last_at=None,
                last_text="",
                last_author="",
            )
            speech.put_thread(unit, cleared)
            for member in view.members:
                found = speech.find_dialogue(unit, unit.office, member, f"thread:{thread}")
                if found is not None:
                    speech.close_dialogue(unit, found[0])
            return cleared

        return await self._bus.commit(work, actor=by)

    async def create_channel(self, draft: ChannelDraft, *, by: str) -> ThreadView:
        """Open a channel; see Channels.create."""
        return await self.channels.create(draft, by=by)

    async def edit_channel(self, name: str, changes: ChannelChanges, *, by: str) -> ThreadView:
        """Change a channel; see Channels.edit."""
        return await self.channels.edit(name, changes, by=by)

    async def delete_channel(self, name: str, *, by: str) -> None:
        """Close a channel; see Channels.delete."""
        await self.channels.delete(name, by=by)

    def plan_answer(
        self, run: RunView, item: ItemView, *, text: str
    ) -> Callable[[UnitOfWork], None]:
        """The last text of a run as the answer to the person who woke it.

        Nothing is written when the run has said this very text there itself. In a channel nothing
        is written either when it has said anything there, or when the message was not meant for it
        alone: then it answers with post_channel, or not at all.
        """
        asked_by_person = item.sender.startswith("person:") and item.source in ("person", "channel")
        if not text.strip() or not asked_by_person:
            return lambda _unit: None
        text = threads.fitting(self._bus.clean(text))

        def answer(unit: UnitOfWork) -> None:
            thread = speech.thread(unit, unit.office, item.thread)
            if thread is None:
                return
            said = speech.said_in_run(unit, unit.office, thread.id, run=run.id)
            if text.strip() in (one.strip() for one in said):
                return
            if thread.kind == "channel" and (said or not _was_mentioned(unit, item)):
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

    def _writable(self, unit: UnitOfWork, thread: str, person: str) -> ThreadView:
        """A thread a person may write in."""
        view = _existing(unit, thread)
        if view.kind == "internal":
            raise DeniedError(
                "Internal talk is between agents; people read it.",
                hint="Write to one of them directly.",
            )
        if view.kind == "dm":
            if view.person != person:
                raise DeniedError(
                    "This is another person's direct thread.",
                    hint="Write to the agent in your own.",
                )
            self._book.one(view.name)
        return view

    def _mentioned(self, view: ThreadView, text: str) -> "_Mentioned":
        if view.kind != "channel":
            return _Mentioned((), [])
        named = threads.mentions_in(text, (agent.name for agent in self._book.all()))
        return _Mentioned(
            tuple(name for name in named if name in view.members),
            [name for name in named if name not in view.members],
        )

    def _wake(
        self, unit: UnitOfWork, view: ThreadView, message: MessageView, *, steer: bool
    ) -> list[ItemView]:
        everyone = [] if self._mentioned(view, message.text).strangers else view.members
        targets = message.mentions or [name for name in everyone if self._book.get(name)]
        items: list[ItemView] = []
        for name in targets:
            event = Event(
                source="channel" if view.kind == "channel" else "person",
                type="message",
                text=message.text,
                priority=Priority.HIGH,
                target=name,
                by=f"person:{message.author}",
                thread=view.id,
                dedup_key=_event_key(message, name),
                payload={
                    "message": message.id,
                    "mentioned": name in message.mentions or len(targets) == 1,
                },
                steer=steer,
            )
            items += self._dispatcher.deliver(unit, event).items
        return items


class _Mentioned(NamedTuple):
    """The members a message mentions, and the agents it mentions that are none."""

    members: tuple[str, ...]
    strangers: list[str]


def _existing(unit: UnitOfWork, thread: str) -> ThreadView:
    view = speech.thread(unit, unit.office, thread)
    if view is None:
        raise NotFoundError(f"There is no thread {thread}.")
    return view


def _event_key(message: MessageView, target: str) -> str:
    return f"message:{message.id}:{target}"


def _woken(unit: UnitOfWork, view: ThreadView, message: MessageView) -> list[ItemView]:
    """The first item a message became when it was posted."""
    for name in message.mentions or view.members:
        arrived = arrivals.event_by_key(unit, unit.office, _event_key(message, name))
        if arrived is not None:
            return arrived.items
    return []


def _was_mentioned(unit: UnitOfWork, item: ItemView) -> bool:
    found = arrivals.event(unit, unit.office, item.event)
    return found is not None and bool(found[0].payload.get("mentioned"))
