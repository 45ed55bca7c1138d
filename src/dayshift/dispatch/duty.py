"""An agent's duty and activity: who may be in which state, and the only place that moves them."""

from collections.abc import Callable

import msgspec

from dayshift.core.errors import ConflictError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import Activity, Duty
from dayshift.core.views import AgentView
from dayshift.store import staff

DUTY_MOVES: dict[Duty, frozenset[Duty]] = {
    Duty.ON_DUTY: frozenset({Duty.WAIT, Duty.WRAPPING_UP, Duty.OFF_DUTY}),
    Duty.WAIT: frozenset({Duty.ON_DUTY, Duty.WRAPPING_UP}),
    Duty.WRAPPING_UP: frozenset({Duty.OFF_DUTY, Duty.ON_DUTY}),
    Duty.OFF_DUTY: frozenset({Duty.ON_DUTY}),
}
ACTIVITY_MOVES: dict[Activity, frozenset[Activity]] = {
    Activity.IDLE: frozenset({Activity.BUSY, Activity.DEAD}),
    Activity.BUSY: frozenset({Activity.IDLE, Activity.STUCK, Activity.DEAD}),
    Activity.STUCK: frozenset({Activity.BUSY, Activity.IDLE, Activity.DEAD}),
    Activity.DEAD: frozenset({Activity.IDLE}),
}


class DutyBook:
    """The agents of one office as they are now.

    It is changed by ``keep`` alone, from committed entries; ``move`` and ``act`` only write down what is
    to be, within somebody's unit of work.
    """

    def __init__(self) -> None:
        """An empty book."""
        self._agents: dict[str, AgentView] = {}
        self._watchers: list[Callable[[AgentView | None, AgentView], None]] = []

    def watch(self, watcher: Callable[[AgentView | None, AgentView], None]) -> None:
        """Hear of every change with the agent as it was and as it is."""
        self._watchers.append(watcher)

    def keep(self, view: AgentView) -> None:
        """Take over a committed view."""
        before = self._agents.get(view.name)
        if view.removed:
            self._agents.pop(view.name, None)
        else:
            self._agents[view.name] = view
        for watcher in self._watchers:
            watcher(before, view)

    def all(self) -> list[AgentView]:
        """All agents by name."""
        return [self._agents[name] for name in sorted(self._agents)]

    def get(self, name: str) -> AgentView | None:
        """One agent, ``None`` when there is none of that name."""
        return self._agents.get(name)

    def one(self, name: str) -> AgentView:
        """One agent.

        Raises:
            NotFoundError: There is none of that name; the hint lists who works here.
        """
        view = self._agents.get(name)
        if view is None:
            names = ", ".join(sorted(self._agents)[:20]) or "nobody yet"
            raise NotFoundError(f"Nobody called {name} works here.", hint=f"Agents: {names}.")
        return view

    def move(self, unit: UnitOfWork, name: str, duty: Duty) -> AgentView:
        """Write down a change of duty.

        Raises:
            ConflictError: The move is not allowed from where the agent is.
        """
        view = self.one(name)
        if duty not in DUTY_MOVES[view.duty]:
            raise ConflictError(f"{name} cannot go from {view.duty} to {duty}.")
        changed = msgspec.structs.replace(view, duty=duty)
        staff.put_agent(unit, changed)
        return changed

    def act(self, unit: UnitOfWork, name: str, activity: Activity, *, run: str = "") -> AgentView:
        """Write down what an agent does from now on, and on which run.

        Raises:
            ConflictError: The move is not allowed from where the agent is.
        """
        view = self.one(name)
        if activity is not view.activity and activity not in ACTIVITY_MOVES[view.activity]:
            raise ConflictError(f"{name} cannot go from {view.activity} to {activity}.")
        changed = msgspec.structs.replace(view, activity=activity, run=run)
        staff.put_agent(unit, changed)
        return changed

    def hire(self, unit: UnitOfWork, view: AgentView) -> None:
        """Write down a new agent, or one whose description changed; duty and activity are kept."""
        before = self._agents.get(view.name)
        if before is not None:
            view = msgspec.structs.replace(
                view,
                duty=before.duty,
                activity=before.activity,
                run=before.run,
                inbox_paused=before.inbox_paused,
            )
        if view != before:
            staff.put_agent(unit, view)
