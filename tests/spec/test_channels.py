"""Channels: opened, renamed and closed, who is woken in them, and what the office's file says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.wishes import ChannelChanges, ChannelDraft
from dayshift.facilities.agent_talk import Sender
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.core.details import Posted
    from dayshift.core.views import ThreadView

ADA = "person:ada"


async def _names(office: OfficeHarness) -> list[str]:
    threads = await office.office.talk.threads()
    return sorted(thread.name for thread in threads if thread.kind == "channel")


async def _post(office: OfficeHarness, channel: ThreadView, text: str) -> Posted:
    return await office.office.talk.post(channel.id, text, person="ada", mode="queue", key=text)


async def _open(office: OfficeHarness, name: str, *members: str) -> ThreadView:
    draft = ChannelDraft(name=name, members=list(members))
    return await office.office.talk.create_channel(draft, by=ADA)


def _woken(office: OfficeHarness) -> list[str]:
    return office.office.inboxes.agents_with_mail()


async def test_everyone_is_in_the_general_channel_from_the_start(tmp_path: Path) -> None:
    """An office has a channel for everyone, which is neither renamed nor deleted.

    Demanded by: WORK-2 (general by default).
    """
    async with OfficeHarness(tmp_path) as office:
        talk = office.office.talk
        general = await talk.channels.one("general")

        with pytest.raises(ConflictError, match="keeps its name"):
            await talk.edit_channel("general", ChannelChanges(name="all"), by=ADA)
        with pytest.raises(ConflictError, match="cannot be deleted"):
            await talk.delete_channel("general", by=ADA)

        assert general.members == ["iris", "juno", "kai"]
        assert await _names(office) == ["general"]


async def test_a_post_wakes_those_it_mentions_or_else_all_members(tmp_path: Path) -> None:
    """A mention wakes that member alone; without one all members are woken, and nobody else.

    Demanded by: WORK-2 (membership, mentions).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        channel = await _open(office, "design", "iris", "juno")

        mentioned = await _post(office, channel, "@Juno, please look")
        after_mention = _woken(office)
        await _post(office, channel, "everyone?")

        assert mentioned.message.mentions == ["juno"]
        assert after_mention == ["juno"]
        assert _woken(office) == ["iris", "juno"]


async def test_a_mention_of_somebody_outside_is_reported_and_wakes_nobody(tmp_path: Path) -> None:
    """Agents that are no members are named to the writer; the members are not woken in their place.

    Demanded by: WORK-2 (mentions of non-members).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        channel = await _open(office, "design", "iris")

        posted = await _post(office, channel, "@kai look; mail to a@juno.example is none")

        assert (posted.strangers, posted.item, _woken(office)) == (["kai"], None, [])


async def test_an_agents_post_wakes_only_those_it_mentions(tmp_path: Path) -> None:
    """An agent is told whom it woke and who is no member; in a channel not its own it is refused.

    Demanded by: WORK-2, TOOL-4 (post_channel, read_channel).
    """
    async with OfficeHarness(tmp_path) as office:
        await _open(office, "design", "iris", "juno")
        await _open(office, "private", "kai")
        office.says(
            "iris",
            Say(
                calls=(
                    _post_call("design", "@juno @kai look"),
                    _post_call("private", "hello"),
                    _post_call("nowhere", "hello"),
                    Call(name="read_channel", arguments={"channel": "#private"}),
                )
            ),
            Say(text="ok"),
        )
        office.says("juno", Say(text="nothing for me"))

        await office.ada.asks("iris", "post it")
        await office.settled()

        results = [call.result for call in await office.calls("R-1")]
        assert "Woken: juno. Not woken, since they are no members: kai." in results[0]
        assert results[1].startswith("iris is not a member of #private.")
        assert results[2].startswith("There is no channel #nowhere. Channels: ")
        assert results[3].startswith("iris is not a member of #private.")
        assert sorted({run.agent for run in await office.runs()}) == ["iris", "juno"]


def _post_call(channel: str, message: str) -> Call:
    return Call(name="post_channel", arguments={"channel": channel, "message": message})


async def test_an_agent_that_was_not_meant_alone_does_not_answer_by_ending(tmp_path: Path) -> None:
    """The last text of a run is an answer in a channel only for the one who was mentioned.

    Demanded by: MSG-05, WORK-2.
    """
    async with OfficeHarness(tmp_path) as office:
        for agent in ("iris", "juno", "kai"):
            office.says(agent, Say(text="Nothing for me here."))

        await office.ada.posts("general", "Lunch is at noon.")
        await office.settled()
        quiet = await office.ada.sees_channel("general")
        office.says("kai", Say(text="I will."))
        await office.ada.posts("general", "@kai will you come?")
        await office.settled()

        assert quiet == ["ada: Lunch is at noon."]
        assert await office.ada.sees_channel("general") == [
            *quiet,
            "ada: @kai will you come?",
            "kai: I will.",
        ]


async def test_a_renamed_channel_keeps_what_was_said(tmp_path: Path) -> None:
    """The old name is free again, and a new channel of that name is another one.

    Demanded by: WORK-2 (create, edit, rename).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        talk = office.office.talk
        old = await _open(office, "design", "iris")
        await _post(office, old, "first")

        renamed = await talk.edit_channel("design", ChannelChanges(name="looks"), by=ADA)
        fresh = await _open(office, "design", "juno")
        await _post(office, fresh, "second")

        texts = [
            [m.text for m in (await talk.messages(one.id, before="", limit=9)).items]
            for one in (renamed, fresh)
        ]
        assert (renamed.id, renamed.name) == (old.id, "looks")
        assert texts == [["first"], ["second"]]
        assert await _names(office) == ["design", "general", "looks"]
        await office.snapshot_equals_replay()


