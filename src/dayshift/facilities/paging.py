"""Cursors of lists: how a page says where the next one begins."""

from dayshift.core.errors import InvalidError
from dayshift.store.rows import DIGITS_MAX


def cursor(before: str) -> int:
    """The number in a list's cursor; 0 for none.

    Raises:
        InvalidError: It is no cursor of such a list.
    """
    if not before:
        return 0
    if not before.isascii() or not before.isdecimal() or len(before) > DIGITS_MAX:
        raise InvalidError(
            f"{before!r} is no cursor of this list.", hint="Pass on what `next` said."
        )
    return int(before)
