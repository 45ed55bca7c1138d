"""Pictures of every page, tab and dialog, in both themes, both languages and three widths.

`python -m tests.browser.shots [NAME …]` puts them into build/shots, beside an index.html to leaf
through them. Nothing is compared: people look at them.
"""

from __future__ import annotations

import html
import itertools
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.browser.office_server import CHROMIUM_ARGUMENTS, OFFICE, ROOT, TOUR_DONE, OfficeServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

OUT = ROOT / "build" / "shots"
TABS = ("inbox", "runs", "files", "prompt", "tools", "usage", "settings")
SECTIONS = ("providers", "isolation", "look", "sessions", "tokens", "about")
PAGES = {
    "home": "",
    "floor": "/floor",
    "floor-table": "/floor?view=table",
    "feed": "/feed",
    "board": "/board",
    "card": "/board?task=T-3",
    "agents": "/agents",
    "agents-cards": "/agents?view=cards",
    "agents-chart": "/agents?view=chart",
    "agent": "/agents/developer",
    **{f"agent-{tab}": f"/agents/developer?tab={tab}" for tab in TABS},
    "runs": "/runs",
    "run": "/runs/R-1",
    "events": "/events",
    "event": "/events/E-1",
    "files": "/files?agent=developer&path=site/index.html",
    "usage": "/usage",
    "settings": "/settings",
    **{f"settings-{section}": f"/settings?section={section}" for section in SECTIONS},
    "dm": "/dm/pm",
    "dm-empty": "/dm/developer",
    "channel": "/channels/general",
    "search": "/search?text=page",
    "missing": "/no-such-page",
}
# What opens over Home, and the key that opens it.
DIALOGS = {"palette": "Control+k", "shortcuts": "?"}
# What is shown to whom is not signed in yet, or for the first time.
FIRST = ("sign-in", "tour")
WIDTHS = {1440: 900, 768: 1024, 390: 844}
SCHEMES = ("light", "dark")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}
SIGNED_OUT = {"status": 401, "code": "signed_out", "message": "You are not signed in."}
# Long enough for the demo office to have something to show.
WORK_MAX_MS = 60_000
SETTLE_MS = 500


def main(names: list[str]) -> int:
    """Take the pictures; with names, of those pages only."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("there is no chromium on this machine: apt-get install chromium", file=sys.stderr)  # noqa: T201  a command speaks
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = OfficeServer(Path(folder) / "home")
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        try:
            _take_all(browser, server, names or [*PAGES, *DIALOGS, *FIRST])
        finally:
            browser.close()
            server.kill()
    _write_index()
    return 0


def _take_all(browser: Browser, server: OfficeServer, names: list[str]) -> None:
    for number, language in enumerate(LANGUAGES):
        state = _signed_in(browser, server, language)
        if number == 0:
            _wait_for_work(browser, server, state)
        for scheme, width in itertools.product(SCHEMES, WIDTHS):
            context = browser.new_context(
                storage_state=state,
                viewport={"width": width, "height": WIDTHS[width]},
                color_scheme="dark" if scheme == "dark" else "light",
                locale=LANGUAGES[language],
                timezone_id="Europe/Berlin",
                reduced_motion="reduce",
            )
            context.add_init_script(TOUR_DONE)
            for name in names:
                _take(context, server, name, OUT / f"{name}-{width}-{scheme}-{language}.png")
            context.close()


def _signed_in(browser: Browser, server: OfficeServer, language: str) -> Path:
    """Where the state of a browser lies whose person reads that language."""
    context = browser.new_context(locale=LANGUAGES[language])
    context.add_init_script(TOUR_DONE)
    page = context.new_page()
    page.goto(server.link())
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(
        """async (language) => {
            const { csrf } = await (await fetch('/api/me')).json();
            const headers = { 'X-CSRF-Token': csrf, 'Content-Type': 'application/json' };
            const body = JSON.stringify({ language });
            await fetch('/api/me', { method: 'PATCH', headers, body });
        }""",
        language,
    )
    state = server.home.parent / f"state-{language}.json"
    context.storage_state(path=state)
    context.close()
    return state


def _wait_for_work(browser: Browser, server: OfficeServer, state: Path) -> None:
    """Wait until the page of the demo has been built."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    page.goto(f"{server.base}/o/{OFFICE}/board")
    done = page.get_by_role("region", name="Done").get_by_role("button")
    done.nth(5).wait_for(timeout=WORK_MAX_MS)
    context.close()


def _take(context: BrowserContext, server: OfficeServer, name: str, file: Path) -> None:
    page = context.new_page()
    if name == "sign-in":
        # Of this page only, the cookie is kept back.
        page.route("**/api/me", lambda route: route.fulfill(status=401, json=SIGNED_OUT))
    if name == "tour":
        page.add_init_script("localStorage.removeItem('dayshift.tour')")
    page.goto(f"{server.base}/o/{OFFICE}{PAGES.get(name, '')}")
    page.get_by_role("heading", level=1).first.wait_for(state="attached")
    page.wait_for_timeout(SETTLE_MS)
    if name in DIALOGS:
        page.keyboard.press(DIALOGS[name])
        page.get_by_role("dialog").first.wait_for()
        page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=file)
    page.close()


def _write_index() -> None:
    pictures = "".join(
        f"<figure><img src={html.escape(file.name)} loading=lazy height=420>"
        f"<figcaption>{html.escape(file.stem)}</figcaption></figure>"
        for file in sorted(OUT.glob("*.png"))
    )
    (OUT / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>Dayshift</title>{pictures}", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
