"""The machine's own clocks, read in this file alone; everyone else is given what it needs."""

import time
from datetime import UTC, datetime


def wall() -> datetime:
    """Real time, aware, in UTC. It may jump when the machine's clock is set."""
    return datetime.now(UTC)  # noqa: TID251  this is where the wall clock is read


def monotonic() -> float:
    """Real seconds from some beginning; it never goes back."""
    return time.monotonic()
