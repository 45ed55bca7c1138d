"""P6, P8 to P12: the attention filter, memory, idleness, the feed, restarts and starts."""

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

from dayshift.core.events import Event
from dayshift.core.states import Duty
from dayshift.dispatch.index import AttentionIndex
from dayshift.dispatch.salience import hear, judge, profile


def attention() -> list[Figure]:
    """P6: one broadcast with five matches, by the index and by the naive loop."""
    costs: dict[int, float] = {}
    naive = 0.0
    event = Event(
        source="custom", type="news", text="the payment gateway of the harbour shop is down again"
    )
    for count in (100, 1_000, 10_000):
        index = AttentionIndex()
        people = []
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
        costs[count] = _best(lambda index=index: index.decide(event), 300)
        if count == 10_000:
            naive = _best(
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


def _best(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1e6)
    return statistics.median(times)


async def memory() -> list[Figure]:
    """P8 and P12: memory per idle agent, and how long a server takes to its first page."""
    sizes: dict[int, int] = {}
    starts: list[float] = []
    async with fake_model() as fake:
        for count in (10, 10_000):
            async with office(fake, "k0-c1-l0-p0", count) as running:
                await asyncio.sleep(1)
                sizes[count] = rss_kb(running.pid)
                if count == 10:
                    starts.append(running.started_s)
    return [
        figure(
            "P8.idle",
            "memory per idle agent, of 10,000",
            (sizes[10_000] - sizes[10]) / 9_990,
            "KB",
            at_most=8.0,
        ),
        figure("P12.up", "dayshift up to the first answered page", starts[0], "s", at_most=3.0),
        figure("P12.memory", "memory of a server with ten idle agents", sizes[10] / 1024, "MB"),
    ]


async def in_flight() -> list[Figure]:
    """P8: memory per agent with a turn under way."""
    count = 300
    async with fake_model() as fake, office(fake, "k0-c1-l6000-p0", count) as running:
        before = rss_kb(running.pid)
        done = await running.runs_ended(count)
        await asyncio.gather(*(running.say(f"a{index}", "go") for index in range(count)))
        await asyncio.sleep(3)
        during = rss_kb(running.pid)
        await done
    return [
        figure(
            "P8.running",
            f"memory per agent with a turn under way, of {count}",
            (during - before) / count,
            "KB",
            at_most=100.0,
        )
    ]


async def idle(seconds: float) -> list[Figure]:
    """P9: a thousand agents with nothing to do."""
    async with fake_model() as fake, office(fake, "k0-c1-l0-p0", 1_000) as running:
        await asyncio.sleep(3)
        await fake.reset()
        switches, cpu = _switches(running.pid), cpu_s(running.pid)
        await asyncio.sleep(seconds)
        used = (cpu_s(running.pid) - cpu) / seconds * 100
        calls = (await fake.stats())["requests"]
        wakes = (_switches(running.pid) - switches) / seconds * 60
    return [
        figure(
            "P9.cpu",
            f"share of a core used by 1,000 idle agents in {seconds:.0f} s",
            used,
            "%",
            at_most=0.2,
        ),
        figure("P9.calls", "model calls in that time", calls, "calls", at_most=0),
        figure("P9.wakes", "times a minute the process was woken", wakes, "1/min"),
    ]


def _switches(pid: int) -> int:
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


class Watchers:
    """So many clients of one feed, the first of which takes nothing."""

    def __init__(self, running: Server) -> None:
        self.running = running
        self.received: list[float] = []
        self.sent: dict[bytes, float] = {}
        self.ready = asyncio.Semaphore(0)
        self.stop = asyncio.Event()

    async def watch(self, http: aiohttp.ClientSession, *, reads: bool) -> None:
        """Follow the feed, and note when each marked message came."""
        async with http.get(self.running.path("feed"), headers=self.running.headers) as reply:
            self.ready.release()
            if not reads:
                await self.stop.wait()
                return
            async for data in reply.content.iter_any():
                now = time.monotonic()
                if b"message_posted" in data:
                    self.received += [
                        (now - at) * 1000 for marker, at in self.sent.items() if marker in data
                    ]

    async def say(self, number: int) -> None:
        """One marked message in a channel of its own, which wakes one agent."""
        text = f"marker-{number:05d}"
        draft = {"name": f"c{number}", "description": text, "members": ["a0"]}
        post = {"text": text, "mode": "queue"}
        running = self.running
        await running.http.post(running.path("channels"), json=draft, headers=running.headers)
        self.sent = {text.encode(): time.monotonic()}
        path = running.path(f"threads/ch:c{number}/messages")
        await running.http.post(path, json=post, headers=running.headers)
        await asyncio.sleep(0.5)


async def feed(clients: int, messages: int) -> list[Figure]:
    """P10: the feed to a thousand clients, one of which takes nothing."""
    async with fake_model() as fake, office(fake, "k0-c1-l0-p0", 2) as running:
        watchers = Watchers(running)
        timeout = aiohttp.ClientTimeout(total=None)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
            tasks = [
                asyncio.create_task(watchers.watch(http, reads=index != 0))
                for index in range(clients)
            ]
            for _ in range(clients):
                await watchers.ready.acquire()
            await asyncio.sleep(2)
            cpu, before = cpu_s(running.pid), int((await running.get("snapshot"))["seq"])
            for number in range(messages):
                await watchers.say(number)
            used = cpu_s(running.pid) - cpu
            entries = int((await running.get("snapshot"))["seq"]) - before
            watchers.stop.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    per = used / (clients * entries) * 1e6
    return [
        figure(
            "P10.cpu",
            f"CPU per delivery of an entry to one of {clients} clients, one of them stalled",
            per,
            "µs",
            at_most=30.0,
        ),
        figure(
            "P10.p99",
            "delay of a message to its watchers, p99",
            percentile(watchers.received, 0.99),
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
                    stats = await fake.stats()
                    while not stats["arrivals"] and time.monotonic() - began < 60:
                        await asyncio.sleep(0.005)
                        stats = await fake.stats()
                    times[name] = stats["arrivals"][0] - began
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
