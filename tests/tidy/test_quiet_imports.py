"""Importing the product does nothing: no file, no word, no thread, no loop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.tidy.tree import MIGRATIONS, python_files

if TYPE_CHECKING:
    from pathlib import Path

# These are run, not imported: Alembic loads the first two by path, Python runs the last.
RUN_BY_OTHERS = (MIGRATIONS, "src/dayshift/store/migrations/env.py")
IMPORT_ALL = """
import importlib, json, sys, threading
for name in json.load(sys.stdin):
    importlib.import_module(name)
sys.exit(threading.active_count() - 1)
"""


def test_importing_every_module_leaves_no_trace(tmp_path: Path) -> None:
    """Settings are read and folders are made when the office opens, not before.

    Demanded by: the house.
    """
    modules = [
        file.path.removeprefix("src/")
        .removesuffix(".py")
        .removesuffix("/__init__")
        .replace("/", ".")
        for file in python_files("src/dayshift/")
        if not file.path.startswith(RUN_BY_OTHERS) and not file.path.endswith("__main__.py")
    ]
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL],
        input=json.dumps(modules),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=bare,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
    assert modules
