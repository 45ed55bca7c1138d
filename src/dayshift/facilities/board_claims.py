"""Cards and the runs that work on them: a card is claimed by one run, and given back by it.

A card is held as long as the run that claimed it is under way; a run that comes late, or was taken
over, finds it held by another and changes nothing.
"""

from collections.abc import Callable

from dayshift.bus.bus import Bus
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.views import TaskView
from dayshift.facilities import board_rules as rules
from dayshift.facilities.board_effects import OFFICE, Effects, begun, cleaned
from dayshift.facilities.board_rules import Actor, Move
from dayshift.store import cards

BEGINS = frozenset({TaskStatus.TODO, TaskStatus.IN_PROGRESS})


class Claims:
    """The claims on the cards of one office."""

    def __init__(self, bus: Bus, effects: Effects) -> None:
        """Claims are kept on the cards alone."""
        self._bus = bus
        self._effects = effects

    def claim(self, task: str, *, run: str, agent: str) -> Callable[[UnitOfWork], TaskView | None]:
        """Take a card for a run; ``None`` when it is not, or no longer, this agent's to begin."""

        def take(unit: UnitOfWork) -> TaskView | None:
            view = cards.task(unit, unit.office, task)
            if view is None or view.assignee != agent or view.status not in BEGINS:
                return None
            if view.run != run and cards.is_held(unit, unit.office, view):
                return None
            actor, now = Actor(by=f"agent:{agent}", run=run), self._bus.clock.now()
            after = begun(rules.moved(view, Move(status=TaskStatus.IN_PROGRESS), now), actor)
            self._effects.put(unit, after, "in_progress", actor, before=view, note=run)
            return after

        return take

    def release(
        self, task: str, *, run: str, move: Move | None, by: str
    ) -> Callable[[UnitOfWork], None]:
        """Give a card back when its run ends; it becomes what ``move`` says, or todo again.

        Whoever moved it meanwhile is not overruled.
        """
        step = cleaned(move or Move(status=TaskStatus.TODO), self._bus)

        def give_back(unit: UnitOfWork) -> None:
            view = cards.task(unit, unit.office, task)
            if view is None or view.run != run or view.status is not TaskStatus.IN_PROGRESS:
                return
            actor = Actor(by=by, run=run)
            after = rules.moved(view, step, self._bus.clock.now())
            change = str(after.status)
            self._effects.put(unit, after, change, actor, before=view, note=step.reason)
            self._effects.follow(unit, view, after, actor)

        return give_back

    def leave(self, unit: UnitOfWork, agent: str) -> None:
        """Block the open cards of an agent that works here no longer."""
        move = Move(status=TaskStatus.BLOCKED, reason=f"{agent} works here no longer.")
        for view in cards.open_tasks_of(unit, unit.office, agent):
            if view.assignee == agent and view.status is not TaskStatus.BLOCKED:
                after = rules.moved(view, move, self._bus.clock.now())
                self._effects.put(unit, after, "blocked", OFFICE, before=view, note=move.reason)
                self._effects.follow(unit, view, after, OFFICE)
