"""Shared by the repositories: ids to numbers, views to JSON and back."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

T = TypeVar("T")
DIGITS_MAX = 15
_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[type[Any], msgspec.json.Decoder[Any]] = {}


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
    """A view as JSON text."""
    return _ENCODER.encode(value).decode()


def decode(body: str, type_: type[T]) -> T:
    """JSON text as a view."""
    decoder = _DECODERS.get(type_)
    if decoder is None:
        decoder = _DECODERS[type_] = msgspec.json.Decoder(type_, strict=False)
    return decoder.decode(body)


def bodies(rows: Sequence[Any], type_: type[T]) -> list[T]:
    """The views in the first column of some rows."""
    return [decode(row[0], type_) for row in rows]
