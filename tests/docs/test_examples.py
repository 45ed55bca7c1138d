"""What the documents tell a reader to type works, and prints what they say.

A fence that opens with `sh run` is executed line by line; a line `#> text` is what is printed, with
`…` for anything. `sh serve` starts a server that stays until the page's end; `run fails` expects
exit code 1; `yaml file=~/.dayshift/…` is written into the home.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docs.generate.markdown import ROOT
from tests.spec.real_server import started

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.timeout(240)
FENCE = re.compile(
    r"^```(?P<kind>\w+) (?P<how>[^\n]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
PAGES = ("README.md", "docs/tutorial/first-office.md")
COMMAND_LIMIT_S = 60
HOME = "~/.dayshift/"


@dataclass(frozen=True)
class Fence:
    """A fence that asks to be played: what it holds, and how."""

    kind: str
    how: str
    body: str

    def steps(self) -> Iterator[tuple[str, str]]:
        """Each command with what it should print first; nothing said, anything goes."""
        for part in re.split(r"\n(?!#> )", self.body.strip()):
            command, *told = part.split("\n#> ")
            yield command, "\n".join(told)


def fences(page: str) -> list[Fence]:
    """The fences of a page that ask to be played."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Fence(m["kind"], m["how"].strip(), m["body"]) for m in FENCE.finditer(text)]


class Reader:
    """Somebody who does what a page says, in a home of their own."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self._home = home
        self._stack = stack
        self._env = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DAYSHIFT_HOME": str(home),
            "DAYSHIFT_PORT": "0",
            "DAYSHIFT_LOG": "warning",
        }

    def follow(self, fence: Fence) -> None:
        """Do what one fence says."""
        if fence.kind == "sh" and fence.how == "serve":
            words = fence.body.split()
            self._stack.enter_context(started(words, self._env, home=self._home))
        elif fence.kind == "sh":
            for command, told in fence.steps():
                self._type(command, told, code=1 if "fails" in fence.how else 0)
        else:
            path = self._home / fence.how.removeprefix(f"file={HOME}")
            path.write_text(fence.body, encoding="utf-8")

    def _type(self, command: str, told: str, *, code: int) -> None:
        """Run one command and compare what it prints with what the page says."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=ROOT,
            env=self._env,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_LIMIT_S,
        )
        assert done.returncode == code, f"{command}: {done.stdout}{done.stderr}"
        pattern = re.escape(told).replace("…", ".*")
        assert re.match(pattern, done.stdout), f"{command} printed:\n{done.stdout}"


@pytest.mark.parametrize("document", PAGES)
def test_a_page_can_be_followed(document: str, tmp_path: Path) -> None:
    """Every command works in the order of the page, and prints what the page says.

    Demanded by: the house, 3.4; the working office, README and tutorial.
    """
    played = fences(document)
    assert played
    with ExitStack() as stack:
        reader = Reader(tmp_path, stack)
        for fence in played:
            reader.follow(fence)


def test_a_wrong_line_is_found(tmp_path: Path) -> None:
    """The comparison is one: what a page says wrongly fails.

    Demanded by: the house, a check that sees nothing passes always.
    """
    with ExitStack() as stack:
        reader = Reader(tmp_path, stack)
        reader.follow(Fence("sh", "run", "echo one\n#> one\necho two\n#> t…\n"))
        with pytest.raises(AssertionError, match="echo one printed"):
            reader.follow(Fence("sh", "run", "echo one\n#> two\n"))
