"""People under load: they write, post and make tasks, insist until they are heard, and watch."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson

if TYPE_CHECKING:
    from tests.soak.house import House

AGAIN_S = 0.1


@dataclass
class Counts:
    """What people did.

    Attributes:
        said: Texts accepted, by thread, in the order of acceptance by each person.
        retries: Tries that met a server that was down or a full disk.
    """

    number: int = 0
    said: dict[tuple[int, str], list[str]] = field(default_factory=dict[tuple[int, str], list[str]])
    tasks: list[str] = field(default_factory=list[str])
    retries: int = 0
    refused: dict[str, int] = field(default_factory=dict[str, int])


class Person:
    """One person with a token of their own."""

    def __init__(self, house: House, counts: Counts, *, n: int, token: str, agents: int) -> None:
        self._house = house
        self._counts = counts
        self._n = n
        self._token = token
        self._agents = agents
        self._chance = random.Random(n)  # noqa: S311  no secret

    async def live(self, until: asyncio.Event, pause_s: float) -> None:
        """Do one thing after another."""
        async with self._house.http(self._token) as http:
            while not until.is_set():
                await self._act(http)
                await asyncio.sleep(self._chance.random() * pause_s * 2)

    async def _act(self, http: aiohttp.ClientSession) -> None:
        self._counts.number += 1
        text = f"m-{self._counts.number} by {self._n}"
        agent = f"a{self._chance.randrange(self._agents)}"
        roll = self._chance.random()
        wish: dict[str, Any] = {"text": text, "mode": "queue", "key": f"{self._n}-{text}"}
        if roll < 0.8:
            if await self._insist(http, f"agents/{agent}/messages", wish) is not None:
                self._counts.said.setdefault((self._n, f"dm:owner:{agent}"), []).append(text)
        elif roll < 0.9:
            wish["text"] = text = f"@{agent} {text}"
            if await self._insist(http, "threads/ch:general/messages", wish) is not None:
                self._counts.said.setdefault((self._n, "ch:general"), []).append(text)
        else:
            made = await self._try(http, "tasks", {"title": text, "assignee": agent})
            if made:
                self._counts.tasks.append(made["id"])

    async def _insist(
        self, http: aiohttp.ClientSession, path: str, wish: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Say it again, with the same key, until it is accepted or refused for good."""
        while True:  # ends when the server is up and its disk takes it
            done = await self._try(http, path, wish)
            if done is not None:
                return done or None
            await asyncio.sleep(AGAIN_S)

    async def _try(
        self, http: aiohttp.ClientSession, path: str, wish: dict[str, Any]
    ) -> dict[str, Any] | None:
        """One try; ``None`` when nobody knows what came of it, empty when it was refused."""
        await self._house.is_up.wait()
        try:
            async with http.post(self._house.path(path), json=wish) as reply:
                body = orjson.loads(await reply.read())
                if reply.status < 300:
                    return body
                if body.get("retryable") or reply.status >= 500:
                    self._counts.retries += 1
                    return None
                code = f"{reply.status} {body.get('code')}"
                self._counts.refused[code] = self._counts.refused.get(code, 0) + 1
                return {}
        except (aiohttp.ClientError, TimeoutError, orjson.JSONDecodeError):
            self._counts.retries += 1
            return None


class Watcher:
    """Reads the feed over everything that happens, and takes up where it was.

    Attributes:
        frames: Every entry, in order, as JSON.
        gaps: Entries that were missing or came twice.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self.first: dict[str, Any] | None = None
        self.frames: list[bytes] = []
        self.last = 0
        self.gaps: list[tuple[int, int]] = []
        self.resumed = 0
        self.moved = asyncio.Event()

    async def watch(self, until: asyncio.Event) -> None:
        """Read until told to stop."""
        while not until.is_set():
            await self._house.is_up.wait()
            try:
                await self._read()
            except (aiohttp.ClientError, TimeoutError, OSError):
                await asyncio.sleep(AGAIN_S)

    async def _read(self) -> None:
        headers = {"Last-Event-ID": str(self.last)} if self.first is not None else {}
        timeout = aiohttp.ClientTimeout(total=None, sock_read=40)
        async with (
            self._house.http() as http,
            http.get(self._house.path("feed"), headers=headers, timeout=timeout) as reply,
        ):
            self.resumed += 1
            tail = b""
            async for data in reply.content.iter_any():
                *frames, tail = (tail + data).split(b"\n\n")
                for frame in frames:
                    self._take(frame)

    def _take(self, frame: bytes) -> None:
        fields: dict[bytes, bytes] = {}
        for line in frame.split(b"\n"):
            name, _, value = line.partition(b": ")
            fields[name] = value
        if fields.get(b"event") == b"snapshot":
            if self.first is not None:
                self.gaps.append((self.last, -1))
            first = self.first = orjson.loads(fields[b"data"])
            self.last = int(first["seq"])
        elif b"id" in fields:
            seq = int(fields[b"id"])
            if seq != self.last + 1:
                self.gaps.append((self.last, seq))
            self.last = seq
            self.frames.append(fields[b"data"])
            self.moved.set()
