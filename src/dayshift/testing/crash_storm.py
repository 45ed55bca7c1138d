"""A storm of crashes: one job, killed at every commit in turn, and compared with one left alone."""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dayshift.testing.crash import Death, Life, Nursery, Side
from dayshift.testing.crash_job import Findings

SIDES: tuple[Side, Side] = ("before", "after")


@dataclass(frozen=True)
class Point:
    """Where a life is ended: before or after its ``commit``-th commit."""

    commit: int
    side: Side


@dataclass(frozen=True)
class Outcome:
    """What became of a job that was killed at a point. ``wrong`` is empty when all is as it was."""

    point: Point
    killed: bool
    wrong: str


class Storm:
    """Kills copies of one office, several at a time."""

    def __init__(
        self, folder: Path, copy_database: Callable[[], str] = str, *, at_once: int = 2
    ) -> None:
        """``copy_database`` gives the URL of a copy of the template's; empty for SQLite's file."""
        self._folder = folder
        self._copy_database = copy_database
        self._at_once = at_once
        self._made = 0
        self._lock = threading.Lock()
        self._mine = threading.local()
        self._stack = ExitStack()

    def prepare(self, database: str = "") -> None:
        """Open the office that all others are copies of, once."""
        template = self._folder / "template"
        template.mkdir()
        with Nursery() as nursery:
            death = nursery.bear(Life(home=str(template), database=database, does_job=False))
        if death.failure:
            raise RuntimeError(death.failure)

    def left_alone(self) -> Death:
        """The job done without a crash."""
        with Nursery() as nursery, self._copy() as life:
            return nursery.bear(life)

    def rage(self, points: Sequence[Point], expected: Findings) -> list[Outcome]:
        """Kill a copy at each point, open it again, and compare what there is with ``expected``."""
        with self._stack, ThreadPoolExecutor(self._at_once) as pool:
            struck = [pool.submit(self._strike, point, expected) for point in points]
            return [future.result() for future in struck]

    def _strike(self, point: Point, expected: Findings) -> Outcome:
        nursery = self._nursery()
        with self._copy() as life:
            first = nursery.bear(
                msgspec.structs.replace(life, kill_at=point.commit, side=point.side)
            )
            if not first.killed:
                return Outcome(point, killed=False, wrong=_difference(first, expected))
            second = nursery.bear(life)
            return Outcome(point, killed=True, wrong=_difference(second, expected))

    def _nursery(self) -> Nursery:
        """One for each thread."""
        if not hasattr(self._mine, "nursery"):
            with self._lock:
                self._mine.nursery = self._stack.enter_context(Nursery())
        return self._mine.nursery

    def _copy(self) -> "_Copy":
        with self._lock:
            self._made += 1
            home = self._folder / f"home-{self._made}"
            database = self._copy_database()
        shutil.copytree(self._folder / "template", home)
        return _Copy(Life(home=str(home), database=database))


class _Copy:
    """A copy of the template, gone with its block."""

    def __init__(self, life: Life) -> None:
        self._life = life

    def __enter__(self) -> Life:
        return self._life

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._life.home, ignore_errors=True)


def points(commits: int) -> Iterator[Point]:
    """Before and after each of so many commits."""
    for commit in range(1, commits + 1):
        for side in SIDES:
            yield Point(commit, side)


def _difference(death: Death, expected: Findings) -> str:
    """What is not as it should be, in words; empty when everything is."""
    found = death.findings
    if found is None:
        return death.failure or "it was killed again"
    names = Findings.__struct_fields__
    different = [name for name in names if getattr(found, name) != getattr(expected, name)]
    return "; ".join(
        f"{name}: {getattr(found, name)} instead of {getattr(expected, name)}" for name in different
    )
