"""The web server of a house: it opens and closes with the office, and sleeps while nobody comes."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime

import uvicorn
from uvicorn.server import ServerState

Headers = list[tuple[bytes, bytes]]


class DatedState(ServerState):
    """What all connections share; the date is told when it is asked for, and not by a clock."""

    def __init__(self, wall: Callable[[], datetime]) -> None:
        """``wall`` gives real time, in UTC."""
        self._wall = wall
        self._second: datetime | None = None
        self._dated: Headers = []
        super().__init__()

    @property
    def default_headers(self) -> Headers:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """The date, made once a second at most."""
        now = self._wall().replace(microsecond=0)
        if now != self._second:
            self._second = now
            self._dated = [(b"date", format_datetime(now, usegmt=True).encode())]
        return self._dated

    @default_headers.setter
    def default_headers(self, given: Headers) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]  it is read for each answer
        """There are no others."""


class Doors(uvicorn.Server):
    """The web server; signals are ours, so that streams are told bye before it waits for them.

    The server it is made from looks ten times a second whether it should end, and at the time; this
    one is told.
    """

    def __init__(self, config: uvicorn.Config, wall: Callable[[], datetime]) -> None:
        """``wall`` gives real time, in UTC."""
        super().__init__(config)
        self.server_state = DatedState(wall)
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Take no more requests, and end when those under way have ended."""
        self.should_exit = True
        self._closing.set()

    async def main_loop(self) -> None:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Wait until it is told to close."""
        await self._closing.wait()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals alone."""
        yield
