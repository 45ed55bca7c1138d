"""What a soak does to the machine below the server: its clock, its sleep, its database server."""

from __future__ import annotations

import asyncio
import struct
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = "clock"
EMPTY = struct.pack("=dq", 0.0, -1)
TOLD_S = 5.0
FEW = 3


class Dial:
    """The wall clock of the server's process, and its count of tasks, in a shared file."""

    def __init__(self, home: Path) -> None:
        """The clock is right at first."""
        self.path = home / CLOCK

    def make(self) -> None:
        """Write the file, before the first server starts."""
        self.path.write_bytes(EMPTY)

    def turn(self, seconds: float) -> None:
        """Set the clock forward, or back."""
        with self.path.open("r+b") as file:
            (wrong,) = struct.unpack("=d", file.read(8))
            file.seek(0)
            file.write(struct.pack("=d", wrong + seconds))

    async def tasks(self) -> int:
        """How many tasks the server told of after it was asked; -1 when it did not."""
        async with asyncio.timeout(TOLD_S):
            while (told := self._told()) < 0:  # noqa: ASYNC110  it tells by a file
                await asyncio.sleep(0.05)
        with self.path.open("r+b") as file:
            file.seek(8)
            file.write(EMPTY[8:])
        return told

    def _told(self) -> int:
        return int(struct.unpack_from("=q", self.path.read_bytes(), 8)[0])


def cut_some(url: str) -> int:
    """End up to three connections of a PostgreSQL database, chosen by chance; how many it were."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend' ORDER BY random() LIMIT %s) AS chosen",
            (FEW,),
        ).fetchone()
    assert found is not None
    return int(found[0])
