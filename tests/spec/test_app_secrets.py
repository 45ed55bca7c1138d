"""Secrets the server was given stay out of what models read, of the ledger and of the feed."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sqlite3
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest

from dayshift.core.entries import RunDelta
from dayshift.core.redaction import secrets_in
from dayshift.testing.model_server import Call, Fail, ModelServer, Say
from dayshift.testing.office_harness import OfficeHarness
from tests.spec.cli_stage import DAYSHIFT, run
from tests.spec.real_server import Served, started

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

CANARY = "canary-4f9a77e1b2c3d4e5f6"
PROVIDER_KEY = "canary-Provider-77e1b2c3/d4e5+f6"
DEPLOY_TOKEN = "canary-Deploy-0a1b2c3d4e5f6a7b"
PASSWORD = "canary-Pass-9f8e7d6c5b4a"
GITHUB_TOKEN = "ghp_" + "a1B2" * 9
OFFICE = """\
office:
  title: Acme
  model: "mine:m"
  env: {DATABASE: "postgres://bo:${DB_PASSWORD}@db.example/shop"}
agents:
  - name: iris
    prompt_mode: minimal
    env: {DEPLOY_TOKEN: "${DEPLOY_TOKEN}"}
"""
PRYING = (
    'seq 9999; echo "$DEPLOY_TOKEN $DATABASE"; printenv; echo $DEPLOY_TOKEN | base64; '
    "echo $DEPLOY_TOKEN > token.txt; echo ${DEPLOY_TOKEN} 1>&2; ls $DEPLOY_TOKEN"
)
COMMANDS = (
    ("status", "acme", "--json"),
    ("tail", "acme", "--last", "200", "--until", "1", "--json"),
    ("runs", "acme"),
    ("show", "run", "R-2"),
    ("show", "call", "R-2.1.0", "--json"),
    ("doctor", "--json"),
    ("config", "show", "--json"),
    ("office", "show", "acme", "--json"),
    ("token", "list", "--json"),
)
DEBUG = {"DAYSHIFT_LOG": "debug"}
FAILING = f"""
import logging, structlog
from dayshift.app.cli.crash import catch_crashes
from dayshift.app.logs import redactor, set_up_logs

catch_crashes()
set_up_logs("debug")
redactor().learn("canary", "{CANARY}")
try:
    raise ValueError("{CANARY}")
except ValueError:
    logging.getLogger("library").exception("It had %s", "{CANARY}")
    structlog.get_logger().exception("failed", key="{CANARY}")
raise RuntimeError("{CANARY}")
"""


async def test_a_secret_that_a_tool_prints_reaches_neither_model_nor_ledger(
    tmp_path: Path,
) -> None:
    """What a tool brings is cleaned before the model, the disk or a watcher sees it.

    Demanded by: PLAT-6; SEC-09.
    """
    async with OfficeHarness(tmp_path) as office:
        office.database.redactor.learn("canary", CANARY)
        read = Call(name="read_file", arguments={"path": "notes.txt"})
        computer = office.office.computer_of("iris")
        await computer.write("notes.txt", f"the key is {CANARY}".encode())
        office.model.say(Say(calls=(read,)), Say(text=f"It says {CANARY}."), to="iris")

        await office.ada.asks("iris", "What do the notes say?")
        await office.settled()

        told = [str(seen.body) for seen in office.model.requests]
        kept = [committed.body for committed in office.heard]
        assert "hidden: canary" in told[-1]
        assert [text for text in told + kept if CANARY in text] == []
        assert CANARY not in "\n".join(await office.ada.sees("iris"))


async def test_who_watches_is_told_no_secret_while_it_comes(tmp_path: Path) -> None:
    """Neither in the text nor in the reasoning of a turn that is under way.

    Demanded by: PLAT-6; RUN-2; SEC-09.
    """
    async with OfficeHarness(tmp_path) as office:
        office.database.redactor.learn("canary", CANARY)
        reply = Say(
            text=f"It is {CANARY}. {'And so on. ' * 50}",
            reasoning=f"Hm, {CANARY}.",
            piece_chars=60,
            stall_after=6,
        )
        office.says("iris", reply)
        await office.ada.asks("iris", "What is it?")
        told = [live async for live in _until(office, "And so on")]

        assert "It is [hidden: canary]. " in "".join(live.text for live in told)
        assert "Hm, [hidden: canary]." in "".join(live.reasoning for live in told)
        assert CANARY not in str(told)


@pytest.mark.parametrize("secret", [CANARY, CANARY.encode().hex()], ids=["as-it-is", "in-hex"])
async def test_a_secret_that_comes_in_pieces_is_told_in_none_of_them(
    tmp_path: Path, secret: str
) -> None:
    """What may be its beginning waits for more; what turns out to be none is told.

    Demanded by: PLAT-6; RUN-2; SEC-09.
    """
    async with OfficeHarness(tmp_path) as office:
        office.database.redactor.learn("canary", CANARY)
        almost = secret[:-3]
        reply = Say(
            text=f"It is {secret}, not {almost}; {'and so on, ' * 60}",
            piece_chars=5,
            gap_s=0.06,
            stall_after=2 * len(secret) // 5 + 8,
        )
        office.says("iris", reply)
        await office.ada.asks("iris", "What is it?")
        told = ""
        async for live in office.watch():
            told += live.text if isinstance(live, RunDelta) else ""
            if "and so on" in told:
                break

        assert told.startswith(f"It is [hidden: canary], not {almost}; and so on")


async def _until(office: OfficeHarness, words: str) -> AsyncGenerator[RunDelta]:
    """What one who watches is told of runs, until some words come."""
    async for live in office.watch():
        if isinstance(live, RunDelta):
            yield live
            if words in live.text:
                return


async def test_a_key_that_nobody_gave_the_server_is_known_by_its_form(tmp_path: Path) -> None:
    """A person pastes it, an agent is told that there was one.

    Demanded by: PLAT-6; SEC-09.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.asks("iris", f"Use {GITHUB_TOKEN} for it")
        await office.settled()

        assert (await office.ada.sees("iris"))[0] == "ada: Use [hidden: GitHub token] for it"
        assert GITHUB_TOKEN not in str(office.model.requests[0].body)


