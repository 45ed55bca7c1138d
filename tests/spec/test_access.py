"""Who may do what: accounts, links, sessions, tokens, roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from dayshift.access.access import Actor
from dayshift.access.links import LINK_LIVES_S, sign_in_url
from dayshift.access.permissions import OFFICE, ROLES, SERVER, check_scopes, covers, expand
from dayshift.access.reception import Reception
from dayshift.access.sessions import IDLE_S, LIVES_S, TOUCH_S
from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
    SignedOutError,
)
from dayshift.core.people import Person, PersonChanges
from dayshift.store import tables as t
from dayshift.store.database import Database, open_database
from dayshift.store.engine import sqlite_url

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


class Watch:
    """Real time that a test moves on by hand."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return self.seconds


@pytest.fixture
def wall() -> Watch:
    """Real time, stopped."""
    return Watch()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    """A fresh home's database."""
    async with open_database(sqlite_url(tmp_path / "home.sqlite3"), synchronous="OFF") as database:
        yield database


@pytest.fixture
def reception(database: Database, wall: Watch) -> Reception:
    """The doors of the home."""
    return Reception.open(database, wall=wall)


@pytest.fixture
async def ada(reception: Reception) -> Person:
    """Ada owns the home."""
    return await reception.people.ensure_owner("Ada")


@pytest.fixture
async def ben(reception: Reception) -> Person:
    """Ben is staff of acme."""
    ben = await reception.people.add("ben", "Ben")
    await reception.people.give("ben", "staff", office="acme")
    return ben


@pytest.fixture
async def cleo(reception: Reception) -> Person:
    """Cleo has an account and no role anywhere."""
    return await reception.people.add("cleo", "Cleo")


def at_desk(person: Person) -> Actor:
    """The person at a browser."""
    return Actor(person=person, via="session", id="S-1", csrf="c")


async def test_a_new_name_is_shown_at_once(database: Database, wall: Watch) -> None:
    """Who changes their display name is called by it from then on, also after a start anew.

    Demanded by: PLAT-1; WORK-2.
    """
    people = Reception.open(database, wall=wall).people
    await people.ensure_owner()
    await people.add("ben", "Ben")
    before = (people.name("owner"), people.name("ben"), people.name("cleo"))
    await people.edit("owner", PersonChanges(name="Ada"))
    fresh = Reception.open(database, wall=wall).people
    await fresh.everyone()
    assert before == ("Owner", "Ben", "")
    assert (people.name("owner"), fresh.name("owner"), fresh.name("ben")) == ("Ada", "Ada", "Ben")


async def test_a_fresh_home_has_one_owner_however_often_it_starts(reception: Reception) -> None:
    """The owner's account is made once and keeps what was changed.

    Demanded by: PLAT-1.
    """
    await reception.people.ensure_owner("Ada")
    await reception.people.edit("owner", PersonChanges(language="zh", theme="dark"))
    again = await reception.people.ensure_owner("Somebody")
    assert again == Person(id="owner", name="Ada", language="zh", theme="dark", is_owner=True)
    assert await reception.people.everyone() == [again]


async def test_an_account_is_added_once_under_a_plain_id(reception: Reception, ben: Person) -> None:
    """Duplicate and invalid ids are refused and change nothing.

    Demanded by: PLAT-1, bad input.
    """
    with pytest.raises(ConflictError):
        await reception.people.add("ben", "Another Ben")
    with pytest.raises(InvalidError):
        await reception.people.add("Ben Smith", "Ben")
    with pytest.raises(NotFoundError):
        await reception.people.give("nobody", "staff", office="acme")
    with pytest.raises(InvalidError):
        await reception.people.give("ben", "boss", office="acme")  # pyright: ignore[reportArgumentType]  the point
    assert await reception.people.everyone() == [ben]


async def test_a_sign_in_link_works_once(reception: Reception, ada: Person) -> None:
    """The second use is refused.

    Demanded by: PLAT-1, SEC-13.
    """
    secret = await reception.links.make(ada.id)
    assert await reception.links.redeem(secret) == ada
    with pytest.raises(SignedOutError):
        await reception.links.redeem(secret)


async def test_a_sign_in_link_expires(reception: Reception, ada: Person, wall: Watch) -> None:
    """Until just before its time it works, from then on it does not.

    Demanded by: PLAT-1.
    """
    early, late = await reception.links.make(ada.id), await reception.links.make(ada.id)
    wall.seconds += LINK_LIVES_S - 1
    assert await reception.links.redeem(early) == ada
    wall.seconds += 1
    with pytest.raises(SignedOutError):
        await reception.links.redeem(late)


