"""YAML text to nodes: what stands where, to the character, within bounds.

The parser's events are put together without recursion, and what aliases can blow up to is bounded
while the text is read, before anything is built. A node knows its span, so that an edit can replace
it and leave every other character alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

from dayshift.config.place import Place, Places
from dayshift.core.errors import ConfigError

VALUES_MAX = 200_000
"""Values in a file, each alias counted with all it stands for."""
DEPTH_MAX = 32

_COLON = re.compile(r"[^\S\n]*:")
_TAGS = "tag:yaml.org,2002:"
_TEXT_TAGS = ("!", f"{_TAGS}str")


class _Mark(Protocol):
    line: int
    column: int
    index: int


class _Event(Protocol):
    """What the parser tells, as far as it is used here."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None
    flow_style: bool


@dataclass(slots=True)
class Node:
    """A value.

    Attributes:
        place: Where it begins, for people.
        start: Offset of its first character.
        end: Offset after its last; of what stands in lines of its own, after the last thing in it.
        style: ``"'"``, ``'"'``, ``"|"``, ``">"`` or nothing for a plain scalar, ``"{"`` for a
            collection in brackets.
        weight: How many values it stands for.
        depth: How many levels are below it.
    """

    kind: Literal["scalar", "sequence", "mapping"]
    place: Place
    start: int
    end: int = 0
    style: str = ""
    text: str = ""
    is_plain: bool = False
    items: list["Slot"] = field(default_factory=lambda: _NO_ITEMS)
    pairs: dict[str, "Pair"] = field(default_factory=lambda: _NO_PAIRS)
    weight: int = 1
    depth: int = 0
    is_open: bool = True
    key: "Slot | None" = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that holds a value: the value itself, or an alias that stands for it."""

    node: Node
    place: Place
    start: int
    end: int
    is_alias: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value; ``is_merged`` when it came in by a merge key."""

    key: Slot
    value: Slot
    is_merged: bool = False


# What has none shares these, which nothing is ever put into: most nodes are scalars.
_NO_ITEMS: list[Slot] = []
_NO_PAIRS: dict[str, Pair] = {}


def compose(text: str, file: str) -> Slot | None:
    """The root of the one document in a text, ``None`` when there is none.

    Raises:
        ConfigError: The first thing that stops reading, with its place.
    """
    places = Places(file)
    return _Reader(text, places).read(_events(text, places))


