"""Every door asks: who comes in, from where, and whether they may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Mount, Route

from dayshift.access.permissions import OFFICE, SERVER
from dayshift.access.sessions import IDLE_S
from dayshift.core.errors import InvalidError
from dayshift.web.document import operations, permission_of
from dayshift.web.settings import WebSettings, check_binding, settings_for
from tests.spec.doors import House, open_house, refusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from fastapi.routing import APIRoute

OPEN = {("GET", "/api/health"), ("POST", "/api/sign-in")}
# Who has the address was lent the permission; tests/spec/test_web_files.py.
LENT = {("GET", "/api/previews/{ticket}/{path:path}")}
IDS = {
    "agent": "iris",
    "alert": "A-5",
    "call": "C-204",
    "event": "E-102",
    "item": "I-88",
    "n": "1",
    "name": "general",
    "provider": "anthropic",
    "run": "R-17",
    "session": "S-1",
    "task": "T-12",
    "thread": "H-1",
    "token": "K-1",
}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


def guarded() -> list[tuple[str, str]]:
    """Every method and path that asks for a permission, with ids filled in but for the office."""
    return [
        (method, path_of(route))
        for method, route in operations()
        if (method, route.path) not in OPEN | LENT
    ]


def path_of(route: APIRoute) -> str:
    """A route's path with ids that are there; the office stays a placeholder."""
    path = route.path
    for name, id_ in IDS.items():
        path = path.replace(f"{{{name}}}", id_)
    return path


def test_every_route_asks_for_a_permission_that_is_listed(tmp_path: Path) -> None:
    """A new route without one fails here, before anyone can call it.

    Demanded by: PLAT-1, SEC-11, SEC-12.
    """
    bare = [
        (method, route.path)
        for method, route in operations()
        if permission_of(route) not in {**OFFICE, **SERVER}
    ]
    assert set(bare) == OPEN


async def test_the_app_has_no_other_routes(house: House) -> None:
    """Besides the pages' routes there are the document and the built UI.

    Demanded by: PLAT-1.
    """
    known = {id(route) for _, route in operations()}
    others = [route for route in house.app.routes if id(route) not in known]
    assert [(type(route), getattr(route, "path", "")) for route in others] == [
        (Route, "/api/openapi.json"),
        (Mount, ""),
    ]


def test_a_route_below_an_office_asks_for_a_permission_within_it() -> None:
    """And one that is not, for one of the server.

    Demanded by: PLAT-1.
    """
    wrong = [
        route.path
        for method, route in operations()
        if (method, route.path) not in OPEN | LENT
        and permission_of(route) not in (OFFICE if "{office}" in route.path else SERVER)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer garbage"},
        {"authorization": "bearer dsh_" + "x" * 43},
        {"authorization": "Basic YWRhOmFkYQ=="},
        {"cookie": "dayshift_session=garbage"},
        {"cookie": "dayshift_session="},
    ],
)
async def test_a_stranger_is_refused_everywhere(house: House, headers: dict[str, str]) -> None:
    """No token, a bad token, a bad cookie: 401 on every route, and nothing of what is behind it.

    Demanded by: SEC-12.
    """
    async with house.client(**headers) as stranger:
        answers = {
            (method, path): refusal(
                await stranger.request(method, path.replace("{office}", "acme"), json={})
            )
            for method, path in guarded()
        }
    assert set(answers.values()) == {(401, "signed_out")}
    assert len(answers) > 60


async def test_a_revoked_token_and_an_ended_session_are_refused(house: House) -> None:
    """At once, not at some time later.

    Demanded by: SEC-12, PLAT-1.
    """
    program = await house.program("*")
    browser = await house.signed_in()
    assert (await program.get("/api/me")).status_code == 200
    tokens = (await browser.get("/api/tokens")).json()["items"]
    sessions = (await browser.get("/api/me/sessions")).json()["items"]
    assert (await browser.delete(f"/api/tokens/{tokens[0]['id']}")).status_code == 204
    assert (await browser.delete(f"/api/me/sessions/{sessions[0]['id']}")).status_code == 204
    assert refusal(await program.get("/api/me")) == (401, "signed_out")
    assert refusal(await browser.get("/api/me")) == (401, "signed_out")


