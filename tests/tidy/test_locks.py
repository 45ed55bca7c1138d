"""What the locks promise: exact versions, and no word about where they came from."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.tidy.tree import files, pyproject, read

# Put together here, so that this file does not name them either.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("npmmirror", "com"),
        ("deb", "debian", "org"),
    )
)
# A setting that would send an install elsewhere.
INDEX_SETTINGS = re.compile(
    r"--(extra-)?index-url|--find-links|^\s*registry\s*=|^\s*index-url\s*=", re.MULTILINE
)
LOCKS = ("requirements.lock", "ui/package-lock.json")
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)", re.MULTILINE)


def test_the_python_lock_holds_no_address() -> None:
    """A lock works behind any index, so it names none.

    Demanded by: the house.
    """
    assert "://" not in read("requirements.lock")


def test_the_npm_lock_holds_no_address() -> None:
    """The same for npm; where a package asks for money is no address it is fetched from.

    Demanded by: the house.
    """
    packages: dict[str, dict[str, Any]] = json.loads(read("ui/package-lock.json"))["packages"]
    told = {
        name: sorted(key for key, value in entry.items() if "://" in json.dumps(value))
        for name, entry in packages.items()
    }
    assert {name: keys for name, keys in told.items() if set(keys) - {"funding"}} == {}
    assert "resolved" not in {key for entry in packages.values() for key in entry}


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
def test_no_committed_file_names_a_registry(host: str) -> None:
    """Where packages come from is the business of the machine.

    Demanded by: the house.
    """
    assert [name for name in files() if host in read(name)] == []


def test_no_committed_file_sends_an_install_elsewhere() -> None:
    """No index or registry setting is committed.

    Demanded by: the house.
    """
    here = "tests/tidy/test_locks.py"
    assert [name for name in files() if name != here and INDEX_SETTINGS.search(read(name))] == []


def test_the_python_lock_holds_what_pyproject_asks_for() -> None:
    """Every dependency is in the lock, in a version that fits.

    Demanded by: the house.
    """
    lock = {
        canonicalize_name(match["name"]): match["version"]
        for match in PINNED.finditer(read("requirements.lock"))
    }
    project = pyproject()["project"]
    groups = [
        *project["optional-dependencies"].values(),
        *pyproject()["dependency-groups"].values(),
    ]
    asked = [Requirement(text) for group in (project["dependencies"], *groups) for text in group]
    stale = [
        str(want)
        for want in asked
        if not want.specifier.contains(
            lock.get(canonicalize_name(want.name), "0"), prereleases=True
        )
    ]
    assert stale == [], "run: make lock"


def test_the_npm_lock_holds_what_package_json_asks_for() -> None:
    """The lock was made from this manifest.

    Demanded by: the house.
    """
    manifest = json.loads(read("ui/package.json"))
    root = json.loads(read("ui/package-lock.json"))["packages"][""]
    for kind in ("dependencies", "devDependencies"):
        assert root[kind] == manifest[kind], "run: make lock"


def test_ui_packages_are_pinned_exactly() -> None:
    """No ranges, and every Mantine package in one version, as their peers demand.

    Demanded by: the house.
    """
    manifest = json.loads(read("ui/package.json"))
    versions: dict[str, str] = {**manifest["dependencies"], **manifest["devDependencies"]}
    loose = {name: version for name, version in versions.items() if not version[:1].isdigit()}
    assert loose == {}
    mantine = {version for name, version in versions.items() if name.startswith("@mantine/")}
    assert len(mantine) == 1