async def test_a_channel_made_anew_does_not_bring_back_the_deleted_one(tmp_path: Path) -> None:
    """A deleted channel takes no message; one of the same name begins empty and keeps its own.

    Demanded by: WORK-2 (delete).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        talk = office.office.talk
        old = await _open(office, "design")
        await _post(office, old, "first")
        await talk.delete_channel("design", by=ADA)

        with pytest.raises(NotFoundError):
            await _post(office, old, "too late")
        with pytest.raises(NotFoundError, match=r"no channel #design\."):
            await talk.channels.one("design")
        fresh = await _open(office, "design")
        await _post(office, fresh, "second")

        messages = (await talk.messages(fresh.id, before="", limit=9)).items
        assert [(m.n, m.text) for m in messages] == [(1, "second")]
        assert (await talk.search("first", before="", limit=9)).items == []
        await office.snapshot_equals_replay()


async def test_what_is_no_channel_is_refused(tmp_path: Path) -> None:
    """Taken names, unknown members and empty member lists are refused, and nothing changes.

    Demanded by: WORK-2, the working office (bad input changes nothing).
    """
    async with OfficeHarness(tmp_path) as office:
        talk = office.office.talk
        await _open(office, "design", "iris")

        with pytest.raises(ConflictError, match="a channel #design already"):
            await _open(office, "design")
        with pytest.raises(ConflictError, match="a channel #general already"):
            await talk.edit_channel("design", ChannelChanges(name="general"), by=ADA)
        with pytest.raises(InvalidError, match="bob: nobody of that name"):
            await _open(office, "other", "bob")
        with pytest.raises(InvalidError, match="needs a member"):
            await talk.edit_channel("design", ChannelChanges(members=[]), by=ADA)
        with pytest.raises(NotFoundError):
            await talk.edit_channel("nowhere", ChannelChanges(description="x"), by=ADA)

        assert (await talk.channels.one("design")).members == ["iris"]
        assert await _names(office) == ["design", "general"]


async def test_the_file_speaks_when_it_says_something_new(tmp_path: Path) -> None:
    """What people changed stands until the file says something else of that channel.

    Demanded by: WORK-2, AGENT-1 (the ledger is the truth at run time, the file at load).
    """
    design = ChannelDraft(name="design", description="looks", members=["iris"])
    copy = ChannelDraft(name="copy", description="words", members=["kai"])
    async with OfficeHarness(tmp_path) as office:
        channels, bus = office.office.talk.channels, office.office.bus
        await bus.commit(lambda unit: channels.apply(unit, [design, copy]))
        await channels.edit("design", ChannelChanges(members=["iris", "juno"]), by=ADA)
        await channels.delete("copy", by=ADA)

        await bus.commit(lambda unit: channels.apply(unit, [design, copy]))
        stands = ((await channels.one("design")).members, await _names(office))
        again = ChannelDraft(name="design", description="new looks", members=["kai"])
        await bus.commit(lambda unit: channels.apply(unit, [again]))
        said = await channels.one("design")
        await bus.commit(lambda unit: channels.apply(unit, []))

        assert stands == (["iris", "juno"], ["design", "general"])
        assert (said.description, said.members) == ("new looks", ["kai"])
        assert await _names(office) == ["general"]


async def test_the_offices_file_is_read_in_that_way(tmp_path: Path) -> None:
    """At a start with the same file people's changes stand; a channel taken out of it is closed.

    Demanded by: WORK-2, AGENT-1.
    """
    yaml = OFFICE + "channels:\n  - {name: design, members: [iris]}\n  - {name: copy}\n"
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        talk = office.office.talk
        await talk.edit_channel("copy", ChannelChanges(name="words"), by=ADA)
        await office.restart()
        stands = await _names(office)
        await office.reopen_with(OFFICE + "channels:\n  - {name: copy}\n")

        assert stands == ["design", "general", "words"]
        assert await _names(office) == ["general", "words"]
        await office.snapshot_equals_replay()


async def test_an_agent_is_told_what_a_channel_is_called_now(tmp_path: Path) -> None:
    """Not what it was called when it was opened.

    Demanded by: WORK-2 (rename); AGENT-7.
    """
    async with OfficeHarness(tmp_path) as office:
        await _open(office, "design", "iris")
        renamed = await office.office.talk.edit_channel(
            "design", ChannelChanges(name="looks"), by=ADA
        )
        await _post(office, renamed, "Is it blue?")
        await office.settled()

        assert "Message in #looks from Ada" in office.model.requests[0].said


async def test_who_left_is_no_member_of_anything(tmp_path: Path) -> None:
    """An agent that works here no longer is taken out of every channel.

    Demanded by: MSG-08, WORK-2 (membership).
    """
    async with OfficeHarness(tmp_path) as office:
        await _open(office, "design", "iris", "kai")
        channels = office.office.talk.channels

        await office.office.bus.commit(lambda unit: channels.leave(unit, "kai"))

        members = {name: (await channels.one(name)).members for name in ("general", "design")}
        assert members == {"general": ["iris", "juno"], "design": ["iris"]}


async def test_a_post_of_an_agent_happens_once_under_its_call(tmp_path: Path) -> None:
    """A call that is settled a second time finds its message, and wakes nobody again.

    Demanded by: WORK-3 (exactly-once egress), MSG-02.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        sender = Sender(agent="iris", run="R-1", call="R-1.1.0", hops=0)
        plan = office.office.talk.agents.plan_to_channel(sender, "@juno look", "general")

        first = await office.office.bus.commit(plan)
        again = await office.office.bus.commit(plan)

        assert first.message == again.message
        assert len(office.office.inboxes.waiting("juno")) == 1
