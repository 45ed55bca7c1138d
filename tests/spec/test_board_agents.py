"""The board among agents: whose card is whose, one run a card, and nobody woken for nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import ConflictError, DeniedError
from dayshift.core.states import TaskStatus
from dayshift.core.wishes import TaskChanges
from dayshift.facilities import board_rules as rules
from dayshift.facilities.board_plans import ChainSpentError
from dayshift.facilities.board_rules import Actor, Move
from tests.spec.board_stage import ADA, board_stage

if TYPE_CHECKING:
    from pathlib import Path

DOING, DONE = TaskStatus.IN_PROGRESS, TaskStatus.DONE
FAILED, BLOCKED, TODO = TaskStatus.FAILED, TaskStatus.BLOCKED, TaskStatus.TODO
IRIS, JUNO, KAI = (Actor(by=f"agent:{name}") for name in ("iris", "juno", "kai"))


async def test_nobody_finishes_a_colleagues_task(tmp_path: Path) -> None:
    """A colleague is refused; a manager is, too, unless it says that it means to.

    Demanded by: TASK-10.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        await stage.begin_run("R-1", "T-1")

        with pytest.raises(DeniedError, match="juno's, who is working on it"):
            await stage.act("T-1", DONE, KAI)
        with pytest.raises(DeniedError):
            await stage.act("T-1", DONE, Actor(by="agent:kai", is_override=True))
        with pytest.raises(DeniedError, match="juno's, who is working on it"):
            await stage.act("T-1", DONE, IRIS)
        refused = await stage.statuses("T-1")
        done = await stage.act("T-1", DONE, Actor(by="agent:iris", is_override=True))
        card = await stage.board.card("T-1")

        assert (refused, done.status) == (["in_progress"], DONE)
        assert card.history[-1].actor == "agent:iris"


async def test_who_made_a_task_may_change_it_while_nobody_works_on_it(tmp_path: Path) -> None:
    """The maker decides over its card until it is begun, and afterwards only if it means to.

    Demanded by: TASK-10, WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("page", by="agent:juno", to="kai")
        edit = stage.board.plans.edit("T-1", TaskChanges(priority=4), JUNO)
        before = await stage.commit(edit)
        await stage.begin_run("R-1", "T-1", agent="kai")

        with pytest.raises(DeniedError, match="who is working on it"):
            await stage.commit(stage.board.plans.edit("T-1", TaskChanges(priority=0), JUNO))
        after = await stage.act("T-1", BLOCKED, Actor(by="agent:juno", is_override=True))

        assert (before.priority, after.status) == (4, BLOCKED)


async def test_a_colleague_neither_takes_over_nor_deletes_a_card(tmp_path: Path) -> None:
    """Reassigning and deleting are held to the same rule as moving.

    Demanded by: TASK-10.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")

        with pytest.raises(DeniedError):
            await stage.commit(stage.board.plans.edit("T-1", TaskChanges(assignee="kai"), KAI))
        with pytest.raises(DeniedError):
            await stage.office.office.bus.commit(stage.board.plans.delete("T-1", KAI))
        with pytest.raises(DeniedError, match="who decides whether it is deleted"):
            await stage.office.office.bus.commit(stage.board.plans.delete("T-1", JUNO))

        task = await stage.board.peek("T-1")
        assert task is not None
        assert task.assignee == "juno"


async def test_a_card_is_claimed_by_one_run(tmp_path: Path) -> None:
    """Of runs that begin at the same time, one has the card, with one attempt counted.

    Demanded by: TASK-01.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")

        claims = await asyncio.gather(*(stage.begin_run(f"R-{n}", "T-1") for n in range(1, 9)))

        task = await stage.board.peek("T-1")
        assert task is not None
        assert [claim is not None for claim in claims].count(True) == 1
        assert (task.attempts, task.status) == (1, DOING)


async def test_only_the_assignee_begins_a_card(tmp_path: Path) -> None:
    """A run of another agent gets no claim, nor does one on a card that is not to be begun.

    Demanded by: TASK-01, WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        await stage.add("later", to="juno", depends_on=["T-1"])

        claims = [
            await stage.begin_run("R-1", "T-1", agent="kai"),
            await stage.begin_run("R-2", "T-2"),
            await stage.begin_run("R-3", "T-9"),
        ]

        assert claims == [None, None, None]
        assert await stage.statuses("T-1", "T-2") == ["todo", "waiting"]


