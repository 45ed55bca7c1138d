"""The office's API in the name of whom a browser has signed in, past the page it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browser.office_server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.office_server import OfficeServer


class OfficeApi:
    """Asks for what the server has, and does what a colleague might do meanwhile."""

    def __init__(self, page: Page, office: OfficeServer) -> None:
        """The page's cookie signs in."""
        self._request = page.context.request
        self._base = office.base
        self._csrf = ""

    def get(self, path: str, **query: str | float | bool) -> Any:  # noqa: ANN401  it is any JSON
        """What the office answers to a path below its own."""
        answer = self._request.get(self._address(path), params=query)
        assert answer.ok, answer.text()
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401  it is any JSON
        """Make or do something; what came of it."""
        if not self._csrf:
            self._csrf = self._request.get(f"{self._base}/api/me").json()["csrf"]
        headers = {"X-CSRF-Token": self._csrf}
        answer = self._request.post(self._address(path), data=body, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def say(self, channel: str, *texts: str) -> None:
        """Write messages into a channel, which is made for the first ones.

        They are meant for the pm, who is no member, so that no agent begins to work on them.
        """
        threads = self.get("/threads")["items"]
        found = next((one for one in threads if one["name"] == channel), None)
        if found is None:
            found = self.post("/channels", {"name": channel, "members": ["designer"]})
        for text in texts:
            self.post(f"/threads/{found['id']}/messages", {"text": f"{text} @pm"})

    def _address(self, path: str) -> str:
        return f"{self._base}/api/offices/{OFFICE}{path}"
