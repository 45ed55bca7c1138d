"""What becomes of the calls of a run that was left open."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec

from dayshift.core.states import CallState
from dayshift.core.tools import Tool
from dayshift.facilities.journal import NewCall
from dayshift.facilities.past_runs import OpenRun, PastCall
from dayshift.run.ends import INTERRUPTED


@dataclass(frozen=True, kw_only=True)
class SortedCalls:
    """The calls of a run that was left, by what becomes of them.

    Attributes:
        left: The run as it is once the interrupted calls are told.
        interrupted: Calls that were running and may have changed something.
        pending: Calls to be carried out: those that were not started, or have changed nothing.
    """

    left: OpenRun
    interrupted: tuple[PastCall, ...]
    pending: tuple[NewCall, ...]


def sorted_calls(left: OpenRun, tools: Mapping[str, Tool], now: datetime) -> SortedCalls:
    """Sort the calls that were left.

    What was running is interrupted, unless running it again does no harm: it only reads, or all it
    would have changed was to be committed with its end.
    """
    kept: list[PastCall] = []
    interrupted: list[PastCall] = []
    pending: list[NewCall] = []
    for call in left.calls:
        view = call.view
        tool = tools.get(view.name)
        again = tool is not None and (tool.read_only or tool.atomic)
        if view.state is CallState.PENDING or (view.state is CallState.RUNNING and again):
            fresh = msgspec.structs.replace(view, state=CallState.PENDING)
            pending.append(NewCall(fresh, call.provider_id, call.arguments, call.slot))
        elif view.state is CallState.RUNNING:
            interrupted.append(_interrupted(call, now))
            kept.append(interrupted[-1])
        else:
            kept.append(call)
    return SortedCalls(
        left=msgspec.structs.replace(left, calls=kept),
        interrupted=tuple(interrupted),
        pending=tuple(pending),
    )


def _interrupted(call: PastCall, now: datetime) -> PastCall:
    view = msgspec.structs.replace(
        call.view,
        state=CallState.INTERRUPTED,
        code="interrupted",
        result=INTERRUPTED,
        result_bytes=len(INTERRUPTED),
        ended_at=now,
    )
    return msgspec.structs.replace(call, view=view, result=INTERRUPTED)
