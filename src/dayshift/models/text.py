"""Text and JSON that are always valid UTF-8, whatever half characters came in."""

import json
from typing import Any, TypeGuard

import orjson


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a JSON list; nothing where there is no list."""
    return [item for item in value if is_object(item)] if is_list(value) else []


def fields(value: object) -> dict[str, Any]:
    """The fields of a JSON object; none where there is no object."""
    return value if is_object(value) else {}


def count(values: dict[str, Any], *names: str) -> int:
    """The first of the fields that holds a number above 0, else 0."""
    for name in names:
        value = values.get(name)
        if type(value) is int and value > 0:
            return value
    return 0


def sound(text: str) -> str:
    """The text with halves of a character joined, or replaced by U+FFFD where one is missing."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def dumps(value: Any) -> bytes:  # noqa: ANN401  JSON is any value
    """Compact JSON in valid UTF-8, in memory of its own length.

    It is copied, since orjson's bytes keep the whole buffer they were written in: 4 KB for a short
    message, of which dialogues are full.
    """
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:
        written = orjson.dumps(_sound_deep(value))
    return bytes(memoryview(written))


def loads(data: bytes) -> Any:  # noqa: ANN401  JSON is any value
    """Parse JSON, forgiving half characters, whether escaped or raw.

    Raises:
        ValueError: It is not JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data.decode("utf-8", "replace"))


def _sound_deep(value: Any) -> Any:  # noqa: ANN401  JSON is any value
    if isinstance(value, str):
        return sound(value)
    if is_object(value):
        return {sound(str(key)): _sound_deep(item) for key, item in value.items()}
    if is_list(value):
        return [_sound_deep(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return float(value)
    return value
