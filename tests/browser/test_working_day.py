"""A person's working day: board, channels, phone, colleagues, and a server that dies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

BACK_MAX_MS = 20_000


def test_a_card_is_made_and_moved_by_keyboard_alone(ada: Page, office: OfficeServer) -> None:
    """Space lifts a card, the arrow moves it, Space drops it, Enter opens it.

    Demanded by: WORK-1, PLAT-5.
    """
    ada.goto(f"{office.base}/o/landing-page/board")
    ada.get_by_role("button", name="New task").click()
    ada.get_by_role("textbox", name="Title").fill("Water the plants")
    ada.keyboard.press("Enter")
    card = ada.get_by_role("button", name="Water the plants")
    expect(ada.get_by_role("region", name="To do").locator(card)).to_be_visible()

    card.focus()
    announced = ada.locator("[aria-live=assertive]").first
    ada.keyboard.press("Space")
    expect(announced).to_contain_text("Lifted Water the plants")
    ada.keyboard.press("ArrowRight")
    expect(announced).to_contain_text("Over In progress")
    ada.keyboard.press("Space")
    expect(ada.get_by_role("region", name="In progress").locator(card)).to_be_visible()

    card.focus()
    ada.keyboard.press("Enter")
    drawer = ada.get_by_role("dialog")
    expect(drawer.get_by_role("heading", name="Water the plants")).to_be_visible()
    drawer.get_by_role("textbox", name="Say something about this task").fill("The big ones too.")
    drawer.get_by_role("button", name="Comment").click()
    expect(drawer.get_by_text("The big ones too.").first).to_be_visible()
    ada.keyboard.press("Escape")
    expect(drawer).to_be_hidden()

    ada.reload()
    expect(ada.get_by_role("region", name="In progress").locator(card)).to_be_visible()


def test_a_move_that_is_not_allowed_is_refused_where_it_is_tried(
    ada: Page, office: OfficeServer
) -> None:
    """While a done card is in hand, the columns it may not go to say why.

    Demanded by: WORK-1.
    """
    ada.goto(f"{office.base}/o/landing-page/board")
    done = ada.get_by_role("region", name="Done").get_by_role("button").first
    done.focus(timeout=BACK_MAX_MS)
    ada.keyboard.press("Space")
    refusal = ada.get_by_role("region", name="In progress").get_by_text("cannot go from Done")
    expect(refusal).to_be_visible()
    ada.keyboard.press("Escape")
    expect(refusal).to_be_hidden()


def test_two_people_hear_each_other_in_a_channel(
    ada: Page, signed_in: Callable[..., Page], office: OfficeServer
) -> None:
    """What one writes, the other reads at once; their drafts stay their own.

    Demanded by: WORK-2, PLAT-3.
    """
    other = signed_in()
    for page in (ada, other):
        page.goto(f"{office.base}/o/landing-page/channels/general")
    box = other.get_by_role("textbox", name="Message #general")
    box.fill("half a thought")
    ada.get_by_role("textbox", name="Message #general").fill("Lunch at **one**?")
    ada.keyboard.press("Enter")
    expect(other.get_by_role("article").filter(has_text="Lunch at one?")).to_be_visible()
    other.reload()
    expect(box).to_have_value("half a thought")


def test_on_a_phone_everything_is_within_reach(
    signed_in: Callable[..., Page], office: OfficeServer
) -> None:
    """At 390 pixels nothing runs off the screen; the bar and the menu lead everywhere.

    Demanded by: PLAT-5.
    """
    phone = signed_in(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    bar = phone.get_by_role("navigation", name="Main pages")
    for page in ("Feed", "Board", "Files", "Home"):
        bar.get_by_role("link", name=page).tap()
        expect(bar.get_by_role("link", name=page)).to_have_attribute("aria-current", "page")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, page
    bar.get_by_role("button", name="More").tap()
    phone.get_by_role("link", name="reviewer").tap()
    expect(phone.get_by_role("heading", name="reviewer", level=1)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_killed_server_is_told_of_and_come_back_to_without_loss(
    ada: Page, office: OfficeServer
) -> None:
    """While it is down a banner says so and a message waits; then all goes on, nothing twice.

    Demanded by: PLAT-3, RUN-4, STRM-03.
    """
    ada.goto(f"{office.base}/o/landing-page/channels/general")
    box = ada.get_by_role("textbox", name="Message #general")
    box.fill("before the cut")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("article").filter(has_text="before the cut")).to_be_visible()

    office.kill()
    expect(ada.get_by_text("No connection to the office")).to_be_visible()
    box.fill("during the cut")
    ada.keyboard.press("Enter")
    expect(ada.get_by_text("Not sent:")).to_be_visible()

    office.start()
    expect(ada.get_by_text("No connection to the office")).to_be_hidden(timeout=BACK_MAX_MS)
    ada.get_by_role("button", name="Try again").click()
    expect(ada.get_by_text("Not sent:")).to_be_hidden()
    for text in ("before the cut", "during the cut"):
        expect(ada.get_by_role("article").filter(has_text=text)).to_have_count(1)


def test_every_key_that_the_help_sheet_names_works(ada: Page, office: OfficeServer) -> None:
    """`?` shows the sheet, Escape closes it, `g b` goes to the board, Ctrl K finds the reviewer.

    Demanded by: PLAT-5.
    """
    expect(ada).to_have_title(re.compile("Home"))
    ada.keyboard.press("?")
    expect(ada.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    ada.keyboard.press("Escape")
    expect(ada.get_by_role("dialog")).to_be_hidden()
    ada.keyboard.press("g")
    ada.keyboard.press("b")
    expect(ada.get_by_role("heading", name="Board", level=1)).to_be_visible()
    ada.keyboard.press("Control+k")
    ada.get_by_role("textbox", name="Search or jump to").fill("revie")
    expect(ada.get_by_role("button", name="reviewer Reviewer")).to_be_visible()
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("heading", name="reviewer", level=1)).to_be_visible()
