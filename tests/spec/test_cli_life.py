"""The server's life as the command line sees it: started, found, stopped, killed, started anew."""

from __future__ import annotations

import asyncio
import socket
import stat
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.spec.cli_stage import DAYSHIFT, run
from tests.spec.real_server import make_office, served

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.timeout(60)
LINE_LIMIT_S = 5.0


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the office acme."""
    make_office(tmp_path)
    return tmp_path


async def test_a_started_server_is_found_and_stopped(home: Path) -> None:
    """Its file is its owner's alone, and gone when it has ended; stopping twice is told as such.

    Demanded by: PLAT-4; issue 2, 1.4.
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


async def test_one_home_has_one_server(home: Path) -> None:
    """The second one says who is in the way; the first one goes on.

    Demanded by: issue 2, 3; PLAT-4.
    """
    with served(home):
        second = await run("up", "--port", "0", home=home)
        first = await run("status", home=home)
    assert (second.code, first.code) == (3, 0)
    assert f"Another server is running for the home {home}." in second.err
    assert "Traceback" not in second.err


async def test_a_taken_port_is_a_sentence(home: Path) -> None:
    """With the way to another one.

    Demanded by: issue 2, a port in use.
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

    Demanded by: issue 2, security from day one.
    """
    everywhere = "0.0.0.0"  # noqa: S104  what the test is about
    done = await run("up", "--host", everywhere, "--port", "0", home=home)
    assert done.code != 0
    assert "would let others reach this server without TLS" in done.err


async def test_an_unknown_office_is_nothing_there(home: Path) -> None:
    """The offices that are there are named.

    Demanded by: issue 2, exit code 4.
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