async def test_a_made_up_link_signs_nobody_in(reception: Reception, ada: Person) -> None:
    """A guess, an empty text and odd characters are all refused alike.

    Demanded by: SEC-12.
    """
    await reception.links.make(ada.id)
    messages: set[str] = set()
    for guess in ("", "x", "\ud800", "ä" * 500):
        with pytest.raises(SignedOutError) as refusal:
            await reception.links.redeem(guess)
        messages.add(refusal.value.message)
    assert len(messages) == 1


def test_the_secret_of_a_link_stands_in_the_fragment() -> None:
    """A fragment is never sent to a server, so no log sees it.

    Demanded by: PLAT-1.
    """
    assert sign_in_url("http://127.0.0.1:8787", "abc") == "http://127.0.0.1:8787/sign-in#token=abc"


async def test_no_secret_is_stored(reception: Reception, ada: Person, database: Database) -> None:
    """Neither a link, nor a session, nor a token can be read out of the database.

    Demanded by: PLAT-6, SEC-10.
    """
    link = await reception.links.make(ada.id)
    session = await reception.sessions.open(ada, user_agent="Firefox", address="127.0.0.1")
    token = await reception.tokens.make(ada.id, "ci", office="", scopes=["*"])
    queries = [select(table) for table in (t.links, t.sessions, t.tokens)]
    rows = [
        await database.read(lambda reading, query=query: reading.rows(query)) for query in queries
    ]
    stored = repr(rows)
    secrets = [link, session.secret, str(token.secret)]
    assert [len(part) for part in rows] == [1, 1, 1]
    assert [secret for secret in secrets if secret in stored] == []


