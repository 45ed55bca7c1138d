"""The soak: ``python -m tests.soak [--short] [--minutes 10] [--agents 200] [--people 20]``.

``--postgres`` keeps the ledger in a PostgreSQL server of its own, whose connections are cut;
``--simulated`` lets the office live by a clock that runs with its work.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import logging
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dayshift.testing.postgres import PostgresServer
from tests.soak import verdict
from tests.soak.chaos import Chaos
from tests.soak.house import House
from tests.soak.machine import cut_some
from tests.soak.model import Mind, served
from tests.soak.people import Counts, Person, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable

REST_S = 120.0
LOOKS = 5
"""How often a server that has become warm is looked at until the end."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How long, how many, how wild.

    Attributes:
        pause_s: Mean pause of a person between two deeds.
        chaos_s: Mean pause between two faults.
        stall: Whether model streams may fall silent, which takes a minute to be noticed.
    """

    seconds: float
    agents: int
    people: int
    seed: int = 1
    pause_s: float = 1.0
    chaos_s: float = 6.0
    stall: bool = True
    simulated: bool = True


SHORT = Plan(seconds=14, agents=40, people=8, pause_s=0.4, chaos_s=0.8, stall=False)


async def soak(
    plan: Plan, home: Path, *, database: str = "", cut: Callable[[], int] | None = None
) -> tuple[dict[str, object], list[str]]:
    """Live through it; returns what was counted and what was wrong."""
    house = House(home, database=database)
    counts = Counts()
    mind = Mind(plan.seed, plan.agents, stall=plan.stall)
    chaos = Chaos(house, plan.seed, cut_connection=cut)
    async with served(mind) as model:
        house.write(model.openai_url, plan.agents, simulated=plan.simulated)
        await house.start()
        watcher = Watcher(house)
        over, gone = asyncio.Event(), asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(watcher.watch(gone))
                async with asyncio.TaskGroup() as work:
                    await _live(
                        plan, house, counts, work=work, over=over, chaos=chaos, watcher=watcher
                    )
                mind.noise = 0.0
                async with house.http() as http:
                    await verdict.settled(house, http, REST_S)
                    await house.measure("end", told=watcher.last)
                    wrong = await verdict.faults(house, http, counts, watcher)
                    runs = await house.every(http, "runs")
                gone.set()
                watching.cancel()
            await house.end(signal.SIGTERM)
        finally:
            if house.process is not None and house.process.poll() is None:
                house.process.kill()
                house.process.wait()
        wrong += verdict.after_the_end(house)
    ends: dict[str, int] = {}
    for run in runs:
        ends[run["state"]] = ends.get(run["state"], 0) + 1
    told: dict[str, object] = {
        "messages accepted": sum(map(len, counts.said.values())),
        "tasks made": len(counts.tasks),
        "tries again": counts.retries,
        "refused": counts.refused,
        "runs": ends,
        "entries in the feed": watcher.last,
        "dialogues compacted": sum(b'"dialogue_compacted"' in frame for frame in watcher.frames),
        "feed taken up again": watcher.resumed,
        "streams cut": mind.cuts,
        "streams stalled": mind.stalls,
        "model busy": mind.busy,
        "server starts": house.starts,
        **chaos.counts,
        **{f"at {name}": mark for name, mark in house.marks.items()},
    }
    return told, wrong


async def _live(
    plan: Plan,
    house: House,
    counts: Counts,
    *,
    work: asyncio.TaskGroup,
    over: asyncio.Event,
    chaos: Chaos,
    watcher: Watcher,
) -> None:
    """People work; things go wrong, then such as a server lives through; then all of it ends."""
    tokens = await _tokens(house, plan.people)
    for n, token in enumerate(tokens):
        person = Person(house, counts, n=n, token=token, agents=plan.agents)
        work.create_task(person.live(over, plan.pause_s))
    await asyncio.sleep(plan.seconds / 10)
    await _rage(plan, chaos, work=work, share=0.4)
    await asyncio.sleep(plan.seconds / 10)
    await house.measure("warm", told=watcher.last)
    ageing = work.create_task(_ageing(plan, house, watcher, share=0.4))
    await _rage(plan, chaos, work=work, share=0.4, is_sparing=True)
    await ageing
    await house.measure("work's end", told=watcher.last)
    over.set()


async def _ageing(plan: Plan, house: House, watcher: Watcher, *, share: float) -> None:
    """Measure the server a few times on its way, so that one sees whether it is flat."""
    for part in range(1, LOOKS):
        await asyncio.sleep(plan.seconds * share / LOOKS)
        await house.measure(f"{part}/{LOOKS} of the way", told=watcher.last)


async def _rage(
    plan: Plan, chaos: Chaos, *, work: asyncio.TaskGroup, share: float, is_sparing: bool = False
) -> None:
    """Let things go wrong for a share of the time."""
    quiet = asyncio.Event()
    raging = work.create_task(chaos.rage(quiet, plan.chaos_s, is_sparing=is_sparing))
    await asyncio.sleep(plan.seconds * share)
    quiet.set()
    await raging


async def _tokens(house: House, people: int) -> list[str]:
    found: list[str] = []
    async with house.http() as http:
        for n in range(people):
            wish = {"name": f"person {n}", "scopes": ["*"]}
            async with http.post(f"{house.url}/api/tokens", json=wish) as reply:
                reply.raise_for_status()
                found.append((await reply.json())["secret"])
    return found


def main() -> None:
    """Run it and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder for the home, kept afterwards")
    args = parser.parse_args()
    plan = SHORT
    if not args.short:
        seconds = args.minutes * 60
        plan = Plan(
            seconds=seconds,
            agents=args.agents,
            people=args.people,
            seed=args.seed,
            simulated=args.simulated,
        )
    # A client that goes away in the middle of an answer is what this is about.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        home = args.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="dayshift-soak-"))
        )
        url = stack.enter_context(PostgresServer()).new_database() if args.postgres else ""
        cut = functools.partial(cut_some, url) if url else None
        told, wrong = asyncio.run(soak(plan, home, database=url, cut=cut))
    for name, value in told.items():
        sys.stdout.write(f"{name:24} {value}\n")
    sys.stdout.write(f"{'seconds':24} {time.monotonic() - began:.0f}\n")
    for line in wrong[:50]:
        sys.stdout.write(f"WRONG: {line}\n")
    sys.stdout.write(f"{len(wrong)} wrong\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
