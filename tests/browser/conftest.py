"""The real server with the demo office, and people who are signed in to it in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.office_api import OfficeApi
from tests.browser.office_server import ROOT, TOUR_DONE, OfficeServer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from playwright.sync_api import Browser, Page

AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Generator[OfficeServer]:
    """The demo office at work, shared by the tests of this folder."""
    server = OfficeServer(tmp_path_factory.mktemp("browser") / "home")
    server.start()
    yield server
    server.kill()


def _sign_in(page: Page, office: OfficeServer) -> None:
    page.add_init_script(TOUR_DONE)
    page.goto(office.link())
    page.get_by_role("heading", level=1, name=re.compile("^Good|好|夜深")).wait_for()


@pytest.fixture
def ada(page: Page, office: OfficeServer) -> Page:
    """Ada's browser, signed in, on Home, the tour behind her."""
    _sign_in(page, office)
    return page


@pytest.fixture
def api(ada: Page, office: OfficeServer) -> OfficeApi:
    """What the server has, asked in Ada's name past the page."""
    return OfficeApi(ada, office)


@pytest.fixture
def signed_in(
    browser: Browser, browser_context_args: dict[str, Any], office: OfficeServer
) -> Generator[Callable[..., Page]]:
    """Opens another browser that is signed in; keyword arguments change its context."""
    contexts = []

    def open_one(**changes: object) -> Page:
        options: dict[str, Any] = {**browser_context_args, **changes}
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        _sign_in(page, office)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """Examines a page in both themes; returns each fault of WCAG 2.1 A and AA in a line.

    A theme changes colours and nothing else, so the second time only those are looked at.
    """
    source = AXE.read_text(encoding="utf-8")
    everything = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
    colours = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}

    def examine(page: Page) -> list[str]:
        page.evaluate(source)
        faults: list[str] = []
        for scheme, rules in (("light", everything), ("dark", colours)):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.locator(f"[data-mantine-color-scheme={scheme}]").wait_for(state="attached")
            found = page.evaluate("(rules) => axe.run(document, rules)", rules)
            faults += [
                f"{scheme}, {fault['id']}: {node['target']} {node['failureSummary']}"
                for fault in found["violations"]
                for node in fault["nodes"][:3]
            ]
        page.emulate_media(color_scheme="light")
        return faults

    return examine
