"""Known failures of such systems: the context that overflows, shrinks in vain or goes stale."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dayshift.core.entries import DialogueCompacted, OfficeChanged
from dayshift.core.limits import RESULT_CHARS_MAX
from dayshift.core.model import ModelFacts
from dayshift.core.states import RunState
from dayshift.testing.model_server import Call, Fail, Say, Seen
from dayshift.testing.office_harness import JumpingClock, OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.testing.memory_shell import Session

SMALL = {"fake:m": ModelFacts(context_tokens=12_000, output_tokens=500)}
FIVE_MB = 5 * 1024 * 1024


async def flood(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    """A command that prints five megabytes, each line with its number."""
    return 0, "".join(f"line {n:07}\n" for n in range(FIVE_MB // 13))


async def page(_session: Session, _arguments: list[str], _text: str) -> tuple[int, str]:
    """A command that prints twelve thousand characters."""
    return 0, "lorem ipsum " * 1_000


def reads_on(seen: Seen) -> Say:
    """Reads page after page; its summaries are as long as what they stand for."""
    if not seen.tools:
        return Say(text="As I said before: " + "all of it, word for word, " * 2_000)
    if seen.number > 40:
        return Say(text="Read.")
    return Say(calls=(Call(name="bash", arguments={"command": f"page {seen.number}"}),))


async def test_ctx_01_a_summary_that_saves_nothing_is_not_asked_for_again(tmp_path: Path) -> None:
    """Useless summaries are few; then the oldest is left out, and the work goes on to its end.

    Demanded by: CTX-01; RUN-6.
    """
    async with OfficeHarness(tmp_path, Setting(facts=SMALL, commands={"page": page})) as office:
        office.model.script = reads_on

        await office.ada.asks("iris", "Read all of it")
        await office.settled()

        summaries = [seen for seen in office.model.requests if not seen.tools]
        assert (await office.runs())[0].state is RunState.COMPLETED
        assert len(summaries) <= 3
        assert {entry.method for entry in office.entries(DialogueCompacted)} >= {"trimmed"}
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


async def test_ctx_03_one_overflow_is_not_the_end_of_the_dialogue(tmp_path: Path) -> None:
    """After an overflow that could not be mended, a short message is answered.

    Demanded by: CTX-03; RUN-6.
    """
    full = Fail(
        status=400,
        body={"error": {"code": "context_length_exceeded", "message": "maximum context length"}},
    )
    async with OfficeHarness(tmp_path) as office:
        office.model.script = lambda seen: Say(text="Hello.") if "short" in seen.said else full

        await office.ada.asks("iris", "A long story")
        await office.settled()
        await office.ada.asks("iris", "A short one")
        await office.settled()

        assert [run.state for run in await office.runs()] == [
            RunState.FAILED,
            RunState.COMPLETED,
        ]
        assert (await office.ada.sees("iris"))[-1] == "iris: Hello."
        await office.snapshot_equals_replay()


async def test_ctx_04_a_result_of_five_megabytes_is_capped_and_kept(tmp_path: Path) -> None:
    """The model sees head, tail, size and a path, and reads the rest in pages.

    Demanded by: CTX-04, CTX-05; RUN-7.
    """
    facts = {"fake:m": ModelFacts(context_tokens=40_000, output_tokens=500)}
    setting = Setting(facts=facts, commands={"flood": flood})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(calls=(Call(name="bash", arguments={"command": "flood"}),)))
        office.says("iris", Say(text="Long."))

        await office.ada.asks("iris", "Print it")
        await office.settled()
        call = (await office.calls("R-1"))[0]
        reading = {"path": call.result_path, "offset": 200_000, "limit": 3}
        office.says("iris", Say(calls=(Call(name="read_file", arguments=reading),)))
        office.says("iris", Say(text="Found."))
        await office.ada.asks("iris", "What stands in the middle?")
        await office.settled()

        told = office.model.requests[1].results[0]
        assert len(told) <= RESULT_CHARS_MAX + 1_000
        assert "line 0000001" in told
        assert f"line {FIVE_MB // 13 - 1:07}" in told
        assert call.result_path in told
        assert call.result_bytes > FIVE_MB - 100
        assert max(len(seen.raw) for seen in office.model.requests) < 200_000
        assert re.search(r"line 01999\d\d", office.model.requests[3].results[-1])
        assert office.model.complaints == []
        await office.snapshot_equals_replay()


async def test_ctx_06_what_was_said_stays_readable(tmp_path: Path) -> None:
    """Days, closed dialogues and shortened contexts take nothing away from the conversation.

    Demanded by: CTX-06; RUN-5.
    """
    setting = Setting(clock=JumpingClock(), facts=SMALL)
    counts: list[int] = []
    async with OfficeHarness(tmp_path, setting) as office:
        office.model.script = lambda seen: Say(text="Noted. " * 200) if seen.tools else Say(text="")
        for day in range(8):
            for n in range(5):
                await office.ada.asks("iris", f"Remember {day}.{n}: " + "lorem " * 300)
                await office.settled()
            counts.append(len(await office.ada.sees("iris")))
            office.jump(days=1)
            await office.until(OfficeChanged, lambda e, day=day: e.office.clock.day == day + 2)

        first = await office.turns("R-1")
        assert counts == [10 * day for day in range(1, 9)]
        assert office.entries(DialogueCompacted)
        assert first[0].text.startswith("Noted.")
        await office.snapshot_equals_replay()


async def test_time_12_after_midnight_the_model_is_told_the_new_date(tmp_path: Path) -> None:
    """The date comes with what is new; what was sent before stays as it was.

    Demanded by: TIME-12; TIME-8.
    """
    clock = JumpingClock(datetime(2030, 1, 7, 23, 50, tzinfo=UTC))
    async with OfficeHarness(tmp_path, Setting(clock=clock)) as office:
        await office.ada.asks("iris", "What day is it?")
        await office.settled()
        office.jump(seconds=20 * 60)
        await office.ada.asks("iris", "And now?")
        await office.settled()

        before, after = office.model.requests
        assert "2030-01-07" in before.said
        assert "2030-01-08" in after.said
        assert after.system == before.system
        assert after.body["tools"] == before.body["tools"]
        assert after.messages[: len(before.messages)] == before.messages
        await office.snapshot_equals_replay()


async def test_time_13_the_clock_does_not_spoil_the_prompt_cache(tmp_path: Path) -> None:
    """Two requests three minutes apart are the same, byte by byte, up to what is new.

    Demanded by: TIME-13; AGENT-7.
    """
    async with OfficeHarness(tmp_path, Setting(clock=JumpingClock())) as office:
        await office.ada.asks("iris", "One")
        await office.settled()
        office.jump(seconds=180)
        await office.ada.asks("iris", "Two")
        await office.settled()

        before, after = office.model.requests
        same = before.raw[: before.raw.rindex(b"]")]
        assert b"One" in same
        assert after.raw.startswith(same) or before.raw.index(b'"messages"') > same.index(b"tools")
        assert after.raw[: after.raw.index(b"Two")].startswith(same[: same.rindex(b"One")])
        await office.snapshot_equals_replay()
