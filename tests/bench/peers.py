"""Figures 1 and 9 beside other systems: the same work, the same fake model, in one run.

``python peers.py --harness FOLDER [--reps 3] [--peers FOLDER] [--out FILE]``: FOLDER holds the
harness (fakellm.py, worker.py, peers/), which is no part of this repository, and the systems come
from install_peers.sh. Each measurement is a fresh process; systems are shuffled within a
repetition, and a ratio is taken within one. Pi, agno and LangGraph keep nothing; Dayshift keeps
its ledger; "floor" is a bare loop, on one agent and in a crowd with a synchronous ledger.
"""

import argparse
import asyncio
import os
import random
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from figures import Figure, figure, medians
from rig import PYTHON

HERE = Path(__file__).parent
LIMIT_S = 300
PORT = 18_097
STREAM = "crowd --agents 200 --runs 1 --warm 3 --k 0 --lat 200 --stream --chunks 200 --dur 1000"
WORKLOADS = {
    "one": "solo --runs 20 --warm 5 --k 10",
    "long": "solo --runs 3 --warm 2 --k 40",
    "many": "crowd --agents 100 --runs 1 --warm 5 --k 10 --lat 200",
    "stream": f"{STREAM} --grp 2",
}
KEPT = ("one", "long", "many")
WHAT = {
    "one": "one agent, runs of 11 turns",
    "long": "one agent, runs of 41 turns",
    "many": "100 agents at once, runs of 11 turns, 200 ms latency",
    "stream": "200 agents at once, answers of 200 chunks in a second",
}
FIELDS = ("cpu_ms_turn", "turns_s", "cpu_us_chunk", "chunks_s", "rss_end_kb")


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A target that is a ratio to another system.

    Attributes:
        key: The field that is compared.
    """

    name: str
    workload: str
    peer: str
    key: str
    what: str
    unit: str
    at_most: float | None = None


BOUNDS = (
    Bound(
        name="P1.one_over_pi",
        workload="one",
        peer="pi",
        key="cpu_ms_turn",
        what="CPU per turn, one agent, over pi",
        unit="ms",
        at_most=0.8,
    ),
    Bound(
        name="P1.many_over_pi",
        workload="many",
        peer="pi",
        key="cpu_ms_turn",
        what="CPU per turn, 100 agents, over pi",
        unit="ms",
        at_most=0.55,
    ),
    Bound(
        name="P1.one_over_loop",
        workload="one",
        peer="floor",
        key="cpu_ms_turn",
        what="CPU per turn, one agent, over the harness's bare loop with a synchronous ledger",
        unit="ms",
        at_most=2.8,
    ),
    Bound(
        name="P1.many_over_loop",
        workload="many",
        peer="floor",
        key="cpu_ms_turn",
        what="CPU per turn, 100 agents, over that loop",
        unit="ms",
        at_most=3.5,
    ),
    Bound(
        name="P2.long_over_pi",
        workload="long",
        peer="pi",
        key="cpu_ms_turn",
        what="CPU per turn in runs of 41 turns, over pi",
        unit="ms",
    ),
    Bound(
        name="P3.chunk_over_pi",
        workload="stream",
        peer="pi",
        key="cpu_us_chunk",
        what="CPU per streamed chunk, 200 agents, over pi",
        unit="µs",
        at_most=0.9,
    ),
    Bound(
        name="P4.extra_over_pi",
        workload="many",
        peer="pi",
        key="gap_p95",
        what="extra latency per turn of 100 agents at 200 ms, p95, over pi",
        unit="ms",
        at_most=0.5,
    ),
)


def commands(harness: Path, peers: Path) -> dict[str, list[str]]:
    """How each system is started, up to the workload."""
    worker = str(harness / "worker.py")
    theirs = str(peers / "venv/bin/python")
    node = str(peers / "pi/node_modules/.bin/node")
    return {
        "dayshift": [PYTHON, str(HERE / "peer.py")],
        "pi": [node, str(harness / "peers/pi_worker.mjs"), "pi"],
        "agno": [theirs, worker, "agno"],
        "langgraph": [theirs, worker, "langgraph"],
        "floor": [PYTHON, worker, "floor+aiohttp"],
    }


async def measure(command: list[str], name: str, workload: str, peers: Path) -> dict[str, Any]:
    """One system on one workload, in a process of its own."""
    is_kept = name == "floor" and workload in KEPT
    if is_kept:
        command = [*command[:-1], "floor+aiohttp+ledger+full"]
    process = await asyncio.create_subprocess_exec(
        *command,
        *WORKLOADS[workload].split(),
        *(["--persist"] if is_kept else []),
        "--server",
        f"http://127.0.0.1:{PORT}",
        env={**os.environ, "PI_ROOT": str(peers / "pi")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, complaint = await asyncio.wait_for(process.communicate(), LIMIT_S)
    finally:
        if process.returncode is None:
            process.kill()
    lines = [line for line in out.splitlines() if line.startswith(b"{")]
    if not lines:
        raise RuntimeError(f"{name}: {complaint[-600:].decode()}")
    told: dict[str, Any] = orjson.loads(lines[-1])
    if "mismatch" in told:
        raise RuntimeError(f"{name}: {told['mismatch']}")
    told["gap_p95"] = (told.get("gap_ms") or {}).get("p95")
    return told


async def all_of_it(
    harness: Path, peers: Path, reps: int
) -> list[dict[tuple[str, str], dict[str, Any]]]:
    """Every repetition: what was measured, by workload and system."""
    model = await asyncio.create_subprocess_exec(
        PYTHON,
        str(harness / "fakellm.py"),
        "--port",
        str(PORT),
        stdout=asyncio.subprocess.PIPE,
    )
    assert model.stdout is not None
    await model.stdout.readline()
    chance = random.Random(7)  # noqa: S311  no secret
    found: list[dict[tuple[str, str], dict[str, Any]]] = []
    try:
        for rep in range(reps):
            found.append({})
            for workload in WORKLOADS:
                systems = list(commands(harness, peers).items())
                chance.shuffle(systems)
                for name, command in systems:
                    print(f"{workload} {name} ({rep + 1}) …", file=sys.stderr, flush=True)
                    try:
                        told = await measure(command, name, workload, peers)
                    except (OSError, RuntimeError, TimeoutError) as error:
                        print(f"  failed: {error}", file=sys.stderr)
                    else:
                        found[-1][workload, name] = told
    finally:
        model.terminate()
        await model.wait()
    return found


def bounded(rep: dict[tuple[str, str], dict[str, Any]]) -> list[Figure]:
    """The targets that are ratios to another system, in one repetition."""
    figures: list[Figure] = []
    for one in BOUNDS:
        ours, theirs = rep.get((one.workload, "dayshift")), rep.get((one.workload, one.peer))
        if ours is not None and theirs is not None:
            figures.append(
                figure(
                    one.name,
                    one.what,
                    ours[one.key],
                    one.unit,
                    baseline=theirs[one.key],
                    at_most=one.at_most,
                )
            )
    return figures


def table(reps: list[dict[tuple[str, str], dict[str, Any]]]) -> list[dict[str, Any]]:
    """Medians by workload and system."""
    rows: list[dict[str, Any]] = []
    for workload, name in sorted({key for rep in reps for key in rep}):
        told = [rep[workload, name] for rep in reps if (workload, name) in rep]
        row: dict[str, Any] = {
            "workload": WHAT[workload],
            "system": told[0]["version"] if name != "floor" else "bare loop (aiohttp)",
        }
        for key in (*FIELDS, "gap_p95"):
            values = [one[key] for one in told if one.get(key) is not None]
            is_for_chunks = key in {"cpu_us_chunk", "chunks_s"}
            if values and (key == "rss_end_kb" or is_for_chunks == (workload == "stream")):
                row[key] = statistics.median(values)
        rows.append(row)
    return rows


def main() -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--peers", type=Path, default=Path("build/peers"))
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/peers.json"))
    args = parser.parse_args()
    reps = asyncio.run(all_of_it(args.harness.resolve(), args.peers.resolve(), args.reps))
    rows = medians([bounded(rep) for rep in reps])
    result = {"rows": [one.row() for one in rows], "systems": table(reps)}
    args.out.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
    for one in rows:
        print(f"{one.name:20} {one.value:10.4g} {one.unit} = {one.ratio} x  target {one.target}")
    for row in result["systems"]:
        print(row)


if __name__ == "__main__":
    main()
