"""Changes of the board by people and by agents' tool calls, within a unit of work."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from dayshift.bus.bus import Bus
from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    NotFoundError,
)
from dayshift.core.ledger import UnitOfWork
from dayshift.core.states import TaskStatus
from dayshift.core.views import CommentView, TaskView
from dayshift.core.wishes import TaskChanges
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import board_rules as rules
from dayshift.facilities import channels, limits
from dayshift.facilities.alerts import Alarm, raise_alert
from dayshift.facilities.board_effects import Effects, begun, cleaned
from dayshift.facilities.board_notices import Notices
from dayshift.facilities.board_rules import Actor, Move
from dayshift.store import cards

NAMES_SHOWN = 20


class NewTask(msgspec.Struct, frozen=True, kw_only=True):
    """A card to add.

    Attributes:
        thread: The people-side thread that started the chain.
        within: The task that the run works on which makes this one.
        key: A second card with the same key is the same card; empty for none.
    """

    title: str
    description: str = ""
    assignee: str = ""
    priority: int = 2
    depends_on: tuple[str, ...] = ()
    parent: str = ""
    report_channel: str = ""
    thread: str = ""
    within: str = ""
    key: str = ""


class ChainSpentError(LimitError):
    """Agents have handed work on, or put it back, as far as they may without a person.

    Attributes:
        first: The task that it began with.
        reached: Which limit it is.
    """

    def __init__(self, reached: str, *, first: str, refused: str = "No task was made.") -> None:
        super().__init__(
            f"{reached} {refused}",
            hint="Do it yourself, or finish with what there is; the people were told.",
        )
        self.first = first
        self.reached = reached


class Plans:
    """What changes the cards of one office. Each plan raises OfficeErrors when its unit runs."""

    def __init__(self, bus: Bus, book: DutyBook, notices: Notices) -> None:
        """Cards are kept in the ledger alone."""
        self._bus = bus
        self._book = book
        self._notices = notices
        self._effects = Effects(bus, notices)

    def create(self, new: NewTask, actor: Actor) -> Callable[[UnitOfWork], TaskView]:
        """Add a card, and wake its assignee when it is ready.

        Raises:
            InvalidError: No title; no such assignee, parent, dependency or channel.
            LimitError: The board is full, or the agent changes tasks too fast.
            ChainSpentError: Its chain is too long or too deep.
        """
        new = self._checked(new)

        def make(unit: UnitOfWork) -> TaskView:
            known = cards.task_by_key(unit, unit.office, new.key) if new.key else None
            if known is not None:
                return known
            if cards.open_count(unit, unit.office) >= rules.TASKS_OPEN_MAX:
                raise LimitError(
                    f"The board holds {rules.TASKS_OPEN_MAX} open tasks already.",
                    hint="Finish or delete some first.",
                )
            needs = needs_of(unit, new.depends_on)
            parent = _named(unit, new.parent) if new.parent else None
            if new.report_channel:
                _check_channel(unit, new.report_channel)
            chain, depth = _chain(unit, new.within, actor)
            self._count(unit, actor)
            now = self._bus.clock.now()
            view = msgspec.structs.replace(
                _fresh(unit, new, actor.by, now),
                depends_on=[task.id for task in needs],
                thread=new.thread or (parent.thread if parent else ""),
                chain=chain,
                depth=depth,
            )
            view = rules.settled(view, needs, now)
            self._effects.put(unit, view, "created", actor, key=new.key)
            cards.link(unit, view.id, view.depends_on)
            self._notices.ready(unit, view, by=actor.by)
            return view

        return make

    def edit(
        self, task: str, changes: TaskChanges, actor: Actor
    ) -> Callable[[UnitOfWork], TaskView]:
        """Change a card that is no move.

        Raises:
            NotFoundError: No such card.
            DeniedError: An agent may not.
            InvalidError: No such assignee, parent, dependency or channel, or they go in a circle.
            ConflictError: It is being worked on, and the change would take it away.
        """
        given = {k: v for k, v in msgspec.structs.asdict(changes).items() if v is not msgspec.UNSET}
        if not str(given.get("title", "x")).strip():
            raise InvalidError("A task needs a title.")
        self._check_assignee(given.get("assignee", ""))
        given |= {k: self._bus.clean(given[k]) for k in ("title", "description") if k in given}

        def change(unit: UnitOfWork) -> TaskView:
            view = self._for(unit, task, actor)
            self._count(unit, actor)
            is_taken_away = given.get("assignee", view.assignee) != view.assignee
            if view.status is TaskStatus.IN_PROGRESS and is_taken_away:
                raise ConflictError(
                    f"{view.assignee} is working on {task}.", hint="Cancel its run or wait for it."
                )
            new = dict(given)
            _check_place(unit, view, new)
            if "depends_on" in new:
                new["depends_on"] = _relink(unit, view, new["depends_on"])
            now = self._bus.clock.now()
            after = msgspec.structs.replace(view, **new, updated_at=now)
            after = rules.settled(after, needs_of(unit, after.depends_on), now)
            self._effects.put(
                unit, after, "edited", actor, before=view, note=", ".join(sorted(new))
            )
            if is_taken_away or after.status is not view.status:
                self._notices.ready(unit, after, by=actor.by)
            self._effects.follow(unit, view, after, actor)
            return after

        return change

    def move(self, task: str, move: Move, actor: Actor) -> Callable[[UnitOfWork], TaskView]:
        """Move a card; tell whom it concerns, and set free or hold up what waits for it.

        An agent that made a card for another puts it back to todo, when it has ended, by moving it
        there; that is a restart.

        Raises:
            NotFoundError: No such card.
            DeniedError: An agent may not.
            ConflictError: That move is not allowed.
            InvalidError: A reason, result or evidence is missing.
            ChainSpentError: Agents have put it back too often.
        """
        move = cleaned(move, self._bus)

        def change(unit: UnitOfWork) -> TaskView:
            view = self._for(unit, task, actor)
            is_held = cards.is_held(unit, unit.office, view)
            self._count(unit, actor)
            is_others = bool(actor.agent) and actor.agent != view.assignee
            if view.status in rules.FINISHED and move.status is TaskStatus.TODO and is_others:
                return self._restart(unit, view, actor)
            rules.check_move(view, move, actor)
            if move.status is TaskStatus.TODO:
                _check_again(unit, view, actor)
            now = self._bus.clock.now()
            after = rules.moved(view, move, now)
            if move.status is TaskStatus.IN_PROGRESS and actor.agent:
                after = begun(after, actor)
            if move.status in {TaskStatus.TODO, TaskStatus.WAITING}:
                after = rules.settled(after, needs_of(unit, after.depends_on), now)
                _check_waits(move, after)
            self._effects.put(
                unit, after, str(after.status), actor, before=view, note=move.reason or move.result
            )
            if is_held and view.run != actor.run:
                self._notices.taken(unit, after, actor)
            self._notices.ready(unit, after, by=actor.by)
            self._effects.follow(unit, view, after, actor)
            return after

        return change

    def restart(self, task: str, actor: Actor) -> Callable[[UnitOfWork], TaskView]:
        """Put a done, failed or blocked card back to todo.

        Raises:
            NotFoundError: No such card.
            ConflictError: It is in another column.
            ChainSpentError: Agents have put it back too often.
        """
        return lambda unit: self._restart(unit, self._for(unit, task, actor), actor)

    def comment(self, task: str, text: str, by: str) -> Callable[[UnitOfWork], CommentView]:
        """Remark on a card.

        It wakes nobody but the assignee, and only for a person's remark on a card that is open.

        Raises:
            NotFoundError: No such card.
            InvalidError: The text is empty.
        """
        if not text.strip():
            raise InvalidError("The remark is empty.")
        text = self._bus.clean(text)

        def remark_on(unit: UnitOfWork) -> CommentView:
            view = one(unit, task)
            now = self._bus.clock.now()
            after = msgspec.structs.replace(view, comments=view.comments + 1, updated_at=now)
            remark = CommentView(task=task, n=after.comments, author=by, text=text, at=now)
            cards.add_comment(unit, remark, after)
            if by.startswith("person:") and view.status not in rules.FINISHED:
                self._notices.remarked(unit, after, remark)
            return remark

        return remark_on

    def delete(self, task: str, actor: Actor) -> Callable[[UnitOfWork], None]:
        """Take a card off the board.

        Raises:
            NotFoundError: No such card.
            DeniedError: An agent that neither made it nor is its assignee's manager.
            ConflictError: It is being worked on, others wait for it, or others are parts of it.
        """

        def remove(unit: UnitOfWork) -> None:
            view = self._for(unit, task, actor)
            if actor.agent and actor.agent == view.assignee and actor.by != view.created_by:
                raise DeniedError(
                    f"{task} was made by {view.created_by}, who decides whether it is deleted.",
                    hint="Mark it failed with the reason.",
                )
            if cards.is_held(unit, unit.office, view):
                raise ConflictError(
                    f"{view.assignee} is working on {task}.", hint="Cancel its run first."
                )
            waiting = [one.id for one in cards.dependents(unit, unit.office, task)]
            waiting += cards.parts(unit, unit.office, task)
            if waiting:
                raise ConflictError(
                    f"{', '.join(waiting[:NAMES_SHOWN])} depend on {task}.",
                    hint="Delete them first, or let them depend on something else.",
                )
            cards.remove_task(unit, task)

        return remove

    def read(self, unit: UnitOfWork, task: str) -> TaskView:
        """One card as a unit of work sees it; raises NotFoundError."""
        return one(unit, task)

    def tell_stopped(self, unit: UnitOfWork, spent: ChainSpentError, actor: Actor) -> None:
        """Tell the people, once, that a chain of tasks or a card was stopped."""
        alarm = Alarm(
            code="chain_stopped",
            fold=f"chain:{spent.first}",
            agent=actor.agent,
            run=actor.run,
            task=spent.first,
            text=f"What began with {spent.first} was stopped: {spent.reached}",
            hint="Look at what was made; write to one of the agents if they should go on.",
        )
        raise_alert(unit, alarm, self._bus)

    # Rules that need the rows.

    def _for(self, unit: UnitOfWork, task: str, actor: Actor) -> TaskView:
        """A card that the actor may change."""
        view = one(unit, task)
        held = bool(actor.agent) and cards.is_held(unit, unit.office, view)
        managers = self._book.managers_of(view.assignee) if actor.agent else ()
        rules.check_actor(view, actor, managers=managers, is_held=held)
        return view

    def _count(self, unit: UnitOfWork, actor: Actor) -> None:
        """Count a change that others are told of; people and the office are not limited."""
        if actor.agent:
            limits.TASKS.take(unit, actor.agent, self._bus.clock.now())

    def _checked(self, new: NewTask) -> NewTask:
        if not new.title.strip():
            raise InvalidError("A task needs a title.")
        self._check_assignee(new.assignee)
        return msgspec.structs.replace(
            new,
            title=self._bus.clean(new.title),
            description=self._bus.clean(new.description),
        )

    def _check_assignee(self, name: str) -> None:
        if name and self._book.get(name) is None:
            names = ", ".join(agent.name for agent in self._book.all()[:NAMES_SHOWN])
            raise InvalidError(f"Nobody called {name} works here.", hint=f"Agents: {names}.")

    def _restart(self, unit: UnitOfWork, view: TaskView, actor: Actor) -> TaskView:
        now = self._bus.clock.now()
        after = rules.settled(rules.restarted(view, now), needs_of(unit, view.depends_on), now)
        if after.status is TaskStatus.BLOCKED:
            raise ConflictError(
                f"{view.id} cannot be restarted. {after.blocked_reason}",
                hint=f"Restart {after.blocked_by[0]}, or let it wait for something else.",
            )
        _check_again(unit, view, actor)
        self._effects.put(unit, after, "restarted", actor, before=view)
        self._notices.ready(unit, after, by=actor.by, again=True)
        self._effects.follow(unit, view, after, actor)
        return after


def one(unit: UnitOfWork, task: str) -> TaskView:
    """One card as a unit of work sees it.

    Raises:
        NotFoundError: There is none.
    """
    view = cards.task(unit, unit.office, task)
    if view is None:
        raise NotFoundError(f"There is no task {task}.", hint="task_list shows those there are.")
    return view


def needs_of(unit: UnitOfWork, ids: Sequence[str]) -> list[TaskView]:
    """The cards that others wait for, each once.

    Raises:
        InvalidError: There is none of such an id.
    """
    return [_named(unit, task) for task in dict.fromkeys(ids)]


def _named(unit: UnitOfWork, task: str) -> TaskView:
    view = cards.task(unit, unit.office, task)
    if view is None:
        raise InvalidError(f"There is no task {task}.", hint="Name one that is on the board.")
    return view


def _check_place(unit: UnitOfWork, view: TaskView, given: Mapping[str, Any]) -> None:
    """Refuse a parent or a channel that is none, and a card that would be a part of itself."""
    if given.get("report_channel"):
        _check_channel(unit, given["report_channel"])
    parent = given.get("parent", "")
    way = [view.id]
    while parent:
        way.append(parent)
        if parent == view.id:
            raise InvalidError(f"A task would be a part of itself: {' → '.join(way)}.")
        parent = _named(unit, parent).parent


def _check_channel(unit: UnitOfWork, name: str) -> None:
    try:
        channels.find(unit, unit.office, name)
    except NotFoundError as error:
        raise InvalidError(error.message, hint=error.hint) from error


def _relink(unit: UnitOfWork, view: TaskView, ids: Sequence[str]) -> list[str]:
    """Let a card wait for others from now on, and for nothing else."""
    needs = needs_of(unit, ids)
    edges = _edges_from(unit, needs)
    way = rules.circle(view.id, [task.id for task in needs], edges)
    if way:
        raise InvalidError(f"The tasks would wait for each other: {' → '.join(way)}.")
    cards.unlink(unit, view.id)
    cards.link(unit, view.id, [task.id for task in needs])
    return [task.id for task in needs]


def _edges_from(unit: UnitOfWork, start: Sequence[TaskView]) -> dict[str, list[str]]:
    """What the given cards wait for, and what that waits for, and so on."""
    edges: dict[str, list[str]] = {}
    left = list(start)
    while left:
        task = left.pop()
        if task.id not in edges:
            edges[task.id] = task.depends_on
            found = (cards.task(unit, unit.office, id_) for id_ in task.depends_on)
            left.extend(view for view in found if view is not None)
    return edges


def _check_waits(move: Move, after: TaskView) -> None:
    """Refuse a column that what the card waits for does not allow."""
    if after.status is not move.status:
        waits = ", ".join(after.depends_on)
        raise ConflictError(
            f"{after.id} cannot be {move.status}: it waits for {waits}."
            if after.status is not TaskStatus.TODO
            else f"{after.id} waits for nothing.",
            hint="It goes there by itself when that changes.",
        )


def _chain(unit: UnitOfWork, within: str, actor: Actor) -> tuple[str, int]:
    """The chain that a new card belongs to, and how deep in it.

    A card made while working on another belongs to its chain, one step deeper; what its maker adds
    after hearing of a card's end is no deeper than that card.
    """
    origin = cards.task(unit, unit.office, within) if within and actor.agent else None
    if origin is None:
        return "", 0
    first = origin.chain or origin.id
    is_next_to = origin.created_by == actor.by and origin.assignee != actor.agent
    depth = origin.depth + (0 if is_next_to else 1)
    if depth > rules.CHAIN_DEPTH_MAX:
        raise ChainSpentError(
            f"Work was handed on {rules.CHAIN_DEPTH_MAX} times since {first}, which is the limit.",
            first=first,
        )
    if cards.chain_count(unit, unit.office, first) >= rules.CHAIN_TASKS_MAX:
        raise ChainSpentError(
            f"{rules.CHAIN_TASKS_MAX} tasks came of {first}, which is the limit.", first=first
        )
    return first, depth


def _check_again(unit: UnitOfWork, view: TaskView, actor: Actor) -> None:
    """Refuse to put a card back that agents have put back time and again.

    Raises:
        ChainSpentError: They have, and no person has touched it since.
    """
    if not actor.agent or view.status not in rules.RESTARTABLE:
        return
    if rules.sent_back(cards.history(unit, unit.office, view.id)) >= rules.AGAIN_MAX:
        raise ChainSpentError(
            f"Agents have put {view.id} back {rules.AGAIN_MAX} times, which is the limit.",
            first=view.id,
            refused="It stays as it is.",
        )


def _fresh(unit: UnitOfWork, new: NewTask, by: str, now: datetime) -> TaskView:
    return TaskView(
        id=unit.next_id("T"),
        title=new.title,
        description=new.description,
        status=TaskStatus.WAITING,
        priority=new.priority,
        assignee=new.assignee,
        created_by=by,
        parent=new.parent,
        depends_on=[],
        thread=new.thread,
        report_channel=new.report_channel.removeprefix("#"),
        result="",
        evidence=[],
        blocked_reason="",
        attempts=0,
        comments=0,
        run="",
        created_at=now,
        updated_at=now,
        started_at=None,
        completed_at=None,
    )
