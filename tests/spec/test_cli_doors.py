"""The command line before a server that is gone, foreign, old or refuses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from tests.spec.cli_stage import Stage, problem, run, stage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

HEAVY = {"aiohttp", "alembic", "fastapi", "pydantic", "sqlalchemy", "uvicorn"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
async def server(home: Path) -> AsyncGenerator[Stage]:
    """A server that answers what the test says."""
    async with stage(home) as opened:
        yield opened


async def test_help_comes_at_once_and_brings_no_server_along(home: Path) -> None:
    """Every group and command has a line; nothing heavy is imported.

    Demanded by: the measures, P12; PLAT-4.
    """
    done = await run("--help", home=home)
    assert (done.code, "Watch an office" in done.out) == (0, True)
    probe = f"import sys, dayshift.app.cli; print({HEAVY!r} & set(sys.modules))"
    known = await run("-c", probe, home=home, program=Path(sys.executable))
    assert known.out.strip() == "set()"


async def test_no_server_is_a_sentence_with_a_way_out(home: Path, tmp_path: Path) -> None:
    """The sentence names the home; a home that is missing is said to be missing.

    Demanded by: PLAT-4; the working office, bad input.
    """
    none = await run("status", home=home)
    missing = await run("status", home=tmp_path / "elsewhere")
    assert (none.code, none.out, none.err.splitlines()) == (
        1,
        "",
        [
            f"Error: No server is running for the home {home}.",
            "Hint: Start it with: dayshift up",
            "The same again will not help.",
        ],
    )
    assert missing.err.startswith(f"Error: No server is running: the home {tmp_path}/elsewhere ")


async def test_a_failure_is_one_document_with_json(home: Path) -> None:
    """A script reads the same facts from standard output; standard error speaks to people.

    Demanded by: the working office, names that other programs rely on.
    """
    done = await run("runs", "--json", home=home)
    assert done.document["error"]["code"] == "no_server"
    assert done.document["error"]["retryable"] is False
    assert "Error: No server is running" in done.err


async def test_a_server_that_was_killed_left_its_file(home: Path) -> None:
    """What it left names a process that does not answer; that nothing is lost is said.

    Demanded by: product, kill -9 loses nothing.
    """
    async with stage(home):
        pass
    gone = await run("status", home=home)
    stopped = await run("stop", home=home)
    assert "does not answer" in gone.err
    assert "nothing that was committed is lost" in gone.err
    assert (gone.code, stopped.code) == (1, 1)


async def test_a_damaged_server_file_is_told_as_such(home: Path) -> None:
    """Not as a traceback of a parser.

    Demanded by: the working office, bad input.
    """
    (home / "server.json").write_text("{", encoding="utf-8")
    done = await run("status", home=home)
    assert (done.code, done.err.count("\n")) == (1, 3)
    assert f"{home}/server.json is damaged" in done.err


@pytest.mark.parametrize(
    ("status", "code", "exit_code"),
    [
        (401, "signed_out", 3),
        (403, "denied", 3),
        (404, "not_found", 4),
        (409, "conflict", 3),
        (422, "invalid", 2),
        (422, "invalid_config", 1),
        (429, "limit", 3),
        (500, "storage", 1),
        (502, "model_server", 1),
    ],
)
async def test_a_refusal_ends_in_its_exit_code(
    server: Stage, status: int, code: str, exit_code: int
) -> None:
    """0 done, 1 failed, 2 wrong use, 3 refused, 4 nothing there.

    Demanded by: the working office, names that other programs rely on.
    """
    told = {"code": code, "message": "Juno is off duty.", "hint": "Come back at 08:00."}
    server.answers["offices/acme/agents"] = problem(status, {**told, "retryable": True})
    done = await run("agent", "list", "acme", home=server.home)
    assert (done.code, done.out, done.err.splitlines()) == (
        exit_code,
        "",
        ["Error: Juno is off duty.", "Hint: Come back at 08:00.", "Trying again may help."],
    )


async def test_a_server_of_another_version_is_named(server: Stage) -> None:
    """An answer that is not understood is explained by the versions, when they differ.

    Demanded by: PLAT-4.
    """
    server.answers["offices/acme/runs"] = {"items": [{"id": "R-1"}], "next": None}
    server.answers["health"] = {"status": "ok", "version": "9.9.9"}
    done = await run("runs", "acme", home=server.home)
    assert done.code == 1
    assert "is Dayshift 9.9.9, and this command is" in done.err


async def test_something_that_is_no_dayshift_server_is_told_as_such(server: Stage) -> None:
    """A web page in the place of an answer.

    Demanded by: PLAT-4.
    """
    server.answers["offices/acme/runs"] = web.Response(text="<html>", content_type="text/html")
    done = await run("runs", "acme", home=server.home)
    assert done.code == 1
    assert "was not understood" in done.err
    assert "Is it a Dayshift server?" in done.err


async def test_an_office_need_not_be_named_when_there_is_one(server: Stage) -> None:
    """With several the command says which there are, and does nothing.

    Demanded by: PLAT-4; AGENT-8.
    """
    server.answers["offices"] = _page(_office("acme"))
    server.answers["offices/acme/events"] = _page()
    one = await run("event", "list", home=server.home)
    server.answers["offices"] = _page(_office("acme"), _office("beta"))
    two = await run("event", "list", home=server.home)
    server.answers["offices"] = _page()
    none = await run("event", "list", home=server.home)
    assert (one.code, one.out) == (0, "No events.\n")
    assert (two.code, none.code) == (2, 4)
    assert "There are 2 offices, and none was named: acme, beta." in two.err
    assert "dayshift office create NAME" in none.err


async def test_a_remote_server_needs_an_address_and_a_token(server: Stage, home: Path) -> None:
    """DAYSHIFT_URL and DAYSHIFT_TOKEN take the place of the home's server.

    Demanded by: PLAT-4, remote servers.
    """
    server.answers["offices/acme/events"] = _page()
    url = server.url
    (home / "server.json").unlink()
    there = await run(
        "event", "list", "acme", home=home, variables={"DAYSHIFT_URL": url, "DAYSHIFT_TOKEN": "t"}
    )
    bare = await run("event", "list", "acme", home=home, variables={"DAYSHIFT_URL": url})
    wrong = await run(
        "status", home=home, variables={"DAYSHIFT_URL": "office.example.org", "DAYSHIFT_TOKEN": "t"}
    )
    stop = await run("stop", home=home, variables={"DAYSHIFT_URL": url, "DAYSHIFT_TOKEN": "t"})
    assert [there.code, bare.code, wrong.code, stop.code] == [0, 2, 2, 3]
    assert "DAYSHIFT_TOKEN holds no API token" in bare.err
    assert "is no address of a server" in wrong.err


async def test_a_token_is_never_shown(server: Stage) -> None:
    """Not by config show, and not in a failure.

    Demanded by: PLAT-6.
    """
    shown = await run(
        "config", "show", "--json", home=server.home, variables={"DAYSHIFT_TOKEN": "canary-7"}
    )
    plain = await run("config", "show", home=server.home, variables={"DAYSHIFT_TOKEN": "canary-7"})
    failed = await run("runs", "acme", home=server.home)
    told = [*shown.document["settings"]]
    assert {"name": "token", "value": "(set, not shown)", "origin": "environment"}.items() <= told[
        -1
    ].items()
    everything = shown.out + shown.err + plain.out + plain.err + failed.out + failed.err
    assert "canary-7" not in everything
    assert "let-me-in" not in everything


async def test_a_crash_is_a_sentence_and_its_traceback_is_there_for_who_asks(home: Path) -> None:
    """A mistake of ours is called one; nobody is shown Python without wanting to.

    Demanded by: PLAT-4, never a traceback.
    """
    script = (
        "import sys, dayshift.app.cli as cli\n"
        "@cli.app.command('boom')\n"
        "def boom(): return {}['iris']\n"
        "sys.argv = ['dayshift', 'boom']\n"
        "cli.main()"
    )
    plain = await run("-c", script, home=home, program=Path(sys.executable))
    asked = await run(
        "-c", script, home=home, program=Path(sys.executable), variables={"DAYSHIFT_LOG": "debug"}
    )
    assert (plain.code, asked.code) == (1, 1)
    assert plain.err.startswith("Error: This failed where nobody foresaw it (KeyError: 'iris')")
    assert "Traceback" not in plain.err
    assert "Traceback" in asked.err


async def test_settings_of_the_home_count_below_the_environment(home: Path) -> None:
    """What is in force is shown with where it came from; a fault in the file with its place.

    Demanded by: PLAT-4, flags over environment over file over default; bad input.
    """
    file = home / "settings.yaml"
    file.write_text("port: 9000\nlog: debug\n", encoding="utf-8")
    shown = await run("config", "show", "--json", home=home, variables={"DAYSHIFT_PORT": "1"})
    told = {each["name"]: (each["value"], each["origin"]) for each in shown.document["settings"]}
    file.write_text("port: 9000\nlog: loud\n", encoding="utf-8")
    misfit = await run("config", "show", home=home)
    file.write_text("prot: 9000\n", encoding="utf-8")
    unknown = await run("up", home=home)
    assert (told["port"], told["log"]) == ((1, "environment"), ("debug", "file"))
    assert (misfit.code, unknown.code) == (1, 1)
    assert misfit.err.startswith(f"Error: {file}:2:6: 'loud' of 'log'")
    assert unknown.err.startswith(
        f"Error: {file}:1:1: There is no setting 'prot'. Did you mean 'port'?"
    )


async def test_wrong_use_is_told_without_a_server(home: Path) -> None:
    """Unknown commands with near ones, missing and misfit values.

    Demanded by: the working office, exit code 2.
    """
    typo = await run("stauts", home=home)
    missing = await run("send", "acme", home=home)
    misfit = await run("task", "move", "T-1", "finished", home=home)
    setting = await run("status", home=home, variables={"DAYSHIFT_PORT": "high"})
    assert [typo.code, missing.code, misfit.code, setting.code] == [2, 2, 2, 2]
    assert "status" in typo.err
    assert "'high' of DAYSHIFT_PORT cannot be used" in setting.err


def _page(*items: dict[str, Any]) -> dict[str, Any]:
    return {"items": list(items), "next": None}


def _office(name: str) -> dict[str, Any]:
    at = "2026-03-02T08:00:00Z"
    clock = {"mode": "wall", "zone": "UTC", "day": 1, "office_at": at, "real_at": at, "rate": 1.0}
    return {
        "name": name,
        "title": name.title(),
        "description": "",
        "language": "en",
        "state": "running",
        "paused_reason": "",
        "paused_by": "",
        "model": "rehearsal:landing-page",
        "rehearsal": True,
        "clock": clock,
        "budget_usd_micros": 0,
        "spent_usd_micros": 0,
        "spent_day": 1,
    }
