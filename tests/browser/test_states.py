"""What a page shows when it is refused, out of reach or missing, and how far keys alone go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.browser.office_server import OfficeServer

# A page, and the request it cannot do without.
ASKED_FOR = {
    "/usage": "**/usage?**",
    "/runs": "**/runs?**",
    "/events": "**/events?**",
    "/files?agent=developer": "**/agents/developer/files*",
    "/agents/developer?tab=tools": "**/agents/developer/tools",
    "/settings?section=tokens": "**/api/tokens",
    "/search?text=page": "**/messages?**",
}
TABS_MAX = 60


def refuse(route: Route) -> None:
    """Answer as the server does when somebody may not."""
    problem = {
        "type": "urn:dayshift:error:denied",
        "title": "Forbidden",
        "status": 403,
        "code": "denied",
        "message": "Only the owner of the office may see this.",
        "retryable": False,
        "hint": "Ask the owner.",
    }
    route.fulfill(status=403, content_type="application/problem+json", body=json.dumps(problem))


@pytest.mark.timeout(120)
def test_every_page_says_that_it_was_refused_or_is_out_of_reach(
    ada: Page, office: OfficeServer, axe: Callable[[Page], list[str]]
) -> None:
    """The reason and what helps, in the page's place; trying again after the fault shows the page.

    Demanded by: PLAT-5, PLAT-3.
    """
    for path, pattern in ASKED_FOR.items():
        ada.route(pattern, refuse)
        ada.goto(f"{office.base}/o/{OFFICE}{path}")
        expect(ada.get_by_text("You may not see this"), path).to_be_visible()
        expect(ada.get_by_text("Ask the owner."), path).to_be_visible()
        ada.unroute(pattern)

        ada.route(pattern, lambda route: route.abort())
        ada.goto(f"{office.base}/o/{OFFICE}{path}")
        expect(ada.get_by_text("The server cannot be reached"), path).to_be_visible()
        again = ada.get_by_role("button", name="Try again")
        expect(again.first, path).to_be_visible()
        if path == "/usage":
            assert axe(ada) == []
        ada.unroute(pattern)
        # The others are asked for anew by themselves, as soon as something happens in the office.
        if path.endswith("tokens"):
            again.click()
        else:
            ada.reload()
        expect(ada.get_by_text("The server cannot be reached"), path).to_be_hidden()


def test_an_office_that_is_not_there_says_so(ada: Page, office: OfficeServer) -> None:
    """A wrong address names what is missing and leads home.

    Demanded by: PLAT-5.
    """
    ada.goto(f"{office.base}/o/nowhere")
    expect(ada.get_by_role("heading", level=1)).to_be_visible()
    expect(ada.get_by_text("nowhere")).to_be_visible()
    ada.goto(f"{office.base}/o/{OFFICE}/agents/nobody")
    expect(ada.get_by_text("Nobody called “nobody” works here.")).to_be_visible()


def _tab_to(page: Page, name: str) -> None:
    """Press Tab until what bears that name has the focus."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            """(e => e === document.body ? '' : e.getAttribute('aria-label') || e.innerText
                || e.labels?.[0]?.innerText || '')(document.activeElement)"""
        )
        if name in focused:
            return
    raise AssertionError(name)


def test_a_request_is_made_and_read_without_a_mouse(ada: Page, office: OfficeServer) -> None:
    """The skip link leads past the frame; everything on the way has a focus one can see.

    Demanded by: PLAT-5.
    """
    ada.goto(f"{office.base}/o/{OFFICE}")
    ada.get_by_role("heading", level=1, name="Good").wait_for()
    _tab_to(ada, "Skip to the page")
    ada.keyboard.press("Enter")
    _tab_to(ada, "What should the office do?")
    ada.keyboard.type("Who is on duty?")
    _tab_to(ada, "Start")
    outline = ada.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("article").filter(has_text="Who is on duty?").last).to_be_visible()
    expect(ada.get_by_role("textbox", name="Message pm")).to_be_visible()

    ada.goto(f"{office.base}/o/{OFFICE}/agents")
    ada.get_by_role("heading", level=1, name="Agents").wait_for()
    _tab_to(ada, "Name, title or model")
    ada.keyboard.type("rev")
    _tab_to(ada, "reviewer")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("heading", level=1, name="reviewer")).to_be_visible()
    _tab_to(ada, "Overview")
    ada.keyboard.press("ArrowRight")
    expect(ada.get_by_role("tab", name="Inbox")).to_have_attribute("aria-selected", "true")


def test_who_is_in_a_state_is_found_on_the_floor(ada: Page, office: OfficeServer) -> None:
    """A state of the legend, pressed, stands in the address and leaves the others out of the table.

    Demanded by: PLAT-5.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/floor?view=table&presence=stuck")
    expect(ada.get_by_text("Nobody is in this state now")).to_be_visible()
    ada.get_by_role("button", name="stuck", pressed=True).click()
    expect(ada.get_by_role("main").get_by_role("link", name="reviewer")).to_be_visible()
    assert "presence" not in ada.url


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("feed?kinds=nonsense", "Feed"),
        ("runs?state=nonsense", "Runs"),
        ("usage?days=nonsense&by=1", "Usage"),
        ("events?source=nonsense&x=1", "Events"),
        ("settings?section=nonsense", "Settings"),
    ],
)
def test_what_an_address_says_in_vain_is_left_out(
    ada: Page, office: OfficeServer, place: str, shown: str
) -> None:
    """A value that no page takes neither breaks the page nor filters it.

    Demanded by: PLAT-5; "accept bad input nowhere".
    """
    ada.goto(f"{office.base}/o/{OFFICE}/{place}")
    expect(ada.get_by_role("heading", level=1, name=shown)).to_be_visible()
    expect(ada.get_by_text("Something went wrong")).to_have_count(0)
