"""Tool calls: checked, three at a time, within limits, capped, and never carried out by half."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from dayshift.app.desks.work import Runs
from dayshift.core.entries import AlertChanged
from dayshift.core.limits import RESULT_CHARS_MAX
from dayshift.core.model import ImagePart, ModelFacts
from dayshift.core.tools import Tool, ToolContext, ToolResult, define
from dayshift.facilities.records import Records
from dayshift.run.workplace import Patience
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from dayshift.testing.memory_shell import Session

FIVE_MB = 5 * 1024 * 1024
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says."""


class Named(msgspec.Struct, forbid_unknown_fields=True):
    """Do what the test says, by name."""

    name: str


def tool(name: str, does_it: Callable[[], Awaitable[ToolResult]], *, limit_s: float = 60.0) -> Tool:
    """A tool of the test's own without arguments."""

    async def call(_ctx: ToolContext, _args: Nothing) -> ToolResult:
        return await does_it()

    return define(Nothing, call, name=name, family="test", limit_s=limit_s)


def says(text: str) -> Callable[[], Awaitable[ToolResult]]:
    """What a tool does that only says something."""

    async def result() -> ToolResult:
        return ToolResult(ok=True, text=text)

    return result


async def never() -> ToolResult:
    """Never returns."""
    await asyncio.Event().wait()
    return ToolResult(ok=True, text="")


async def test_three_calls_run_side_by_side_and_a_fourth_waits(tmp_path: Path) -> None:
    """Three calls of one answer are under way together; the fourth begins when one has ended.

    Demanded by: RUN-1.
    """
    begun: list[str] = []
    three, go = asyncio.Event(), asyncio.Event()

    async def meet(_ctx: ToolContext, args: Named) -> ToolResult:
        begun.append(args.name)
        if len(begun) == 3:
            three.set()
        await go.wait()
        return ToolResult(ok=True, text=args.name)

    meeting = define(Named, meet, name="meet", family="test")
    async with OfficeHarness(tmp_path, Setting(tools=(meeting,))) as office:
        calls = tuple(Call(name="meet", arguments={"name": n}) for n in "abcd")
        office.says("iris", Say(calls=calls), Say(text="Met."))

        await office.ada.asks("iris", "Meet")
        async with asyncio.timeout(30):
            await three.wait()
        together = list(begun)
        go.set()
        await office.settled()

        assert together == ["a", "b", "c"]
        assert begun == ["a", "b", "c", "d"]


async def test_results_reach_the_model_in_the_order_of_the_calls(tmp_path: Path) -> None:
    """The call that ends last may have been first; its result stands first all the same.

    Demanded by: "three in parallel, results in order".
    """
    second_done = asyncio.Event()

    async def first() -> ToolResult:
        await second_done.wait()
        return ToolResult(ok=True, text="first")

    async def second() -> ToolResult:
        second_done.set()
        return ToolResult(ok=True, text="second")

    tools = (tool("first", first), tool("second", second))
    async with OfficeHarness(tmp_path, Setting(tools=tools)) as office:
        office.says("iris", Say(calls=(Call(name="first"), Call(name="second"))), Say(text="ok"))

        await office.ada.asks("iris", "Go")
        await office.settled()

        assert office.model.requests[-1].results == ["first", "second"]
        await office.snapshot_equals_replay()


