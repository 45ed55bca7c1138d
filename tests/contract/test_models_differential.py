"""The same streams through the vendors' own clients and through ours give the same message.

The recordings are written after the vendors' documentation, event for event.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anthropic
import msgspec
import openai
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dayshift.core.errors import (
    ModelAuthError,
    ModelCutError,
    ModelError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRefusedError,
    ModelServerError,
    QuotaSpentError,
    RateLimitedError,
)
from dayshift.core.model import ReasoningPart, Usage
from dayshift.models.anthropic_stream import MessageReader
from dayshift.models.asked import Asked
from dayshift.models.openai_stream import ChatReader
from dayshift.testing.model_server import Call, Fail, ModelServer, Reply, Say
from tests.contract.models_stage import BASH, KEY, Stage, request, says, stage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

    from dayshift.core.model import Answer

RECORDINGS = {
    file.name: file.read_bytes() for file in (Path(__file__).parent / "recordings").glob("*.sse")
}
BOTH_READ = [
    "anthropic_refusal.sse",
    "anthropic_text.sse",
    "anthropic_thinking.sse",
    "anthropic_tools.sse",
    "deepseek_reasoning.sse",
    "ollama_call.sse",
    "openai_length.sse",
    "openai_refusal.sse",
    "openai_text.sse",
    "openai_tools.sse",
]
NO_ERRORS = sorted(name for name in RECORDINGS if "_error" not in name)
FINISHES = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "content_filter": "refusal",
    "end_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "refusal",
}


class Said(msgspec.Struct, frozen=True):
    """What was said, as either client tells it. ``thoughts`` are (text, signature or data)."""

    text: str
    thoughts: tuple[tuple[str, str], ...]
    calls: tuple[tuple[str, str, str], ...]
    finish: str
    usage: Usage


def ours(answer: Answer) -> Said:
    """Our answer."""
    thoughts = [part for part in answer.message.parts if isinstance(part, ReasoningPart)]
    return Said(
        answer.message.text,
        tuple((p.text, p.signature or (p.opaque or {}).get("data", "")) for p in thoughts),
        tuple((call.id, call.name, _canonical(call.arguments)) for call in answer.message.calls),
        answer.message.finish,
        answer.usage,
    )


def _canonical(arguments: str) -> str:
    """Arguments as any JSON parser reads them; a cut text as it is."""
    try:
        return orjson.dumps(orjson.loads(arguments or "{}")).decode()
    except orjson.JSONDecodeError:
        return arguments


def of_openai(done: Any) -> Said:  # noqa: ANN401  their completion
    """The completion of the openai client."""
    choice = done.choices[0]
    message = choice.message
    extra = message.model_extra or {}
    reasoning = extra.get("reasoning_content") or extra.get("reasoning") or ""
    given, made = done.usage.prompt_tokens_details, done.usage.completion_tokens_details
    calls = [
        (c.id, c.function.name, _canonical(c.function.arguments)) for c in message.tool_calls or ()
    ]
    finish = "refusal" if message.refusal else FINISHES[choice.finish_reason]
    return Said(
        (message.content or "") + (message.refusal or ""),
        ((reasoning, ""),) if reasoning else (),
        tuple(calls),
        finish,
        Usage(
            input_tokens=done.usage.prompt_tokens,
            output_tokens=done.usage.completion_tokens,
            cache_read_tokens=(given and given.cached_tokens) or 0,
            cache_write_tokens=(given and given.cache_write_tokens) or 0,
            reasoning_tokens=(made and made.reasoning_tokens) or 0,
        ),
    )


def of_anthropic(done: Any) -> Said:  # noqa: ANN401  their message
    """The message of the anthropic client."""
    by_kind: dict[str, list[Any]] = {
        "text": [],
        "tool_use": [],
        "thinking": [],
        "redacted_thinking": [],
    }
    for block in done.content:
        by_kind[block.type].append(block)
    thoughts = [
        (getattr(b, "thinking", ""), getattr(b, "signature", "") or getattr(b, "data", ""))
        for b in done.content
        if b.type in ("thinking", "redacted_thinking")
    ]
    used = done.usage
    read, written = used.cache_read_input_tokens or 0, used.cache_creation_input_tokens or 0
    details = used.output_tokens_details
    return Said(
        "".join(block.text for block in by_kind["text"]),
        tuple(thoughts),
        tuple((b.id, b.name, orjson.dumps(b.input).decode()) for b in by_kind["tool_use"]),
        FINISHES[done.stop_reason],
        Usage(
            input_tokens=used.input_tokens + read + written,
            output_tokens=used.output_tokens,
            cache_read_tokens=read,
            cache_write_tokens=written,
            reasoning_tokens=(details and details.thinking_tokens) or 0,
        ),
    )


class Official:
    """The vendors' own clients, made once; their start costs more than all their requests."""

    def __init__(self) -> None:
        self.openai = openai.AsyncOpenAI(
            base_url="http://127.0.0.1:1/v1", api_key=KEY, max_retries=0
        )
        self.anthropic = anthropic.AsyncAnthropic(
            base_url="http://127.0.0.1:1", api_key=KEY, max_retries=0
        )

    async def ask(self, server: ModelServer, dialect: str) -> Said:
        """Ask through the client of a dialect."""
        asked: Any = {"model": "fake", "messages": [{"role": "user", "content": "a"}]}
        if dialect == "anthropic":
            self.anthropic.base_url = server.url
            tools: Any = [{"name": "bash", "input_schema": BASH.parameters}]
            async with self.anthropic.messages.stream(
                **asked, tools=tools, max_tokens=1000
            ) as answer:
                return of_anthropic(await answer.get_final_message())
        self.openai.base_url = server.openai_url
        tools = [{"type": "function", "function": {"name": "bash", "parameters": BASH.parameters}}]
        async with self.openai.chat.completions.stream(
            **asked, tools=tools, stream_options={"include_usage": True}
        ) as stream:
            try:
                return of_openai(await stream.get_final_completion())
            except openai.LengthFinishReasonError as cut:
                return of_openai(cut.completion)

    async def close(self) -> None:
        """Close their connections."""
        await self.openai.close()
        await self.anthropic.close()


