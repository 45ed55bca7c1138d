"""Databases under test: a fresh SQLite file, and a fresh database of a real PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.store.engine import sqlite_url
from dayshift.testing.postgres import PostgresServer
from tests.contract.things import PostgresDatabase

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

ON_POSTGRESQL = (pytest.mark.needs("postgres"), pytest.mark.timeout(240))
BOTH = ("sqlite", pytest.param("postgresql", marks=ON_POSTGRESQL))


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """One PostgreSQL server for all tests of a session."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def fresh(postgres: PostgresServer) -> PostgresDatabase:
    """A fresh database of the PostgreSQL server."""
    return PostgresDatabase(postgres, postgres.new_database())


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "office.db")
    return request.getfixturevalue("postgres").new_database()
