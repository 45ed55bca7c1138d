"""Streaming: text and output reach those who watch while they come, at most every 50 ms."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from itertools import pairwise
from typing import TYPE_CHECKING

from dayshift.core.entries import CallOutput, RunDelta, TurnEnded
from dayshift.core.model import Delta
from dayshift.run.live import LiveText, Voice
from dayshift.run.workplace import Patience
from dayshift.testing.model_server import Call, Fail, Say
from dayshift.testing.office_harness import OfficeHarness, Setting, does

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.core.entries import Live
    from dayshift.testing.memory_shell import Session


async def test_text_is_told_while_it_comes(tmp_path: Path) -> None:
    """Those who watch read the beginning of an answer that is not finished.

    Demanded by: RUN-2.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Once upon a time", piece_chars=4, stall_after=3))
        await office.ada.asks("iris", "Tell a story")

        seen = await office.until_text("R-1", "Once")

        assert seen.startswith("Once")
        assert office.entries(TurnEnded) == []


async def test_reasoning_is_told_apart_from_text(tmp_path: Path) -> None:
    """Reasoning streams as reasoning, and the turn keeps both.

    Demanded by: RUN-2.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(reasoning="Let me see.", text="Seven."))

        await office.ada.asks("iris", "Three and four?")
        await office.settled()

        turn = (await office.turns("R-1"))[0]
        assert (turn.reasoning, turn.text) == ("Let me see.", "Seven.")


async def test_an_attempt_that_fails_takes_its_text_back(tmp_path: Path) -> None:
    """What the first attempt streamed is void: the second is told as the whole.

    Demanded by: RUN-2, CALL-06.
    """
    async with OfficeHarness(tmp_path, Setting(patience=Patience(backoff_s=0.2))) as office:
        cut = Say(text="Half an ans", piece_chars=4, gap_s=0.06, cut_after=4)
        office.says("iris", cut, Say(text="A whole answer", piece_chars=5, stall_after=3))
        office.script.hold()
        async with asyncio.TaskGroup() as group:
            await office.ada.asks("iris", "Go")
            await office.model_asked(1)
            half = group.create_task(office.until_text("R-1", "Half"))
            while not office.office.feed.watchers:  # noqa: ASYNC110  it is told by a number only
                await asyncio.sleep(0)
            office.script.let_go()
            await half

        seen = await office.until_text("R-1", "A who")

        assert "Half" not in seen
        assert office.entries(TurnEnded) == []


async def test_a_connection_that_ends_inside_a_call_is_tried_again(tmp_path: Path) -> None:
    """Half a call is no turn: nothing is carried out, the request is sent again.

    Demanded by: CALL-06.
    """
    async with OfficeHarness(tmp_path) as office:
        write = Call(name="bash", arguments={"command": "echo hi > hi.txt"})
        office.says("iris", Say(calls=(write,), cut_after=2), Say(calls=(write,)), Say(text="ok"))

        await office.ada.asks("iris", "Write")
        await office.settled()

        turns = await office.turns("R-1")
        assert [(turn.state, turn.attempts) for turn in turns] == [
            ("completed", 2),
            ("completed", 1),
        ]
        assert [view.state for view in await office.calls("R-1")] == ["succeeded"]
        assert await office.files("iris") == ["hi.txt"]


async def test_a_model_that_falls_silent_is_given_up_in_time(tmp_path: Path) -> None:
    """Two pieces, then nothing on an open connection: it is tried again, then ended.

    Demanded by: STRM-01.
    """
    patience = Patience(idle_s=0.05, backoff_s=0.001)
    async with OfficeHarness(tmp_path, Setting(patience=patience)) as office:
        office.script.otherwise = lambda _: Say(text="One two three", piece_chars=4, stall_after=3)

        await office.ada.asks("iris", "Count")
        await office.settled()

        run = (await office.runs())[0]
        turn = (await office.turns("R-1"))[0]
        assert (run.state, run.reason_code) == ("failed", "model_stalled")
        assert turn.attempts == 5
        assert (await office.snapshot()).agents["iris"].activity == "idle"


async def test_output_of_a_command_is_told_while_it_runs(tmp_path: Path) -> None:
    """A command that goes on is watched; its output is in the feed before its result is.

    Demanded by: TOOL-3, RUN-2.
    """
    go = asyncio.Event()

    async def build(session: Session, _words: list[str], _given: str) -> tuple[int, str]:
        session.say("compiling\n")
        await go.wait()
        session.say("linked\n")
        return 0, ""

    async with OfficeHarness(tmp_path, Setting(commands={"build": build})) as office:
        office.says("iris", does("bash", command="build"), Say(text="Built."))
        await office.ada.asks("iris", "Build")

        await office.until_output("R-1.1.0", "compiling")
        go.set()
        await office.settled()

        assert office.model.requests[-1].results == ["compiling\nlinked\n"]


async def test_deltas_are_told_at_most_every_fifty_milliseconds(tmp_path: Path) -> None:
    """Two hundred pieces in a second are some twenty tellings, and nothing of them is lost.

    Demanded by: "text and reasoning deltas reach the feed at most every 50 ms per run".
    """
    told: list[tuple[float, Live]] = []
    loop = asyncio.get_running_loop()
    live = LiveText("R-1", "iris", Voice(lambda delta: told.append((loop.time(), delta))))
    done = asyncio.Event()
    live.begin(1)

    def piece(n: int) -> None:
        live.add(Delta("text", f"{n} "))
        if n < 199:
            loop.call_later(0.002, piece, n + 1)
        else:
            loop.call_later(0.06, done.set)

    piece(0)
    async with asyncio.timeout(30):
        await done.wait()

    times = [at for at, _ in told]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) >= 0.049
    assert len(told) < 40
    deltas = [delta for _, delta in told if isinstance(delta, RunDelta)]
    assert "".join(delta.text for delta in deltas) == "".join(f"{n} " for n in range(200))
    assert [delta.whole for delta in deltas] == [True] + [False] * (len(deltas) - 1)


async def test_live_text_is_never_in_the_ledger(tmp_path: Path) -> None:
    """Watching changes nothing that is kept: entries are the same with and without a watcher.

    Demanded by: RUN-2, PLAT-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Say(text="Once upon a time", piece_chars=4, gap_s=0.03))
        office.script.hold()
        seen: list[str] = []
        async with aclosing(office.watch()) as frames:
            await office.ada.asks("iris", "Tell a story")
            # The first frame is waited for before the answer begins.
            asyncio.get_running_loop().call_soon(office.script.let_go)
            async with asyncio.timeout(30):
                async for frame in frames:
                    seen.append(type(frame).__name__)
                    if isinstance(frame, RunDelta) and frame.text:
                        break
        await office.settled()

        assert set(seen) == {"RunDelta"}
        kinds = {json.loads(committed.body)["kind"] for committed in office.heard}
        assert not kinds & {"run_delta", "call_output"}
        assert not any(isinstance(c.entry, CallOutput | RunDelta) for c in office.heard)


