"""Events: what happened, how urgent it is, whom it concerns, and why; all of it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from dayshift.core.entries import EventPublished, RunChanged
from dayshift.core.errors import InvalidError, LimitError, NotFoundError
from dayshift.core.events import SOURCES, Event
from dayshift.core.states import Priority
from dayshift.testing.office_harness import OfficeHarness, Setting
from tests.spec.events_stage import OFFICE, decided, events, happens, queue

if TYPE_CHECKING:
    from pathlib import Path

SETTING = Setting(yaml=OFFICE)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("time", "timer"),
        ("task", "task"),
        ("mail", "event"),
        ("talk", "message"),
        ("channel", "message"),
        ("person", "message"),
        ("webhook", "event"),
        ("custom", "event"),
    ],
)
async def test_an_event_of_any_source_reaches_whom_it_is_addressed_to(
    tmp_path: Path, source: str, kind: str
) -> None:
    """It is written down with its type, priority and payload, and waits as an item of its kind.

    Demanded by: EVT-1.
    """
    event = Event(source=source, type="new_pr", text="Look", target="kai", payload={"n": 7})
    async with OfficeHarness(tmp_path, SETTING) as office:
        view = await happens(office, event)

        items = await queue(office, "kai")
        assert (view.source, view.type, view.priority) == (source, "new_pr", Priority.NORMAL)
        assert (view.target, view.payload, view.by) == ("kai", {"n": 7}, "person:ada")
        assert [(item.source, item.kind, item.event, item.state) for item in items] == [
            (source, kind, view.id, "done")
        ]
        assert [run.agent for run in await office.runs()] == ["kai"]
        await office.snapshot_equals_replay()


async def test_a_source_that_is_none_is_refused_and_nothing_happens(tmp_path: Path) -> None:
    """So are a type that is none or too long, a key too long, a time that is over, and a stranger.

    Demanded by: EVT-1; the working office, bad input.
    """
    async with OfficeHarness(tmp_path, SETTING) as office:
        before = len(office.heard)
        publish = events(office).publish
        good = Event(source="custom", type="note", text="Look")

        with pytest.raises(InvalidError, match="no event source 'radio'") as told:
            await publish(replace(good, source="radio"), by="person:ada")
        with pytest.raises(InvalidError, match="needs a type"):
            await publish(replace(good, type=" "), by="person:ada")
        with pytest.raises(InvalidError, match="needs a type"):
            await publish(replace(good, type="x" * 65), by="person:ada")
        with pytest.raises(InvalidError, match="dedup key"):
            await publish(replace(good, dedup_key="k" * 151), by="person:ada")
        with pytest.raises(InvalidError, match="expire"):
            await publish(replace(good, expires_in_s=-1), by="person:ada")
        with pytest.raises(NotFoundError):
            await publish(replace(good, target="nobody"), by="person:ada")
        with pytest.raises(LimitError, match="65,536"):
            await publish(replace(good, text="ü" * 32_769), by="person:ada")

        assert told.value.hint == f"One of: {', '.join(SOURCES)}."
        assert len(office.heard) == before
        assert office.model.requests == []


async def test_a_broadcast_wakes_whom_it_concerns_and_says_why_for_everyone(tmp_path: Path) -> None:
    """One word of an agent's is enough at a normal priority; nobody else is woken or costs tokens.

    Demanded by: EVT-1, EVT-2.
    """
    event = Event(source="webhook", type="ticket", text="The LOGIN page is broken")
    async with OfficeHarness(tmp_path, SETTING) as office:
        view = await happens(office, event)

        shown = await decided(office, view)
        assert {name: (d.accepted, d.layer, d.keywords) for name, d in shown.items()} == {
            "iris": (False, "salience", []),
            "juno": (True, "wake", ["login", "page"]),
            "kai": (False, "salience", []),
        }
        assert {name: d.reason for name, d in shown.items()} == {
            "iris": "below its threshold: no keyword",
            "juno": "reaches its threshold: login, page",
            "kai": "below its threshold: no keyword",
        }
        assert all(d.threshold == 0.4 for d in shown.values())
        assert shown["juno"].score >= 0.4 > shown["kai"].score
        assert (view.accepted, view.considered) == (1, 3)
        assert {seen.agent for seen in office.model.requests} == {"juno"}


@pytest.mark.parametrize(
    ("text", "woken"),
    [
        ("The release is out", ["iris"]),
        ("RELEASE", ["iris"]),
        ("a prerelease", []),
        ("明日発売です", ["iris"]),
        ("log in to the pages", []),
        ("a login, a page, a release", ["iris", "juno"]),
    ],
)
async def test_words_are_matched_whole_in_any_case_and_within_chinese_text(
    tmp_path: Path, text: str, woken: list[str]
) -> None:
    """Who is woken is whose word stands there as a word.

    Demanded by: EVT-2.
    """
    event = Event(source="custom", type="news", text=text)
    async with OfficeHarness(tmp_path, SETTING) as office:
        await happens(office, event)
        assert sorted(run.agent for run in await office.runs()) == woken


@pytest.mark.parametrize(
    ("priority", "woken"),
    [
        (Priority.LOW, []),
        (Priority.NORMAL, []),
        (Priority.HIGH, []),
        (Priority.EMERGENCY, ["iris", "juno", "kai"]),
    ],
)
async def test_what_concerns_nobody_wakes_nobody_short_of_an_emergency(
    tmp_path: Path, priority: Priority, woken: list[str]
) -> None:
    """An emergency reaches everyone, whatever it is about.

    Demanded by: EVT-1, EVT-2.
    """
    event = Event(source="custom", type="news", text="Something", priority=priority)
    async with OfficeHarness(tmp_path, SETTING) as office:
        view = await happens(office, event)
        assert sorted(run.agent for run in await office.runs()) == woken
        assert view.accepted == len(woken)


async def test_an_event_comes_before_the_work_it_causes(tmp_path: Path) -> None:
    """In the feed the event stands with its decisions, then the items, then the runs.

    Demanded by: EVT-1; invariant 2, append before act.
    """
    event = Event(source="custom", type="news", text="a release")
    async with OfficeHarness(tmp_path, SETTING) as office:
        view = await happens(office, event)

        told = [committed.entry for committed in office.heard]
        published = next(entry for entry in told if isinstance(entry, EventPublished))
        run = next(entry for entry in told if isinstance(entry, RunChanged))
        assert published.event == view
        assert [decision.agent for decision in published.decisions] == ["iris"]
        assert told.index(published) < told.index(run)


async def test_the_same_event_twice_is_one_event(tmp_path: Path) -> None:
    """By its key, also after a restart; the second is told what the first became.

    Demanded by: EVT-4 (dedup key), "every inbox item has an id fixed before it takes effect".
    """
    event = Event(source="webhook", type="push", text="a release", dedup_key="push-1")
    async with OfficeHarness(tmp_path, SETTING) as office:
        first = await happens(office, event)
        again = await happens(office, event)
        await office.restart()
        later = await happens(office, event)
        other = await happens(office, replace(event, dedup_key="push-2"))

        assert (again, later) == (first, first)
        assert other.id != first.id
        assert [run.agent for run in await office.runs()] == ["iris", "iris"]
        await office.snapshot_equals_replay()


async def test_a_decision_that_was_told_stays_as_it_was(tmp_path: Path) -> None:
    """Whoever asks later, after a change of keywords, reads what was decided then.

    Demanded by: EVT-2, decision and reason recorded.
    """
    event = Event(source="custom", type="news", text="a release")
    async with OfficeHarness(tmp_path, SETTING) as office:
        view = await happens(office, event)
        before = await decided(office, view)
        await office.reopen_with(OFFICE.replace("release, ", ""))
        assert (await decided(office, view))["iris"] == before["iris"]
