"""What every change of a card brings with it: its row, its line of history, and what follows.

The change, its notices, and what it sets free or holds up are one unit of work.
"""

from collections import deque

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.details import TaskChange
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.views import TaskView
from dayshift.facilities import board_rules as rules
from dayshift.facilities.board_notices import ENDS, Notices
from dayshift.facilities.board_rules import Actor, Move
from dayshift.store import cards

OFFICE = Actor(by="office")


class Effects:
    """Writes the changes of one board."""

    def __init__(self, bus: Bus, notices: Notices) -> None:
        """Cards are kept in the ledger alone."""
        self._bus = bus
        self._notices = notices

    def put(
        self,
        unit: UnitOfWork,
        view: TaskView,
        change: str,
        actor: Actor,
        *,
        before: TaskView | None = None,
        note: str = "",
        key: str = "",
    ) -> None:
        """Write a card with a line of its history."""
        line = TaskChange(
            at=self._bus.clock.now(),
            actor=actor.by,
            change=change,
            before=str(before.status) if before else "",
            after=str(view.status),
            note=note,
        )
        cards.put_task(unit, view, change=change, line=line, key=key)

    def follow(self, unit: UnitOfWork, before: TaskView, after: TaskView, actor: Actor) -> None:
        """Set free or hold up what waits for a card that has moved, and tell whom it concerns."""
        if before.status is after.status:
            return
        held_up = self._settle_dependents(unit, after, actor)
        if after.status in ENDS:
            self._notices.ended(unit, after, actor, held_up)

    def _settle_dependents(self, unit: UnitOfWork, moved: TaskView, actor: Actor) -> list[TaskView]:
        """Returns the cards that are blocked from now on, the nearest first."""
        held_up: list[TaskView] = []
        left = deque([moved.id])
        while left:
            for waiting in cards.dependents(unit, unit.office, left.popleft()):
                after = self._settle(unit, waiting, actor)
                if (after.status in rules.LOST) != (waiting.status in rules.LOST):
                    left.append(after.id)
                    held_up += [after] if after.status in rules.LOST else []
        return held_up

    def _settle(self, unit: UnitOfWork, waiting: TaskView, actor: Actor) -> TaskView:
        needs = [cards.task(unit, unit.office, id_) for id_ in waiting.depends_on]
        found = [task for task in needs if task is not None]
        after = rules.settled(waiting, found, self._bus.clock.now())
        if after is waiting:
            return waiting
        change = "ready" if after.status is TaskStatus.TODO else str(after.status)
        self.put(unit, after, change, OFFICE, before=waiting, note=after.blocked_reason)
        self._notices.ready(unit, after, by=actor.by)
        return after


def begun(task: TaskView, actor: Actor) -> TaskView:
    """A card as the run that has just begun it holds it."""
    return msgspec.structs.replace(
        task,
        assignee=task.assignee or actor.agent,
        run=actor.run,
    )


def cleaned(move: Move, bus: Bus) -> Move:
    """A move whose texts hold no secrets."""
    evidence = [
        msgspec.structs.replace(one, text=bus.clean(one.text), path=bus.clean(one.path))
        for one in move.evidence
    ]
    return msgspec.structs.replace(
        move, reason=bus.clean(move.reason), result=bus.clean(move.result), evidence=evidence
    )
