"""What goes wrong under load: kills, a full disk, cut connections, a clock that jumps, a sleep."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.soak.house import House

FULL_BYTES = 8_192
TRIES = 20
JUMPS_S = (90.0, -45.0, 5 * 3_600.0, -3_600.0, 20 * 3_600.0)
"""How far the wall clock is set: it gains, so that days pass too."""
KINDS = (
    "server killed",
    "server stopped",
    "server frozen",
    "tool killed",
    "disk full",
    "connection cut",
    "clock set",
)


class Chaos:
    """Lets one thing after another go wrong.

    Attributes:
        counts: How often each did.
    """

    def __init__(
        self, house: House, seed: int, *, cut_connection: Callable[[], int] | None = None
    ) -> None:
        """``cut_connection`` ends a connection of the database server, where there is one."""
        self._house = house
        self._chance = random.Random(seed)  # noqa: S311  no secret
        self._cut = cut_connection
        self.counts = dict.fromkeys(KINDS, 0)

    async def rage(self, until: asyncio.Event, pause_s: float, *, is_sparing: bool = False) -> None:
        """Go on until told to stop; everything is in order again when it returns.

        Each fault comes once, then by chance. Sparing leaves the server's process alive, so that
        one can see whether it keeps what it should let go.
        """
        deeds = [
            self._kill_tool,
            self._fill,
            self._set_clock,
            self._freeze,
            self._kill_tool,
            self._set_clock,
        ]
        if not is_sparing:
            deeds = [self._kill, *deeds, self._stop]
        if self._cut is not None:
            deeds += [self._cut_connection] * 3
        turn = 0
        while not until.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause_s * (0.5 + self._chance.random())):
                    await until.wait()
            if until.is_set():
                return
            await (deeds[turn % len(deeds)] if turn < len(deeds) else self._chance.choice(deeds))()
            turn += 1

    async def _kill(self) -> None:
        self.counts["server killed"] += 1
        await self._house.end(signal.SIGKILL)
        await self._house.start()

    async def _stop(self) -> None:
        self.counts["server stopped"] += 1
        await self._house.end(signal.SIGTERM)
        await self._house.start()

    async def _kill_tool(self) -> None:
        for _ in range(TRIES):
            found = await asyncio.to_thread(self._house.processes)
            if found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._chance.choice(found), signal.SIGKILL)
                    self.counts["tool killed"] += 1
                    return
            await asyncio.sleep(0.1)

    async def _fill(self) -> None:
        self.counts["disk full"] += 1
        self._house.set_file_limit(FULL_BYTES)
        await asyncio.sleep(0.5 + self._chance.random())
        self._house.set_file_limit(-1)

    async def _set_clock(self) -> None:
        self.counts["clock set"] += 1
        self._house.dial.turn(self._chance.choice(JUMPS_S))

    async def _freeze(self) -> None:
        """Let the server's process stand still, as when a machine is suspended."""
        self.counts["server frozen"] += 1
        assert self._house.process is not None
        self._house.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1 + self._chance.random())
        self._house.process.send_signal(signal.SIGCONT)

    async def _cut_connection(self) -> None:
        assert self._cut is not None
        self.counts["connection cut"] += await asyncio.to_thread(self._cut)
