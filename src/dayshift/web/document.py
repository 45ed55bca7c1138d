"""The document of the API (OpenAPI 3.1), made from the routes and their annotations.

Paths and queries are described by FastAPI; bodies and replies are msgspec's structs, described by
msgspec, so that what is written and what is sent cannot differ. Every operation has an example.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast, get_args, get_origin, get_type_hints

import msgspec
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from dayshift.core.details import Page
from dayshift.core.entries import Live, Recorded
from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    LimitError,
    NotFoundError,
    OfficeError,
    SignedOutError,
    StorageError,
)
from dayshift.core.snapshot import Snapshot
from dayshift.web.bodies import BodyOf
from dayshift.web.doors import ByTicket, InOffice, OnServer
from dayshift.web.pages import PAGES
from dayshift.web.pages.samples import OWN
from dayshift.web.problems import (
    MEDIA_TYPE,
    Fault,
    FaultyError,
    MalformedError,
    MediaTypeError,
    Problem,
    problem_of,
)
from dayshift.web.reply import Done, Raw, Reply
from dayshift.web.samples.details import by_type
from dayshift.web.sse import FeedResponse

ABOUT = """Everything of a Dayshift server.

Programs send an API token as `Authorization: Bearer dsh_…`; browsers have the session cookie, and
send `X-CSRF-Token` with every change. Lists are `items` with `next`, the cursor to send as
`before`. Every refusal is a problem (`application/problem+json`). Times are ISO 8601 in the
office's zone; money is in millionths of a US dollar.
"""
TAGS = {
    "Server": "Health, model providers, isolation.",
    "Account": "Signing in and out, and one's own account.",
    "API tokens": "For programs.",
    "Audit": "Who came in, and who changed what on the server.",
    "Offices": "List, make, change, pause.",
    "Feed": "Everything that happens, live and in the past.",
    "Agents": "The staff.",
    "Inbox": "What waits for agents.",
    "Threads": "Conversations and channels.",
    "Tasks": "The board.",
    "Runs": "What agents did, turn by turn.",
    "Events": "What happened, and whom it woke.",
    "Files": "Agents' workspaces.",
    "Usage": "Tokens and money.",
    "Alerts": "What a person should look at.",
}
IDS = {
    "office": "acme",
    "agent": "iris",
    "alert": "A-5",
    "call": "C-204",
    "event": "E-102",
    "item": "I-88",
    "n": 1,
    "name": "general",
    "path": "site/index.html",
    "provider": "anthropic",
    "run": "R-17",
    "session": "S-4f1d20a9c7e3",
    "task": "T-12",
    "thread": "H-3",
    "ticket": "p0cW5Jd6nB7aXk2mVt9sQeLr",
    "token": "K-90c2e1d7ab44",
}
REFS = "#/components/schemas/{name}"
_ODD = re.compile(r"[^A-Za-z0-9.-]+")


@cache
def document(version: str) -> bytes:
    """The document as JSON."""
    return msgspec.json.encode(describe(version))


def operations() -> list[tuple[str, APIRoute]]:
    """Every method of every route of the API, in the order of the document."""
    return [
        (method, route)
        for page in PAGES
        for route in page.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
    ]


def describe(version: str) -> dict[str, Any]:
    """The document as plain data."""
    routes = [route for _, route in operations()]
    told = get_openapi(
        title="Dayshift",
        version=version,
        description=ABOUT,
        routes=routes,
        tags=[{"name": name, "description": about} for name, about in TAGS.items()],
    )
    types: list[Any] = [Problem, Recorded, Live, Snapshot]
    types += [type_ for route in routes for type_ in (_replied(route), _taken(route)) if type_]
    schemas = Schemas(types)
    for method, route in operations():
        _complete(told["paths"][route.path_format][method.lower()], route, schemas)
    told["components"] = {
        "schemas": schemas.components(),
        "responses": refusals(schemas),
        "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer", "description": "An API token."},
            "session": {"type": "apiKey", "in": "cookie", "name": "dayshift_session"},
        },
    }
    return told


class Schemas:
    """JSON Schemas of msgspec's types, under names that read well."""

    def __init__(self, types: list[Any]) -> None:
        self._types = list(dict.fromkeys(types))
        found, components = msgspec.json.schema_components(self._types, ref_template=REFS)
        self._schemas = dict(zip(self._types, _tidy(list(found)), strict=True))
        self._components = {_name(name): _tidy(schema) for name, schema in components.items()}
        self._samples = by_type(*OWN)

    def of(self, type_: Any) -> dict[str, Any]:  # noqa: ANN401  a type, generic or not
        """The schema of a type; a reference where it has a name."""
        return self._schemas[type_]

    def example(self, type_: Any) -> Any:  # noqa: ANN401  plain data
        """A sample of a type as plain data."""
        origin, inner = get_origin(type_), get_args(type_)
        if origin is Page:
            return {"items": [self.example(inner[0])], "next": None}
        if origin is list:
            return [self.example(inner[0])]
        if type_ is Any:
            return {}
        return msgspec.to_builtins(self._samples[type_], str_keys=True)

    def components(self) -> dict[str, Any]:
        """All named schemas, the unions among them too."""
        named = dict(self._components)
        recorded = {**named["Recorded"]}
        recorded["properties"] = {**recorded["properties"]}
        named["Entry"] = recorded["properties"]["entry"]
        recorded["properties"]["entry"] = {"$ref": REFS.format(name="Entry")}
        named["Recorded"] = recorded
        named["Live"] = self._schemas[Live]
        return dict(sorted(named.items()))


