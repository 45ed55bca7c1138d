"""P13: what a run of 41 turns sends, and how much of it the request before has sent already."""

from itertools import pairwise

from figures import Figure, figure
from rig import fake_model, office
from turns import equal_bytes, kept, prompt_of

TURNS = 41


async def long_run() -> list[Figure]:
    """Prompt bytes of the run, and the share that lies in the prefix of the request before."""
    async with fake_model() as fake, office(fake, f"k{TURNS - 1}-c2-l0-p0", 1) as server:
        bodies = await kept(fake, server)
    if len(bodies) != TURNS:
        raise RuntimeError(f"{len(bodies)} requests in a run of {TURNS} turns")
    repeated = could = 0
    for before, now in pairwise(map(prompt_of, bodies)):
        repeated += equal_bytes(before, now)
        could += len(before)
    sent = sum(map(len, bodies))
    return [
        figure("P13.bytes", f"prompt bytes of a run of {TURNS} turns", sent / 1000, "kB"),
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
