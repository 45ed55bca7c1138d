"""The README's first command where something is missing: a sentence, and what helps."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
INPUTS = ("Makefile", "requirements.lock", "pyproject.toml", "hatch_build.py")
LIMIT_S = 60


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As much of the repository as the command looks at first; older than any environment."""
    for name in INPUTS:
        shutil.copyfile(ROOT / name, tmp_path / name)
        os.utime(tmp_path / name, (1, 1))
    return tmp_path


def _make(folder: Path, *words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run make there, in an environment that holds nothing else."""
    return subprocess.run(
        [shutil.which("make") or "make", *words],
        cwd=folder,
        env=dict(env),
        check=False,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )


def test_without_python_it_says_how_to_get_it(checkout: Path) -> None:
    """One that is too old is none.

    Demanded by: the working office, 1.1: a clear word in place of a traceback.
    """
    tools = checkout / "tools"
    tools.mkdir()
    old = tools / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    (tools / "sh").symlink_to("/bin/sh")
    done = _make(checkout, "run", env={"PATH": str(tools)})
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed, and none was found." in done.stderr
    assert "apt install python3" in done.stderr
    assert not (checkout / ".venv").exists()


def test_a_port_that_is_taken_is_said_with_another_to_try(checkout: Path) -> None:
    """Before anything is built or started.

    Demanded by: the working office, 1.1 and 3, a port in use.
    """
    binaries = checkout / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").symlink_to(sys.executable)
    (checkout / ".venv" / ".installed").touch()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = _make(checkout, "run", f"PORT={port}", env={"PATH": "/usr/bin:/bin"})
    assert done.returncode != 0
    assert f"Port {port} is taken; try: make run PORT={port + 1}" in done.stderr
    assert "Traceback" not in done.stderr
