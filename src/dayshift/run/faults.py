"""Faults of our own, told in the server's log."""

import asyncio
import traceback

import structlog

log = structlog.get_logger()


async def tell_fault(event: str, error: Exception, **about: str) -> None:
    """Log a fault with the way it took through the code, without what its variables held.

    The way is read from source files, which the event loop must not wait for.
    """
    trace = await asyncio.to_thread(traceback.format_exception, error)
    log.error(event, trace="".join(trace), **about)
