"""The feed over real HTTP: frames, resume, sign-out, bye; and the ledger by filter."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp
import msgspec
import pytest

from dayshift.core.entries import MessagePosted, RunDelta, TaskChanged, ThreadRead
from dayshift.core.snapshot import Snapshot
from dayshift.stream.feed import Bounds
from dayshift.web.samples import views as v
from dayshift.web.settings import WebSettings
from tests.spec.doors import House, open_house, refusal, served
from tests.spec.watchers import WAIT_S, happen

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from dayshift.store.writer import Unit


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture
async def strict_house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house that asks its watchers often, and soon loses patience with slow ones."""
    settings = WebSettings(ask_again_s=0.02, send_limit_s=0.2)
    async with open_house(tmp_path, settings=settings) as house:
        yield house


class Stream:
    """An open feed, read frame by frame."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self.answer = answer
        self._frames: list[dict[str, str]] = []
        self._rest = b""

    async def frame(self) -> dict[str, str]:
        """The next frame's fields; empty at the end."""
        while not self._frames:
            async with asyncio.timeout(WAIT_S):
                data = await self.answer.content.readany()
            if not data:
                return {}
            *whole, self._rest = (self._rest + data).split(b"\n\n")
            self._frames += [_fields(frame.decode()) for frame in whole]
        return self._frames.pop(0)

    async def frames(self, count: int) -> list[dict[str, str]]:
        """The next frames."""
        return [await self.frame() for _ in range(count)]


def _fields(frame: str) -> dict[str, str]:
    pairs = [line.partition(": ") for line in frame.split("\n")]
    return {name or "comment": value for name, _, value in pairs}


@asynccontextmanager
async def feed_of(
    house: House, url: str, *, query: str = "", **headers: str
) -> AsyncGenerator[Stream]:
    """Acme's feed, as a program of Ada's hears it."""
    program = await house.program("*")
    every = {"authorization": program.headers["authorization"], **headers}
    async with (
        aiohttp.ClientSession(headers=every) as session,
        session.get(f"{url}/api/offices/acme/feed{query}") as answer,
    ):
        yield Stream(answer)


async def test_the_feed_streams_over_http(house: House) -> None:
    """Headers that no proxy buffers, a snapshot, an entry with its number, live text without one.

    Demanded by: PLAT-3.
    """
    async with served(house.app) as url, feed_of(house, url) as stream:
        hello, first = await stream.frames(2)
        await happen(house.database, 1)
        entry = await stream.frame()
        house.offices.open["acme"].feed.live(
            RunDelta(run="R-17", agent="iris", turn=1, text="Hel\nlo")
        )
        live = await stream.frame()
        headers = stream.answer.headers
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["cache-control"] == "no-cache"
    assert headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in headers
    assert hello == {"retry": "1000"}
    assert (first["event"], first["id"]) == ("snapshot", "1")
    assert msgspec.json.decode(first["data"], type=Snapshot).office.name == "acme"
    assert entry["id"] == "2"
    assert msgspec.json.decode(entry["data"]) == {
        "seq": 2,
        "at": "2026-03-02T09:00:00Z",
        "actor": "person:ada",
        "entry": {"kind": "thread_read", "thread": "H-3", "person": "ada", "n": 2},
    }
    assert live["event"] == "live"
    assert "id" not in live
    assert msgspec.json.decode(live["data"], type=RunDelta).text == "Hel\nlo"


async def test_fifty_entries_of_a_gap_come_exactly_once_over_http(house: House) -> None:
    """By Last-Event-ID, as a browser comes back, and by ``after``; the header is the newer of both.

    Demanded by: STRM-03.
    """
    async with served(house.app) as url:
        async with feed_of(house, url, query="?after=1") as stream:
            await stream.frame()
            await happen(house.database, 1)
            last = (await stream.frame())["id"]
        await happen(house.database, 50)
        async with feed_of(house, url, query="?after=1", **{"Last-Event-ID": last}) as stream:
            await stream.frame()
            by_header = [frame["id"] for frame in await stream.frames(50)]
        async with feed_of(house, url, query=f"?after={last}") as stream:
            await stream.frame()
            by_query = [frame["id"] for frame in await stream.frames(50)]
            await happen(house.database, 1)
            live = await stream.frame()
    assert by_header == by_query == [str(n) for n in range(3, 53)]
    assert live["id"] == "53"


@pytest.mark.parametrize("after", ["", "abc", "-1", "0", "99999999", "9" * 60, "%F0%9F%8D%B5"])
async def test_whatever_else_a_browser_says_it_had_gives_a_snapshot(
    house: House, after: str
) -> None:
    """No number that is not of this ledger is an error, or leaves something out.

    Demanded by: STRM-03.
    """
    house.offices.open["acme"].feed._bounds = Bounds(resume=0)
    async with served(house.app) as url, feed_of(house, url, query=f"?after={after}") as stream:
        _, first = await stream.frames(2)
    assert first["event"] == "snapshot"


async def test_signing_out_ends_the_open_feed(strict_house: House) -> None:
    """Bye, and the end, though nothing else happens.

    Demanded by: PLAT-1.
    """
    browser = await strict_house.signed_in()
    headers = {"cookie": f"dayshift_session={browser.cookies['dayshift_session']}"}
    async with (
        served(strict_house.app) as url,
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{url}/api/offices/acme/feed?after=1") as answer,
    ):
        stream = Stream(answer)
        await stream.frame()
        await happen(strict_house.database, 1)
        entry = await stream.frame()
        await browser.post("/api/sign-out")
        bye, end = await stream.frames(2)
    assert entry["id"] == "2"
    assert bye["event"] == "bye"
    assert end == {}


