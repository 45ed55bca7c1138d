"""What each dialect and each quirk asks for is sent so, and what comes back goes back."""

from __future__ import annotations

from typing import Literal

import orjson
import pytest

from dayshift.core.model import (
    Fragment,
    ImagePart,
    ModelFacts,
    TextPart,
    ToolMessage,
    ToolSchema,
    ToolSet,
    Usage,
    UserMessage,
)
from dayshift.models.quirks import Quirks
from dayshift.testing.model_server import Call, Fail, Say
from tests.contract.models_stage import (
    FACTS,
    NO_TOOLS,
    TOOLS,
    answers,
    calls,
    request,
    result,
    says,
    stage,
)

JsonWay = Literal["json_schema", "json_object", "output_config", "none"]
DIALECTS = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
PNG = ImagePart("image/png", "iVBORw0KGgo=")


async def test_signed_and_redacted_thinking_goes_back_as_it_came() -> None:
    """The server knows its own signatures and refuses any change.

    Demanded by: MODEL-1, reasoning replay.
    """
    quirks = Quirks(
        thinking={"low": {"thinking": {"type": "enabled", "budget_tokens": 2048}}}, cache="auto"
    )
    async with stage() as play:
        model = play.anthropic(quirks)
        play.server.say(
            Say(
                reasoning="Let me see\n😀",
                opaque="EmwKAhgB",
                calls=(Call(name="bash"),),
                piece_chars=3,
            ),
            Say(text="done"),
        )
        asked = request(says("a"), thinking="low")
        first = await model.ask(asked, play.deltas.append)
        asked.messages.append(Fragment(first.message))
        asked.messages.append(Fragment(result(first.message.calls[0].id)))
        await model.ask(asked, play.deltas.append)

        assert play.server.complaints == []
        assert first.message.reasoning == "Let me see\n😀"
        sent = play.server.requests[1].messages[1]["content"]
        assert [block["type"] for block in sent] == ["thinking", "redacted_thinking", "tool_use"]
        assert play.server.requests[1].body["thinking"]["budget_tokens"] == 2048


async def test_an_answer_of_thinking_alone_gets_a_word_behind_it() -> None:
    """The token limit ended it there; the dialect takes no thinking at the end.

    Demanded by: RUN-4 history valid for the strictest.
    """
    async with stage() as play:
        play.server.say(Say(reasoning="so far", finish="length"), Say(text="done"))
        asked = request(says("a"))
        first = await play.anthropic().ask(asked, play.deltas.append)
        asked.messages.extend([Fragment(first.message), Fragment(says("go on"))])
        await play.anthropic().ask(asked, play.deltas.append)

        assert play.server.complaints == []
        blocks = play.server.requests[1].messages[1]["content"]
        assert [block["type"] for block in blocks] == ["thinking", "text"]


async def test_a_turn_that_began_without_thinking_goes_on_without() -> None:
    """After a fallback, the pending calls have no thinking of this provider before them.

    Demanded by: MODEL-1, MODEL-3.
    """
    quirks = Quirks(thinking={"high": {"thinking": {"type": "enabled", "budget_tokens": 99_000}}})
    async with stage() as play:
        model = play.anthropic(quirks)
        await play.ask(model, says("a"), calls(("c1", "{}")), result("c1"), thinking="high")
        await play.ask(
            model, says("a"), calls(("c1", "{}")), result("c1"), says("b"), thinking="high"
        )
        await play.ask(model, says("a"), thinking="high")

        assert play.server.complaints == []
        thinking = [seen.body.get("thinking") for seen in play.server.requests]
        assert thinking[:2] == [None, None]
        budget = play.server.requests[2].body["thinking"]["budget_tokens"]
        assert 1024 <= budget < play.server.requests[2].body["max_tokens"] <= 32_000


async def test_reasoning_goes_back_in_the_field_the_provider_wants() -> None:
    """DeepSeek and Kimi refuse calls whose reasoning is missing.

    Demanded by: MODEL-1, reasoning replay by quirk.
    """
    quirks = Quirks(reasoning_out="reasoning_content", reasoning_fill=" ")
    async with stage() as play:
        model = play.openai(quirks)
        play.server.say(Say(reasoning="because", calls=(Call(name="bash"),)), Say(text="x"))
        asked = request(says("a"))
        first = await model.ask(asked, play.deltas.append)
        asked.messages.append(Fragment(first.message))
        asked.messages.append(Fragment(result(first.message.calls[0].id)))
        asked.messages.extend([Fragment(calls(("foreign", "{}"))), Fragment(result("foreign"))])
        await model.ask(asked, play.deltas.append)

        sent = [m for m in play.server.requests[1].messages if m["role"] == "assistant"]
        assert [message["reasoning_content"] for message in sent] == ["because", " "]


