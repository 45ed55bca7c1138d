"""Every page and state can be used by everybody: axe finds nothing, the keyboard reaches it all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

TIMEOUT_S = 180
TABS = ("inbox", "runs", "files", "prompt", "tools", "usage", "settings")
SECTIONS = ("providers", "isolation", "look", "sessions", "tokens", "about")
PAGES = (
    "",
    "/floor",
    "/floor?view=table",
    "/floor?presence=stuck",
    "/floor?view=table&presence=stuck",
    "/feed",
    "/board",
    "/board?task=T-1",
    "/agents",
    "/agents?view=cards",
    "/agents?view=chart",
    "/agents/developer",
    *(f"/agents/developer?tab={tab}" for tab in TABS),
    "/runs",
    "/runs/R-1",
    "/events",
    "/events/E-1",
    "/files?agent=developer",
    "/usage",
    "/settings",
    *(f"/settings?section={section}" for section in SECTIONS),
    "/dm/pm",
    "/channels/general",
    "/search?text=page",
    "/no-such-page",
)
WORK_MAX_MS = 40_000


@pytest.mark.timeout(TIMEOUT_S)
def test_no_page_has_a_fault_of_accessibility(
    ada: Page, office: OfficeServer, axe: Callable[[Page], list[str]]
) -> None:
    """Axe finds nothing in any page, light or dark.

    Demanded by: PLAT-5.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/board")
    card = ada.get_by_role("button", name="Write the copy")
    card.wait_for(timeout=WORK_MAX_MS)
    faults: dict[str, list[str]] = {}
    for path in PAGES:
        ada.goto(f"{office.base}/o/{OFFICE}{path}")
        ada.get_by_role("heading", level=1).wait_for(state="attached")
        expect(ada.get_by_text("Loading")).to_have_count(0)
        if found := axe(ada):
            faults[path] = found
    assert faults == {}


def test_what_opens_over_a_page_has_no_fault_either(
    ada: Page, office: OfficeServer, axe: Callable[[Page], list[str]]
) -> None:
    """Palette, help sheet, a form, the menu of the person and the tour.

    Demanded by: PLAT-5.
    """
    expect(ada).to_have_title(re.compile("Home"))
    ada.keyboard.press("Control+k")
    expect(ada.get_by_role("textbox", name="Search or jump to")).to_be_focused()
    expect(ada.get_by_role("textbox", name="Search or jump to")).to_be_in_viewport()
    assert axe(ada) == []
    ada.keyboard.press("Escape")

    ada.keyboard.press("?")
    expect(ada.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert axe(ada) == []
    ada.keyboard.press("Escape")
    expect(ada.get_by_role("dialog")).to_be_hidden()

    ada.get_by_role("button", name="Owner").click()
    expect(ada.get_by_role("menuitem", name="Sign out")).to_be_visible()
    assert axe(ada) == []
    ada.get_by_role("menuitem", name="tour").click()
    expect(ada.get_by_role("dialog", name="Say what you want")).to_be_visible()
    assert axe(ada) == []
    ada.keyboard.press("Escape")

    ada.goto(f"{office.base}/o/{OFFICE}/board")
    ada.get_by_role("button", name="New task").click()
    expect(ada.get_by_role("textbox", name="Title")).to_be_visible()
    assert axe(ada) == []


def test_signing_in_has_no_fault(
    page: Page, office: OfficeServer, axe: Callable[[Page], list[str]]
) -> None:
    """The first page of all, also after a link that does not work.

    Demanded by: PLAT-5, PLAT-1.
    """
    page.goto(f"{office.base}/sign-in")
    box = page.get_by_role("textbox", name="Sign-in link or token")
    expect(box).to_be_visible()
    assert axe(page) == []
    box.fill("nonsense")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That did not work")
    assert axe(page) == []
