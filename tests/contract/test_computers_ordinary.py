"""The walls for a server that is an ordinary user: its agents are then the same user as it is.

The tests may run as root, so the server here is a process of its own that is not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.computers_stage import CLOSED

USER = 54_321
LIMIT_S = 60
CANARY = "canary-90aa"
SERVER = """
import asyncio, json, os, sys
from pathlib import Path
from dayshift.computers.local import LocalComputers
from dayshift.core.details import IsolationReport

async def serve(home, kind):
    report = IsolationReport(in_force=kind, network=False, why="", improve="")
    computers = LocalComputers(Path(home), report)
    iris, kai = computers.of("acme", "iris"), computers.of("acme", "kai")
    await kai.write("plan.txt", os.environ["SECRET"].encode())
    Path(home, "dayshift.db").write_text(os.environ["SECRET"])

    async def told(command):
        result = await iris.run(
            command, timeout_s=5, on_output=lambda text: None, output_bytes_max=1_000_000
        )
        return result.output

    me = os.getpid()
    answers = {
        "own": await told("echo 1 > a.txt; cat a.txt"),
        "environment": await told(f"cat /proc/{me}/environ /proc/*/environ; true"),
        "memory": await told(f"head -c 1 /proc/{me}/mem; ls /proc/{me}/root/; true"),
        "home": await told(f"cat {home}/dayshift.db; ls -R {home}; true"),
        "signal": await told(f"kill -9 {me}; echo still here"),
        "written": [info.path for info in await iris.walk("")],
    }
    await computers.off()
    print(json.dumps(answers))

asyncio.run(serve(sys.argv[1], sys.argv[2]))
"""


@cache
def _python() -> str:
    """A Python of this version that an ordinary user can run; nothing where there is none."""
    wanted = f"{sys.version_info[0]}.{sys.version_info[1]}"
    script = "import msgspec, dayshift, sys; print('%d.%d' % sys.version_info[:2])"
    for candidate in (sys.executable, "/usr/bin/python3", f"/usr/local/bin/python{wanted}"):
        if not Path(candidate).exists():
            continue
        try:
            said = _run([candidate, "-c", script], "/")
        except OSError:
            continue
        if said.stdout.strip() == wanted:
            return candidate
    return ""


def _run(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONDONTWRITEBYTECODE": "1", "SECRET": CANARY},
        extra_groups=[] if os.geteuid() == 0 else None,
        group=USER if os.geteuid() == 0 else None,
        text=True,
        timeout=LIMIT_S,
        user=USER if os.geteuid() == 0 else None,
    )


@pytest.mark.parametrize("kind", CLOSED)
def test_an_agent_of_the_same_user_reaches_nothing_of_the_server(kind: str) -> None:
    """Neither its environment, nor its memory, nor its files; it cannot end it either.

    Demanded by: CAP-1, STOR-03, CALL-03, security from day one.
    """
    if not _python():
        pytest.skip("no Python of this version that an ordinary user can run with our packages")
    with tempfile.TemporaryDirectory(prefix="dayshift-") as home:
        os.chmod(home, 0o700)
        if os.geteuid() == 0:
            os.chown(home, USER, USER)
        done = _run([_python(), "-c", SERVER, home, kind], home)
    answers: dict[str, Any] = json.loads(done.stdout or "{}")
    assert done.stderr == ""
    assert answers["own"] == "1\n"
    assert answers["signal"].endswith("still here\n")
    assert "usr" not in answers["memory"].split()
    assert CANARY not in json.dumps(answers)
    assert "plan.txt\n" not in answers["home"]
    assert answers["written"] == ["a.txt"]
