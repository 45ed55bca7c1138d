"""P14: an office of 47 on the rehearsal, without waits, with and without the attention filter.

There are no meetings, shifts or reports in it, only what the outside tells the office: five rounds
of broadcasts, each of which concerns three of the staff. Simulated time stands still at speed 0.
"""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

import orjson
from figures import Figure, figure
from rig import OFFICE, Server, cpu_s, fake_model, office, server
from sizes import post
from turns import K, measured, round_of

STAFF = 47
TEAMS = 16
DAYS = 5
EVENTS = 3
LIMIT_S = 300.0
PLAY = "{name: week, scenes: [{steps: [%s, {text: 'Seen, and done with it.'}]}]}\n"
STEP = "{calls: [{tool: get_time, arguments: {}}]}"


def write_week(home: Path, *, hears_all: bool) -> None:
    """An office whose staff plays one scene for whatever it hears."""
    folder = home / "offices" / OFFICE
    folder.mkdir(parents=True)
    more = ", salience_threshold: 0" if hears_all else ""
    clock = "{mode: simulated, sim_seconds_per_real_second: 0, start_date: '2026-01-05'}"
    lines = [
        f"office: {{name: {OFFICE}, model: 'rehearsal:screenplay', clock: {clock}}}",
        "agents:",
        *(f"  - {{name: a{n}, keywords: [team{n % TEAMS}]{more}}}" for n in range(STAFF)),
    ]
    (folder / "office.yaml").write_text("\n".join(lines) + "\n")
    (folder / "screenplay.yaml").write_text(PLAY % ", ".join([STEP] * K))


@contextlib.asynccontextmanager
async def opened(*, hears_all: bool) -> AsyncGenerator[Server]:
    """A server with such an office."""
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        write_week(Path(folder), hears_all=hears_all)
        async with server(Path(folder)) as running:
            yield running


async def at_rest(running: Server) -> None:
    """Wait until nobody works and nothing waits."""
    async with asyncio.timeout(LIMIT_S):
        while True:  # ends at rest, or by the limit
            snapshot = await running.get("snapshot")
            if not snapshot["runs"] and not any(
                item["state"] in {"queued", "taken"} for item in snapshot["items"].values()
            ):
                return
            await asyncio.sleep(0.2)


async def live(running: Server) -> dict[str, float]:
    """Five rounds of broadcasts; turns, tokens and CPU."""
    before = cpu_s(running.pid)
    for day in range(DAYS):
        for n in range(EVENTS):
            team = (day * EVENTS + n) % TEAMS
            text = f"Day {day}: a delivery for team{team} is at the gate, number {n}."
            await post(running, "events", {"source": "custom", "type": "news", "text": text})
        await at_rest(running)
    used = cpu_s(running.pid) - before
    async with running.http.get(running.path("usage"), headers=running.headers) as reply:
        total = orjson.loads(await reply.read())["total"]
    return {"cpu_s": used, "turns": total["requests"], "tokens": total["input_tokens"]}


async def week() -> list[Figure]:
    """CPU per turn beside that of P1, and tokens with the filter beside those without."""
    weeks: dict[bool, dict[str, float]] = {}
    for hears_all in (False, True):
        async with opened(hears_all=hears_all) as running:
            weeks[hears_all] = await live(running)
    async with fake_model() as fake, office(fake, f"k{K}-c2-l0-p0", STAFF) as running:
        await round_of(running, STAFF)
        turn = await measured(fake, running, STAFF, 2, fresh=True)
    filtered, whole = weeks[False], weeks[True]
    if whole["turns"] != DAYS * EVENTS * STAFF * (K + 1):
        raise RuntimeError(f"{whole['turns']} turns when all hear everything")
    return [
        figure(
            "P14.cpu",
            f"CPU per turn of {STAFF} agents on the rehearsal, hearing everything, "
            f"over a turn of as many over HTTP; {whole['turns']:.0f} turns",
            whole["cpu_s"] / whole["turns"] * 1000,
            "ms",
            baseline=turn["cpu_ms"],
            at_most=1.2,
        ),
        figure(
            "P14.tokens",
            "tokens sent with the attention filter over those without, "
            f"{filtered['turns']:.0f} turns",
            filtered["tokens"] / 1e6,
            "M",
            baseline=whole["tokens"] / 1e6,
            at_most=0.1,
        ),
    ]
