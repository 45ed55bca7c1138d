"""Progress: shown to who watches, once something takes longer than a moment, and to nobody else."""

from __future__ import annotations

import asyncio
import os
import pty
from typing import TYPE_CHECKING, Any

import pytest

from tests.spec.cli_stage import DAYSHIFT, stage

if TYPE_CHECKING:
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

WAIT_LIMIT_S = 30.0


async def test_a_long_wait_says_what_is_under_way_and_for_how_long(tmp_path: Path) -> None:
    """The line is gone at the end; the result is on standard output alone.

    Demanded by: the working office, 1.4, progress on anything over two seconds.
    """
    answered = asyncio.Event()

    async def slowly() -> dict[str, Any]:
        await answered.wait()
        return {"items": [], "next": None}

    async with stage(tmp_path) as server:
        server.answers["offices/acme/alerts"] = slowly
        ours, theirs = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(DAYSHIFT, "alert", "list", "acme", "--home", tmp_path),
            stdout=asyncio.subprocess.PIPE,
            stderr=theirs,
            env={"PATH": "/usr/bin:/bin", "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(theirs)
        seen = await asyncio.to_thread(_read_until, ours, b"0:00:0")
        answered.set()
        out, _ = await asyncio.wait_for(process.communicate(), WAIT_LIMIT_S)
        os.close(ours)
    assert b"Reading the alerts" in seen
    assert (process.returncode, out) == (0, b"No alerts.\n")


def _read_until(terminal: int, word: bytes) -> bytes:
    """What a terminal shows, up to a word."""
    seen = b""
    while word not in seen:
        seen += os.read(terminal, 4_096)
    return seen
