"""A lean scripted model server for benches: OpenAI's dialect, streamed, by hand on sockets.

The script is in the path: ``/k10-c2-l0-p0/v1/chat/completions`` is ten turns with a tool call and
one without, two chunks of text an answer, no latency and no pause between chunks (milliseconds).
It must cost next to nothing, since it shares the machine with what is measured. ``GET /stats``
tells requests and bytes; ``POST /reset`` forgets them; ``POST /reset-keep`` keeps bodies from then
on, which ``GET /bodies`` gives back for the bare client; ``POST /reset-trace`` follows from then on
who asks, by the last ``[who NAME]`` of a body: when each came first, and how long after the end of
an answer its next request came.
"""

import argparse
import asyncio
import base64
import re
import time
from typing import cast

import orjson
import uvloop

SCRIPT = re.compile(rb"/k(\d+)-c(\d+)-l(\d+)-p(\d+)/")
WHO = b"[who "


def event(choices: list[dict[str, object]], **more: object) -> bytes:
    """One event of the stream."""
    body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: " + orjson.dumps({**body, "choices": choices, **more}) + b"\n\n"


def piece(delta: dict[str, object], finish: str | None = None) -> bytes:
    """An event with a piece of the answer."""
    return event([{"index": 0, "delta": delta, "finish_reason": finish}])


FIRST = piece({"role": "assistant", "content": ""})
WORD = piece({"content": "word%d "})
END = piece({}, "%b")
TOKENS = {
    "prompt_tokens": 1000,
    "completion_tokens": 20,
    "total_tokens": 1020,
    "prompt_tokens_details": {"cached_tokens": 900},
}
USAGE = event([], usage=TOKENS) + b"data: [DONE]\n\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Book:
    """What was asked."""

    def __init__(self) -> None:
        self.forget()
        self.keeps = False
        self.traces = False

    def forget(self) -> None:
        """Begin anew."""
        self.requests = 0
        self.bytes = 0
        self.arrivals: list[float] = []
        self.bodies: list[bytes] = []
        self.firsts: dict[str, float] = {}
        self.answered: dict[str, float] = {}
        self.gaps_ms: list[float] = []

    def arrived(self, body: bytes) -> str:
        """Note who asks; the name, empty where nobody follows."""
        at = body.rfind(WHO) if self.traces else -1
        if at < 0:
            return ""
        now = time.monotonic()
        name = body[at + len(WHO) : body.index(b"]", at)].decode()
        self.firsts.setdefault(name, now)
        before = self.answered.pop(name, None)
        if before is not None:
            self.gaps_ms.append((now - before) * 1000)
        return name

    def left(self, name: str) -> None:
        """Note the end of an answer."""
        if name:
            self.answered[name] = time.monotonic()


SHORT_TURNS = 8
"""Runs of up to so many turns call the tool that does least; in longer ones the office's breaker
would take the same call over and over for standing still."""


def call(step: int, name: str, arguments: dict[str, object]) -> bytes:
    """A tool call as one event."""
    function = {"name": name, "arguments": orjson.dumps(arguments).decode()}
    one = {"index": 0, "id": f"call_{step}", "type": "function", "function": function}
    return piece({"tool_calls": [one]})


TIMES = [call(step, "get_time", {}) for step in range(1000)]
READS = [
    call(step, "read_channel", {"channel": "general", "limit": step % 90 + 1})
    for step in range(1000)
]


def chunk(data: bytes) -> bytes:
    """One HTTP chunk."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class Connection(asyncio.Protocol):
    """One client's connection; one request at a time."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.buffer = bytearray()
        self.need = -1
        self.transport: asyncio.Transport

    def connection_made(  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        self, transport: asyncio.BaseTransport
    ) -> None:
        """Keep the way back."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        self, data: bytes
    ) -> None:
        """Gather a request and answer it."""
        self.buffer += data
        while True:  # ends when no whole request is left
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.buffer[:end])
            found = re.search(rb"(?i)content-length: *(\d+)", head)
            size = int(found[1]) if found else 0
            if len(self.buffer) < end + 4 + size:
                return
            body = bytes(self.buffer[end + 4 : end + 4 + size])
            del self.buffer[: end + 4 + size]
            self.answer(head, body)

    def answer(self, head: bytes, body: bytes) -> None:
        """Route a request."""
        line = head.split(b"\r\n", 1)[0]
        script = SCRIPT.search(line)
        if script is None:
            self.plain(line)
            return
        turns, chunks, latency, pause = (int(group) for group in script.groups())
        self.book.requests += 1
        self.book.bytes += len(body)
        self.book.arrivals.append(time.monotonic())
        if self.book.keeps:
            self.book.bodies.append(body)
        name = self.book.arrived(body)
        step = body.count(b'"role":"assistant"', max(0, body.rfind(b'"role":"user"')))
        words = [WORD % number for number in range(chunks)]
        calls = TIMES if turns <= SHORT_TURNS else READS
        last = [calls[step % 1000], END % b"tool_calls"] if step < turns else [END % b"stop"]
        if latency or pause:
            asyncio.get_running_loop().create_task(
                self.slowly(words, last, latency, pause, name=name)
            )
        else:
            self.transport.write(
                HEAD + chunk(b"".join([FIRST, *words, *last, USAGE])) + b"0\r\n\r\n"
            )
            self.book.left(name)

    async def slowly(
        self, words: list[bytes], last: list[bytes], latency: int, pause: int, *, name: str
    ) -> None:
        """Answer with waits."""
        await asyncio.sleep(latency / 1000)
        self.transport.write(HEAD + chunk(FIRST))
        for word in words:
            if pause:
                await asyncio.sleep(pause / 1000)
            self.transport.write(chunk(word))
        self.transport.write(chunk(b"".join([*last, USAGE])) + b"0\r\n\r\n")
        self.book.left(name)

    def plain(self, line: bytes) -> None:
        """The bench's own questions."""
        book = self.book
        answer: object = {"ok": True}
        if b"/reset" in line:
            book.forget()
            book.keeps = b"keep" in line
            book.traces = b"trace" in line
        elif b"/stats" in line:
            answer = {
                "requests": book.requests,
                "bytes": book.bytes,
                "arrivals": book.arrivals[-100_000:],
            }
        elif b"/traces" in line:
            answer = {"firsts": book.firsts, "gaps_ms": book.gaps_ms}
        elif b"/bodies" in line:
            answer = [base64.b64encode(body).decode() for body in book.bodies]
        elif b"/models" in line:
            answer = {"object": "list", "data": [{"id": "m", "object": "model"}]}
        data = orjson.dumps(answer)
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (len(data), data)
        )


async def serve(port: int) -> None:
    """Serve until the process is ended."""
    book = Book()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(book), "127.0.0.1", port
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    uvloop.run(serve(parser.parse_args().port))
