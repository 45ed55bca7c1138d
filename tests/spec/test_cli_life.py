"""The server's life as the command line sees it: started, found, stopped, killed, started anew."""

from __future__ import annotations

import asyncio
import signal
import socket
import stat
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.testing.model_server import Call, Fail, ModelServer, Say, Seen
from tests.spec.cli_stage import DAYSHIFT, run
from tests.spec.real_server import make_office, served

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(240)
LINE_LIMIT_S = 30.0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the office acme."""
    make_office(tmp_path)
    return tmp_path


async def test_a_started_server_is_found_and_stopped(home: Path) -> None:
    """Its file is its owner's alone, and gone when it has ended; stopping twice is told as such.

    Demanded by: PLAT-4; the working office, 1.4.
    """
    with served(home) as server:
        mode = (home / "server.json").stat().st_mode
        found = await run("status", home=home)
        stopped = await run("stop", home=home)
        again = await run("stop", home=home)
        ended = server.process.wait(LINE_LIMIT_S)
    assert stat.S_IMODE(mode) == 0o600
    assert [found.code, stopped.code, again.code, ended] == [0, 0, 1, 0]
    assert stopped.out == f"The server, process {server.process.pid}, ended.\n"
    assert "No server is running" in again.err
    assert not (home / "server.json").exists()


async def test_a_turn_under_way_may_end_before_the_server_does(home: Path) -> None:
    """It is waited for, no further turn begins, and nothing is cut off.

    Demanded by: the working office, 1.4; product, kill at any instant loses nothing.
    """
    asked, stopping = asyncio.Event(), asyncio.Event()

    async def slowly(_seen: Seen) -> Say:
        asked.set()
        await stopping.wait()
        return Say(calls=(Call(name="get_time"),))

    async with ModelServer(slowly) as provider:
        _lead_to(provider, home)
        with served(home, "--model", "acme:fake", grace_s=30) as server:
            await run("send", "acme", "juno", "what time is it?", home=home)
            await asked.wait()
            server.process.send_signal(signal.SIGTERM)
            told = await asyncio.to_thread(server.read_until, "may end a turn")
            stopping.set()
            told += await asyncio.to_thread(server.rest)
        before = len(provider.requests)
        provider.script = lambda _: Say(text="Late.")
        with served(home, "--model", "acme:fake"):
            await run("send", "acme", "juno", "and now?", "--wait", home=home)
            work = await run("runs", "--json", home=home)
    assert "Stopping: juno of acme may end a turn within 30 s" in told
    assert "Cut off" not in told
    assert before == 1
    ended = [(one["state"], one["turns"]) for one in work.document["items"]]
    assert ended == [("completed", 1), ("completed", 2)]


def _lead_to(provider: ModelServer, home: Path) -> None:
    """Let a home know a model server as the provider ``acme``."""
    row = {"id": "acme", "name": "Acme", "base_url": provider.openai_url}
    content = {"schema_version": 1, "providers": [row], "api_keys": {"acme": "sk-canary-1"}}
    (home / "providers.json").write_bytes(msgspec.json.encode(content))


async def test_the_second_signal_waits_for_nothing(home: Path) -> None:
    """What it cuts off is said, and taken up at the next start where it was.

    Demanded by: the working office, 1.4; product, kill at any instant loses nothing.
    """
    with served(home, grace_s=30) as server:
        await run("send", "acme", "kai", "test for long", home=home)
        await _at_work(home, "kai")
        server.process.send_signal(signal.SIGINT)
        server.read_until("may end a turn")
        server.process.send_signal(signal.SIGINT)
        told = server.rest()
        code = server.process.wait(LINE_LIMIT_S)
    with served(home):
        status = await run("status", "--json", home=home)
    assert code == 0
    assert "Cut off: kai of acme; taken up at the next start." in told
    (office,) = status.document["offices"]
    busy = [one["name"] for one in office["agents"] if one["run"]]
    assert busy == ["kai"]


async def _at_work(home: Path, agent: str) -> None:
    """Wait until an agent has a run."""
    words = ("--agent", agent, "--kind", "run_changed", "--last", "1", "--until", "1")
    told = await run("tail", "acme", *words, home=home)
    assert told.code == 0


async def test_who_waits_hears_that_the_money_is_gone(tmp_path: Path) -> None:
    """The account is empty, the office pauses, and the command says so at once.

    Demanded by: MODEL-3 (402); the working office, 3, bad input.
    """
    async with ModelServer(lambda _: Fail(status=402)) as provider:
        make_office(tmp_path)
        _lead_to(provider, tmp_path)
        with served(tmp_path, "--model", "acme:fake"):
            told = await run("send", "acme", "iris", "hello", "--wait", home=tmp_path)
            status = await run("status", home=tmp_path)
    assert told.code == 1
    assert "The work on the message is paused: acme: the account is empty (HTTP 402)" in told.err
    assert "resume the office" in told.err
    assert "paused" in status.out


async def test_one_home_has_one_server(home: Path) -> None:
    """The second one says who is in the way; the first one goes on.

    Demanded by: the working office, 3; PLAT-4.
    """
    with served(home):
        second = await run("up", "--port", "0", home=home)
        first = await run("status", home=home)
    assert (second.code, first.code) == (3, 0)
    assert f"Another server is running for the home {home}." in second.err
    assert "Traceback" not in second.err


async def test_a_taken_port_is_a_sentence(home: Path) -> None:
    """With the way to another one.

    Demanded by: the working office, a port in use.
    """
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = await run("up", "--port", str(taken.getsockname()[1]), home=home)
    assert done.code == 3
    assert "Address already in use" in done.err
    assert "--port" in done.err
    assert "Traceback" not in done.err


async def test_listening_for_others_without_tls_is_refused(home: Path) -> None:
    """Unless the owner says so.

    Demanded by: the working office, security from day one.
    """
    everywhere = "0.0.0.0"  # noqa: S104  what the test is about
    done = await run("up", "--host", everywhere, "--port", "0", home=home)
    assert done.code != 0
    assert "would let others reach this server without TLS" in done.err


async def test_a_home_that_is_none_is_a_sentence(home: Path) -> None:
    """A file where the home should be, or above it, is said before anything is begun.

    Demanded by: the working office, 1.1 and 3, bad input.
    """
    file = home / "offices" / "acme" / "office.yaml"
    is_file = await run("up", "--port", "0", home=file)
    is_below = await run("up", "--port", "0", home=file / "deeper")
    assert (is_file.code, is_below.code) == (1, 1)
    assert f"The home {file} cannot be made: it is a file." in is_file.err
    assert f"The home {file}/deeper cannot be made: Not a directory." in is_below.err


async def test_an_unknown_office_is_nothing_there(home: Path) -> None:
    """The offices that are there are named.

    Demanded by: the working office, exit code 4.
    """
    done = await run("up", "beta", "--port", "0", home=home)
    assert done.code == 4
    assert "acme" in done.err


async def test_watching_goes_on_over_a_killed_server(home: Path) -> None:
    """Each entry once and in order, from before the kill, over it, and after the new start.

    Demanded by: promise 3, kill -9 loses nothing; promise 5, the live view resumes without gaps.
    """
    with served(home) as first:
        await run("send", "acme", "iris", "before", "--wait", home=home)
        tail = await asyncio.create_subprocess_exec(
            *(DAYSHIFT, "tail", "acme", "--json", "--last", "200", "--home", home),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert tail.stdout is not None
        seen = await _until(tail.stdout, '"before"')
        first.kill()
        with served(home):
            await run("send", "acme", "juno", "after", "--wait", home=home)
            seen += await _until(tail.stdout, '"after"')
        tail.kill()
        await tail.wait()
    seqs = [msgspec.json.decode(line)["seq"] for line in seen]
    assert seqs == list(range(1, len(seqs) + 1))


async def _until(lines: asyncio.StreamReader, word: str) -> list[bytes]:
    """The lines up to the first that holds a word."""
    seen: list[bytes] = []
    async with asyncio.timeout(LINE_LIMIT_S * 2):
        while not seen or word.encode() not in seen[-1]:
            seen.append(await lines.readline())
            assert seen[-1], "the feed ended"
    return seen
