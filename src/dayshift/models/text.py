"""Text and JSON that are always valid UTF-8, whatever half characters came in."""

import json
from typing import Any

import orjson


def sound(text: str) -> str:
    """The text with halves of a character joined, or replaced by U+FFFD where one is missing."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def dumps(value: Any) -> bytes:  # noqa: ANN401  JSON is any value
    """Compact JSON in valid UTF-8."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return orjson.dumps(_sound_deep(value))


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
    match value:
        case str():
            return sound(value)
        case dict():
            return {sound(str(key)): _sound_deep(item) for key, item in value.items()}
        case list() | tuple():
            return [_sound_deep(item) for item in value]
        case int() if not -(2**63) <= value < 2**64:
            return float(value)
        case _:
            return value
