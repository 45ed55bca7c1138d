"""Exactly once: each thing has its id before it takes effect, and whoever comes again meets it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import AlertChanged, CallChanged, ItemChanged, MessagePosted
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OfficeHarness, does

if TYPE_CHECKING:
    from pathlib import Path

EFFECTS = (
    ("message_posted", Call(name="message_agent", arguments={"to": "juno", "message": "Hi"})),
    ("item_changed", Call(name="message_agent", arguments={"to": "juno", "message": "Hi"})),
    (
        "message_posted",
        Call(name="post_channel", arguments={"channel": "general", "message": "Hi"}),
    ),
    ("task_changed", Call(name="task_create", arguments={"title": "Kite", "assignee": "juno"})),
    ("file_written", Call(name="write_file", arguments={"path": "a.txt", "content": "Hi"})),
    ("call_changed", Call(name="message_user", arguments={"message": "Hi"})),
    ("turn_ended", Call(name="message_user", arguments={"message": "Hi"})),
    ("run_changed", Call(name="message_user", arguments={"message": "Hi"})),
)


@pytest.mark.parametrize(
    ("after", "call"), EFFECTS, ids=lambda value: getattr(value, "name", value)
)
async def test_what_a_call_did_before_a_crash_it_does_not_do_again(
    tmp_path: Path, after: str, call: Call
) -> None:
    """Killed once its first entry is on disk, the office finishes the work with one effect.

    Or with none, and the model is told that what became of the call is unknown.

    Demanded by: RUN-4; MSG-01; "retries and restarts meet that id and do nothing twice".
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda seen: (
            Say(calls=(call,)) if "Go on" in seen.said and not seen.step else Say(text="Done.")
        )
        await office.ada.asks("iris", "Go on")
        office.kill_after(after)
        await office.killed()
        await office.open()
        await office.settled()

        said = Counter((e.message.thread, e.message.text) for e in office.entries(MessagePosted))
        waited = Counter(e.item.id for e in office.entries(ItemChanged) if e.item.state == "queued")
        cards = [task.title for task in (await office.snapshot()).tasks.values()]
        assert [times for times in said.values() if times > 1] == []
        assert [times for times in waited.values() if times > 1] == []
        done = [text for _, text in said if text == "Hi"] + cards + await office.files("iris")
        calls = await office.calls("R-1")
        unknown = [call.id for call in calls if call.state == "interrupted"]
        assert len(done) + len(unknown) == 1
        assert {run.state for run in await office.runs()} == {"completed"}
        assert office.entries(AlertChanged) == []
        assert (await office.ada.sees("iris"))[-1] == "iris: Done."
        await office.snapshot_equals_replay()


async def test_a_person_who_sends_again_after_a_crash_is_heard_once(tmp_path: Path) -> None:
    """The browser does not know whether its message arrived; its key says that it did.

    Demanded by: MSG-01; PLAT-3, idempotency.
    """
    async with OfficeHarness(tmp_path) as office:
        first = await office.ada.asks("iris", "Hello", key="a")
        await office.kill_and_reopen()
        again = await office.ada.asks("iris", "Hello", key="a")
        await office.settled()

        assert again.message.id == first.message.id
        assert [run.title for run in await office.runs()] == ["Hello"]
        assert await office.ada.sees("iris") == ["ada: Hello", "iris: Understood."]
        await office.snapshot_equals_replay()


async def test_a_steering_word_sent_twice_enters_the_run_once(tmp_path: Path) -> None:
    """Under its key, however often it is sent.

    Demanded by: RUN-3; MSG-01.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo hi"), Say(text="Red it is."))
        office.script.hold()
        await office.ada.asks("iris", "Paint it")
        await office.model_asked(1)
        await office.ada.steers("iris", "In red", key="s")
        await office.ada.steers("iris", "In red", key="s")
        office.script.let_go()
        await office.settled()

        assert str(office.model.requests[1].body).count("In red") == 1
        assert await office.ada.sees("iris") == [
            "ada: Paint it",
            "ada: In red",
            "iris: Red it is.",
        ]
        assert len(await office.runs()) == 1


async def test_the_same_call_id_from_the_model_twice_is_two_calls_of_ours(tmp_path: Path) -> None:
    """A provider that counts its ids anew each turn does not hide work: ours come from the run.

    Demanded by: CALL-01; RUN-2.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says(
            "iris",
            Say(calls=(Call(name="bash", arguments={"command": "echo 1"}, id="call_0"),)),
            Say(calls=(Call(name="bash", arguments={"command": "echo 2"}, id="call_0"),)),
            Say(text="Both."),
        )
        await office.ada.asks("iris", "Count")
        await office.settled()

        ended = [e.call for e in office.entries(CallChanged) if e.call.state == "succeeded"]
        assert [(call.id, call.result) for call in ended] == [
            ("R-1.1.0", "1\n"),
            ("R-1.2.0", "2\n"),
        ]
        assert office.model.complaints == []
        await office.snapshot_equals_replay()