async def test_a_late_run_cannot_change_a_card_that_another_holds(tmp_path: Path) -> None:
    """A run that lost its card neither moves it nor gives it back.

    Demanded by: TASK-01, TASK-02.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        await stage.begin_run("R-1", "T-1")
        await stage.end_run("R-1")
        await stage.begin_run("R-2", "T-1")
        late = Actor(by="agent:juno", run="R-1")

        with pytest.raises(ConflictError, match="T-1 is worked on in R-2"):
            await stage.act("T-1", DONE, late)
        give_back = stage.board.plan_release("T-1", run="R-1", move=None, by="office")
        await stage.office.office.bus.commit(give_back)

        task = await stage.board.peek("T-1")
        assert task is not None
        assert (task.status, task.run, task.attempts) == (DOING, "R-2", 2)


async def test_a_card_of_a_run_that_ended_can_be_claimed_again(tmp_path: Path) -> None:
    """A claim lasts as long as its run is under way, whatever the clock says.

    Demanded by: TASK-02, TASK-03.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page")
        await stage.begin_run("R-1", "T-1")

        during = await stage.begin_run("R-2", "T-1")
        await stage.end_run("R-1")
        after = await stage.begin_run("R-3", "T-1")

        assert during is None
        assert after is not None
        assert (after.run, after.attempts) == ("R-3", 2)


async def test_a_remark_of_an_agent_wakes_nobody(tmp_path: Path) -> None:
    """Status notes of agents are theirs and wake no one; a person's remark wakes the assignee once.

    Demanded by: LOOP-01.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        before = stage.told("juno")

        for by in ("agent:juno", "agent:iris"):
            await stage.board.comment("T-1", "still at it", by=by)
        after_agents = stage.told("juno")
        await stage.board.comment("T-1", "mind the logo", by=ADA)
        card = await stage.board.card("T-1")

        assert after_agents == before == ["task_ready T-1"]
        assert stage.told("juno") == ["task_ready T-1", "task_remark T-1"]
        assert [one.author for one in card.comments] == ["agent:juno", "agent:iris", ADA]


async def test_a_note_never_reopens_a_finished_task(tmp_path: Path) -> None:
    """Notes leave a done task done and wake nobody; reopening is explicit and wakes once.

    Demanded by: LOOP-03.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        await stage.move("T-1", DONE)
        before = stage.told("juno")

        await stage.board.comment("T-1", "done indeed", by="agent:juno")
        await stage.board.comment("T-1", "thank you", by=ADA)
        after_notes = (stage.told("juno"), await stage.statuses("T-1"))
        await stage.board.restart("T-1", by=ADA)

        assert after_notes == (before, ["done"])
        assert stage.told("juno") == [*before, "task_restarted T-1"]


async def test_an_agent_does_not_reopen_its_own_finished_task(tmp_path: Path) -> None:
    """The assignee cannot put a finished card back; who made it for another can, once.

    Demanded by: LOOP-03, EVT-6 (self-wakes).
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("page", by="agent:iris", to="juno")
        await stage.act("T-1", DONE, JUNO)

        with pytest.raises(ConflictError, match="cannot become todo"):
            await stage.act("T-1", TODO, JUNO)
        again = await stage.act("T-1", TODO, IRIS)

        assert again.status is TODO
        assert stage.told("juno") == ["task_ready T-1", "task_restarted T-1"]


async def test_an_agent_does_not_put_back_what_it_has_begun(tmp_path: Path) -> None:
    """A begun card ends as done, failed or blocked; its agent does not wake itself with it.

    Demanded by: EVT-6 (self-wakes).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        await stage.begin_run("R-1", "T-1")

        with pytest.raises(ConflictError, match="you cannot put it back"):
            await stage.act("T-1", TODO, Actor(by="agent:juno", run="R-1"))

        assert await stage.statuses("T-1") == ["in_progress"]