async def test_unknown_fields_of_an_answer_go_back_to_who_sent_them() -> None:
    """Gemini refuses a call whose signature was lost; nobody else wants it.

    Demanded by: MODEL-1, unknown fields survive.
    """
    signed = {"extra_content": {"google": {"thought_signature": "abc"}}}
    event = {
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "delta": {
                    "mood": "glad",
                    "tool_calls": [
                        {
                            "id": "fn-1",
                            "type": "function",
                            "function": {"name": "bash", "arguments": "{}"},
                            **signed,
                        }
                    ],
                },
            }
        ]
    }
    async with stage() as play:
        raw = b"data: " + orjson.dumps(event) + b"\n\ndata: [DONE]\n\n"
        asked = request(says("a"))
        play.server.say(Fail(status=200, body=raw, content_type="text/event-stream"))
        answer = await play.openai().ask(asked, play.deltas.append)
        asked.messages.extend([Fragment(answer.message), Fragment(result("fn-1"))])
        gemini, other = play.openai(name="acme"), play.openai(name="other")
        fill = play.openai(Quirks(call_fill={"extra_content": {"google": 1}}), name="third")

        own = orjson.loads(gemini.render(asked))["messages"][2]
        foreign = orjson.loads(other.render(asked))["messages"][2]
        filled = orjson.loads(fill.render(asked))["messages"][2]

    assert own["tool_calls"][0]["extra_content"] == signed["extra_content"]
    assert own["mood"] == "glad"
    assert "extra_content" not in foreign["tool_calls"][0]
    assert "mood" not in foreign
    assert filled["tool_calls"][0]["extra_content"] == {"google": 1}


@DIALECTS
async def test_a_tool_with_an_odd_name_is_called_by_its_real_one(dialect: str) -> None:
    """Dots, slashes and eighty letters are sent otherwise and come back right.

    Demanded by: COST-01.
    """
    name = "github.com/search." + "x" * 80
    tools = ToolSet((ToolSchema(name, "Search.", {"$schema": "x", "anyOf": [{"type": "object"}]}),))
    async with stage() as play:
        play.server.script = lambda seen: Say(calls=(Call(name=seen.tools[0]),))
        answer = await play.ask(play.model(dialect), says("a"), tools=tools)

        assert play.server.complaints == []
        assert answer.message.calls[0].name == name
        assert play.deltas[-1].text == name


@DIALECTS
async def test_usage_is_the_same_whatever_the_dialect_counts_where(dialect: str) -> None:
    """One counts cached tokens inside the input, one beside it; the cost must be equal.

    Demanded by: COST-05.
    """
    used = Usage(
        input_tokens=1000,
        output_tokens=50,
        cache_read_tokens=600,
        cache_write_tokens=100,
        reasoning_tokens=20,
    )
    async with stage() as play:
        play.server.say(Say(text="hi", usage=used))
        answer = await play.ask(play.model(dialect), says("a"))

    assert answer.usage == used


@DIALECTS
async def test_without_tools_an_old_dialogue_with_calls_is_still_taken(dialect: str) -> None:
    """A summary is asked for without offering tools.

    Demanded by: RUN-7, compaction.
    """
    async with stage() as play:
        await play.ask(
            play.model(dialect),
            says("a"),
            calls(("c1", "{}")),
            result("c1"),
            says("Summarise."),
            tools=NO_TOOLS,
            tool_choice="none",
        )

        assert play.server.complaints == []


@DIALECTS
@pytest.mark.parametrize("choice", ["auto", "none", "required"])
async def test_the_choice_of_tools_is_told_in_the_dialect(dialect: str, choice: str) -> None:
    """What is the default is not sent, so that the bytes stay the same.

    Demanded by: MODEL-1.
    """
    expected = {
        ("openai", "auto"): None,
        ("openai", "none"): "none",
        ("openai", "required"): "required",
        ("anthropic", "auto"): None,
        ("anthropic", "none"): {"type": "none"},
        ("anthropic", "required"): {"type": "any"},
    }
    async with stage() as play:
        await play.ask(play.model(dialect), says("a"), tool_choice=choice)

        assert play.server.complaints == []
        assert play.server.requests[0].body.get("tool_choice") == expected[dialect, choice]


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("dialect", "way", "sent"),
    [
        ("openai", "json_schema", {"response_format"}),
        ("openai", "json_object", {"response_format"}),
        ("openai", "none", set[str]()),
        ("anthropic", "output_config", {"output_config"}),
        ("anthropic", "none", set[str]()),
    ],
)
async def test_an_answer_in_a_schema_is_asked_for_in_the_provider_s_way(
    dialect: str, way: JsonWay, sent: set[str]
) -> None:
    """Where it cannot be enforced, the model is told in words.

    Demanded by: MODEL-1, json_schema.
    """
    async with stage() as play:
        model = play.model(dialect, Quirks(json_schema=way))
        await play.ask(model, says("a"), tools=NO_TOOLS, json_schema=SCHEMA)

        seen = play.server.requests[0]
        assert play.server.complaints == []
        assert seen.body.keys() & {"response_format", "output_config"} == sent
        assert ('"required":["a"]' in seen.system) == (way in ("json_object", "none"))


