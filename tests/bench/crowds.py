"""P3 to P5: many agents at once: what the loop adds to a turn, to a chunk and to a message."""

import asyncio
import json
import subprocess
import time
from datetime import datetime
from pathlib import Path

from figures import Figure, figure, percentile
from rig import PYTHON, Ends, Fake, Server, cpu_s, fake_model, office

TURNS = 8
PROBES = 200
BUSY_LATENCY_MS = 200
WARM = 20


async def all_at_once(server: Server, agents: int) -> tuple[float, float]:
    """A message to each agent, named in it; seconds until all have answered, and CPU seconds."""
    async with server.watched() as ends:
        began, cpu = time.monotonic(), cpu_s(server.pid)
        said = (server.say(f"a{n}", f"go [who a{n}]") for n in range(agents))
        await ends.of(await asyncio.gather(*said))
        return time.monotonic() - began, cpu_s(server.pid) - cpu


async def paced(agents: int, latency_ms: int) -> list[Figure]:
    """P4: turns a second beside what the model's latency allows, and what each turn waits longer.

    The seconds run from the first person's message to the last agent's end.
    """
    script = f"k{TURNS - 1}-c2-l{latency_ms}-p0"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await fake.reset(trace=True)
        took, used = await all_at_once(server, agents)
        turns = (await fake.stats())["requests"]
        gaps = (await fake.traces())["gaps_ms"]
    if turns != agents * TURNS or len(gaps) != agents * (TURNS - 1):
        raise RuntimeError(f"{turns} requests and {len(gaps)} waits of {agents} agents")
    name = f"P4.{agents}x{latency_ms}"
    return [
        figure(
            name,
            f"turns/s of {agents} agents at {latency_ms} ms model latency over what latency allows",
            turns / took,
            "1/s",
            baseline=agents / (latency_ms / 1000),
            at_least=0.85,
        ),
        figure(
            f"{name}_extra",
            "from the end of an answer to the next request of the same agent, p95",
            percentile(gaps, 0.95),
            "ms",
        ),
        figure(f"{name}_cpu", "CPU per turn meanwhile", used / turns * 1000, "ms"),
    ]


async def reaction(idle: int, busy: int = 0) -> list[Figure]:
    """P5: from a person's message to the model request on the wire, one after the other.

    A message's own time is taken while it is written, just before its commit is flushed. The busy
    ones begin one after the other, so that they are spread over their runs.
    """
    crowd = (busy, f"k{TURNS - 1}-c2-l{BUSY_LATENCY_MS}-p0")
    run_s = TURNS * BUSY_LATENCY_MS / 1000
    async with fake_model() as fake, office(fake, "k0-c1-l0-p0", idle, busy=crowd) as server:
        await _probe(fake, server, idle, WARM)
        over = asyncio.Event()
        async with server.watched() as ends:
            working = asyncio.gather(
                *(_work(server, f"b{n}", ends, over, after_s=run_s * n / busy) for n in range(busy))
            )
            await asyncio.sleep(run_s + 1 if busy else 0)
            written, sent = await _probe(fake, server, idle, PROBES)
            over.set()
            await working
    name = f"{idle}_idle" if not busy else f"{busy}_busy"
    crowds = f"{idle} idle agents" + (f" and {busy} at work" if busy else "")
    return [
        figure(
            f"P5.p50_{name}",
            f"message written down to model request on the wire, {crowds}, p50",
            percentile(written, 0.5),
            "ms",
            at_most=5.0,
        ),
        figure(f"P5.p99_{name}", "the same, p99", percentile(written, 0.99), "ms", at_most=20.0),
        figure(
            f"P5.sent_p50_{name}",
            "the same from the moment the message was sent, p50",
            percentile(sent, 0.5),
            "ms",
        ),
        figure(f"P5.sent_p99_{name}", "the same, p99", percentile(sent, 0.99), "ms"),
    ]


async def _probe(
    fake: Fake, server: Server, idle: int, count: int
) -> tuple[list[float], list[float]]:
    """Milliseconds to the model request from a message's own time, and from when it was sent."""
    began: list[tuple[float, float]] = []
    wall = time.time() - time.monotonic()
    await fake.reset(trace=True)
    async with server.watched() as ends:
        for n in range(count):
            sent = time.monotonic()
            said = await server.said(f"a{n % idle}", f"go [who p{n}]")
            await ends.of([said["item"]["id"]])
            at = datetime.fromisoformat(said["message"]["at"]).timestamp() - wall
            began.append((at, sent))
    firsts = (await fake.traces())["firsts"]
    asked = [firsts[f"p{n}"] for n in range(count)]
    return (
        [(then - at) * 1000 for then, (at, _) in zip(asked, began, strict=True)],
        [(then - sent) * 1000 for then, (_, sent) in zip(asked, began, strict=True)],
    )


async def _work(
    server: Server, agent: str, ends: Ends, over: asyncio.Event, *, after_s: float
) -> None:
    """Keep an agent at work: there is always a message that waits for it."""
    await asyncio.sleep(after_s)
    before: list[str] = []
    while not over.is_set():
        said = await server.say(agent, "go")
        await ends.of(before)
        before = [said]
    await ends.of(before)


async def stalls(agents: int, chunks: int) -> list[Figure]:
    """P3: chunks per CPU second of many streams, and how long the server's loop is not free."""
    script = f"k0-c{chunks}-l0-p5"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await all_at_once(server, 20)
        prober = await asyncio.create_subprocess_exec(
            PYTHON,
            str(Path(__file__).with_name("prober.py")),
            server.url,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        _, used = await all_at_once(server, agents)
        out, _ = await prober.communicate(b"enough\n")
    waits: list[float] = json.loads(out)
    return [
        figure(
            "P3.per_cpu_second",
            f"chunks per CPU second, {agents} agents streaming {chunks} chunks each, feed included",
            agents * chunks / used,
            "1/s",
        ),
        figure(
            "P3.stall",
            "how long a request of the health page waits meanwhile, p99",
            percentile(waits, 0.99),
            "ms",
        ),
    ]