class Prying(NamedTuple):
    """A server whose agents and people did all they could to bring secrets to light."""

    server: Served
    model: ModelServer
    token: str
    said: str


@pytest.fixture
async def prying(tmp_path: Path) -> AsyncGenerator[Prying]:
    """A provider that echoes its key, a tool that prints its environment, a person who pastes."""
    secrets = {
        "MINE_KEY": PROVIDER_KEY,
        "DEPLOY_TOKEN": DEPLOY_TOKEN,
        "DB_PASSWORD": PASSWORD,
    }
    async with ModelServer() as model:
        row = {"id": "mine", "name": "Mine", "api_key_env": "MINE_KEY"}
        row["base_url"] = model.openai_url
        listed = {"schema_version": 1, "providers": [row]}
        (tmp_path / "providers.json").write_text(json.dumps(listed), encoding="utf-8")
        folder = tmp_path / "offices" / "acme"
        folder.mkdir(parents=True)
        (folder / "office.yaml").write_text(OFFICE, encoding="utf-8")
        echo = Fail(status=401, body={"error": {"message": f"Incorrect key: {PROVIDER_KEY}"}})
        model.say(
            echo,
            Say(calls=(Call(name="bash", arguments={"command": PRYING}),)),
            Say(calls=(Call(name="read_file", arguments={"path": "token.txt"}),)),
            Say(text=f"It is {DEPLOY_TOKEN}.", reasoning=f"I saw {quote(PROVIDER_KEY, safe='')}"),
            to="m",
        )
        env = {
            **secrets,
            "PATH": os.environ["PATH"],
            "DAYSHIFT_HOME": str(tmp_path),
            "DAYSHIFT_LOG": "debug",
        }
        with ExitStack() as stack:
            up = started([str(DAYSHIFT), "up", "--port", "0"], env, home=tmp_path)
            server = await asyncio.to_thread(stack.enter_context, up)
            made = await run("token", "create", "canary", "--json", home=tmp_path)
            token = made.document["secret"]
            said = ""
            for text in ("Hello", f"My keys: {PROVIDER_KEY} {token} {PASSWORD}. Look around."):
                done = await run("send", "acme", "iris", text, "--wait", home=tmp_path)
                said += done.out + done.err
            yield Prying(server, model, token, said)


