"""Killed at any commit, before it and after it, a job is finished as if nothing had happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.testing.crash_storm import Storm, points
from dayshift.testing.postgres import PostgresServer

if TYPE_CHECKING:
    from pathlib import Path

POINTS_MIN = 200


@pytest.mark.needs("bwrap")
@pytest.mark.timeout(600)
def test_a_job_killed_at_any_commit_is_finished_as_if_nothing_had_happened(
    tmp_path: Path,
) -> None:
    """SIGKILL before and after every commit of a job of three agents, on SQLite.

    Each time it is opened again: the job is completed, every message is there once, every file is
    as in the run left alone, no request had a call without a result, and the feed leads from the
    snapshot at the restart to the one at the end.

    Demanded by: RUN-4, "a crash suite kills the process at every commit point", CALL-01, TASK-03.
    """
    storm = Storm(tmp_path)
    storm.prepare()
    alone = storm.left_alone()
    assert alone.findings is not None, alone.failure
    assert alone.findings.wrong == []

    outcomes = storm.rage(list(points(alone.commits)), alone.findings)

    assert [outcome for outcome in outcomes if outcome.wrong] == []
    assert sum(outcome.killed for outcome in outcomes) >= POINTS_MIN


@pytest.mark.needs("bwrap", "postgres")
@pytest.mark.timeout(600)
def test_the_same_holds_on_postgresql(tmp_path: Path) -> None:
    """The same job on PostgreSQL, killed at the same points.

    Demanded by: RUN-4, PLAT-7.
    """
    with PostgresServer() as server:
        storm = Storm(tmp_path, server)
        storm.prepare()
        alone = storm.left_alone()
        assert alone.findings is not None, alone.failure
        assert alone.findings.wrong == []

        outcomes = storm.rage(list(points(alone.commits)), alone.findings)

    assert [outcome for outcome in outcomes if outcome.wrong] == []
    assert sum(outcome.killed for outcome in outcomes) >= POINTS_MIN
