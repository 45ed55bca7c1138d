"""Runs of before: those that were left open, those that ended lately, and what they spent."""

from collections.abc import Callable, Sequence

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import ToolMessage
from dayshift.core.views import CallView, ItemView, RunView, TurnView
from dayshift.facilities.journal import OPEN_CALLS
from dayshift.store import arrivals, speech, staff, work

LATEST = 50
_STOPPED = "stopped"


class PastCall(msgspec.Struct, frozen=True):
    """A tool call as it was left. ``slot`` is the place of its result; both texts are whole."""

    view: CallView
    provider_id: str
    arguments: str
    result: str
    slot: int


class OpenRun(msgspec.Struct, frozen=True):
    """A run that was left open, by a former process or by a disk that refused."""

    run: RunView
    item: ItemView
    turns: list[TurnView]
    calls: list[PastCall]
    summaries: int
    """Summaries it has asked for."""


class TakenOver(msgspec.Struct, frozen=True):
    """A run that is this worker's now. ``stalls``: times in a row without having come further."""

    run: RunView
    stalls: int


class EndedRun(msgspec.Struct, frozen=True):
    """A run that has ended, with its calls."""

    run: RunView
    calls: list[CallView]


class PastRuns:
    """What is known of one office's runs of before."""

    def __init__(self, bus: Bus) -> None:
        """Everything is read from the ledger."""
        self._bus = bus

    async def left_open(self, agent: str = "") -> list[OpenRun]:
        """The runs that were left open, oldest first; of one agent or of all."""
        office = self._bus.office

        def query(asked: work.Rows) -> list[OpenRun]:
            found: list[OpenRun] = []
            for run in work.open_runs(asked, office):
                item = arrivals.item(asked, office, run.item)
                if item is None or (agent and run.agent != agent):
                    continue
                turns = work.turns(asked, office, run.id)
                calls = [PastCall(*call) for call in work.calls(asked, office, run.id)]
                count = work.summaries(asked, office, run.id)
                found.append(OpenRun(run, item, turns, calls, count))
            return found

        return await self._bus.read(query)

    def plan_take_over(
        self,
        left: OpenRun,
        interrupted: Sequence[PastCall],
        *,
        after_crash: bool,
    ) -> Callable[[UnitOfWork], TakenOver]:
        """Own an open run from now on; calls that were running are told to be interrupted."""
        run = msgspec.structs.replace(left.run, fence=left.run.fence + 1)
        ended = sum(call.view.state not in OPEN_CALLS for call in left.calls)
        progress = len(left.turns) + ended + left.summaries

        def take(unit: UnitOfWork) -> TakenOver:
            work.hold(unit, run.id, left.run.fence)
            work.take_over(unit, run, run.fence)
            for call in interrupted:
                work.move_call(unit, call.view, result=call.result)
                message = ToolMessage(call.provider_id, call.view.name, call.result, ok=False)
                speech.utter(unit, run.dialogue, call.slot, run=run.id, message=message)
            stalls = work.stalled(unit, run.id, progress=progress) if after_crash else 0
            return TakenOver(run, stalls)

        return take

    async def last(self, agent: str, task: str, *, limit: int) -> list[EndedRun]:
        """An agent's last runs on a task that have ended, newest first."""
        office = self._bus.office

        def query(asked: work.Rows) -> list[EndedRun]:
            runs = work.last_runs(asked, office, agent=agent, task=task, limit=limit)
            return [EndedRun(r, [c.view for c in work.calls(asked, office, r.id)]) for r in runs]

        return await self._bus.read(query)

    async def latest(self) -> list[RunView]:
        """The runs that began last."""
        office = self._bus.office
        return await self._bus.read(
            lambda r: work.runs(r, office, filters={}, before=0, limit=LATEST)
        )

    async def spent(self, day: int) -> dict[str, tuple[int, int]]:
        """Money (micros) and tokens that each agent spent on an office day."""
        return await self._bus.read(lambda r: work.spent_by_agent(r, self._bus.office, day=day))

    async def note_stop(self) -> None:
        """Note that the office is stopped in order, so that what is left open is no crash."""
        await self._bus.commit(lambda unit: staff.put_mark(unit, _STOPPED, "1"))

    async def was_stopped(self) -> bool:
        """Whether the office was stopped in order the last time; asked once."""
        mark = await self._bus.read(lambda r: staff.mark(r, self._bus.office, _STOPPED))
        if mark == "1":
            await self._bus.commit(lambda unit: staff.put_mark(unit, _STOPPED, "0"))
        return mark == "1"
