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
NAMES_SHOWN = 20

Watcher = Callable[[AgentView | None, AgentView], None]


class DutyBook:
    """The agents of one office as they are now.

    It is changed by ``keep`` alone, from committed entries. What moves an agent writes down what is
    to be within somebody's unit of work, from what that unit sees: the book may be a commit behind.
    It may be read from the writer's thread.
    """

    def __init__(self) -> None:
        """An empty book."""
        self._agents: dict[str, AgentView] = {}
        self._tools: dict[tuple[str, ...], list[str]] = {}
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        """Hear of every change with the agent as it was and as it is."""
        self._watchers.append(watcher)

    def keep(self, view: AgentView) -> None:
        """Take over a committed view.

        Most agents may use the same tools, so they share one list of them: names and all it is as
        large as all else that is kept of an agent.
        """
        before = self._agents.get(view.name)
        if view.removed:
            self._agents.pop(view.name, None)
        else:
            tools = self._tools.setdefault(tuple(view.tools), view.tools)
            self._agents[view.name] = view = msgspec.structs.replace(view, tools=tools)
        for watcher in self._watchers:
            watcher(before, view)

    def __len__(self) -> int:
        """How many agents work here."""
        return len(self._agents)

    def all(self) -> list[AgentView]:
        """All agents by name."""
        return [view for view in map(self._agents.get, sorted(self._agents)) if view is not None]

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
            raise self._nobody(name)
        return view

    def managers_of(self, name: str) -> list[str]:
        """Whom an agent reports to, and whom these report to, the nearest first."""
        found: list[str] = []
        view = self._agents.get(name)
        while view is not None and view.reports_to and view.reports_to not in found:
            found.append(view.reports_to)
            view = self._agents.get(view.reports_to)
        return found

    def move(self, unit: UnitOfWork, name: str, duty: Duty) -> AgentView:
        """Write down a change of duty.

        Raises:
            NotFoundError: There is none of that name.
            ConflictError: The move is not allowed from where the agent is.
        """
        view = self._in(unit, name)
        if duty not in DUTY_MOVES[view.duty]:
            raise ConflictError(f"{name} cannot go from {view.duty} to {duty}.")
        return _put(unit, msgspec.structs.replace(view, duty=duty))

    def act(self, unit: UnitOfWork, name: str, activity: Activity, *, run: str = "") -> AgentView:
        """Write down what an agent does from now on, and on which run.

        Raises:
            NotFoundError: There is none of that name.
            ConflictError: The move is not allowed from where the agent is.
        """
        view = self._in(unit, name)
        if activity is not view.activity and activity not in ACTIVITY_MOVES[view.activity]:
            raise ConflictError(f"{name} cannot go from {view.activity} to {activity}.")
        return _put(unit, msgspec.structs.replace(view, activity=activity, run=run))

    def pause_inbox(self, unit: UnitOfWork, name: str, *, is_paused: bool) -> AgentView:
        """Write down whether an agent takes items from its inbox.

        Raises:
            NotFoundError: There is none of that name.
        """
        view = self._in(unit, name)
        if view.inbox_paused is is_paused:
            return view
        return _put(unit, msgspec.structs.replace(view, inbox_paused=is_paused))

    def hire(self, unit: UnitOfWork, view: AgentView) -> None:
        """Write down a new agent, or one whose description changed.

        Of an agent that works here already, duty, activity and whether its inbox is held are kept.
        """
        before = staff.agent(unit, unit.office, view.name)
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

    def remove(self, unit: UnitOfWork, name: str) -> AgentView:
        """Write down that an agent works here no longer.

        Raises:
            NotFoundError: There is none of that name.
        """
        return _put(unit, msgspec.structs.replace(self._in(unit, name), removed=True))

    def _in(self, unit: UnitOfWork, name: str) -> AgentView:
        view = staff.agent(unit, unit.office, name)
        if view is None:
            raise self._nobody(name)
        return view

    def _nobody(self, name: str) -> NotFoundError:
        names = ", ".join(agent.name for agent in self.all()[:NAMES_SHOWN]) or "nobody yet"
        return NotFoundError(f"Nobody called {name} works here.", hint=f"Agents: {names}.")


def _put(unit: UnitOfWork, view: AgentView) -> AgentView:
    staff.put_agent(unit, view)
    return view
