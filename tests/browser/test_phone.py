"""What a thumb on a phone meets: controls large enough, pages that open where something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 40_000
PAGES = ("", "/feed", "/board", "/agents", "/agents/developer", "/runs", "/events", "/settings")
# Buttons and fields lower than a thumb needs, by name and height.
TOO_LOW = """() => [...document.querySelectorAll('main button, main input, header button')]
    .filter((e) => e.type !== 'checkbox' && e.type !== 'radio' && e.offsetParent !== null)
    .filter((e) => /Button-root|ActionIcon-root|Input-input/.test(e.className))
    .filter((e) => e.offsetHeight < 34)
    .map((e) => `${e.ariaLabel || e.innerText || e.placeholder} ${e.offsetHeight}`)"""


@pytest.fixture
def phone(signed_in: Callable[..., Page]) -> Page:
    """A phone, signed in, on Home."""
    return signed_in(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)


def test_buttons_and_fields_are_large_enough_for_a_thumb(phone: Page, office: OfficeServer) -> None:
    """At least 34 pixels high, on every page with many of them.

    Demanded by: PLAT-5.
    """
    for path in PAGES:
        phone.goto(f"{office.base}/o/{OFFICE}{path}")
        phone.get_by_role("heading", level=1).wait_for(state="attached")
        expect(phone.get_by_text("Loading")).to_have_count(0)
        assert phone.evaluate(TOO_LOW) == [], path


def test_the_board_opens_where_its_first_cards_are(phone: Page, office: OfficeServer) -> None:
    """Empty columns before them are scrolled past.

    Demanded by: PLAT-5.
    """
    phone.goto(f"{office.base}/o/{OFFICE}/board")
    # Until the demo is over, cards change columns.
    done = phone.get_by_role("region", name="Done").get_by_role("button")
    done.nth(5).wait_for(state="attached", timeout=WORK_MAX_MS)
    phone.reload()
    expect(phone.locator("main [data-task]").first).to_be_in_viewport()


def test_the_tour_begins_before_the_page_not_before_the_menu(phone: Page) -> None:
    """The menu it was chosen in closes first.

    Demanded by: PLAT-5.
    """
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("button", name="Owner").tap()
    phone.get_by_role("menuitem", name="tour").tap()
    expect(phone.get_by_role("dialog", name="Say what you want")).to_be_visible()
    expect(phone.get_by_role("button", name="Close the menu")).not_to_be_in_viewport()


def test_an_address_without_a_page_is_told_within_the_office(
    phone: Page, office: OfficeServer
) -> None:
    """The way to the other pages stays in sight.

    Demanded by: PLAT-5.
    """
    phone.goto(f"{office.base}/o/{OFFICE}/no-such-page")
    expect(phone.get_by_role("heading", level=1, name="Nothing is here")).to_be_visible()
    expect(phone.get_by_role("navigation").get_by_role("link", name="Board").last).to_be_visible()
