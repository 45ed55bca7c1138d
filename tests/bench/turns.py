"""P1, P2, P3, P4, P7, P13: what a turn and a chunk cost, beside a bare client that sends the same bytes."""

import asyncio
import base64
import itertools
import subprocess
import tempfile
import time
from pathlib import Path

import orjson
from figures import Figure, figure, percentile
from rig import PYTHON, Fake, Server, cpu_s, fake_model, office, storage_bytes

K = 8


async def round_of(server: Server, agents: int) -> None:
    """One message to each agent, until all have answered."""
    done = await server.runs_ended(agents)
    await asyncio.gather(*(server.say(f"a{index}", "go") for index in range(agents)))
    await done


async def measured(fake: Fake, server: Server, agents: int, rounds: int) -> dict[str, float]:
    """Rounds after a warm-up: CPU, wall time and bytes to disk a turn."""
    await fake.reset()
    cpu, disk, began = cpu_s(server.pid), storage_bytes(server.pid), time.monotonic()
    for _ in range(rounds):
        await round_of(server, agents)
    stats = await fake.stats()
    turns = stats["requests"]
    return {
        "turns": turns,
        "cpu_ms": (cpu_s(server.pid) - cpu) / turns * 1000,
        "wall_ms": (time.monotonic() - began) / turns * 1000,
        "disk": (storage_bytes(server.pid) - disk) / turns,
    }


async def bare(fake: Fake, script: str, bodies: list[bytes], count: int) -> dict[str, float]:
    """The bare client over some bodies."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(b"\n".join(base64.b64encode(body) for body in bodies))
        url = f"http://127.0.0.1:{fake.port}/{script}/v1/chat/completions"
        process = await asyncio.create_subprocess_exec(
            PYTHON,
            str(Path(__file__).with_name("bare.py")),
            url,
            file.name,
            str(count),
            stdout=subprocess.PIPE,
        )
        out, _ = await process.communicate()
    return orjson.loads(out)


async def kept(fake: Fake, server: Server) -> list[bytes]:
    """The bodies of one run of one agent."""
    await fake.reset(keep=True)
    await round_of(server, 1)
    return await fake.bodies()


async def a_turn(agents: int, rounds: int) -> list[Figure]:
    """P1 and P7: the whole durable loop beside the bare client, one agent or many."""
    script = f"k{K}-c2-l0-p0"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await round_of(server, agents)
        ours = await measured(fake, server, agents, rounds)
        floor = await bare(fake, script, await kept(fake, server), agents)
    many = agents > 1
    name = "many_agents" if many else "one_agent"
    return [
        figure(
            f"P1.{name}",
            f"CPU per turn of the whole durable loop, {agents} agents at once",
            ours["cpu_ms"],
            "ms",
            baseline=floor["cpu_ms"],
            at_most=3.5 if many else 2.8,
        ),
        figure(
            f"P7.{name}",
            f"bytes written to disk per turn, {agents} agents",
            ours["disk"],
            "B",
            at_most=3072 if many else 16384,
        ),
        figure(f"P1.{name}_wall", f"wall time per turn, {agents} agents", ours["wall_ms"], "ms"),
    ]


async def history() -> list[Figure]:
    """P2 and P13: turns with long histories beside short ones, and how much of a request repeats the last."""
    lengths = {"short": 10, "40": 20, "200": 100, "800": 400}
    bounds = {"40": 1.2, "200": 1.5, "800": 2.5}
    costs: dict[str, float] = {}
    shares: list[float] = []
    for name, turns in lengths.items():
        script = f"k{min(turns, 120)}-c2-l0-p0"
        async with fake_model() as fake, office(fake, script, 1) as server:
            rounds = max(1, turns // 120)
            for _ in range(rounds):
                await round_of(server, 1)
            ours = await measured(fake, server, 1, 2 if turns < 100 else 1)
            costs[name] = ours["cpu_ms"]
            if name == "40":
                shares = prefix_shares(await kept(fake, server))
    figures = [
        figure(
            f"P2.{name}",
            f"CPU per turn with {name} messages of history over a short one",
            costs[name],
            "ms",
            baseline=costs["short"],
            at_most=bound,
        )
        for name, bound in bounds.items()
    ]
    figures.append(
        figure(
            "P13.prefix",
            "share of the request before that a request repeats byte for byte, lowest",
            min(shares or [0.0]),
            "share",
            at_least=1.0,
        )
    )
    return figures


def prefix_shares(bodies: list[bytes]) -> list[float]:
    """For each request, the share of the one before, without its closing part, that it begins with."""
    shares: list[float] = []
    for before, now in itertools.pairwise(bodies):
        end = before.rfind(b"}]")
        end = end + 1 if end > 0 else len(before)
        same = next(
            (i for i, (a, b) in enumerate(zip(before[:end], now, strict=False)) if a != b),
            min(end, len(now)),
        )
        shares.append(same / end)
    return shares


async def streaming(agents: int, chunks: int) -> list[Figure]:
    """P3: CPU per streamed chunk, feed included, beside the bare client."""
    script = f"k0-c{chunks}-l0-p5"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await round_of(server, agents)
        await fake.reset()
        cpu, began = cpu_s(server.pid), time.monotonic()
        await round_of(server, agents)
        took = time.monotonic() - began
        ours = (cpu_s(server.pid) - cpu) / (agents * chunks) * 1e6
        floor = await bare(fake, script, await kept(fake, server), agents)
    return [
        figure(
            "P3.chunk",
            f"CPU per streamed chunk, {agents} agents, {chunks} chunks each",
            ours,
            "µs",
            baseline=floor["chunk_us"],
            at_most=2.0,
        ),
        figure("P3.rate", "chunks per second of wall time", agents * chunks / took, "1/s"),
    ]


async def paced(agents: int, latency_ms: int, at_least: float) -> list[Figure]:
    """P4: turns a second beside what the model's latency allows."""
    script = f"k4-c2-l{latency_ms}-p0"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await fake.reset()
        began = time.monotonic()
        await round_of(server, agents)
        took = time.monotonic() - began
        turns = (await fake.stats())["requests"]
    allowed = agents / (latency_ms / 1000)
    return [
        figure(
            f"P4.{agents}x{latency_ms}",
            f"turns/s of {agents} agents at {latency_ms} ms model latency over what latency allows",
            turns / took,
            "1/s",
            baseline=allowed,
            at_least=at_least,
        )
    ]


async def reaction(idle: int) -> list[Figure]:
    """P5: from the person's message sent to the model request on the wire."""
    async with fake_model() as fake, office(fake, "k0-c1-l0-p0", idle) as server:
        await round_of(server, min(20, idle))
        waits: list[float] = []
        for index in range(200):
            await fake.reset()
            done = await server.runs_ended(1)
            sent = time.monotonic()
            await server.say(f"a{index % idle}", "go")
            await done
            arrivals = (await fake.stats())["arrivals"]
            waits.append((arrivals[0] - sent) * 1000)
    return [
        figure(
            f"P5.p50_{idle}",
            f"message sent to model request on the wire, {idle} idle agents, p50",
            percentile(waits, 0.5),
            "ms",
            at_most=5.0,
        ),
        figure(f"P5.p99_{idle}", "the same, p99", percentile(waits, 0.99), "ms", at_most=20.0),
    ]
