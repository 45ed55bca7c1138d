"""Compaction: a dialogue that nears its model's window is made to fit, and there is no dead end."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import msgspec

from dayshift.core.entries import AlertChanged, DialogueCompacted
from dayshift.core.model import ModelFacts, Usage
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.run.compaction import ASK, TRIMMED
from dayshift.testing.model_server import Call, Fail, Reply, Say, Seen
from dayshift.testing.office_harness import BARE, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dayshift.testing.office_harness_means import Dialect

SMALL = ModelFacts(context_tokens=10_000, output_tokens=1_000)
TOO_LONG = Fail(
    status=400,
    body={"error": {"message": "too long", "code": "context_length_exceeded"}},
)
LONG = "word " * 1_500
MINIMAL = BARE.replace("[bash]", "[bash, talk]")


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says."""


def talker(text: str) -> Tool:
    """A tool that says much."""
    count = itertools.count()

    async def talk(_ctx: ToolContext, _args: Nothing) -> ToolResult:
        return ToolResult(ok=True, text=f"{next(count)} {text}")

    return define(Nothing, talk, name="talk", family="test")


def answers(summary: Reply, *, otherwise: str = "ok") -> Callable[[Seen], Reply]:
    """A model that summarises when it is asked to, and else says one thing."""
    return lambda seen: summary if ASK in seen.said else Say(text=otherwise)


def is_summary(seen: Seen) -> bool:
    """Whether a request asks for a summary."""
    return ASK in seen.said


def small(*tools: Tool, dialect: Dialect = "openai") -> Setting:
    """An office on a model with a small window."""
    return Setting(yaml=MINIMAL, facts={"fake:m": SMALL}, tools=tools, dialect=dialect)


async def ask(office: OfficeHarness, *texts: str) -> None:
    """Say one thing after the other to Iris, each when the one before is answered."""
    for text in texts:
        await office.ada.asks("iris", text)
        await office.settled()


async def test_the_older_part_becomes_a_summary(tmp_path: Path) -> None:
    """When it would not fit, the model is asked for a summary; the newest messages stay whole.

    Demanded by: RUN-6.
    """
    async with OfficeHarness(tmp_path, small()) as office:
        office.script.otherwise = answers(Say(text="Ada likes words."))

        await ask(office, f"One {LONG}", f"Two {LONG}", f"Three {LONG}", "Four")

        last = office.model.requests[-1].messages
        assert last[0]["role"] == "user"
        assert "Ada likes words." in last[0]["content"]
        assert "Four" in last[-1]["content"]
        assert not any("One word" in message["content"] for message in last)
        entries = office.entries(DialogueCompacted)
        assert [entry.method for entry in entries] == ["summary"]
        assert entries[0].after_tokens < entries[0].before_tokens
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[0].startswith("ada: One")
        await office.snapshot_equals_replay()


async def test_a_later_summary_takes_in_the_earlier_one(tmp_path: Path) -> None:
    """The request for the second summary begins with the first.

    Demanded by: RUN-6.
    """
    async with OfficeHarness(tmp_path, small()) as office:
        office.script.otherwise = answers(Say(text="Ada likes words."))

        await ask(office, *[f"{n} {LONG}" for n in range(6)])

        asking = [seen for seen in office.model.requests if is_summary(seen)]
        assert len(asking) >= 2
        assert "Ada likes words." in asking[1].messages[0]["content"]


async def test_a_summary_is_kept_over_a_restart(tmp_path: Path) -> None:
    """What is read back begins with the summary, byte for byte as before.

    Demanded by: RUN-6, P13.
    """
    async with OfficeHarness(tmp_path, small()) as office:
        office.script.otherwise = answers(Say(text="Ada likes words."))
        await ask(office, f"One {LONG}", f"Two {LONG}", f"Three {LONG}", "Four")
        before = office.model.requests[-1].raw
        await office.restart()

        await ask(office, "Five")

        assert office.model.requests[-1].raw.startswith(before[: before.rindex(b"]")])


async def test_a_useless_summary_is_asked_for_twice_and_then_left(tmp_path: Path) -> None:
    """A model whose summaries are as long as what they stand for costs two requests, not more.

    Demanded by: CTX-01, RUN-6.
    """
    async with OfficeHarness(tmp_path, small()) as office:
        office.script.otherwise = answers(Say(text=LONG * 4))

        await ask(office, f"One {LONG}", f"Two {LONG}", f"Three {LONG}")

        assert len([seen for seen in office.model.requests if is_summary(seen)]) == 2
        assert [entry.method for entry in office.entries(DialogueCompacted)] == ["trimmed"]
        last = office.model.requests[-1].messages
        assert TRIMMED in last[0]["content"]
        assert "Three" in last[-1]["content"]
        assert (await office.ada.sees("iris"))[-1] == "iris: ok"


