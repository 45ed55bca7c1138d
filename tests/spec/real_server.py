"""A real server in a process of its own, with an office that rehearses without waiting."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.spec.cli_stage import DAYSHIFT

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

START_LIMIT_S = 60.0
STOP_LIMIT_S = 60.0
LINK = re.compile(r"https?://\S+/sign-in#token=\S+")

OFFICE = """\
office:
  title: Acme
agents:
  - name: iris
    title: Lead
  - name: juno
    title: Developer
    reports_to: iris
    keywords: [login]
  - name: kai
    title: Tester
    reports_to: iris
"""
SCREENPLAY = """\
name: acme
scenes:
  - agent: iris
    on: {source: person, text: "plan (?P<what>.+)"}
    steps:
      - text: I will split it up.
        calls:
          - tool: task_create
            arguments: {title: "Build {{match.what}}", assignee: juno}
            as: build
      - text: "{{build.id}} is with juno."
  - agent: juno
    on: {source: task}
    steps:
      - calls:
          - tool: write_file
            arguments: {path: page.html, content: "<h1>Hello</h1>"}
      - calls:
          - tool: task_update
            arguments:
              id: "{{item.task}}"
              status: done
              result: It is in page.html.
              evidence: [{path: page.html, text: The page.}]
      - text: Done.
  - agent: kai
    on: {source: person, text: "test for long"}
    steps:
      - wait_s: 60
        text: Tested.
  - steps:
      - text: "{{agent}} has read it."
"""


@dataclass(frozen=True)
class Served:
    """A running server: its process, what it announced, and the link it printed."""

    home: Path
    process: subprocess.Popen[str]
    announced: str

    @property
    def link(self) -> str:
        """The sign-in link."""
        found = LINK.search(self.announced)
        assert found is not None
        return found[0]

    @property
    def url(self) -> str:
        """The server's address."""
        return self.link.partition("/sign-in")[0]

    def read_until(self, words: str) -> str:
        """What it says from now on, up to a line with some words."""
        assert self.process.stdout is not None
        told = ""
        while words not in told:
            line = self.process.stdout.readline()
            assert line, f"it ended without saying {words!r}: {told}"
            told += line
        return told

    def rest(self) -> str:
        """What it says until its end."""
        assert self.process.stdout is not None
        return self.process.stdout.read()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(STOP_LIMIT_S)


def make_office(home: Path, name: str = "acme") -> None:
    """Write the office's folder."""
    folder = home / "offices" / name
    folder.mkdir(parents=True)
    (folder / "office.yaml").write_text(OFFICE, encoding="utf-8")
    (folder / "screenplay.yaml").write_text(SCREENPLAY, encoding="utf-8")


@contextmanager
def served(home: Path, *arguments: str, grace_s: int = 0) -> Generator[Served]:
    """A server for the length of the block; it ends with it, after so long a grace."""
    env = {
        "PATH": os.environ["PATH"],
        "DAYSHIFT_HOME": str(home),
        "DAYSHIFT_LOG": "warning",
        "DAYSHIFT_STOP_GRACE_S": str(grace_s),
    }
    with started([str(DAYSHIFT), "up", "--port", "0", *arguments], env, home=home) as running:
        yield running


@contextmanager
def started(command: Sequence[str], env: Mapping[str, str], *, home: Path) -> Generator[Served]:
    """The same, started by a command as somebody typed it."""
    process = subprocess.Popen(
        command,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Served(home, process, _announcement(process))
    finally:
        process.terminate()
        process.wait(STOP_LIMIT_S)
        assert process.stdout is not None
        process.stdout.close()


def _announcement(process: subprocess.Popen[str]) -> str:
    """What the server says up to its link."""
    assert process.stdout is not None
    told = ""
    while LINK.search(told) is None or not told.endswith("\n"):
        # Past Python's buffer: what it holds, select does not see.
        ready, _, _ = select.select([process.stdout], [], [], START_LIMIT_S)
        piece = os.read(process.stdout.fileno(), 65_536) if ready else b""
        assert piece, f"the server did not start: {told}"
        told += piece.decode()
    return told
