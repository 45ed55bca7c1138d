"""Where the CPU time of a turn or of a chunk goes: ``python tests/bench/shares.py one|many|chunks``.

Its shares are the reasons that docs/explain/performance.json gives for missed targets.
"""

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import orjson
from rig import PYTHON, cpu_s, fake_model, server, write_home
from turns import K, clear, round_of

WORK = {
    "one": (1, 40, f"k{K}-c2-l0-p0"),
    "many": (100, 4, f"k{K}-c2-l0-p0"),
    "chunks": (100, 2, "k0-c200-l0-p5"),
}
LEAST = 0.01


async def shares(name: str) -> tuple[Counter[str], dict[str, float]]:
    """Samples by thread, room and library; CPU seconds of each thread."""
    agents, rounds, script = WORK[name]
    program = (PYTHON, str(Path(__file__).with_name("with_samples.py")))
    with tempfile.TemporaryDirectory(prefix="dayshift-bench-") as folder:
        found = Path(folder, "samples.json")
        os.environ["DAYSHIFT_SAMPLES"] = str(found)
        async with fake_model() as fake:
            write_home(Path(folder), fake.port, script, agents)
            async with server(Path(folder), program) as running:
                await round_of(running, agents)
                os.kill(running.pid, signal.SIGUSR1)
                before, began = threads(running.pid), cpu_s(running.pid)
                for _ in range(rounds):
                    await clear(running, agents)
                    await round_of(running, agents)
                used = {
                    thread: cpu - before.get(thread, 0.0)
                    for thread, cpu in threads(running.pid).items()
                }
                used["all"] = cpu_s(running.pid) - began
                os.kill(running.pid, signal.SIGUSR2)
                limit = time.monotonic() + 5
                while not found.exists() and time.monotonic() < limit:  # noqa: ASYNC110  it tells by a file
                    await asyncio.sleep(0.05)
        return Counter(orjson.loads(found.read_bytes())), used


def threads(pid: int) -> dict[str, float]:
    """CPU seconds by the name of the thread."""
    used: dict[str, float] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text().strip() + f" {task.name}"
        used[name] = int((task / "schedstat").read_text().split()[0]) / 1e9
    return used


def main() -> None:
    """Print the shares, largest first."""
    found, used = asyncio.run(shares(sys.argv[1]))
    total = found.total()
    print(f"{total} samples")
    for thread, seconds in sorted(used.items(), key=lambda item: -item[1])[:6]:
        print(f"{seconds / used['all']:7.1%}  {thread}")
    rooms: Counter[str] = Counter()
    for key, count in found.items():
        rooms[key.partition(" > ")[0]] += count
    for title, counts in (("by room that asks", rooms), ("and where that is", found)):
        print(title)
        for key, count in counts.most_common(24):
            if count >= total * LEAST:
                print(f"{count / total:7.1%}  {key}")


if __name__ == "__main__":
    main()
