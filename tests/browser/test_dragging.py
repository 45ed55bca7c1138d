"""What is carried by hand: cards by mouse and by finger, agents to a new manager."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_api import OfficeApi
from tests.browser.office_server import OFFICE
from tests.browser.test_states import refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.browser.office_server import OfficeServer


def _middle(part: Locator) -> tuple[float, float]:
    """Where a finger or the mouse meets it."""
    part.scroll_into_view_if_needed()
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _said(page: Page) -> Locator:
    """What the board tells of the card in hand."""
    return page.locator("[aria-live=assertive]").first


def test_a_card_is_carried_by_mouse_while_a_colleague_makes_another(
    ada: Page, api: OfficeApi, office: OfficeServer
) -> None:
    """Where it is dropped it stays, and there the server has it.

    Demanded by: WORK-1, PLAT-5.
    """
    task = api.post("/tasks", {"title": "Carry the chairs", "priority": 4})["id"]
    ada.goto(f"{office.base}/o/{OFFICE}/board")
    card = ada.get_by_role("button", name="Carry the chairs")
    under_way = ada.get_by_role("region", name="In progress")
    ada.mouse.move(*_middle(card))
    ada.mouse.down()
    ada.mouse.move(*_middle(under_way), steps=8)
    expect(_said(ada)).to_contain_text("Over In progress")
    api.post("/tasks", {"title": "Carry the tables"})
    expect(ada.get_by_role("button", name="Carry the tables")).to_be_visible()
    ada.mouse.up()

    expect(_said(ada)).to_contain_text("Dropped Carry the chairs into In progress")
    expect(under_way.locator(card)).to_be_visible()
    ada.reload()
    expect(under_way.locator(card)).to_be_visible()
    assert api.get(f"/tasks/{task}")["task"]["status"] == "in_progress"


def test_a_card_is_carried_by_finger(signed_in: Callable[..., Page], office: OfficeServer) -> None:
    """On a phone a card that is held down a moment is in hand; the page does not scroll away.

    Demanded by: WORK-1, PLAT-5.
    """
    phone = signed_in(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    api = OfficeApi(phone, office)
    task = api.post("/tasks", {"title": "Carry the lamps", "priority": 4})["id"]
    phone.goto(f"{office.base}/o/{OFFICE}/board")
    card = phone.get_by_role("button", name="Carry the lamps")
    under_way = phone.get_by_role("region", name="In progress")
    phone.get_by_role("region", name="To do").evaluate("e => e.scrollIntoView({inline: 'start'})")
    start_x, start_y = _middle(card)
    column = under_way.bounding_box()
    assert column is not None

    fingers = phone.context.new_cdp_session(phone)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start_x, start_y)
    expect(_said(phone)).to_contain_text("Lifted Carry the lamps")
    for step in range(1, 6):
        touch("touchMove", start_x + (column["x"] + 40 - start_x) * step / 5, start_y)
    expect(_said(phone)).to_contain_text("Over In progress")
    touch("touchEnd")

    expect(under_way.locator(card)).to_be_visible()
    phone.reload()
    expect(under_way.locator(card)).to_be_attached()
    assert api.get(f"/tasks/{task}")["task"]["status"] == "in_progress"


@pytest.fixture
def chart(ada: Page, office: OfficeServer) -> Page:
    """The org chart."""
    ada.goto(f"{office.base}/o/{OFFICE}/agents?view=chart")
    expect(_box(ada, "reviewer")).to_be_visible()
    return ada


def _box(page: Page, agent: str) -> Locator:
    """An agent's box, which has its place on the chart."""
    return page.locator(".react-flow__node").filter(
        has=page.get_by_role("button", name=re.compile(f"^{agent} "))
    )


def _give(page: Page, agent: str, manager: str) -> None:
    page.mouse.move(*_middle(_box(page, agent)))
    page.mouse.down()
    page.mouse.move(*_middle(_box(page, manager)), steps=8)
    page.mouse.up()


def test_an_agent_is_dragged_onto_its_new_manager(chart: Page, api: OfficeApi) -> None:
    """It reports to that one from then on, and back again.

    Demanded by: PLAT-5.
    """
    for manager in ("developer", "pm"):
        _give(chart, "reviewer", manager)
        expect(chart.get_by_text(f"reviewer reports to {manager} now.")).to_be_visible()
        assert api.get("/agents/reviewer")["reports_to"] == manager


def test_a_circle_of_managers_is_refused_and_the_box_goes_back(chart: Page, api: OfficeApi) -> None:
    """The reason says who would have to move first; nothing has changed.

    Demanded by: PLAT-5.
    """
    box = _box(chart, "pm")
    place = box.evaluate("e => getComputedStyle(e).transform")
    _give(chart, "pm", "designer")
    expect(chart.get_by_text("Move designer first.")).to_be_visible()
    expect(box).to_have_css("transform", place)
    assert api.get("/agents/pm")["reports_to"] == ""


def test_a_manager_that_the_server_refuses_is_taken_back(chart: Page, api: OfficeApi) -> None:
    """The chart is as it was before, and says why.

    Demanded by: PLAT-5.
    """
    box = _box(chart, "reviewer")
    place = box.evaluate("e => getComputedStyle(e).transform")
    chart.route(re.compile("/agents/reviewer$"), refuse)
    _give(chart, "reviewer", "copywriter")
    expect(chart.get_by_text("Only the owner of the office may see this.")).to_be_visible()
    expect(box).to_have_css("transform", place)
    assert api.get("/agents/reviewer")["reports_to"] == "pm"
