"""The loop breaker across runs: an agent that wakes itself, or a task that runs do not change."""

from collections.abc import Mapping
from dataclasses import dataclass

from dayshift.core.limits import SELF_WAKES_MAX, UNCHANGED_RUNS_MAX
from dayshift.core.states import CallState, RunState
from dayshift.core.tools import Tool
from dayshift.core.views import ItemView
from dayshift.facilities.past_runs import EndedRun, PastRuns
from dayshift.run.ending import Ending


@dataclass(frozen=True)
class Tripped:
    """Why a run is ended before it asks a model. ``pauses``: its agent takes nothing more."""

    ending: Ending
    pauses: bool


async def tripped(item: ItemView, past: PastRuns, tools: Mapping[str, Tool]) -> Tripped | None:
    """Whether working on an item would go on with a loop; ``None`` when it would not.

    What a person asks for is always done.
    """
    if item.sender.startswith("person:"):
        return None
    if item.own_wakes > SELF_WAKES_MAX:
        return Tripped(_self_wake(item), pauses=False)
    if not item.task:
        return None
    runs = await past.last(item.agent, item.task, limit=UNCHANGED_RUNS_MAX)
    if len(runs) < UNCHANGED_RUNS_MAX or any(changed_something(run, tools) for run in runs):
        return None
    return Tripped(_unchanged(item, len(runs)), pauses=True)


def changed_something(ended: EndedRun, tools: Mapping[str, Tool]) -> bool:
    """Whether a run did anything that lasts: a call that succeeded and does not only read.

    One that was cut off by a person or by a limit counts as if it had.
    """
    if ended.run.state is not RunState.COMPLETED:
        return ended.run.reason_code != UNCHANGED
    return any(
        call.state is CallState.SUCCEEDED
        and not (call.name in tools and tools[call.name].read_only)
        for call in ended.calls
    )


UNCHANGED = "unchanged"


def _self_wake(item: ItemView) -> Ending:
    return Ending(
        state=RunState.BLOCKED,
        code="self_wake",
        reason=(
            f"{item.agent} has woken itself {item.own_wakes} times in a row, "
            "with nobody else in between."
        ),
        hint="Look at what it made for itself; a person's message or restart lets it go on.",
    )


def _unchanged(item: ItemView, count: int) -> Ending:
    return Ending(
        state=RunState.BLOCKED,
        code=UNCHANGED,
        reason=f"The last {count} runs of {item.agent} on {item.task} changed nothing.",
        hint=f"{item.agent}'s inbox is paused; look at {item.task}, then resume it.",
    )
