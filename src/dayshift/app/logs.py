"""Logs: one line per piece of work, on standard error."""

import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from datetime import datetime
from typing import TextIO, cast

import structlog

from dayshift.core.redaction import Redactor

_REDACTOR = Redactor()


def redactor() -> Redactor:
    """What the logs, and all else in this process, keep out; it learns the server's secrets."""
    return _REDACTOR


def _keep_out(
    _logger: object, _method: str, event: MutableMapping[str, object]
) -> MutableMapping[str, object]:
    return {key: _REDACTOR.clean_value(value) for key, value in event.items()}


_COLOURS = {"warning": "\x1b[33m", "error": "\x1b[31m", "critical": "\x1b[31m"}


def for_people(_logger: object, _method: str, event: MutableMapping[str, object]) -> str:
    """One short line: the time of day here, what happened, and what about it is not empty.

    The time is this machine's, as everything else in the terminal; the office's stands in the feed.
    """
    at = datetime.fromisoformat(str(event.pop("timestamp"))).astimezone()
    colour = _COLOURS.get(str(event.pop("level")), "")
    words = str(event.pop("event")).replace("_", " ")
    trace = event.pop("exception", "") or event.pop("trace", "")
    about = "  ".join(
        _fact(key, value) for key, value in sorted(event.items()) if value not in ("", 0, None)
    )
    line = f"\x1b[2m{at:%H:%M:%S}\x1b[0m {colour}{words}\x1b[0m  {about}".rstrip()
    return f"{line}\n{trace}" if trace else line


def _fact(key: str, value: object) -> str:
    """A name and a value as they are said: ids without their ending, money in dollars."""
    if key.endswith("_usd_micros") and isinstance(value, int):
        return f"{key.removesuffix('_usd_micros')} ${value / 1_000_000:.4f}"
    return f"{key.removesuffix('_id').replace('_', ' ')} {value}"


class Unfailing:
    """A stream on which writing never fails: a full disk below the log must not stop the work.

    No secret gets through it, whoever writes: a library's log and a traceback come this way too.
    """

    def __init__(self, stream: TextIO) -> None:
        """``stream`` is where the text goes as long as it is taken."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or lose the text."""
        with suppress(OSError):
            self._stream.write(_REDACTOR.clean(text))
        return len(text)

    def flush(self) -> None:
        """Flush, or lose what was held."""
        with suppress(OSError):
            self._stream.flush()


def set_up_logs(level: str) -> None:
    """Write what is at or above a level to standard error, for a person or as JSON."""
    renderer = for_people if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            _keep_out,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", Unfailing(sys.stderr))),
    )
    logging.basicConfig(level=logging.WARNING, stream=Unfailing(sys.stderr))