async def test_a_session_lives_on_while_it_is_used(
    reception: Reception, ada: Person, wall: Watch
) -> None:
    """Its end slides with use, and comes at the latest after its absolute time.

    Demanded by: PLAT-1.
    """
    secret = (await reception.sessions.open(ada, user_agent="", address="")).secret
    started = wall.seconds
    used = 0
    while wall.seconds + IDLE_S - 1 < started + LIVES_S:
        wall.seconds += IDLE_S - 1
        assert (await reception.sessions.of(secret)).person == ada
        used += 1
    wall.seconds = started + LIVES_S
    with pytest.raises(SignedOutError):
        await reception.sessions.of(secret)
    assert used == int(LIVES_S // IDLE_S)


async def test_an_idle_session_ends(reception: Reception, ada: Person, wall: Watch) -> None:
    """Unused for its idle time, a session is over, and no longer listed.

    Demanded by: PLAT-1.
    """
    secret = (await reception.sessions.open(ada, user_agent="", address="")).secret
    wall.seconds += IDLE_S
    with pytest.raises(SignedOutError):
        await reception.sessions.of(secret)
    assert await reception.sessions.of_person(ada.id, current="") == []


async def test_a_session_is_not_written_at_every_request(
    reception: Reception, ada: Person, wall: Watch, database: Database
) -> None:
    """Reading a page costs no commit, unless the last one noted is a minute old.

    Demanded by: performance.
    """
    secret = (await reception.sessions.open(ada, user_agent="", address="")).secret
    before = database.writer.commits
    await reception.sessions.of(secret)
    await reception.sessions.of(secret)
    assert database.writer.commits == before
    wall.seconds += TOUCH_S
    await reception.sessions.of(secret)
    assert database.writer.commits == before + 1


async def test_one_ends_ones_own_sessions_and_nobody_elses(
    reception: Reception, ada: Person, ben: Person
) -> None:
    """A session that was ended lets nobody in; another person's looks as if it were not there.

    Demanded by: PLAT-1, SEC-11.
    """
    ours = await reception.sessions.open(ada, user_agent="Firefox\n", address="127.0.0.1")
    theirs = await reception.sessions.open(ben, user_agent="", address="")
    listed = await reception.sessions.of_person(ada.id, current=ours.id)
    assert [(view.id, view.current, view.user_agent) for view in listed] == [
        (ours.id, True, "Firefox")
    ]
    with pytest.raises(NotFoundError):
        await reception.sessions.end(ada.id, theirs.id)
    await reception.sessions.end(ada.id, ours.id)
    with pytest.raises(SignedOutError):
        await reception.sessions.of(ours.secret)
    assert (await reception.sessions.of(theirs.secret)).person == ben


async def test_a_token_shows_its_secret_once_and_can_be_revoked(
    reception: Reception, ada: Person, ben: Person
) -> None:
    """Lists hold no secret; a revoked token lets nobody in; only its person revokes it.

    Demanded by: PLAT-1, SEC-10, SEC-11.
    """
    made = await reception.tokens.make(ada.id, "ci", office="acme", scopes=["tasks:read"])
    secret = str(made.secret)
    assert secret.startswith("dsh_")
    opened = await reception.tokens.of(secret)
    assert (opened.person, opened.office, opened.scopes) == (ada, "acme", {"tasks:read"})
    (listed,) = await reception.tokens.of_person(ada.id)
    assert not listed.secret
    assert listed.last_used_at is not None
    with pytest.raises(NotFoundError):
        await reception.tokens.revoke(ben.id, made.id)
    await reception.tokens.revoke(ada.id, made.id)
    with pytest.raises(SignedOutError):
        await reception.tokens.of(secret)
    assert await reception.tokens.of_person(ada.id) == []


async def test_a_bad_token_is_not_saved_by_a_good_session(
    reception: Reception, ada: Person
) -> None:
    """Whoever shows a token is judged by it alone; a bad one becomes no viewer.

    Demanded by: SEC-12.
    """
    cookie = (await reception.sessions.open(ada, user_agent="", address="")).secret
    assert (await reception.admit(cookie=cookie, bearer=None)).by == "person:owner"
    for bearer in ("", "garbage", "dsh_", "dsh_" + "x" * 43):
        with pytest.raises(SignedOutError):
            await reception.admit(cookie=cookie, bearer=bearer)
    with pytest.raises(SignedOutError):
        await reception.admit(cookie="", bearer=None)


async def test_roles_allow_what_they_say(
    reception: Reception, ada: Person, ben: Person, cleo: Person
) -> None:
    """The owner may do all, staff most, a stranger nothing.

    Demanded by: PLAT-1.
    """
    access = reception.access
    await access.require(at_desk(ada), "office:edit", office="acme")
    await access.require(at_desk(ben), "tasks:edit", office="acme")
    with pytest.raises(DeniedError):
        await access.require(at_desk(ben), "office:edit", office="acme")
    with pytest.raises(NotFoundError):
        await access.require(at_desk(cleo), "office:read", office="acme")
    await reception.people.take_away("ben", office="acme")
    with pytest.raises(NotFoundError):
        await access.require(at_desk(ben), "tasks:edit", office="acme")


async def test_a_hidden_office_looks_like_one_that_is_not_there(
    reception: Reception, ben: Person
) -> None:
    """The same words for both, but for the name that was asked for.

    Demanded by: PLAT-1, SEC-11.
    """
    told: set[str] = set()
    for office in ("globex", "no-such-office"):
        with pytest.raises(NotFoundError) as refusal:
            await reception.access.require(at_desk(ben), "office:read", office=office)
        told.add(refusal.value.message.replace(office, "X") + refusal.value.hint)
    assert len(told) == 1


async def test_a_permission_nobody_listed_is_refused_to_everybody(
    reception: Reception, ada: Person
) -> None:
    """Even to the owner: deny by default.

    Demanded by: PLAT-1, SEC-12.
    """
    with pytest.raises(DeniedError):
        await reception.access.require(at_desk(ada), "office:sell", office="acme")
    with pytest.raises(DeniedError):
        await reception.access.require(at_desk(ada), "office:sell")


async def test_a_token_may_do_what_its_scopes_and_its_person_may(
    reception: Reception, ada: Person, ben: Person
) -> None:
    """A token of the owner is held to its scopes and its office, a token of Ben to Ben's role.

    Demanded by: PLAT-1, SEC-11.
    """
    access = reception.access
    narrow = Actor(person=ada, via="token", id="K-1", scopes=frozenset({"tasks:*"}), office="acme")
    await access.require(narrow, "tasks:edit", office="acme")
    with pytest.raises(DeniedError):
        await access.require(narrow, "runs:read", office="acme")
    with pytest.raises(NotFoundError):
        await access.require(narrow, "tasks:read", office="globex")
    with pytest.raises(DeniedError):
        await access.require(narrow, "offices:create")
    wide = Actor(person=ben, via="token", id="K-2", scopes=frozenset({"*"}))
    await access.require(wide, "tasks:edit", office="acme")
    with pytest.raises(DeniedError):
        await access.require(wide, "office:edit", office="acme")
    with pytest.raises(DeniedError):
        await access.require(wide, "offices:create")


async def test_a_token_makes_none_that_may_more_than_itself(
    reception: Reception, ada: Person
) -> None:
    """A program cannot widen its own rights.

    Demanded by: SEC-11.
    """
    maker = Actor(person=ada, via="token", id="K-1", scopes=frozenset({"tasks:*", "tokens:edit"}))
    await reception.access.require_grantable(maker, ["tasks:read"], office="acme")
    with pytest.raises(DeniedError):
        await reception.access.require_grantable(maker, ["tasks:read", "runs:read"], office="acme")
    with pytest.raises(DeniedError):
        await reception.access.require_grantable(maker, ["*"], office="acme")
    bound = Actor(person=ada, via="token", id="K-2", office="acme")
    with pytest.raises(NotFoundError):
        await reception.access.require_grantable(bound, ["tasks:read"], office="globex")
    with pytest.raises(DeniedError):
        await reception.access.require(bound, "tokens:edit")


async def test_one_sees_the_offices_one_has_a_role_in(
    reception: Reception, ada: Person, ben: Person, cleo: Person
) -> None:
    """The owner sees all, Ben his own, a token the one it is bound to.

    Demanded by: PLAT-1.
    """
    offices = ["acme", "globex"]
    access = reception.access
    bound = Actor(person=ada, via="token", id="K-1", office="globex")
    assert await access.visible(at_desk(ada), offices) == {"acme", "globex"}
    assert await access.visible(at_desk(ben), offices) == {"acme"}
    assert await access.visible(at_desk(cleo), offices) == frozenset()
    assert await access.visible(bound, offices) == {"globex"}


def test_scopes_are_known_words() -> None:
    """A typing error in a scope is refused with near words, not silently without effect.

    Demanded by: PLAT-1, bad input.
    """
    assert check_scopes(["tasks:read", "runs:*"]) == {"tasks:read", "runs:*"}
    with pytest.raises(InvalidError) as refusal:
        check_scopes(["task:read"])
    assert "tasks:read" in refusal.value.hint
    assert covers(["*"], "tasks:read")
    assert covers(["tasks:*"], "tasks:read")
    assert not covers(["tasks:*"], "task:read")
    assert expand(["*"]) == set(OFFICE) | set(SERVER)


def test_a_viewer_changes_nothing() -> None:
    """The viewer's role holds reading permissions only.

    Demanded by: PLAT-1.
    """
    assert {name.partition(":")[2] for name in ROLES["viewer"]} == {"read"}
    assert ROLES["viewer"] < ROLES["staff"] < ROLES["owner"]


async def test_who_came_in_and_who_did_not_is_written_down(
    reception: Reception, wall: Watch
) -> None:
    """With what it tells of: sign-ins, refusals (folded), links, tokens, accounts; never a secret.

    Demanded by: PLAT-2 (its first part); product, every change an audit row.
    """
    await reception.people.ensure_owner()
    secret = await reception.links.make("owner")
    person = await reception.links.redeem(secret, address="10.0.0.7")
    session = await reception.sessions.open(person, user_agent="Firefox", address="10.0.0.7")
    for _ in range(3):
        with pytest.raises(SignedOutError):
            await reception.links.redeem("guessed", address="10.0.0.9")
    wall.seconds += 3_600
    with pytest.raises(SignedOutError):
        await reception.links.redeem("guessed", address="10.0.0.9")
    made = await reception.tokens.make("owner", "nightly", office="", scopes=["tasks:read"])
    await reception.tokens.revoke("owner", made.id)
    with pytest.raises(NotFoundError):
        await reception.tokens.revoke("owner", "K-none")
    await reception.people.edit("owner", PersonChanges(name="Ada"))
    await reception.people.edit("owner", PersonChanges(name="Ada"))
    await reception.sessions.end("owner", session.id)

    page = await reception.audit.page(before="", limit=4)
    rest = await reception.audit.page(before=page.next or "", limit=20)
    lines = [*page.items, *rest.items]
    assert [(one.n, one.actor, one.action, one.count) for one in reversed(lines)] == [
        (1, "person:owner", "link_made", 1),
        (2, "person:owner", "signed_in", 1),
        (3, "", "sign_in_refused", 3),
        (4, "", "sign_in_refused", 1),
        (5, "person:owner", "token_made", 1),
        (6, "person:owner", "token_revoked", 1),
        (7, "person:owner", "account_edited", 1),
        (8, "person:owner", "signed_out", 1),
    ]
    assert (lines[1].subject, lines[5].address) == ("name: Ada", "10.0.0.9")
    assert rest.next is None
    told = msgspec.json.encode(lines).decode()
    assert [one for one in (secret, session.secret, made.secret) if str(one) in told] == []
