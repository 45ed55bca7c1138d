"""What is stored of a view is enough to tell all of it again."""

from pathlib import Path

import msgspec
import pytest

from dayshift.core.entries import Recorded
from dayshift.core.views import EventView
from dayshift.store.rows import decode, encode, told_of
from dayshift.web.samples import views as v

SAMPLES = sorted((Path(__file__).parents[3] / "wire" / "entries").glob("*.json"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_an_entry_is_told_from_the_disk_as_it_was_told_at_first(sample: Path) -> None:
    """Byte for byte: who was away hears the same as who was there.

    Demanded by: invariants 11 and 14.
    """
    entry = msgspec.json.decode(sample.read_bytes(), type=Recorded).entry
    assert told_of(encode(entry)) == msgspec.json.encode(entry).decode()


def test_what_is_empty_takes_no_room_and_comes_back_empty() -> None:
    """A commit writes whole pages, and most members are empty most of the time.

    Demanded by: PLAT-7, figure P7.
    """
    call = msgspec.structs.replace(v.CALL, result="", ended_at=None, artifacts=[])
    stored = encode(call)
    assert '""' not in stored
    assert "null" not in stored
    assert decode(stored, type(call)) == call


def test_what_others_put_into_a_payload_is_kept_as_it_is() -> None:
    """Only members of views are left out.

    Demanded by: PLAT-7, figure P7.
    """
    payload = {"text": "", "count": 0, "none": None, "list": [], "code": {"result": ""}}
    event = msgspec.structs.replace(v.EVENT, payload=payload)
    assert decode(encode(event), EventView) == event


def test_a_row_that_says_what_is_empty_is_read_too() -> None:
    """Databases of before wrote every member.

    Demanded by: invariant 14.
    """
    told = msgspec.json.encode(v.CALL).decode()
    assert decode(told, type(v.CALL)) == v.CALL
