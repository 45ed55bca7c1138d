"""Desktop notices: for what needs a person, while nobody looks at the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.office_api import OfficeApi
    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 60_000
# The desktop, which a test has none of: it keeps what it is told to show, and can cover the page.
DESKTOP = """
    window.shown = [];
    window.Notification = class {
        static permission = 'default';
        static async requestPermission() { return (this.permission = 'granted'); }
        constructor(title, options) { shown.push(Object.assign(this, { title, ...options })); }
        close() { this.isClosed = true; }
    };
    let isCovered = false;
    Object.defineProperty(document, 'hidden', { get: () => isCovered });
    window.cover = (covered) => {
        isCovered = covered;
        document.dispatchEvent(new Event('visibilitychange'));
    };
"""


def test_a_notice_calls_once_for_what_needs_a_person_while_nobody_looks(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """Not while the page is in sight; a click on the notice leads to the thing itself.

    Demanded by: PLAT-5, WORK-7.
    """
    ada.add_init_script(DESKTOP)
    ada.goto(f"{office.base}/o/{OFFICE}/board")
    ada.get_by_role("button", name="Owner").click()
    ada.get_by_role("menuitem", name="Desktop notices").click()
    ada.keyboard.press("Escape")

    # The developer's script has no word on such cards: its run ends, and the card needs a person.
    _get_stuck(api, ada, "Seen while looking")
    ada.evaluate("cover(true)")
    _get_stuck(api, ada, "Missed at first")
    _get_stuck(api, ada, "Missed as well")
    ada.evaluate("cover(false)")

    # The demo office itself writes to its owner, too.
    told = ada.evaluate("shown.map((one) => one.title)")
    assert [title for title in told if not title.endswith("wrote to you")] == [
        "Blocked: Missed at first",
        "Blocked: Missed as well",
    ]
    ada.evaluate("shown.find((one) => one.title.endsWith('at first')).onclick()")
    expect(ada.get_by_role("dialog").get_by_role("heading", name="Missed at first")).to_be_visible()


def _get_stuck(api: OfficeApi, page: Page, title: str) -> None:
    """Give the developer a card, and wait until it is blocked."""
    api.post("/tasks", {"title": title, "assignee": "developer"})
    blocked = page.get_by_role("region", name="Blocked")
    card = blocked.get_by_role("button", name=title)
    expect(card).to_be_visible(timeout=WORK_MAX_MS)
