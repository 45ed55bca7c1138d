"""What we stand on may be given away together with what we made, under Apache-2.0."""

from __future__ import annotations

import json
import re
from importlib import metadata

import pytest

from tests.tidy.tree import read

PINNED = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
STRICT = re.compile(r"(?<!L)GPL|(?<!Lesser )General Public|SSPL|BUSL|Commons Clause|Proprietary")
LICENCE_FIELDS = ("License-Expression", "License", "Classifier")
# Offered under a second, compatible licence.
OFFERED_TWICE = {
    "forbiddenfruit": "MIT too; used by tests only",
    "text-unidecode": "the Artistic License too; used by tests only",
}


def _licence(package: str) -> str:
    """Every word a package says about its licence in its metadata."""
    try:
        told = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return "of another platform"
    fields = [text for key in LICENCE_FIELDS for text in told.get_all(key, [])]
    return "; ".join(text for text in fields if "::" not in text or text.startswith("License"))


def test_every_python_package_may_be_shipped() -> None:
    """No package in the lock asks for more than Apache-2.0 can give.

    Demanded by: the stack, "dependencies checked to be compatible".
    """
    told = {package: _licence(package) for package in PINNED.findall(read("requirements.lock"))}
    assert told
    assert {name for name, text in told.items() if STRICT.search(text)} == set(OFFERED_TWICE)
    assert [name for name, text in told.items() if not text.strip("; ")] == []


def test_every_npm_package_may_be_shipped() -> None:
    """The same for what the UI is built from.

    Demanded by: the stack, "dependencies checked to be compatible".
    """
    packages = json.loads(read("ui/package-lock.json"))["packages"]
    told = {name: str(entry.get("license", "")) for name, entry in packages.items()}
    assert [name for name, text in told.items() if not text or STRICT.search(text)] == []


@pytest.mark.parametrize("text", ["GPL-3.0-only", "GNU General Public License v2", "AGPL-3.0"])
def test_a_strict_licence_is_seen(text: str) -> None:
    """A check that sees nothing passes always.

    Demanded by: the house.
    """
    assert STRICT.search(text)
