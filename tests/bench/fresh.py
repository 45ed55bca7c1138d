"""P16: a clone with nothing installed, to its first signed-in page and to the end of its tests.

It asks the registries for every package, so it is run only when it is named.
"""

import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import httpx
from figures import Figure, figure

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(http://[^/\s]+)/\S*#token=(\S+)")
PAGE_LIMIT_S = 900
TESTS_LIMIT_S = 3_600
LOOK_EVERY_S = 0.1


def fresh() -> list[Figure]:
    """From a clone to the page, then the tests of the same clone."""
    with tempfile.TemporaryDirectory(prefix="dayshift-fresh-") as folder:
        clone, env = Path(folder, "clone"), _without_caches(Path(folder))
        subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", clone], check=True)
        page = _to_the_page(clone, env)
        began = time.monotonic()
        with Path(folder, "test.log").open("wb") as log:
            ended = subprocess.run(
                ["make", "test"],
                cwd=clone,
                env={**env, "CI": "true"},
                stdout=log,
                stderr=log,
                timeout=TESTS_LIMIT_S,
                check=False,
            )
        tests = time.monotonic() - began
        if ended.returncode:
            lines = Path(folder, "test.log").read_text(errors="replace").splitlines()
            raise RuntimeError("\n".join(lines[-30:]))
    return [
        figure(
            "P16.run",
            "make run in a clone with nothing installed, to a signed-in page",
            page,
            "s",
            at_most=120,
        ),
        figure("P16.test", "make test in that clone, to its last line", tests, "s", at_most=480),
    ]


def _without_caches(folder: Path) -> dict[str, str]:
    """The environment, with a home and caches of packages that are empty."""
    caches = ("UV_CACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache", "DAYSHIFT_HOME")
    return {**os.environ, **{name: str(folder / name.lower()) for name in caches}}


def _to_the_page(clone: Path, env: dict[str, str]) -> float:
    """Seconds from ``make run`` until a person who follows the link has the page and a session."""
    out = clone.parent / "run.log"
    with _made(clone, env, out) as began:
        while (link := LINK.search(out.read_text(errors="replace"))) is None:
            if time.monotonic() - began > PAGE_LIMIT_S:
                raise TimeoutError(out.read_text(errors="replace")[-2_000:])
            time.sleep(LOOK_EVERY_S)
        url, token = link[1], link[2]
        with httpx.Client(base_url=url) as person:
            person.get("/").raise_for_status()
            person.post("/api/sign-in", json={"token": token}).raise_for_status()
        return time.monotonic() - began


@contextlib.contextmanager
def _made(clone: Path, env: dict[str, str], out: Path) -> Generator[float]:
    """A server by ``make run`` for the length of the block; gives when it was asked for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with out.open("wb") as log:
        began = time.monotonic()
        process = subprocess.Popen(
            ["make", "run", f"PORT={port}"],
            cwd=clone,
            env=env,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield began
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
