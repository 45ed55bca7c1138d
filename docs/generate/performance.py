"""The page of figures: what was measured, on what, and each target beside its figure.

``python -m docs.generate.performance RESULT MACHINE LOAD`` takes a run of the benches over into
docs/explain/performance.json; the page is made from that file alone.
"""

import sys
from pathlib import Path

import msgspec

from docs.generate.markdown import page, table

EXPLAIN = Path(__file__).parents[1] / "explain"
THOUSAND = 1_000
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
- **P2**: the same in one dialogue that really holds so many messages.
- **P3**: CPU of the server for each chunk of a streamed answer, with one watcher of the feed.
- **P4**: turns per second beside what the model's latency alone would allow.
- **P5**: from the moment the person's message is sent until the model request arrives.
- **P6**: the attention filter alone, in one process, against asking each agent in turn.
- **P8**: resident memory of the server, with agents and without.
- **P9**: an office at rest, from outside.
- **P10**: what a thousand clients really received, while one of them reads nothing.
- **P11**: from the start of the process to the first model request, full against empty.
- **P12**: `dayshift --help`, and `dayshift up` to its first page.
- **P13**: tools and messages of each request against those of the request before, as bytes.
"""


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


class Results(msgspec.Struct, frozen=True):
    """What a run of the benches gave.

    Attributes:
        load: What else the machine did meanwhile, in words.
        reasons: Why a target is missed, by the figure's name.
    """

    machine: str
    load: str
    rows: list[Row]
    reasons: dict[str, str] = {}


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
    reasons = [f"- **{name}**: {results.reasons.get(name, 'not explained yet')}" for name in missed]
    return page(
        "Performance",
        INTRODUCTION,
        measured,
        table(head, rows),
        "## Missed targets" if reasons else "",
        "\n".join(reasons),
        HOW,
    )


def _number(value: float, unit: str) -> str:
    return f"{value:,.3g} {unit}" if abs(value) < THOUSAND else f"{value:,.0f} {unit}"


def _ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.3g} times {row.baseline:,.3g}"


def _target(row: Row) -> str:
    return "" if row.target is None else f"{row.target:.3g}"


def _verdict(row: Row) -> str:
    return {True: "met", False: "missed", None: ""}[row.met]


def take_over(file: Path, *, machine: str, load: str) -> None:
    """Put the figures of a run into the committed results; reasons and other figures stay."""
    rows = msgspec.json.decode(file.read_bytes(), type=list[Row])
    before = (
        msgspec.json.decode(RESULTS.read_bytes(), type=Results)
        if RESULTS.is_file()
        else Results(machine, load, [])
    )
    fresh = {row.name: row for row in before.rows} | {row.name: row for row in rows}
    ordered = sorted(fresh.values(), key=_order)
    results = Results(machine, load, ordered, before.reasons)
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")
    PAGE.write_text(performance_page(), encoding="utf-8")


def _order(row: Row) -> tuple[int, str]:
    return int(row.name.partition(".")[0].removeprefix("P")), row.name


if __name__ == "__main__":
    take_over(Path(sys.argv[1]), machine=sys.argv[2], load=sys.argv[3])
