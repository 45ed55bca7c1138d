"""Limits: how often an agent may say something, and that it is told when it may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import ItemChanged, MessagePosted
from dayshift.core.errors import LimitError
from dayshift.core.limits import HOPS_MAX
from dayshift.facilities import limits
from dayshift.testing.model_server import Call, Say, Seen
from dayshift.testing.office_harness import JumpingClock, OfficeHarness, Setting, does
from tests.spec.board_stage import BoardStage
from tests.spec.events_stage import OFFICE, tells

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.core.views import CallView

MANY = 11


def _setting() -> Setting:
    """An office in which no time passes unless a test says so."""
    return Setting(yaml=OFFICE, clock=JumpingClock())


def _says(count: int, *, at: int = 0) -> Say:
    """An answer that sends so many messages to the person at once."""
    return Say(
        calls=tuple(
            Call(name="message_user", arguments={"message": f"message {at + n}"})
            for n in range(count)
        )
    )


def _posts(count: int, channel: str = "general") -> Say:
    """An answer that posts so often in a channel at once."""
    return Say(
        calls=tuple(
            Call(name="post_channel", arguments={"channel": channel, "message": f"post {n}"})
            for n in range(count)
        )
    )


async def _does(office: OfficeHarness, agent: str, *says: Say) -> list[CallView]:
    """Let an agent do something in a run of its own; its calls."""
    office.says(agent, *says, Say(text="Done."))
    await office.ada.asks(agent, "Go on")
    await office.settled()
    runs = [run for run in await office.runs() if run.agent == agent]
    return await office.calls(runs[-1].id)


def _refused(calls: list[CallView]) -> list[str]:
    """What was said to the calls that were refused for being too many."""
    assert {call.code for call in calls} <= {"ok", "limit"}
    return [call.result for call in calls if call.code == "limit"]


async def test_ten_messages_in_thirty_seconds_and_the_eleventh_is_refused(tmp_path: Path) -> None:
    """With the number, the time it is for, and when the next one passes; it is not said.

    Demanded by: EVT-5, 10 messages/30 s per sender, refused with the reason.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        refused = _refused(await _does(office, "iris", _says(MANY)))

        assert len(refused) == 1
        assert "iris has reached the limit of 10 messages in 30 seconds." in refused[0]
        assert "The next one passes in 30 s" in refused[0]
        said = [line for line in await office.ada.sees("iris") if "message" in line]
        assert len(said) == len(set(said)) == 10
        await office.snapshot_equals_replay()


async def test_messages_to_people_and_to_colleagues_count_together(tmp_path: Path) -> None:
    """Whoever they are for; what others say counts for them alone.

    Demanded by: EVT-5, per sender.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        of_iris = await _does(
            office, "iris", _says(8), tells("juno", "a"), tells("kai", "b"), tells("juno", "c")
        )
        of_kai = await _does(office, "kai", _says(9))

        assert [call.name for call in of_iris if call.code == "limit"] == ["message_agent"]
        assert _refused(of_kai) == []
        internal = [
            entry.message.text
            for entry in office.entries(MessagePosted)
            if entry.message.thread == "in:iris:juno" and entry.message.author == "iris"
        ]
        assert internal == ["a"]


async def test_the_window_slides_by_the_clock_of_the_office(tmp_path: Path) -> None:
    """Not a moment before thirty seconds of its time; then as many pass as have grown old.

    Demanded by: EVT-5.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        first = _refused(await _does(office, "iris", _says(4)))
        office.jump(seconds=10)
        second = _refused(await _does(office, "iris", _says(6, at=10)))
        office.jump(seconds=19)
        early = _refused(await _does(office, "iris", _says(1, at=20)))
        office.jump(seconds=1)
        late = _refused(await _does(office, "iris", _says(5, at=30)))

        assert (first, second) == ([], [])
        assert ["passes in 1 s" in one for one in early] == [True]
        assert ["passes in 10 s" in one for one in late] == [True]


