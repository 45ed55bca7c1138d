"""A scripted model server: strict as the strictest provider, in both dialects, over real HTTP.

In a test::

    async with ModelServer() as server:
        server.say(Say(calls=(Call(name="bash", arguments={"command": "ls"}),)), Say(text="Done."))
        ...  # a model at server.openai_url or server.anthropic_url
        assert server.complaints == []

By itself, for benches: ``python -m dayshift.testing.model_server --port 18081``.
"""

import argparse
import asyncio
import inspect
import re
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from types import TracebackType
from typing import Any

import orjson
from aiohttp import web

from dayshift.testing import model_server_anthropic as anthropic
from dayshift.testing import model_server_openai as openai
from dayshift.testing.model_server_checks import RefusedError, Strictness, is_list
from dayshift.testing.model_server_script import Call, Dialect, Fail, Reply, Say, Script, Seen

__all__ = ["Call", "Fail", "ModelServer", "Reply", "Say", "Seen", "Strictness", "by_turns"]

AGENT = re.compile(r"\[agent ([\w.-]+)\]|[Yy]ou are ([\w.-]+)")
DEFAULT = Say(text="Understood.")
BYTES_MAX = 64 * 1024 * 1024


class ModelServer:
    """Serves both dialects on a free port of 127.0.0.1 for the length of a block.

    Attributes:
        script: Decides each answer that nothing was queued for; the default says one word.
        strictness: What is refused beyond what everybody refuses.
        requests: Everything that arrived, in order.
        listed: What ``/models`` answers.
        agent_of: Finds the agent in a system prompt; its first group that matches.
        left: Set when a client went away inside an answer.
    """

    def __init__(
        self, script: Script | None = None, *, strictness: Strictness | None = None, port: int = 0
    ) -> None:
        self.script: Script = script or (lambda _: DEFAULT)
        self.strictness = strictness or Strictness()
        self.requests: list[Seen] = []
        self.listed: object = {"object": "list", "data": [{"id": "fake", "object": "model"}]}
        self.agent_of = AGENT
        self.keeps = True
        self._port = port
        self._queues: dict[str, deque[Reply]] = {}
        self._count = 0
        self._runner: web.AppRunner | None = None
        self.left = asyncio.Event()
        self._closing = asyncio.Event()
        self._peers: set[object] = set()

    async def __aenter__(self) -> "ModelServer":
        app = web.Application(client_max_size=BYTES_MAX)
        app.router.add_post("/{prefix:.*}chat/completions", self._openai)
        app.router.add_post("/{prefix:.*}messages", self._anthropic)
        app.router.add_get("/{prefix:.*}models", self._models)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        """Root of the server."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def openai_url(self) -> str:
        """Base URL of the OpenAI dialect."""
        return f"{self.url}/v1"

    @property
    def anthropic_url(self) -> str:
        """Base URL of the Anthropic dialect."""
        return f"{self.url}/v1"

    @property
    def connections(self) -> int:
        """How many connections brought requests."""
        return len(self._peers)

    @property
    def complaints(self) -> list[str]:
        """Every refusal so far, with the number of the request."""
        return [f"#{seen.number}: {seen.complaint}" for seen in self.requests if seen.complaint]

    def say(self, *replies: Reply, to: str = "") -> None:
        """Queue answers: for the agent or the model called ``to``, or for whoever asks next."""
        self._queues.setdefault(to, deque()).extend(replies)

    async def _models(self, _request: web.Request) -> web.Response:
        return web.json_response(self.listed)

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return await self._serve(request, "openai", key)

    async def _anthropic(self, request: web.Request) -> web.StreamResponse:
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        key = request.headers.get("x-api-key", bearer)
        known = "anthropic-version" in request.headers
        return await self._serve(request, "anthropic", key if known else "")

    async def _serve(self, request: web.Request, dialect: Dialect, key: str) -> web.StreamResponse:
        raw = await request.read()
        if request.transport is not None:
            self._peers.add(request.transport.get_extra_info("peername"))
        self._count += 1
        number = self._count
        speech = openai if dialect == "openai" else anthropic
        body: dict[str, Any] = {}
        status, complaint = HTTPStatus.UNAUTHORIZED, "Incorrect API key provided."
        if (key or not self.strictness.needs_key) and key == (self.strictness.key or key):
            status = HTTPStatus.BAD_REQUEST
            try:
                body = orjson.loads(raw)
                complaint = _complaint(speech.check, body, self.strictness)
            except orjson.JSONDecodeError as error:
                complaint = f"The body is not valid JSON in UTF-8: {error}"
        seen = self._note(request, dialect, number, raw, body=body, complaint=complaint)
        if complaint:
            answer = speech.error(status, complaint)
            return web.Response(status=status, body=answer, content_type="application/json")
        reply = await self._reply(seen)
        if isinstance(reply, Fail):
            return await _failed(request, reply)
        if not body.get("stream"):
            whole = speech.whole(reply, seen.model, number)
            return web.Response(body=whole, content_type="application/json")
        events = list(speech.events(reply, seen.model, number))
        try:
            return await self._stream(request, reply, events, dialect)
        except (asyncio.CancelledError, ConnectionError):
            self.left.set()
            raise

    def _note(
        self,
        request: web.Request,
        dialect: Dialect,
        number: int,
        raw: bytes,
        *,
        body: dict[str, Any],
        complaint: str,
    ) -> Seen:
        system = _system(body)
        match = self.agent_of.search(system) if system else None
        seen = Seen(
            number=number,
            dialect=dialect,
            path=request.path,
            headers=dict(request.headers),
            raw=raw,
            body=body,
            system=system,
            agent=next((group for group in match.groups() if group), "") if match else "",
            complaint=complaint,
        )
        if self.keeps:
            self.requests.append(seen)
        return seen

    async def _reply(self, seen: Seen) -> Reply:
        for name in (seen.agent, seen.model, ""):
            queue = self._queues.get(name)
            if queue and (name or not seen.complaint):
                return queue.popleft()
        reply = self.script(seen)
        return await reply if inspect.isawaitable(reply) else reply

    async def _stream(
        self, request: web.Request, say: Say, events: list[bytes], dialect: Dialect
    ) -> web.StreamResponse:
        if say.before_s:
            await asyncio.sleep(say.before_s)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        end = min(
            n
            for n in (len(events), say.stall_after, say.cut_after, say.error_after)
            if n is not None
        )
        frame = _framer(say, named=dialect == "anthropic")
        frames = [frame(event) for event in events[:end]]
        if say.error_after is not None:
            frames.append(frame(orjson.dumps(say.error)))
        for piece in _split(frames, say.write_bytes):
            await response.write(piece)
            if say.gap_s:
                await asyncio.sleep(say.gap_s)
        if say.stall_after is not None:
            await self._closing.wait()
        if (
            say.stall_after is not None or say.cut_after is not None
        ) and request.transport is not None:
            request.transport.close()
            return response
        await response.write_eof()
        return response


def by_turns(
    turns: int, *, tool: str = "get_time", chunks: int = 0, text: str = "done-final"
) -> Script:
    """A script for benches: ``turns`` calls of a tool, then a text of ``chunks`` pieces."""
    call = Say(calls=(Call(name=tool),))
    last = Say(text=text + " lorem" * chunks, piece_chars=6 if chunks else 0)
    return lambda seen: call if seen.step < turns and tool in seen.tools else last


def _complaint(
    check: Callable[[dict[str, Any], Strictness], None],
    body: dict[str, Any],
    strictness: Strictness,
) -> str:
    try:
        check(body, strictness)
    except RefusedError as error:
        return str(error)
    except (KeyError, TypeError, AttributeError) as error:
        return f"malformed: {error!r}"
    return ""


def _system(body: dict[str, Any]) -> str:
    system: Any = body.get("system")
    messages: list[Any] = body.get("messages") or []
    if system is None and messages and messages[0].get("role") in ("system", "developer"):
        system = messages[0].get("content")
    if is_list(system):
        return "\n".join(str(block.get("text", "")) for block in system)
    return str(system or "")


async def _failed(request: web.Request, fail: Fail) -> web.StreamResponse:
    if not fail.write_bytes:
        return web.Response(
            status=fail.status, body=fail.data, headers=fail.headers, content_type=fail.kind
        )
    headers = {**fail.headers, "Content-Type": fail.kind}
    response = web.StreamResponse(status=fail.status, headers=headers)
    await response.prepare(request)
    for piece in _split([fail.data], fail.write_bytes):
        await response.write(piece)
        await asyncio.sleep(0)
    await response.write_eof()
    return response


def _framer(say: Say, *, named: bool) -> Callable[[bytes], bytes]:
    line = say.line_end.encode()
    before = b": keep-alive" + line + line if say.keep_alive else b""

    def frame(event: bytes) -> bytes:
        name = b"event: " + orjson.loads(event)["type"].encode() + line if named else b""
        return before + name + b"data: " + event + line + line

    return frame


def _split(frames: list[bytes], size: int) -> list[bytes]:
    if size == 0:
        return frames
    joined = b"".join(frames)
    if size < 0:
        return [joined]
    return [joined[at : at + size] for at in range(0, len(joined), size)]


async def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m dayshift.testing.model_server", description=__doc__
    )
    parser.add_argument("--port", type=int, default=18081)
    parser.add_argument("--turns", type=int, default=0, help="tool calls before the final text")
    parser.add_argument("--tool", default="get_time")
    parser.add_argument("--chunks", type=int, default=20, help="pieces of the final text")
    given = parser.parse_args()
    script = by_turns(given.turns, tool=given.tool, chunks=given.chunks)
    async with ModelServer(script, port=given.port) as server:
        server.keeps = False
        print(server.url, flush=True)  # noqa: T201  a program tells where it listens
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main())
