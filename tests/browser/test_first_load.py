"""How much a browser fetches before a person sees the office."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.sync_api import expect

from dayshift.web.settings import built_ui

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

FIRST_LOAD_BYTES_MAX = 260_000


def _compressed(names: set[str]) -> dict[str, int]:
    files = {name: built_ui() / name for name in names}
    return {name: len(gzip.compress(file.read_bytes())) for name, file in files.items()}


def test_the_first_load_is_small(signed_in: Callable[..., Page], office: OfficeServer) -> None:
    """Everything that Home fetches, and what comes after it, is 260 kB of code and styles at most.

    Demanded by: PLAT-5.
    """
    page = signed_in()
    fetched: set[str] = set()
    page.on("request", lambda request: fetched.add(urlsplit(request.url).path.lstrip("/")))
    page.goto(f"{office.base}/o/landing-page", wait_until="load")
    page.get_by_role("heading", level=1, name="Good").wait_for()
    # What comes after the page gives it its title.
    expect(page).to_have_title(re.compile("Home"))

    sizes = _compressed({name for name in fetched if name.endswith((".js", ".css"))})
    assert any("Extras" in name for name in sizes), "measured before all was there"
    assert sum(sizes.values()) <= FIRST_LOAD_BYTES_MAX, sizes
