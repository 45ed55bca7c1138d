"""What goes wrong on the wire ends as the right error, at once, and without a key in it."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import (
    ContextOverflowError,
    ModelAuthError,
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRefusedError,
    ModelServerError,
    ModelStalledError,
    ModelUnreachableError,
    QuotaSpentError,
    RateLimitedError,
)
from dayshift.core.model import ModelFacts
from dayshift.models.openai_chat import OpenAIChat
from dayshift.models.quirks import Quirks
from dayshift.models.wire import Endpoint, Secret
from dayshift.testing.model_server import Call, Fail, ModelServer, Say, Strictness
from tests.contract.models_stage import KEY, request, says, stage

if TYPE_CHECKING:
    from dayshift.core.model import Model

DIALECTS = pytest.mark.parametrize("dialect", ["openai", "anthropic"])
WAIT_S = 30
LONG = Say(text="one two three four five six", piece_chars=3)
WRITES = Say(calls=(Call(name="bash", arguments={"command": "echo half a file"}),), piece_chars=4)
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
TOO_FAST = {"error": {"message": f"Slow down, {KEY}", "code": "rate_limit_exceeded"}}


async def fails(model: Model, **options: object) -> ModelError:
    """The error that asking ends in."""
    with pytest.raises(ModelError) as caught:
        await model.ask(request(says("a"), **options), lambda _delta: None)
    return caught.value


@DIALECTS
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Fail(status=400, body={"error": {"message": "no"}}), ModelRefusedError),
        (Fail(status=400, body="prompt is too long"), ContextOverflowError),
        (Fail(status=401, body={"error": {"message": "bad"}}), ModelAuthError),
        (Fail(status=402, body="Payment Required"), QuotaSpentError),
        (Fail(status=402, body={"error": {"code": "insufficient_quota"}}), QuotaSpentError),
        (Fail(status=400, body={"error": {"code": "insufficient_quota"}}), QuotaSpentError),
        (Fail(status=403, body={"error": {"message": "no"}}), ModelAuthError),
        (Fail(status=404, body="nothing here"), ModelNotFoundError),
        (Fail(status=429, body=TOO_FAST), RateLimitedError),
        (Fail(status=500, body="<html><title>Oops</title></html>"), ModelServerError),
        (Fail(status=529, body=OVERLOADED), ModelOverloadedError),
        (Fail(status=302, headers={"Location": "http://127.0.0.1:9/"}), ModelRefusedError),
        (
            Fail(body="<html><title>Log in</title></html>", content_type="text/html"),
            ModelGarbledError,
        ),
        (Fail(body="data: {nonsense\n\n", content_type="text/event-stream"), ModelGarbledError),
        (Fail(body="data: [1]\n\n", content_type="text/event-stream"), ModelGarbledError),
        (Fail(body='{"choices": 5}', content_type="application/json"), ModelGarbledError),
        (Fail(body={"error": {"message": "in a 200", "code": 503}}), ModelOverloadedError),
        (Fail(body="", content_type="text/event-stream"), ModelCutError),
        (Fail(body="", content_type="application/json"), ModelCutError),
        (Fail(body="\x00\xff\xfe", content_type="application/octet-stream"), ModelGarbledError),
    ],
)
async def test_every_refusal_becomes_its_error_and_shows_no_key(
    dialect: str, reply: Fail, kind: type[ModelError]
) -> None:
    """400, 401, 402, 403, 404, 429, 500, 529, redirects, web pages, garbage, nothing.

    Demanded by: MODEL-3, COST-02, SEC-09, the bad input of the working office.
    """
    async with stage() as play:
        play.server.say(reply)
        error = await fails(play.model(dialect))

    assert type(error) is kind
    assert KEY not in "".join(traceback.format_exception(error))
    assert KEY not in repr(error.__dict__)


@DIALECTS
async def test_a_provider_s_time_to_wait_is_told(dialect: str) -> None:
    """Also with an empty account, so that a run of hours can go on.

    Demanded by: MODEL-3 Retry-After; COST-04.
    """
    async with stage() as play:
        play.server.say(
            Fail(status=429, headers={"Retry-After": "7"}),
            Fail(status=402, headers={"Retry-After": "30"}),
        )
        fast, empty = [await fails(play.model(dialect)) for _ in range(2)]

    assert (type(fast), fast.retry_after_s, fast.retryable) == (RateLimitedError, 7.0, True)
    assert (type(empty), empty.retry_after_s, empty.retryable) == (QuotaSpentError, 30.0, True)


@DIALECTS
@pytest.mark.parametrize("say", [LONG, WRITES])
@pytest.mark.parametrize("after", [0, 1, 4, 7])
async def test_a_stream_that_is_cut_is_no_answer(dialect: str, say: Say, after: int) -> None:
    """Also inside a tool call: nothing may look like a finished turn.

    Demanded by: CALL-06.
    """
    async with stage() as play:
        play.server.say(replace(say, cut_after=after))

        assert type(await fails(play.model(dialect))) is ModelCutError


@DIALECTS
@pytest.mark.parametrize("after", [0, 2])
async def test_a_silent_stream_ends_at_the_idle_limit(dialect: str, after: int) -> None:
    """Two pieces, then nothing, with the connection open.

    Demanded by: STRM-01.
    """
    async with stage() as play:
        play.server.say(replace(LONG, stall_after=after))
        async with asyncio.timeout(WAIT_S):
            error = await fails(play.model(dialect), idle_limit_s=0.05)

    assert type(error) is ModelStalledError
    assert error.retryable


@DIALECTS
async def test_a_slow_stream_is_not_a_silent_one(dialect: str) -> None:
    """Only silence counts, not how long the whole takes.

    Demanded by: STRM-01.
    """
    async with stage() as play:
        play.server.say(Say(text="x" * 40, piece_chars=1, gap_s=0.05))
        answer = await play.ask(play.model(dialect), says("a"), idle_limit_s=1.5)

    assert answer.message.text == "x" * 40


@DIALECTS
async def test_a_stream_that_never_ends_ends_at_the_total_limit(dialect: str) -> None:
    """Something arrives all the time, and never the end.

    Demanded by: STRM-01, a turn has a limit.
    """
    async with stage() as play:
        play.server.say(Say(text="x" * 4000, piece_chars=1, gap_s=0.01))
        async with asyncio.timeout(WAIT_S):
            error = await fails(play.model(dialect), total_limit_s=0.2, idle_limit_s=60.0)

    assert type(error) is ModelStalledError


@DIALECTS
@pytest.mark.parametrize("manner", ["stall_after", "cut_after"])
async def test_an_answer_that_said_how_it_ended_is_kept(dialect: str, manner: str) -> None:
    """Some servers forget the end mark, or break off right before it.

    Demanded by: MODEL-1.
    """
    events = {"openai": 11, "anthropic": 14}[dialect]
    async with stage() as play:
        play.server.say(replace(LONG, **{manner: events}))
        answer = await play.ask(play.model(dialect), says("a"), idle_limit_s=1.0)

    assert (answer.message.text, answer.message.finish) == (LONG.text, "stop")


@DIALECTS
async def test_an_error_inside_a_stream_is_raised(dialect: str) -> None:
    """The status was 200; the error comes as an event.

    Demanded by: MODEL-3, 529 mid-stream.
    """
    async with stage() as play:
        play.server.say(replace(LONG, error_after=3, error=OVERLOADED))

        assert type(await fails(play.model(dialect))) is ModelOverloadedError


@DIALECTS
async def test_nothing_listens_there(dialect: str) -> None:
    """A local server that was not started.

    Demanded by: MODEL-1, the bad input of the working office.
    """
    async with stage() as play:
        async with ModelServer() as gone:
            play.server, server = gone, play.server
            model = play.model(dialect)
            play.server = server
        error = await fails(model)

    assert type(error) is ModelUnreachableError
    assert error.hint


@DIALECTS
async def test_cancelling_closes_the_connection_at_once(dialect: str) -> None:
    """The model must not go on thinking at our cost.

    Demanded by: RUN-6, cancel ends the model stream within one second.
    """
    async with stage() as play, asyncio.timeout(WAIT_S):
        play.server.say(replace(LONG, stall_after=5))
        heard = asyncio.Event()
        model = play.model(dialect)
        asking = asyncio.create_task(model.ask(request(says("a")), lambda _delta: heard.set()))
        await heard.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

        await play.server.left.wait()


@DIALECTS
async def test_a_cancel_from_outside_is_not_taken_for_a_stall(dialect: str) -> None:
    """A run's own time limit must not look like a provider's fault.

    Demanded by: RUN-6.
    """
    async with stage() as play:
        play.server.say(replace(LONG, stall_after=3))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await play.model(dialect).ask(request(says("a")), lambda _delta: None)


@DIALECTS
async def test_the_connection_is_kept_for_the_next_request(dialect: str) -> None:
    """Also after a refusal; a new one would cost a handshake each time.

    Demanded by: P1.
    """
    async with stage() as play:
        model = play.model(dialect)
        play.server.say(LONG, Fail(status=429, body="slow"), LONG)
        await play.ask(model, says("a"))
        await fails(model)
        await play.ask(model, says("a"))
        await play.ask(model, says("a"))

        assert play.server.connections == 1


@DIALECTS
async def test_a_wrong_key_is_told_without_showing_it(dialect: str) -> None:
    """Providers echo it; repr and str of everything we hold must not.

    Demanded by: SEC-09, secrets.
    """
    async with stage(Strictness(key="another-key-of-the-owner")) as play:
        model = play.model(dialect)
        error = await fails(model)

    assert type(error) is ModelAuthError
    assert KEY not in repr(model)
    assert KEY not in repr({name: getattr(model, name) for name in vars(model)})


@pytest.mark.parametrize("finish", ["length", "tool_calls"])
@DIALECTS
async def test_a_cut_call_keeps_its_cut_arguments(dialect: str, finish: str) -> None:
    """No repair: the loop must see that they are no JSON, whatever the provider claims.

    Demanded by: CALL-04, CALL-05.
    """
    cut = '{"path": "a.txt", "content": "half a fi'
    async with stage() as play:
        play.server.say(Say(calls=(Call(name="bash", arguments=cut),), finish=finish))
        answer = await play.ask(play.model(dialect), says("a"))

    assert answer.message.calls[0].arguments == cut
    assert answer.message.finish == finish


class Closer(asyncio.Protocol):
    """A server that answers once on each connection and closes it as soon as more comes."""

    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%b"

    def __init__(self) -> None:
        self.heard = b""
        self.answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Answer the first whole request, hang up on the second."""
        if self.answered:
            self.transport.abort()
            return
        self.heard += data
        if self.heard.endswith(b"}"):
            body = b'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n'
            self.answered = True
            self.transport.write(self.answer % (len(body), body))


async def test_a_kept_connection_that_was_closed_meanwhile_is_no_failure() -> None:
    """Servers close what was idle; the request goes out once more, on a new connection.

    Demanded by: P1, connections are kept; MODEL-1, local servers.
    """
    server = await asyncio.get_running_loop().create_server(Closer, "127.0.0.1", 0)
    async with server, stage() as play:
        port = server.sockets[0].getsockname()[1]
        endpoint = Endpoint("acme", f"http://127.0.0.1:{port}/v1", {}, Secret(KEY))
        model = OpenAIChat(
            "acme:x", endpoint=endpoint, quirks=Quirks(), facts=ModelFacts(), wire=play.wire
        )
        said = [(await play.ask(model, says("a"))).message.text for _ in range(3)]

    assert said == ["ok", "ok", "ok"]
