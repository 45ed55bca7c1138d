"""Puts the calls of an answer in the OpenAI dialect together from their pieces."""

from collections.abc import Sequence
from typing import Any

from dayshift.core.model import CallPart, Fragment
from dayshift.models.ids import free_id
from dayshift.models.text import dumps, fields, sound

_KNOWN = frozenset({"index", "id", "type", "function"})


class _Call:
    __slots__ = ("arguments", "extra", "id", "name")

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []
        self.extra: dict[str, Any] = {}


class CallCollector:
    """The calls so far.

    Providers agree on little: an index may be missing, an id may come with each piece or never, a
    call may come whole.

    Attributes:
        named: Real names of the calls, as they began.
    """

    def __init__(self, names_back: dict[str, str]) -> None:
        """``names_back`` maps sent names to real ones, where they differ."""
        self.named: list[str] = []
        self._names_back = names_back
        self._calls: dict[int, _Call] = {}

    def add(self, piece: dict[str, Any], number: int) -> None:
        """Take one piece; ``number`` is its place in the event."""
        function = fields(piece.get("function"))
        name: str = function.get("name") or ""
        call_id: str = piece.get("id") or ""
        given: Any = piece.get("index")
        index = given if type(given) is int else self._place(call_id, number, named=bool(name))
        call = self._calls.get(index)
        if call is not None and name and call_id and call.id and call_id != call.id:
            index = max(self._calls) + 1
            call = None
        if call is None:
            call = self._calls[index] = _Call()
        if call_id:
            call.id = call_id
        if name and name != call.name:
            # Whole or in pieces; some repeat it with each piece.
            call.name += name
            self.named.append(self._names_back.get(name, name))
        arguments: Any = function.get("arguments")
        if arguments:
            is_text = isinstance(arguments, str)
            call.arguments.append(arguments if is_text else dumps(arguments).decode())
        if not _KNOWN.issuperset(piece):
            unknown = {k: v for k, v in piece.items() if k not in _KNOWN and v is not None}
            call.extra.update(unknown)

    def parts(self, history: Sequence[Fragment]) -> list[CallPart]:
        """The calls in order, each with an id that the dialogue does not have yet."""
        parts: list[CallPart] = []
        for index, call in sorted(self._calls.items()):
            call_id = free_id(call.id, index, [part.id for part in parts], history)
            name = self._names_back.get(call.name, call.name)
            parts.append(CallPart(call_id, name, sound("".join(call.arguments))))
        return parts

    def extras(self, parts: list[CallPart]) -> dict[str, Any]:
        """Unknown fields of the calls, by the ids of their parts."""
        calls = [call for _, call in sorted(self._calls.items())]
        return {part.id: call.extra for part, call in zip(parts, calls, strict=True) if call.extra}

    def _place(self, call_id: str, number: int, *, named: bool) -> int:
        """Where a piece without an index belongs: to its id's call, a new one, or the last."""
        if call_id:
            for index, call in self._calls.items():
                if call.id == call_id:
                    return index
        if call_id or named:
            return max(self._calls, default=-1) + 1
        return max(self._calls, default=number)
