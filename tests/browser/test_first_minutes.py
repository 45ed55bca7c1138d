"""The first minutes of a person with a real office in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 40_000


def test_a_person_signs_in_asks_the_pm_and_is_answered(
    page: Page, office: OfficeServer, tmp_path: Path
) -> None:
    """The link signs in and is gone from the address; a request is answered before one's eyes.

    Demanded by: PLAT-1, PLAT-5, WORK-3, RUN-2.
    """
    page.goto(office.link())
    expect(page.get_by_role("dialog", name="Say what you want")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    assert "token" not in page.url

    page.get_by_role("textbox", name="What should the office do?").fill("Is the page far?")
    page.get_by_role("button", name="Start").click()

    expect(page.get_by_role("heading", name="pm", level=1)).to_be_visible()
    mine = page.get_by_role("article").filter(has_text="Is the page far?").last
    expect(mine).to_be_visible()
    answer = page.locator("article", has_text=re.compile("^PMpm")).last
    expect(answer).to_be_visible(timeout=WORK_MAX_MS)
    page.screenshot(path=tmp_path / "answered.png")
    assert (tmp_path / "answered.png").stat().st_size > 0


def test_a_used_link_says_so_and_offers_to_paste_another(page: Page, office: OfficeServer) -> None:
    """A sign-in link works once; the page says what is wrong and what helps.

    Demanded by: PLAT-1.
    """
    link = office.link()
    page.goto(link)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Owner").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("textbox", name="Sign-in link or token")).to_be_visible()

    page.get_by_role("textbox", name="Sign-in link or token").fill(link)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("That did not work")

    page.get_by_role("textbox", name="Sign-in link or token").fill(office.link())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Good")


def test_the_page_that_the_office_built_is_looked_at_in_a_sandbox(
    ada: Page, office: OfficeServer
) -> None:
    """What the agents wrote is opened from Files: drawn with its styles, unable to run anything.

    Demanded by: WORK-6, TOOL-3.
    """
    ada.goto(f"{office.base}/o/landing-page/files?agent=developer")
    ada.get_by_role("button", name="site").click(timeout=WORK_MAX_MS)
    ada.get_by_role("button", name="index.html").click()
    preview = ada.get_by_title("Preview of index.html")
    expect(preview).to_have_attribute("sandbox", "")
    expect(preview.content_frame.get_by_role("heading", level=1)).to_be_visible()
    # Its style sheet lies beside it.
    expect(preview.content_frame.locator("body")).not_to_have_css("margin", "8px")
    assert preview.content_frame.locator("script").count() == 0
    ada.get_by_text("History", exact=True).click()
    expect(ada.get_by_role("row").filter(has_text="created")).to_be_visible()


def test_language_is_switched_and_kept(ada: Page, office: OfficeServer) -> None:
    """Everything is in Chinese after the switch, and still is after loading the page again.

    Demanded by: PLAT-5.
    """
    ada.get_by_role("button", name="Owner").click()
    ada.get_by_role("menuitem", name="中文").click()
    expect(ada.get_by_role("link", name="看板").first).to_be_visible()
    ada.goto(f"{office.base}/o/landing-page/board")
    expect(ada.get_by_role("heading", name="看板")).to_be_visible()
    expect(ada.locator("html")).to_have_attribute("lang", "zh-CN")

    ada.get_by_role("button", name="Owner").click()
    ada.get_by_role("menuitem", name="English").click()
    expect(ada.get_by_role("heading", name="Board")).to_be_visible()
