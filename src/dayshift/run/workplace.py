"""What a run finds at its workplace: rooms, means, and the way to people who watch."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import structlog

from dayshift.config.office import OfficeConfig
from dayshift.core.clock import Clock
from dayshift.core.computer import Computer
from dayshift.core.errors import NotFoundError, QuotaSpentError, StorageError
from dayshift.core.limits import BATCH_LIMIT_S, TURN_LIMIT_S
from dayshift.core.model import ModelCatalogue
from dayshift.core.tools import Tool
from dayshift.core.views import ItemView
from dayshift.dispatch.duty import DutyBook
from dayshift.dispatch.inbox import Inboxes
from dayshift.facilities.alerts import Alerts
from dayshift.facilities.board import Board
from dayshift.facilities.journal import Journal
from dayshift.facilities.talk import Talk
from dayshift.run.briefing import Briefer
from dayshift.run.budget import Purse
from dayshift.run.dialogue import Dialogues
from dayshift.run.gate import Gate
from dayshift.run.live import Voice

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """The rooms a run writes to."""

    journal: Journal
    book: DutyBook
    inboxes: Inboxes
    board: Board
    talk: Talk
    alerts: Alerts


@dataclass(frozen=True, kw_only=True)
class Means:
    """What a run works with."""

    catalogue: ModelCatalogue
    tools: Mapping[str, Tool]
    computer_of: Callable[[str], Computer]
    dialogues: Dialogues
    briefer: Briefer
    purse: Purse


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long a run waits for what, in real seconds.

    Attributes:
        idle_s: Longest silence on the wire.
        turn_s: Longest whole answer of a model.
        batch_s: Longest for the calls of one answer together, unless one of them declares more.
        backoff_s: First wait before a request is sent again; it doubles each time.
        backoff_max_s: Longest such wait.
        storage_s: Wait before a run whose write the disk refused is taken up again.
    """

    idle_s: float = 60.0
    turn_s: float = TURN_LIMIT_S
    batch_s: float = BATCH_LIMIT_S
    backoff_s: float = 1.0
    backoff_max_s: float = 30.0
    storage_s: float = 5.0


@dataclass(frozen=True, kw_only=True)
class Workplace:
    """One office, as a run sees it.

    Attributes:
        config: The office's configuration now.
        voice: Tells people who watch.
        monotonic: Real seconds, for durations and technical limits.
        out_of_money: Pauses the office because an account is empty.
        person_name: A person's display name by id.
        sessions_of: Folder of an agent's readable mirrors.
        is_stopping: Whether the server is going down; what is cut off then is resumed later.
    """

    office: str
    rooms: Rooms
    means: Means
    gate: Gate
    clock: Clock
    config: Callable[[], OfficeConfig]
    voice: Voice
    monotonic: Callable[[], float]
    out_of_money: Callable[[QuotaSpentError], None]
    person_name: Callable[[str], str]
    is_stopping: Callable[[], bool]
    sessions_of: Callable[[str], Path]
    patience: Patience = Patience()

    async def channel_of(self, item: ItemView) -> str:
        """What the channel an item came by is called now; empty when it came by none."""
        if not item.thread.startswith("ch:"):
            return ""
        try:
            return (await self.rooms.talk.thread(item.thread)).name
        except NotFoundError:
            # It was deleted meanwhile; its id tells what it was called at first.
            return item.thread.removeprefix("ch:")

    async def written(self, commit: Callable[[], Awaitable[T]]) -> T:
        """The result of a commit; while the disk refuses it, wait and try it again.

        What a run holds in memory, an answer that was paid for or a result, is so not lost.
        """
        while True:  # ends when the disk takes it, or the run is cancelled
            try:
                return await commit()
            except StorageError as error:
                wait_s = self.patience.storage_s
                log.warning("storage_refused", reason=error.message, retry_s=wait_s)
                await asyncio.sleep(wait_s)