@asynccontextmanager
async def both() -> AsyncGenerator[tuple[Stage, Official]]:
    """The stage, and the official clients beside it."""
    official = Official()
    async with stage() as play:
        yield play, official
    await official.close()


async def compare(play: Stage, official: Official, reply: Reply, dialect: str) -> tuple[Said, Said]:
    """The same reply through their client and ours."""
    play.server.say(reply, reply)
    told = await official.ask(play.server, dialect)
    return told, ours(await play.ask(play.model(dialect), says("a")))


@pytest.fixture(scope="module")
def pair() -> Iterator[Callable[[Reply, str], tuple[Said, Said]]]:
    """One server and one of each client for many comparisons."""
    with asyncio.Runner() as runner:
        opened = both()
        play, official = runner.run(opened.__aenter__())
        yield lambda reply, dialect: runner.run(compare(play, official, reply, dialect))
        runner.run(opened.__aexit__(None, None, None))


@pytest.mark.parametrize("write_bytes", [0, 1, 7])
@pytest.mark.parametrize("name", BOTH_READ)
def test_a_recorded_stream_gives_the_same_message(
    pair: Callable[[Reply, str], tuple[Said, Said]], name: str, write_bytes: int
) -> None:
    """Text, reasoning, signatures, parallel calls, refusals, usage; whole and in pieces.

    Demanded by: MODEL-1, held to the real thing.
    """
    reply = Fail(body=RECORDINGS[name], content_type="text/event-stream", write_bytes=write_bytes)

    official, own = pair(reply, "anthropic" if name.startswith("anthropic") else "openai")

    assert own == official


def read(name: str, pieces: list[bytes]) -> Said:
    """What our reader makes of a recording in pieces."""
    reader = (MessageReader if name.startswith("anthropic") else ChatReader)(
        Asked(provider="acme", origin="x", on_delta=lambda _delta: None)
    )
    if not any(reader.feed(piece) for piece in pieces):
        reader.end()
    return ours(reader.answer())


@pytest.mark.parametrize("name", NO_ERRORS)
def test_a_recorded_stream_may_be_split_at_every_byte(name: str) -> None:
    """Each place once, and all places together.

    Demanded by: MODEL-1, split at every byte.
    """
    stream = RECORDINGS[name]
    whole = read(name, [stream])

    assert all(read(name, [stream[:at], stream[at:]]) == whole for at in range(len(stream)))
    assert read(name, [stream[at : at + 1] for at in range(len(stream))]) == whole


@pytest.mark.parametrize("name", NO_ERRORS)
def test_a_recorded_stream_that_is_cut_is_never_an_answer(name: str) -> None:
    """Wherever it ends before its finish, we know.

    Demanded by: CALL-06.
    """
    stream = RECORDINGS[name]
    finish = max(stream.rfind(b'"finish_reason":"'), stream.rfind(b'"stop_reason":"'))

    for at in range(0, finish, 11):
        with pytest.raises(ModelCutError):
            read(name, [stream[:at]])


def test_reasoning_details_are_joined_to_be_sent_back() -> None:
    """OpenRouter's come in pieces, with the signature last.

    Demanded by: MODEL-1, reasoning replay.
    """
    reader = ChatReader(Asked(provider="r", origin="x", on_delta=lambda _delta: None))
    reader.feed(RECORDINGS["openrouter_details.sse"])
    thought = reader.answer().message.parts[0]

    assert msgspec.to_builtins(thought)["opaque"] == {
        "reasoning_details": [
            {
                "type": "reasoning.text",
                "text": "First look",
                "format": "anthropic-claude-v1",
                "index": 0,
                "signature": "EqQB",
            },
            {"type": "reasoning.encrypted", "data": "XyZ", "index": 1},
        ]
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "gemini_calls.sse",
            Said(
                "",
                (),
                (
                    ("function-call-11", "bash", '{"command":"ls"}'),
                    ("function-call-12", "bash", '{"command":"pwd"}'),
                ),
                "tool_calls",
                Usage(input_tokens=70, output_tokens=80),
            ),
        ),
        (
            "mistral_thinking.sse",
            Said(
                "It is 4.",
                (("Let me see.", ""),),
                (),
                "stop",
                Usage(input_tokens=10, output_tokens=20),
            ),
        ),
    ],
)
def test_what_the_official_client_cannot_read_is_read(name: str, said: Said) -> None:
    """Compatible providers take liberties: no index, blocks as content, usage in the total only.

    Demanded by: MODEL-1.
    """
    assert read(name, [RECORDINGS[name]]) == said


TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=30)
SAYS = st.builds(
    Say,
    text=TEXTS,
    reasoning=TEXTS,
    calls=st.lists(
        st.builds(
            Call,
            name=st.just("bash"),
            arguments=st.dictionaries(st.sampled_from("abc"), TEXTS, max_size=2),
        ),
        max_size=3,
    ).map(
        lambda calls: tuple(
            replace(call, id=f"call_{place:020d}") for place, call in enumerate(calls)
        )
    ),
    usage=st.builds(
        lambda read, written, rest, out, thought: Usage(
            input_tokens=read + written + rest,
            output_tokens=out + thought,
            cache_read_tokens=read,
            cache_write_tokens=written,
            reasoning_tokens=thought,
        ),
        *[st.integers(0, 2000)] * 5,
    ),
    piece_chars=st.integers(0, 5),
    write_bytes=st.sampled_from([0, -1, 1, 3, 50]),
    keep_alive=st.booleans(),
    line_end=st.sampled_from(["\n", "\r\n"]),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(say=SAYS, dialect=st.sampled_from(["openai", "anthropic"]))
def test_any_stream_gives_the_same_message(
    pair: Callable[[Reply, str], tuple[Said, Said]], say: Say, dialect: str
) -> None:
    """Generated answers, in any pieces, with keep-alives and either line end.

    Demanded by: MODEL-1, held to the real thing.
    """
    official, own = pair(say, dialect)

    assert own == official


OFFICIAL: dict[type[Exception], set[type[ModelError]]] = {
    openai.BadRequestError: {ModelRefusedError, QuotaSpentError},
    openai.AuthenticationError: {ModelAuthError},
    openai.PermissionDeniedError: {ModelAuthError},
    openai.NotFoundError: {ModelNotFoundError},
    openai.RateLimitError: {RateLimitedError, QuotaSpentError},
    openai.InternalServerError: {ModelServerError, ModelOverloadedError},
    openai.APIStatusError: {QuotaSpentError},
    openai.APIError: {ModelServerError, ModelOverloadedError},
    anthropic.BadRequestError: {ModelRefusedError, QuotaSpentError},
    anthropic.AuthenticationError: {ModelAuthError},
    anthropic.PaymentRequiredError: {QuotaSpentError},
    anthropic.PermissionDeniedError: {ModelAuthError},
    anthropic.NotFoundError: {ModelNotFoundError},
    anthropic.RateLimitError: {RateLimitedError, QuotaSpentError},
    anthropic.InternalServerError: {ModelServerError},
    anthropic.OverloadedError: {ModelOverloadedError},
    anthropic.APIStatusError: {ModelOverloadedError},
}
STREAM_ERRORS = [
    Fail(body=RECORDINGS["openai_error.sse"], content_type="text/event-stream"),
    Fail(body=RECORDINGS["anthropic_error.sse"], content_type="text/event-stream"),
]


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "reply",
    [
        Fail(status=400, body={"error": {"type": "invalid_request_error", "message": "no"}}),
        Fail(status=401, body={"error": {"type": "authentication_error", "message": "no"}}),
        Fail(status=402, body={"error": {"type": "billing_error", "message": "no"}}),
        Fail(status=403, body={"error": {"type": "permission_error", "message": "no"}}),
        Fail(status=404, body={"error": {"type": "not_found_error", "message": "no"}}),
        Fail(status=429, body={"error": {"type": "rate_limit_error", "message": "no"}}),
        Fail(status=429, body={"error": {"code": "insufficient_quota", "message": "no"}}),
        Fail(status=500, body={"error": {"type": "api_error", "message": "no"}}),
        *STREAM_ERRORS,
    ],
)
async def test_an_error_is_of_the_same_class(reply: Fail, dialect: str) -> None:
    """By the table above; ours are finer where the body says more than the status.

    Demanded by: MODEL-3, same error class.
    """
    if reply in STREAM_ERRORS and (dialect == "openai") != (reply is STREAM_ERRORS[0]):
        reply = STREAM_ERRORS[dialect == "anthropic"]
    async with both() as (play, clients):
        play.server.say(reply, reply)
        with pytest.raises((openai.APIError, anthropic.APIError)) as official:
            await clients.ask(play.server, dialect)
        with pytest.raises(ModelError) as own:
            await play.model(dialect).ask(request(says("a")), lambda _delta: None)

    assert type(own.value) in OFFICIAL[type(official.value)]
