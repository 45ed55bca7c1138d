"""Real time as a test moves it: a wall clock and a monotonic one, which may part."""

from datetime import UTC, datetime, timedelta


class Hands:
    """The machine's two clocks."""

    def __init__(self, at: datetime) -> None:
        """Both begin at a moment."""
        self.at = at.astimezone(UTC)
        self.seconds = 1_000.0

    def wall(self) -> datetime:
        """Real time."""
        return self.at

    def monotonic(self) -> float:
        """Real seconds that never go back."""
        return self.seconds

    def go(self, seconds: float) -> None:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)
        self.seconds += seconds

    def jump(self, seconds: float) -> None:
        """Set the wall clock, and nothing else: a clock set by hand, or a machine that slept."""
        self.at += timedelta(seconds=seconds)
