"""The built UI as the server serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.web.settings import WebSettings
from tests.spec.doors import House, open_house, refusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

PAGE = "<!doctype html><title>Dayshift</title>"
SCRIPT = "export const x = 1;" * 200


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with a small UI, beside which lies a secret."""
    ui = tmp_path / "home" / "ui"
    (ui / "assets").mkdir(parents=True)
    (ui / "index.html").write_text(PAGE)
    (ui / "favicon.svg").write_text("<svg/>")
    (ui / "assets" / "index-1f3a.js").write_text(SCRIPT)
    (tmp_path / "home" / "secret.txt").write_text("secret")
    (ui / "link.txt").symlink_to(tmp_path / "home" / "secret.txt")
    async with open_house(tmp_path, settings=WebSettings(ui=ui)) as house:
        yield house


@pytest.mark.parametrize("path", ["/", "/index.html", "/acme/board", "/sign-in", "/a/b/c?d=e"])
async def test_every_place_of_the_ui_is_its_one_page(house: House, path: str) -> None:
    """Bookmarks work; the page is asked for anew each time, so that an upgrade is seen.

    Demanded by: PLAT-5.
    """
    async with house.client() as stranger:
        answer = await stranger.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_assets_are_kept_for_ever_and_sent_small(house: House) -> None:
    """Their names change with their content.

    Demanded by: PLAT-5.
    """
    async with house.client() as stranger:
        asset = await stranger.get("/assets/index-1f3a.js")
        again = await stranger.get(
            "/assets/index-1f3a.js", headers={"if-none-match": asset.headers["etag"]}
        )
        icon = await stranger.get("/favicon.svg")
    assert asset.text == SCRIPT
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-encoding"] == "gzip"
    assert "javascript" in asset.headers["content-type"]
    assert again.status_code == 304
    assert icon.headers["cache-control"] == "no-cache"


async def test_an_asset_that_is_gone_is_not_the_page(house: House) -> None:
    """A page from before an upgrade learns that it is old, instead of running HTML as a script.

    Demanded by: PLAT-5.
    """
    async with house.client() as stranger:
        answer = await stranger.get("/assets/index-0000.js")
    assert refusal(answer) == (404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/link.txt",
        "/a%00b",
        "/" + "x" * 5_000,
    ],
)
async def test_nothing_beside_the_ui_is_served(house: House, path: str) -> None:
    """Neither by dots, nor by slashes, nor by a link.

    Demanded by: SEC-05.
    """
    async with house.client() as stranger:
        answer = await stranger.get(path)
    assert answer.status_code in {200, 404}
    assert "secret" not in answer.text
    assert "root:" not in answer.text


async def test_a_ui_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    """A plain page, at every place; the API works all the same.

    Demanded by: the working office, 1.1.
    """
    settings = WebSettings(ui=tmp_path / "nowhere")
    async with open_house(tmp_path, settings=settings) as house, house.client() as stranger:
        answer = await stranger.get("/acme/board")
        health = await stranger.get("/api/health")
    assert answer.status_code == 503
    assert "make ui" in answer.text
    assert "script" not in answer.text
    assert health.status_code == 200


async def test_the_ui_takes_no_other_method(house: House) -> None:
    """Nothing is posted to a page.

    Demanded by: PLAT-5.
    """
    async with house.client() as stranger:
        assert refusal(await stranger.post("/acme/board")) == (405, "method")
        head = await stranger.head("/acme/board")
    assert (head.status_code, head.content) == (200, b"")
