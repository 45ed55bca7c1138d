"""The bare client: aiohttp sends the same bytes to the same fake server and reads the streams. Prints one JSON line.

``python bare.py URL FILE COUNT``: FILE holds one body a line, base64; COUNT clients send them side by side, each all of them.
"""

import asyncio
import base64
import resource
import sys
import time
from pathlib import Path

import aiohttp
import orjson
import uvloop


async def client(http: aiohttp.ClientSession, url: str, bodies: list[bytes]) -> int:
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
    return chunks


async def main() -> None:
    """Warm up, then measure."""
    url, file, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    bodies = [base64.b64decode(line) for line in file.read_bytes().split()]
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        await asyncio.gather(*(client(http, url, bodies[:2]) for _ in range(count)))
        used = resource.getrusage(resource.RUSAGE_SELF)
        began, cpu = time.monotonic(), used.ru_utime + used.ru_stime
        chunks = await asyncio.gather(*(client(http, url, bodies) for _ in range(count)))
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
