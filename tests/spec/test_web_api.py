"""Every page of the API asks its room for what it was asked, in the name of who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dayshift.core.details import UsageReport
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.testing.rooms import sample
from dayshift.web.samples import views as v
from tests.spec.doors import House, open_house, refusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

OFFICE = "/api/offices/acme"
BY = "person:owner"
USAGE = sample(UsageReport)
EVENT = {"source": "webhook", "type": "new_pr", "text": "A pull request.", "priority": 6}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "asked"),
    [
        ("PATCH", "", {"title": "Acme II"}, 200, ("edit", "Acme II", BY)),
        ("POST", "/pause", {"reason": "lunch"}, 200, ("pause", "lunch", BY)),
        ("POST", "/pause", None, 200, ("pause", "", BY)),
        ("POST", "/resume", None, 200, ("resume", "", BY)),
        ("POST", "/resume", {}, 200, ("resume", "", BY)),
        ("PATCH", "/agents/iris", {"thinking": "low"}, 200, ("edit agent", "iris", BY)),
        ("POST", "/agents/iris/inbox/pause", None, 200, ("pause agent", "iris", BY)),
        ("POST", "/agents/iris/inbox/resume", {}, 200, ("resume agent", "iris", BY)),
        ("POST", "/items/I-88/cancel", None, 409, ("cancel item", "I-88", BY)),
        ("POST", "/items/I-88/pause", None, 200, ("pause item", "I-88", BY)),
        ("POST", "/items/I-88/resume", None, 200, ("resume item", "I-88", BY)),
        ("POST", "/items/I-88/move", {"before": "I-7"}, 200, ("move item", "I-88 before I-7", BY)),
        ("POST", "/items/I-88/move", {"before": None}, 200, ("move item", "I-88 before None", BY)),
        ("POST", "/threads/H-1/messages", {"text": "Hi"}, 201, ("post (queue)", "Hi", BY)),
        (
            "POST",
            "/agents/iris/messages",
            {"text": "Hi", "mode": "steer", "key": "k"},
            201,
            ("post (steer)", "Hi", BY),
        ),
        ("POST", "/threads/H-1/read", {"n": 9}, 204, ("read", "H-1 9", BY)),
        ("POST", "/threads/H-3/clear", {}, 200, ("clear", "H-3", BY)),
        ("POST", "/channels", {"name": "launch"}, 201, ("create channel", "launch", BY)),
        (
            "PATCH",
            "/channels/general",
            {"description": "All"},
            200,
            ("edit channel", "All", BY),
        ),
        ("DELETE", "/channels/general", None, 409, ("delete channel", "general", BY)),
        ("POST", "/tasks", {"title": "Write"}, 201, ("create task", "Write", BY)),
        ("PATCH", "/tasks/T-12", {"priority": 4}, 200, ("edit task", "T-12", BY)),
        ("POST", "/tasks/T-12/move", {"status": "done"}, 200, ("move task", "T-12 to done", BY)),
        ("POST", "/tasks/T-12/restart", {}, 200, ("restart task", "T-12", BY)),
        ("POST", "/tasks/T-12/comments", {"text": "Green."}, 201, ("comment", "Green.", BY)),
        ("DELETE", "/tasks/T-12", None, 204, ("delete task", "T-12", BY)),
        ("POST", "/runs/R-17/cancel", {"reason": "wrong"}, 200, ("cancel run", "wrong", BY)),
        ("POST", "/runs/R-17/cancel", None, 200, ("cancel run", "", BY)),
        ("POST", "/runs/R-17/steer", {"text": "Stop."}, 200, ("steer", "Stop.", BY)),
        ("POST", "/events", EVENT, 201, ("publish", "A pull request.", BY)),
        ("POST", "/alerts/A-5/acknowledge", {}, 200, ("acknowledge", "A-5", BY)),
    ],
)
async def test_a_change_reaches_its_room_in_the_name_of_who_asks(
    house: House,
    method: str,
    path: str,
    body: dict[str, Any] | None,
    status: int,
    asked: tuple[str, str, str],
) -> None:
    """One request, one call.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    answer = await ada.request(method, OFFICE + path, json=body)
    assert answer.status_code == status, answer.text
    assert house.offices.heard["acme"].asked == [asked]
    assert house.offices.heard["globex"].asked == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", {"name": "acme", "state": "running"}),
        ("/agents/iris", {"name": "iris", "duty": "on_duty"}),
        ("/agents/iris/prompt", {"hash": "9f2c4b7a10de33a1", "cap": 24_000}),
        ("/threads/H-3", {"id": "H-3", "person": "ada"}),
        ("/tasks/T-12", {"dependents": ["T-13"]}),
        ("/runs/R-17/turns/1/request", {"model": "claude-sonnet-4-5", "turn": 1}),
        ("/runs/R-17/turns/1/response", {"role": "assistant"}),
        ("/calls/C-204", {"arguments": v.CALL_ENDED.arguments}),
        ("/events/E-102", {"next": None}),
        ("/usage?by=agent&days=30", {"total": msgspec.to_builtins(USAGE.total)}),
        ("/agents/iris/files", {"path": "", "truncated": False}),
    ],
)  # fmt: skip
async def test_a_thing_is_shown_as_its_view(
    house: House, path: str, expected: dict[str, Any]
) -> None:
    """The view is in the answer, unwrapped.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    answer = await ada.get(OFFICE + path)
    assert answer.status_code == 200, answer.text
    assert expected.items() <= answer.json().items()


@pytest.mark.parametrize(
    ("path", "key", "values"),
    [
        ("/agents", "name", ["iris", "juno"]),
        ("/agents/iris/inbox", "id", ["I-88"]),
        ("/agents/iris/inbox?state=queued", "id", []),
        ("/threads", "id", ["H-1", "H-3"]),
        ("/threads/H-3/messages", "n", [8]),
        ("/messages?q=SPRING", "id", ["M-41"]),
        ("/tasks", "id", ["T-12", "T-11"]),
        ("/tasks?status=done&text=copy", "id", ["T-11"]),
        ("/tasks?limit=1", "id", ["T-12"]),
        ("/tasks?before=T-12", "id", ["T-11"]),
        ("/runs?state=running", "id", ["R-17"]),
        ("/runs?state=failed", "id", []),
        ("/events?source=webhook", "id", []),
        ("/events?source=person", "id", ["E-102"]),
        ("/alerts", "id", ["A-5", "A-4"]),
        ("/alerts?open=1", "id", ["A-5"]),
        ("/agents/iris/files/history?path=a", "seq", [517]),
    ],
)
async def test_a_list_is_items_and_a_cursor(
    house: House, path: str, key: str, values: list[Any]
) -> None:
    """Filters and cursors reach the room.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    page = (await ada.get(OFFICE + path)).json()
    assert [item[key] for item in page["items"]] == values
    assert page["next"] == ("T-12" if "limit=1" in path else None)


