"""What a person relies on in conversations: drafts, search, mentions, a clean slate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.office_api import OfficeApi
    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 60_000


def test_what_agents_say_to_each_other_is_read_and_not_joined(
    ada: Page, office: OfficeServer
) -> None:
    """Their conversations stand apart; there is no box to write in, and nothing to clear.

    Demanded by: WORK-3, PLAT-5.
    """
    side = ada.get_by_role("navigation").first
    side.get_by_role("button", name="Unfold").click(timeout=WORK_MAX_MS)
    side.get_by_role("link", name="pm & reviewer").click()
    said = ada.get_by_role("article").filter(has_text="The page is approved")
    expect(said).to_be_visible()
    expect(ada.get_by_text("Agents talk among themselves here; you read along.")).to_be_visible()
    expect(ada.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    expect(ada.get_by_role("main").get_by_role("button", name="More")).to_have_count(0)


def test_a_draft_is_kept_until_it_is_sent(ada: Page, office: OfficeServer) -> None:
    """Each conversation has its own; it outlives leaving, coming back and a reload.

    Demanded by: PLAT-5, WORK-3.
    """
    side = ada.get_by_role("navigation").first
    side.get_by_role("link", name="reviewer").click()
    box = ada.get_by_role("textbox", name="Message reviewer")
    box.fill("Half a thought")
    side.get_by_role("link", name="general").click()
    expect(ada.get_by_role("textbox", name="Message #general")).to_have_value("")
    side.get_by_role("link", name="Board").click()
    expect(ada.get_by_role("heading", level=1, name="Board")).to_be_visible()
    side.get_by_role("link", name="reviewer").click()
    expect(box).to_have_value("Half a thought")
    ada.reload()
    expect(box).to_have_value("Half a thought")

    box.press("Enter")
    expect(ada.get_by_role("article").filter(has_text="Half a thought").first).to_be_visible()
    ada.reload()
    expect(box).to_have_value("")


def test_a_message_is_found_by_its_words_and_shown_in_its_place(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """Also when a hundred came after it; from there the end is one step away, and stays in sight.

    A search within one conversation leaves the others out.

    Demanded by: WORK-3, PLAT-5.
    """
    chatter = [f"Line {n} of the long talk" for n in range(1, 121)]
    api.say("lighthouse", "The key lies under the third stone.", *chatter)
    api.say("harbour", "No key here, only a third stone.")
    ada.goto(f"{office.base}/o/{OFFICE}/channels/harbour")
    ada.get_by_role("button", name="Search or jump to").click()
    ada.get_by_role("textbox", name="Search or jump to").fill("third stone")
    ada.get_by_role("button", name="Search messages for").click()

    hits = ada.get_by_role("main").get_by_role("listitem")
    expect(hits).to_have_count(2)
    hits.filter(has_text="under the third stone").get_by_role("link").click()
    found = ada.get_by_role("article").filter(has_text="The key lies under the third stone")
    expect(found).to_be_in_viewport()
    assert ada.url.endswith("/channels/lighthouse?n=1")
    api.say("lighthouse", "A late word.")
    ada.get_by_role("button", name="To the end").click()
    late = ada.get_by_role("article").filter(has_text="A late word")
    expect(late).to_be_in_viewport()
    api.say("lighthouse", "A later one.")
    expect(ada.get_by_role("article").filter(has_text="A later one")).to_be_in_viewport()

    ada.get_by_role("button", name="More").click()
    ada.get_by_role("menuitem", name="Search here").click()
    ada.get_by_role("textbox", name="Search messages").fill("third stone")
    expect(hits).to_have_count(1)
    ada.get_by_text("Only in lighthouse").click()
    expect(hits).to_have_count(2)


def test_whoever_is_mentioned_is_offered_by_name(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """The keys choose, Enter takes the name and does not send; the next Enter does.

    Demanded by: WORK-2, PLAT-5.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/channels/general")
    box = ada.get_by_role("textbox", name="Message #general")
    box.press_sequentially("Ask @de")
    offered = ada.get_by_role("option")
    expect(offered).to_have_text([re.compile("designer"), re.compile("developer")])
    box.press("ArrowDown")
    box.press("Enter")
    expect(box).to_have_value("Ask @developer ")
    expect(offered).to_have_count(0)
    box.press_sequentially("and @rev")
    expect(offered).to_have_count(1)
    offered.click()
    expect(box).to_have_value("Ask @developer and @reviewer ")
    expect(ada.get_by_role("article").filter(has_text="Ask @")).to_have_count(0)
    box.press_sequentially("about the harbour")
    box.press("Enter")

    expect(ada.get_by_role("article").filter(has_text="about the harbour")).to_be_visible()
    found = api.get("/messages", q="about the harbour")["items"]
    assert [message["mentions"] for message in found] == [["developer", "reviewer"]]


def test_a_history_is_cleared_only_after_a_question(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """What was said is gone from the conversation for good; what is said next is there.

    Demanded by: WORK-3, PLAT-5.
    """
    api.say("old-plans", "The first plan", "The second plan")
    ada.goto(f"{office.base}/o/{OFFICE}/channels/old-plans")
    plans = ada.get_by_role("article").filter(has_text="plan")
    expect(plans).to_have_count(2)
    for answer, left in (("Cancel", 2), ("Clear it", 0)):
        ada.get_by_role("button", name="More").click()
        ada.get_by_role("menuitem", name="Clear the history").click()
        question = ada.get_by_role("dialog", name="Clear the history")
        expect(question).to_contain_text("The ledger keeps it.")
        question.get_by_role("button", name=answer).click()
        expect(question).to_be_hidden()
        expect(plans).to_have_count(left)
    box = ada.get_by_role("textbox", name="Message #old-plans")
    box.fill("The third plan, @pm")
    box.press("Enter")
    expect(plans).to_have_count(1)
    ada.reload()
    expect(plans).to_have_text([re.compile("The third plan")])
