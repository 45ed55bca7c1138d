"""What a tool call came to, as the loop judges it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """One call that has ended. ``ends_run``: its tool says that the run is over with it."""

    turn: int
    name: str
    arguments: str
    ok: bool = field(kw_only=True)
    text: str = field(kw_only=True)
    ends_run: bool = field(default=False, kw_only=True)
