"""The orderly stop: no run begins, turns under way may end, and what is left then is cut off.

What is cut off is taken up at the next start where it was, so that waiting is a courtesy: it saves
answers that are paid for.
"""

import asyncio
from collections.abc import Callable, Iterable

import structlog

from dayshift.app.office import Office

log = structlog.get_logger()


class Stopping:
    """The end of a server's work, from the first word to the last turn."""

    def __init__(
        self,
        offices: Callable[[], Iterable[Office]],
        *,
        grace_s: float,
        announce: Callable[[str], None],
    ) -> None:
        """``offices`` are those that are open. ``announce`` tells the person at the terminal."""
        self._offices = offices
        self._grace_s = grace_s
        self._announce = announce
        self._has_begun = False
        self._hurried = asyncio.Event()

    def begin(self) -> None:
        """Let no run begin and no turn; asked again, wait for nothing any more."""
        if self._has_begun:
            self._announce("What is under way is cut off; it is taken up at the next start.")
            self._hurried.set()
            return
        self._has_begun = True
        for office in self._offices():
            office.is_stopping = True
            office.gate.shut_for_good()
        busy = self._under_way()
        if busy and self._grace_s:
            self._announce(
                f"Stopping: {', '.join(busy)} may end a turn within {self._grace_s:g} s; "
                "once more, as with Ctrl-C, cuts it off."
            )

    async def wind_down(self) -> None:
        """Wait for turns under way, for as long as there is patience."""
        try:
            async with asyncio.timeout(self._grace_s), asyncio.TaskGroup() as group:
                hurry = group.create_task(self._hurried.wait(), name="hurry")
                settled = group.create_task(self._settled(), name="turns end")
                await asyncio.wait({hurry, settled}, return_when=asyncio.FIRST_COMPLETED)
                hurry.cancel()
                settled.cancel()
        except TimeoutError:
            pass
        left = self._under_way()
        if left:
            log.warning("turns_cut_off", agents=left)
            self._announce(f"Cut off: {', '.join(left)}; taken up at the next start.")

    async def _settled(self) -> None:
        for office in self._offices():
            while office.staff.under_way():
                await office.gate.stirred()

    def _under_way(self) -> list[str]:
        return [
            f"{agent} of {office.name}"
            for office in self._offices()
            for agent in office.staff.under_way()
        ]
