"""Files of agents over HTTP: shown, and nothing in them does anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from dayshift.core.errors import NotFoundError
from dayshift.web.tickets import TICKETS_MAX, Tickets
from dayshift.web.workspace import PART_BYTES
from tests.spec.doors import House, open_house, refusal, served

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

FILE = "/api/offices/acme/agents/juno/files/content?path="


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.mark.parametrize(
    ("path", "data", "kind", "manner"),
    [
        ("copy.md", b"# Spring", "text/plain; charset=utf-8", "inline"),
        ("index.html", b"<script>1</script>", "text/html; charset=utf-8", "inline"),
        ("style.css", b"a{}", "text/css; charset=utf-8", "inline"),
        ("logo.svg", b"<svg/>", "image/svg+xml", "inline"),
        ("logo.png", b"\x89PNG\0", "image/png", "inline"),
        ("app.js", b"1", "text/plain; charset=utf-8", "inline"),
        ("x.xhtml", b"<html/>", "text/plain; charset=utf-8", "inline"),
        ("Makefile", b"all:", "text/plain; charset=utf-8", "inline"),
        ("core", b"\x7fELF\0\0", "application/octet-stream", "attachment"),
        ("empty", b"", "text/plain; charset=utf-8", "inline"),
    ],
)
async def test_a_file_is_shown_in_a_sandbox_where_nothing_runs(
    house: House, path: str, data: bytes, kind: str, manner: str
) -> None:
    """Kinds that a browser would run are text; all of it may only be framed by our own page.

    Demanded by: SEC-01.
    """
    house.offices.files["acme"].contents[path] = data
    ada = await house.program("*")
    answer = await ada.get(FILE + path)
    assert answer.status_code == 200
    assert answer.content == data
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"] == f"{manner}; filename*=UTF-8''{path}"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert "allow-scripts" not in policy
    assert "script-src" not in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_file_can_be_saved_under_any_name(house: House) -> None:
    """A name cannot break out of its header.

    Demanded by: SEC-01.
    """
    path = 'site/na"me\r\nX-Evil: 1; 字.html'
    house.offices.files["acme"].contents[path] = b"x"
    ada = await house.program("*")
    answer = await ada.get(
        "/api/offices/acme/agents/juno/files/content", params={"path": path, "download": "1"}
    )
    assert answer.headers["content-disposition"] == (
        "attachment; filename*=UTF-8''na%22me%0D%0AX-Evil%3A%201%3B%20%E5%AD%97.html"
    )
    assert "x-evil" not in answer.headers


@pytest.mark.parametrize("size", [PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES + 17])
async def test_a_long_file_comes_whole_a_part_at_a_time(house: House, size: int) -> None:
    """The server never holds all of it.

    Demanded by: bounded memory.
    """
    data = bytes(range(256)) * (size // 256 + 1)
    house.offices.files["acme"].contents["big.bin"] = data[:size]
    ada = await house.program("*")
    async with served(house.app) as url, httpx.AsyncClient() as client:
        answer = await client.get(
            url + FILE + "big.bin", headers={"authorization": ada.headers["authorization"]}
        )
    assert answer.content == data[:size]
    asked = [verb for verb, _, _ in house.offices.heard["acme"].asked]
    assert asked == ["content"] * -(-size // PART_BYTES)


async def test_a_path_outside_the_workspace_is_refused(house: House) -> None:
    """The room's refusal comes through as it is.

    Demanded by: SEC-05.
    """
    ada = await house.program("*")
    assert refusal(await ada.get(FILE + "../../owner/notes.md")) == (403, "denied")
    assert refusal(await ada.get(FILE + "gone.md")) == (404, "not_found")


async def test_a_page_is_previewed_with_what_lies_beside_it(house: House) -> None:
    """Its address needs no sign-in, for a page in a sandbox sends no cookie; nothing in it runs.

    Demanded by: the working office, 1.2, SEC-01.
    """
    contents = house.offices.files["acme"].contents
    contents |= {"site/index.html": b"<link rel=stylesheet href=a.css>", "site/a.css": b"a{}"}
    ada = await house.signed_in()
    previews = "/api/offices/acme/agents/juno/files/previews"
    opened = await ada.post(previews, json={"path": "site/index.html"})
    assert opened.status_code == 201
    page = opened.json()["path"]
    async with house.client() as sandbox:
        shown = await sandbox.get(page)
        style = page.rpartition("/")[0] + "/a.css"
        beside = await sandbox.get(style, headers={"Origin": "null"})
        outside = await sandbox.get(page.partition("/site/")[0] + "/../../other/notes.md")
        gone = await sandbox.get(page.rpartition("/")[0] + "/b.css")
    assert (shown.content, beside.content) == (contents["site/index.html"], b"a{}")
    assert beside.headers["content-type"] == "text/css; charset=utf-8"
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert "http://127.0.0.1:8787/api/previews/;" in policy
    assert "script" not in policy
    assert beside.headers["cross-origin-resource-policy"] == "cross-origin"
    assert outside.status_code == 404
    assert refusal(gone) == (404, "not_found")
    assert {subject.partition(":")[0] for _, subject, _ in house.offices.heard["acme"].asked} == {
        "juno"
    }


async def test_a_preview_ends_with_the_right_of_who_opened_it(house: House) -> None:
    """Taken away, the address shows nothing; a guess never does.

    Demanded by: PLAT-1, SEC-11.
    """
    house.offices.files["acme"].contents["index.html"] = b"x"
    await house.person("ben", "viewer")
    ben = await house.signed_in("ben")
    previews = "/api/offices/acme/agents/juno/files/previews"
    opened = (await ben.post(previews, json={"path": "index.html"})).json()
    missing = await ben.post(previews, json={"path": "gone.html"})
    async with house.client() as sandbox:
        before = await sandbox.get(opened["path"])
        await house.building.reception.people.take_away("ben", office="acme")
        after = await sandbox.get(opened["path"])
        guess = await sandbox.get("/api/previews/" + "x" * 32 + "/index.html")
    assert before.status_code == 200
    assert refusal(after) == refusal(guess) == refusal(missing) == (404, "not_found")


async def test_previews_are_bounded(house: House) -> None:
    """Of very many the oldest are over.

    Demanded by: bounded memory.
    """
    actor = await house.building.reception.admit(
        cookie=(await house.signed_in()).cookies["dayshift_session"], bearer=None
    )
    tickets = Tickets()
    made = [tickets.make(actor, office="acme", agent="juno") for _ in range(TICKETS_MAX + 1)]
    assert tickets.of(made[1]).agent == "juno"
    with pytest.raises(NotFoundError):
        tickets.of(made[0])