async def test_a_paused_office_sends_nothing_again_until_it_goes_on(tmp_path: Path) -> None:
    """A request that failed while the office was paused waits for the office, then is sent.

    Demanded by: TIME-4, MODEL-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Fail(status=503), Say(text="Back again."))
        office.script.hold()
        await office.ada.asks("iris", "Go")
        await office.model_asked(1)
        await office.ada.pauses()
        office.script.let_go()
        await office.ada.asks("juno", "One")
        await office.ada.asks("juno", "Two")
        await office.ada.asks("juno", "Three")
        while_paused = len(office.model.requests)

        await office.ada.resumes()
        await office.settled()

        assert while_paused == 1
        assert (await office.ada.sees("iris"))[-1] == "iris: Back again."


async def test_an_empty_account_pauses_the_office_and_holds_the_work(tmp_path: Path) -> None:
    """402 is not retried: the office is paused with the reason; when it goes on, so does the run.

    Demanded by: COST-02, TIME-4, MODEL-3.
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Fail(status=402, body="Payment required"), Say(text="Paid."))
        await office.ada.asks("iris", "Go")
        await office.paused()
        asked = len(office.model.requests)
        view = (await office.snapshot()).office

        await office.ada.resumes()
        await office.settled()

        assert (asked, len(office.model.requests)) == (1, 2)
        assert (view.state, view.paused_by) == ("paused", "office")
        assert view.paused_reason
        assert [run.state for run in await office.runs()] == ["completed"]
        assert (await office.ada.sees("iris"))[-1] == "iris: Paid."
        await office.snapshot_equals_replay()


async def test_an_empty_account_that_names_a_time_is_waited_for(tmp_path: Path) -> None:
    """402 with a time to come back: the run waits and goes on, the office is not paused.

    Demanded by: COST-04.
    """
    async with OfficeHarness(tmp_path) as office:
        later = Fail(status=402, headers={"Retry-After": "0.05"}, body="Later")
        office.says("iris", does("bash", command="echo kept > kept.txt"), later, Say(text="Done."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        turns = await office.turns("R-1")
        assert [turn.attempts for turn in turns] == [1, 2]
        assert (await office.snapshot()).office.state == "running"
        assert await office.files("iris") == ["kept.txt"]
        assert (await office.ada.sees("iris"))[-1] == "iris: Done."


async def test_a_provider_that_asks_for_time_gets_it(tmp_path: Path) -> None:
    """429 with Retry-After is sent again after that time, not after our own guess.

    Demanded by: MODEL-3.
    """
    async with OfficeHarness(tmp_path, Setting(patience=Patience(backoff_s=600))) as office:
        busy = Fail(status=429, headers={"Retry-After": "0.05"}, body="Busy")
        office.says("iris", busy, Say(text="Now."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        assert (await office.turns("R-1"))[0].attempts == 2


async def test_a_provider_that_asks_for_days_is_given_up(tmp_path: Path) -> None:
    """A wait beyond an hour is no wait: the run fails with what the provider said.

    Demanded by: "nothing blocks forever".
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", Fail(status=429, headers={"Retry-After": "86400"}, body="Busy"))

        await office.ada.asks("iris", "Go")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code) == ("failed", "rate_limited")
        assert len(office.model.requests) == 1