async def test_a_restart_forgets_nothing_of_what_was_said(tmp_path: Path) -> None:
    """Ten before it are ten after it.

    Demanded by: EVT-5; RUN-4.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        before = _refused(await _does(office, "iris", _says(10)))
        await office.kill_and_reopen()
        after = _refused(await _does(office, "iris", _says(1, at=10)))
        assert (len(before), len(after)) == (0, 1)


async def test_five_posts_in_a_channel_and_as_many_in_another(tmp_path: Path) -> None:
    """For each agent and channel by itself; what is refused is not posted.

    Demanded by: EVT-5, channel posts 5/30 s per agent and channel.
    """
    yaml = f"{OFFICE}channels:\n  - {{name: news, members: [iris, juno, kai]}}\n"
    async with OfficeHarness(tmp_path, Setting(yaml=yaml, clock=JumpingClock())) as office:
        general = _refused(await _does(office, "iris", _posts(6)))
        news = _refused(await _does(office, "iris", _posts(5, "news")))
        of_juno = _refused(await _does(office, "juno", _posts(5)))

        assert len(general) == 1
        assert "limit of 5 posts in one channel in 30 seconds" in general[0]
        assert (news, of_juno) == ([], [])
        said = await office.ada.sees_channel("general")
        assert [line.partition(":")[0] for line in said] == ["iris"] * 5 + ["juno"] * 5
        assert len(await office.ada.sees_channel("news")) == 5
        await office.snapshot_equals_replay()


async def test_forty_changes_on_the_board_that_others_hear_of(tmp_path: Path) -> None:
    """The forty-first is refused and changes nothing; people are not counted.

    Demanded by: EVT-5, task notices 40/30 s.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        await office.ada.pauses()
        stage = BoardStage(office)
        for n in range(limits.TASKS.count):
            await stage.make(f"card {n}", by="agent:iris")
        with pytest.raises(LimitError, match="limit of 40 changes of tasks") as told:
            await stage.make("one too many", by="agent:iris")
        by_kai = await stage.make("of somebody else", by="agent:kai", to="juno")
        by_ada = await stage.add("of a person")
        office.jump(seconds=30)
        later = await stage.make("half a minute later", by="agent:iris")

        assert told.value.retry_after_s == limits.TASKS.window_s
        titles = {task.title for task in (await office.snapshot()).tasks.values()}
        assert "one too many" not in titles
        assert {by_kai.title, by_ada.title, later.title} <= titles
        assert len(titles) == limits.TASKS.count + 3
        await office.snapshot_equals_replay()


async def test_the_fifth_hop_is_the_last_until_a_person_speaks(tmp_path: Path) -> None:
    """Each message of one agent to the next is a hop; a person's word begins at nought again.

    Demanded by: EVT-5, hop limit 5.
    """
    async with OfficeHarness(tmp_path, _setting()) as office:
        office.script.otherwise = _passes_on

        await office.ada.asks("iris", "Pass it on")
        await office.settled()
        first = _hops(office)
        await office.ada.asks("juno", "Pass it on")
        await office.settled()

        assert first == list(range(1, HOPS_MAX + 1))
        assert _hops(office)[len(first) :] == first
        refused = [
            call.result
            for run in await office.runs()
            for call in await office.calls(run.id)
            if call.code == "limit"
        ]
        assert len(refused) == 2
        assert all("5 messages among agents without a person" in told for told in refused)
        await office.snapshot_equals_replay()


def _passes_on(seen: Seen) -> Say:
    """Tells the next agent, and is done when that is done or refused."""
    if seen.step:
        return Say(text="Passed.")
    following = {"iris": "juno", "juno": "kai", "kai": "iris"}[seen.agent]
    return does("message_agent", to=following, message=f"from {seen.agent}, {seen.number}")


def _hops(office: OfficeHarness) -> list[int]:
    """The hops of the items that agents' messages became, in order."""
    return [
        entry.item.hops
        for entry in office.entries(ItemChanged)
        if entry.item.source == "talk" and entry.item.state == "queued"
    ]
