"""Bad input gives a clear error and changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dayshift.core.states import TaskStatus
from dayshift.testing.rooms import Heard, MemoryBoard
from dayshift.web.bodies import BODY_BYTES_MAX
from dayshift.web.document import operations, permission_of
from tests.spec.doors import House, open_house, refusal
from tests.spec.test_web_doors import path_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator
    from pathlib import Path

    from dayshift.core.details import Page
    from dayshift.core.views import TaskView
    from dayshift.core.wishes import TaskFilter

TASKS = "/api/offices/acme/tasks"
JSON = {"content-type": "application/json"}


class BrokenBoard(MemoryBoard):
    """A board with a mistake in it."""

    async def tasks(self, wanted: TaskFilter, *, before: str, limit: int) -> Page[TaskView]:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Fail as no room should."""
        raise RuntimeError(f"boom {wanted} {before} {limit}")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.mark.parametrize(
    ("body", "status", "code", "told"),
    [
        (b"", 400, "malformed", "not JSON"),
        (b"{", 400, "malformed", "not JSON"),
        (b"\xff\xfe", 400, "malformed", "not JSON"),
        (b'{"title":"\xff"}', 400, "malformed", "not JSON"),
        (b'{"title":"\\ud800"}', 400, "malformed", "not JSON"),
        (b'{"title":"x"} {"title":"y"}', 400, "malformed", "not JSON"),
        (b"[]", 422, "invalid", "$: Expected `object`, got `array`"),
        (b"null", 422, "invalid", "$: Expected `object`, got `null`"),
        (b"{}", 422, "invalid", "missing required field `title`"),
        (b'{"titel":"x"}', 422, "invalid", "unknown field `titel`"),
        (b'{"title":7}', 422, "invalid", "$.title: Expected `str`, got `int`"),
        (b'{"title":""}', 422, "invalid", "$.title: Expected `str` of length >= 1"),
        (b'{"title":"x","priority":5}', 422, "invalid", "$.priority: Expected `int` <= 4"),
        (b'{"title":"x","priority":1e400}', 422, "invalid", "$.priority: Number out of range"),
        (b'{"title":"x","depends_on":[1]}', 422, "invalid", "$.depends_on[0]: Expected"),
        (b'{"title":"a\\u0000b"}', 422, "invalid", "U+0000"),
        (b'{"title":"' + b"x" * BODY_BYTES_MAX + b'"}', 413, "limit", "bytes"),
    ],
)
async def test_a_body_that_is_wrong_is_refused_with_what_and_where(
    house: House, body: bytes, status: int, code: str, told: str
) -> None:
    """Malformed, of the wrong shape, with unknown keys, too long: each is told, nothing is done.

    Demanded by: bad input, TEXT-01.
    """
    ada = await house.program("*")
    answer = await ada.post(TASKS, content=body, headers=JSON)
    assert refusal(answer) == (status, code)
    assert told in answer.json()["message"]
    assert house.offices.heard["acme"].asked == []


async def test_what_would_have_been_taken_is_said(house: House) -> None:
    """An unknown key or word comes back with those that are known.

    Demanded by: the working office, 3, bad input (an unknown task move).
    """
    ada = await house.program("*")
    key = (await ada.post(TASKS, json={"titel": "x"})).json()["hint"]
    move = (await ada.post(f"{TASKS}/T-12/move", json={"status": "flying"})).json()["hint"]
    assert key.startswith("Known here: title, ")
    assert sorted(move.removeprefix("One of: ").removesuffix(".").split(", ")) == sorted(TaskStatus)


async def test_the_fault_names_its_field(house: House) -> None:
    """A form can show it where it belongs.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    answer = await ada.post(TASKS, json={"title": "x", "priority": 9})
    assert answer.json()["errors"] == [{"field": "$.priority", "message": "Expected `int` <= 4"}]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/offices", {"name": "Bad Name"}, "$.name: Expected small letters, digits, _ and -"),
        ("/api/offices", {"name": "-x"}, "beginning with a letter or digit, at most 64"),
        (
            "/api/offices/acme/channels",
            {"name": "a b"},
            "$.name: Expected letters, digits, _ and -",
        ),
        ("/api/offices/acme/tasks/T-1/comments", {"text": "  "}, "$.text: Expected a text that is"),
    ],
)
async def test_a_name_that_cannot_be_used_is_refused_in_words(
    house: House, path: str, body: dict[str, str], told: str
) -> None:
    """A person reads what may stand there, not a pattern; the file asks for the same.

    Demanded by: bad input, invalid names.
    """
    ada = await house.program("*")
    answer = await ada.post(path, json=body)
    assert refusal(answer) == (422, "invalid")
    assert told in answer.json()["message"]
    assert "regex" not in answer.text


async def test_a_backslash_before_u0000_is_a_text_like_any_other(house: House) -> None:
    """What only looks like the refused character is not refused.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    answer = await ada.post(TASKS, json={"title": "write \\u0000 in the docs"})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
