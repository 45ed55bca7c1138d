"""P6, P8, P12, P15: what grows with the number of agents, and what a start costs."""

import asyncio
import gzip
import re
import statistics
import tempfile
from pathlib import Path

from figures import Figure, figure
from rig import Server, cpu_s, fake_model, office, rss_kb, server, write_home

FEW = 100
SIZES = (FEW, 1_000, 10_000)
BROADCASTS = 40
WARM = 5
HEARERS = 5
STARTS = 3
BESIDE = re.compile(rb'<(?:script|link)\b[^>]*?(?:src|href)="(/assets/[^"]+\.(?:js|css))"')


async def post(running: Server, path: str, wish: dict[str, object]) -> None:
    """A POST of the office that must succeed."""
    async with running.http.post(running.path(path), json=wish, headers=running.headers) as reply:
        reply.raise_for_status()


async def broadcast_ms(running: Server) -> float:
    """CPU of the server for one broadcast that five agents hear, whose inboxes are held.

    From the request to the answer: the event, its decisions and five items are committed and told.
    """
    words = " ".join(f"word{n}" for n in range(HEARERS))
    wish: dict[str, object] = {"source": "custom", "type": "news", "text": f"About {words}."}
    for n in range(HEARERS):
        await post(running, f"agents/a{n}/inbox/pause", {})
    for _ in range(WARM):
        await post(running, "events", wish)
    before = cpu_s(running.pid)
    for _ in range(BROADCASTS):
        await post(running, "events", wish)
    used = cpu_s(running.pid) - before
    held = len((await running.get("agents/a0/inbox"))["items"])
    if held != WARM + BROADCASTS:
        raise RuntimeError(f"a0 holds {held} broadcasts")
    return used / BROADCASTS * 1000


async def by_agents() -> list[Figure]:
    """P6 and P8: a broadcast through the API, and memory, with ever more agents that rest."""
    memory: dict[int, int] = {}
    costs: dict[int, float] = {}
    starts: dict[int, float] = {}
    async with fake_model() as fake:
        for count in SIZES:
            async with office(fake, "k0-c1-l0-p0", count, keywords=True) as running:
                await asyncio.sleep(1)
                memory[count] = rss_kb(running.pid)
                starts[count] = running.started_s
                costs[count] = await broadcast_ms(running)
    figures = [
        figure(
            f"P6.door_{count}",
            f"CPU of a broadcast with 5 matches sent to a server of {count:,} agents over {FEW}",
            costs[count],
            "ms",
            baseline=costs[FEW],
            at_most=bound,
        )
        for count, bound in ((1_000, 1.5), (10_000, 3.0))
    ]
    figures += [
        figure(
            f"P8.idle_{count}",
            f"memory per idle agent with three keywords, of {count:,}",
            (memory[count] - memory[FEW]) / (count - FEW),
            "KB",
            at_most=bound,
        )
        for count, bound in ((1_000, None), (10_000, 8.0))
    ]
    return [
        *figures,
        figure(
            "P12.up_10000",
            "dayshift up with 10,000 new agents, to the first page",
            starts[10_000],
            "s",
        ),
    ]


async def starts() -> list[Figure]:
    """P12 and P15: from ``dayshift up`` to the first answered page, and what the browser fetches."""
    times: list[float] = []
    cpus: list[float] = []
    memory = first_load = 0.0
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        home = Path(folder)
        write_home(home, 1, "k0-c1-l0-p0", 10)
        for _ in range(STARTS):
            async with server(home) as running:
                times.append(running.started_s)
                cpus.append(cpu_s(running.pid))
                memory = rss_kb(running.pid) / 1024
                first_load = await _first_load_kb(running)
    return [
        figure(
            "P12.up",
            "dayshift up to the first answered page",
            statistics.median(times),
            "s",
            at_most=3.0,
        ),
        figure("P12.up_cpu", "CPU of that start", statistics.median(cpus), "s"),
        figure("P12.memory", "memory of a server with ten idle agents", memory, "MB"),
        figure(
            "P15.first_load",
            "what the first page names of scripts and styles, compressed",
            first_load,
            "kB",
            at_most=260.0,
        ),
    ]


async def _first_load_kb(running: Server) -> float:
    """The page and all it names, each compressed as a server would."""
    async with running.http.get(f"{running.url}/") as reply:
        html = await reply.read()
    total = len(gzip.compress(html))
    for name in set(BESIDE.findall(html)):
        async with running.http.get(running.url + name.decode()) as reply:
            reply.raise_for_status()
            total += len(gzip.compress(await reply.read()))
    return total / 1000
