"""Shared by the repositories: ids to numbers, views to JSON and back."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from dayshift.core.entries import Entry
from dayshift.store.short import form_of, lengthen, shorten

T = TypeVar("T")
DIGITS_MAX = 15
_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[type[Any], tuple[msgspec.json.Decoder[Any], bool]] = {}


class Rows(Protocol):
    """Anything that can be asked: a unit of work or a reading."""

    def rows(self, statement: Any, parameters: Any = None) -> Sequence[Any]:  # noqa: ANN401  any statement of SQLAlchemy
        """Run a query and return its rows."""
        ...


def number(id_: str) -> int:
    """The counter in an id: 17 for ``R-17``; 0 when there is none, which no row has.

    It does not look at the letter: who looks something up by it checks the id of what was found.
    """
    tail = id_.rpartition("-")[2]
    return int(tail) if tail.isdecimal() and len(tail) <= DIGITS_MAX else 0


def encode(value: Any) -> str:  # noqa: ANN401  any view
    """A view as JSON text, in its short form."""
    return _ENCODER.encode(shorten(value)).decode()


def decode(body: str, type_: type[T]) -> T:
    """JSON text as a view."""
    decoder, is_short = _DECODERS.get(type_) or _decoder(type_)
    found = decoder.decode(body)
    return lengthen(found, type_) if is_short else found


def _decoder(type_: type[Any]) -> tuple[msgspec.json.Decoder[Any], bool]:
    form = form_of(type_)
    made = _DECODERS[type_] = msgspec.json.Decoder(form, strict=False), form != type_
    return made


def told_of(body: str) -> str:
    """An entry's JSON as it is told, from its JSON as it is stored."""
    kind: type[Any] = Entry  # pyright: ignore[reportAssignmentType]  a union is a type to msgspec
    return _ENCODER.encode(decode(body, kind)).decode()


def bodies(rows: Sequence[Any], type_: type[T]) -> list[T]:
    """The views in the first column of some rows."""
    return [decode(row[0], type_) for row in rows]
