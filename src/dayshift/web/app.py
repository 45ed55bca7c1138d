"""The app: guard, pages, document and UI, put together."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from dayshift.core.errors import OfficeError
from dayshift.web.building import Building
from dayshift.web.document import document
from dayshift.web.guard import Guard
from dayshift.web.pages import PAGES
from dayshift.web.problems import of_framework, of_validation, refusal
from dayshift.web.settings import WebSettings
from dayshift.web.tickets import Tickets
from dayshift.web.ui import Ui

GZIP_BYTES_MIN = 1_024
GZIP_LEVEL = 5


def create_app(building: Building, *, settings: WebSettings | None = None) -> FastAPI:
    """The web of a building, to be run by an ASGI server."""
    settings = settings or WebSettings()
    routes: list[BaseRoute] = [route for page in PAGES for route in page.routes]
    app = FastAPI(
        title="Dayshift",
        version=building.version,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=[
            *routes,
            Route("/api/openapi.json", _openapi, include_in_schema=False),
            Mount("/", Ui(settings.ui, api=routes), name="ui"),
        ],
    )
    app.state.building = building
    app.state.settings = settings
    app.state.tickets = Tickets()
    app.add_exception_handler(OfficeError, _on_office_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_middleware(GZipMiddleware, minimum_size=GZIP_BYTES_MIN, compresslevel=GZIP_LEVEL)
    app.add_middleware(Guard, settings=settings)
    return app


async def _openapi(request: Request) -> Response:
    """The document of the API; asked without signing in."""
    return Response(document(request.app.version), media_type="application/json")


async def _on_office_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, OfficeError)  # noqa: S101  registered for nothing else
    return refusal(error)


async def _on_http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  registered for nothing else
    return of_framework(error)


async def _on_validation_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  registered for nothing else
    return of_validation(error)
