"""The board: enforced moves, dependencies, and who hears of what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.states import TASK_MOVES, TaskStatus
from dayshift.core.wishes import TaskChanges, TaskFilter, TaskMove
from dayshift.facilities.board_rules import Actor
from tests.spec.board_stage import ADA, SHOWN, board_stage, wish

if TYPE_CHECKING:
    from pathlib import Path

TODO, DOING, DONE = TaskStatus.TODO, TaskStatus.IN_PROGRESS, TaskStatus.DONE
FAILED, BLOCKED, WAITING = TaskStatus.FAILED, TaskStatus.BLOCKED, TaskStatus.WAITING
JUNO = Actor(by="agent:juno")
WAYS: dict[TaskStatus, list[TaskStatus]] = {
    TODO: [],
    DOING: [DOING],
    DONE: [DOING, DONE],
    FAILED: [FAILED],
    BLOCKED: [BLOCKED],
}
"""How a card comes into each column that nothing waits in."""
REFUSED = [
    (start, to)
    for start in WAYS
    for to in TaskStatus
    if to not in TASK_MOVES[start] or (start in {DONE, FAILED} and to is TODO)
]


async def test_a_task_wakes_its_assignee_when_what_it_waits_for_is_done(tmp_path: Path) -> None:
    """A card with dependencies waits, and becomes an inbox item with the last of them.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("copy")
        await stage.add("pictures", to="iris")
        page = await stage.add("page", to="kai", depends_on=["T-1", "T-2"])

        before = (page.status, stage.told("kai"))
        await stage.move("T-1", DONE)
        between = await stage.statuses("T-3")
        await stage.move("T-2", DONE)

        assert before == (WAITING, [])
        assert between == ["waiting"]
        assert await stage.statuses("T-3") == ["todo"]
        assert stage.told("kai") == ["task_ready T-3"]
        await stage.office.snapshot_equals_replay()


@pytest.mark.parametrize(("start", "to"), REFUSED)
async def test_a_move_that_is_not_allowed_is_refused_and_names_those_that_are(
    tmp_path: Path, start: TaskStatus, to: TaskStatus
) -> None:
    """Every move outside the table is refused, and the card stays where it is.

    Demanded by: WORK-1, the working office (an unknown task move).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        views = [await stage.move("T-1", step) for step in WAYS[start]]

        with pytest.raises(ConflictError) as refusal:
            await stage.move("T-1", to)

        assert refusal.value.hint
        assert await stage.statuses("T-1") == [str(start)]
        assert (await stage.board.peek("T-1")) in [*views, await stage.board.peek("T-1")]


async def test_each_column_asks_for_what_it_needs(tmp_path: Path) -> None:
    """Done needs a result, and evidence from an agent; failed and blocked need a reason.

    Demanded by: WORK-1 (evidence on done), product (done means done).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        bare = TaskMove(status=DONE, result="  ")
        told = TaskMove(status=DONE, result="made")

        with pytest.raises(InvalidError, match="without a result"):
            await stage.board.move("T-1", bare, by=ADA)
        with pytest.raises(InvalidError, match="without evidence"):
            await stage.commit(stage.board.plans.move("T-1", told, JUNO))
        with pytest.raises(InvalidError, match="blocked without a reason"):
            await stage.board.move("T-1", TaskMove(status=BLOCKED, reason=" "), by=ADA)
        with pytest.raises(InvalidError, match="failed without a reason"):
            await stage.board.move("T-1", TaskMove(status=FAILED), by=ADA)
        done = await stage.board.move("T-1", told, by=ADA)

        assert (done.status, done.result, done.evidence) == (DONE, "made", [])


async def test_a_board_names_what_is_not_there(tmp_path: Path) -> None:
    """Unknown cards, assignees, parents, dependencies and channels are refused; nothing is made.

    Demanded by: WORK-1, the working office (bad input changes nothing).
    """
    async with board_stage(tmp_path) as stage:
        with pytest.raises(InvalidError, match="Nobody called nobody"):
            await stage.add("page", to="nobody")
        with pytest.raises(InvalidError, match="no task T-9"):
            await stage.add("page", depends_on=["T-9"])
        with pytest.raises(InvalidError, match="no task T-9"):
            await stage.add("page", parent="T-9")
        with pytest.raises(InvalidError, match="no channel #nowhere"):
            await stage.add("page", report_channel="nowhere")
        with pytest.raises(InvalidError, match="needs a title"):
            await stage.add("   ")
        with pytest.raises(NotFoundError):
            await stage.move("T-1", DONE)
        with pytest.raises(InvalidError, match="no task status 'gone'"):
            await stage.board.tasks(TaskFilter(status="gone"), before="", limit=10)

        page = await stage.board.tasks(TaskFilter(), before="", limit=10)
        assert page.items == []