async def test_no_secret_is_told_anywhere(prying: Prying) -> None:
    """Keys, tokens and passwords are in no prompt, row, frame, mirror, answer, line or log.

    Demanded by: PLAT-6; SEC-09; invariant 13, a planted canary is searched for.
    """
    home, token = prying.server.home, prying.token
    lines = [await run(*words, home=home) for words in COMMANDS]
    async with httpx.AsyncClient(
        base_url=prying.server.url, headers={"Authorization": f"Bearer {token}"}
    ) as client:
        answers = [await client.get(path) for path in await _paths(client)]
        frames = await _feed(client)
    prying.server.process.terminate()
    told = {
        "prompts": "".join(str(seen.body) for seen in prying.model.requests),
        "rows": _rows(home / "dayshift.sqlite3"),
        "frames": frames,
        "mirrors": "".join(path.read_text() for path in home.rglob("sessions/*.jsonl")),
        "answers": "".join(answer.text for answer in answers),
        "lines": prying.said + "".join(line.out + line.err for line in lines),
        "log": prying.server.rest(),
    }

    found = {
        f"{place}: …{text[at - 60 : at + 20]}…"
        for place, text in told.items()
        for secret in (PROVIDER_KEY, DEPLOY_TOKEN, PASSWORD, token)
        for form in (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode())
        for at in _places(form, text)
    }

    assert found == set()
    assert [line.code for line in lines] == [0] * len(COMMANDS)
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert {"hidden: DEPLOY_TOKEN", "hidden: MINE_KEY", "hidden: password in DATABASE"} <= set(
        re.findall(r"hidden: [\w ]+", told["rows"])
    )
    assert {place for place, text in told.items() if "hidden: " not in text} <= {"log"}


async def test_no_log_of_a_library_and_no_traceback_shows_a_secret(tmp_path: Path) -> None:
    """Whoever writes it, and though nobody foresaw it.

    Demanded by: PLAT-6; SEC-09.
    """
    done = await run("-c", FAILING, home=tmp_path, program=Path(sys.executable), variables=DEBUG)

    assert done.code == 1
    assert done.err.count("Traceback") == 3
    assert done.err.count("[hidden: canary]") >= 3
    assert CANARY not in done.err


@pytest.mark.parametrize(
    ("variable", "secrets"),
    [
        ({"GITHUB_TOKEN": "abcd1234efgh"}, [("GITHUB_TOKEN", "abcd1234efgh")]),
        ({"api_key": "k"}, [("api_key", "k")]),
        ({"NODE_ENV": "production"}, []),
        ({"KEYBOARD_LAYOUT": "us-intl-12"}, []),
        ({"PATH": "/usr/bin:/bin"}, []),
        ({"PGURL": "postgres://bo:s3cret%21@db/x"}, [("password in PGURL", "s3cret!")]),
        ({"SITE": "https://example.org/a:b@c"}, []),
    ],
)
def test_what_is_secret_in_an_environment_is_told_by_its_name(
    variable: dict[str, str], secrets: list[tuple[str, str]]
) -> None:
    """Keys, tokens and passwords, and logins in addresses; ordinary words stay readable.

    Demanded by: PLAT-6.
    """
    assert list(secrets_in(variable))[-1:] == secrets


async def _paths(client: httpx.AsyncClient) -> list[str]:
    """Every address that shows something of the office, with what there is in it."""
    base = "/api/offices/acme"
    known = {
        "office": "acme",
        "agent": "iris",
        "thread": (await _first(client, f"{base}/threads"))["id"],
        "run": "R-2",
        "n": "1",
        "call": "R-2.1.0",
        "event": (await _first(client, f"{base}/events"))["id"],
    }
    api = (await client.get("/api/openapi.json")).json()["paths"]
    left_out = ("/feed", "/content", "/history", "{ticket}", "{task}", "{office}/messages")
    return [
        path.format(**known)
        for path, verbs in api.items()
        if "get" in verbs and not path.endswith(left_out) and "{ticket}" not in path
    ]


async def _first(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    return (await client.get(path)).json()["items"][0]


async def _feed(client: httpx.AsyncClient) -> str:
    """What one who watches from the beginning is told, up to the last run's end."""
    told = ""
    async with client.stream("GET", "/api/offices/acme/feed", params={"after": "0"}) as stream:
        async for text in stream.aiter_text():
            told += text
            if '"id":"R-2"' in told and told.count('"state":"completed"'):
                break
    return told


def _rows(file: Path) -> str:
    """Every value of every row."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return "\n".join(database.iterdump())


def _places(form: str, text: str) -> list[int]:
    return [match.start() for match in re.finditer(re.escape(form), text)]
