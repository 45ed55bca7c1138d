"""The office's gate: open while the office runs, shut while it is paused."""

import asyncio


class Gate:
    """Whether runs may start and go on; changed by the office, waited for by runs."""

    def __init__(self, *, is_open: bool) -> None:
        """The state the office was left in."""
        self._opened = asyncio.Event()
        self._shut = asyncio.Event()
        self.set(is_open=is_open)

    @property
    def is_open(self) -> bool:
        """Whether runs may go on now."""
        return self._opened.is_set()

    def set(self, *, is_open: bool) -> None:
        """Open or shut it; waiters go on at once."""
        if is_open:
            self._shut.clear()
            self._opened.set()
        else:
            self._opened.clear()
            self._shut.set()

    async def passed(self) -> None:
        """Wait until it is open."""
        while not self._opened.is_set():
            await self._opened.wait()

    async def pause_within(self, seconds: float) -> bool:
        """Wait so long, or until the gate is shut; returns whether it was shut."""
        try:
            async with asyncio.timeout(seconds):
                await self._shut.wait()
        except TimeoutError:
            return False
        return True
