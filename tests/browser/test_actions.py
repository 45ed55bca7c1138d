"""What a person does to runs, inboxes, settings and keys, each thing once, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 20_000


def test_a_run_is_asked_for_steered_and_stopped(ada: Page, office: OfficeServer) -> None:
    """A word joins the work under way and is read before its next step; Stop ends the run.

    Demanded by: RUN-2, RUN-3, WORK-3.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/dm/designer")
    box = ada.get_by_role("textbox", name="Message designer")
    box.fill("Choose the colours slowly")
    ada.keyboard.press("Enter")
    at_work = ada.get_by_role("article").filter(has_text="running").last
    expect(at_work).to_contain_text("One colour after another")

    expect(ada.get_by_role("radio", name="Join the work")).to_be_checked()
    box.fill("Nothing but blue")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("article").filter(has_text="Nothing but blue")).to_have_count(1)
    expect(at_work).to_contain_text("Now the second half, as you said", timeout=WORK_MAX_MS)

    at_work.get_by_role("button", name="Stop").click()
    expect(at_work).to_be_hidden()
    expect(ada.get_by_text("Stopped").last).to_be_visible()


def test_an_inbox_is_held_put_in_order_and_thinned_out(ada: Page, office: OfficeServer) -> None:
    """What waits can be moved and taken out, and goes on when the inbox is let go.

    Demanded by: RUN-5, ATT-4.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/agents/copywriter?tab=inbox")
    ada.get_by_role("button", name="Pause the inbox").click()
    expect(ada.get_by_text("This inbox is paused")).to_be_visible()
    ada.goto(f"{office.base}/o/{OFFICE}/dm/copywriter")
    box = ada.get_by_role("textbox", name="Message copywriter")
    for text in ("first wish", "second wish", "third wish"):
        box.fill(text)
        ada.keyboard.press("Enter")
        expect(ada.get_by_role("article").filter(has_text=text)).to_be_visible()

    ada.goto(f"{office.base}/o/{OFFICE}/agents/copywriter?tab=inbox")
    waiting = ada.get_by_role("region", name=re.compile("^Waiting"))
    wishes = waiting.get_by_text(re.compile("wish$"))
    expect(wishes).to_have_text(["first wish", "second wish", "third wish"])
    waiting.get_by_role("button", name="Move down").first.click()
    expect(wishes).to_have_text(["second wish", "first wish", "third wish"])
    waiting.get_by_role("button", name="Take it out").last.click()
    expect(wishes).to_have_text(["second wish", "first wish"])
    ada.reload()
    expect(wishes).to_have_text(["second wish", "first wish"])

    ada.get_by_role("button", name="Let it go on").first.click()
    expect(ada.get_by_text("Nothing waits")).to_be_visible(timeout=WORK_MAX_MS)


def test_a_setting_that_is_refused_says_why_and_is_not_kept(
    ada: Page, office: OfficeServer
) -> None:
    """The reason stands at the field; what was there before is one click away, and after a reload.

    Demanded by: PLAT-5.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/agents/reviewer?tab=settings")
    model = ada.get_by_role("combobox", name="Model")
    before = model.input_value()
    model.fill("nobody:nothing")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("nobody").last).to_be_visible()
    expect(model).to_have_attribute("aria-invalid", "true")
    ada.get_by_role("button", name="Undo").click()
    expect(model).to_have_value(before)
    ada.reload()
    expect(model).to_have_value(before)


def test_a_provider_is_tested_and_one_that_cannot_be_says_why(
    ada: Page, office: OfficeServer
) -> None:
    """What the test found stands below the provider.

    Demanded by: PLAT-9.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/settings?section=providers")
    nearby = ada.get_by_role("listitem").filter(has_text="Nearby")
    nearby.get_by_role("button", name="Test").click()
    expect(nearby.get_by_role("status")).to_contain_text("127.0.0.1", timeout=WORK_MAX_MS)
    rehearsal = ada.get_by_role("listitem").filter(has_text="Rehearsal")
    rehearsal.get_by_role("button", name="Test").hover()
    expect(ada.get_by_role("tooltip")).to_contain_text("nothing to test")


def test_a_token_is_shown_once_and_revoked(ada: Page, office: OfficeServer) -> None:
    """Its secret is gone after a reload; after it is revoked it is not in the list.

    Demanded by: PLAT-1.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/settings?section=tokens")
    ada.get_by_role("button", name="New token").click()
    ada.get_by_role("textbox", name="Name").fill("night watch")
    ada.get_by_role("button", name="Create the token").click()
    secret = ada.get_by_role("alert").filter(has_text="night watch")
    expect(secret).to_contain_text("not shown again")
    ada.reload()
    line = ada.get_by_role("listitem").filter(has_text="night watch")
    expect(line).to_be_visible()
    expect(secret).to_be_hidden()

    line.get_by_role("button", name="Revoke").click()
    ada.get_by_role("dialog").get_by_role("button", name="Yes, do it").click()
    expect(line).to_be_hidden()


def test_another_browser_is_signed_out_from_here(
    ada: Page, signed_in: Callable[..., Page], office: OfficeServer
) -> None:
    """It is back at the sign-in page with its next step.

    Demanded by: PLAT-1.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/settings?section=sessions")
    mine = ada.get_by_role("listitem").filter(has_text="this one")
    expect(mine).to_be_visible()
    other = signed_in(user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0")
    ada.reload()
    line = ada.get_by_role("listitem").filter(has_text="Firefox")
    line.get_by_role("button", name="Sign out").click()
    ada.get_by_role("dialog").get_by_role("button", name="Yes, do it").click()
    expect(line).to_be_hidden()
    expect(mine).to_be_visible()

    other.reload()
    expect(other.get_by_role("textbox", name="Sign-in link or token")).to_be_visible()
