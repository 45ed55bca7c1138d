"""Talk: who may write where, who is woken by it, and each message exactly once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    LimitError,
    NotFoundError,
)
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.facilities.threads import CUT, dm_id, internal_id
from dayshift.facilities.waiting import Waiting
from dayshift.testing.model_server import Call, Fail, Say
from dayshift.testing.office_harness import OfficeHarness

if TYPE_CHECKING:
    from pathlib import Path

WITH_IRIS = dm_id("iris", "ada")


def _says(name: str, **arguments: object) -> Say:
    return Say(calls=(Call(name=name, arguments=arguments),))


async def test_a_message_is_posted_once_under_its_key(tmp_path: Path) -> None:
    """The same key again gives the first message and its item, over a restart, and wakes nobody.

    Demanded by: WORK-3 (exactly once), MSG-01.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        first = await office.ada.asks("iris", "Good morning", key="k1")
        again = await office.ada.asks("iris", "Good morning", key="k1")
        await office.restart()
        later = await office.ada.asks("iris", "Good morning", key="k1")

        assert [one.message for one in (again, later)] == [first.message] * 2
        assert first.item is not None
        assert [one.item for one in (again, later)] == [first.item] * 2
        assert len(office.office.inboxes.waiting("iris")) == 1
        assert await office.ada.sees("iris") == ["ada: Good morning"]


async def test_a_key_is_for_one_message(tmp_path: Path) -> None:
    """A key that was used elsewhere is refused; another person's same key is another one.

    Demanded by: WORK-3 (exactly once).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        await office.ada.asks("iris", "Good morning", key="k1")

        with pytest.raises(ConflictError, match="used for a message elsewhere"):
            await office.ada.asks("juno", "Good morning", key="k1")
        with pytest.raises(InvalidError, match="at most 150 characters"):
            await office.ada.asks("juno", "Good morning", key="k" * 151)
        others = await office.ben.asks("iris", "Good day", key="k1")

        assert others.message.text == "Good day"


async def test_messages_are_numbered_without_gap_however_many_write_at_once(
    tmp_path: Path,
) -> None:
    """A thread's numbers count up one by one, each person's messages in their order.

    Demanded by: MSG-01, WORK-3.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        await office.ada.asks("iris", "0")

        await asyncio.gather(*(office.ada.asks("iris", str(n)) for n in range(1, 40)))

        page = await office.office.talk.messages(WITH_IRIS, before="", limit=200)
        assert [message.n for message in page.items] == list(range(40, 0, -1))
        assert [message.text for message in page.items] == [str(n) for n in range(39, -1, -1)]
        await office.snapshot_equals_replay()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("  \n", InvalidError),
        ("x" * (MESSAGE_BYTES_MAX + 1), LimitError),
        ("a\ud800", InvalidError),
    ],
)
async def test_what_is_no_message_is_refused_and_changes_nothing(
    tmp_path: Path, text: str, error: type[Exception]
) -> None:
    """Empty, over-long and broken texts are refused with the reason; the largest one passes.

    Demanded by: the working office (a message over 64 KB), SRV bad input.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        before = len(office.heard)

        with pytest.raises(error) as refusal:
            await office.office.talk.post(WITH_IRIS, text, person="ada", mode="queue", key="k")
        refused = len(office.heard)
        largest = await office.ada.asks("iris", "é" * (MESSAGE_BYTES_MAX // 2))

        assert str(refusal.value)
        assert refused == before
        assert largest.message.n == 1


async def test_a_direct_thread_is_its_persons(tmp_path: Path) -> None:
    """Nobody else writes in it, and nobody writes into agents' internal talk.

    Demanded by: WORK-3, MSG-06.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", _says("message_agent", to="juno", message="hello"), Say(text="ok"))
        office.says("juno", Say(text="fine"))
        await office.ada.asks("iris", "greet juno")
        await office.settled()
        talk = office.office.talk

        with pytest.raises(DeniedError, match="another person's"):
            await talk.post(WITH_IRIS, "hi", person="ben", mode="queue", key="k")
        with pytest.raises(DeniedError, match="between agents"):
            await talk.post(internal_id("iris", "juno"), "hi", person="ada", mode="queue", key="k")
        with pytest.raises(DeniedError, match="is not cleared"):
            await talk.clear(internal_id("iris", "juno"), by="person:ada")
        with pytest.raises(NotFoundError, match="no thread dm:ada:nobody"):
            await talk.post("dm:ada:nobody", "hi", person="ada", mode="queue", key="k")


async def test_internal_talk_is_the_agents_and_not_in_a_persons_thread(tmp_path: Path) -> None:
    """A colleague's message is told as the colleague's, and stays out of people's direct threads.

    Demanded by: MSG-06.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", _says("message_agent", to="juno", message="hello"), Say(text="ok"))
        office.says("juno", Say(text="fine"))

        await office.ada.asks("iris", "greet juno")
        await office.settled()

        juno = [seen for seen in office.model.requests if seen.agent == "juno"]
        page = await office.office.talk.messages(internal_id("juno", "iris"), before="", limit=9)
        assert "Message from your colleague iris" in str(juno[0].body)
        assert [(m.author_kind, m.author, m.text) for m in page.items] == [
            ("agent", "iris", "hello")
        ]
        assert await office.ada.sees("iris") == ["ada: greet juno", "iris: ok"]


async def test_an_answer_goes_where_the_question_came_from(tmp_path: Path) -> None:
    """A question in a direct thread and one in a channel are answered each in its place.

    Demanded by: MSG-05.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="for Ada"), Say(text="for Ben"))
        await office.ada.asks("iris", "and?")
        await office.settled()
        await office.ben.posts("general", "@iris and?")
        await office.settled()

        assert await office.ada.sees("iris") == ["ada: and?", "iris: for Ada"]
        assert await office.ada.sees_channel("general") == ["ben: @iris and?", "iris: for Ben"]


