"""The office's gate: open while the office runs, shut while it is paused and when it ends."""

import asyncio


class Gate:
    """Whether runs may start and go on; changed by the office, waited for by runs.

    Attributes:
        waiting: How many runs stand before it; each has nothing under way.
    """

    def __init__(self, *, is_open: bool) -> None:
        """The state the office was left in."""
        self._opened = asyncio.Event()
        self._shut = asyncio.Event()
        self._arrival = asyncio.Event()
        self._is_last = False
        self.waiting = 0
        self.set(is_open=is_open)

    @property
    def is_open(self) -> bool:
        """Whether runs may go on now."""
        return self._opened.is_set()

    def set(self, *, is_open: bool) -> None:
        """Open or shut it; waiters go on at once. Shut for good, it stays so."""
        if is_open and not self._is_last:
            self._shut.clear()
            self._opened.set()
        else:
            self._opened.clear()
            self._shut.set()

    def shut_for_good(self) -> None:
        """Shut it for the end of the office, whatever is said later."""
        self._is_last = True
        self.set(is_open=False)

    async def passed(self) -> None:
        """Wait until it is open."""
        while not self._opened.is_set():
            self.waiting += 1
            self.stir()
            try:
                await self._opened.wait()
            finally:
                self.waiting -= 1

    def stir(self) -> None:
        """Tell who waits for it that a run has come to the gate, or has ended."""
        arrival, self._arrival = self._arrival, asyncio.Event()
        arrival.set()

    async def stirred(self) -> None:
        """Wait until a run comes to the gate, or ends."""
        await self._arrival.wait()

    async def pause_within(self, seconds: float) -> bool:
        """Wait so long, or until the gate is shut; returns whether it was shut."""
        try:
            async with asyncio.timeout(seconds):
                await self._shut.wait()
        except TimeoutError:
            return False
        return True
