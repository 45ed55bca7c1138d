"""Office time, as everyone but the clock room sees it."""

from datetime import datetime
from typing import Literal, Protocol

ClockMode = Literal["wall", "simulated"]


class Clock(Protocol):
    """The office's clock.

    Technical time-outs do not use it; everything an agent or a person sees does.
    """

    mode: ClockMode

    def now(self) -> datetime:
        """Office time, aware, in the office's zone."""
        ...

    def day(self) -> int:
        """Office day number; the first is 1."""
        ...