async def test_arguments_that_do_not_fit_come_back_with_the_schemas_complaint(
    tmp_path: Path,
) -> None:
    """Malformed JSON, a wrong type and an unknown argument are each told what is wrong.

    Demanded by: "malformed arguments come back to the model as a typed error".
    """
    async with OfficeHarness(tmp_path) as office:
        calls = (
            Call(name="bash", arguments='{"command": '),
            Call(name="bash", arguments={"command": 7}),
            Call(name="bash", arguments={"command": "ls", "speed": "fast"}),
        )
        office.says("iris", Say(calls=calls), Say(text="I see."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        views = await office.calls("R-1")
        assert [(view.state, view.code) for view in views] == [("failed", "invalid_arguments")] * 3
        malformed, wrong, unknown = office.model.requests[-1].results
        assert "truncated" in malformed
        assert "Expected `str`, got `int`" in wrong
        assert "unknown field `speed`" in unknown
        assert all('"properties"' in text for text in (malformed, wrong, unknown))


async def test_an_unknown_and_a_denied_tool_are_told_apart(tmp_path: Path) -> None:
    """One does not exist; the other may not be used, and trying again will not help.

    Demanded by: TOOL-2, LOOP-08.
    """
    yaml = OFFICE.replace("title: Lead", "title: Lead, permissions: {tools: {deny: [bash]}}")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        calls = (Call(name="fly"), Call(name="bash", arguments={"command": "ls"}))
        office.says("iris", Say(calls=calls), Say(text="I see."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        unknown, denied = office.model.requests[-1].results
        assert "There is no tool fly" in unknown
        assert "bash" not in unknown
        assert "You may not use bash" in denied
        assert "will not help" in denied
        assert "bash" not in office.model.requests[0].tools


async def test_calls_of_a_cut_answer_are_not_carried_out(tmp_path: Path) -> None:
    """Whole or half, no call of an answer that the output limit cut off is run.

    Demanded by: CALL-04, CALL-05.
    """
    async with OfficeHarness(tmp_path) as office:
        half = Say(
            calls=(
                Call(name="bash", arguments={"command": "echo whole > whole.txt"}),
                Call(name="write_file", arguments='{"path": "half.txt", "content": "once upon'),
            ),
            finish="length",
        )
        office.says("iris", half, Say(text="I will split it."))

        await office.ada.asks("iris", "Write a book")
        await office.settled()

        assert await office.files("iris") == []
        assert all("cut off" in text for text in office.model.requests[-1].results)
        assert (await office.ada.sees("iris"))[-1] == "iris: I will split it."
        views = await office.calls("R-1")
        assert [(view.state, view.code) for view in views] == [("failed", "cut")] * 2


async def test_a_call_cut_short_without_a_word_is_refused_for_its_arguments(
    tmp_path: Path,
) -> None:
    """The same half of a call with an ordinary end mark is no call either, and names the cut.

    Demanded by: CALL-04.
    """
    async with OfficeHarness(tmp_path) as office:
        half = Say(
            calls=(Call(name="write_file", arguments='{"path": "half.txt", "content": "once'),),
            finish="tool_calls",
        )
        office.says("iris", half, Say(text="Again, then."))

        await office.ada.asks("iris", "Write a book")
        await office.settled()

        assert await office.files("iris") == []
        assert "truncated" in office.model.requests[-1].results[0]


async def test_three_cut_answers_in_a_row_stop_the_run(tmp_path: Path) -> None:
    """The model gets another try, and another; then a person is told.

    Demanded by: CALL-04.
    """
    async with OfficeHarness(tmp_path) as office:
        office.script.otherwise = lambda _: Say(text="once upon a", finish="length")

        await office.ada.asks("iris", "Write a book")
        await office.settled()

        run = (await office.runs())[0]
        assert (run.state, run.reason_code, run.turns) == ("blocked", "cut", 3)
        assert len(office.entries(AlertChanged)) == 1


async def test_five_megabytes_reach_the_model_as_head_tail_size_and_path(tmp_path: Path) -> None:
    """A flood is capped, whatever tool it came from; the whole is read in pages from a file.

    Demanded by: RUN-7, CTX-04, CTX-05.
    """
    flood = "A" + "x" * FIVE_MB + "Z"
    async with OfficeHarness(tmp_path, Setting(tools=(tool("flood", says(flood)),))) as office:
        page = does("read_file", path=".dayshift/results/R-1.1.0.txt", offset=1, limit=1)
        office.says("iris", does("flood"), page, Say(text="Much."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        first = office.model.requests[1].results[0]
        view = (await office.calls("R-1"))[0]
        assert len(first) < RESULT_CHARS_MAX + 300
        assert (first[0], first[-1]) == ("A", "Z")
        assert f"{len(flood):,} characters" in first
        assert ".dayshift/results/R-1.1.0.txt" in first
        assert (view.result_bytes, view.result_path) == (
            len(flood),
            ".dayshift/results/R-1.1.0.txt",
        )
        whole = await office.office.computer_of("iris").read(view.result_path, limit=2 * FIVE_MB)
        assert whole.data.decode() == flood
        assert (await office.calls("R-1"))[1].state == "succeeded"
        await office.snapshot_equals_replay()


async def test_people_read_a_shortened_result_whole_as_long_as_it_is_what_it_was(
    tmp_path: Path,
) -> None:
    """From the file it was kept in; when that was changed, what the model read is shown.

    Demanded by: RUN-7; PLAT-5.
    """
    flood = "A" + "x" * 50_000 + "Z"
    async with OfficeHarness(tmp_path, Setting(tools=(tool("flood", says(flood)),))) as office:
        runs = Runs(office.office, Records(office.office.bus))
        office.says("iris", does("flood"), Say(text="Much."))
        await office.ada.asks("iris", "Go")
        await office.settled()

        whole = await runs.call("R-1.1.0")
        await office.office.computer_of("iris").write(whole.call.result_path, b"forged")
        capped = await runs.call("R-1.1.0")

        assert whole.result == flood
        assert capped.result == office.model.requests[1].results[0]


async def test_long_json_is_thinned_out_before_it_is_cut(tmp_path: Path) -> None:
    """A long list keeps its shape: its first members, and how many more there are.

    Demanded by: RUN-7.
    """
    rows = msgspec.json.encode([{"id": n, "name": "n" * 40} for n in range(1_000)]).decode()
    async with OfficeHarness(tmp_path, Setting(tools=(tool("rows", says(rows)),))) as office:
        office.says("iris", does("rows"), Say(text="Many."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        seen = office.model.requests[-1].results[0]
        listed = msgspec.json.decode(seen.split("\n[shortened")[0])
        assert [row["id"] for row in listed[:20]] == list(range(20))
        assert listed[20] == "… 980 more"


async def test_half_a_character_does_not_spoil_the_dialogue(tmp_path: Path) -> None:
    """A lone surrogate from a tool becomes a replacement mark, and the run goes on after a restart.

    Demanded by: TEXT-01.
    """
    half = tool("half", says("smile \ud83d!\x00"))
    async with OfficeHarness(tmp_path, Setting(tools=(half,))) as office:
        office.says("iris", does("half"), Say(text="Odd."), Say(text="Still here."))
        await office.ada.asks("iris", "Go")
        await office.settled()
        await office.restart()

        await office.ada.asks("iris", "And now?")
        await office.settled()

        assert office.model.requests[-1].results == ["smile �!�"]
        assert office.model.complaints == []
        assert (await office.ada.sees("iris"))[-1] == "iris: Still here."


async def test_images_of_a_result_are_shown_to_a_model_that_sees(tmp_path: Path) -> None:
    """An image travels with its result; nine of them are too many, and that is said.

    Demanded by: RUN-7, MODEL-1.
    """

    async def look() -> ToolResult:
        return ToolResult(ok=True, text="seen", images=(ImagePart("image/png", PIXEL),) * 9)

    setting = Setting(tools=(tool("look", look),), facts={"fake:m": ModelFacts(images=True)})
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", does("look"), Say(text="Pretty."))

        await office.ada.asks("iris", "Look")
        await office.settled()

        raw = office.model.requests[-1].raw
        assert raw.count(PIXEL.encode()) == 8
        assert b"1 of 9 images left out" in raw
        assert office.model.complaints == []


async def test_a_tool_that_never_returns_is_ended_at_its_limit(tmp_path: Path) -> None:
    """The call fails as timed out, the run goes on.

    Demanded by: RUN-1, "nothing blocks forever".
    """
    setting = Setting(tools=(tool("wait", never),), patience=Patience(batch_s=0.05))
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", does("wait"), Say(text="It hangs."))

        await office.ada.asks("iris", "Wait")
        await office.settled()

        view = (await office.calls("R-1"))[0]
        assert (view.state, view.code) == ("failed", "timed_out")
        assert "took too long" in office.model.requests[-1].results[0]
        assert (await office.ada.sees("iris"))[-1] == "iris: It hangs."


async def test_calls_that_cannot_start_in_time_are_not_started(tmp_path: Path) -> None:
    """The limit is for all calls of an answer together; what had to wait for it was never begun.

    Demanded by: RUN-1.
    """
    setting = Setting(tools=(tool("wait", never),), patience=Patience(batch_s=0.05))
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(calls=(Call(name="wait"),) * 4), Say(text="They hang."))

        await office.ada.asks("iris", "Wait")
        await office.settled()

        views = await office.calls("R-1")
        assert [view.code for view in views] == ["timed_out"] * 4
        assert [view.started_at is None for view in views] == [False, False, False, True]


async def test_a_tool_that_declares_more_gets_more(tmp_path: Path) -> None:
    """The rule's limit does not end a tool that says it needs longer.

    Demanded by: RUN-1.
    """
    go = asyncio.Event()

    async def slow() -> ToolResult:
        await go.wait()
        return ToolResult(ok=True, text="made it")

    tools = (tool("wait", never), tool("slow", slow, limit_s=600))
    setting = Setting(tools=tools, patience=Patience(batch_s=0.05))
    async with OfficeHarness(tmp_path, setting) as office:
        office.says("iris", Say(calls=(Call(name="wait"), Call(name="slow"))), Say(text="ok"))

        await office.ada.asks("iris", "Wait")
        await office.until_call("R-1.1.0", "failed")
        go.set()
        await office.settled()

        assert office.model.requests[-1].results[1] == "made it"


async def test_a_fault_inside_a_tool_is_told_and_ends_nothing(tmp_path: Path) -> None:
    """A bug in a tool is a failed call; its name is told, its insides are not.

    Demanded by: invariant 6.
    """

    async def broken() -> ToolResult:
        raise ZeroDivisionError("secret insides")

    async with OfficeHarness(tmp_path, Setting(tools=(tool("broken", broken),))) as office:
        office.says("iris", does("broken"), Say(text="It is broken."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        text = office.model.requests[-1].results[0]
        assert "ZeroDivisionError" in text
        assert "secret" not in text
        assert (await office.ada.sees("iris"))[-1] == "iris: It is broken."


async def test_an_effect_that_is_refused_leaves_the_refusal_and_nothing_else(
    tmp_path: Path,
) -> None:
    """A message to nobody is not half sent: the call fails, no thread is made.

    Demanded by: TOOL-1, "exactly once".
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("message_agent", to="nobody", message="Hi"), Say(text="Nobody."))

        await office.ada.asks("iris", "Say hi")
        await office.settled()

        view = (await office.calls("R-1"))[0]
        assert (view.state, view.code) == ("failed", "not_found")
        assert list((await office.snapshot()).threads) == ["ch:general", "dm:ada:iris"]
        await office.snapshot_equals_replay()


async def test_a_command_is_ended_with_all_it_started(tmp_path: Path) -> None:
    """A command on the agent's computer that runs over its own limit comes back as timed out.

    Demanded by: TOOL-3.
    """

    async def hang(session: Session, _words: list[str], _given: str) -> tuple[int, str]:
        session.say("hanging\n")
        await asyncio.Event().wait()
        return 0, ""

    async with OfficeHarness(tmp_path, Setting(commands={"hang": hang})) as office:
        office.says("iris", does("bash", command="hang", timeout_s=0.05), Say(text="It hangs."))

        await office.ada.asks("iris", "Go")
        await office.settled()

        view = (await office.calls("R-1"))[0]
        assert (view.state, view.code) == ("failed", "timed_out")
        assert "hanging" in office.model.requests[-1].results[0]