async def test_an_id_of_something_else_is_no_task(tmp_path: Path) -> None:
    """R-1 does not find T-1.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")

        with pytest.raises(NotFoundError):
            await stage.board.card("R-1")
        assert (await stage.board.card("T-1")).task.title == "page"


async def test_tasks_never_wait_for_themselves(tmp_path: Path) -> None:
    """A circle of dependencies or of parts is refused, with the way round it.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.add("three", depends_on=["T-2"], parent="T-1")

        with pytest.raises(InvalidError, match="T-1 → T-3 → T-2 → T-1"):
            await stage.board.edit("T-1", TaskChanges(depends_on=["T-3"]), by=ADA)
        with pytest.raises(InvalidError, match="T-1 → T-1"):
            await stage.board.edit("T-1", TaskChanges(depends_on=["T-1"]), by=ADA)
        with pytest.raises(InvalidError, match="part of itself: T-1 → T-3 → T-1"):
            await stage.board.edit("T-1", TaskChanges(parent="T-3"), by=ADA)

        assert await stage.statuses("T-1", "T-2", "T-3") == ["todo", "waiting", "waiting"]


async def test_what_waits_for_a_stuck_task_is_held_up_and_goes_on_with_it(tmp_path: Path) -> None:
    """Failing blocks all that waits, however far; a restart lets it wait again.

    Demanded by: WORK-1 (dependencies, chain), product (blocked is a state).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.add("three", depends_on=["T-2"])

        await stage.move("T-1", FAILED)
        third = await stage.board.peek("T-3")
        held_up = await stage.statuses("T-2", "T-3")
        await stage.board.restart("T-1", by=ADA)
        freed = await stage.statuses("T-1", "T-2", "T-3")
        await stage.move("T-1", DONE)

        assert held_up == ["blocked", "blocked"]
        assert third is not None
        assert (third.blocked_by, third.blocked_reason) == (
            ["T-2"],
            "It waits for T-2, which will not be done as things stand.",
        )
        assert freed == ["todo", "waiting", "waiting"]
        assert await stage.statuses("T-2", "T-3") == ["todo", "waiting"]
        await stage.office.snapshot_equals_replay()


async def test_a_task_that_a_person_blocked_is_not_set_free_by_itself(tmp_path: Path) -> None:
    """What was blocked by hand stays blocked, whatever becomes of its dependencies.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.move(
            "T-2", BLOCKED, why="waits for T-1, which will not be done as things stand"
        )

        await stage.move("T-1", DONE)

        assert await stage.statuses("T-2") == ["blocked"]


async def test_a_restarted_task_makes_what_is_not_begun_wait_again(tmp_path: Path) -> None:
    """A card that was ready goes back to waiting when what it needs is done over.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.add("three", depends_on=["T-1"])
        await stage.move("T-1", DONE)
        await stage.move("T-3", DOING)

        await stage.board.restart("T-1", by=ADA)

        assert await stage.statuses("T-1", "T-2", "T-3") == ["todo", "waiting", "in_progress"]


async def test_a_task_that_is_held_up_is_not_restarted_by_itself(tmp_path: Path) -> None:
    """Restarting what waits for a failed task is refused, and names what to restart instead.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.move("T-1", FAILED)

        with pytest.raises(ConflictError, match="waits for T-1") as refusal:
            await stage.board.restart("T-2", by=ADA)
        with pytest.raises(ConflictError, match="waits for T-1"):
            await stage.move("T-2", TODO)

        assert "Restart T-1" in refusal.value.hint


