"""The house under load: a home of many agents, its real server, and both seen from outside."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson

from tests.soak.machine import Dial

if TYPE_CHECKING:
    from collections.abc import Mapping

OFFICE = f"soak-{os.getpid()}"
"""By this name its processes are told from those of another soak on the same machine."""
LIMIT_S = 60.0
KEPT = ("PATH", "PYTHONPATH")
LAUNCH = Path(__file__).with_name("launch.py")
KEY = "soak-model-key-0123456789"
WINDOW = {"context_tokens": 12_000, "output_tokens": 2_000}
"""Of the model: so small that each agent's dialogue is compacted every dozen runs or so."""
ANTHROPIC = {
    "auth_header": "x-api-key",
    "auth_scheme": "",
    "headers": {"anthropic-version": "2023-06-01"},
}


@dataclass
class House:
    """A home, and the server that is up in it now.

    Attributes:
        starts: How often a server was started.
        started_at: When the one that is up was, by the monotonic clock.
        marks: What was measured of the server, by name of the moment.
    """

    home: Path
    database: str = ""
    url: str = ""
    token: str = ""
    starts: int = 0
    started_at: float = 0.0
    process: subprocess.Popen[bytes] | None = None
    is_up: asyncio.Event = field(default_factory=asyncio.Event)
    marks: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    @property
    def dial(self) -> Dial:
        """The clock of its servers."""
        return Dial(self.home)

    def write(self, model_url: str, agents: int, *, simulated: bool) -> None:
        """Write the office's files: half of the agents speak each dialect."""
        folder = self.home / "offices" / OFFICE
        folder.mkdir(parents=True)
        self.dial.make()
        clock = (
            ", clock: {mode: simulated, sim_seconds_per_real_second: 900, fast_forward_idle_s: 0}"
            if simulated
            else ""
        )
        lines = [f"office: {{name: {OFFICE}, title: Soak, model: 'open:m'{clock}}}", "agents:"]
        lines += [
            f"  - {{name: a{n}, title: Agent {n}, model: '{('open', 'anthro')[n % 2]}:m', "
            f"keywords: [word{n}, all{n % 20}]}}"
            for n in range(agents)
        ]
        (folder / "office.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        rows = [
            {
                "id": id_,
                "name": id_,
                "api_format": dialect,
                "base_url": model_url,
                "api_key_env": "SOAK_KEY",
                "local": True,
                "models": [{"match": ["*"], "facts": WINDOW}],
                **more,
            }
            for id_, dialect, more in (("open", "openai", {}), ("anthro", "anthropic", ANTHROPIC))
        ]
        providers = {"schema_version": 1, "providers": rows}
        (self.home / "providers.json").write_bytes(orjson.dumps(providers))

    async def start(self) -> None:
        """Start the server and wait until it answers."""
        await asyncio.to_thread(self._spawn)
        self.starts += 1
        self.started_at = time.monotonic()
        async with asyncio.timeout(LIMIT_S):
            while not await asyncio.to_thread(self._is_found):  # noqa: ASYNC110  it tells by a file
                await asyncio.sleep(0.05)
        self.is_up.set()

    def _spawn(self) -> None:
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(LAUNCH), "up", OFFICE, "--port", "0"],
                env=self._env(),
                stdout=log,
                stderr=log,
            )

    def _env(self) -> Mapping[str, str]:
        env = {
            **{name: os.environ[name] for name in KEPT if name in os.environ},
            "DAYSHIFT_HOME": str(self.home),
            "DAYSHIFT_LOG": "warning",
            "SOAK_KEY": KEY,
            "DAYSHIFT_SOAK_CLOCK": str(self.dial.path),
        }
        return {**env, "DAYSHIFT_DATABASE_URL": self.database} if self.database else env

    def _is_found(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            log = (self.home / "server.log").read_text("utf-8", "replace")
            raise RuntimeError(f"the server ended: {log[-3000:]}")
        try:
            found = orjson.loads((self.home / "server.json").read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return False
        self.url, self.token = found["url"], found["token"]
        return found["pid"] == self.process.pid

    async def end(self, number: signal.Signals) -> None:
        """End the server by a signal."""
        assert self.process is not None
        self.is_up.clear()
        self.process.send_signal(number)
        await asyncio.to_thread(self.process.wait, LIMIT_S)

    def set_file_limit(self, limit_bytes: int) -> None:
        """Let the server's files grow no further, as on a full disk; -1 lifts it."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(
                self.process.pid, resource.RLIMIT_FSIZE, (limit_bytes, resource.RLIM_INFINITY)
            )

    async def measure(self, name: str, *, told: int) -> None:
        """Take down memory, open files, threads and tasks, and processes of its agents.

        ``told`` is how many entries the ledger has, by which work is measured.
        """
        assert self.process is not None
        self.process.send_signal(signal.SIGUSR2)
        tasks = await self.dial.tasks()
        self.marks[name] = {**self._seen(self.process.pid), "tasks": tasks, "told": told}

    def _seen(self, pid: int) -> dict[str, int]:
        status = dict(
            line.split(":", 1)
            for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
        )
        return {
            "rss_kb": int(status["VmRSS"].split()[0]),
            "files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
            "threads": int(status["Threads"]),
            "computers": len(Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()),
            "processes": len(self.processes()),
            "up_s": int(time.monotonic() - self.started_at),
        }

    def processes(self) -> list[int]:
        """Processes of agents' computers, by the mark in their environment."""
        needle = f"DAYSHIFT_COMPUTER={OFFICE}/".encode()
        found: list[int] = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdecimal():
                continue
            with contextlib.suppress(OSError):
                if needle in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def http(self, token: str = "") -> aiohttp.ClientSession:
        """A client of the office; ``token`` is a person's."""
        headers = {"Authorization": f"Bearer {token or self.token}"}
        timeout = aiohttp.ClientTimeout(total=20)
        return aiohttp.ClientSession(headers=headers, timeout=timeout)

    def path(self, rest: str) -> str:
        """A URL below the office, at the server that is up now."""
        return f"{self.url}/api/offices/{OFFICE}/{rest}"

    async def get(self, http: aiohttp.ClientSession, rest: str, **params: str) -> Any:  # noqa: ANN401  any JSON
        """A page of the office."""
        async with http.get(self.path(rest), params=params) as reply:
            reply.raise_for_status()
            return orjson.loads(await reply.read())

    async def every(
        self, http: aiohttp.ClientSession, rest: str, **params: str
    ) -> list[dict[str, Any]]:
        """Every item of a list."""
        items: list[dict[str, Any]] = []
        before = ""
        while True:  # ends with the last page
            page = await self.get(http, rest, limit="200", before=before, **params)
            items += page["items"]
            before = page["next"] or ""
            if not before:
                return items
