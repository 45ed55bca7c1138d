"""The wire: one HTTP session for all providers, streamed requests, and their limits."""

import asyncio
import hmac
import io
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import TracebackType
from typing import Any, Protocol

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from dayshift import __version__
from dayshift.core.errors import (
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelRefusedError,
    ModelStalledError,
    ModelUnreachableError,
)
from dayshift.models.failures import from_answer, scrub
from dayshift.models.text import loads

CONNECT_LIMIT_S = 15.0
REST_LIMIT_S = 2.0
"""How long what follows the end mark of a stream may take before the connection is closed."""
STALE_LIMIT_S = 1.0
"""A connection that the server had closed shows it within this time."""
ERROR_BYTES_MAX = 256 * 1024
WHOLE_BYTES_MAX = 32 * 1024 * 1024
DIRECT_BYTES_MAX = 1024 * 1024


class Secret:
    """A value that shows itself only when asked."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself."""
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        return isinstance(other, Secret) and hmac.compare_digest(self._value, other._value)

    def __hash__(self) -> int:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        return hash(self._value)


class Endpoint:
    """Where requests to a provider go and with which headers; its text never shows the key."""

    __slots__ = ("direct", "headers", "provider", "secret", "url")

    def __init__(
        self,
        provider: str,
        url: str,
        headers: dict[str, str],
        secret: Secret,
        *,
        direct: bool = False,
    ) -> None:
        """``direct`` leaves the proxy out, for servers on the owner's own network."""
        self.provider = provider
        self.direct = direct
        self.url = URL(url)
        self.headers = CIMultiDict(
            {
                "User-Agent": f"dayshift/{__version__}",
                "Accept-Encoding": "identity",
                **headers,
            }
        )
        self.secret = secret

    def __repr__(self) -> str:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        return f"Endpoint({self.provider}, {self.url})"


class Reader(Protocol):
    """Makes an answer of what arrives."""

    def feed(self, data: bytes) -> bool:
        """Take bytes of a stream; returns whether the dialect's own end has come."""
        ...

    def end(self) -> None:
        """The stream is over; raises ModelCutError when the answer is not."""
        ...

    def whole(self, body: bytes) -> None:
        """Take an answer that was not streamed, though we asked for it."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the provider said how the answer ended; what fails after that does not matter."""
        ...


class Watch:
    """Ends the task's wait when the wire is silent for too long or the whole takes too long.

    One timer for a request, not one for each piece of it: ``touch`` only notes the time.
    """

    __slots__ = (
        "_before",
        "_deadline",
        "_expired",
        "_handle",
        "_idle_s",
        "_loop",
        "_provider",
        "_seen",
        "_task",
    )

    def __init__(self, provider: str, *, idle_s: float, total_s: float) -> None:
        self._provider = provider
        self._idle_s = idle_s
        self._loop = asyncio.get_running_loop()
        self._seen = self._loop.time()
        self._deadline = self._seen + total_s
        self._expired = ""

    def __enter__(self) -> "Watch":
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  a coroutine that runs belongs to a task
        self._task = task
        self._before = task.cancelling()
        self._handle = self._loop.call_at(
            min(self._seen + self._idle_s, self._deadline), self._look
        )
        return self

    def touch(self) -> None:
        """Something arrived."""
        self._seen = self._loop.time()

    def _look(self) -> None:
        now = self._loop.time()
        if now >= self._deadline:
            self._expired = "the answer was not complete within the turn's time limit"
        elif now >= self._seen + self._idle_s:
            self._expired = f"nothing arrived for {self._idle_s:g} s"
        else:
            self._handle = self._loop.call_at(
                min(self._seen + self._idle_s, self._deadline), self._look
            )
            return
        self._task.cancel()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._handle.cancel()
        if (
            self._expired
            and self._task.uncancel() <= self._before
            and kind is asyncio.CancelledError
        ):
            raise ModelStalledError(
                f"{self._provider}: {self._expired}.", provider=self._provider
            ) from error


