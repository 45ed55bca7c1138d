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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Send frames until there are no more, or nobody to take them."""
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(self._send_all(send), name="feed")
            leaving = group.create_task(_left(receive), name="feed-leaving")
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()
            leaving.cancel()

    async def _send_all(self, send: Send) -> None:
        try:
            async with aclosing(self._frames) as frames:
                await self._relay(frames, send)
        except TimeoutError:
            # Nothing more can be sent, not even an end: the server closes the connection.
            log.info("feed_watcher_dropped", limit_s=self._settings.send_limit_s)
            return
        except OfficeError as error:
            log.warning("feed_ended_early", code=error.code, message=error.message)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _relay(self, frames: AsyncGenerator[bytes], send: Send) -> None:
        loop = asyncio.get_running_loop()
        ask_at = loop.time() + self._settings.ask_again_s
        async for frame in frames:
            body = frame
            if loop.time() >= ask_at:
                ask_at = loop.time() + self._settings.ask_again_s
                if not await self._is_admitted():
                    body = BYE
            async with asyncio.timeout(self._settings.send_limit_s):
                await send({"type": "http.response.body", "body": body, "more_body": True})
            if body is BYE:
                return


async def _left(receive: Receive) -> None:
    """Return when the watcher has gone."""
    message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()
