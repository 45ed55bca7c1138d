"""The page of figures: what was measured, on what, and each target beside its figure.

``make figures`` runs the benches and takes their figures over into docs/explain/performance.json;
the page is made from that file alone. ``python -m docs.generate.performance [BENCH] [PEERS]`` takes
over what lies in build/; figures that were not measured anew stay, and so do the reasons.
"""

import sys
from pathlib import Path

import msgspec

from docs.generate.markdown import page, table

EXPLAIN = Path(__file__).parents[1] / "explain"
BUILD = Path(__file__).parents[2] / "build"
THOUSAND = 1_000
FRAME_MS_MAX = 33.0
LIGHTHOUSE_MIN = 95.0
QUIET_SHARE = 0.25
"""Load of each core from which the machine counts as busy."""
RESULTS = EXPLAIN / "performance.json"
PAGE = EXPLAIN / "performance.md"
INTRODUCTION = """
`make bench` measures the real server process through its own doors, and writes `build/bench.json`.
The model is a scripted server on the same machine: nothing is paid for, nothing leaves it.

A figure is a ratio where it can be one.
Then a bare client sends the same bytes to the same server in the same run.
For a turn it also keeps each answer in a synchronous ledger, for a chunk it does not.
Ratios and CPU time carry over to other machines; seconds do not.
Repetitions of all benches are interleaved, and the middle one counts.
"""
HOW = """
## How each is measured

- **P1, P7**: each agent works eight turns with a tool call and one without, from an empty dialogue.
  Commits are counted in SQLite's log, rows in the tables, bytes where the kernel sends them to the disk.
- **P2**: a run of twelve turns with a call and one without, in a dialogue that really holds so many messages when it begins, against one that is empty then.
- **P3**: CPU of the server for each chunk of a streamed answer, with one watcher of the feed.
  The stall is how long the health page takes to answer another process meanwhile.
- **P4**: turns per second beside what the model's latency alone would allow, from the first person's message to the last agent's end.
  All agents begin at the same moment, which is the worst case.
- **P5**: from the time that the person's message carries, taken while it is written and before its commit is flushed, until the model request arrives; so with both commits, the message's and the run's.
  From the moment it is sent there is the request besides.
  Agents at work are spread over their runs.
- **P6**: the attention filter alone, in one process, against asking each agent in turn; and CPU of the server for a broadcast sent to it, with the event, its decisions and five items committed.
- **P8**: resident memory of the server, with agents and without.
- **P9**: an office at rest, from outside.
  A wake-up is a voluntary switch of any of the server's threads.
- **P10**: what a thousand clients really received, while one of them reads nothing.
- **P11**: from the start of the process to the first model request, full against empty.
- **P12**: `dayshift --help`, and `dayshift up` to its first page.
- **P13**: tools and messages of each request against those of the request before, as bytes.
- **P14**: 47 agents play a scene of nine turns for every broadcast they hear, once by their keywords and once hearing everything.
  There are fifteen broadcasts, each concerns three of them; the product has no company day yet, so no meetings, shifts or reports are in it.
- **P15**: the first page and every script and style it names, each compressed.
- **P16**: a clone with empty caches of packages, which come from a registry nearby; `make bench ONLY=P16`, which is not among those that `make bench` runs.
  The browser, the fonts and bubblewrap were there.
"""  # noqa: E501  a sentence a line
NOT_MEASURED = """
## What is not measured, or not in the same run

- **P1 beside openai-agents**: only the three systems below are installed.
- **P14 as a company's week**: see above.
- **P15, frames and Lighthouse**: these are from the last run of the browser's own benches.
- **P8 and P16**: these are from later runs, on a slower machine of the same kind.
"""
PEERS = """
## Beside other systems

The same work against the same scripted server in one run, by a harness that is no part of this repository: `python tests/bench/peers.py --harness FOLDER`, after `tests/bench/install_peers.sh`.
Each system is as it comes, with telemetry off, one tool, and a fresh dialogue for each run.
Dayshift is its own server process: the work comes in as messages of a person, and its ledger is on the disk with every turn.
Pi, agno and LangGraph run in the process that calls them and keep nothing.
The bare loop keeps a synchronous ledger too, but for the streams.
CPU is that of the system's process; the gap is from the end of an answer to the next request of the same agent.
"""  # noqa: E501  a sentence a line


class Row(msgspec.Struct, frozen=True):
    """One figure, as the benches write it."""

    name: str
    what: str
    value: float
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    target: float | None = None
    met: bool | None = None


class System(msgspec.Struct, frozen=True, omit_defaults=True):
    """One system on one workload; CPU of a turn in milliseconds, of a chunk in microseconds."""

    workload: str
    system: str
    cpu_ms_turn: float | None = None
    turns_s: float | None = None
    gap_p95: float | None = None
    cpu_us_chunk: float | None = None
    chunks_s: float | None = None
    rss_end_kb: float | None = None


class Score(msgspec.Struct, frozen=True):
    """What Lighthouse says of a page, of 100."""

    performance: float


class Peers(msgspec.Struct, frozen=True):
    """What a run beside other systems gave."""

    rows: list[Row] = []
    systems: list[System] = []


class BenchRun(msgspec.Struct, frozen=True):
    """When and on what the benches ran.

    Attributes:
        load: Of the minute before they began.
        minutes: How long they took.
    """

    machine: str
    load: float
    cores: int
    minutes: float

    def said(self) -> str:
        """What else the machine did, in words."""
        busy = self.load > self.cores * QUIET_SHARE
        state = "busy with other work" if busy else "quiet"
        worse = ", so times are worse than they would be" if busy else ""
        return (
            f"The machine was {state}: a load of {self.load} on {self.cores} cores before the "
            f"benches began{worse}.\nThey took {self.minutes} minutes."
        )