async def test_the_maker_hears_of_the_end_and_nobody_of_what_they_did_themselves(
    tmp_path: Path,
) -> None:
    """An end wakes who made the card, once; not who ended it, and not for one's own card.

    Demanded by: WORK-1 (notices), EVT-6 (self-wakes).
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("for juno", by="agent:iris", to="juno")
        await stage.make("for myself", by="agent:iris", to="iris")
        await stage.make("I end it", by="agent:iris", to="juno")

        await stage.act("T-1", DONE, JUNO)
        await stage.act("T-2", DONE, IRIS)
        await stage.act("T-3", DONE, IRIS)

        assert stage.told("iris") == ["task_ready T-2", "task_done T-1"]
        assert await stage.alerts() == []


async def test_people_hear_what_no_agent_can(tmp_path: Path) -> None:
    """A stuck card of a person is an alert, and an agent's own, too; a person's doing is none.

    Demanded by: WORK-1, product (one place collects what waits for a person).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("by a person", to="juno")
        await stage.make("for myself", by="agent:kai", to="kai")
        await stage.add("a person blocks it", to="juno")

        await stage.act("T-1", BLOCKED, JUNO)
        await stage.act("T-2", FAILED, KAI)
        await stage.move("T-3", BLOCKED, by="person:ben")

        assert sorted(await stage.alerts()) == ["task_blocked T-1", "task_failed T-2"]


async def test_a_cascade_tells_each_maker_once(tmp_path: Path) -> None:
    """What is held up is named in the notice of its cause; other makers hear of it once each.

    Demanded by: EVT-6 (fan-out), WORK-1.
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("first", by="agent:iris", to="juno")
        for _ in range(3):
            await stage.add("held up", to="juno", by="agent:iris", depends_on=["T-1"])
            await stage.add("held up", to="juno", by="agent:kai", depends_on=["T-1"])

        await stage.act("T-1", FAILED, JUNO)
        cause = stage.office.office.inboxes.waiting("iris")[0]

        assert stage.told("iris") == ["task_failed T-1"]
        assert stage.told("kai") == ["task_blocked T-3"]
        assert "Held up with it: T-2, T-3, T-4, T-5, T-6, T-7." in cause.text


async def test_a_run_is_told_at_once_when_its_card_is_moved_by_another(tmp_path: Path) -> None:
    """Whoever moves a card that is worked on steers the run that holds it.

    Demanded by: TASK-12, TASK-04.
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno")
        await stage.begin_run("R-1", "T-1")

        await stage.move("T-1", DONE)

        steering = stage.office.office.inboxes.steering("juno")
        assert [(item.type, item.task) for item in steering] == [("task_taken", "T-1")]
        assert "Do not go on with it" in steering[0].text


async def test_an_end_is_announced_in_the_channel_that_was_named(tmp_path: Path) -> None:
    """A report is posted once, by the office, and wakes nobody.

    Demanded by: WORK-1 (report channel).
    """
    async with board_stage(tmp_path) as stage:
        await stage.add("page", to="juno", report_channel="general")

        await stage.move("T-1", DONE)

        assert await stage.office.ada.sees_channel("general") == ["office: T-1 page: done\nmade"]
        assert stage.told("juno") == ["task_ready T-1"]


