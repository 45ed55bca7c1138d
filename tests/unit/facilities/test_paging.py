"""Cursors of lists, by table."""

from __future__ import annotations

import pytest

from dayshift.core.errors import InvalidError
from dayshift.facilities.paging import cursor


@pytest.mark.parametrize(("before", "number"), [("", 0), ("0", 0), ("7", 7), ("0012", 12)])
def test_a_cursor_is_a_number(before: str, number: int) -> None:
    """None is the beginning.

    Demanded by: PLAT-3.
    """
    assert cursor(before) == number


@pytest.mark.parametrize("before", ["x", "-1", "1.5", " 1", "1 ", "٣", "²", "9" * 40, "1e3", "0x1"])
def test_what_is_no_cursor_is_refused(before: str) -> None:
    """Also what Python would take for a number, and what no database could hold.

    Demanded by: PLAT-3; the working office, bad input.
    """
    with pytest.raises(InvalidError, match="no cursor of this list") as told:
        cursor(before)
    assert told.value.hint == "Pass on what `next` said."
