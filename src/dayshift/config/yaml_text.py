"""YAML text to plain values, with a place for each of them.

YAML is read as a configuration file is meant: one document, text keys, no tags, numbers and
booleans as YAML 1.2 says (``off`` and ``08:00`` are text). Anchors, aliases and merge keys work;
what aliases can blow up to is bounded while the text is read, before anything is built.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

from dayshift.config.place import Path, Place, Places
from dayshift.core.errors import ConfigError

FILE_BYTES_MAX = 1_048_576
VALUES_MAX = 200_000
"""Values in a file, each alias counted with all it stands for."""
DEPTH_MAX = 32

Plain = str | int | float | bool | None | tuple["Plain", ...] | dict[str, "Plain"]

_INT = re.compile(r"[-+]?[0-9]{1,18}")
_BASE = re.compile(r"0o[0-7]{1,20}|0x[0-9a-fA-F]{1,16}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]{1,30}|[0-9]{1,30}(\.[0-9]{0,30})?)([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, str | float | bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_TAGS = "tag:yaml.org,2002:"
_TEXT_TAGS = ("!", f"{_TAGS}str")


class _Mark(Protocol):
    line: int
    column: int


class _Event(Protocol):
    """What the parser tells, as far as it is used here."""

    start_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None


@dataclass(slots=True)
class _Node:
    """A value being read. ``weight`` counts it and all below it, ``depth`` the levels below it."""

    place: Place
    kind: str
    text: str = ""
    is_plain: bool = False
    items: list["_Node"] = field(default_factory=list["_Node"])
    pairs: dict[str, "_Pair"] = field(default_factory=dict[str, "_Pair"])
    key: "_Node | None" = None
    weight: int = 1
    depth: int = 0
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class _Pair:
    place: Place
    node: _Node
    merged: bool = False


@dataclass(frozen=True)
class YamlText:
    """What a file says, and where."""

    value: Plain
    places: Places


def read_yaml(data: bytes, file: str) -> YamlText:
    """Read one YAML document.

    Args:
        data: The whole file, at most ``FILE_BYTES_MAX`` bytes of UTF-8.
        file: The name used in errors.

    Raises:
        ConfigError: The first thing that stops reading, with its place.
    """
    places = Places(file)
    reader = _Reader(places)
    text = _decode(data, places)
    root = reader.read(_events(text, places))
    if root is None:
        raise places.error_at(Place(1, 1), "The file is empty.", hint="It must hold one mapping.")
    values: dict[Path, Place] = {}
    keys: dict[Path, Place] = {}
    plain = _plain(root, (), values, keys)
    return YamlText(plain, Places(file, values, keys))


def _decode(data: bytes, places: Places) -> str:
    if len(data) > FILE_BYTES_MAX:
        raise places.error_at(
            Place(), f"The file has {len(data)} bytes; at most {FILE_BYTES_MAX} are read."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise places.error_at(
            place,
            f"Byte 0x{data[error.start]:02x} is not UTF-8 text.",
            hint="Save the file as UTF-8.",
        ) from error


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
    """Builds nodes from events, without recursion, within the bounds."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._anchors: dict[str, _Node] = {}
        self._stack: list[_Node] = []
        self._root: _Node | None = None
        self._documents = 0

    def read(self, events: Iterator[_Event]) -> _Node | None:
        """The root, or ``None`` when there is nothing."""
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                self._start_document(event)
            elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
                self._open(event, kind)
            elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
                self._close()
            elif kind == "ScalarEvent":
                self._put(self._scalar(event), _place(event))
            elif kind == "AliasEvent":
                self._put(self._alias(event), _place(event))
        root = self._root
        is_blank = root is not None and root.kind == "scalar" and _value(root) is None
        return None if is_blank else root

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
        node = _Node(_place(event), "mapping" if kind == "MappingStartEvent" else "sequence")
        if len(self._stack) >= DEPTH_MAX:
            raise self._too_deep(node.place)
        self._stack.append(node)
        self._name(event, node)

    def _close(self) -> None:
        node = self._stack.pop()
        node.is_open = False
        self._put(node, node.place)

    def _scalar(self, event: _Event) -> _Node:
        if event.tag not in {None, *_TEXT_TAGS}:
            self._refuse_tag(event)
        is_plain = event.style is None and event.tag is None
        node = _Node(_place(event), "scalar", text=event.value, is_plain=is_plain, is_open=False)
        self._name(event, node)
        return node

    def _alias(self, event: _Event) -> _Node:
        place = _place(event)
        target = self._anchors.get(event.anchor or "")
        if target is None:
            raise self._places.error_at(
                place, f"The alias *{event.anchor} has no anchor &{event.anchor} before it."
            )
        if target.is_open:
            raise self._places.error_at(place, f"The alias *{event.anchor} stands inside itself.")
        return target

    def _put(self, node: _Node, place: Place) -> None:
        """Hand a finished value, standing at a place, to what is around it."""
        if not self._stack:
            self._root = node
            return
        parent = self._stack[-1]
        if parent.kind == "mapping" and parent.key is None:
            self._start_pair(parent, node)
            return
        parent.weight += node.weight
        parent.depth = max(parent.depth, node.depth + 1)
        if parent.weight > VALUES_MAX:
            raise self._places.error_at(
                place, f"The file stands for more than {VALUES_MAX} values, aliases counted."
            )
        if len(self._stack) + node.depth > DEPTH_MAX:
            raise self._too_deep(place)
        if parent.kind == "sequence":
            parent.items.append(node)
        else:
            self._end_pair(parent, node)

    def _start_pair(self, parent: _Node, key: _Node) -> None:
        if key.kind != "scalar":
            raise self._places.error_at(key.place, "A key must be text, not a list or a mapping.")
        parent.key = key

    def _end_pair(self, parent: _Node, node: _Node) -> None:
        key = cast("_Node", parent.key)
        parent.key = None
        name = key.text
        if name == "<<" and key.is_plain:
            self._merge(parent, node)
            return
        known = parent.pairs.get(name)
        if known is not None and not known.merged:
            raise self._places.error_at(
                key.place,
                f"The key '{name}' is given twice; it stands in line {known.place.line} already.",
            )
        parent.pairs[name] = _Pair(key.place, node)

    def _merge(self, parent: _Node, node: _Node) -> None:
        sources = node.items if node.kind == "sequence" else [node]
        for source in sources:
            if source.kind != "mapping":
                raise self._places.error_at(
                    node.place, "After '<<' comes a mapping, or a list of mappings."
                )
            for name, pair in source.pairs.items():
                parent.pairs.setdefault(name, _Pair(pair.place, pair.node, merged=True))

    def _name(self, event: _Event, node: _Node) -> None:
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


def resolve(text: str) -> str | int | float | bool | None:
    """What a plain scalar means by the core schema of YAML 1.2; text when nothing else."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _BASE.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _place(event: _Event) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


def _value(node: _Node) -> str | int | float | bool | None:
    return resolve(node.text) if node.is_plain else node.text


def _plain(node: _Node, path: Path, values: dict[Path, Place], keys: dict[Path, Place]) -> Plain:
    """A node's plain value; its depth and size were bounded while it was read."""
    values[path] = node.place
    if node.kind == "sequence":
        return tuple(_plain(item, (*path, at), values, keys) for at, item in enumerate(node.items))
    if node.kind == "mapping":
        result: dict[str, Plain] = {}
        for name, pair in node.pairs.items():
            keys[(*path, name)] = pair.place
            result[name] = _plain(pair.node, (*path, name), values, keys)
        return result
    return _value(node)


def as_mapping(text: YamlText) -> Mapping[str, Plain]:
    """The top of the file as a mapping.

    Raises:
        ConfigError: It is a list or a single value.
    """
    if not isinstance(text.value, dict):
        raise text.places.error((), "The file must hold a mapping, 'key: value' on each line.")
    return text.value
