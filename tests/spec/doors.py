"""A house with its doors open, for the specs of the web.

People, doors and feeds are real; the rooms are in memory.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url
from dayshift.testing.building import MemoryOffices, memory_building
from dayshift.web.app import create_app
from dayshift.web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from fastapi import FastAPI

    from dayshift.access.permissions import Role
    from dayshift.web.building import Building

BASE = "http://127.0.0.1:8787"


class Watch:
    """Real time that a test moves on by hand."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return self.seconds


@dataclass(frozen=True, kw_only=True)
class House:
    """The building behind an app. Ada owns it; others are added as a test needs them."""

    app: FastAPI
    building: Building
    offices: MemoryOffices
    database: Database
    wall: Watch

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Someone outside, with these headers."""
        transport = httpx.ASGITransport(app=self.app, client=("127.0.0.1", 50_000))
        return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers)

    async def person(self, id_: str, role: Role | None = None, office: str = "acme") -> None:
        """Add a person, with a role in an office or with none."""
        await self.building.reception.people.add(id_, id_.title())
        if role is not None:
            await self.building.reception.people.give(id_, role, office=office)

    async def signed_in(self, person: str = "owner") -> httpx.AsyncClient:
        """A person at a browser: cookie and CSRF header are set."""
        secret = await self.building.reception.links.make(person)
        client = self.client()
        answer = await client.post("/api/sign-in", json={"token": secret})
        assert answer.status_code == 200, answer.text
        client.headers["X-CSRF-Token"] = answer.json()["csrf"]
        return client

    async def program(
        self, *scopes: str, person: str = "owner", office: str = ""
    ) -> httpx.AsyncClient:
        """A program with an API token."""
        tokens = self.building.reception.tokens
        made = await tokens.make(person, "test", office=office, scopes=scopes or ["*"])
        return self.client(authorization=f"Bearer {made.secret}")


@asynccontextmanager
async def open_house(folder: Path, *, settings: WebSettings | None = None) -> AsyncGenerator[House]:
    """A house with the offices acme and globex."""
    wall = Watch()
    url = sqlite_url(folder / "home.sqlite3")
    async with (
        open_database(url, synchronous="OFF") as database,
        memory_building(database, wall=wall) as (building, offices),
    ):
        await building.reception.people.ensure_owner("Ada")
        app = create_app(building, settings=settings or WebSettings(ui=folder / "no-ui"))
        yield House(app=app, building=building, offices=offices, database=database, wall=wall)


@asynccontextmanager
async def served(app: FastAPI) -> AsyncGenerator[str]:
    """The app over real HTTP on a free port; yields its address."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=0, log_level="warning", lifespan="off", access_log=False
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # pyright: ignore[reportAttributeAccessIssue]  the test keeps its own
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server._serve())
        async with asyncio.timeout(30):
            while not server.started:  # noqa: ASYNC110  uvicorn tells it by a flag only
                await asyncio.sleep(0)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await serving


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, which is always a whole problem."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem: dict[str, Any] = answer.json()
    assert problem["type"] == f"urn:dayshift:error:{problem['code']}"
    assert problem["status"] == answer.status_code
    assert problem["message"]
    assert isinstance(problem["hint"], str)
    assert isinstance(problem["retryable"], bool)
    assert "Traceback" not in answer.text
    return answer.status_code, problem["code"]
