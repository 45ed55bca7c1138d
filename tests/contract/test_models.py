"""The contract of a model, kept by every implementation alike, the rehearsal included."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel

from dayshift.core.errors import ModelStalledError
from dayshift.core.model import CallPart, Delta, Fragment, Model, ReasoningPart, TextPart
from dayshift.models.breadth import BreadthModel
from dayshift.models.rehearsal import Rehearsals
from dayshift.testing.model_server import Call, ModelServer, Say
from tests.contract.models_stage import Stage, request, result, says, stage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from pathlib import Path

    from dayshift.models.rehearsal import Rehearsal

WAIT_S = 30
PLAY = """
name: contract
pace: {chars_per_s: 1000}
scenes:
  - steps:
      - reasoning: I should look.
        text: I will look.
        calls: [{tool: bash, arguments: {command: ls}}]
      - text: "Seen: {{result.1}}"
"""
ITEM = {"kind": "message", "source": "person", "text": "look around"}
KINDS = pytest.mark.parametrize("kind", ["openai", "anthropic", "rehearsal", "breadth"])
ASKS = Say(
    reasoning="I should look.",
    text="I will look.",
    calls=(Call(name="bash", arguments={"command": "ls"}),),
    piece_chars=4,
)


@dataclass
class Actor:
    """A model that looks around once and tells what it saw, or waits for ever."""

    model: Model
    stuck: Model


@pytest.fixture
def rehearsed(tmp_path: Path) -> tuple[Rehearsal, Rehearsal]:
    """The rehearsal, and one that never gets to speak."""
    (tmp_path / "screenplay.yaml").write_text(PLAY, encoding="utf-8")

    async def never(_seconds: float) -> None:
        await asyncio.Event().wait()

    return (
        Rehearsals(tmp_path, scale=0.0).model("contract"),
        Rehearsals(tmp_path, sleep=never).model("contract"),
    )


@asynccontextmanager
async def cast(kind: str, rehearsed: tuple[Rehearsal, Rehearsal]) -> AsyncGenerator[Actor]:
    """An actor of a kind."""
    if kind == "rehearsal":
        yield Actor(*rehearsed)
    elif kind == "breadth":
        yield Actor(_library(_speak), _library(_hang))
    else:
        async with (
            stage() as play,
            ModelServer(lambda _: Say(text="ab", piece_chars=1, stall_after=2)) as mute,
        ):
            play.server.script = lambda seen: (
                Say(text=f"Seen: {seen.results[0]}") if seen.results else ASKS
            )
            yield Actor(play.model(kind), Stage(mute, play.wire).model(kind))


def _library(speak: Callable[..., AsyncIterator[object]]) -> BreadthModel:
    """The library's model that a function speaks for."""
    return BreadthModel("breadth:test:test", lambda: FunctionModel(stream_function=speak))  # pyright: ignore[reportArgumentType]  any pieces


async def _speak(messages: list[object], _info: object) -> AsyncIterator[object]:
    """Look once, then tell."""
    parts = getattr(messages[-1], "parts", [])
    results = [part.content for part in parts if part.part_kind == "tool-return"]
    if results:
        yield f"Seen: {results[0]}"
        return
    yield {
        0: DeltaThinkingPart(content="I should "),
    }
    yield {0: DeltaThinkingPart(content="look.")}
    yield "I will "
    yield "look."
    yield {2: DeltaToolCall("bash", '{"command":', tool_call_id="call_fromthelibrary01")}
    yield {2: DeltaToolCall(json_args='"ls"}')}


async def _hang(_messages: list[object], _info: object) -> AsyncIterator[object]:
    """Say something, and never more."""
    yield "a"
    await asyncio.Event().wait()
    yield "b"


@KINDS
async def test_an_answer_streams_as_it_is_told_whole(
    kind: str, rehearsed: tuple[Rehearsal, Rehearsal]
) -> None:
    """Deltas add up to the message; reasoning, text and calls stand apart.

    Demanded by: MODEL-1, RUN-1 streaming; MODEL-6, the same interface.
    """
    deltas: list[Delta] = []
    async with cast(kind, rehearsed) as actor:
        answer = await actor.model.ask(request(says("look around"), item=ITEM), deltas.append)

    text = "".join(delta.text for delta in deltas if delta.kind == "text")
    reasoning = "".join(delta.text for delta in deltas if delta.kind == "reasoning")
    assert (text, reasoning) == ("I will look.", "I should look.")
    assert (answer.message.text, answer.message.reasoning) == (text, reasoning)
    assert [delta.text for delta in deltas if delta.kind == "call"] == ["bash"]
    assert [type(part) for part in answer.message.parts] == [ReasoningPart, TextPart, CallPart]
    call = answer.message.calls[0]
    assert (call.name, call.arguments.replace(" ", "")) == ("bash", '{"command":"ls"}')
    assert call.id
    assert answer.message.finish == "tool_calls"
    assert answer.usage.input_tokens > 0
    assert answer.usage.output_tokens > 0


@KINDS
async def test_a_dialogue_goes_on_with_the_result(
    kind: str, rehearsed: tuple[Rehearsal, Rehearsal]
) -> None:
    """What was answered is sent back, with its call and its result.

    Demanded by: RUN-2.
    """
    async with cast(kind, rehearsed) as actor:
        asked = request(says("look around"), item=ITEM)
        first = await actor.model.ask(asked, lambda _delta: None)
        asked.messages.append(Fragment(first.message))
        asked.messages.append(Fragment(result(first.message.calls[0].id, "a.txt")))
        second = await actor.model.ask(asked, lambda _delta: None)

    assert second.message.text == "Seen: a.txt"
    assert second.message.finish == "stop"
    assert second.message.calls == ()


@KINDS
async def test_asking_ends_at_once_when_it_is_cancelled(
    kind: str, rehearsed: tuple[Rehearsal, Rehearsal]
) -> None:
    """Nothing swallows the cancellation, nothing waits on.

    Demanded by: RUN-6, cancel within one second.
    """
    async with cast(kind, rehearsed) as actor:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await actor.stuck.ask(request(says("look"), item=ITEM), lambda _delta: None)


@pytest.mark.parametrize("kind", ["openai", "anthropic", "breadth"])
async def test_silence_ends_at_the_idle_limit(
    kind: str, rehearsed: tuple[Rehearsal, Rehearsal]
) -> None:
    """A provider that says nothing more blocks nobody.

    Demanded by: STRM-01.
    """
    async with cast(kind, rehearsed) as actor, asyncio.timeout(WAIT_S):
        with pytest.raises(ModelStalledError):
            await actor.stuck.ask(
                request(says("look"), item=ITEM, idle_limit_s=0.05), lambda _delta: None
            )


@KINDS
async def test_a_request_can_be_shown(kind: str, rehearsed: tuple[Rehearsal, Rehearsal]) -> None:
    """As the bytes that would be sent, the same each time.

    Demanded by: RUN-1, raw requests.
    """
    async with cast(kind, rehearsed) as actor:
        asked = request(says("look around"), item=ITEM)
        body = actor.model.render(asked)

    assert b"look around" in body
    assert actor.model.ref.startswith(actor.model.provider + ":")
    assert actor.model.facts.context_tokens > 0
