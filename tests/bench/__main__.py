"""All benches, repetitions interleaved, into build/bench.json; on what and when beside it.

``python tests/bench [--quick] [--only P1,P6] [--minutes 1]``: once each, some of them, or with a
longer look at an office at rest, for which the target says ten minutes.
"""

import argparse
import asyncio
import os
import platform
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import crowds
import disk
import fresh
import histories
import orjson
import rooms
import sizes
import turns
import week
from figures import Figure, medians

Bench = Callable[[], Awaitable[list[Figure]] | list[Figure]]


def benches(idle_s: float) -> dict[str, tuple[Bench, int]]:
    """Every bench by its target, and how often it is repeated."""
    return {
        "P1.one": (lambda: turns.a_turn(1, 20), 3),
        "P1.many": (lambda: turns.a_turn(100, 2), 3),
        "P2": (histories.history, 1),
        "P3": (lambda: turns.streaming(100, 200), 3),
        "P3.stall": (lambda: crowds.stalls(200, 200), 2),
        "P4.100": (lambda: crowds.paced(100, 200), 3),
        "P4.500": (lambda: crowds.paced(500, 2_000), 1),
        "P5.200": (lambda: crowds.reaction(200), 2),
        "P5.1000": (lambda: crowds.reaction(1_000), 1),
        "P5.busy": (lambda: crowds.reaction(200, 50), 1),
        "P6": (rooms.attention, 3),
        "P7.one": (lambda: disk.rows_and_commits(1), 2),
        "P7.many": (lambda: disk.rows_and_commits(100), 2),
        "P7.long": (disk.long_runs, 2),
        "P8": (sizes.by_agents, 1),
        "P8.running": (rooms.in_flight, 1),
        "P9": (lambda: rooms.idle(idle_s), 1),
        "P10": (lambda: rooms.feed(1_000, 10), 1),
        "P11": (rooms.restart, 1),
        "P12.up": (sizes.starts, 1),
        "P12.help": (rooms.help_cpu, 1),
        "P13": (histories.long_run, 1),
        "P14": (week.week, 1),
        "P16": (fresh.fresh, 1),
    }


WHEN_NAMED = {"P16"}
"""Asks other machines for packages, and takes a quarter of an hour."""


async def run(only: list[str], *, quick: bool, minutes: float) -> list[Figure]:
    """Run what is asked for, round by round."""
    chosen = {
        name: bench
        for name, bench in benches(minutes * 60).items()
        if (not only and name not in WHEN_NAMED)
        or any(f"{name}.".startswith(f"{one}.") for one in only)
    }
    repeats: list[list[Figure]] = []
    for round_ in range(1 if quick else max(times for _, times in chosen.values())):
        for name, (bench, times) in chosen.items():
            if round_ >= times:
                continue
            began = time.monotonic()
            print(f"{name} ({round_ + 1}) …", end="", file=sys.stderr, flush=True)
            try:
                made = bench()
                repeats.append(made if isinstance(made, list) else await made)
            except Exception as error:
                print(f" failed: {error!r}", end="", file=sys.stderr)
            print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
    return medians(repeats)


def machine() -> str:
    """What it was measured on."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def main() -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=Path("build/bench.json"))
    args = parser.parse_args()
    only = [one for one in args.only.split(",") if one]
    told = {"machine": machine(), "load": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
    began = time.monotonic()
    figures = asyncio.run(run(only, quick=args.quick, minutes=args.minutes))
    told["minutes"] = round((time.monotonic() - began) / 60, 1)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(orjson.dumps([one.row() for one in figures], option=orjson.OPT_INDENT_2))
    args.out.with_name(f"{args.out.stem}-run.json").write_bytes(orjson.dumps(told))
    print(told)
    for one in figures:
        mark = {True: "met", False: "MISSED", None: ""}[one.met]
        bound = "" if one.target is None else f"target {one.target:g}"
        ratio = "" if one.ratio is None else f"= {one.ratio:.3g} x {one.baseline:.4g}"
        held = f"{one.name:22} {one.value:12.4g} {one.unit:6} {ratio:22}"
        print(f"{held} {bound:14} {mark:7} {one.what}")


if __name__ == "__main__":
    main()
