"""Rules of the board: who may change a card, where it may go, and what follows, by table."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dayshift.core.errors import ConflictError, DeniedError, InvalidError, OfficeError
from dayshift.core.states import TASK_MOVES, TaskStatus
from dayshift.core.views import Evidence, TaskView
from dayshift.facilities.board_rules import (
    FINISHED,
    LOST,
    RESTARTABLE,
    Actor,
    Move,
    check_actor,
    check_move,
    circle,
    moved,
    restarted,
    settled,
)
from dayshift.web.samples.views import TASK

NOW = TASK.updated_at + timedelta(hours=1)
SHOWN = [Evidence(kind="check", text="looked at it")]
CARD = replace(TASK, assignee="juno", created_by="agent:iris", run="R-1", blocked_by=[])
STATUSES = tuple(TaskStatus)


def _is_refused(task: TaskView, actor: Actor, *, is_held: bool) -> type[OfficeError] | None:
    try:
        check_actor(task, actor, managers=("lead",), is_held=is_held)
    except OfficeError as error:
        return type(error)
    return None


@pytest.mark.parametrize(
    ("by", "run", "is_override", "free", "held"),
    [
        ("person:ada", "", False, None, None),
        ("office", "", False, None, None),
        ("agent:juno", "R-1", False, None, None),
        ("agent:juno", "R-2", False, None, ConflictError),
        ("agent:iris", "R-9", False, None, DeniedError),
        ("agent:iris", "R-9", True, None, None),
        ("agent:lead", "R-9", False, DeniedError, DeniedError),
        ("agent:lead", "R-9", True, None, None),
        ("agent:kai", "R-9", False, DeniedError, DeniedError),
        ("agent:kai", "R-9", True, DeniedError, DeniedError),
    ],
)
def test_who_may_change_whose_card(
    by: str,
    run: str,
    is_override: bool,
    free: type[OfficeError] | None,
    held: type[OfficeError] | None,
) -> None:
    """The same table for a card nobody works on, and for one that a run holds.

    Demanded by: WORK-1.
    """
    actor = Actor(by=by, run=run, is_override=is_override)
    assert (_is_refused(CARD, actor, is_held=False), _is_refused(CARD, actor, is_held=True)) == (
        free,
        held,
    )


@pytest.mark.parametrize("to", STATUSES)
@pytest.mark.parametrize("at", STATUSES)
def test_a_card_goes_where_the_table_says_and_nowhere_else(at: TaskStatus, to: TaskStatus) -> None:
    """With all that a column asks for, a person may make exactly the moves of the table.

    Ended cards are put back by a restart alone.

    Demanded by: WORK-1.
    """
    move = Move(status=to, reason="so", result="done", evidence=SHOWN)
    is_allowed = to in TASK_MOVES[at] and not (at in FINISHED and to is TaskStatus.TODO)
    refusals = 0
    try:
        check_move(replace(CARD, status=at), move, Actor(by="person:ada"))
    except ConflictError:
        refusals += 1
    assert refusals == int(not is_allowed)


@pytest.mark.parametrize(
    ("move", "by", "error"),
    [
        (Move(status=TaskStatus.DONE, result="", evidence=SHOWN), "person:ada", "without a result"),
        (Move(status=TaskStatus.DONE, result=" ", evidence=SHOWN), "agent:juno", "without a res"),
        (Move(status=TaskStatus.DONE, result="x", evidence=[]), "agent:juno", "without evidence"),
        (Move(status=TaskStatus.FAILED, reason=" "), "person:ada", "without a reason"),
        (Move(status=TaskStatus.BLOCKED, reason=""), "agent:juno", "without a reason"),
    ],
)
def test_a_column_asks_for_what_it_needs(move: Move, by: str, error: str) -> None:
    """A result where it is done, evidence from agents, a reason where it is lost.

    Demanded by: WORK-1, evidence on done.
    """
    with pytest.raises(InvalidError, match=error):
        check_move(replace(CARD, status=TaskStatus.IN_PROGRESS), move, Actor(by=by))


def test_a_person_needs_no_evidence_and_an_agent_may_not_put_its_own_work_back() -> None:
    """The one is trusted, the other ends what it began.

    Demanded by: WORK-1.
    """
    begun = replace(CARD, status=TaskStatus.IN_PROGRESS)
    back = Move(status=TaskStatus.TODO)
    check_move(begun, Move(status=TaskStatus.DONE, result="x"), Actor(by="person:ada"))
    check_move(begun, back, Actor(by="agent:iris"))
    with pytest.raises(ConflictError, match="cannot put it back"):
        check_move(begun, back, Actor(by="agent:juno"))


@pytest.mark.parametrize("to", STATUSES)
def test_a_move_leaves_no_trace_of_the_column_before(to: TaskStatus) -> None:
    """Claim, reason and end are those of the new column; a beginning is counted.

    Demanded by: WORK-1; TASK-01.
    """
    before = replace(
        CARD,
        status=TaskStatus.BLOCKED,
        blocked_reason="why",
        blocked_by=["T-9"],
        attempts=2,
    )
    after = moved(before, Move(status=to, reason="so"), NOW)
    begins, ends = to is TaskStatus.IN_PROGRESS, to in FINISHED
    assert after.run == ("R-1" if begins else "")
    assert after.attempts == 2 + begins
    assert after.blocked_reason == ("so" if to is TaskStatus.BLOCKED else "")
    assert after.blocked_by == []
    assert (after.completed_at is not None) is ends


@pytest.mark.parametrize("at", STATUSES)
def test_only_what_has_ended_or_is_stuck_is_restarted(at: TaskStatus) -> None:
    """It begins as if it were new, but for its number of tries.

    Demanded by: WORK-1.
    """
    before = replace(CARD, status=at, result="old", evidence=SHOWN, attempts=2, completed_at=NOW)
    if at not in RESTARTABLE:
        with pytest.raises(ConflictError):
            restarted(before, NOW)
        return
    after = restarted(before, NOW)
    assert (after.status, after.result, after.evidence, after.run) == (TaskStatus.TODO, "", [], "")
    assert (after.started_at, after.completed_at, after.attempts) == (None, None, 2)


@given(
    at=st.sampled_from(STATUSES),
    blocked_by=st.sampled_from([[], ["T-0"]]),
    needs=st.lists(st.sampled_from(STATUSES), max_size=4),
)
def test_a_card_nobody_has_begun_is_where_what_it_waits_for_puts_it(
    at: TaskStatus, blocked_by: list[str], needs: list[TaskStatus]
) -> None:
    """Blocked as long as one is lost, free when all are done, else waiting; settling is stable.

    Demanded by: WORK-1, dependencies.
    """
    card = replace(CARD, status=at, blocked_by=blocked_by)
    others = [replace(CARD, id=f"T-{n}", status=status) for n, status in enumerate(needs)]
    after = settled(card, others, NOW)
    lost = [one.id for one in others if one.status in LOST]
    is_free = at in {TaskStatus.WAITING, TaskStatus.TODO} or bool(blocked_by)
    by_needs = (
        TaskStatus.BLOCKED
        if lost
        else TaskStatus.TODO
        if all(status is TaskStatus.DONE for status in needs)
        else TaskStatus.WAITING
    )
    assert after.status is (by_needs if is_free else at)
    assert after.blocked_by == (lost if is_free else blocked_by)
    assert settled(after, others, NOW) == after


@given(
    edges=st.dictionaries(st.integers(1, 6), st.lists(st.integers(1, 6), max_size=3), max_size=6),
    needs=st.lists(st.integers(1, 6), max_size=3),
)
def test_a_card_never_waits_for_itself(edges: dict[int, list[int]], needs: list[int]) -> None:
    """A way back is found exactly where there is one, and each step of it is a dependency.

    Demanded by: WORK-1, cycles; TASK-08.
    """
    named = {str(node): [str(one) for one in after] for node, after in edges.items()}
    way = circle("1", [str(one) for one in needs], named)

    reached, fresh = set[str](), {str(one) for one in needs}
    while fresh:
        reached |= fresh
        fresh = {after for node in fresh for after in named.get(node, ())} - reached
    assert bool(way) is ("1" in reached)
    assert set(way[1:2]) <= {str(one) for one in needs}
    assert all(after in named.get(node, ()) for node, after in pairwise(way[1:]))
    assert way[:1] + way[-1:] in ([], ["1", "1"])