@pytest.mark.parametrize("path", ["/api/providers", f"{OFFICE}/agents/iris/tools"])
async def test_a_closed_list_is_an_array(house: House, path: str) -> None:
    """What the machine has, and an agent's tools, are never cut into pages.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    (only,) = (await ada.get(path)).json()
    assert only["name"] in {"Anthropic", "bash"}


async def test_the_server_tells_about_itself(house: House) -> None:
    """Health needs no sign-in and says nothing of offices.

    Demanded by: the working office, 1.5.
    """
    async with house.client() as stranger:
        health = await stranger.get("/api/health")
    ada = await house.program("*")
    isolation = (await ada.get("/api/isolation")).json()
    check = (await ada.post("/api/providers/anthropic/test")).json()
    assert health.json() == {
        "status": "ok",
        "version": "0.0.test",
        "database": "sqlite",
        "isolation": "bubblewrap",
    }
    assert isolation["in_force"] == "bubblewrap"
    assert check == {"ok": True, "message": "It answered.", "latency_ms": 640}
    assert refusal(await ada.post("/api/providers/acme/test")) == (404, "not_found")


async def test_offices_are_made_by_the_owner_and_listed_to_whom_may_see_them(house: House) -> None:
    """Ben sees acme only, and makes none.

    Demanded by: PLAT-1, PLAT-3.
    """
    await house.person("ben", "staff")
    ada, ben = await house.program("*"), await house.program("*", person="ben")
    made = await ada.post("/api/offices", json={"name": "initech", "example": "landing-page"})
    assert (made.status_code, made.json()["name"]) == (201, "initech")
    assert refusal(await ada.post("/api/offices", json={"name": "acme"})) == (409, "conflict")
    assert refusal(await ben.post("/api/offices", json={"name": "x"})) == (403, "denied")
    listed = {
        name: [office["name"] for office in (await client.get("/api/offices")).json()["items"]]
        for name, client in (("ada", ada), ("ben", ben))
    }
    assert listed == {"ada": ["acme", "globex"], "ben": ["acme"]}


async def test_one_changes_ones_own_account(house: House) -> None:
    """Name, language and theme; whoever is signed in elsewhere sees it too.

    Demanded by: PLAT-1.
    """
    here, there = await house.signed_in(), await house.signed_in()
    changes = {"name": "Ada L.", "language": "zh", "theme": "dark"}
    answer = (await here.patch("/api/me", json=changes)).json()["person"]
    assert changes.items() <= answer.items()
    assert (await there.get("/api/me")).json()["person"] == answer
    assert refusal(await here.patch("/api/me", json={"language": "fr"})) == (422, "invalid")
    assert refusal(await here.patch("/api/me", json={"is_owner": True})) == (422, "invalid")


async def test_one_sees_ones_own_browsers(house: House) -> None:
    """The one that asks is marked; what it said of itself is kept within bounds.

    Demanded by: PLAT-1.
    """
    secret = await house.building.reception.links.make("owner")
    async with house.client(**{"user-agent": "Firefox " + "x" * 500}) as ada:
        await ada.post("/api/sign-in", json={"token": secret})
        (session,) = (await ada.get("/api/me/sessions")).json()["items"]
    assert session["current"]
    assert session["address"] == "127.0.0.1"
    assert session["user_agent"].startswith("Firefox xxx")
    assert len(session["user_agent"]) == 200
    assert set(session) == {
        "id",
        "current",
        "created_at",
        "last_seen_at",
        "expires_at",
        "user_agent",
        "address",
    }


async def test_a_tokens_secret_is_shown_once(house: House) -> None:
    """In the answer that made it; the list has all but the secret.

    Demanded by: PLAT-1, SEC-10.
    """
    ada = await house.signed_in()
    body = {"name": "nightly", "office": "acme", "scopes": ["tasks:read", "usage:*"]}
    made = await ada.post("/api/tokens", json=body)
    (listed,) = (await ada.get("/api/tokens")).json()["items"]
    assert made.status_code == 201
    shown = made.json()
    assert shown.pop("secret").startswith("dsh_")
    assert listed == shown
    assert listed["scopes"] == ["tasks:read", "usage:*"]


async def test_a_message_sent_twice_under_one_key_is_one_message(house: House) -> None:
    """A browser that was cut off may send it again.

    Demanded by: exactly once.
    """
    ada = await house.program("*")
    body = {"text": "Hello", "key": "b7f0c9d2"}
    first = (await ada.post(f"{OFFICE}/agents/juno/messages", json=body)).json()
    second = (await ada.post(f"{OFFICE}/agents/juno/messages", json=body)).json()
    assert first == second
    assert first["item"]["id"] == "I-88"
    assert len(house.offices.heard["acme"].asked) == 1


async def test_someone_elses_conversation_is_not_written_into(house: House) -> None:
    """The thread can be seen, so the answer is no, not nothing.

    Demanded by: PLAT-1.
    """
    ada = await house.program("*")
    answer = await ada.post(f"{OFFICE}/threads/H-3/messages", json={"text": "Hello"})
    assert refusal(answer) == (403, "denied")


@pytest.mark.parametrize("path", ["/threads/H-1/messages", "/agents/iris/messages", "/events"])
@pytest.mark.parametrize("char", ["x", "ä", "字", "\N{GRINNING FACE}", '"', "\x01"])
async def test_a_message_of_64_kb_is_taken_and_a_longer_one_refused(
    house: House, path: str, char: str
) -> None:
    """Counted in bytes of UTF-8, however JSON spells it; refused, it changes nothing.

    Demanded by: bad input.
    """
    ada = await house.program("*")
    more = {"source": "custom", "type": "note"} if path == "/events" else {}
    longest = char * (MESSAGE_BYTES_MAX // len(char.encode()))
    longest += "x" * (MESSAGE_BYTES_MAX - len(longest.encode()))
    taken = await ada.post(OFFICE + path, json={"text": longest, **more})
    assert taken.status_code == 201, taken.text[:200]
    count = len(house.offices.heard["acme"].asked)
    refused = await ada.post(OFFICE + path, json={"text": longest + "x", **more})
    assert refusal(refused) == (413, "limit")
    assert len(house.offices.heard["acme"].asked) == count == 1


@pytest.mark.parametrize(
    "path",
    [
        "/agents/nobody",
        "/agents/nobody/prompt",
        "/agents/nobody/tools",
        "/threads/H-99",
        "/threads/H-99/messages",
        "/tasks/T-99",
        "/runs/R-99",
        "/runs/R-17/turns/2/response",
        "/calls/C-99",
        "/events/E-99",
        "/agents/iris/files/content?path=no-such-file",
        "/no-such-page",
    ],
)
async def test_what_is_not_there_is_not_found(house: House, path: str) -> None:
    """With a problem, not a page.

    Demanded by: PLAT-3.
    """
    ada = await house.program("*")
    assert refusal(await ada.get(OFFICE + path)) == (404, "not_found")


async def test_a_decision_page_goes_on_where_it_ended(house: House) -> None:
    """The cursor is called ``before`` here as everywhere.

    Demanded by: EVT-2.
    """
    ada = await house.program("*")
    await ada.get(f"{OFFICE}/events/E-102?before=juno&limit=200")
    assert house.offices.heard["acme"].asked == [("decisions", "E-102 after 'juno' limit 200", "")]


async def test_the_owner_reads_who_changed_what(house: House) -> None:
    """Changes of an office and of its agents are lines of the audit; nobody else may read it.

    Demanded by: PLAT-2 (its first part); PLAT-1.
    """
    await house.person("ben", "staff")
    ada, ben = await house.program("*"), await house.program("*", person="ben")
    await ada.patch("/api/offices/acme", json={"title": "Acme II"})
    await ada.patch("/api/offices/acme/agents/iris", json={"thinking": "low"})
    lines = (await ada.get("/api/audit?limit=2")).json()
    wrong = await ada.get("/api/audit?before=abc")
    assert [(one["actor"], one["action"], one["subject"]) for one in lines["items"]] == [
        (BY, "agent_edited", "acme/iris: thinking: low"),
        (BY, "office_edited", "acme: title: Acme II"),
    ]
    assert refusal(await ben.get("/api/audit")) == (403, "denied")
    assert refusal(wrong) == (422, "invalid")
