"""Logs: one line per piece of work, on standard error."""

import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
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


class Unfailing:
    """A stream on which writing never fails: a full disk below the log must not stop the work."""

    def __init__(self, stream: TextIO) -> None:
        """``stream`` is where the text goes as long as it is taken."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or lose the text."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or lose what was held."""
        with suppress(OSError):
            self._stream.flush()


def set_up_logs(level: str) -> None:
    """Write what is at or above a level to standard error, for a person or as JSON."""
    for_people = sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer() if for_people else structlog.processors.JSONRenderer()
    )
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
