"""The feed as an HTTP response: frames as they are, one write for however many came together."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dayshift.stream.frames import BYE

ASK_AGAIN_S = 15.0
"""How often a stream asks whether its watcher is still let in."""
SEND_LIMIT_S = 60.0
"""How long a watcher may take nothing before it is dropped."""


class FeedResponse(Response):
    """A stream of server-sent events that ends with its watcher, its session or the server."""

    media_type = "text/event-stream"
    status = 200

    def __init__(
        self,
        frames: AsyncGenerator[bytes],
        *,
        is_admitted: Callable[[], Awaitable[bool]],
        status_code: int = 200,
    ) -> None:
        super().__init__(status_code=status_code)
        del self.headers["content-length"]
        self.headers["Cache-Control"] = "no-cache"
        self.headers["X-Accel-Buffering"] = "no"
        self._frames = frames
        self._is_admitted = is_admitted

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
        loop = asyncio.get_running_loop()
        ask_at = loop.time() + ASK_AGAIN_S
        try:
            async for chunk in self._frames:
                if loop.time() >= ask_at:
                    ask_at = loop.time() + ASK_AGAIN_S
                    if not await self._is_admitted():
                        await send({"type": "http.response.body", "body": BYE, "more_body": True})
                        break
                async with asyncio.timeout(SEND_LIMIT_S):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            await self._frames.aclose()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    """Return when the watcher has gone."""
    message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()
