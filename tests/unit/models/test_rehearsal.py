"""The rehearsal plays its screenplay step by step, through the interface of every model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import ConfigError, InvalidError
from dayshift.core.model import (
    Answer,
    CallPart,
    Delta,
    Fragment,
    ModelRequest,
    ReasoningPart,
    TextPart,
    ToolMessage,
    ToolSchema,
    ToolSet,
    Usage,
    UserMessage,
)
from dayshift.models.rehearsal import UNFORESEEN, Rehearsals

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.models.rehearsal import Rehearsal

PLAY = """
name: shop
pace: {think_s: 1, chars_per_s: 24}
scenes:
  - agent: pm
    on: {source: person, text: "build (.+)"}
    steps:
      - reasoning: First the card.
        text: I will make a card.
        calls:
          - {tool: task_create, arguments: {title: "{{match.1}}"}, as: card}
      - text: "{{card.id}} is made, {{item.sender}}."
        tokens: {input: 500, output: 7}
        wait_s: 0
"""
TOOLS = ToolSet((ToolSchema("task_create", "Make a card.", {"type": "object"}),))
ITEM = {"source": "person", "sender": "Ada", "text": "build a shop"}


class Waits:
    """A sleep that only notes how long it was to be."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Note it."""
        self.seconds.append(seconds)


def told(text: str) -> Fragment:
    """A message to the agent."""
    return Fragment(UserMessage((TextPart(f"From Ada:\n{text}"),)))


def request(
    *messages: Fragment, tools: ToolSet = TOOLS, item: dict[str, str] | None = None
) -> ModelRequest:
    """A question of the pm about the item."""
    return ModelRequest(
        model="shop",
        system="You are the pm.",
        messages=list(messages),
        tools=tools,
        agent="pm",
        item=ITEM if item is None else item,
    )


def play(folder: Path, *, scale: float = 0.0, waits: Waits | None = None) -> Rehearsal:
    """The model that follows the screenplay above."""
    (folder / "screenplay.yaml").write_text(PLAY, encoding="utf-8")
    return Rehearsals(folder, sleep=waits or Waits(), scale=scale).model("shop")


@pytest.fixture
def model(tmp_path: Path) -> Rehearsal:
    """The model, without waits; its file is read before the loop runs."""
    return play(tmp_path)


@pytest.fixture
def slow(tmp_path: Path) -> tuple[Rehearsal, Waits]:
    """The model at half its speed, and what it waited."""
    waits = Waits()
    return play(tmp_path, scale=2.0, waits=waits), waits


async def ask(model: Rehearsal, asked: ModelRequest) -> tuple[Answer, list[Delta]]:
    """An answer and what was streamed of it."""
    deltas: list[Delta] = []
    return await model.ask(asked, deltas.append), deltas


async def test_the_steps_are_played_one_after_the_other(model: Rehearsal) -> None:
    """Which one is due follows from the answers since the item; results fill the places.

    Demanded by: MODEL-6.
    """
    item = told("build a shop")

    first, deltas = await ask(model, request(item))
    call = first.message.calls[0]
    result = Fragment(ToolMessage(call.id, "task_create", "Created card T-9."))
    second, _ = await ask(model, request(item, Fragment(first.message), result))

    assert first.message.parts == (
        ReasoningPart("First the card.", origin="rehearsal"),
        TextPart("I will make a card."),
        CallPart(call.id, "task_create", '{"title":"a shop"}'),
    )
    assert first.message.finish == "tool_calls"
    assert deltas == [
        Delta("reasoning", "First the card."),
        Delta("text", "I will make a card."),
        Delta("call", "task_create"),
    ]
    assert second.message.parts == (TextPart("T-9 is made, Ada."),)
    assert second.usage == Usage(input_tokens=500, output_tokens=7)


