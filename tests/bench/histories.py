"""P2 and P13: a run in a dialogue that holds so many messages already, beside one that holds none."""

import statistics
from dataclasses import dataclass
from itertools import pairwise

from figures import Figure, figure
from rig import Fake, Server, cpu_s, fake_model, office
from turns import clear, equal_bytes, kept, messages_in, prompt_of, round_of

CALLS = 12
"""More than the short runs have, whose calls are all alike and would be taken for standing still."""
TURNS = CALLS + 1
LONG_TURNS = 41


@dataclass(frozen=True)
class Length:
    """How many messages a dialogue holds at least, how often it is measured, and the bound."""

    messages: int
    rounds: int
    at_most: float | None = None


LENGTHS = (Length(0, 6), Length(40, 5, 1.2), Length(200, 3, 1.5), Length(800, 3, 2.5))
WARM = 6


def script(calls: int) -> str:
    """So many turns with a call, and one without."""
    return f"k{calls}-c2-l0-p0"


async def filled(fake: Fake, server: Server, messages: int) -> int:
    """An emptied dialogue with so many messages, and how many it has now."""
    await clear(server, 1)
    held = 0
    while held < messages:  # ends: each run adds more than twenty
        held = messages_in((await kept(fake, server))[-1]) + 1
    return held


async def cost_ms(fake: Fake, server: Server, length: Length) -> tuple[float, float]:
    """CPU per turn of one run, the middle of some; and how many messages it found, on average."""
    costs: list[float] = []
    found: list[int] = []
    held = await filled(fake, server, length.messages)
    for _ in range(length.rounds):
        if length.messages < LENGTHS[-1].messages and costs:
            held = await filled(fake, server, length.messages)
        found.append(held)
        await fake.reset()
        before = cpu_s(server.pid)
        await round_of(server, 1)
        costs.append((cpu_s(server.pid) - before) / TURNS * 1000)
        held += 2 * TURNS
    return statistics.median(costs), statistics.mean(found)


async def history() -> list[Figure]:
    """P2: CPU per turn of a run of 13 turns, by what the dialogue holds when it begins."""
    costs: dict[int, tuple[float, float]] = {}
    async with fake_model() as fake, office(fake, script(CALLS), 1) as server:
        for _ in range(WARM):
            await round_of(server, 1)
        for length in LENGTHS:
            costs[length.messages] = await cost_ms(fake, server, length)
    return [
        figure(
            f"P2.{length.messages}",
            f"CPU per turn of a run that finds a dialogue of {costs[length.messages][1]:.0f} "
            "messages, over an empty one",
            costs[length.messages][0],
            "ms",
            baseline=costs[0][0],
            at_most=length.at_most,
        )
        for length in LENGTHS[1:]
    ]


async def long_run() -> list[Figure]:
    """P13: prompt bytes of a run of 41 turns, and what of them the request before has sent."""
    async with fake_model() as fake, office(fake, script(LONG_TURNS - 1), 1) as server:
        bodies = await kept(fake, server)
    if len(bodies) != LONG_TURNS:
        raise RuntimeError(f"{len(bodies)} requests in a run of {LONG_TURNS} turns")
    repeated = could = 0
    for before, now in pairwise(map(prompt_of, bodies)):
        repeated += equal_bytes(before, now)
        could += len(before)
    sent = sum(map(len, bodies))
    return [
        figure("P13.bytes", f"prompt bytes of a run of {LONG_TURNS} turns", sent / 1000, "kB"),
        figure(
            "P13.share",
            "share of what the request before sent that stands at the beginning of the next",
            repeated / could,
            "share",
            at_least=1.0,
        ),
        figure(
            "P13.new",
            "share of all prompt bytes that were new to the provider's cache",
            (sent - repeated) / sent,
            "share",
        ),
    ]