async def test_an_idle_session_is_refused(house: House) -> None:
    """A cookie that was stolen from an old disk opens nothing.

    Demanded by: PLAT-1.
    """
    browser = await house.signed_in()
    house.wall.seconds += IDLE_S
    assert refusal(await browser.get("/api/me")) == (401, "signed_out")


async def test_another_offices_ids_open_nothing(house: House) -> None:
    """Ben is staff of acme; every route of globex looks to him as if globex were not there.

    Demanded by: SEC-11.
    """
    await house.person("ben", "staff")
    ben = await house.program("*", person="ben")
    bound = await house.program("*", office="acme")
    told: set[Any] = set()
    count = 0
    for method, path in guarded():
        if "{office}" not in path:
            continue
        for client in (ben, bound):
            for office in ("globex", "no-such-office"):
                answer = await client.request(method, path.replace("{office}", office), json={})
                told.add((*refusal(answer), answer.json()["message"].replace(office, "X")))
                count += 1
    assert told == {(404, "not_found", "There is no office 'X', or you may not see it.")}
    assert count > 200
    assert house.offices.heard["globex"].asked == []


async def test_a_viewer_reads_and_changes_nothing(house: House) -> None:
    """Every change is refused by permission, whatever its body; every page can be read.

    Demanded by: PLAT-1, SEC-12.
    """
    await house.person("ben", "viewer")
    ben = await house.program("*", person="ben")
    told: dict[bool, set[int]] = {True: set(), False: set()}
    for method, route in operations():
        path = path_of(route).replace("{office}", "acme")
        if "{office}" not in route.path or path.endswith("/feed"):
            continue
        answer = await ben.request(method, path, json={})
        told[permission_of(route).endswith(":read")].add(answer.status_code)
    assert told[False] == {403}
    assert 401 not in told[True]
    assert 403 not in told[True]
    assert house.offices.heard["acme"].asked == [
        call for call in house.offices.heard["acme"].asked if call[2] in {"", "person:ben"}
    ]


async def test_signing_in_sets_a_cookie_that_scripts_and_other_sites_cannot_use(
    house: House,
) -> None:
    """HttpOnly, SameSite=Strict, and Secure where TLS is spoken.

    Demanded by: PLAT-1.
    """
    secret = await house.building.reception.links.make("owner")
    async with house.client() as ada:
        answer = await ada.post("/api/sign-in", json={"token": secret})
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("dayshift_session=")
    assert {"httponly", "samesite=strict", "path=/", "max-age=2592000"} <= {
        part.strip() for part in cookie.split(";")
    }
    assert "secure" not in cookie
    me = answer.json()
    assert me["person"] == {
        "id": "owner",
        "name": "Ada",
        "language": "en",
        "theme": "auto",
        "is_owner": True,
    }
    assert [office["name"] for office in me["offices"]] == ["acme", "globex"]
    assert me["version"] == "0.0.test"


async def test_the_cookie_is_secure_where_tls_is_spoken(tmp_path: Path) -> None:
    """And browsers are told to come by TLS only.

    Demanded by: PLAT-1.
    """
    settings = WebSettings(https=True, ui=tmp_path)
    async with open_house(tmp_path, settings=settings) as house:
        secret = await house.building.reception.links.make("owner")
        async with house.client() as ada:
            answer = await ada.post("/api/sign-in", json={"token": secret})
    assert "; Secure" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"].startswith("max-age=")


async def test_a_link_signs_in_once_over_http(house: House) -> None:
    """The second time, it is refused, and sets no cookie.

    Demanded by: PLAT-1, SEC-13.
    """
    secret = await house.building.reception.links.make("owner")
    async with house.client() as ada, house.client() as thief:
        assert (await ada.post("/api/sign-in", json={"token": secret})).status_code == 200
        answer = await thief.post("/api/sign-in", json={"token": secret})
    assert refusal(answer) == (401, "signed_out")
    assert "set-cookie" not in answer.headers


async def test_signing_out_ends_the_session(house: House) -> None:
    """The cookie is forgotten, and would no longer open anything.

    Demanded by: PLAT-1.
    """
    browser = await house.signed_in()
    stolen = browser.cookies["dayshift_session"]
    answer = await browser.post("/api/sign-out")
    assert answer.status_code == 204
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    async with house.client(cookie=f"dayshift_session={stolen}") as thief:
        assert refusal(await thief.get("/api/me")) == (401, "signed_out")


