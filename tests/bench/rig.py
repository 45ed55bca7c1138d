"""The rig: a fake model, a real server process with an office of so many agents, and a person who talks to them."""

import asyncio
import base64
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson

PYTHON = sys.executable
OFFICE = "bench"
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(fields[index]) for index in (11, 12, 13, 14)) / TICKS


def rss_kb(pid: int) -> int:
    """Resident memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def written_bytes(pid: int) -> int:
    """Bytes handed to the kernel by write calls."""
    for line in Path(f"/proc/{pid}/io").read_text().splitlines():
        if line.startswith("wchar"):
            return int(line.split()[1])
    return 0


def storage_bytes(pid: int) -> int:
    """Bytes the process has sent towards the disk."""
    for line in Path(f"/proc/{pid}/io").read_text().splitlines():
        if line.startswith("write_bytes"):
            return int(line.split()[1])
    return 0


@dataclass
class Fake:
    """The fake model server."""

    port: int
    pid: int
    http: aiohttp.ClientSession

    async def reset(self, *, keep: bool = False) -> None:
        """Forget what was asked; ``keep`` keeps the bodies from now on."""
        async with self.http.post(
            f"http://127.0.0.1:{self.port}/reset{'-keep' if keep else ''}"
        ) as reply:
            await reply.read()

    async def stats(self) -> dict[str, Any]:
        """What was asked since."""
        async with self.http.get(f"http://127.0.0.1:{self.port}/stats") as reply:
            return orjson.loads(await reply.read())

    async def bodies(self) -> list[bytes]:
        """The kept bodies."""
        async with self.http.get(f"http://127.0.0.1:{self.port}/bodies") as reply:
            return [base64.b64decode(body) for body in orjson.loads(await reply.read())]


@dataclass
class Server:
    """A running server with one office."""

    url: str
    token: str
    pid: int
    home: Path
    http: aiohttp.ClientSession
    started_s: float

    def path(self, rest: str) -> str:
        """A URL of the office."""
        return f"{self.url}/api/offices/{OFFICE}/{rest}"

    @property
    def headers(self) -> dict[str, str]:
        """Who asks."""
        return {"Authorization": f"Bearer {self.token}"}

    async def say(self, agent: str, text: str) -> None:
        """A person's message to an agent."""
        async with self.http.post(
            self.path(f"agents/{agent}/messages"),
            json={"text": text, "mode": "queue"},
            headers=self.headers,
        ) as reply:
            body = await reply.read()
            if reply.status >= 300:
                raise RuntimeError(body.decode())

    async def get(self, rest: str) -> Any:
        """A GET of the office."""
        async with self.http.get(self.path(rest), headers=self.headers) as reply:
            return orjson.loads(await reply.read())

    async def runs_ended(self, count: int, *, limit_s: float = 600) -> "asyncio.Task[int]":
        """A task that watches the feed and is done when so many runs have ended; it watches once this returns."""
        ready = asyncio.Event()
        task = asyncio.create_task(self._watch(count, ready, limit_s))
        await ready.wait()
        return task

    async def _watch(self, count: int, ready: asyncio.Event, limit_s: float) -> int:
        seen = 0
        timeout = aiohttp.ClientTimeout(total=limit_s, sock_read=None)
        async with self.http.get(self.path("feed"), headers=self.headers, timeout=timeout) as reply:
            tail = b""
            async for data in reply.content.iter_any():
                ready.set()
                *events, tail = (tail + data).split(b"\n\n")
                for event in events:
                    if b'"kind":"run_changed"' in event and b'"ended_at":null' not in event:
                        seen += 1
                if seen >= count:
                    return seen
        raise RuntimeError(f"the feed ended after {seen} of {count} runs")


@contextlib.asynccontextmanager
async def fake_model() -> AsyncGenerator[Fake]:
    """The fake model server in a process of its own."""
    process = subprocess.Popen(
        [PYTHON, str(Path(__file__).with_name("fake_model.py"))], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    try:
        async with aiohttp.ClientSession() as http:
            yield Fake(port, process.pid, http)
    finally:
        process.kill()
        process.wait()


def write_home(
    home: Path, fake_port: int, script: str, agents: int, *, keywords: bool = False
) -> None:
    """A home with one office of so many agents on the fake model."""
    folder = home / "offices" / OFFICE
    folder.mkdir(parents=True)
    lines = [f"office: {{name: {OFFICE}, title: Bench, model: 'fake:m'}}", "agents:"]
    for index in range(agents):
        words = f", keywords: [common{index % 97}, word{index}, only{index}]" if keywords else ""
        lines.append(f"  - {{name: a{index}, title: Agent {index}{words}}}")
    (folder / "office.yaml").write_text("\n".join(lines) + "\n")
    provider = {
        "id": "fake",
        "name": "Fake",
        "api_format": "openai",
        "base_url": f"http://127.0.0.1:{fake_port}/{script}/v1",
        "local": True,
    }
    (home / "providers.json").write_bytes(
        orjson.dumps({"schema_version": 1, "providers": [provider]})
    )


@contextlib.asynccontextmanager
async def server(home: Path) -> AsyncGenerator[Server]:
    """A server process for a home, stopped at the end."""
    env = {**os.environ, "DAYSHIFT_HOME": str(home), "DAYSHIFT_LOG": "warning"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    log = (home / "server.log").open("ab")
    began = time.monotonic()
    process = subprocess.Popen(
        [str(Path(PYTHON).with_name("dayshift")), "up", OFFICE, "--port", "0"],
        env=env,
        stdout=log,
        stderr=log,
    )
    try:
        file = home / "server.json"
        while True:  # bounded by the limit below
            if file.exists():
                found = orjson.loads(file.read_bytes())
                if found["pid"] == process.pid:
                    break
            if process.poll() is not None or time.monotonic() - began > 120:
                raise RuntimeError((home / "server.log").read_text()[-3000:])
            await asyncio.sleep(0.01)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as http:
            while True:  # bounded: the server listens already
                try:
                    async with http.get(f"{found['url']}/api/health") as reply:
                        if reply.status == 200:
                            break
                except aiohttp.ClientError:
                    await asyncio.sleep(0.01)
            yield Server(
                found["url"], found["token"], process.pid, home, http, time.monotonic() - began
            )
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


@contextlib.asynccontextmanager
async def office(fake: Fake, script: str, agents: int, **more: bool) -> AsyncGenerator[Server]:
    """A fresh home with a running server."""
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        home = Path(folder)
        write_home(home, fake.port, script, agents, **more)
        async with server(home) as running:
            yield running
