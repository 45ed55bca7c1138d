"""Two offices in one server, with agents of the same names: nothing of one is seen in the other."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.spec.cli_stage import run
from tests.spec.real_server import make_office, served

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

pytestmark = [pytest.mark.timeout(240), pytest.mark.needs("bwrap")]
PLACES = ("tasks", "runs", "threads", "events", "ledger", "alerts", "messages?q=login")


class Houses:
    """A server with the offices acme and globex, each with an Iris, a Juno and a Kai."""

    def __init__(self, home: Path, client: httpx.AsyncClient) -> None:
        self.home = home
        self.client = client

    async def get(self, office: str, path: str) -> Any:  # noqa: ANN401  any document
        """What an office answers."""
        answer = await self.client.get(f"/api/offices/{office}/{path}")
        answer.raise_for_status()
        return answer.json()

    async def everything(self, office: str) -> dict[str, Any]:
        """All lists of an office."""
        return {place: (await self.get(office, place))["items"] for place in PLACES}

    async def plans(self, office: str, what: str) -> None:
        """Ask an office's Iris to plan something, and wait until its Juno has built it."""
        await run("send", office, "iris", f"plan {what}", "--wait", home=self.home)
        moves = ("--kind", "task_changed", "--kind", "file_written", "--json")
        done = await run("tail", office, *moves, "--last", "10", "--until", "4", home=self.home)
        assert done.code == 0


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncGenerator[Houses]:
    """Both offices, open."""
    make_office(tmp_path, "acme")
    make_office(tmp_path, "globex")
    up = served(tmp_path)
    server = await asyncio.to_thread(up.__enter__)
    token = json.loads((tmp_path / "server.json").read_text())["token"]
    headers = {"Authorization": f"Bearer {token}"}
    try:
        async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
            yield Houses(tmp_path, client)
    finally:
        await asyncio.to_thread(up.__exit__, None, None, None)


async def test_work_in_one_office_leaves_no_trace_in_the_other(houses: Houses) -> None:
    """No task, run, thread, event, entry, alert, file, cost or message of it is there.

    Demanded by: AGENT-8.
    """
    before = await houses.everything("globex")
    seq = (await houses.get("globex", "snapshot"))["seq"]

    await houses.plans("acme", "a login page")

    assert await houses.everything("globex") == before
    assert (await houses.get("globex", "snapshot"))["seq"] == seq
    assert (await houses.get("globex", "agents/juno/files"))["items"] == []
    assert (await houses.get("globex", "usage"))["rows"] == []
    acme = await houses.everything("acme")
    assert [task["title"] for task in acme["tasks"]] == ["Build a login page"]
    assert (await houses.get("acme", "usage"))["rows"] != []
    files = await houses.get("acme", "agents/juno/files")
    assert [file["path"] for file in files["items"]] == ["page.html"]


async def test_each_office_counts_for_itself(houses: Houses) -> None:
    """Both have a first task, run and message; an id below an office is that office's own.

    Demanded by: AGENT-8.
    """
    await houses.plans("acme", "a login page")
    await houses.plans("globex", "a shop")

    tasks = [(await houses.get(office, "tasks/T-1"))["task"] for office in ("acme", "globex")]
    runs = [(await houses.get(office, "runs/R-1"))["run"] for office in ("acme", "globex")]
    assert [task["title"] for task in tasks] == ["Build a login page", "Build a shop"]
    assert [run["title"] for run in runs] == ["plan a login page", "plan a shop"]
    said = [await houses.get(office, "threads/dm:owner:iris/messages") for office in _offices()]
    assert [len(page["items"]) for page in said] == [2, 2]
    found = await houses.get("globex", "messages?q=login")
    assert found["items"] == []


async def test_a_paused_office_stops_nobody_in_the_other(houses: Houses) -> None:
    """Its own agents wait; those of the same names elsewhere work.

    Demanded by: AGENT-8.
    """
    paused = await run("pause", "acme", home=houses.home)
    await run("send", "acme", "iris", "plan a login page", home=houses.home)
    await houses.plans("globex", "a shop")

    assert paused.code == 0
    assert (await houses.get("acme", "runs"))["items"] == []
    states = {office["name"]: office["state"] for office in await _all(houses)}
    assert states == {"acme": "paused", "globex": "running"}


async def test_a_token_of_one_office_opens_nothing_of_the_other(houses: Houses) -> None:
    """What it may not see looks like what is not there.

    Demanded by: AGENT-8; PLAT-1; invariant 10.
    """
    made = await run(
        *("token", "create", "robot", "--office", "acme", "--scope", "*", "--json"),
        home=houses.home,
    )
    robot = {"Authorization": f"Bearer {made.document['secret']}"}
    get = houses.client.get
    own = await get("/api/offices/acme/tasks", headers=robot)
    other = await get("/api/offices/globex/tasks", headers=robot)
    none = await get("/api/offices/nowhere/tasks", headers=robot)
    listed = await get("/api/offices", headers=robot)

    assert (own.status_code, other.status_code, none.status_code) == (200, 404, 404)
    assert {other.json()["code"], none.json()["code"]} == {"not_found"}
    assert [office["name"] for office in listed.json()["items"]] == ["acme"]


def _offices() -> tuple[str, str]:
    return "acme", "globex"


async def _all(houses: Houses) -> list[dict[str, Any]]:
    return (await houses.client.get("/api/offices")).json()["items"]
