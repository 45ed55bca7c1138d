"""Failures that other systems had and that show in a browser, each by the id of the registry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

    from tests.browser.office_server import OfficeServer

SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
POST_ALL = """async ([office, script]) => {
    const { csrf } = await (await fetch('/api/me')).json();
    const headers = { 'X-CSRF-Token': csrf, 'Content-Type': 'application/json' };
    const post = async (path, body) => {
        const answer = await fetch(`/api/offices/${office}${path}`, {
            method: 'POST', headers, body: JSON.stringify(body) });
        if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
        return answer.json();
    };
    const link = `${script} [here](javascript:window.hacked=1) ![p](https://evil.example/p.png)`;
    await post('/channels', { name: 'hostile', description: script, members: [] });
    await post('/threads/ch:hostile/messages', { text: link, mode: 'queue' });
    await post('/events', { source: 'custom', type: 'note', text: link, priority: 3 });
    const made = await post('/tasks', { title: script, description: link });
    await post(`/tasks/${made.id}/comments`, { text: link });
    return made.id;
}"""
PAGES = ("", "/feed?all=true", "/board", "/channels/hostile", "/events", "/search?text=hacked")


def _others_asked(page: Page, office: OfficeServer) -> list[str]:
    """Addresses of other hosts, as they are asked for."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((office.base, "data:", "blob:")):
            asked.append(request.url)

    page.context.on("request", note)
    return asked


@pytest.mark.timeout(120)
def test_sec_01_what_anybody_writes_is_text_on_every_page(ada: Page, office: OfficeServer) -> None:
    """Names, titles, descriptions, remarks, events and messages with script in them do nothing.

    Demanded by: SEC-01.
    """
    asked = _others_asked(ada, office)
    task = ada.evaluate(POST_ALL, [OFFICE, SCRIPT])
    for path in (*PAGES, f"/board?task={task}"):
        ada.goto(f"{office.base}/o/{OFFICE}{path}")
        expect(ada.get_by_text("window.hacked").first, path).to_be_visible()
        assert ada.evaluate("window.hacked") is None, path
        assert ada.locator("#root script, img[src=x]").count() == 0, path
    for link in ada.get_by_role("dialog").get_by_text("here", exact=True).all():
        link.click()
    ada.keyboard.press("Escape")
    ada.keyboard.press("Control+k")
    ada.get_by_role("textbox", name="Search or jump to").fill("onerror")
    expect(ada.get_by_role("dialog").get_by_text("window.hacked").first).to_be_visible()
    assert ada.evaluate("window.hacked") is None
    assert asked == []


def test_sec_03_an_address_cannot_lead_the_page_elsewhere(page: Page, office: OfficeServer) -> None:
    """Whatever server, way back or token a link names, only this server is asked.

    Demanded by: SEC-03.
    """
    asked = _others_asked(page, office)
    away = "https://evil.example/o/x"
    for back in (away, "//evil.example/o/x", "/\\evil.example", "javascript:window.hacked=1"):
        link = office.link()
        page.goto(f"{office.base}/sign-in?back={back}&server={away}&gatewayUrl={away}")
        page.get_by_role("textbox", name="Sign-in link or token").fill(link)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(re.escape(f"{office.base}/o/")))
        page.context.clear_cookies()
    assert page.evaluate("window.hacked") is None
    assert asked == []


def test_text_01_half_a_character_is_sent_and_shown(ada: Page, office: OfficeServer) -> None:
    """A mark stands where something was lost, once, and the conversation goes on.

    Demanded by: TEXT-01.
    """
    ada.goto(f"{office.base}/o/{OFFICE}/channels/general")
    box = ada.get_by_role("textbox", name="Message #general")
    box.evaluate(
        r"""(area) => {
            const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
            value.set.call(area, 'half \ud83d of it');
            area.dispatchEvent(new Event('input', { bubbles: true }));
        }"""
    )
    box.press("Enter")
    half = ada.get_by_role("article").filter(has_text=re.compile("half \ufffd of it"))
    expect(half).to_have_count(1)
    box.fill("and all the rest")
    box.press("Enter")
    ada.reload()
    expect(half).to_have_count(1)
    expect(ada.get_by_role("article").filter(has_text="and all the rest")).to_have_count(1)
