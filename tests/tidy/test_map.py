"""The map is the territory: rooms, floors, ARCHITECTURE.md, and every path that prose names."""

from __future__ import annotations

import re

import pytest

from dayshift.models import VENDORS
from tests.tidy.tree import ROOT, files, floors, pyproject, read, rooms

MAP = "ARCHITECTURE.md"
MAP_LINES_MAX = 250
ROOM_ROW = re.compile(r"^\|\s*`(?P<room>[a-z]+)/`", re.MULTILINE)
# A path in backticks: it has a slash, and no blank, placeholder or wildcard.
NAMED_PATH = re.compile(r"`(?P<path>[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*/?)`")
TOP_FOLDERS = ("src/", "ui/", "wire/", "docs/", "tests/", "changes/", ".ci/", ".githooks/")
# Made, not committed.
MADE = ("ui/node_modules", "src/dayshift/_ui", ".venv")
PROSE = sorted(
    name for name in files() if name.endswith(".md") and not name.startswith(("changes/", "src/"))
)


def test_every_room_has_a_floor_and_every_floor_a_room() -> None:
    """The layers contract and the folders of src/dayshift agree.

    Demanded by: the house.
    """
    assert sorted(floors()) == sorted(rooms()), "give the room a floor in pyproject.toml"


def test_the_map_lists_every_room_once() -> None:
    """A room that is not on the map is not found.

    Demanded by: the house.
    """
    assert sorted(ROOM_ROW.findall(read(MAP))) == sorted(rooms())


def test_the_map_follows_the_data() -> None:
    """The map begins with the nouns and ends with what starts and tests the rest.

    Demanded by: the house.
    """
    order = ROOM_ROW.findall(read(MAP))
    assert order[:1] == ["core"]
    assert order[-2:] == ["app", "testing"]


def test_the_map_is_short_enough_to_be_read() -> None:
    """A map longer than 250 lines is a territory.

    Demanded by: the house.
    """
    assert read(MAP).count("\n") <= MAP_LINES_MAX


@pytest.mark.parametrize("name", PROSE)
def test_every_path_named_in_prose_exists(name: str) -> None:
    """A path that leads nowhere sends the reader astray.

    Demanded by: the house.
    """
    named = {match["path"] for match in NAMED_PATH.finditer(read(name))}
    paths = {path for path in named if path.startswith(TOP_FOLDERS)}
    lost = [path for path in paths if not (path.startswith(MADE) or (ROOT / path).exists())]
    assert sorted(lost) == []


def test_every_vendor_is_in_the_contract_that_keeps_vendors_apart() -> None:
    """Each member of `VENDORS` is named by "Vendors do not know each other".

    Demanded by: the house.
    """
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    named = next(contract["modules"] for contract in contracts if contract["id"] == "vendors")
    assert sorted(named) == [f"dayshift.models.{vendor}" for vendor in sorted(VENDORS)]