async def test_a_task_begun_too_late_is_held_up_at_once(tmp_path: Path) -> None:
    """A card that is to wait for a failed one is blocked from the start, and says why.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.move("T-1", FAILED)

        two = await stage.add("two", depends_on=["T-1"])

        assert (two.status, two.blocked_by) == (BLOCKED, ["T-1"])


async def test_a_long_chain_is_held_up_and_freed_in_one_step(tmp_path: Path) -> None:
    """A thousand cards in a row are no deeper than one.

    Demanded by: WORK-1 (chain), EVT-6.
    """
    count = 1_100
    async with board_stage(tmp_path) as stage:
        await stage.add("first", to="")
        tasks = [await stage.add("next", to="", depends_on=[f"T-{n}"]) for n in range(1, count)]

        await stage.move("T-1", FAILED)
        held_up = await stage.statuses("T-2", tasks[-1].id)
        await stage.board.restart("T-1", by=ADA)

        assert held_up == ["blocked", "blocked"]
        assert await stage.statuses("T-2", tasks[-1].id) == ["waiting", "waiting"]


async def test_a_task_on_which_others_depend_is_not_deleted(tmp_path: Path) -> None:
    """Dependents, parts and work under way keep a card on the board; else it goes.

    Demanded by: WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("one")
        await stage.add("two", depends_on=["T-1"])
        await stage.add("three", parent="T-2")
        await stage.add("four")
        await stage.begin_run("R-1", "T-4")

        with pytest.raises(ConflictError, match="T-2 depend on T-1"):
            await stage.board.delete("T-1", by=ADA)
        with pytest.raises(ConflictError, match="T-3 depend on T-2"):
            await stage.board.delete("T-2", by=ADA)
        with pytest.raises(ConflictError, match="juno is working on T-4"):
            await stage.board.delete("T-4", by=ADA)
        await stage.board.comment("T-3", "not needed", by=ADA)
        await stage.board.delete("T-3", by=ADA)
        await stage.board.delete("T-2", by=ADA)

        assert await stage.statuses("T-1", "T-2", "T-3", "T-4") == [
            "todo",
            "gone",
            "gone",
            "in_progress",
        ]
        await stage.office.snapshot_equals_replay()


async def test_the_history_of_a_card_tells_who_did_what(tmp_path: Path) -> None:
    """Each change is a line with its actor, both columns and the reason, in order.

    Demanded by: WORK-1 (audit).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        await stage.board.edit("T-1", TaskChanges(priority=4), by="person:ben")
        await stage.move("T-1", BLOCKED, why="no copy yet")

        card = await stage.board.card("T-1")

        lines = [(h.actor, h.change, h.before, h.after, h.note) for h in card.history]
        assert lines == [
            ("person:ada", "created", "", "todo", ""),
            ("person:ben", "edited", "todo", "todo", "priority"),
            ("person:ada", "blocked", "todo", "blocked", "no copy yet"),
        ]


async def test_a_list_filters_and_pages_without_gap_or_double(tmp_path: Path) -> None:
    """Pages of a filtered list join to the whole of it, newest first.

    Demanded by: WORK-1 (filters), product (every list is paged).
    """
    async with board_stage(tmp_path) as stage:
        tasks = [await stage.add(f"page {n}", to="kai" if n % 2 else "juno") for n in range(9)]
        wanted = TaskFilter(assignee="kai", text="PAGE")

        first = await stage.board.tasks(wanted, before="", limit=3)
        second = await stage.board.tasks(wanted, before=first.next or "", limit=3)

        expected = [task.id for task in reversed(tasks) if task.assignee == "kai"]
        assert [task.id for task in [*first.items, *second.items]] == expected
        assert second.next is None
        with pytest.raises(InvalidError, match="no cursor"):
            await stage.board.tasks(wanted, before="x", limit=3)


async def test_a_task_is_made_once_under_its_key(tmp_path: Path) -> None:
    """The same call made again finds the card it made.

    Demanded by: the working office (exactly once), RUN-4.
    """
    async with board_stage(tmp_path) as stage:
        from dayshift.facilities.board_plans import NewTask

        new = NewTask(title="page", assignee="kai", key="call:R-1.1.0")

        first = await stage.commit(stage.board.plans.create(new, JUNO))
        second = await stage.commit(stage.board.plans.create(new, JUNO))

        assert (first.id, second.id) == ("T-1", "T-1")
        assert stage.told("kai") == ["task_ready T-1"]


async def test_reassigning_wakes_the_new_one_and_not_while_it_is_worked_on(tmp_path: Path) -> None:
    """A card goes to another agent only when nobody works on it.

    Demanded by: WORK-1, TASK-04.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        await stage.board.edit("T-1", TaskChanges(assignee="kai"), by=ADA)
        claimed = await stage.begin_run("R-1", "T-1", agent="kai")

        with pytest.raises(ConflictError, match="kai is working on T-1"):
            await stage.board.edit("T-1", TaskChanges(assignee="juno"), by=ADA)

        assert claimed is not None
        assert stage.told("kai") == ["task_ready T-1"]


async def test_wishes_keep_their_evidence(tmp_path: Path) -> None:
    """What shows that a task is done stays on the card until it is done over.

    Demanded by: WORK-1 (evidence on done).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        done = await stage.commit(stage.board.plans.move("T-1", wish(DONE), JUNO))
        again = await stage.board.restart("T-1", by=ADA)

        assert (done.evidence, again.evidence, again.result) == (SHOWN, [], "")