async def test_work_is_handed_on_only_so_often(tmp_path: Path) -> None:
    """Each card made while working on another is one deeper, and at the limit no more are made.

    Demanded by: LOOP-07 (depth), EVT-6 (fan-out).
    """
    agents = ("juno", "kai")
    depth = rules.CHAIN_DEPTH_MAX
    async with board_stage(tmp_path) as stage:
        await stage.add("first", to="juno")
        tasks = [
            await stage.make(
                "more", by=f"agent:{agents[n % 2]}", within=f"T-{n + 1}", to=agents[(n + 1) % 2]
            )
            for n in range(depth)
        ]

        with pytest.raises(ChainSpentError, match="handed on 5 times since T-1"):
            await stage.make("more", by=f"agent:{agents[depth % 2]}", within=tasks[-1].id)

        assert [(task.chain, task.depth) for task in tasks] == [
            ("T-1", n) for n in range(1, depth + 1)
        ]
        assert await stage.statuses(f"T-{depth + 2}") == ["gone"]


async def test_a_chain_brings_forth_only_so_many_tasks(tmp_path: Path) -> None:
    """At the limit no more are made, by whomever, until a person starts anew.

    Demanded by: LOOP-07 (total), EVT-6 (fan-out).
    """
    makers = ("agent:iris", "agent:juno", "agent:kai")
    async with board_stage(tmp_path) as stage:
        await stage.make("first", by="agent:iris", to="juno")
        tasks = [
            await stage.make("more", by=makers[n % 3], within="T-1")
            for n in range(rules.CHAIN_TASKS_MAX - 1)
        ]

        with pytest.raises(ChainSpentError, match="100 tasks came of T-1"):
            await stage.make("one more", by="agent:kai", within=tasks[-1].id)
        anew = await stage.add("a person's", to="kai")

        assert {task.chain for task in tasks} == {"T-1"}
        assert (anew.id, anew.chain) == ("T-101", "")


async def test_what_a_maker_adds_after_an_end_is_no_deeper(tmp_path: Path) -> None:
    """A lead that hands out work step by step does not come to the limit of depth.

    Demanded by: WORK-1 (chain), LOOP-07.
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("first", by="agent:iris", to="juno")

        second = await stage.make("second", by="agent:iris", within="T-1", to="juno")
        third = await stage.make("third", by="agent:iris", within=second.id, to="juno")
        handed_on = await stage.make("part of it", by="agent:juno", within=third.id)

        assert [task.depth for task in (second, third, handed_on)] == [0, 0, 1]


async def test_the_cards_of_an_agent_that_left_are_blocked_and_told(tmp_path: Path) -> None:
    """Nothing waits silently for somebody who is gone.

    Demanded by: TASK-07, MSG-08.
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("page", by="agent:iris", to="juno")
        await stage.add("by a person", to="juno")

        await stage.office.office.bus.commit(lambda unit: stage.board.claims.leave(unit, "juno"))

        assert await stage.statuses("T-1", "T-2") == ["blocked", "blocked"]
        assert stage.told("iris") == ["task_blocked T-1"]
        assert await stage.alerts() == ["task_blocked T-2"]


async def test_a_run_that_ends_without_a_word_gives_its_card_back(tmp_path: Path) -> None:
    """A release moves the card as it says, once, and tells its maker.

    Demanded by: TASK-03, TASK-06.
    """
    async with board_stage(tmp_path) as stage:
        await stage.make("page", by="agent:iris", to="juno")
        await stage.begin_run("R-1", "T-1")
        move = Move(status=BLOCKED, reason="The run ended without a word.")
        release = stage.board.plan_release("T-1", run="R-1", move=move, by="office")

        await stage.office.office.bus.commit(release)
        await stage.office.office.bus.commit(release)

        task = await stage.board.peek("T-1")
        assert task is not None
        assert (task.status, task.blocked_reason, task.run) == (BLOCKED, move.reason, "")
        assert stage.told("iris") == ["task_blocked T-1"]
