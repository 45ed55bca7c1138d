"""The repository as the tidy tests see it: its files, parsed once."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "dayshift"
GENERATED = ("ui/src/api/schema.d.ts", "ui/src/shell/routeTree.gen.ts")
# A migration is a record of one moment; it is as long as what it did.
MIGRATIONS = "src/dayshift/store/migrations/versions/"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class PythonFile:
    """A Python file of ours.

    Attributes:
        path: Its path from the root of the repository, with slashes.
        text: What stands in it.
        tree: The same, parsed.
    """

    path: str
    text: str
    tree: ast.Module

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def classes(self) -> Iterator[ast.ClassDef]:
        """Every class, nested ones included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                yield node


@cache
def files() -> tuple[str, ...]:
    """Every file that is, or may be, committed."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = sorted(set(listing.stdout.split("\0")) - {""})
    return tuple(name for name in names if (ROOT / name).is_file())


def read(path: str) -> str:
    """What stands in a file; empty for one that is not text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def python_files(under: str = "") -> tuple[PythonFile, ...]:
    """Every Python file below a folder, parsed."""
    found = [name for name in files() if name.endswith(".py") and name.startswith(under)]
    return tuple(PythonFile(name, text := read(name), ast.parse(text)) for name in found)


@cache
def ui_files() -> tuple[str, ...]:
    """Every TypeScript file that somebody wrote."""
    return tuple(
        name
        for name in files()
        if name.startswith("ui/src/") and name.endswith((".ts", ".tsx")) and name not in GENERATED
    )


@cache
def pyproject() -> dict[str, Any]:
    """The settings in pyproject.toml."""
    return tomllib.loads(read("pyproject.toml"))


def rooms() -> set[str]:
    """The folders of the backend that hold code."""
    return {
        folder.name
        for folder in SOURCE.iterdir()
        if folder.is_dir() and (folder / "__init__.py").is_file()
    }


def floors() -> list[str]:
    """The rooms in the layers contract, from the roof to the ground."""
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [room.strip() for floor in layers for room in floor.split("|")]