async def test_a_change_by_cookie_needs_the_pages_own_token(house: House) -> None:
    """Without X-CSRF-Token, or with another session's, nothing is changed; reading needs none.

    Demanded by: PLAT-1.
    """
    ada, other = await house.signed_in(), await house.signed_in()
    path, body = "/api/offices/acme/pause", {"reason": "test"}
    own = ada.headers.pop("X-CSRF-Token")
    assert refusal(await ada.post(path, json=body)) == (403, "csrf")
    foreign = {"X-CSRF-Token": other.headers["X-CSRF-Token"]}
    assert refusal(await ada.post(path, json=body, headers=foreign)) == (403, "csrf")
    assert (await ada.get("/api/offices/acme")).json()["state"] == "running"
    assert (await ada.post(path, json=body, headers={"X-CSRF-Token": own})).status_code == 200


async def test_what_a_proxy_asked_a_browser_for_does_not_sign_it_out(house: House) -> None:
    """A proxy's own password stands in the same header, under another scheme.

    Demanded by: docs/howto/put-it-behind-a-proxy.md.
    """
    ada = await house.signed_in()
    answer = await ada.get("/api/me", headers={"authorization": "Basic YWRhOmFkYQ=="})
    assert answer.status_code == 200


async def test_a_program_needs_no_csrf_token(house: House) -> None:
    """A token is shown on purpose, so no page of another site can lend it.

    Demanded by: PLAT-1.
    """
    program = await house.program("office:pause")
    assert (await program.post("/api/offices/acme/pause")).status_code == 200
    assert house.offices.heard["acme"].asked == [("pause", "", "person:owner")]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8787", 200),
        ("localhost:5173", 200),
        ("[::1]:8787", 200),
        ("LOCALHOST", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:8787", 403),
        ("evil.example:127.0.0.1", 403),
        ("192.168.1.7:8787", 403),
        ("", 403),
    ],
)
async def test_a_request_to_another_name_is_refused(house: House, host: str, status: int) -> None:
    """A name that somebody points at this machine is not ours, on loopback either.

    Demanded by: SEC-03.
    """
    async with house.client(host=host) as client:
        answer = await client.get("/api/health")
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8787", 200),
        ("https://127.0.0.1:8787", 200),
        ("http://127.0.0.1:9999", 403),
        ("http://evil.example", 403),
        ("http://127.0.0.1:8787.evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
@pytest.mark.parametrize("path", ["/api/health", "/api/offices/acme/snapshot", "/", "/assets/x"])
async def test_a_page_of_another_site_is_refused(
    house: House, origin: str, status: int, path: str
) -> None:
    """By its Origin, before who asks is looked at, on every path.

    Demanded by: SEC-03.
    """
    ada = await house.program("*")
    answer = await ada.get(path, headers={"origin": origin})
    let_in = {"/": 503, "/assets/x": 404}.get(path, 200)
    assert answer.status_code == (let_in if status == 200 else status)


async def test_a_page_of_another_site_hears_no_feed(house: House) -> None:
    """Neither by Origin nor by Host, even with a good cookie.

    Demanded by: SEC-03.
    """
    ada = await house.signed_in()
    path = "/api/offices/acme/feed"
    by_origin = await ada.get(path, headers={"origin": "http://evil.example"})
    by_host = await ada.get(path, headers={"host": "evil.example"})
    assert refusal(by_origin) == refusal(by_host) == (403, "foreign")


@pytest.mark.parametrize(
    ("host", "status"), [("192.168.1.7:8787", 200), ("[fe80::1]", 200), ("evil.example", 403)]
)
async def test_on_all_addresses_names_are_still_refused(
    tmp_path: Path, host: str, status: int
) -> None:
    """Whatever address in digits a browser used will do, a name that is not ours will not.

    Demanded by: SEC-03.
    """
    settings = WebSettings(any_address=True, ui=tmp_path)
    async with open_house(tmp_path, settings=settings) as house, house.client(host=host) as client:
        assert (await client.get("/api/health")).status_code == status


async def test_behind_a_proxy_the_public_name_is_ours(tmp_path: Path) -> None:
    """The address that browsers use is named once; its pages may speak to us, others may not.

    Demanded by: PLAT-1, docs/howto/put-it-behind-a-proxy.md.
    """
    settings = settings_for("127.0.0.1", public_url="https://Office.example.org/")
    assert settings.https
    async with (
        open_house(tmp_path, settings=settings) as house,
        house.client(host="office.example.org") as client,
    ):
        own = await client.get("/api/health", headers={"origin": "https://office.example.org"})
        foreign = await client.get("/api/health", headers={"origin": "https://example.org"})
    assert own.status_code == 200
    assert refusal(foreign) == (403, "foreign")


@pytest.mark.parametrize("url", ["office.example.org", "ftp://x", "https://x/dayshift", "https://"])
def test_a_public_address_with_a_path_or_without_a_scheme_is_refused(url: str) -> None:
    """What would lock every browser out is told at the start.

    Demanded by: bad input.
    """
    with pytest.raises(InvalidError):
        settings_for("127.0.0.1", public_url=url)


def test_listening_for_others_without_tls_takes_an_explicit_word() -> None:
    """Loopback needs none; every other address does.

    Demanded by: security from day one.
    """
    for host in ("127.0.0.1", "localhost", "::1", "[::1]", "127.8.8.8"):
        check_binding(host, tls=False, allow_plain=False)
    for host in ("0.0.0.0", "::", "192.168.1.7", "office.example.org", ""):  # noqa: S104  the point
        with pytest.raises(InvalidError):
            check_binding(host, tls=False, allow_plain=False)
        check_binding(host, tls=True, allow_plain=False)
        check_binding(host, tls=False, allow_plain=True)


def test_on_all_addresses_any_address_in_digits_will_do() -> None:
    """No page elsewhere can put one there, since binding a name anew takes a name.

    Demanded by: SEC-03.
    """
    settings = settings_for("0.0.0.0")  # noqa: S104  looked at, not bound to
    assert settings.any_address
    assert "0.0.0.0" not in settings.hosts  # noqa: S104  as above
    assert settings_for("192.168.1.7").hosts >= {"192.168.1.7", "localhost"}


async def test_no_list_shows_a_secret(house: House) -> None:
    """Every GET, as the owner, at the browser and by token: none of the secrets is in any answer.

    Demanded by: SEC-10.
    """
    browser = await house.signed_in()
    program = await house.program("*")
    link = await house.building.reception.links.make("owner")
    made = (await browser.post("/api/tokens", json={"name": "x", "scopes": ["*"]})).json()
    secrets = [
        browser.cookies["dayshift_session"],
        program.headers["authorization"].removeprefix("Bearer "),
        made["secret"],
        link,
    ]
    read = [
        (await client.get(path.replace("{office}", "acme"))).text
        for method, path in guarded()
        if method == "GET" and not path.endswith("/feed")
        for client in (browser, program)
    ]
    everything = "\n".join(read)
    assert len(read) > 50
    assert [secret for secret in secrets if secret in everything] == []
    assert '"hash"' not in everything.replace('"hash":"9f2c4b7a10de33a1"', "")


async def test_a_program_cannot_widen_its_rights(house: House) -> None:
    """It makes no token that may more than itself, and none for an office it cannot see.

    Demanded by: SEC-11.
    """
    narrow = await house.program("tasks:*", "tokens:edit")
    body = {"name": "x", "scopes": ["tasks:read"]}
    assert (await narrow.post("/api/tokens", json=body)).status_code == 201
    wide = {"name": "x", "scopes": ["*"]}
    assert refusal(await narrow.post("/api/tokens", json=wide)) == (403, "denied")
    await house.person("ben", "staff")
    ben = await house.signed_in("ben")
    elsewhere = {"name": "x", "office": "globex", "scopes": ["*"]}
    assert refusal(await ben.post("/api/tokens", json=elsewhere)) == (404, "not_found")
    unknown = {"name": "x", "scopes": ["task:read"]}
    assert refusal(await ben.post("/api/tokens", json=unknown)) == (422, "invalid")


async def test_headers_keep_what_agents_write_from_running_or_leaving(house: House) -> None:
    """On the page, on the API, on refusals.

    Demanded by: SEC-01.
    """
    ada = await house.program("*")
    page, api = await ada.get("/board"), await ada.get("/api/me")
    refused = await ada.get("/api/me", headers={"origin": "http://evil.example"})
    for answer in (page, api, refused):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
    assert api.headers["cache-control"] == "no-store"
