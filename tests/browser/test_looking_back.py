"""How a person finds out what happened: a run on the wire, the feed's filters, a file's history."""

from __future__ import annotations

import json
import re
import shlex
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.office_api import OfficeApi
    from tests.browser.office_server import OfficeServer

WORK_MAX_MS = 60_000


@pytest.fixture
def copy(ada: Page, office: OfficeServer) -> Page:
    """Ada looks at the copywriter's copy, as soon as it is written."""
    ada.goto(f"{office.base}/o/{OFFICE}/files?agent=copywriter")
    ada.get_by_role("button", name="copy").click(timeout=WORK_MAX_MS)
    ada.get_by_role("button", name="landing.md").click()
    expect(ada.get_by_text("Roasted on Monday")).to_be_visible()
    return ada


def test_a_file_tells_which_run_wrote_it(copy: Page, api: OfficeApi, office: OfficeServer) -> None:
    """Its history stands in the address and leads to the run.

    Demanded by: WORK-6, PLAT-5.
    """
    copy.get_by_text("History", exact=True).click()
    copy.wait_for_url(re.compile("view=history"))
    copy.reload()
    written = copy.get_by_role("row").filter(has_text="created")
    link = written.get_by_role("link")
    run = link.inner_text()
    link.click()
    expect(copy.get_by_role("heading", level=1, name="Write the copy")).to_be_visible()
    copy.wait_for_url(f"{office.base}/o/{OFFICE}/runs/{run}")
    calls = api.get(f"/runs/{run}")["calls"]
    assert "write_file" in [call["name"] for call in calls]


def test_a_file_is_downloaded_as_it_is(copy: Page, api: OfficeApi) -> None:
    """Under its own name.

    Demanded by: WORK-6.
    """
    with copy.expect_download() as started:
        copy.get_by_role("link", name="Download").click()
    assert started.value.suggested_filename == "landing.md"
    text = started.value.path().read_text(encoding="utf-8")
    assert text.startswith("# Roasted on Monday, at your door on Tuesday\n")
    assert text.rstrip().endswith("**Order your first bag**")