class Wire:
    """The HTTP session that all providers share. Use it as a block.

    Args:
        proxy: URL of an HTTP proxy; empty for none.
    """

    def __init__(self, *, proxy: str = "") -> None:
        self._proxy = proxy
        self._open: aiohttp.ClientSession | None = None
        self._leaving: set[aiohttp.ClientResponse] = set()
        self._closers: list[Callable[[], Awaitable[None]]] = []

    async def __aenter__(self) -> "Wire":
        self._open = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30.0),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_LIMIT_S),
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for close in self._closers:
            await close()
        for response in self._leaving:
            response.close()
        self._leaving.clear()
        await self._session.close()
        self._open = None

    @property
    def _session(self) -> aiohttp.ClientSession:
        if self._open is None:
            raise RuntimeError("the wire is used outside its block")
        return self._open

    def when_closed(self, close: Callable[[], Awaitable[None]]) -> None:
        """Call this when the block ends; for what a model started and nobody else owns."""
        self._closers.append(close)

    def _proxy_for(self, endpoint: Endpoint) -> str | None:
        return None if endpoint.direct or not self._proxy else self._proxy

    async def stream(
        self, endpoint: Endpoint, body: bytes, reader: Reader, *, idle_s: float, total_s: float
    ) -> None:
        """POST a body and feed the reader until the answer is complete.

        Cancelling closes the connection at once.

        Raises:
            ModelError: In its narrowest form.
        """
        try:
            with Watch(endpoint.provider, idle_s=idle_s, total_s=total_s) as watch:
                response = await self._post(endpoint, body)
                try:
                    await self._read(endpoint, response, reader, watch)
                except BaseException:
                    response.close()
                    raise
                self._let_go(response)
        except ModelStalledError:
            if not reader.finished:
                raise
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if not reader.finished:
                raise _translated(endpoint, error) from error

    async def _post(self, endpoint: Endpoint, body: bytes) -> aiohttp.ClientResponse:
        """Send the request; once more when a kept connection turns out to be closed already."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            return await self._post_once(endpoint, body)
        except aiohttp.ClientConnectorError:
            raise
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if loop.time() - began > STALE_LIMIT_S:
                raise
            return await self._post_once(endpoint, body)

    async def _post_once(self, endpoint: Endpoint, body: bytes) -> aiohttp.ClientResponse:
        return await self._session.post(
            endpoint.url,
            data=body if len(body) < DIRECT_BYTES_MAX else io.BytesIO(body),
            headers=endpoint.headers,
            allow_redirects=False,
            proxy=self._proxy_for(endpoint),
        )

    async def get(self, endpoint: Endpoint, *, limit_s: float) -> Any:  # noqa: ANN401  JSON is any value
        """GET a JSON document.

        Raises:
            ModelError: In its narrowest form.
        """
        provider = endpoint.provider
        try:
            with Watch(provider, idle_s=limit_s, total_s=limit_s):
                async with self._session.get(
                    endpoint.url,
                    headers=endpoint.headers,
                    allow_redirects=False,
                    proxy=self._proxy_for(endpoint),
                ) as response:
                    body = await _bounded(response.content, WHOLE_BYTES_MAX)
                    if response.status != HTTPStatus.OK:
                        raise _refusal(endpoint, response, body)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _translated(endpoint, error) from error
        try:
            return loads(body)
        except ValueError as error:
            raise ModelGarbledError(
                f"{provider}: the answer is not JSON.", provider=provider
            ) from error

    async def _read(
        self, endpoint: Endpoint, response: aiohttp.ClientResponse, reader: Reader, watch: Watch
    ) -> None:
        content = response.content
        if response.status != HTTPStatus.OK:
            raise _refusal(endpoint, response, await _bounded(content, ERROR_BYTES_MAX))
        data = await content.readany()
        if not _is_stream(response, data):
            reader.whole(data + await _bounded(content, WHOLE_BYTES_MAX))
            return
        feed = reader.feed
        read = content.readany
        touch = watch.touch
        while data:
            touch()
            if feed(data):
                return
            data = await read()
        reader.end()

    def _let_go(self, response: aiohttp.ClientResponse) -> None:
        """Keep the connection as soon as its last bytes are in, without waiting for them."""
        if response.content.is_eof():
            return
        self._leaving.add(response)
        loop = asyncio.get_running_loop()

        def late() -> None:
            self._leaving.discard(response)
            response.close()

        timer = loop.call_later(REST_LIMIT_S, late)

        def done() -> None:
            timer.cancel()
            self._leaving.discard(response)

        response.content.on_eof(done)


def _is_stream(response: aiohttp.ClientResponse, start: bytes) -> bool:
    if "event-stream" in response.headers.get("Content-Type", ""):
        return True
    return start.lstrip().startswith((b"data:", b"event:", b": "))


async def _bounded(content: aiohttp.StreamReader, bytes_max: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while size < bytes_max and (data := await content.readany()):
        pieces.append(data)
        size += len(data)
    return b"".join(pieces)


def _refusal(endpoint: Endpoint, response: aiohttp.ClientResponse, body: bytes) -> ModelError:
    provider = endpoint.provider
    if HTTPStatus.MULTIPLE_CHOICES <= response.status < HTTPStatus.BAD_REQUEST:
        return ModelRefusedError(
            f"{provider} sent us to another address, which we do not follow with a key in hand.",
            provider=provider,
            status=response.status,
            hint="Set base_url of this provider to the final address.",
        )
    return from_answer(
        provider, response.status, response.headers, body, secret=endpoint.secret.reveal()
    )


def _translated(endpoint: Endpoint, error: Exception) -> ModelError:
    provider = endpoint.provider
    where = f"{endpoint.url.scheme}://{endpoint.url.authority}"
    why = scrub(_reason(error), endpoint.secret.reveal())
    match error:
        case aiohttp.ClientConnectorError() | aiohttp.ServerTimeoutError():
            return ModelUnreachableError(
                f"{provider} cannot be reached at {where}: {why}.",
                provider=provider,
                hint="Check that it runs, the address, and the network.",
            )
        case aiohttp.ContentTypeError() | aiohttp.ClientResponseError() | aiohttp.InvalidURL():
            return ModelGarbledError(
                f"{provider} at {where} does not answer in HTTP.", provider=provider
            )
        case _:
            return ModelCutError(
                f"{provider}: the connection ended before the answer did.", provider=provider
            )


def _reason(error: Exception) -> str:
    cause = getattr(error, "os_error", None)
    return (
        (getattr(cause, "strerror", None) or type(error).__name__)
        if cause
        else "no connection in time"
    )
