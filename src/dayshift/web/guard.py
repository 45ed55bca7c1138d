"""The guard before every route: whose request it is addressed to, where it comes from, what leaves.

A request to a name that is not ours, or from a page of another site, is refused before anything is
read. Every response carries the headers that keep what agents write from running or leaving.
"""

import traceback
from typing import cast

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dayshift.web.problems import BrokenError, ForeignError, refusal
from dayshift.web.settings import WebSettings, host_name, is_address

log = structlog.get_logger()

PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'"
)
API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, *, settings: WebSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it; see the module."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        is_api = cast("str", scope["path"]).startswith("/api")

        async def sealed(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._seal(MutableHeaders(raw=message["headers"]), scope, is_api=is_api)
            await send(message)

        foreign = self._foreign(scope)
        if foreign is not None:
            await refusal(foreign)(scope, receive, sealed)
            return
        try:
            await self._app(scope, receive, sealed)
        except Exception as failure:  # The server outlives any request; nobody above can answer.
            # The lines alone: a logger's own idea of a traceback may show what variables hold.
            trace = "".join(traceback.format_exception(failure))
            log.error(  # noqa: TRY400  see above
                "request_failed", method=scope["method"], path=scope["path"], trace=trace
            )
            if started:
                raise
            error = BrokenError("Something went wrong.", hint="The server's log says what.")
            await refusal(error)(scope, receive, sealed)

    def _foreign(self, scope: Scope) -> ForeignError | None:
        """Why a request is none of ours; ``None`` when it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = host_name(host)
        settings = self._settings
        if name not in settings.hosts and not (settings.any_address and is_address(name)):
            return ForeignError(
                f"This server is not {name[:80]!r}.",
                hint="Open it by the address it printed; a further name is a setting (public_url).",
            )
        origin = headers.get("origin")
        if origin is None:
            return None
        if origin == "null" and _is_lent(scope):
            return None
        low = origin.lower()
        own = {f"http://{host.lower()}", f"https://{host.lower()}"}
        if low in own or low in settings.origins:
            return None
        return ForeignError("This request comes from a page of another site.")

    def _seal(self, headers: MutableHeaders, scope: Scope, *, is_api: bool) -> None:
        for name, value in COMMON.items():
            headers.setdefault(name, value)
        headers.setdefault("Content-Security-Policy", API_POLICY if is_api else PAGE_POLICY)
        if is_api:
            headers.setdefault("Cache-Control", "no-store")
        if self._settings.https or scope.get("scheme") == "https":
            headers.setdefault("Strict-Transport-Security", HSTS)


def _is_lent(scope: Scope) -> bool:
    """Whether a file of a preview is read: by a page in a sandbox, which has no origin."""
    return scope["method"] in {"GET", "HEAD"} and scope["path"].startswith("/api/previews/")
