"""YAML text to plain values, with a place for each of them.

YAML is read as a configuration file is meant: one document, text keys, no tags, numbers and
booleans as YAML 1.2 says (``off`` and ``08:00`` are text). Anchors, aliases and merge keys work.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dayshift.config.place import Path, Place, Places
from dayshift.config.yaml_nodes import Node, Slot, compose

FILE_BYTES_MAX = 1_048_576

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
    root = compose(decode(data, file), file)
    if root is None or _is_nothing(root.node):
        raise places.error_at(Place(1, 1), "The file is empty.", hint="It must hold one mapping.")
    values: dict[Path, Place] = {}
    keys: dict[Path, Place] = {}
    plain = _plain(root, (), values, keys)
    return YamlText(plain, Places(file, values, keys))


def decode(data: bytes, file: str) -> str:
    """The text of a file, without its byte order mark.

    Raises:
        ConfigError: It is too long, or not UTF-8.
    """
    places = Places(file)
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


def value_of(node: Node) -> Plain:
    """A node's plain value; its depth and size were bounded while it was read."""
    return _plain(Slot(node, node.place, node.start, node.end), (), {}, {})


def _is_nothing(node: Node) -> bool:
    return node.is_plain and resolve(node.text) is None


def _plain(slot: Slot, path: Path, values: dict[Path, Place], keys: dict[Path, Place]) -> Plain:
    node = slot.node
    values[path] = node.place
    if node.kind == "sequence":
        return tuple(_plain(item, (*path, at), values, keys) for at, item in enumerate(node.items))
    if node.kind == "mapping":
        result: dict[str, Plain] = {}
        for name, pair in node.pairs.items():
            keys[(*path, name)] = pair.key.place
            result[name] = _plain(pair.value, (*path, name), values, keys)
        return result
    return resolve(node.text) if node.is_plain else node.text


def as_mapping(text: YamlText) -> Mapping[str, Plain]:
    """The top of the file as a mapping.

    Raises:
        ConfigError: It is a list or a single value.
    """
    if not isinstance(text.value, dict):
        raise text.places.error((), "The file must hold a mapping, 'key: value' on each line.")
    return text.value
