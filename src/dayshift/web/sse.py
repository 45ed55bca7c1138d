"""The feed as an HTTP response: frames as they are, one write for however many came together."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dayshift.core.errors import OfficeError
from dayshift.stream.frames import BYE
from dayshift.web.settings import WebSettings

log = structlog.get_logger()


class FeedResponse(Response):
    """A stream of server-sent events that ends with its watcher, its session or the server."""

    media_type = "text/event-stream"
    status = 200

    def __init__(
        self,
        frames: AsyncGenerator[bytes],
        *,
        is_admitted: Callable[[], Awaitable[bool]],
        settings: WebSettings,
        status_code: int = 200,
    ) -> None:
        super().__init__(status_code=status_code)
        del self.headers["content-length"]
        self.headers["Cache-Control"] = "no-cache"
        self.headers["X-Accel-Buffering"] = "no"
        self._frames = frames
        self._is_admitted = is_admitted
        self._settings = settings
        self._sending_since = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Send frames until there are no more, or nobody to take them."""
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(self._send_all(send), name="feed")
            leaving = group.create_task(_left(receive), name="feed-leaving")
            last_words = await self._watch_over(sending, leaving)
            sending.cancel()
            leaving.cancel()
        if last_words is not None:
            await send({"type": "http.response.body", "body": last_words, "more_body": False})

    async def _send_all(self, send: Send) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with aclosing(self._frames) as frames:
                async for frame in frames:
                    self._sending_since = loop.time()
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
                    self._sending_since = 0.0
        except OfficeError as error:
            log.warning("feed_ended_early", code=error.code, message=error.message)

    async def _watch_over(self, *tasks: asyncio.Task[None]) -> bytes | None:
        """Wait until the stream is over, and say what to end it with; ``None`` when nothing can be.

        Looked at from outside, now and then, so that sending a frame costs nothing more.
        """
        loop, settings = asyncio.get_running_loop(), self._settings
        while True:  # ends with the watcher, its right or its patience
            done, _ = await asyncio.wait(
                tasks, timeout=settings.ask_again_s, return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                return b""
            since = self._sending_since
            if since and loop.time() - since > settings.send_limit_s:
                log.info("feed_watcher_dropped", stuck_s=round(loop.time() - since, 1))
                return None
            if not await self._is_admitted():
                return BYE


async def _left(receive: Receive) -> None:
    """Return when the watcher has gone."""
    message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()