async def test_cache_marks_on_blocks_move_with_the_dialogue() -> None:
    """For servers of the dialect that do not know the mark that moves by itself.

    Demanded by: P13, prompt caching.
    """
    async with stage() as play:
        model = play.anthropic(Quirks(cache="blocks"))
        await play.ask(model, says("a"), answers("b"), says("c"))

        body = play.server.requests[0].body
        assert play.server.complaints == []
        marked = [body["tools"][-1], body["system"][-1], body["messages"][-1]["content"][-1]]
        assert all(block["cache_control"] == {"type": "ephemeral"} for block in marked)
        assert play.server.requests[0].raw.count(b"cache_control") == 3


async def test_images_are_named_where_the_model_cannot_see() -> None:
    """A text model is told that there was one.

    Demanded by: MODEL-1, images in.
    """
    async with stage() as play:
        model = play.openai(facts=ModelFacts(images=False))
        await play.ask(
            model,
            UserMessage((TextPart("look"), PNG)),
            calls(("c1", "{}")),
            ToolMessage("c1", "bash", "shot", images=(PNG,)),
        )

        told = [message.get("content") for message in play.server.requests[0].messages]
        assert told == [
            "look\n\n[an image, which this model cannot see]",
            None,
            "shot\n[an image, which this model cannot see]",
        ]


LEVELS = {"off": {"reasoning_effort": "none"}, "high": {"reasoning_effort": "high"}}


@pytest.mark.parametrize(
    ("quirks", "facts", "tools", "sent"),
    [
        (Quirks(thinking=LEVELS), FACTS, TOOLS, "high"),
        (Quirks(thinking=LEVELS, thinking_with_tools=LEVELS["off"]), FACTS, TOOLS, "none"),
        (Quirks(thinking=LEVELS, thinking_with_tools={}), FACTS, TOOLS, None),
        (Quirks(thinking=LEVELS, thinking_with_tools={}), FACTS, NO_TOOLS, "high"),
        (Quirks(thinking=LEVELS), ModelFacts(reasoning=False), TOOLS, None),
        (Quirks(), FACTS, TOOLS, None),
    ],
)
async def test_how_much_to_think_is_told_in_the_provider_s_words(
    quirks: Quirks, facts: ModelFacts, tools: ToolSet, sent: str | None
) -> None:
    """OpenAI's newest refuse tools while they think; others refuse the very word.

    Demanded by: MODEL-1, thinking levels by quirk.
    """
    async with stage() as play:
        model = play.openai(quirks, facts=facts)
        await play.ask(model, says("a"), tools=tools, thinking="high")

        assert play.server.requests[0].body.get("reasoning_effort") == sent


@DIALECTS
async def test_a_request_of_several_megabytes_is_sent(dialect: str) -> None:
    """A few screenshots are enough for one.

    Demanded by: MODEL-1, images in.
    """
    large = ImagePart("image/png", "QUJD" * 800_000)
    async with stage() as play:
        await play.ask(play.model(dialect), UserMessage((TextPart("look"), large)))

        assert play.server.complaints == []
        assert len(play.server.requests[0].raw) > 3_000_000


async def test_requests_of_an_agent_carry_the_same_opaque_key() -> None:
    """So that they meet one cache; the agent's name stays here.

    Demanded by: P13, prompt caching.
    """
    async with stage() as play:
        model = play.openai(Quirks(user_key="prompt_cache_key"))
        for agent in ("iris", "iris", "juno"):
            await play.ask(model, says("a"), agent=agent)

        keys = [seen.body["prompt_cache_key"] for seen in play.server.requests]
        assert keys[0] == keys[1] != keys[2]
        assert "iris" not in "".join(keys)
