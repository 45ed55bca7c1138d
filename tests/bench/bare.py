"""The bare client: sends the same bytes to the same fake server, reads, and prints a JSON line.

``python bare.py URL FILE COUNT [LEDGER]``: FILE holds one body a line, base64; COUNT clients send
them side by side, each all of them. With LEDGER, a file that is made, each answer is a row there
before the next request: one thread writes, those that wait together are one synchronous commit.
"""

import asyncio
import base64
import queue
import resource
import sqlite3
import sys
import threading
import time
from pathlib import Path

import aiohttp
import orjson
import uvloop

ROW_BYTES = 600


class Ledger:
    """The least that keeps every answer over a power cut."""

    def __init__(self, path: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._write, args=(path,), daemon=True).start()

    async def keep(self, row: bytes) -> None:
        """Return when the row is on the disk."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((row, done))
        await done

    def _write(self, path: str) -> None:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE ledger (n INTEGER PRIMARY KEY, body BLOB)")
        while True:  # a daemon: it ends with the process
            group = [self._queue.get()]
            while not self._queue.empty():
                group.append(self._queue.get())
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO ledger (body) VALUES (?)", [(r,) for r, _ in group])
            database.execute("COMMIT")
            self._loop.call_soon_threadsafe(settle, [done for _, done in group])


def settle(group: list[asyncio.Future[None]]) -> None:
    """Let everyone go on whose row is kept."""
    for done in group:
        done.set_result(None)


async def client(
    http: aiohttp.ClientSession, url: str, bodies: list[bytes], ledger: Ledger | None
) -> int:
    """Send bodies one after the other; returns the chunks read."""
    chunks = 0
    headers = {"Content-Type": "application/json", "Authorization": "Bearer x"}
    for body in bodies:
        async with http.post(url, data=body, headers=headers) as reply:
            tail = b""
            async for data in reply.content.iter_any():
                *events, tail = (tail + data).split(b"\n\n")
                for event in events:
                    if event != b"data: [DONE]":
                        orjson.loads(event[6:])
                        chunks += 1
        if ledger is not None:
            await ledger.keep(b"x" * ROW_BYTES)
    return chunks


async def main() -> None:
    """Warm up, then measure."""
    url, file, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    bodies = [base64.b64decode(line) for line in file.read_bytes().split()]
    ledger = Ledger(sys.argv[4]) if len(sys.argv) > 4 else None
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        await asyncio.gather(*(client(http, url, bodies[:2], ledger) for _ in range(count)))
        used = resource.getrusage(resource.RUSAGE_SELF)
        began, cpu = time.monotonic(), used.ru_utime + used.ru_stime
        chunks = await asyncio.gather(*(client(http, url, bodies, ledger) for _ in range(count)))
        used = resource.getrusage(resource.RUSAGE_SELF)
    requests = count * len(bodies)
    result = {
        "cpu_ms": (used.ru_utime + used.ru_stime - cpu) / requests * 1000,
        "wall_ms": (time.monotonic() - began) / requests * 1000,
        "chunk_us": (used.ru_utime + used.ru_stime - cpu) / max(1, sum(chunks)) * 1e6,
        "requests": requests,
    }
    print(orjson.dumps(result).decode())


if __name__ == "__main__":
    uvloop.run(main())
