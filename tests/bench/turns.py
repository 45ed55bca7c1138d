"""P1, P3, P7: what a turn and a chunk cost, beside a bare client with the same bytes."""

import asyncio
import base64
import subprocess
import tempfile
import time
from pathlib import Path

import msgspec
import orjson
from figures import Figure, figure
from rig import PYTHON, Ends, Fake, Server, cpu_s, fake_model, office, storage_bytes

K = 8


async def round_of(server: Server, agents: int) -> None:
    """One message to each agent, until all have answered."""
    async with server.watched() as ends:
        await watched_round(server, ends, agents)


async def watched_round(server: Server, ends: Ends, agents: int) -> None:
    """The same for one who watches already."""
    said = [server.say(f"a{index}", "go") for index in range(agents)]
    await ends.of(await asyncio.gather(*said))


async def clear(server: Server, agents: int) -> None:
    """Let the next round begin with an empty dialogue."""
    await asyncio.gather(*(server.clear(f"a{index}") for index in range(agents)))


async def measured(
    fake: Fake, server: Server, agents: int, rounds: int, *, fresh: bool = False
) -> dict[str, float]:
    """Rounds after a warm-up, before one who watches: CPU, wall time and bytes to disk a turn.

    With ``fresh`` each begins with an empty dialogue; emptying them is not counted, nor is how the
    one who watches comes in.
    """
    await fake.reset()
    cpu = disk = wall = 0.0
    async with server.watched() as ends:
        for _ in range(rounds):
            if fresh:
                await clear(server, agents)
            before = (cpu_s(server.pid), storage_bytes(server.pid), time.monotonic())
            await watched_round(server, ends, agents)
            cpu += cpu_s(server.pid) - before[0]
            disk += storage_bytes(server.pid) - before[1]
            wall += time.monotonic() - before[2]
    turns = (await fake.stats())["requests"]
    return {
        "turns": turns,
        "cpu_ms": cpu / turns * 1000,
        "wall_ms": wall / turns * 1000,
        "disk": disk / turns,
    }


async def bare(
    fake: Fake, script: str, bodies: list[bytes], count: int, *, ledger: bool = False
) -> dict[str, float]:
    """The bare client over some bodies; with a ledger it keeps each answer as it must be kept."""
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
        file.write(b"\n".join(base64.b64encode(body) for body in bodies))
        file.flush()
        process = await asyncio.create_subprocess_exec(
            PYTHON,
            str(Path(__file__).with_name("bare.py")),
            f"http://127.0.0.1:{fake.port}/{script}/v1/chat/completions",
            file.name,
            str(count),
            *([f"{folder}/ledger.db"] if ledger else []),
            stdout=subprocess.PIPE,
        )
        out, _ = await process.communicate()
    return orjson.loads(out)


async def kept(fake: Fake, server: Server) -> list[bytes]:
    """The bodies of one run of one agent."""
    await fake.reset(keep=True)
    await round_of(server, 1)
    return await fake.bodies()


LOG_TURNS = 900
"""So many turns fill the write-ahead log several times; fewer may end before it is copied into the
file, which then nobody would count."""


async def a_turn(agents: int, rounds: int) -> list[Figure]:
    """P1 and P7: the whole durable loop beside the bare client, one agent or many.

    There are at least ``rounds``, and as many as ``LOG_TURNS`` take.
    """
    rounds = max(rounds, -(-LOG_TURNS // (agents * (K + 1))))
    script = f"k{K}-c2-l0-p0"
    async with fake_model() as fake, office(fake, script, agents) as server:
        await round_of(server, agents)
        ours = await measured(fake, server, agents, rounds, fresh=True)
        await clear(server, 1)
        floor = await bare(fake, script, await kept(fake, server), agents, ledger=True)
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


def messages_in(body: bytes) -> int:
    """How many messages a request holds."""
    return len(orjson.loads(body)["messages"])


def equal_bytes(one: bytes, other: bytes) -> int:
    """How many bytes two texts have in common at their beginning."""
    if other.startswith(one):
        return len(one)
    return next(at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)


def prompt_of(body: bytes) -> bytes:
    """Tools, then messages without their closing bracket, as the request has them."""
    parts = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return bytes(parts.get("tools", b"")) + bytes(parts["messages"]).rstrip()[:-1]


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
