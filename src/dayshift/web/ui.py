"""The built UI, served: assets for ever, the page itself never from a cache."""

import os
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from dayshift.web.kinds import BUILT, BYTES, ending
from dayshift.web.problems import no_such_path

FOR_EVER = "public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dayshift</title>
<h1>The web UI is not built</h1>
<p>The server is running, and its API answers below <a href="/api/health">/api</a>.
<p>To build the UI, run <code>make ui</code> in a copy of the source, or install the wheel,
which brings it along. It takes Node.js 20.19 or newer.
Then load this page again.
</html>
"""


class Ui(StaticFiles):
    """Files below the built UI; every other path is a place within the UI's one page."""

    def __init__(self, folder: Path, *, api: list[BaseRoute]) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._api = api
        # A folder that is not there is no fault: then the page says how to build it.
        self.config_checked = True

    async def get_response(self, path: str, scope: Scope) -> Response:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """A file, the page, or what is wrong; see the class."""
        if path == "api" or path.startswith("api/"):
            raise self._no_route(scope)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("assets/"):  # noqa: PLR2004  not found
                raise
            return await self._page(scope)
        if path.startswith("assets/"):
            response.headers["Cache-Control"] = FOR_EVER
        else:
            response.headers["Cache-Control"] = "no-cache"
        return response

    def file_response(  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        self,
        full_path: PathLike,
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """A file, or that it has not changed; its kind is from our own table."""
        kind = BUILT.get(ending(os.fspath(full_path)), BYTES)
        response = FileResponse(
            full_path, status_code=status_code, stat_result=stat_result, media_type=kind
        )
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response

    async def _page(self, scope: Scope) -> Response:
        try:
            response = await super().get_response("index.html", scope)
        except HTTPException:
            response = HTMLResponse(NOT_BUILT, status_code=503)
        response.headers["Cache-Control"] = "no-cache"
        return response

    def _no_route(self, scope: Scope) -> Exception:
        """Why a path below /api leads nowhere: it is not there, or not for this method."""
        whole = {**scope, "path": scope["path"], "root_path": scope.get("app_root_path", "")}
        allowed: set[str] = set()
        for route in self._api:
            if isinstance(route, Route) and route.matches(whole)[0] == Match.PARTIAL:
                allowed |= route.methods or set()
        if not allowed:
            return no_such_path()
        return HTTPException(405, headers={"Allow": ", ".join(sorted(allowed))})
