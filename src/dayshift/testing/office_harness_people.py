"""People as tests speak of them: each verb is one thing that a person does in an office."""

from typing import TYPE_CHECKING

from dayshift.core.details import Posted
from dayshift.core.views import OfficeView, TaskView
from dayshift.core.wishes import Mode, TaskDraft
from dayshift.facilities.threads import channel_id, dm_id
from dayshift.facilities.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from dayshift.app.office import Office

LIMIT = 200


class Person:
    """One person of the cast, in the office as it is open now."""

    def __init__(self, id_: str, office: "Callable[[], Office]") -> None:
        """``office`` is the open one; it changes with a restart."""
        self.id = id_
        self._office = office
        self._count = 0

    async def asks(self, agent: str, text: str, *, key: str = "") -> Posted:
        """Write to an agent; it is worked off after what waits already."""
        return await self._writes(agent, text, mode="queue", key=key)

    async def steers(self, agent: str, text: str, *, key: str = "") -> Posted:
        """Say something into an agent's running run."""
        return await self._writes(agent, text, mode="steer", key=key)

    async def posts(self, channel: str, text: str) -> Posted:
        """Write in a channel."""
        return await self._office().talk.post(
            channel_id(channel), text, person=self.id, mode="queue", key=self._key("")
        )

    async def sees(self, agent: str) -> list[str]:
        """The direct thread with an agent, oldest first, each message as ``author: text``."""
        return await self._said(dm_id(agent, self.id))

    async def sees_channel(self, channel: str) -> list[str]:
        """A channel, oldest first, each message as ``author: text``."""
        return await self._said(channel_id(channel))

    async def clears(self, agent: str) -> None:
        """Clear the history of the direct thread with an agent."""
        await self._office().talk.clear(dm_id(agent, self.id), by=self.by)

    async def cancels(self, run: str, *, reason: str = "") -> None:
        """Cancel a run; returns when it is written down."""
        await self._office().staff.cancel(run, reason=reason, by=self.by)

    async def adds_task(self, title: str, *, to: str, depends_on: tuple[str, ...] = ()) -> TaskView:
        """Put a card on the board."""
        draft = TaskDraft(title=title, assignee=to, depends_on=list(depends_on))
        return await self._office().board.create(draft, by=self.by)

    async def restarts(self, task: str) -> TaskView:
        """Put a card back to todo that has ended or is stuck."""
        return await self._office().board.restart(task, by=self.by)

    async def holds_inbox(self, agent: str) -> None:
        """Let an agent take nothing more."""
        await self._waiting().pause_agent(agent, by=self.by)

    async def lets_inbox_go(self, agent: str) -> None:
        """Let an agent take items again."""
        await self._waiting().resume_agent(agent, by=self.by)

    def _waiting(self) -> Waiting:
        office = self._office()
        return Waiting(office.bus, office.inboxes, office.book)

    async def pauses(self, reason: str = "lunch") -> OfficeView:
        """Pause the office."""
        return await self._office().pause(reason, by=self.by)

    async def resumes(self) -> OfficeView:
        """Let the office go on."""
        return await self._office().resume(by=self.by)

    @property
    def by(self) -> str:
        """The person as an actor."""
        return f"person:{self.id}"

    async def _writes(self, agent: str, text: str, *, mode: Mode, key: str) -> Posted:
        talk = self._office().talk
        thread = await talk.dm(agent, person=self.id)
        return await talk.post(thread.id, text, person=self.id, mode=mode, key=self._key(key))

    async def _said(self, thread: str) -> list[str]:
        page = await self._office().talk.messages(thread, before="", limit=LIMIT)
        return [f"{message.author}: {message.text}" for message in reversed(page.items)]

    def _key(self, given: str) -> str:
        self._count += 1
        return given or f"{self.id}-{self._count}"
