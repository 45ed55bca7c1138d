"""A small server that says what a test tells it, and the command line run against it.

It stands in for a server only where a test needs one that misbehaves: that ends a feed in the
middle, moves to another port, is of another version or answers no JSON. Everything else is tested
against the real one.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

DAYSHIFT = Path(sys.executable).parent / "dayshift"
COMMAND_LIMIT_S = 60
TOKEN = "let-me-in"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401  whatever JSON can hold
        """Standard output as the one JSON document it is."""
        return msgspec.json.decode(self.out)


@dataclass
class Stage:
    """A home, and what its server answers: path below /api to document, or to what makes one."""

    home: Path
    answers: dict[str, Any] = field(default_factory=dict[str, Any])
    asked: list[str] = field(default_factory=list[str])
    feeds: list[list[bytes]] = field(default_factory=list[list[bytes]])
    """What each connection to a feed sends before it is cut; one more waits for ever."""
    on_cut: Callable[[], None] | None = None
    """Called when a feed is cut."""
    url: str = ""
    runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Open the doors on a free port and write server.json."""
        app = web.Application()
        app.router.add_route("*", "/api/{path:.*}", self._answer)
        self.runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        host, port = self.runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self.write_server_file(self.url)

    def write_server_file(self, url: str) -> None:
        """Say where the server is."""
        file = self.home / "server.json"
        file.write_bytes(msgspec.json.encode({"url": url, "pid": 2**22 + 1, "token": TOKEN}))
        file.chmod(0o600)

    async def close(self) -> None:
        """Shut the doors."""
        if self.runner is not None:
            await self.runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        self.asked.append(f"{request.method} {path}?{request.query_string}".rstrip("?"))
        if path.endswith("/feed"):
            self.asked.append(f"after {request.headers.get('Last-Event-ID', '-')}")
            return await self._feed(request)
        answer = self.answers.get(path)
        if answer is None:
            return problem(404, {"code": "not_found", "message": f"There is no {path}."})
        if inspect.iscoroutinefunction(answer):
            answer = await answer()
        if isinstance(answer, web.Response):
            return answer
        return web.Response(body=msgspec.json.encode(answer), content_type="application/json")

    async def _feed(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        if not self.feeds:
            await asyncio.Event().wait()
        for frame in self.feeds.pop(0):
            await response.write(frame)
        if self.on_cut is not None:
            self.on_cut()
        assert request.transport is not None
        request.transport.close()
        return response


def problem(status: int, told: Mapping[str, Any]) -> web.Response:
    """A refusal."""
    body = msgspec.json.encode(told)
    return web.Response(status=status, body=body, content_type="application/problem+json")


@asynccontextmanager
async def stage(home: Path) -> AsyncGenerator[Stage]:
    """A stage with open doors."""
    opened = Stage(home)
    await opened.open()
    try:
        yield opened
    finally:
        await opened.close()


async def run(
    *arguments: str,
    home: Path,
    stdin: str = "",
    program: Path = DAYSHIFT,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Done:
    """Run a command as a person would, in an environment that holds nothing else of ours."""
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "DAYSHIFT_HOME": str(home), "COLUMNS": "100", **variables},
    )
    try:
        async with asyncio.timeout(COMMAND_LIMIT_S):
            out, err = await process.communicate(stdin.encode())
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return Done(process.returncode or 0, out.decode(), err.decode())
