"""The API as its document tells it: made-up requests to a real server, by operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dayshift.web.document import describe
from tests.spec.known_failures_stage import Home, posted

if TYPE_CHECKING:
    from collections.abc import Generator

    from schemathesis.core.transport import Response

DOCUMENT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe("0.0.test")))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
# A feed does not end, and a provider's test asks an address outside.
SKIPPED = {"/api/offices/{office}/feed", "/api/providers/{provider}/test"}
OPERATIONS = [
    found.ok()
    for found in SCHEMA.get_all_operations()
    if isinstance(found, Ok) and found.ok().path not in SKIPPED
]
OPEN = {"/api/health", "/api/sign-in", "/api/previews/{ticket}/{path}"}
IDS = {
    "office": "acme",
    "agent": "iris",
    "run": "R-1",
    "task": "T-1",
    "thread": "dm:owner:iris",
    "item": "I-1",
    "event": "E-1",
    "call": "R-1.1.1",
    "alert": "A-1",
    "name": "general",
    "n": 1,
}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
BOUNDED = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)


@dataclass(frozen=True)
class Door:
    """Where the server is, and who asks."""

    url: str
    headers: dict[str, str]
    session: requests.Session


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Generator[Door]:
    """A server with a little in it: a message, a task, a run of each."""
    home = Home(tmp_path_factory.mktemp("home"))
    with home.up(), home.client() as client:
        posted(client, "iris", "Good morning")
        client.post("tasks", json={"title": "Write", "assignee": "kai"})
        home.settled_messages("dm:owner:iris", answers=1)
        headers = {"authorization": client.headers["authorization"]}
        with requests.Session() as session:
            yield Door(str(client.base_url).partition("/api")[0], headers, session)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_an_operation_answers_as_its_document_says(door: Door, operation: Any) -> None:  # noqa: ANN401  schemathesis' own
    """Whatever is sent: no failure of ours, a status and a body that the document names.

    And without a token nothing at all.

    Demanded by: PLAT-3; the measures, schemathesis over the OpenAPI document.
    """

    @BOUNDED
    @given(st.data(), st.booleans())
    def whatever_is_sent(data: st.DataObject, known: bool) -> None:
        case = data.draw(operation.as_strategy())
        for name in (case.path_parameters or {}) if known else ():
            case.path_parameters[name] = IDS.get(name, case.path_parameters[name])
        answer: Response = case.call(base_url=door.url, headers=door.headers, session=door.session)
        case.validate_response(answer, checks=CHECKS)
        if operation.path not in OPEN:
            stranger = {"authorization": "Bearer nobody"}
            refused = case.call(base_url=door.url, headers=stranger, session=door.session)
            assert refused.status_code == 401

    whatever_is_sent()
