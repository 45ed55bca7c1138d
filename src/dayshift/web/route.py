"""Routes as all pages make them, and the parameters that lists share."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.routing import APIRoute

from dayshift.core.details import Page
from dayshift.web.reply import T

LIMIT_MAX = 200

Before = Annotated[
    str, Query(description="Cursor: the `next` of the page before this one.", max_length=200)
]
Limit = Annotated[int, Query(description="How many at most.", ge=1, le=LIMIT_MAX)]
Word = Annotated[str, Query(max_length=200)]


class Route(APIRoute):
    """A route whose replies are encoded by us, not by a model of FastAPI's."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401  FastAPI's own options
        options["response_model"] = None
        super().__init__(path, endpoint, **options)


def page(prefix: str, tag: str) -> APIRouter:
    """A router of one page: its paths begin with ``prefix``, its operations bear ``tag``."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=Route,
        generate_unique_id_function=lambda route: route.name,
    )


def whole(items: Sequence[T]) -> Page[T]:
    """A list that is never cut into pages."""
    return Page(items=list(items))