def _complete(operation: dict[str, Any], route: APIRoute, schemas: Schemas) -> None:
    """Fill in what FastAPI cannot know: body, replies, problems, permission."""
    status, reply = _reply(route, schemas)
    permission = permission_of(route)
    taken = _taken(route)
    refused = [401, 403] if permission else []
    refused += [400, 413, 415] if taken else []
    refused += [404] if "{" in route.path_format else []
    refused += [] if "GET" in (route.methods or ()) else [409]
    refused.append(422)
    operation["responses"] = {str(status): reply}
    operation["responses"] |= {str(code): refused_with(code) for code in sorted(set(refused))}
    operation["responses"]["default"] = refused_with(0)
    if taken is not None:
        operation["requestBody"] = {
            "required": not any(body.optional for body in _bodies(route.dependant)),
            "content": {
                "application/json": {"schema": schemas.of(taken), "example": schemas.example(taken)}
            },
        }
    if permission and "ticket" not in route.param_convertors:
        operation["security"] = [{"token": []}, {"session": []}]
    else:
        operation["security"] = []
    if permission:
        operation["x-permission"] = permission
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            parameter["example"] = IDS[parameter["name"]]


REFUSALS: dict[int, OfficeError] = {
    0: StorageError("The disk is full.", hint="Free some space; nothing was changed."),
    400: MalformedError("The body is not JSON: it ends too early."),
    401: SignedOutError("You are not signed in.", hint="Open a sign-in link."),
    403: DeniedError("You may not do this here.", hint="It needs the permission tasks:edit."),
    404: NotFoundError("There is no run 'R-99'."),
    409: ConflictError("The run R-17 has ended."),
    413: LimitError("The message has 70,000 bytes, more than the 65,536 a message may."),
    415: MediaTypeError("The body is text/plain, not JSON."),
    422: FaultyError(
        "$.priority: Expected `int` <= 4.",
        faults=[Fault(field="$.priority", message="Expected `int` <= 4")],
    ),
}
"""Why a request can be refused, by status; 0 is for all the rest."""


def refused_with(status: int) -> dict[str, str]:
    """A reference to what a refusal looks like."""
    return {"$ref": f"#/components/responses/Refused{status or ''}"}


def refusals(schemas: Schemas) -> dict[str, Any]:
    """What every refusal looks like, by name."""
    return {
        f"Refused{status or ''}": {
            "description": (type(error).__doc__ or "").partition("\n")[0],
            "content": {
                MEDIA_TYPE: {
                    "schema": schemas.of(Problem),
                    "example": msgspec.to_builtins(problem_of(error)),
                }
            },
        }
        for status, error in REFUSALS.items()
    }


def _reply(route: APIRoute, schemas: Schemas) -> tuple[int, dict[str, Any]]:
    """The status and the description of a route's reply."""
    returned = get_type_hints(route.endpoint)["return"]
    kind = get_origin(returned) or returned
    if issubclass(kind, Reply):
        type_ = _replied(route)
        content = {"schema": schemas.of(type_), "example": schemas.example(type_)}
        return kind.status, {"description": "Done.", "content": {"application/json": content}}
    if issubclass(kind, FeedResponse):
        frames = [schemas.of(Recorded), {"$ref": REFS.format(name="Live")}, schemas.of(Snapshot)]
        content = {"schema": {"anyOf": frames}}
        return 200, {"description": "Frames.", "content": {"text/event-stream": content}}
    if issubclass(kind, Raw):
        content = {"schema": {"type": "string", "format": "binary"}}
        return 200, {"description": "The file's bytes.", "content": {"*/*": content}}
    assert issubclass(kind, Done), returned  # noqa: S101  no page replies anything else
    return kind.status, {"description": "Done."}


def _replied(route: APIRoute) -> Any:  # noqa: ANN401  a type, generic or not
    """The type a route replies; ``None`` where it is no view."""
    returned = get_type_hints(route.endpoint)["return"]
    kind = get_origin(returned) or returned
    return get_args(returned)[0] if issubclass(kind, Reply) else None


def _taken(route: APIRoute) -> Any:  # noqa: ANN401  a type
    """The type a route takes as its body, ``None`` where it takes none."""
    return next((body.type for body in _bodies(route.dependant)), None)


def _bodies(dependant: Dependant) -> Iterator[BodyOf[Any]]:
    for needed in dependant.dependencies:
        if isinstance(needed.call, BodyOf):
            yield cast("BodyOf[Any]", needed.call)  # FastAPI forgets what a dependency is


def permission_of(route: APIRoute) -> str:
    """The permission a route asks for; empty when it asks for none."""
    for needed in route.dependant.dependencies:
        if isinstance(needed.call, OnServer | InOffice | ByTicket):
            return needed.call.permission
    return ""


def _name(name: str) -> str:
    """A component's name as it reads outside: ``Page_TaskView_`` is ``PageTaskView``."""
    return _ODD.sub("", name.replace("_", ""))


def _tidy(schema: Any) -> Any:  # noqa: ANN401  plain data
    """A schema with references to tidy names."""
    if isinstance(schema, list):
        return [_tidy(part) for part in schema]  # pyright: ignore[reportUnknownVariableType]  plain data
    if not isinstance(schema, dict):
        return schema
    tidied: dict[str, Any] = {key: _tidy(part) for key, part in schema.items()}  # pyright: ignore[reportUnknownVariableType]  plain data
    reference = tidied.get("$ref")
    if isinstance(reference, str):
        head, _, name = reference.rpartition("/")
        tidied["$ref"] = f"{head}/{_name(name)}"
    return tidied
