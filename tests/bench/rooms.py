"""P6, P8 to P12: the attention filter, agents at work, idleness, the feed, restarts, help."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import aiohttp
from figures import Figure, figure, percentile
from rig import PYTHON, Server, cpu_s, fake_model, office, rss_kb, server, write_home

from dayshift.clock.office_clock import RECHECK_S
from dayshift.core.events import Event
from dayshift.core.states import Duty
from dayshift.dispatch.index import AttentionIndex
from dayshift.dispatch.salience import Profile, hear, judge, profile


def attention() -> list[Figure]:
    """P6: one broadcast with five matches, by the index and by the naive loop."""
    costs: dict[int, float] = {}
    naive = 0.0
    event = Event(
        source="custom", type="news", text="the payment gateway of the harbour shop is down again"
    )
    for count in (100, 1_000, 10_000):
        index = AttentionIndex()
        people: list[Profile] = []
        for number in range(count):
            words = (
                ["gateway", "harbour"]
                if number % (count // 5) == 0
                else [f"word{number}", f"other{number}"]
            )
            person = profile(
                f"a{number}",
                keywords=[*words, f"k{number}a", f"k{number}b", f"k{number}c"],
                skills=[],
                threshold=0.4,
            )
            people.append(person)
            index.put(person, Duty.ON_DUTY)
        costs[count] = _middle(lambda index=index: index.decide(event), 300)
        if count == 10_000:
            naive = _middle(
                lambda people=people: [judge(hear(event), one, Duty.ON_DUTY) for one in people], 3
            )
    return [
        figure(
            "P6.1000",
            "a broadcast with 5 matches among 1,000 agents over one among 100",
            costs[1_000],
            "µs",
            baseline=costs[100],
            at_most=1.5,
        ),
        figure(
            "P6.10000",
            "the same among 10,000 agents",
            costs[10_000],
            "µs",
            baseline=costs[100],
            at_most=3.0,
        ),
        figure(
            "P6.naive",
            "the same among 10,000 agents over the naive loop",
            costs[10_000],
            "µs",
            baseline=naive,
            at_most=1 / 150,
        ),
    ]


def _middle(work: Callable[[], object], rounds: int) -> float:
    """Median CPU of some rounds, in microseconds."""
    times: list[float] = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1e6)
    return statistics.median(times)


async def in_flight() -> list[Figure]:
    """P8: memory per agent with a turn under way."""
    count = 300
    async with fake_model() as fake, office(fake, "k0-c1-l6000-p0", count) as running:
        before = rss_kb(running.pid)
        async with running.watched() as ends:
            # One after the other: what is measured are agents at work, not connections of people.
            said = [await running.say(f"a{n}", "go") for n in range(count)]
            await asyncio.sleep(3)
            during = rss_kb(running.pid)
            await ends.of(said)
    return [
        figure(
            "P8.running",
            f"memory per agent with a turn under way, of {count}",
            (during - before) / count,
            "KB",
            at_most=100.0,
        )
    ]


SETTLED_S = 8
"""Longer than the server keeps a connection on which nothing is asked."""


async def idle(seconds: float) -> list[Figure]:
    """P9: a thousand agents with nothing to do."""
    async with fake_model() as fake, office(fake, "k0-c1-l0-p0", 1_000) as running:
        await asyncio.sleep(SETTLED_S)
        await fake.reset()
        switches, cpu = _switches(running.pid), cpu_s(running.pid)
        await asyncio.sleep(seconds)
        used = (cpu_s(running.pid) - cpu) / seconds * 100
        calls = (await fake.stats())["requests"]
        wakes = (_switches(running.pid) - switches) / seconds * 60 - 60 / RECHECK_S
    return [
        figure(
            "P9.cpu",
            f"share of a core used by 1,000 idle agents in {seconds:.0f} s",
            used,
            "%",
            at_most=0.2,
        ),
        figure("P9.calls", "model calls in that time", calls, "calls", at_most=0),
        figure(
            "P9.wakes",
            f"times a minute it was woken beyond its timetable's look every {RECHECK_S:.0f} s",
            wakes,
            "1/min",
            at_most=0.0,
        ),
    ]


def _switches(pid: int) -> int:
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


class Crowd:
    """Clients of one feed, of which the first reads nothing.

    Attributes:
        deliveries: Entries that reached a client, counted where they arrive.
        delays_ms: From the moment a message was sent to its arrival at each client.
    """

    def __init__(self, running: Server, count: int) -> None:
        self._running = running
        self._count = count
        self._ready = asyncio.Semaphore(0)
        self._over = asyncio.Event()
        self.deliveries = 0
        self.delays_ms: list[float] = []
        self.sent: tuple[bytes, float] = (b"-", 0.0)
        self.tasks: list[asyncio.Task[None]] = []

    async def gather(self, http: aiohttp.ClientSession) -> None:
        """Let all of them come, and wait until each is told something."""
        self.tasks = [
            asyncio.create_task(self._watch(http, reads=index != 0)) for index in range(self._count)
        ]
        for _ in range(self._count):
            await self._ready.acquire()

    async def leave(self) -> None:
        """Let all of them go."""
        self._over.set()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _watch(self, http: aiohttp.ClientSession, *, reads: bool) -> None:
        running = self._running
        async with http.get(running.path("feed"), headers=running.headers) as reply:
            self._ready.release()
            if not reads:
                await self._over.wait()
                return
            tail = b""
            async for data in reply.content.iter_any():
                *frames, tail = (tail + data).split(b"\n\n")
                for frame in frames:
                    self._take(frame)

    def _take(self, frame: bytes) -> None:
        if not frame.startswith(b"id:"):
            return
        self.deliveries += 1
        text, at = self.sent
        if text in frame and b'"message_posted"' in frame:
            self.delays_ms.append((time.monotonic() - at) * 1000)


async def _speak(running: Server, crowd: Crowd, messages: int) -> None:
    """Post numbered messages that wake nobody, half a second apart."""
    wish: dict[str, object] = {"name": "quiet", "description": "", "members": ["a0"]}
    await _post(running, "channels", wish)
    await _post(running, "agents/a0/inbox/pause", {})
    for number in range(messages):
        text = f"marker-{number:05d}"
        crowd.sent = (text.encode(), time.monotonic())
        await _post(running, "threads/ch:quiet/messages", {"text": text, "mode": "queue"})
        await asyncio.sleep(0.5)


async def _post(running: Server, path: str, wish: dict[str, object]) -> None:
    async with running.http.post(running.path(path), json=wish, headers=running.headers) as reply:
        reply.raise_for_status()


async def feed(clients: int, messages: int) -> list[Figure]:
    """P10: the feed to a thousand clients, one of which takes nothing."""
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    async with (
        fake_model() as fake,
        office(fake, "k0-c1-l0-p0", 2) as running,
        aiohttp.ClientSession(connector=connector, timeout=timeout) as http,
    ):
        crowd = Crowd(running, clients)
        await crowd.gather(http)
        await asyncio.sleep(2)
        cpu, before = cpu_s(running.pid), crowd.deliveries
        await _speak(running, crowd, messages)
        used, delivered = cpu_s(running.pid) - cpu, crowd.deliveries - before
        await crowd.leave()
    expected = messages * (clients - 1)
    if len(crowd.delays_ms) != expected:
        raise RuntimeError(f"{len(crowd.delays_ms)} of {expected} messages were delivered")
    return [
        figure(
            "P10.cpu",
            f"CPU per delivery of an entry to one of {clients} clients, one of them stalled",
            used / delivered * 1e6,
            "µs",
            at_most=30.0,
        ),
        figure(
            "P10.p99",
            "delay of a message to its watchers, p99",
            percentile(crowd.delays_ms, 0.99),
            "ms",
            at_most=150.0,
        ),
    ]


async def restart() -> list[Figure]:
    """P11: a start with 10,000 queued items and 1,000 open tasks beside an empty one."""
    times: dict[str, float] = {}
    async with fake_model() as fake:
        for name, count, tasks in (("empty", 1, 0), ("full", 10_000, 1_000)):
            with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
                home = Path(folder)
                write_home(home, fake.port, "k0-c1-l0-p0", 100)
                async with server(home) as running:
                    await running.http.post(
                        running.path("pause"), json={"reason": "filling"}, headers=running.headers
                    )
                    for start in range(0, count, 200):
                        await asyncio.gather(
                            *(
                                running.say(f"a{i % 100}", f"go {i}")
                                for i in range(start, min(count, start + 200))
                            )
                        )
                    for start in range(0, tasks, 100):
                        await asyncio.gather(
                            *(
                                running.http.post(
                                    running.path("tasks"),
                                    json={"title": f"task {i}"},
                                    headers=running.headers,
                                )
                                for i in range(start, start + 100)
                            )
                        )
                await fake.reset()
                began = time.monotonic()
                async with server(home) as running:
                    await running.http.post(
                        running.path("resume"), json={}, headers=running.headers
                    )
                    while not (arrivals := (await fake.stats())["arrivals"]):  # noqa: ASYNC110  it cannot call
                        await asyncio.sleep(0.005)
                    times[name] = arrivals[0] - began
                    await running.http.post(
                        running.path("pause"), json={"reason": "enough"}, headers=running.headers
                    )
    return [
        figure(
            "P11.restart",
            "first model request later than from empty, with 10,000 items and 1,000 tasks",
            times["full"] - times["empty"],
            "s",
            at_most=1.0,
        )
    ]


def help_cpu() -> list[Figure]:
    """P12: CPU of ``dayshift --help``."""
    command = [str(Path(PYTHON).with_name("dayshift")), "--help"]
    script = (
        "import resource,subprocess,sys\n"
        "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True)\n"
        "u=resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(u.ru_utime+u.ru_stime)"
    )
    times = [
        float(subprocess.check_output([sys.executable, "-c", script, *command])) for _ in range(5)
    ]
    return [
        figure("P12.help", "CPU of dayshift --help", statistics.median(times), "s", at_most=0.3)
    ]
