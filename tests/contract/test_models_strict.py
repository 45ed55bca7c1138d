"""Whatever a dialogue went through, the strictest provider of each dialect takes it."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dayshift.core.model import (
    AssistantMessage,
    CallPart,
    Fragment,
    ImagePart,
    Message,
    ReasoningPart,
    TextPart,
    ToolMessage,
    UserMessage,
)
from dayshift.models.quirks import Quirks
from dayshift.testing.model_server import Call, Say, Strictness
from tests.contract.models_stage import (
    Stage,
    answers,
    calls,
    request,
    result,
    says,
    stage,
)

if TYPE_CHECKING:
    from dayshift.core.model import Model

JsonWay = Literal["json_schema", "json_object", "output_config", "none"]
DIALECTS = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
PNG = ImagePart("image/png", "iVBORw0KGgo=")
HALF = "half a face \ud83d"

BROKEN: list[list[Message]] = [
    [],
    [says("hello")],
    [says("")],
    [says("  ", "\n")],
    [says("a"), says("b")],
    [answers("I begin"), says("go on")],
    [says("a"), answers("b")],
    [says("a"), answers("")],
    [says("a"), answers("  "), says("b")],
    [says("a"), calls(("c1", '{"command": "ls"}'))],
    [says("a"), calls(("c1", "{}"), ("c2", "{}")), result("c2")],
    [says("a"), calls(("c1", "{}")), says("wait"), result("c1"), answers("done"), says("b")],
    [says("a"), result("lost"), answers("b"), says("c")],
    [says("a"), calls(("c1", '{"command": "cut he')), result("c1", "not JSON", ok=False)],
    [says("a"), calls(("functions.bash:0", "[1]")), result("functions.bash:0", "")],
    [says("a"), calls(("é" * 60, "")), result("é" * 60)],
    [says(HALF), calls(("c1", f'{{"command": "{HALF}"}}'), text=HALF), result("c1", HALF)],
    [UserMessage((TextPart("look"), PNG)), answers("a dot")],
    [says("a"), calls(("c1", "{}")), ToolMessage("c1", "bash", "", images=(PNG,))],
    [
        says("a"),
        calls(("c1", "{}"), ("c2", "{}")),
        ToolMessage("c1", "bash", "see", images=(PNG, PNG)),
        result("c2"),
        says("b"),
    ],
    [says("a"), answers("b"), answers("c"), says("d")],
    [
        says("a"),
        AssistantMessage((ReasoningPart("hm", origin="openai_chat/other"),), finish="length"),
        says("b"),
    ],
    [
        says("a"),
        AssistantMessage(
            (
                ReasoningPart("", origin="anthropic_messages/other", opaque={"type": "secret"}),
                CallPart("c1", "mcp.search/files", "{}"),
            )
        ),
        ToolMessage("c1", "mcp.search/files", "x"),
    ],
]


@DIALECTS
@pytest.mark.parametrize("dialogue", BROKEN)
async def test_a_strict_provider_takes_every_dialogue(
    dialect: str, dialogue: list[Message]
) -> None:
    """Crashes, cuts, empty texts, half characters, foreign reasoning, images.

    Demanded by: RUN-4 history valid for the strictest; TEXT-01; COST-01.
    """
    async with stage() as play:
        await play.ask(play.model(dialect), *dialogue)

        assert play.server.complaints == []


@pytest.mark.parametrize("dialogue", BROKEN)
async def test_a_strict_compatible_server_takes_every_dialogue(dialogue: list[Message]) -> None:
    """Roles that alternate, ids of nine letters, a filler after tool results.

    Demanded by: MODEL-1, quirks as data.
    """
    strict = Strictness(schema="openapi", alternate=True, tool_then_user=False, nine=True)
    quirks = Quirks(schema="openapi", alternate=True, tool_then_user=False, call_id="nine")
    async with stage(strict) as play:
        await play.ask(play.openai(quirks), *dialogue)

        assert play.server.complaints == []


TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
IDS = st.sampled_from(["c1", "c2", "functions.bash:1", "", "x" * 70])
PARTS = st.one_of(
    TEXTS.map(TextPart),
    st.builds(CallPart, IDS, st.sampled_from(["bash", "a.b", "é"]), TEXTS | st.just('{"a":1}')),
    st.builds(ReasoningPart, TEXTS, st.sampled_from(["", "openai_chat/acme", "x/y"])),
)
ANY_MESSAGE = st.one_of(
    st.builds(UserMessage, st.lists(TEXTS.map(TextPart) | st.just(PNG), max_size=3).map(tuple)),
    st.builds(
        AssistantMessage,
        st.lists(PARTS, max_size=4, unique_by=lambda p: getattr(p, "id", id(p))).map(tuple),
    ),
    st.builds(ToolMessage, IDS, st.just("bash"), TEXTS, st.booleans()),
)


def with_own_ids(dialogue: list[Message]) -> list[Message]:
    """The dialogue with ids that no two answers share, as every stored one has."""
    last = 0
    out: list[Message] = []
    for place, message in enumerate(dialogue):
        if isinstance(message, AssistantMessage):
            last = place
            parts = [
                CallPart(f"{part.id}-{place}", part.name, part.arguments)
                if isinstance(part, CallPart)
                else part
                for part in message.parts
            ]
            out.append(AssistantMessage(tuple(parts)))
        elif isinstance(message, ToolMessage):
            renamed = f"{message.call_id}-{last}"
            out.append(ToolMessage(renamed, message.name, message.text, message.ok))
        else:
            out.append(message)
    return out


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(dialogue=st.lists(ANY_MESSAGE, max_size=8), data=st.data())
def test_a_strict_provider_takes_any_dialogue_at_all(
    dialogue: list[Message], data: st.DataObject
) -> None:
    """Generated ones, worse than any crash makes them.

    Demanded by: RUN-4 history valid for the strictest; TEXT-01.
    """
    dialect = data.draw(st.sampled_from(["openai", "anthropic"]))

    async def send() -> list[str]:
        async with stage() as play:
            await play.ask(play.model(dialect), *with_own_ids(dialogue))
            return play.server.complaints

    assert asyncio.run(send()) == []


async def _grow(play: Stage, model: Model) -> list[bytes]:
    """Bodies of four requests of one dialogue that grows by a call and its result each."""
    asked = request(says("begin"))
    bodies: list[bytes] = []
    for number in range(4):
        play.server.say(Say(text="next", calls=(Call(name="bash", id=f"call_{number:020d}"),)))
        answer = await model.ask(asked, play.deltas.append)
        bodies.append(play.server.requests[-1].raw)
        asked.messages.append(Fragment(answer.message))
        asked.messages.append(Fragment(result(f"call_{number:020d}", "fine")))
    return bodies


@DIALECTS
async def test_each_request_begins_with_the_bytes_of_the_one_before(dialect: str) -> None:
    """Then the provider's prompt cache holds all of it.

    Demanded by: P13.
    """
    async with stage() as play:
        bodies = await _grow(play, play.model(dialect))

    for before, after in pairwise(bodies):
        common = next(i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
        end_of_messages = before.rindex(b"]", 0, before.rindex(b'"max_tokens"'))
        assert common >= end_of_messages - len(b"]}")


@DIALECTS
async def test_old_messages_are_encoded_once(dialect: str) -> None:
    """A request of 800 messages is a join.

    Demanded by: P2.
    """
    async with stage() as play:
        model = play.model(dialect)
        fragments = [Fragment(says("a")), Fragment(answers("b")), Fragment(says("c"))]
        asked = request(*fragments)
        first = model.render(asked)
        kept = [dict(fragment.encoded) for fragment in fragments]
        assert model.render(asked) == first
        assert [fragment.encoded for fragment in fragments] == kept
        assert all(len(fragment.encoded) == 1 for fragment in fragments)


async def test_a_fallback_to_the_other_dialect_encodes_once_more() -> None:
    """Both encodings then lie beside each other.

    Demanded by: MODEL-3, fallback; the journal's cached fragments.
    """
    async with stage() as play:
        play.server.say(Say(reasoning="secret thought", text="hi", calls=(Call(name="bash"),)))
        asked = request(says("a"))
        first = await play.anthropic().ask(asked, play.deltas.append)
        asked.messages.append(Fragment(first.message))
        asked.messages.append(Fragment(result(first.message.calls[0].id)))
        play.server.say(Say(text="done"), Say(text="done"))

        other = play.openai()
        await other.ask(asked, play.deltas.append)
        await play.anthropic().ask(asked, play.deltas.append)

        assert play.server.complaints == []
        assert b"secret thought" not in play.server.requests[1].raw
        assert b"secret thought" in play.server.requests[2].raw
        assert all(len(fragment.encoded) == 2 for fragment in asked.messages)
