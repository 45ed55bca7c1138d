"""Waits until an agent has worked off a message, by the office's own feed."""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from dayshift.app.cli.failure import FAILED, FailureError
from dayshift.app.cli.late import late_lost
from dayshift.core.details import Page, Posted, RunDetail
from dayshift.core.entries import ItemChanged, OfficeChanged, Recorded, RunChanged, TurnEnded
from dayshift.core.states import RUN_ENDS, ItemState, RunState
from dayshift.core.views import AgentView, ItemView, MessageView, RunView

if TYPE_CHECKING:
    from dayshift.app.cli.server import Server

ITEM_ENDS = frozenset({ItemState.DONE, ItemState.PARKED, ItemState.CANCELLED, ItemState.EXPIRED})
ANSWERS_MAX = 200


class Ended(msgspec.Struct, frozen=True):
    """How the work on a message ended."""

    state: str
    reason: str
    ok: bool


class _Numbered(msgspec.Struct, frozen=True):
    seq: int


async def last_seq(server: "Server", office: str) -> int:
    """The number of an office's newest entry; 0 when there is none."""
    reply = await server.get("offices", office, "ledger", query={"limit": 1})
    return max((each.seq for each in (await reply.read(Page[_Numbered])).items), default=0)


class Waiting:
    """Waits for the end of the work on one message.

    Args:
        posted: The message; the end of its item counts, or of the run it steered.
        after: The ledger's last entry from before the message was sent.
        limit_s: The longest wait, in seconds.
    """

    def __init__(
        self, office: str, agent: str, posted: Posted, *, after: int, limit_s: float
    ) -> None:
        self._office = office
        self._agent = agent
        self._posted = posted
        self._after = after
        self._limit_s = limit_s
        self._run = ""

    async def work(self, server: "Server") -> tuple[Ended, list[MessageView]]:
        """How it ended, and what the agent has written in the thread since, oldest first.

        Raises:
            FailureError: It took longer than the limit, or the connection ended.
        """
        try:
            async with asyncio.timeout(self._limit_s):
                ended = await self._ended(server)
        except TimeoutError as error:
            raise FailureError(
                f"{self._agent} was not done after {self._limit_s:g} s; the work goes on.",
                code="no_answer",
                hint="dayshift status shows how it stands.",
                exit_code=FAILED,
            ) from error
        except late_lost() as error:
            thread = self._posted.message.thread
            raise FailureError(
                "The connection ended while waiting; the message is with the agent.",
                code="no_answer",
                hint=f"dayshift thread show {thread} --office {self._office} shows the answer.",
                exit_code=FAILED,
            ) from error
        return ended, await self._answers(server)

    async def _ended(self, server: "Server") -> Ended:
        """Follow the feed until the item, or the run that was steered, has ended."""
        if self._posted.item is None:
            self._run = await self._steered(server)
            if not self._run:
                return Ended("ended", "", ok=True)
        async with server.feed(self._office, after=str(self._after)) as frames:
            async for frame in frames:
                ended: Ended | None = None
                if frame.event == "snapshot":
                    # So much happened meanwhile that the feed begins anew; ask for the state now.
                    ended = await self._asked(server)
                elif frame.event == "message":
                    ended = self._heard(msgspec.json.decode(frame.data, type=Recorded))
                if ended is not None:
                    return ended
        raise late_lost()(said_bye=False)

    async def _steered(self, server: "Server") -> str:
        """The run the message went into; empty when it has ended already."""
        reply = await server.get("offices", self._office, "agents", self._agent)
        return (await reply.read(AgentView)).run

    async def _asked(self, server: "Server") -> Ended | None:
        if self._posted.item is None:
            reply = await server.get("offices", self._office, "runs", self._run)
            return _of_run((await reply.read(RunDetail)).run)
        reply = await server.get("offices", self._office, "agents", self._agent, "inbox")
        items = (await reply.read(Page[ItemView])).items
        mine = [item for item in items if item.id == self._posted.item.id]
        return _of_item(mine[0]) if mine else None

    def _heard(self, recorded: Recorded) -> Ended | None:
        match recorded.entry:
            case ItemChanged(item=item) if self._posted.item is not None:
                return _of_item(item) if item.id == self._posted.item.id else None
            case RunChanged(run=run) | TurnEnded(run=run) if self._posted.item is None:
                return _of_run(run) if run.id == self._run else None
            case OfficeChanged(office=office) if office.state == "paused":
                # A person who paused it lets it go on; nobody does when money ran out.
                is_ours = office.paused_by == "office"
                return Ended("paused", office.paused_reason, ok=False) if is_ours else None
            case _:
                return None

    async def _answers(self, server: "Server") -> list[MessageView]:
        message = self._posted.message
        path = ("offices", self._office, "threads", message.thread, "messages")
        reply = await server.get(*path, query={"limit": ANSWERS_MAX})
        page = await reply.read(Page[MessageView])
        since = [each for each in reversed(page.items) if each.n > message.n]
        return [each for each in since if each.author_kind == "agent"]


def _of_item(item: ItemView) -> Ended | None:
    if item.state not in ITEM_ENDS:
        return None
    return Ended(item.state, item.reason, ok=item.state is ItemState.DONE)


def _of_run(run: RunView) -> Ended | None:
    if run.state not in RUN_ENDS:
        return None
    return Ended(run.state, run.reason, ok=run.state is RunState.COMPLETED)