async def test_taking_a_role_away_ends_the_open_feed(strict_house: House) -> None:
    """Who may no longer see the office hears no more of it.

    Demanded by: PLAT-1.
    """
    await strict_house.person("ben", "viewer")
    ben = await strict_house.program("*", person="ben")
    headers = {"authorization": ben.headers["authorization"]}
    async with (
        served(strict_house.app) as url,
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{url}/api/offices/acme/feed?after=1") as answer,
    ):
        stream = Stream(answer)
        await stream.frame()
        await strict_house.building.reception.people.take_away("ben", office="acme")
        bye, end = await stream.frames(2)
    assert (bye["event"], end) == ("bye", {})


async def test_the_feed_says_bye_before_the_server_closes(house: House) -> None:
    """A server that stops does not wait for its watchers.

    Demanded by: the contract of the feed.
    """
    async with served(house.app) as url, feed_of(house, url, query="?after=1") as stream:
        await stream.frame()
        await happen(house.database, 1)
        await stream.frame()
        house.offices.open["acme"].feed.close()
        bye, end = await stream.frames(2)
    assert (bye["event"], end) == ("bye", {})


async def test_who_hangs_up_is_forgotten(house: House) -> None:
    """A closed connection leaves no watcher behind, though nothing was being sent.

    Demanded by: bounded memory.
    """
    feed = house.offices.open["acme"].feed
    async with served(house.app) as url:
        async with feed_of(house, url, query="?after=1") as stream:
            await stream.frame()
            assert feed.watchers == 1
        async with asyncio.timeout(WAIT_S):
            while feed.watchers:  # noqa: ASYNC110  a test looks, it does not hook in
                await asyncio.sleep(0)
    assert feed.watchers == 0


async def test_a_watcher_that_takes_nothing_does_not_slow_the_others(strict_house: House) -> None:
    """It holds its connection open and reads nothing; another hears all, and it is dropped in time.

    Demanded by: P10.
    """
    feed = strict_house.offices.open["acme"].feed
    program = await strict_house.program("*")
    async with served(strict_house.app) as url:
        port = int(url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1_024)
        writer.write(
            b"GET /api/offices/acme/feed?after=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Authorization: " + program.headers["authorization"].encode() + b"\r\n\r\n"
        )
        await reader.readuntil(b"retry: 1000\n\n")
        async with feed_of(strict_house, url, query="?after=1") as quick:
            await quick.frame()
            for n in range(200):
                feed.live(RunDelta(run="R-17", agent="iris", turn=1, text="x" * 50_000))
                assert len((await quick.frame())["data"]) > 50_000 - n
            async with asyncio.timeout(WAIT_S):
                while feed.watchers > 1:  # noqa: ASYNC110  as above
                    await asyncio.sleep(0)
            await happen(strict_house.database, 1)
            last = await quick.frame()
        writer.close()
    assert last["id"] == "2"


async def test_a_snapshot_can_be_read_alone(house: House) -> None:
    """It is the same as the feed's.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    await happen(house.database, 2)
    answer = await ada.get("/api/offices/acme/snapshot")
    snapshot = msgspec.json.decode(answer.content, type=Snapshot)
    assert (snapshot.seq, snapshot.reads) == (3, {"ada/H-3": 3})


async def written(house: House) -> None:
    """Entries 2 to 5 of acme: a task of Juno's, a message, and two marks."""

    def work(unit: Unit) -> None:
        unit.append(TaskChanged(task=v.TASK, change="created"), actor="agent:iris")
        unit.append(MessagePosted(message=v.MESSAGE, thread=v.THREAD), actor="person:ada")
        unit.append(ThreadRead(thread="H-3", person="ada", n=1), actor="person:ada")
        unit.append(ThreadRead(thread='H-"3"', person="ben", n=1), actor="person:ben")

    await house.database.commit("acme", work, at=v.START)


@pytest.mark.parametrize(
    ("query", "seqs", "next_"),
    [
        ("", [5, 4, 3, 2, 1], None),
        ("limit=2", [5, 4], "4"),
        ("limit=2&before=4", [3, 2], "2"),
        ("limit=2&before=2", [1], None),
        ("after=3", [5, 4], None),
        ("kind=thread_read", [5, 4], None),
        ("kind=thread_read,task_changed&limit=1", [5], "5"),
        ("agent=juno", [2], None),
        ("task=T-12", [2], None),
        ("actor=person:ada", [4, 3], None),
        ("text=SPRING+sale", [3], None),
        ("text=H-%223%22", [5], None),
        ("text=100%25", [], None),
        ("kind=task_changed&agent=iris", [], None),
    ],
)
async def test_the_ledger_is_read_by_filter_a_page_at_a_time(
    house: House, query: str, seqs: list[int], next_: str | None
) -> None:
    """Newest first; the cursor goes on where the page ended.

    Demanded by: PLAT-3.
    """
    await written(house)
    ada = await house.program("*")
    page = (await ada.get(f"/api/offices/acme/ledger?{query}")).json()
    assert ([entry["seq"] for entry in page["items"]], page["next"]) == (seqs, next_)


@pytest.mark.parametrize(
    "query",
    ["before=x", "before=-1", "after=1.5", "before=" + "9" * 30, "kind=task_change", "limit=0",
     "limit=201", "limit=x", "knid=task_changed"],
)  # fmt: skip
async def test_a_filter_that_means_nothing_is_refused(house: House, query: str) -> None:
    """With what is wrong, and near words where there are some.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    answer = await ada.get(f"/api/offices/acme/ledger?{query}")
    assert refusal(answer) == (422, "invalid")
