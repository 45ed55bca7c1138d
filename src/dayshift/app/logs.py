"""Logs: one line per piece of work, on standard error."""

import logging
import sys

import structlog


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
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
