"""Open files: the server has as many as the system lets it, and what agents run has its own."""

from __future__ import annotations

import asyncio
import os
import resource
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from dayshift.computers.enclosure import Limits
from tests.spec.cli_stage import DAYSHIFT, run
from tests.spec.real_server import make_office, started

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.spec.real_server import Served

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

FEW, MANY = 100, 150
SHELL = Path("/bin/sh")
SCREENPLAY = """\
name: acme
scenes:
  - agent: iris
    steps:
      - calls:
          - tool: bash
            arguments: {command: "ulimit -Sn > limit; ulimit -Hn >> limit"}
      - text: Counted.
"""


@pytest.fixture
def server(tmp_path: Path) -> Generator[Served]:
    """A server that was started with room for few files, and may take more."""
    home = tmp_path / "home"
    make_office(home)
    (home / "offices" / "acme" / "screenplay.yaml").write_text(SCREENPLAY, encoding="utf-8")
    env = {
        "PATH": os.environ["PATH"],
        "DAYSHIFT_HOME": str(home),
        "DAYSHIFT_LOG": "warning",
        "DAYSHIFT_ALLOW_UNISOLATED": "1",
    }
    begin = f"ulimit -Sn {FEW} && exec '{DAYSHIFT}' up --port 0"
    with started([str(SHELL), "-c", begin], env, home=home) as running:
        yield running


async def test_more_may_be_open_than_the_server_was_started_with(server: Served) -> None:
    """Of many who are connected at once, the last is answered as the first.

    Demanded by: the measures, load (open files).
    """
    at = urlsplit(server.url)
    doors = [await asyncio.open_connection(at.hostname, at.port) for _ in range(MANY)]
    for reader, writer in doors:
        writer.write(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b" 200 " in await reader.readline()
    for _, writer in doors:
        writer.close()


async def test_commands_keep_the_limit_of_their_computer(server: Served) -> None:
    """What the server took for itself is not handed on to what agents run.

    Demanded by: the measures, load (open files); CAP-1.
    """
    done = await run("send", "acme", "iris", "count", "--wait", home=server.home)
    assert done.out == "Counted.\n"
    file = server.home / "offices" / "acme" / "agents" / "iris" / "workspace" / "limit"
    allowed = min(Limits().open_files, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    assert file.read_text("utf-8").split() == [str(allowed)] * 2


async def test_the_doctor_notes_a_low_limit_that_cannot_be_raised(tmp_path: Path) -> None:
    """How many files there may be, for how many computers, and what would help.

    Demanded by: the measures, load (open files); PLAT-4.
    """
    line = f"ulimit -n 512 && exec '{DAYSHIFT}' doctor --json"
    done = await run("-c", line, home=tmp_path, program=SHELL)
    found = next(each for each in done.document["findings"] if each["name"] == "Open files")
    assert found["verdict"] == "note"
    assert found["told"] == "512 files may be open, at 3 for each computer that is on."
    assert "LimitNOFILE=" in found["hint"]
