"""What agents say, within their tool calls: to people, to colleagues, in channels.

Each message is written in the unit of work that settles its call, under the call's id. What limits
talk is counted there too: a message that is refused has used up nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import DeniedError, InvalidError, LimitError, NotFoundError
from dayshift.core.events import Event
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import HOPS_MAX
from dayshift.core.views import MessageView, ThreadView
from dayshift.dispatch.dispatcher import Dispatcher
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import channels, limits, threads
from dayshift.facilities.alerts import Alarm, raise_alert
from dayshift.facilities.threads import OFFICE, Post
from dayshift.store import cards, speech
from dayshift.store.rows import Rows

STOPPED = "hops"


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """An agent that speaks, from within a tool call.

    Attributes:
        call: Makes the message happen once.
        hops: How many messages among agents led to this run without a person in between.
        task: The task the run works on; whoever is woken hears of it in the same matter.
    """

    agent: str
    run: str
    call: str
    hops: int
    task: str = ""


class Posted(NamedTuple):
    """A post in a channel, and the agents it mentions that are no members and were not woken."""

    message: MessageView
    strangers: list[str]


class HopsSpentError(LimitError):
    """Agents have talked among themselves as long as they may without a person.

    Attributes:
        thread: The thread that the refused message was for.
    """

    def __init__(self, sender: Sender, thread: ThreadView) -> None:
        super().__init__(
            f"This exchange has gone on for {sender.hops} messages among agents without a person; "
            f"the limit is {HOPS_MAX}. Your message was not sent.",
            hint="Finish what you can without it; the people were told that it stopped here.",
        )
        self.sender = sender
        self.thread = thread


class AgentTalk:
    """The agents' side of the threads of one office."""

    def __init__(
        self, bus: Bus, dispatcher: Dispatcher, *, book: DutyBook, person_name: Callable[[str], str]
    ) -> None:
        """``person_name`` gives a person's display name by id, empty when there is none."""
        self._bus = bus
        self._dispatcher = dispatcher
        self._book = book
        self._person_name = person_name

    async def person_behind(self, thread: str, task: str) -> str:
        """The person whom a run's work is for: of its thread, or of the thread its task came from.

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

    async def channel_for(self, agent: str, name: str) -> ThreadView:
        """A channel as one of its members reads it.

        Raises:
            NotFoundError: There is no such channel.
            DeniedError: The agent is no member.
        """
        view = await self._bus.read(lambda r: channels.find(r, self._bus.office, name))
        _check_member(view, agent)
        return view

    def plan_to_person(
        self, sender: Sender, text: str, person: str
    ) -> Callable[[UnitOfWork], MessageView]:
        """A message from an agent to a person's direct thread.

        Raises:
            InvalidError: The text is empty.
            NotFoundError: No such person.
            LimitError: Too long; and, when the unit runs, too fast.
        """
        threads.check_text(text)
        text = self._bus.clean(text)
        if not self._person_name(person):
            raise NotFoundError(
                f"There is no person {person!r}.", hint="Leave it out to answer who asked."
            )

        def work(unit: UnitOfWork) -> MessageView:
            thread = open_dm(unit, sender.agent, person)
            return self._said(unit, sender, thread.id, text, limit=limits.MESSAGES)

        return work

    def plan_to_agent(
        self, sender: Sender, text: str, to: str
    ) -> Callable[[UnitOfWork], MessageView]:
        """A message from an agent to another, which wakes it.

        Raises:
            InvalidError: The text is empty, or it is to itself.
            NotFoundError: Nobody of that name; when the unit runs, too.
            LimitError: Too long; and, when the unit runs, too fast.
            HopsSpentError: When the unit runs: too many hops without a person.
        """
        threads.check_text(text)
        text = self._bus.clean(text)
        self._book.one(to)
        if to == sender.agent:
            raise InvalidError(
                "That is you.", hint="Write a note instead of a message to yourself."
            )

        def work(unit: UnitOfWork) -> MessageView:
            self._book.one(to)
            names = sorted((sender.agent, to))
            fresh = threads.new_thread(
                threads.internal_id(*names), "internal", name=" & ".join(names), members=names
            )
            _check_hops(sender, fresh)
            thread = threads.ensure(unit, fresh)
            return self._said(unit, sender, thread.id, text, limit=limits.MESSAGES, wakes=[to])

        return work

    def plan_to_channel(
        self, sender: Sender, text: str, channel: str, *, mentions: Sequence[str] = ()
    ) -> Callable[[UnitOfWork], Posted]:
        """A post of an agent in a channel; wakes those it mentions and nobody else.

        Raises:
            InvalidError: The text is empty.
            LimitError: Too long; and, when the unit runs, too fast.
            NotFoundError: When the unit runs: no such channel.
            DeniedError: When the unit runs: the agent is no member.
            HopsSpentError: When the unit runs: it wakes others, and the hops are spent.
        """
        threads.check_text(text)
        text = self._bus.clean(text)

        def work(unit: UnitOfWork) -> Posted:
            view = channels.find(unit, unit.office, channel)
            _check_member(view, sender.agent)
            wanted = self._meant(text, mentions, sender.agent)
            here = [name for name in wanted if name in view.members]
            if here:
                _check_hops(sender, view)
            message = self._said(unit, sender, view.id, text, limit=limits.POSTS, wakes=here)
            return Posted(message, [name for name in wanted if name not in here])

        return work

    def tell_stopped(self, unit: UnitOfWork, spent: HopsSpentError) -> None:
        """Tell both sides in their thread, and the people, that an exchange was stopped; once."""
        thread = threads.ensure(unit, spent.thread)
        where = f"#{thread.name}" if thread.kind == "channel" else thread.name
        if thread.last_author != OFFICE:
            post = Post(
                thread=thread.id,
                author_kind=OFFICE,
                author=OFFICE,
                text=f"This exchange was stopped: {HOPS_MAX} messages among agents without a "
                "person. A word of a person lets it go on.",
            )
            threads.write(unit, post, self._bus.clock.now())
        alarm = Alarm(
            code="exchange_stopped",
            fold=f"{STOPPED}:{thread.id}",
            agent=spent.sender.agent,
            run=spent.sender.run,
            text=f"Agents have written {HOPS_MAX} messages to each other without a person, "
            f"last in {where}; the next one was not sent.",
            hint="Read what they said; write to one of them if they should go on.",
        )
        raise_alert(unit, alarm, self._bus)

    def _meant(self, text: str, mentions: Iterable[str], author: str) -> list[str]:
        """Agents that work here and are named, each once; the author does not count."""
        given = [name.removeprefix("@") for name in mentions]
        named = threads.mentions_in(text, (agent.name for agent in self._book.all()))
        return [name for name in dict.fromkeys([*given, *named]) if name != author]

    def _said(
        self,
        unit: UnitOfWork,
        sender: Sender,
        thread: str,
        text: str,
        *,
        limit: limits.RateLimit,
        wakes: Sequence[str] = (),
    ) -> MessageView:
        now = self._bus.clock.now()
        post = Post(
            thread=thread,
            author_kind="agent",
            author=sender.agent,
            text=text,
            key=sender.call,
            mentions=tuple(wakes) if thread.startswith("ch:") else (),
            run=sender.run,
        )
        known = speech.message_by_key(unit, unit.office, post.key)
        if known is None:
            place = f" {thread}" if limit is limits.POSTS else ""
            limit.take(unit, f"{sender.agent}{place}", now)
        message, is_new = threads.write(unit, post, now)
        for name in wakes if is_new else ():
            self._wake(unit, sender, message, name)
        return message

    def _wake(self, unit: UnitOfWork, sender: Sender, message: MessageView, target: str) -> None:
        event = Event(
            source="channel" if message.thread.startswith("ch:") else "talk",
            type="message",
            text=message.text,
            target=target,
            by=f"agent:{sender.agent}",
            thread=message.thread,
            task=sender.task,
            dedup_key=f"message:{message.id}:{target}",
            payload={"message": message.id, "mentioned": True},
            hops=sender.hops + 1,
        )
        self._dispatcher.deliver(unit, event)


def open_dm(unit: UnitOfWork, agent: str, person: str) -> ThreadView:
    """A person's direct thread with an agent, made within a unit when there is none."""
    id_ = threads.dm_id(agent, person)
    return threads.ensure(
        unit, threads.new_thread(id_, "dm", name=agent, members=[agent], person=person)
    )


def _check_member(view: ThreadView, agent: str) -> None:
    if agent not in view.members:
        raise DeniedError(
            f"{agent} is not a member of #{view.name}.",
            hint=f"Its members are: {', '.join(view.members)}.",
        )


def _check_hops(sender: Sender, thread: ThreadView) -> None:
    if sender.hops + 1 > HOPS_MAX:
        raise HopsSpentError(sender, thread)