class Results(msgspec.Struct, frozen=True):
    """What a run of the benches gave.

    Attributes:
        load: What else the machine did meanwhile, in words.
        reasons: Why a target is missed, by the figure's name, or its beginning.
    """

    machine: str
    load: str
    rows: list[Row]
    reasons: dict[str, str] = {}
    systems: list[System] = []


def performance_page() -> str:
    """The page, from the committed results."""
    results = msgspec.json.decode(RESULTS.read_bytes(), type=Results)
    measured = f"Measured on {results.machine}.\n{results.load}"
    rows = [
        (row.name, row.what, _number(row.value, row.unit), _ratio(row), _target(row), _verdict(row))
        for row in results.rows
    ]
    head = ("figure", "what", "value", "ratio to its baseline", "target", "")
    missed = [row.name for row in results.rows if row.met is False]
    reasons = [f"- **{name}**: {_reason(name, results.reasons)}" for name in missed]
    return page(
        "Performance",
        INTRODUCTION,
        measured,
        table(head, rows),
        "## Missed targets" if reasons else "",
        "\n".join(reasons),
        PEERS if results.systems else "",
        _systems(results.systems) if results.systems else "",
        NOT_MEASURED,
        HOW,
    )


def _reason(name: str, reasons: dict[str, str]) -> str:
    """The reason given for a figure, or for the longest beginning of its name."""
    fitting = [start for start in reasons if name.startswith(start)]
    reason = reasons[max(fitting, key=len)] if fitting else "not explained yet"
    return reason.replace(". ", ".\n  ")


def _systems(systems: list[System]) -> str:
    head = ("work", "system", "CPU", "per second", "gap p95", "memory at the end")
    return table(head, [_system(one) for one in systems])


def _system(one: System) -> tuple[str, ...]:
    if one.cpu_us_chunk is not None:
        cost, rate = f"{one.cpu_us_chunk:.3g} µs a chunk", f"{one.chunks_s or 0:,.0f} chunks"
    else:
        cost, rate = f"{one.cpu_ms_turn or 0:.3g} ms a turn", f"{one.turns_s or 0:,.0f} turns"
    gap = "" if one.gap_p95 is None else f"{one.gap_p95:,.3g} ms"
    return one.workload, one.system, cost, rate, gap, f"{(one.rss_end_kb or 0) / 1024:,.0f} MB"


def _number(value: float, unit: str) -> str:
    return f"{value:,.3g} {unit}" if abs(value) < THOUSAND else f"{value:,.0f} {unit}"


def _ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.3g} times {row.baseline:,.3g}"


def _target(row: Row) -> str:
    return "" if row.target is None else f"{row.target:.3g}"


def _verdict(row: Row) -> str:
    return {True: "met", False: "missed", None: ""}[row.met]


def take_over(bench: Path, peers: Path) -> None:
    """Put the figures of a run into the committed results; reasons and other figures stay."""
    before = msgspec.json.decode(RESULTS.read_bytes(), type=Results)
    rows = msgspec.json.decode(bench.read_bytes(), type=list[Row])
    run = bench.with_name(f"{bench.stem}-run.json").read_bytes()
    told = msgspec.json.decode(run, type=BenchRun)
    beside = (
        msgspec.json.decode(peers.read_bytes(), type=Peers)
        if peers.is_file()
        else Peers(systems=before.systems)
    )
    seen = _browser_rows(bench.parent)
    fresh = {row.name: row for row in [*before.rows, *rows, *beside.rows, *seen]}
    results = Results(
        told.machine,
        told.said(),
        sorted(fresh.values(), key=_order),
        before.reasons,
        beside.systems,
    )
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")
    PAGE.write_text(performance_page(), encoding="utf-8")


def _browser_rows(build: Path) -> list[Row]:
    """What the browser tests have left of the last time they measured, worst first."""
    rows: list[Row] = []
    frames, pages = build / "frames.json", build / "lighthouse.json"
    if frames.is_file():
        told = msgspec.json.decode(frames.read_bytes(), type=dict[str, dict[str, float]])
        worst = max(one["p95"] for one in told.values() if "p95" in one)
        what = "frame while the page is streamed to or scrolled, p95, worst of the pages"
        rows.append(_bounded("P15.frame", what, worst, "ms", met=worst <= FRAME_MS_MAX))
    if pages.is_file():
        scores = msgspec.json.decode(pages.read_bytes(), type=dict[str, Score])
        for screen in ("desktop", "phone"):
            least = min(one.performance for page, one in scores.items() if page.endswith(screen))
            what = f"Lighthouse, performance, lowest of the pages, as on a {screen}"
            name = f"P15.lighthouse_{screen}"
            rows.append(_bounded(name, what, least, "", met=least >= LIGHTHOUSE_MIN))
    return rows


def _bounded(name: str, what: str, value: float, unit: str, *, met: bool) -> Row:
    target = FRAME_MS_MAX if unit else LIGHTHOUSE_MIN
    return Row(name=name, what=what, value=value, unit=unit, target=target, met=met)


def _order(row: Row) -> tuple[int, str]:
    return int(row.name.partition(".")[0].removeprefix("P")), row.name


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]]
    take_over(*(given + [BUILD / "bench.json", BUILD / "peers.json"][len(given) :]))
