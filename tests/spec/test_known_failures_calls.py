"""Known failures of such systems: calls cut off, half sent or without answer; broken text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dayshift.core.entries import AlertChanged, CallChanged
from dayshift.core.states import CallState, RunState
from dayshift.run.workplace import Patience
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.testing.memory_shell import Session
    from dayshift.testing.office_harness_means import Dialect

DIALECTS = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
SOON = Patience(backoff_s=0.01, backoff_max_s=0.02)
QUICK = Patience(idle_s=0.2, turn_s=2.0, backoff_s=0.01, backoff_max_s=0.02)
WRITE = Call(name="write_file", arguments={"path": "a.txt", "content": "whole"})
CUT = '{"path": "a.txt", "content": "half of i'


async def hang(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    """A command that never ends."""
    await asyncio.Event().wait()
    return 0, ""


async def half_an_emoji(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    """A command whose output holds half of a surrogate pair."""
    return 0, "look: \ud83d there\n"


def running(entry: CallChanged) -> bool:
    """Whether a call has been started."""
    return entry.call.state is CallState.RUNNING


@DIALECTS
async def test_call_01_a_call_cut_off_by_a_kill_is_told_as_interrupted(
    tmp_path: Path, dialect: Dialect
) -> None:
    """The run goes on, the command is not run again, and nothing that is sent is unpaired.

    Demanded by: CALL-01, CALL-03; RUN-4.
    """
    setting = Setting(dialect=dialect, commands={"hang": hang})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(calls=(Call(name="bash", arguments={"command": "hang"}),)))
        await office.ada.asks("iris", "Build it")
        await office.until(CallChanged, running)

        office.says("iris", Say(text="It was interrupted."), Say(text="Here I am."))
        await office.kill_and_reopen()
        await office.settled()
        await office.ada.asks("iris", "Are you there?")
        await office.settled()

        started = [entry for entry in office.entries(CallChanged) if running(entry)]
        assert [call.state for call in await office.calls("R-1")] == [CallState.INTERRUPTED]
        assert len(started) == 1
        assert "unknown" in office.model.requests[1].results[0]
        assert await office.ada.sees("iris") == [
            "ada: Build it",
            "iris: It was interrupted.",
            "ada: Are you there?",
            "iris: Here I am.",
        ]
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


@DIALECTS
async def test_call_04_arguments_that_were_cut_write_nothing(
    tmp_path: Path, dialect: Dialect
) -> None:
    """Whatever the reason given for the end, the model is told of the cut and gets another try.

    Demanded by: CALL-04; RUN-1.
    """
    async with OfficeHarness(tmp_path, Setting(dialect=dialect)) as office:
        cut = Call(name="write_file", arguments=CUT)
        office.says(
            "iris",
            Say(calls=(cut,), finish="length"),
            Say(calls=(cut,), finish="tool_calls"),
            Say(calls=(WRITE,)),
            Say(text="Written."),
        )

        await office.ada.asks("iris", "Write it")
        await office.settled()

        calls = await office.calls("R-1")
        assert [call.state for call in calls] == [
            CallState.FAILED,
            CallState.FAILED,
            CallState.SUCCEEDED,
        ]
        assert "cut off" in calls[0].result
        assert calls[1].result != ""
        assert (await office.runs())[0].state is RunState.COMPLETED
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


@DIALECTS
async def test_call_04_answers_that_are_always_cut_end_the_run(
    tmp_path: Path, dialect: Dialect
) -> None:
    """Not for ever: the run is blocked, a person is told once.

    Demanded by: CALL-04.
    """
    async with OfficeHarness(tmp_path, Setting(dialect=dialect)) as office:
        office.model.script = lambda _: Say(
            calls=(Call(name="write_file", arguments=CUT),), finish="length"
        )

        await office.ada.asks("iris", "Write it")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == (RunState.BLOCKED, "cut")
        assert len(office.model.requests) == 3
        assert len(office.entries(AlertChanged)) == 1
        await office.snapshot_equals_replay()


@DIALECTS
async def test_call_05_no_call_of_a_cut_answer_runs(tmp_path: Path, dialect: Dialect) -> None:
    """Also those that look whole: nobody knows what was to come.

    Demanded by: CALL-05.
    """
    async with OfficeHarness(tmp_path, Setting(dialect=dialect)) as office:
        other = Call(name="write_file", arguments={"path": "b.txt", "content": "whole"})
        office.says("iris", Say(calls=(WRITE, other), finish="length"), Say(text="I stop."))

        await office.ada.asks("iris", "Write them")
        await office.settled()

        calls = await office.calls("R-1")
        assert [(call.state, call.started_at) for call in calls] == [(CallState.FAILED, None)] * 2
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


@DIALECTS
async def test_call_06_a_stream_cut_within_a_call_is_no_finished_turn(
    tmp_path: Path, dialect: Dialect
) -> None:
    """It is asked again, and when it never comes whole the person is told so.

    Demanded by: CALL-06; MODEL-3.
    """
    async with OfficeHarness(tmp_path, Setting(dialect=dialect, patience=SOON)) as office:
        broken = Say(text="I write it.", calls=(WRITE,), cut_after=3)
        office.says("iris", broken, Say(calls=(WRITE,)), Say(text="Written."))
        await office.ada.asks("iris", "Write it")
        await office.settled()
        office.model.script = lambda _: broken
        await office.ada.asks("iris", "Once more")
        await office.settled()

        runs = await office.runs()
        assert [run.state for run in runs] == [RunState.COMPLETED, RunState.FAILED]
        assert len(await office.calls("R-1")) == 1
        assert await office.calls("R-2") == []
        assert runs[1].reason
        assert [entry.alert.run for entry in office.entries(AlertChanged)] == ["R-2"]
        await office.snapshot_equals_replay()


@DIALECTS
async def test_strm_01_a_silent_stream_does_not_hold_the_agent(
    tmp_path: Path, dialect: Dialect
) -> None:
    """The idle limit ends it, it is tried again, and the next message is answered.

    Demanded by: STRM-01; MODEL-3.
    """
    async with OfficeHarness(tmp_path, Setting(dialect=dialect, patience=QUICK)) as office:
        silent = Say(text="I begin, and then I say no more", piece_chars=4, stall_after=4)
        office.model.script = lambda seen: Say(text="Here.") if "Next" in seen.said else silent

        await office.ada.asks("iris", "Wait")
        await office.ada.asks("iris", "Next")
        await office.settled()

        runs = await office.runs()
        assert [run.state for run in runs] == [RunState.FAILED, RunState.COMPLETED]
        assert (await office.ada.sees("iris"))[-1] == "iris: Here."
        assert [entry.alert.run for entry in office.entries(AlertChanged)] == ["R-1"]
        await office.snapshot_equals_replay()


@DIALECTS
async def test_text_01_half_a_character_does_not_spoil_the_dialogue(
    tmp_path: Path, dialect: Dialect
) -> None:
    """From output, from arguments and from a file name, over a restart: every request is UTF-8.

    Demanded by: TEXT-01.
    """
    setting = Setting(dialect=dialect, commands={"emoji": half_an_emoji})
    escaped = '{"path": "\\ud83d.txt", "content": "half: \\ud83d"}'
    async with OfficeHarness(tmp_path, setting) as office:
        office.says(
            "iris",
            Say(calls=(Call(name="bash", arguments={"command": "emoji"}),)),
            Say(calls=(Call(name="write_file", arguments=escaped),)),
            Say(text="Seen."),
        )
        await office.ada.asks("iris", "Look")
        await office.settled()
        await office.restart()
        office.says("iris", Say(text="Still here."))
        await office.ada.asks("iris", "And now?")
        await office.settled()

        assert office.model.requests[-1].results[0].endswith(" there\n")
        assert (await office.ada.sees("iris"))[-1] == "iris: Still here."
        assert office.model.complaints == []
        await office.snapshot_equals_replay()
