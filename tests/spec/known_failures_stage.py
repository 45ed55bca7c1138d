"""A home whose real server is killed and started again, and clients that insist."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from tests.spec.cli_stage import DAYSHIFT
from tests.spec.real_server import OFFICE

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Generator, Mapping

T = TypeVar("T")
PAUSE_S = 0.02
LIMIT_S = 60.0
SCREENPLAY = """\
name: acme
scenes:
  - agent: juno
    on: {source: person, text: "work"}
    steps:
      - calls:
          - tool: bash
            arguments: {command: "sleep 4321; echo slept"}
      - text: It was cut off.
  - agent: juno
    on: {source: task}
    steps:
      - calls:
          - tool: bash
            arguments: {command: "sleep 4321; echo slept"}
      - text: It was cut off.
  - agent: kai
    on: {source: person, text: "work"}
    steps:
      - calls:
          - tool: bash
            arguments: {command: "sleep 4321; echo slept"}
      - text: It was cut off.
  - agent: kai
    on: {source: person, text: "show (?P<what>.+)"}
    steps:
      - calls:
          - tool: bash
            arguments: {command: "{{match.what}}"}
      - text: "I saw it."
  - steps:
      - text: "{{agent}} has read it."
"""
SLEEP = b"sleep\x004321\x00"


@dataclass
class Home:
    """A home with the office acme, and the server that is up in it now.

    Attributes:
        log_to: Where the server's log goes; ``None`` for a file in the home for each start.
        sent: How far a sender has come; a test looks at it from its own thread.
    """

    folder: Path
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    log_to: Path | None = None
    sent: int = 0
    process: subprocess.Popen[bytes] | None = None
    log: list[Path] = field(default_factory=list[Path])

    def __post_init__(self) -> None:
        """Write the office's folder."""
        office = self.folder / "offices" / "acme"
        office.mkdir(parents=True)
        (office / "office.yaml").write_text(OFFICE, encoding="utf-8")
        (office / "screenplay.yaml").write_text(SCREENPLAY, encoding="utf-8")

    def start(self, *arguments: str) -> None:
        """Start the server, and wait until it can be found."""
        self.log.append(self.folder / f"server-{len(self.log)}.out")
        with self.log[-1].open("ab") as out, (self.log_to or self.log[-1]).open("ab") as err:
            self.process = subprocess.Popen(
                [str(DAYSHIFT), "up", "--port", "0", *arguments],
                env={
                    "PATH": os.environ["PATH"],
                    "DAYSHIFT_HOME": str(self.folder),
                    "DAYSHIFT_LOG": "debug",
                    **self.env,
                },
                stdout=out,
                stderr=err,
            )
        self.wait_for(self._is_found)

    def end(self, number: signal.Signals) -> None:
        """End it by a signal, and wait until it is gone."""
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(LIMIT_S)

    @contextmanager
    def up(self, *arguments: str) -> Generator[Home]:
        """A running server for the length of the block, whichever was started last."""
        self.start(*arguments)
        try:
            yield self
        finally:
            assert self.process is not None
            self.process.terminate()
            self.process.wait(LIMIT_S)

    def client(self) -> httpx.Client:
        """The owner's program, at the server that is up now."""
        found = json.loads((self.folder / "server.json").read_text("utf-8"))
        return httpx.Client(
            base_url=f"{found['url']}/api/offices/acme/",
            headers={"authorization": f"Bearer {found['token']}"},
            timeout=60,
        )

    def insist(self, act: Callable[[httpx.Client], T]) -> T:
        """Do something over and over, over restarts, until the server says that it is done."""
        done: list[T] = []

        def try_once() -> bool:
            try:
                with self.client() as client:
                    done.append(act(client))
            except (OSError, ValueError, httpx.HTTPError):
                return False
            return True

        self.wait_for(try_once)
        return done[0]

    def wait_for(self, holds: Callable[[], bool], *, limit_s: float = LIMIT_S) -> None:
        """Look again and again until something holds."""
        pause = Event()
        for _ in range(int(limit_s / PAUSE_S)):
            if holds():
                return
            pause.wait(PAUSE_S)
        told = self.log[-1].read_text("utf-8", "replace")[-2_000:] if self.log else ""
        raise AssertionError(f"it did not come within {limit_s} s: {told}")

    def settled_messages(self, thread: str, *, answers: int) -> list[dict[str, Any]]:
        """A thread's messages, oldest first, once so many of them are agents'."""
        found: list[dict[str, Any]] = []

        def come() -> bool:
            with self.client() as client:
                found[:] = every(client, f"threads/{thread}/messages")[::-1]
            return sum(m["author_kind"] == "agent" for m in found) >= answers

        self.wait_for(come)
        return found

    def _is_found(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log[-1].read_text("utf-8", "replace")
        file = self.folder / "server.json"
        try:
            return json.loads(file.read_text("utf-8"))["pid"] == self.process.pid
        except (OSError, ValueError):
            return False


def posted(client: httpx.Client, agent: str, text: str, *, key: str = "") -> dict[str, Any]:
    """Write to an agent; raises when it was not accepted."""
    wish = {"text": text, "mode": "queue", "key": key}
    answer = client.post(f"agents/{agent}/messages", json=wish)
    answer.raise_for_status()
    return answer.json()


def every(client: httpx.Client, path: str, **filters: str) -> list[dict[str, Any]]:
    """Every item of a list, page after page."""
    items: list[dict[str, Any]] = []
    before = ""
    while True:  # ends with the last page
        answer = client.get(path, params={"limit": "200", "before": before, **filters})
        answer.raise_for_status()
        items += answer.json()["items"]
        before = answer.json()["next"] or ""
        if not before:
            return items


def sleepers() -> list[int]:
    """Processes of this machine that were started by the screenplay's long command."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if line.startswith((SLEEP, b"/usr/bin/" + SLEEP)):
            found.append(int(folder.name))
    return found