def test_a_run_can_be_shown_again_by_the_command_that_is_copied(
    copy: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """What is in the clipboard, typed into a terminal, prints this run.

    Demanded by: PLAT-5, RUN-2.
    """
    run = api.get("/runs", agent="copywriter")["items"][-1]["id"]
    copy.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy.goto(f"{office.base}/o/{OFFICE}/runs/{run}")
    copy.get_by_role("button", name="Copy the command").click()
    expect(copy.get_by_role("button", name="Copied")).to_be_visible()
    command = shlex.split(copy.evaluate("navigator.clipboard.readText()"))
    assert command[0] == "dayshift"
    assert run in command
    assert json.loads(office.told(*command[1:]))["run"]["id"] == run


def test_a_turn_is_shown_as_it_went_over_the_wire(
    copy: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """Request and response open beside the run, and again from their address.

    Demanded by: PLAT-5, RUN-2.
    """
    run = api.get("/runs", agent="copywriter")["items"][-1]["id"]
    copy.goto(f"{office.base}/o/{OFFICE}/runs/{run}")
    turn = copy.get_by_role("article", name="Turn 1")
    turn.get_by_role("button", name="Request").click()
    wire = copy.get_by_role("dialog", name="Turn 1, as it went over the wire")
    expect(wire).to_contain_text('"messages"')
    wire.get_by_text("Response", exact=True).click()
    expect(wire).to_contain_text("write_file")
    expect(wire).not_to_contain_text('"messages"')
    copy.reload()
    expect(wire).to_contain_text("write_file")
    copy.keyboard.press("Escape")
    expect(wire).to_be_hidden()


def _choose(page: Page, filter_: str, choice: str) -> None:
    page.get_by_role("main").get_by_role("combobox", name=filter_).click()
    page.get_by_role("option", name=choice).first.click()


def _lines(page: Page) -> Locator:
    return page.get_by_role("log", name="Feed")


def test_the_feeds_filters_stand_in_the_address(copy: Page, office: OfficeServer) -> None:
    """Agent, kind and words are the same after a reload, and so is what they let through.

    Demanded by: PLAT-3, PLAT-5.
    """
    copy.goto(f"{office.base}/o/{OFFICE}/feed")
    _choose(copy, "Agent", "copywriter")
    copy.get_by_text("Tools and files", exact=True).click()
    copy.get_by_role("textbox", name="Words").fill("landing.md")
    copy.wait_for_url(re.compile("text=landing.md"))
    for page in (copy, copy):
        expect(_lines(page).get_by_text("wrote a new file: copy/landing.md")).to_be_visible()
        expect(_lines(page).get_by_text("began")).to_have_count(0)
        expect(_lines(page).get_by_text("developer")).to_have_count(0)
        expect(page.get_by_role("combobox", name="Agent")).to_have_value("copywriter")
        expect(page.get_by_role("checkbox", name="Tools and files")).to_be_checked()
        expect(page.get_by_role("textbox", name="Words")).to_have_value("landing.md")
        page.reload()


def test_the_feed_shows_what_became_of_one_task(
    copy: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """From its making on; other tasks are left out, also after a reload.

    Demanded by: PLAT-3, PLAT-5.
    """
    task = api.post("/tasks", {"title": "Polish the brass"})["id"]
    api.post("/tasks", {"title": "Paint the door"})
    copy.goto(f"{office.base}/o/{OFFICE}/feed")
    _choose(copy, "Task", "Polish the brass")
    copy.wait_for_url(re.compile(f"task={task}$"))
    made = _lines(copy).get_by_text("made the task Polish the brass")
    expect(made).to_be_visible()
    copy.reload()
    expect(made).to_be_visible()
    expect(_lines(copy).get_by_text("Paint the door")).to_have_count(0)
    # What happens now is held to the same filter.
    api.post("/tasks", {"title": "Sweep the stairs"})
    api.post(f"/tasks/{task}/comments", {"text": "With vinegar."})
    expect(_lines(copy).get_by_text("With vinegar.")).to_be_visible()
    expect(_lines(copy).get_by_text("Sweep the stairs")).to_have_count(0)


def test_what_is_said_to_an_agent_shows_among_what_concerns_it(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """A person's words to an agent come in while one looks, and are there after a reload.

    Demanded by: PLAT-3, WORK-3.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/feed?agent=reviewer")
    api.post("/agents/reviewer/messages", {"text": 'Say "ahoy" once.', "mode": "queue"})
    words = _lines(ada).get_by_text('Say "ahoy" once.').first
    expect(words).to_be_visible()
    ada.reload()
    expect(words).to_be_visible()
    ada.get_by_role("textbox", name="Words").fill('"ahoy"')
    ada.wait_for_url(re.compile("text="))
    expect(words).to_be_visible()


def _jump(page: Page, days: int) -> None:
    page.get_by_role("button", name="Jump to a moment").click()
    when = page.get_by_label("When")
    moment = datetime.fromisoformat(when.input_value()) + timedelta(days=days)
    when.fill(moment.isoformat(timespec="minutes"))
    page.get_by_role("button", name="Show that moment").click()


def test_the_feed_is_shown_as_it_was_at_a_moment(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """What came later is left out until one is back at now; the moment stands in the address.

    Demanded by: PLAT-3, PLAT-5.
    """
    api.say("moments", "Before the moment")
    ada.goto(f"{office.base}/o/{OFFICE}/feed?text=the+moment")
    ada.get_by_text("Messages", exact=True).click()
    before = _lines(ada).get_by_text("Before the moment")
    after = _lines(ada).get_by_text("After the moment")
    expect(before).to_be_visible()
    _jump(ada, days=1)
    expect(ada.get_by_text("You see the past, up to entry")).to_be_visible()
    api.say("moments", "After the moment")
    ada.reload()
    expect(before).to_be_visible()
    expect(after).to_have_count(0)
    ada.get_by_role("button", name="Back to now").click()
    expect(after).to_be_visible()

    _jump(ada, days=-1)
    expect(ada.get_by_text("You see the past, up to entry 1.")).to_be_visible()
    expect(before).to_have_count(0)
