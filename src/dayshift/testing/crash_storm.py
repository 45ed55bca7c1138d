"""A storm of crashes: one job, killed at every commit in turn, and compared with one left alone."""

import shutil
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dayshift.testing.crash import Death, Life, Nursery, Side
from dayshift.testing.crash_job import Findings
from dayshift.testing.postgres import PostgresServer

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
        self, folder: Path, server: PostgresServer | None = None, *, at_once: int = 3
    ) -> None:
        """Databases are made on ``server``; without one they are SQLite files in the homes."""
        self._folder = folder
        self._server = server
        self._template = ""
        self._at_once = at_once
        self._made = 0
        self._lock = threading.Lock()
        self._mine = threading.local()
        self._stack = ExitStack()

    def prepare(self) -> None:
        """Open the office that all others are copies of, once."""
        if self._server is not None:
            self._server.trust_the_machine()
            self._template = self._server.new_database()
        template = self._folder / "template"
        template.mkdir()
        with Nursery() as nursery:
            death = nursery.bear(Life(home=str(template), database=self._template, does_job=False))
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
            nursery = Nursery()
            with self._lock:
                self._mine.nursery = self._stack.enter_context(nursery)
            with self._copy() as life:
                nursery.bear(msgspec.structs.replace(life, in_nursery=True))
        return self._mine.nursery

    @contextmanager
    def _copy(self) -> Generator[Life]:
        """A copy of the template, gone with the block."""
        with self._lock:
            self._made += 1
            home = self._folder / f"home-{self._made}"
            database = self._server.new_database(self._template) if self._server else ""
        shutil.copytree(self._folder / "template", home)
        yield Life(home=str(home), database=database)
        shutil.rmtree(home, ignore_errors=True)
        if self._server:
            self._server.drop_database(database)


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