async def test_a_steer_message_does_not_start_the_scene_again(model: Rehearsal) -> None:
    """Only the message that told the item counts as its beginning.

    Demanded by: MODEL-6, RUN-6.
    """
    item = told("build a shop")
    first, _ = await ask(model, request(item))
    result = Fragment(ToolMessage(first.message.calls[0].id, "task_create", "Created T-9."))

    second, _ = await ask(
        model, request(item, Fragment(first.message), result, told("and make it blue"))
    )

    assert second.message.text == "T-9 is made, Ada."


async def test_an_earlier_run_about_the_same_thing_does_not_count(model: Rehearsal) -> None:
    """The dialogue goes on from run to run; the steps begin with the item.

    Demanded by: MODEL-6.
    """
    item = told("build a shop")
    first, _ = await ask(model, request(item))

    again, _ = await ask(model, request(item, Fragment(first.message), told("build a shop")))

    assert again.message.text == first.message.text
    assert again.message.calls[0].id != first.message.calls[0].id


async def test_the_same_request_gets_the_same_answer(model: Rehearsal) -> None:
    """A replay is a replay.

    Demanded by: MODEL-6.
    """
    assert await ask(model, request(told("build a shop"))) == await ask(
        model, request(told("build a shop"))
    )


@pytest.mark.parametrize("item", [{"source": "person", "text": "sing"}, {"source": "task"}])
async def test_what_no_scene_foresees_is_said_plainly(
    model: Rehearsal, item: dict[str, str]
) -> None:
    """Nobody may take it for an AI that does not understand.

    Demanded by: MODEL-6, the zero-key default.
    """
    answer, _ = await ask(model, request(told("sing"), item=item))

    assert answer.message.text == UNFORESEEN
    assert answer.message.finish == "stop"
    assert answer.model == "rehearsal:shop"


async def test_a_tool_that_is_not_offered_is_not_called(model: Rehearsal) -> None:
    """The script is wrong then, and says so.

    Demanded by: MODEL-6.
    """
    answer, _ = await ask(model, request(told("build a shop"), tools=ToolSet(())))

    assert answer.message.calls == ()
    assert "The script calls task_create, which is not offered here." in answer.message.text


async def test_the_pace_is_kept_and_can_be_stretched(slow: tuple[Rehearsal, Waits]) -> None:
    """A demo is watched, a test is not.

    Demanded by: MODEL-6.
    """
    model, waits = slow

    _, deltas = await ask(model, request(told("build a shop")))

    assert waits.seconds == [2.0, pytest.approx(15 / 24 * 2), pytest.approx(19 / 24 * 2)]
    assert [delta.kind for delta in deltas] == ["reasoning", "text", "call"]


def test_an_office_finds_its_own_screenplay_and_those_that_come_along(tmp_path: Path) -> None:
    """By the name in the file, or simply as its screenplay.

    Demanded by: MODEL-6.
    """
    play(tmp_path)
    found = Rehearsals().within(tmp_path)

    assert found.names() == ["hello", "shop"]
    assert found.model("screenplay").ref == "rehearsal:shop"
    assert found.model("hello").ref == "rehearsal:hello"
    with pytest.raises(InvalidError) as caught:
        found.model("shoop")
    assert "rehearsal:shop" in caught.value.hint


def test_a_broken_screenplay_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    """An office with another model opens all the same.

    Demanded by: MODEL-6, bad input of the working office.
    """
    (tmp_path / "screenplay.yaml").write_text("scenes: 5", encoding="utf-8")
    found = Rehearsals(tmp_path)

    assert found.model("hello").ref == "rehearsal:hello"
    with pytest.raises(ConfigError):
        found.model("shop")


def test_the_request_is_shown_as_it_would_be_sent(tmp_path: Path) -> None:
    """The run's page shows the raw request of every model.

    Demanded by: RUN-1, raw requests.
    """
    body = play(tmp_path).render(request(told("build a shop")))

    assert body.startswith(b'{"model":"rehearsal:shop","agent":"pm","item":{"source":"person"')
    assert body.endswith(b'From Ada:\\nbuild a shop"}]}]}')
