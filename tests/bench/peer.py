"""Dayshift as the harness of all systems measures it: one workload, one line of JSON.

``python peer.py solo|crowd --server URL [--agents 1] [--runs 20] [--warm 3] [--k 10] [--lat 0]
[--stream --chunks 20 --dur 0 --grp 1]``, as the harness's own workers. The server is a process of
its own with its ledger on the disk, the runs come in as a person's messages, and CPU is that of
the server alone. Every run begins with an empty dialogue, as with the others.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from rig import PYTHON, Ends, Server, cpu_s, rss_kb, server, write_home

import dayshift

ONLY_TICK = ", permissions: {tools: {allow: [tick]}}"
STEPS = 1_000_000


def arguments() -> argparse.Namespace:
    """What the harness says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", choices=["solo", "crowd"])
    parser.add_argument("--server", required=True)
    parser.add_argument("--stream", action="store_true")
    for name, value in (("agents", 1), ("runs", 20), ("warm", 3), ("k", 10), ("lat", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in (("chunks", 20), ("dur", 0), ("grp", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args()


def speed_ms() -> float:
    """CPU of a fixed piece of Python: how fast the machine is now."""
    began, x = time.thread_time(), 0
    for i in range(STEPS):
        x += i * i % 7
    return (time.thread_time() - began) * 1000


async def run(running: Server, ends: Ends, n: int) -> None:
    """One run of one agent."""
    text = f"[agent {n}] Call the tool until you are done, then answer."
    await ends.of([await running.say(f"a{n}", text)])


async def work(args: argparse.Namespace, running: Server, model: aiohttp.ClientSession) -> Any:
    """Warm up, then measure: one agent after the other, or all at once."""
    runs = args.runs if args.workload == "solo" else args.agents
    rss_idle = rss_kb(running.pid)
    async with running.watched() as ends:
        for n in range(runs, runs + args.warm):
            await run(running, ends, n)
        await (await model.post("/reset")).read()
        speed, cpu, began = speed_ms(), cpu_s(running.pid), time.monotonic()
        if args.workload == "solo":
            for n in range(runs):
                await run(running, ends, n)
        else:
            await asyncio.gather(*(run(running, ends, n) for n in range(runs)))
        wall, used = time.monotonic() - began, cpu_s(running.pid) - cpu
    stats = orjson.loads(await (await model.get("/stats")).read())
    turns = stats["requests"]
    told: dict[str, Any] = {
        "peer": "dayshift",
        "version": f"dayshift {dayshift.__version__}",
        "turns": turns,
        "cpu_s": used,
        "cpu_ms_turn": used / turns * 1000,
        "wall_ms_turn": wall / turns * 1000,
        "turns_s": turns / wall,
        "gap_ms": stats["gap_ms"],
        "prompt_bytes": stats["body_bytes"],
        "speed_ms": (speed + speed_ms()) / 2,
        "rss_agents_kb": rss_idle,
        "rss_end_kb": rss_kb(running.pid),
    }
    if turns != runs * (args.k + 1):
        told["mismatch"] = {"requests": turns, "expected": runs * (args.k + 1)}
    if stats["chunks"]:
        told["cpu_us_chunk"] = used / stats["chunks"] * 1e6
        told["chunks_s"] = stats["chunks"] / wall
    return told


async def main() -> None:
    """One server, one workload."""
    args = arguments()
    agents = args.warm + (args.runs if args.workload == "solo" else args.agents)
    chunks = args.chunks if args.stream else 0
    script = f"k={args.k},lat={args.lat},chunks={chunks},dur={args.dur},grp={args.grp}"
    port = int(args.server.rpartition(":")[2])
    program = (PYTHON, str(Path(__file__).with_name("with_tick.py")))
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        write_home(Path(folder), port, script, agents, each=ONLY_TICK)
        async with (
            server(Path(folder), program) as running,
            aiohttp.ClientSession(args.server) as model,
        ):
            told = await work(args, running, model)
    print(orjson.dumps(told).decode())


if __name__ == "__main__":
    asyncio.run(main())
