"""Figures: what a bench gives, and how they are written down."""

import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured figure.

    Attributes:
        name: ``P1.one_agent`` and the like; the number is the target's.
        baseline: What it is compared with, in the same unit and run; ``None`` for none.
        ratio: Value over baseline, or the value itself where the target is an absolute one.
        target: The bound, as it is compared; ``None`` where there is none.
        met: Whether it holds; ``None`` where there is no target.
    """

    name: str
    what: str
    value: float
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    target: float | None = None
    met: bool | None = None

    def row(self) -> dict[str, object]:
        """As it is written to the result file."""
        return asdict(self)


def figure(
    name: str,
    what: str,
    value: float,
    unit: str,
    *,
    baseline: float | None = None,
    at_most: float | None = None,
    at_least: float | None = None,
) -> Figure:
    """A figure held to a bound: of its ratio to the baseline where there is one, else of itself."""
    ratio = value / baseline if baseline else None
    held = value if ratio is None else ratio
    target = at_most if at_most is not None else at_least
    met = None
    if at_most is not None:
        met = held <= at_most
    elif at_least is not None:
        met = held >= at_least
    return Figure(
        name=name,
        what=what,
        value=round(value, 4),
        unit=unit,
        baseline=None if baseline is None else round(baseline, 4),
        ratio=None if ratio is None else round(ratio, 4),
        target=target,
        met=met,
    )


def medians(repeats: list[list[Figure]]) -> list[Figure]:
    """The middle of interleaved repetitions, figure by figure."""
    by_name: dict[str, list[Figure]] = {}
    for figures in repeats:
        for one in figures:
            by_name.setdefault(one.name, []).append(one)
    return [_middle(same) for same in by_name.values()]


def _middle(same: list[Figure]) -> Figure:
    ordered = sorted(same, key=lambda one: one.value if one.ratio is None else one.ratio)
    return ordered[(len(ordered) - 1) // 2]


def percentile(values: list[float], share: float) -> float:
    """A percentile of some values; 0 for none."""
    if not values:
        return 0.0
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=1000, method="inclusive")[min(998, int(share * 1000) - 1)]
