"""The document of the API, the samples, and `wire/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from dayshift.core.entries import Entry, Live, Recorded
from dayshift.core.snapshot import Snapshot
from dayshift.web import wire
from dayshift.web.document import REFUSALS, describe, operations
from dayshift.web.problems import STATUSES, Problem
from dayshift.web.samples.entries import ENTRIES, LIVE, SNAPSHOT
from tests.spec.doors import House, open_house

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

WIRE = Path(__file__).parents[2] / "wire"
REFS = "#/components/"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    """A house with its doors open."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as plain data."""
    return msgspec.json.decode(msgspec.json.encode(describe("0.0.test")))


def operations_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every operation of the document."""
    return [operation for path in document["paths"].values() for operation in path.values()]


def test_wire_is_what_the_code_would_write() -> None:
    """Regenerating changes no byte, and no file is there that is not written.

    Demanded by: PLAT-3.
    """
    there = {path.relative_to(WIRE).as_posix(): path.read_bytes() for path in WIRE.rglob("*.json")}
    made = wire.files()
    assert sorted(there) == sorted(made), "run: python -m dayshift.web.wire"
    changed = [name for name in made if made[name] != there[name]]
    assert changed == [], "run: python -m dayshift.web.wire"


def test_wire_is_written_and_what_is_old_goes(tmp_path: Path) -> None:
    """A kind that was renamed leaves no sample behind.

    Demanded by: PLAT-3.
    """
    (tmp_path / "entries").mkdir()
    (tmp_path / "entries" / "renamed.json").write_text("{}")
    wire.write(tmp_path)
    assert not (tmp_path / "entries" / "renamed.json").exists()
    assert (tmp_path / "openapi.json").is_file()


def test_there_is_one_sample_of_every_entry_in_order() -> None:
    """And one of every live frame; the entries go on from the snapshot without a gap.

    Demanded by: PLAT-3, invariant 11.
    """
    assert [type(recorded.entry) for recorded in ENTRIES] == list(get_args(Entry))
    assert [type(live) for live in LIVE] == list(get_args(Live))
    assert [recorded.seq for recorded in ENTRIES] == [
        SNAPSHOT.seq + n for n in range(1, len(ENTRIES) + 1)
    ]


def test_samples_are_read_back_as_what_they_are() -> None:
    """From the committed bytes.

    Demanded by: PLAT-3.
    """
    read = [
        msgspec.json.decode(path.read_bytes(), type=Recorded)
        for path in (WIRE / "entries").glob("*.json")
    ]
    assert sorted(read, key=lambda recorded: recorded.seq) == ENTRIES
    snapshot = msgspec.json.decode((WIRE / "snapshot.json").read_bytes(), type=Snapshot)
    assert snapshot == SNAPSHOT


def test_the_entries_move_the_snapshot_on_to_the_one_after() -> None:
    """The UI's own ``apply`` is held to the same two files.

    Demanded by: invariant 11.
    """
    after = msgspec.json.decode((WIRE / "snapshot-after.json").read_bytes(), type=Snapshot)
    assert wire.snapshot_after() == after
    assert after.seq == ENTRIES[-1].seq
    assert after != SNAPSHOT


def test_every_operation_is_named_after_its_function(document: dict[str, Any]) -> None:
    """Names are unique, so that clients made from the document read well.

    Demanded by: PLAT-3.
    """
    names = [operation["operationId"] for operation in operations_of(document)]
    assert sorted(names) == sorted(route.endpoint.__name__ for _, route in operations())
    assert len(set(names)) == len(names)


def test_every_operation_is_described_whole(document: dict[str, Any]) -> None:
    """Tag, sentence, permission, an example of what it takes and replies, and what it refuses.

    Demanded by: PLAT-3.
    """
    tags = {tag["name"] for tag in document["tags"]}
    lacking = [
        (operation["operationId"], part)
        for operation in operations_of(document)
        for part in _lacking(operation, tags)
    ]
    assert lacking == []


def _lacking(operation: dict[str, Any], tags: set[str]) -> list[str]:
    contents = [
        content
        for reply in [*operation["responses"].values(), operation.get("requestBody", {})]
        for kind, content in reply.get("content", {}).items()
        if kind == "application/json"
    ]
    found = {
        "tag": set(operation["tags"]) <= tags,
        "sentence": operation["description"].rstrip().endswith("."),
        "permission": "x-permission" in operation or not operation["security"],
        "refusals": {"422", "default"} <= set(operation["responses"]),
        "example": all("example" in content for content in contents),
    }
    return [name for name, is_there in found.items() if not is_there]


def test_every_reference_leads_somewhere_and_nothing_is_left_over(
    document: dict[str, Any],
) -> None:
    """Named schemas are used, and those that are used are named.

    Demanded by: PLAT-3.
    """
    components = document["components"]
    named = {
        f"{REFS}{group}/{name}" for group in ("schemas", "responses") for name in components[group]
    }
    used = set(_references(document))
    assert used - named == set()
    assert named - used == set()


def _references(value: Any) -> list[str]:  # noqa: ANN401  plain data
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        mapped = value.get("mapping", {})
        targets = [ref for ref in mapped.values() if isinstance(ref, str)]
        return own + targets + [ref for part in value.values() for ref in _references(part)]
    if isinstance(value, list):
        return [ref for part in value for ref in _references(part)]
    return []


def test_every_error_has_a_status_and_the_document_an_example_of_it(
    document: dict[str, Any],
) -> None:
    """There is one table.

    Demanded by: PLAT-3, the house 2.3.
    """
    examples = [
        msgspec.convert(content["example"], Problem)
        for refusal in document["components"]["responses"].values()
        for content in refusal["content"].values()
    ]
    assert {problem.status for problem in examples} == {*(set(REFUSALS) - {0}), 503}
    assert all(400 <= status.value < 600 for status in STATUSES.values())


async def test_the_document_is_served_without_signing_in(house: House) -> None:
    """Under the name that clients expect.

    Demanded by: the working office, 1.5.
    """
    async with house.client() as stranger:
        answer = await stranger.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["openapi"] == "3.1.0"
    assert answer.json()["info"]["version"] == "0.0.test"