def _events(text: str, places: Places) -> Iterator[_Event]:
    """The parser's events; its complaints become ours."""
    try:
        parser = cast("Any", YAML(typ="safe", pure=True))
        yield from cast("Iterator[_Event]", parser.parse(text))
    except MarkedYAMLError as error:
        raise _syntax_error(error, text, places) from error
    except ReaderError as error:
        at = cast("int", error.position)
        place = Place(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        character = ord(text[at]) if at < len(text) else 0
        raise places.error_at(
            place, f"The character U+{character:04X} is not allowed in YAML."
        ) from error


def _syntax_error(error: MarkedYAMLError, text: str, places: Places) -> ConfigError:
    mark = cast("_Mark | None", error.problem_mark or error.context_mark)
    place = Place(mark.line + 1, mark.column + 1) if mark else Place()
    problem = str(cast("Any", error.problem) or "it cannot be read")
    lines = text.splitlines()
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    if line[place.column - 1 : place.column] == "\t":
        message, hint = "A tab stands where YAML needs spaces.", "Indent with two spaces."
    else:
        message = f"This is not YAML: {problem}."
        hint = "A text with ': ' or ' #' in it needs quotes." if "mapping values" in problem else ""
    return places.error_at(place, message, hint=hint)


class _Reader:
    """Builds nodes from events."""

    def __init__(self, text: str, places: Places) -> None:
        self._text = text
        self._places = places
        self._anchors: dict[str, Node] = {}
        self._stack: list[Node] = []
        self._root: Slot | None = None
        self._documents = 0

    def read(self, events: Iterator[_Event]) -> Slot | None:
        """The root, or ``None`` when there is nothing."""
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                self._start_document(event)
            elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
                self._open(event, kind)
            elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
                self._close(event)
            elif kind == "ScalarEvent":
                self._put(_slot(self._scalar(event)))
            elif kind == "AliasEvent":
                self._put(self._alias(event))
        return self._root

    def _start_document(self, event: _Event) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self._places.error_at(
                _place(event),
                "A second document starts here; the file must hold one.",
                hint="Remove the line '---'.",
            )

    def _open(self, event: _Event, kind: str) -> None:
        self._refuse_tag(event)
        node = Node(
            "mapping" if kind == "MappingStartEvent" else "sequence",
            _place(event),
            event.start_mark.index,
            style="{" if event.flow_style else "",
            items=[],
            pairs={},
        )
        if len(self._stack) >= DEPTH_MAX:
            raise self._too_deep(node.place)
        self._stack.append(node)
        self._name(event, node)

    def _close(self, event: _Event) -> None:
        node = self._stack.pop()
        node.is_open = False
        if node.style:
            node.end = event.end_mark.index
        self._put(_slot(node))

    def _scalar(self, event: _Event) -> Node:
        if event.tag not in {None, *_TEXT_TAGS}:
            self._refuse_tag(event)
        start, end = event.start_mark.index, event.end_mark.index
        if event.style in {"|", ">"}:
            end = start + len(self._text[start:end].rstrip())
        key = self._stack[-1].key if self._stack else None
        if start == end and key is not None:
            # What is not there is told of wherever the parser noticed; it belongs to its key.
            colon = _COLON.match(self._text, key.end)
            start = end = colon.end() if colon else start
        node = Node(
            "scalar",
            _place(event),
            start,
            end,
            style=event.style or "",
            text=event.value,
            is_plain=event.style is None and event.tag is None,
            is_open=False,
        )
        self._name(event, node)
        return node

    def _alias(self, event: _Event) -> Slot:
        place = _place(event)
        target = self._anchors.get(event.anchor or "")
        if target is None:
            raise self._places.error_at(
                place, f"The alias *{event.anchor} has no anchor &{event.anchor} before it."
            )
        if target.is_open:
            raise self._places.error_at(place, f"The alias *{event.anchor} stands inside itself.")
        return Slot(target, place, event.start_mark.index, event.end_mark.index, is_alias=True)

    def _put(self, slot: Slot) -> None:
        """Hand a finished value to what is around it."""
        if not self._stack:
            self._root = slot
            return
        parent = self._stack[-1]
        if parent.kind == "mapping" and parent.key is None:
            self._start_pair(parent, slot)
            return
        parent.weight += slot.node.weight
        parent.depth = max(parent.depth, slot.node.depth + 1)
        if parent.weight > VALUES_MAX:
            raise self._places.error_at(
                slot.place, f"The file stands for more than {VALUES_MAX} values, aliases counted."
            )
        if len(self._stack) + slot.node.depth > DEPTH_MAX:
            raise self._too_deep(slot.place)
        parent.end = max(parent.end, slot.end)
        if parent.kind == "sequence":
            parent.items.append(slot)
        else:
            self._end_pair(parent, slot)

    def _start_pair(self, parent: Node, key: Slot) -> None:
        if key.node.kind != "scalar":
            raise self._places.error_at(key.place, "A key must be text, not a list or a mapping.")
        parent.key = key

    def _end_pair(self, parent: Node, slot: Slot) -> None:
        key = cast("Slot", parent.key)  # _put calls this only when a key waits
        parent.key = None
        name = key.node.text
        if name == "<<" and key.node.is_plain:
            self._merge(parent, slot)
            return
        known = parent.pairs.get(name)
        if known is not None and not known.is_merged:
            raise self._places.error_at(
                key.place,
                f"The key '{name}' is given twice; it stands in line {known.key.place.line} "
                "already.",
            )
        parent.pairs[name] = Pair(key, slot)

    def _merge(self, parent: Node, slot: Slot) -> None:
        sources = slot.node.items if slot.node.kind == "sequence" else [slot]
        for source in sources:
            if source.node.kind != "mapping":
                raise self._places.error_at(
                    slot.place, "After '<<' comes a mapping, or a list of mappings."
                )
            for name, pair in source.node.pairs.items():
                parent.pairs.setdefault(name, Pair(pair.key, pair.value, is_merged=True))

    def _name(self, event: _Event, node: Node) -> None:
        if event.anchor is not None:
            self._anchors[event.anchor] = node

    def _refuse_tag(self, event: _Event) -> None:
        if event.tag is not None and not event.tag.startswith(_TAGS):
            raise self._places.error_at(
                _place(event), f"The tag {event.tag} means nothing here.", hint="Remove it."
            )
        if event.tag is not None and type(event).__name__ == "ScalarEvent":
            raise self._places.error_at(
                _place(event),
                f"The tag !!{event.tag.removeprefix(_TAGS)} is not used here.",
                hint="Write the value as it is, or in quotes when it is text.",
            )

    def _too_deep(self, place: Place) -> ConfigError:
        return self._places.error_at(place, f"Values are nested deeper than {DEPTH_MAX} levels.")


def _slot(node: Node) -> Slot:
    return Slot(node, node.place, node.start, node.end)


def _place(event: _Event) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)
