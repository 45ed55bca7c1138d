"""The real server with the demo office, for tests in a browser and for screenshots."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
OFFICE = "landing-page"
START_RETRIES = 6
# An office of a thousand takes its time.
START_MAX_S = 60
# A page in the sandbox has no storage.
TOUR_DONE = "if (origin !== 'null') localStorage.setItem('dayshift.tour', 'done')"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
]


# A scene for the demo office in which the designer takes its time, to be steered and stopped in.
SLOW_SCENE = f"""
  - agent: designer
    on: {{source: person, text: "(?i)slowly"}}
    steps:
      - text: "{"One colour after another. " * 50}"
        calls:
          - {{tool: ls, arguments: {{}}}}
      - text: "{"Now the second half, as you said. " * 400}"
"""
# A provider whose test is refused at once, on this machine.
PROVIDERS = {
    "schema_version": 1,
    "providers": [
        {
            "id": "nearby",
            "name": "Nearby",
            "base_url": "http://127.0.0.1:9/v1",
            "default_model": "any",
        }
    ],
    "api_keys": {"nearby": "none"},
}


class ServerDidNotStartError(RuntimeError):
    """What the server told instead of answering."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class OfficeServer:
    """One `dayshift up` with a home of its own; it can be killed and started again."""

    def __init__(self, home: Path, *, office: Path | None = None, extra_scenes: str = "") -> None:
        """``office`` is the folder of another office than the demo."""
        self.home = home
        self._office = office
        self._scenes = SLOW_SCENE + extra_scenes
        self.port = _free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def _command(self, *arguments: str) -> list[str]:
        script = Path(sys.executable).parent / "dayshift"
        return [str(script), *arguments, "--home", str(self.home)]

    def _prepared(self) -> Path:
        """The demo office with the slow scene, and the home's provider, made once."""
        if self._office is not None:
            return self._office
        office = self.home.parent / OFFICE
        if not office.exists():
            shutil.copytree(ROOT / "examples" / OFFICE, office)
            with (office / "screenplay.yaml").open("a", encoding="utf-8") as screenplay:
                screenplay.write(self._scenes)
            self.home.mkdir(mode=0o700, parents=True)
            providers = self.home / "providers.json"
            providers.write_text(json.dumps(PROVIDERS), encoding="utf-8")
            providers.chmod(0o600)
        return office

    def start(self) -> None:
        """Start it and wait until it answers."""
        office = str(self._prepared())
        with (self.home.parent / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command("up", office, "--port", str(self.port)),
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "DAYSHIFT_HOME": str(self.home)},
            )
        # It tries again after half a second, one, two …
        patient = httpx.HTTPTransport(retries=START_RETRIES)
        try:
            with httpx.Client(transport=patient, timeout=START_MAX_S) as client:
                client.get(f"{self.base}/api/health").raise_for_status()
        except httpx.HTTPError as error:
            told = (self.home.parent / "server.log").read_text()
            raise ServerDidNotStartError(told) from error

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def link(self) -> str:
        """A fresh sign-in link; it works once."""
        told = self.told("signin", "--json")
        found = re.search(r"http://[^\"\s]+#token=[^\"\s]+", json.dumps(json.loads(told)))
        assert found is not None, told
        return found.group(0)

    def told(self, *arguments: str) -> str:
        """What a `dayshift` command on this machine prints."""
        return subprocess.run(
            self._command(*arguments), check=True, capture_output=True, text=True
        ).stdout
