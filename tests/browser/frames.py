"""How smooth the UI is with a lot in it: times between frames, in a real browser, real server.

`python -m tests.browser.frames` writes build/frames.json: for each case the milliseconds between
two frames, in the middle and at the 95th percentile. 33 is the most that still counts as smooth.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import sync_playwright

from tests.browser.office_server import CHROMIUM_ARGUMENTS, OFFICE, ROOT, TOUR_DONE, OfficeServer

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

OUT = ROOT / "build" / "frames.json"
MESSAGES = 2_000
LINES = 750_000  # about 5 MB
AGENTS = 1_000
AT_WORK = 40
WATCH_MS = 6_000
SCROLLED_PX_MIN = 5_000
# Frames of the first moments belong to what came before.
SKIPPED = 20
WORK_MAX_MS = 60_000

WATCH = """() => {
  window.frames_ = []; let last = performance.now();
  const next = (now) => {
    window.frames_.push(now - last); last = now; requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""
SCROLL = """([selector, by]) => {
  const box = document.querySelector(selector);
  setInterval(() => { box.scrollTop += by }, 16);
}"""
BIG_SCENE = f"""
  - agent: developer
    on: {{source: person, text: "(?i)print a lot"}}
    steps:
      - calls:
          - {{tool: bash, arguments: {{command: "seq 1 {LINES} | tee numbers.txt"}}}}
      - text: Printed.
"""


class Office:
    """What the API does for the cases."""

    def __init__(self, server: OfficeServer, cookies: list[Any], name: str) -> None:
        jar = {cookie["name"]: cookie["value"] for cookie in cookies}
        self._http = httpx.Client(base_url=f"{server.base}/api", cookies=jar, timeout=30)
        self._http.headers["X-CSRF-Token"] = self._http.get("/me").json()["csrf"]
        self._base = f"/offices/{name}"

    def get(self, path: str) -> Any:  # noqa: ANN401  JSON is any value
        """What is there."""
        return self._http.get(self._base + path).raise_for_status().json()

    def post(self, path: str, **body: object) -> Any:  # noqa: ANN401  JSON is any value
        """One change; its answer."""
        answer = self._http.post(self._base + path, json=body)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def fill(self, agent: str) -> None:
        """A conversation of many messages that nobody has to work on."""
        self.post(f"/agents/{agent}/inbox/pause")
        for n in range(MESSAGES):
            text = f"Message **{n}**: some words, `code` and a list\n\n- one\n- two"
            sent = self.post(f"/agents/{agent}/messages", text=text, mode="queue")
            self.post(f"/items/{sent['item']['id']}/cancel")
        self.post(f"/agents/{agent}/inbox/resume")


def main() -> int:
    """Measure every case, one after the other."""
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        found = {
            **_in_the_demo(playwright, Path(temporary) / "demo"),
            **_on_a_full_floor(playwright, Path(temporary) / "crowd"),
        }
    found["load"] = {"average of the last minute": os.getloadavg()[0]}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))  # noqa: T201  a command speaks
    return 0


def _page(playwright: Playwright, server: OfficeServer) -> Page:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=CHROMIUM_ARGUMENTS
    )
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(TOUR_DONE)
    page = context.new_page()
    page.goto(server.link())
    page.get_by_role("heading", level=1, name="Good").wait_for()
    return page


def _watched(page: Page) -> dict[str, float]:
    page.evaluate(WATCH)
    page.wait_for_timeout(WATCH_MS)
    frames = page.evaluate("window.frames_")[SKIPPED:]
    return {
        "p50": round(statistics.median(frames), 1),
        "p95": round(statistics.quantiles(frames, n=20)[-1], 1),
        "most": round(max(frames), 1),
    }


def _expect_scrolled(page: Page) -> None:
    top = page.evaluate("document.querySelector('[data-virtuoso-scroller]').scrollTop")
    assert top > SCROLLED_PX_MIN, top


def _in_the_demo(playwright: Playwright, folder: Path) -> dict[str, dict[str, float]]:
    folder.mkdir()
    server = OfficeServer(folder / "home", extra_scenes=BIG_SCENE)
    server.start()
    found: dict[str, dict[str, float]] = {}
    try:
        page = _page(playwright, server)
        office = Office(server, page.context.cookies(), OFFICE)
        base = f"{server.base}/o/{OFFICE}"

        office.fill("designer")
        page.goto(f"{base}/dm/designer")
        page.get_by_text(f"Message {MESSAGES - 1}").wait_for()
        page.get_by_role("textbox", name="Message designer").fill("Choose slowly")
        page.keyboard.press("Enter")
        page.get_by_text("One colour after another").first.wait_for()
        found[f"writing into a thread of {MESSAGES:,} messages"] = _watched(page)

        page.goto(f"{base}/feed?all=true&flat=true")
        page.locator("[data-virtuoso-scroller]").wait_for()
        page.evaluate(SCROLL, ["[data-virtuoso-scroller]", 60])
        page.wait_for_timeout(WATCH_MS)
        entries = office.get("/snapshot")["seq"]
        found[f"scrolling through a feed of {entries:,} entries"] = _watched(page)
        _expect_scrolled(page)

        office.post("/agents/developer/messages", text="Print a lot", mode="queue")
        page.goto(f"{base}/dm/developer")
        page.get_by_text("Printed.").wait_for(timeout=WORK_MAX_MS)
        page.goto(f"{base}/files?agent=developer&path=numbers.txt")
        page.get_by_role("log").or_(page.locator("[data-virtuoso-scroller]")).first.wait_for()
        page.evaluate(SCROLL, ["[data-virtuoso-scroller]", 120])
        found["scrolling through a text of 5 MB"] = _watched(page)
        _expect_scrolled(page)
        page.context.close()
    finally:
        server.kill()
    return found


def _on_a_full_floor(playwright: Playwright, folder: Path) -> dict[str, dict[str, float]]:
    (folder / "crowd").mkdir(parents=True)
    agents = "\n".join(
        f"  - {{name: worker-{n}, group: room {n % 12}, description: Works.}}"
        for n in range(AGENTS)
    )
    yaml = f"office: {{name: crowd, title: Crowd, description: Many.}}\nagents:\n{agents}\n"
    (folder / "crowd" / "office.yaml").write_text(yaml, encoding="utf-8")
    server = OfficeServer(folder / "home", office=folder / "crowd")
    server.start()
    try:
        page = _page(playwright, server)
        office = Office(server, page.context.cookies(), "crowd")
        page.goto(f"{server.base}/o/crowd/floor")
        page.get_by_role("link", name="worker-1,").wait_for()
        for n in range(AT_WORK):
            office.post(f"/agents/worker-{n}/messages", text="Good morning", mode="queue")
        return {f"a floor of {AGENTS:,} agents, {AT_WORK} at work": _watched(page)}
    finally:
        server.kill()


if __name__ == "__main__":
    sys.exit(main())