async def test_a_message_to_somebody_who_left_is_an_error_to_its_sender(tmp_path: Path) -> None:
    """Nothing is posted to an agent that works here no longer; what waited for it is told.

    Demanded by: MSG-08.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        await office.ada.asks("kai", "test it")
        inside = office.office
        waiting = Waiting(inside.bus, inside.inboxes, inside.book)
        await inside.bus.commit(lambda unit: inside.book.remove(unit, "kai"))
        await inside.bus.commit(lambda unit: waiting.leave(unit, "kai"))

        with pytest.raises(NotFoundError, match="Nobody called kai works here"):
            await inside.talk.post(dm_id("kai", "ada"), "hi", person="ada", mode="queue", key="k")
        with pytest.raises(NotFoundError, match="Nobody called kai works here"):
            await inside.talk.dm("kai", person="ben")
        alerts = await inside.alerts.list(open_only=True)

        assert inside.inboxes.waiting("kai") == []
        assert [alert.code for alert in alerts] == ["items_undelivered"]
        assert "person:ada: test it" in alerts[0].text


async def test_history_is_read_page_by_page_and_a_cleared_one_not_at_all(tmp_path: Path) -> None:
    """Pages join without gap or double; what was cleared is neither listed nor found.

    Demanded by: WORK-2 (history), WORK-3 (clear history).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        for n in range(7):
            await office.ada.asks("iris", f"Nummer {n}")
        talk = office.office.talk

        first = await talk.messages(WITH_IRIS, before="", limit=3)
        second = await talk.messages(WITH_IRIS, before=first.next or "", limit=3)
        third = await talk.messages(WITH_IRIS, before=second.next or "", limit=3)
        found = await talk.search("nummer", before="", limit=4)
        more = await talk.search("nummer", before=found.next or "", limit=4)
        cleared = await talk.clear(WITH_IRIS, by="person:ada")
        await office.ada.asks("iris", "Nummer 7")

        pages = [message.n for page in (first, second, third) for message in page.items]
        assert (pages, third.next) == ([7, 6, 5, 4, 3, 2, 1], None)
        assert [m.n for m in [*found.items, *more.items]] == [7, 6, 5, 4, 3, 2, 1]
        assert cleared.cleared_before == 8
        assert await office.ada.sees("iris") == ["ada: Nummer 7"]
        assert [m.n for m in (await talk.search("Nummer", before="", limit=9)).items] == [8]
        await office.snapshot_equals_replay()


async def test_a_search_looks_at_what_was_said_and_nothing_else(tmp_path: Path) -> None:
    """Words of the record around a message are not found; any case and any script is.

    Demanded by: WORK-2 (message search).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        await office.ada.asks("iris", 'ÄPFEL und "Birnen" 100%')
        await office.ada.asks("iris", "请写一个网页")
        talk = office.office.talk
        words = ("author_kind", "äpfel", '"birnen" 100%', "网页", "10_%")

        found = [len((await talk.search(word, before="", limit=9)).items) for word in words]

        assert found == [0, 1, 1, 1, 0]
        with pytest.raises(InvalidError, match="nothing to search for"):
            await talk.search("  ", before="", limit=9)


async def test_what_a_person_has_read_counts_for_that_person_alone(tmp_path: Path) -> None:
    """Reading goes forward only, ends with the last message, and is each person's own.

    Demanded by: WORK-2 (unread).
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.pauses()
        await office.ada.posts("general", "one")
        await office.ada.posts("general", "two")
        talk = office.office.talk

        await talk.read("ch:general", person="ben", n=99)
        await talk.read("ch:general", person="ben", n=1)

        reads = (await office.snapshot()).reads
        assert reads == {"ada/ch:general": 2, "ben/ch:general": 2}
        await office.snapshot_equals_replay()


async def test_a_run_that_fails_says_why_in_whole_sentences(tmp_path: Path) -> None:
    """What the provider said, then what would help.

    Demanded by: product, every refusal says what would make it work.
    """
    async with OfficeHarness(tmp_path) as office:
        wrong = Fail(status=401, body={"error": {"message": "Incorrect API key"}})
        office.says("iris", wrong)
        await office.ada.asks("iris", "Hello")
        await office.settled()
        said = await office.ada.sees("iris")
        assert said[-1].endswith(
            "Incorrect API key. Check the key of this provider, and that it may use this model.]"
        )


async def test_an_answer_longer_than_a_message_is_cut_and_says_so(tmp_path: Path) -> None:
    """The person gets what fits; the run is not lost over it.

    Demanded by: RUN-1; the working office, "a message over 64 KB".
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="ü" * MESSAGE_BYTES_MAX))
        await office.ada.asks("iris", "Tell me all")
        await office.settled()

        answer = (await office.ada.sees("iris"))[-1].removeprefix("iris: ")
        assert len(answer.encode()) <= MESSAGE_BYTES_MAX
        assert answer.startswith("üüü")
        assert answer.endswith(CUT)
        assert [run.state for run in await office.runs()] == ["completed"]
        await office.snapshot_equals_replay()