async def test_what_was_asked_survives_when_its_beginning_is_left_out(tmp_path: Path) -> None:
    """A long run whose first message must go is still told what it works on.

    Demanded by: RUN-6.
    """
    async with OfficeHarness(tmp_path, small(talker(LONG))) as office:
        office.script.otherwise = lambda seen: (
            Fail(status=400, body={"error": {"message": "no"}})
            if is_summary(seen)
            else does("talk")
            if len(seen.results) < 5 and TRIMMED not in str(seen.messages)
            else Say(text="ok")
        )

        await ask(office, "Find the swordfish")

        assert "Find the swordfish" in office.model.requests[-1].messages[0]["content"]
        assert (await office.ada.sees("iris"))[-1] == "iris: ok"


async def test_one_answer_with_huge_results_is_shortened(tmp_path: Path) -> None:
    """What cannot be cut, a call and its results, is shortened until it fits.

    Demanded by: RUN-6, CTX-04.
    """
    async with OfficeHarness(tmp_path, small(talker(LONG * 2))) as office:
        office.says("iris", Say(calls=(Call(name="talk"),) * 4), Say(text="Much."))

        await ask(office, "Talk")

        last = office.model.requests[-1]
        assert len(last.results) == 4
        assert all("characters left out" in text for text in last.results)
        assert len(last.raw) < 4 * 12_000
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[-1] == "iris: Much."
        await office.restart()
        await ask(office, "And?")
        assert office.model.complaints == []


async def test_a_summary_request_has_no_call_without_its_result(tmp_path: Path) -> None:
    """The strict server takes every request for a summary, in both dialects' rules.

    Demanded by: RUN-4, RUN-6.
    """
    setting = small(talker(LONG), dialect="anthropic")
    async with OfficeHarness(tmp_path, setting) as office:
        office.script.otherwise = lambda seen: (
            Say(text="Much was said.")
            if is_summary(seen)
            else does("talk")
            if seen.number < 8
            else Say(text="ok")
        )

        await ask(office, "Talk")

        assert any(is_summary(seen) for seen in office.model.requests)
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[-1] == "iris: ok"


async def test_an_overflow_the_provider_reports_is_made_room_for(tmp_path: Path) -> None:
    """A window smaller than we thought: the dialogue is made smaller, and the run goes on.

    Demanded by: RUN-6, CTX-03.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=MINIMAL)) as office:
        office.script.otherwise = lambda seen: (
            Say(text="Words.")
            if is_summary(seen)
            else TOO_LONG
            if len(seen.raw) > 40_000
            else Say(text="ok")
        )

        await ask(office, *[f"{n} {LONG}" for n in range(4)])

        assert (await office.ada.sees("iris"))[-1] == "iris: ok"
        assert [run.state for run in await office.runs()] == ["completed"] * 4


async def test_one_failed_recovery_does_not_spoil_the_next_message(tmp_path: Path) -> None:
    """An overflow with a summary that fails as well: the message after it is answered.

    Demanded by: CTX-03.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=MINIMAL)) as office:
        office.says("iris", Say(text="ok"), *[TOO_LONG] * 20)
        await ask(office, f"One {LONG}", f"Two {LONG}")
        failed = (await office.runs())[-1]
        office.script.queues.clear()

        await ask(office, "Short")

        assert (failed.state, failed.reason_code) == ("failed", "context_overflow")
        assert (await office.ada.sees("iris"))[-1] == "iris: Understood."
        assert len(office.entries(AlertChanged)) == 1


async def test_a_summary_costs_and_is_no_turn(tmp_path: Path) -> None:
    """Its tokens are in the run's total and in the usage, and the run's turns are its own.

    Demanded by: MODEL-5, RUN-6.
    """
    async with OfficeHarness(tmp_path, small()) as office:
        used = Usage(input_tokens=1_000, output_tokens=7)
        office.script.otherwise = answers(Say(text="Ada likes words.", usage=used))

        await ask(office, f"One {LONG}", f"Two {LONG}", f"Three {LONG}")

        run = (await office.runs())[-1]
        assert (run.turns, run.usage.output_tokens) == (1, 20 + 7)
        await office.snapshot_equals_replay()
