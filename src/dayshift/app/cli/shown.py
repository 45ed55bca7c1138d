"""How times, money, sizes and states look on a terminal."""

from datetime import datetime

from dayshift.core.model import Usage

MICROS = 1_000_000
CENTS_FROM_MICROS = 1_000_000
SECONDS = 60


def moment(at: datetime | None) -> str:
    """A time as the office's clock shows it; ``-`` for none."""
    return at.strftime("%Y-%m-%d %H:%M:%S") if at else "-"


def money(usd_micros: int) -> str:
    """US dollars; small amounts with as many places as say something."""
    usd = usd_micros / MICROS
    return f"${usd:,.2f}" if usd_micros == 0 or usd_micros >= CENTS_FROM_MICROS else f"${usd:.4f}"


def duration(ms: int) -> str:
    """A span of time, from milliseconds."""
    seconds = ms / 1_000
    if seconds < SECONDS:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), SECONDS)
    return f"{minutes} min {rest} s"


def between(start: datetime, end: datetime | None) -> str:
    """How long something took; ``-`` while it lasts."""
    return duration(round((end - start).total_seconds() * 1_000)) if end else "-"


def tokens(usage: Usage) -> str:
    """What a request used: in, out, and how much of the input was cached."""
    cached = f" ({usage.cache_read_tokens:,} cached)" if usage.cache_read_tokens else ""
    return f"{usage.input_tokens:,} in{cached}, {usage.output_tokens:,} out"


def state(name: str) -> str:
    """A state in words: ``in_progress`` is ``in progress``."""
    return name.replace("_", " ")