async def test_a_body_that_is_not_said_to_be_json_is_refused(house: House, kind: str) -> None:
    """What a form of another site could send is not read.

    Demanded by: security from day one.
    """
    ada = await house.program("*")
    answer = await ada.post(TASKS, content=b'{"title":"x"}', headers={"content-type": kind})
    assert refusal(answer) == (415, "media_type")


async def test_json_in_utf8_may_say_so(house: House) -> None:
    """A charset parameter changes nothing.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    answer = await ada.post(TASKS, content=b'{"title":"x"}', headers=headers)
    assert answer.status_code == 201


async def test_a_body_without_an_announced_length_is_read_up_to_the_bound(house: House) -> None:
    """However it is sent, no more is kept than the bound.

    Demanded by: bad input.
    """
    sent = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(64):
            sent += 1
            yield b"x" * 65_536

    ada = await house.program("*")
    answer = await ada.post(TASKS, content=parts(), headers=JSON)
    assert refusal(answer) == (413, "limit")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("?stauts=done", "query.stauts is unknown: did you mean 'status'?"),
        ("?zzz=1", "query.zzz is unknown: nothing here reads it"),
        ("?limit=0", "query.limit: Input should be greater than or equal to 1."),
        ("?limit=201", "query.limit: Input should be less than or equal to 200."),
        ("?limit=ten", "query.limit: Input should be a valid integer"),
        ("?text=a%00b", "U+0000"),
        ("/T-1%00", "U+0000"),
        ("?text=" + "x" * 201, "query.text: String should have at most 200 characters."),
    ],
)
async def test_a_query_that_is_wrong_is_refused(house: House, path: str, told: str) -> None:
    """A filter with a typing error is not silently no filter.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    answer = await ada.get(TASKS + path)
    assert refusal(answer) == (422, "invalid")
    assert told in answer.json()["message"]


async def test_an_unknown_move_is_refused_with_those_there_are(house: House) -> None:
    """A status that is none does not reach the board; one that the board refuses is a conflict.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    unknown = await ada.post(f"{TASKS}/T-12/move", json={"status": "finished"})
    refused = await ada.post(f"{TASKS}/T-12/move", json={"status": "todo"})
    assert refusal(unknown) == (422, "invalid")
    assert "$.status" in unknown.json()["message"]
    assert refusal(refused) == (409, "conflict")


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("GET", "/api", (404, "not_found")),
        ("GET", "/api/", (404, "not_found")),
        ("GET", "/api/nothing", (404, "not_found")),
        ("POST", "/api/nothing/at/all", (404, "not_found")),
        ("GET", "/api/offices/", (404, "not_found")),
        ("PUT", "/api/me", (405, "method")),
        ("DELETE", "/api/offices/acme/tasks", (405, "method")),
    ],
)
async def test_a_path_that_leads_nowhere_says_so_in_json(
    house: House, method: str, path: str, told: tuple[int, str]
) -> None:
    """Below /api there is never a page; a method that is not taken is told from a path that is not.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    answer = await ada.request(method, path)
    assert refusal(answer) == told


async def test_a_method_that_is_not_taken_names_those_that_are(house: House) -> None:
    """In the Allow header.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    answer = await ada.put("/api/me")
    assert answer.headers["allow"] == "GET, PATCH"


async def test_what_should_not_fail_fails_without_a_traceback(house: House) -> None:
    """The reader learns that it is our fault and where to look; the log has the lines.

    Demanded by: PLAT-3.
    """
    rooms = house.offices.open["acme"]
    house.offices.open["acme"] = replace(rooms, board=BrokenBoard(Heard()))
    ada = await house.program("*")
    answer = await ada.get(TASKS)
    assert refusal(answer) == (500, "internal")
    assert "boom" not in answer.text


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    body=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["text", "title", "status", "name", "n", "reason", "x"]), inner
            )
        ),
        max_leaves=12,
    )
)
async def test_no_json_is_too_strange(house: House, body: object) -> None:
    """Whatever JSON is sent to whatever takes a body, the answer is a reply or a problem.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    raw = json.dumps(body).encode()
    for method, route in operations():
        if method == "GET" or permission_of(route).startswith("tokens"):
            continue
        path = path_of(route).replace("{office}", "acme")
        answer = await ada.request(method, path, content=raw, headers=JSON)
        assert answer.status_code < 500, (method, path, raw, answer.text)
        if answer.status_code >= 400:
            refusal(answer)
