"""Every recipe of docs/extend works, and changes as many files as its page says."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docs.generate import new, recipes
from docs.generate.markdown import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.timeout(180)
STEP_LIMIT_S = 90
BIN = Path(sys.executable).parent
TYPES = ROOT / "ui" / "node_modules" / ".bin"
RESOLVE = """
from dayshift.models.catalogue import Catalogue
from dayshift.models.providers import load_providers
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire
print(Catalogue(load_providers(), lambda _name: "key", Wire(), Rehearsals()).resolve({ref!r}).ref)
"""


class Tree:
    """A copy of the repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            source, target = ROOT / name, folder / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        # The checkers look for the environment where the settings say it is.
        (folder / ".venv").symlink_to(sys.prefix)
        modules = ROOT / "ui" / "node_modules"
        if modules.is_dir():
            (folder / "ui" / "node_modules").symlink_to(modules)

    def run(self, *command: str | Path, cwd: str = ".") -> str:
        """Run a step in the copy, which must succeed; what it printed."""
        source = self.folder / "src"
        done = subprocess.run(
            command,
            cwd=self.folder / cwd,
            env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{self.folder}"},
            check=False,
            capture_output=True,
            text=True,
            timeout=STEP_LIMIT_S,
        )
        assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def make_docs(self, *, ui: bool) -> None:
        """What `make docs` does; the UI's types only where they are wanted."""
        self.run(sys.executable, "-m", "dayshift.web.wire")
        if ui:
            self.run(
                *(TYPES / "openapi-typescript", "../wire/openapi.json"),
                "--default-non-nullable=false",
                *("-o", "src/api/schema.d.ts"),
                cwd="ui",
            )
        self.run(sys.executable, "-m", "docs.generate")

    def state(self) -> Mapping[str, str]:
        """Every file with a digest of what is in it."""
        return {
            path.relative_to(self.folder).as_posix(): _digest(path)
            for path in self.folder.rglob("*")
            if path.is_file() and not {".venv", "node_modules", "__pycache__"} & set(path.parts)
        }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _python(told: recipes.Recipe) -> list[str]:
    """The Python files a recipe touches."""
    return [path for path in told.paths() if path.endswith(".py")]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.needs("node")] if recipes.recipe(name).ui else [])
        for name in recipes.names()
    ],
)
def test_a_recipe_works_and_costs_what_it_says(name: str, tmp_path: Path) -> None:
    """Played in a copy of the repository it passes lint and tests; its files are counted.

    Demanded by: the house, 3.5: the number is a promise.
    """
    told = recipes.recipe(name)
    tree = Tree(tmp_path)
    before = tree.state()
    recipes.apply(name, tree.folder)
    tree.make_docs(ui=told.ui)
    after = tree.state()
    changed = sorted(path for path in after if after[path] != before.get(path))
    assert changed == told.paths()
    for check in _checks(told):
        tree.run(*check)


def test_what_the_recipes_do_fits_the_types(tmp_path: Path) -> None:
    """All of them together, for the checker takes its time.

    Demanded by: the house, 3.5: forgotten places are type errors.
    """
    tree = Tree(tmp_path)
    for name in recipes.names():
        recipes.apply(name, tree.folder)
    python = sorted({path for name in recipes.names() for path in _python(recipes.recipe(name))})
    assert python
    tree.run(BIN / "basedpyright", "--pythonpath", sys.executable, *python)


@pytest.mark.needs("node")
def test_what_the_recipes_do_to_the_ui_fits_its_types(tmp_path: Path) -> None:
    """All of them together, for the compiler takes its time.

    Demanded by: the house, 3.5: forgotten places are type errors.
    """
    tree = Tree(tmp_path)
    with_ui = [name for name in recipes.names() if recipes.recipe(name).ui]
    assert with_ui
    for name in with_ui:
        recipes.apply(name, tree.folder)
    tree.make_docs(ui=True)
    tree.run(TYPES / "tsr", "generate", cwd="ui")
    tree.run(TYPES / "tsc", "--noEmit", cwd="ui")


def _checks(told: recipes.Recipe) -> list[list[str | Path]]:
    """What must succeed after a recipe was played."""
    python = _python(told)
    checks: list[list[str | Path]] = []
    if python:
        checks += [
            [BIN / "ruff", "format", "--check", *python],
            [BIN / "ruff", "check", *python],
        ]
    if told.check:
        checks.append([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *told.check])
    if told.resolve:
        checks.append([sys.executable, "-c", RESOLVE.format(ref=told.resolve)])
    return checks


def test_every_page_shows_its_recipe_as_it_is() -> None:
    """Sample files are included in the page, and regenerating changes no byte.

    Demanded by: the house, 3.4.
    """
    pages = recipes.pages()
    assert {path: path.read_text(encoding="utf-8") for path in pages} == pages, "run: make docs"
    shown = [name for text in pages.values() for name in re.findall(r"<!-- recipe: (.+) -->", text)]
    assert sorted(shown) == recipes.names()


def test_a_new_thing_begins_with_its_recipe_under_its_own_name(tmp_path: Path) -> None:
    """As many files as the recipe says, nothing left of the sample's name; twice is refused.

    Demanded by: the house, 3.1, the verbs new-….
    """
    assert sorted(new.RECIPES.values()) == recipes.names()
    tree = Tree(tmp_path)
    for kind, name in new.RECIPES.items():
        told = recipes.recipe(name)
        before = tree.state()
        written = new.start(kind, f"tide-{kind}", tree.folder)
        after = tree.state()
        changed = sorted(path for path in after if after[path] != before.get(path))
        assert changed == sorted(written)
        assert len(changed) == len({*told.paths()} - {*told.made})
        added = set(changed) - set(before)
        texts = [path + (tree.folder / path).read_text("utf-8") for path in sorted(added)]
        assert [text for text in texts if told.word in text.lower()] == []
    again = tree.state()
    with pytest.raises(ValueError, match="is there already"):
        new.start("tool", "tide-tool", tree.folder)
    with pytest.raises(ValueError, match="does not fit"):
        new.start("tool", "../tide", tree.folder)
    assert tree.state() == again


def test_a_decision_and_a_fragment_get_a_form_to_fill_in(tmp_path: Path) -> None:
    """The decision takes the next number; the fragment says its kind.

    Demanded by: the house, 3.1, the verbs new-adr and new-change.
    """
    (tmp_path / "docs" / "adr").mkdir(parents=True)
    (tmp_path / "docs" / "adr" / "0007-one-clock.md").write_text("# 7. One clock\n")
    (tmp_path / "changes").mkdir()
    assert new.start("adr", "boats have names", tmp_path) == ["docs/adr/0008-boats-have-names.md"]
    assert new.start("change", "boats.fixed", tmp_path) == ["changes/boats.fixed.md"]
    decision = (tmp_path / "docs" / "adr" / "0008-boats-have-names.md").read_text("utf-8")
    assert decision.startswith("# 8. Boats have names\n\n## Context\n")
