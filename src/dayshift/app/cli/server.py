"""One conversation with a running server, over its HTTP API."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import aiohttp
import msgspec

from dayshift import __version__
from dayshift.app.cli.address import Address, gone
from dayshift.app.cli.failure import FAILED, FailureError, Problem, of_problem
from dayshift.app.cli.sse import Frame, FrameReader

CONNECT_LIMIT_S = 5.0
ANSWER_LIMIT_S = 60.0
SILENCE_LIMIT_S = 45.0
"""The server's heartbeat comes every 15 s."""
CHUNK_BYTES = 65_536

T = TypeVar("T")
Query = Mapping[str, str | int | None]


class LostError(Exception):
    """The connection of a feed ended. ``said_bye`` tells that the server closed it on purpose."""

    def __init__(self, *, said_bye: bool) -> None:
        super().__init__("the feed ended")
        self.said_bye = said_bye


class Reply:
    """An answer's JSON, whole."""

    def __init__(self, raw: bytes, server: "Server") -> None:
        self.raw = raw
        self._server = server

    async def read(self, type_: type[T]) -> T:
        """The answer as the view it should be.

        Raises:
            FailureError: It is something else; when the server is of another version, that is said.
        """
        try:
            return msgspec.json.decode(self.raw, type=type_)
        except msgspec.MsgspecError as error:
            raise await self._server.misunderstood(str(error)) from error


class Server:
    """A server that can be asked; a block that closes its connections at the end."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=ANSWER_LIMIT_S, sock_connect=CONNECT_LIMIT_S)
        headers = {
            "Authorization": f"Bearer {self.address.token}",
            "User-Agent": f"dayshift/{__version__}",
        }
        self._session = aiohttp.ClientSession(timeout=timeout, headers=headers)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def get(self, *path: str, query: Query | None = None) -> Reply:
        """Read a resource.

        Raises:
            FailureError: The server refused, failed or did not answer.
        """
        return await self.send("GET", *path, query=query)

    async def send(
        self, method: str, *path: str, body: object = None, query: Query | None = None
    ) -> Reply:
        """Send a request; ``path`` is taken below ``/api``, each part as it is.

        Raises:
            FailureError: The server refused, failed or did not answer.
        """
        data = msgspec.json.encode(body) if body is not None else None
        kind = {"Content-Type": "application/json"} if data is not None else {}
        try:
            async with self._open().request(
                method,
                self.url(*path),
                params=_given(query),
                data=data,
                headers={"Accept": "application/json", **kind},
            ) as answer:
                raw = await answer.read()
                if answer.status < 400:  # noqa: PLR2004  where HTTP's failures begin
                    return Reply(raw, self)
                raise await self._refused(answer.status, answer.content_type, raw)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._broken(error) from error

    @asynccontextmanager
    async def feed(self, office: str, *, after: str) -> AsyncGenerator[AsyncGenerator[Frame]]:
        """An office's feed, from behind the entry ``after``; empty begins with a snapshot.

        Yields:
            The frames; reading them raises ``LostError`` when the connection ends.

        Raises:
            FailureError: The server refused.
            LostError: It could not be reached.
        """
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=CONNECT_LIMIT_S, sock_read=SILENCE_LIMIT_S
        )
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
        url = self.url("offices", office, "feed")
        try:
            async with self._open().get(url, headers=headers, timeout=timeout) as answer:
                if answer.status >= 400:  # noqa: PLR2004  where HTTP's failures begin
                    raw = await answer.read()
                    raise await self._refused(answer.status, answer.content_type, raw)
                yield _frames(answer)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise LostError(said_bye=False) from error

    async def misunderstood(self, what: str) -> FailureError:
        """The failure of an answer that was not understood."""
        version = await self._version()
        if version and version != __version__:
            return FailureError(
                f"The server at {self.address.url} is Dayshift {version}, and this command is "
                f"{__version__}; its answer was not understood ({what}).",
                code="other_version",
                hint="Use the command of that version, or restart the server with this one.",
                exit_code=FAILED,
            )
        return FailureError(
            f"The answer of {self.address.url} was not understood: {what}.",
            code="garbled",
            hint="Is it a Dayshift server?" if not version else "",
            exit_code=FAILED,
        )

    def url(self, *path: str) -> str:
        """The address of a resource."""
        return f"{self.address.url}/api/{'/'.join(quote(part, safe='') for part in path)}"

    async def _version(self) -> str:
        """The server's version, or nothing when it does not say."""
        try:
            async with self._open().get(self.url("health")) as answer:
                told = msgspec.json.decode(await answer.read(), type=dict[str, Any])
                return str(told.get("version") or "")
        except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
            return ""

    async def _refused(self, status: int, kind: str, raw: bytes) -> FailureError:
        if kind == "application/problem+json":
            try:
                return of_problem(status, msgspec.json.decode(raw, type=Problem))
            except msgspec.MsgspecError as error:
                return await self.misunderstood(str(error))
        return await self.misunderstood(f"status {status} without a reason")

    def _broken(self, error: Exception) -> FailureError:
        if isinstance(error, aiohttp.ClientConnectorError | ConnectionError):
            return gone(self.address)
        if isinstance(error, TimeoutError):
            return FailureError(
                f"The server at {self.address.url} did not answer within {ANSWER_LIMIT_S:g} s.",
                code="no_answer",
                hint="What was asked may have been done; look before you ask again.",
                retryable=True,
                exit_code=FAILED,
            )
        return FailureError(
            f"The connection to {self.address.url} failed: {error}.",
            code="no_answer",
            hint="What was asked may have been done; look before you ask again.",
            retryable=True,
            exit_code=FAILED,
        )

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RuntimeError("the server is a block: async with Server(address)")
        return self._session


async def _frames(answer: aiohttp.ClientResponse) -> AsyncGenerator[Frame]:
    reader = FrameReader()
    try:
        async for chunk in answer.content.iter_chunked(CHUNK_BYTES):
            for frame in reader.feed(chunk):
                if frame.event == "bye":
                    raise LostError(said_bye=True)
                yield frame
    except (aiohttp.ClientError, TimeoutError) as error:
        raise LostError(said_bye=False) from error
    raise LostError(said_bye=False)


def _given(query: Query | None) -> dict[str, str | int]:
    """The parameters that were given; an empty one asks for nothing."""
    told = (query or {}).items()
    return {name: value for name, value in told if value is not None and value != ""}
