"""Dayshift as it is installed: a wheel, with nothing of the checkout beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.spec.real_server import started

ROOT = Path(__file__).parents[2]
BUILD_LIMIT_S = 60.0


def unpacked_wheel(tmp_path: Path) -> Path:
    """A wheel of this checkout, built without the UI and unpacked as installing would."""
    uv = Path(sys.executable).parent / "uv"
    subprocess.run(
        [
            *(uv, "build", "--quiet", "--offline", "--wheel", "--no-build-isolation"),
            *("--python", sys.executable, "--out-dir", tmp_path / "dist", ROOT),
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DAYSHIFT_SKIP_UI": "1"},
        check=True,
        timeout=BUILD_LIMIT_S,
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def test_an_installed_dayshift_brings_its_demo_office_and_all_it_reads(tmp_path: Path) -> None:
    """The first start makes the demo office from the package alone.

    Demanded by: PLAT-4, one command.
    """
    site = unpacked_wheel(tmp_path)
    code = "from dayshift.app.cli import main; main()"
    home = tmp_path / "home"
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(site),
        "DAYSHIFT_HOME": str(home),
        "DAYSHIFT_LOG": "warning",
    }
    with started([sys.executable, "-c", code, "up", "--port", "0"], env, home=home) as running:
        assert "The office landing-page is a rehearsal" in running.announced
    made = (home / "offices" / "landing-page" / "office.yaml").read_bytes()
    assert made == (site / "dayshift" / "_examples" / "landing-page" / "office.yaml").read_bytes()
