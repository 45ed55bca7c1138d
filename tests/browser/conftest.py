"""The real server with the demo office, and people who are signed in to it in a real browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
OFFICE = "landing-page"
START_RETRIES = 6
# A page in the sandbox has no storage.
TOUR_DONE = "if (location.protocol !== 'about:') localStorage.setItem('dayshift.tour', 'done')"
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class OfficeServer:
    """One `dayshift up` with a home of its own; it can be killed and started again."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = _free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self, *arguments: str) -> list[str]:
        script = Path(sys.executable).parent / "dayshift"
        return [str(script), *arguments, "--home", str(self.home)]

    def start(self) -> None:
        """Start it and wait until it answers."""
        office = str(ROOT / "examples" / OFFICE)
        with (self.home.parent / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command("up", office, "--port", str(self.port)),
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "DAYSHIFT_HOME": str(self.home)},
            )
        # It tries again after half a second, one, two …
        patient = httpx.HTTPTransport(retries=START_RETRIES)
        try:
            with httpx.Client(transport=patient) as client:
                client.get(f"{self.base}/api/health").raise_for_status()
        except httpx.HTTPError as error:
            told = (self.home.parent / "server.log").read_text()
            pytest.fail(f"the server did not start ({error}): {told}")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def link(self) -> str:
        """A fresh sign-in link; it works once."""
        told = subprocess.run(
            self._command("signin", "--json"), check=True, capture_output=True, text=True
        ).stdout
        found = re.search(r"http://[^\"\s]+#token=[^\"\s]+", json.dumps(json.loads(told)))
        assert found is not None, told
        return found.group(0)


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Generator[OfficeServer]:
    """The demo office at work, shared by the tests of this folder."""
    server = OfficeServer(tmp_path_factory.mktemp("browser") / "home")
    server.start()
    yield server
    server.kill()


def _sign_in(page: Page, office: OfficeServer) -> None:
    page.add_init_script(
        "if (location.protocol === 'http:') localStorage.setItem('dayshift.tour', 'done')"
    )
    page.goto(office.link())
    page.get_by_role("heading", level=1, name=re.compile("^Good|好|夜深")).wait_for()


@pytest.fixture
def ada(page: Page, office: OfficeServer) -> Page:
    """Ada's browser, signed in, on Home, the tour behind her."""
    _sign_in(page, office)
    return page


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
        page.set_default_timeout(5_000)
        _sign_in(page, office)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """Examines a page; returns each fault of WCAG 2.1 A and AA in a line."""
    source = AXE.read_text(encoding="utf-8")

    def examine(page: Page) -> list[str]:
        page.evaluate(source)
        found = page.evaluate(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})"
        )
        return [
            f"{fault['id']}: {fault['nodes'][0]['target']} {fault['nodes'][0]['failureSummary']}"
            for fault in found["violations"]
        ]

    return examine
