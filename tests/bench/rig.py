"""The rig: a fake model, a real server with an office of so many agents, and a person."""

import asyncio
import base64
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import orjson

PYTHON = sys.executable
DAYSHIFT = str(Path(PYTHON).with_name("dayshift"))
OFFICE = "bench"
CONTEXT_TOKENS = 1_000_000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """CPU seconds of a process, by its threads; ended children count by the tick."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    own = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        own += int((thread / "schedstat").read_text().split()[0])
    return own / 1e9 + (int(fields[13]) + int(fields[14])) / TICKS


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

    async def reset(self, *, keep: bool = False, trace: bool = False) -> None:
        """Forget what was asked; ``keep`` keeps bodies from now on, ``trace`` follows who asks."""
        more = ("-keep" if keep else "") + ("-trace" if trace else "")
        async with self.http.post(f"http://127.0.0.1:{self.port}/reset{more}") as reply:
            await reply.read()

    async def stats(self) -> dict[str, Any]:
        """What was asked since."""
        async with self.http.get(f"http://127.0.0.1:{self.port}/stats") as reply:
            return orjson.loads(await reply.read())

    async def traces(self) -> dict[str, Any]:
        """When each who was named first came, and the waits between answers and requests."""
        async with self.http.get(f"http://127.0.0.1:{self.port}/traces") as reply:
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

    async def say(self, agent: str, text: str) -> str:
        """A person's message to an agent; the id of its inbox item."""
        return str((await self.said(agent, text))["item"]["id"])

    async def said(self, agent: str, text: str) -> Any:
        """A person's message to an agent, as the server answers it."""
        async with self.http.post(
            self.path(f"agents/{agent}/messages"),
            json={"text": text, "mode": "queue"},
            headers=self.headers,
        ) as reply:
            body = await reply.read()
            if reply.status >= 300:
                raise RuntimeError(body.decode())
        return orjson.loads(body)

    async def clear(self, agent: str) -> None:
        """Empty the person's dialogue with an agent."""
        await self.post(f"threads/dm:owner:{agent}/clear", {})

    async def post(self, rest: str, body: dict[str, object]) -> None:
        """A POST of the office."""
        async with self.http.post(self.path(rest), json=body, headers=self.headers) as reply:
            reply.raise_for_status()

    async def get(self, rest: str) -> Any:
        """A GET of the office."""
        async with self.http.get(self.path(rest), headers=self.headers) as reply:
            return orjson.loads(await reply.read())

    @contextlib.asynccontextmanager
    async def watched(self) -> AsyncGenerator["Ends"]:
        """Watch the feed for the length of the block."""
        ends = Ends()
        task = asyncio.create_task(self._watch(ends))
        await ends.ready.wait()
        try:
            yield ends
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _watch(self, ends: "Ends") -> None:
        timeout = aiohttp.ClientTimeout(total=None, sock_read=None)
        async with self.http.get(self.path("feed"), headers=self.headers, timeout=timeout) as reply:
            tail = b""
            async for data in reply.content.iter_any():
                ends.ready.set()
                *events, tail = (tail + data).split(b"\n\n")
                for event in events:
                    if b'"kind":"run_changed"' in event and b'"ended_at":null' not in event:
                        ends.note(event)


class Ends:
    """Which inbox items have had a run that ended, as the feed tells it."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self._items: set[str] = set()
        self._moved = asyncio.Event()

    def note(self, event: bytes) -> None:
        """Take note of a run's end."""
        run = orjson.loads(event[event.index(b"data: ") + 6 :])["entry"]["run"]
        self._items.add(run["item"])
        self._moved.set()

    async def of(self, items: Iterable[str], *, limit_s: float = 600) -> None:
        """Wait until runs on all of these have ended."""
        wanted = set(items)
        async with asyncio.timeout(limit_s):
            while not wanted <= self._items:
                self._moved.clear()
                await self._moved.wait()


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


def provider(id_: str, fake_port: int, script: str) -> dict[str, object]:
    """The fake model as a provider of a home, with room for dialogues that are never summed up."""
    return {
        "id": id_,
        "name": id_.title(),
        "api_format": "openai",
        "base_url": f"http://127.0.0.1:{fake_port}/{script}/v1",
        "local": True,
        "models": [{"match": ["*"], "facts": {"context_tokens": CONTEXT_TOKENS}}],
    }


def write_home(
    home: Path,
    fake_port: int,
    script: str,
    agents: int,
    *,
    keywords: bool = False,
    busy: tuple[int, str] = (0, ""),
    each: str = "",
) -> None:
    """A home with one office of so many agents on the fake model.

    ``busy`` is so many more, ``b0`` and on, whose model follows a script of its own; ``each`` is
    what stands in the file for each agent beside its name.
    """
    folder = home / "offices" / OFFICE
    folder.mkdir(parents=True)
    lines = [f"office: {{name: {OFFICE}, title: Bench, model: 'fake:m'}}", "agents:"]
    for index in range(agents):
        words = f", keywords: [common{index % 97}, word{index}, only{index}]" if keywords else ""
        lines.append(f"  - {{name: a{index}, title: Agent {index}{words}{each}}}")
    lines += [f"  - {{name: b{index}, model: 'busy:m'}}" for index in range(busy[0])]
    (folder / "office.yaml").write_text("\n".join(lines) + "\n")
    providers = [provider("fake", fake_port, script)]
    if busy[0]:
        providers.append(provider("busy", fake_port, busy[1]))
    (home / "providers.json").write_bytes(
        orjson.dumps({"schema_version": 1, "providers": providers})
    )


@contextlib.asynccontextmanager
async def server(home: Path, program: tuple[str, ...] = (DAYSHIFT,)) -> AsyncGenerator[Server]:
    """A server process for a home, stopped at the end."""
    env = {**os.environ, "DAYSHIFT_HOME": str(home), "DAYSHIFT_LOG": "warning"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    log = (home / "server.log").open("ab")
    began = time.monotonic()
    process = subprocess.Popen(
        [*program, "up", OFFICE, "--port", "0"],
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
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=2)
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
async def office(fake: Fake, script: str, agents: int, **more: Any) -> AsyncGenerator[Server]:
    """A fresh home with a running server."""
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        home = Path(folder)
        write_home(home, fake.port, script, agents, **more)
        async with server(home) as running:
            yield running
