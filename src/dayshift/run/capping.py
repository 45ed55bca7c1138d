"""Tool results for the model: capped the same way for every tool, with the way to the full text.

Head and tail are kept, the size is told, and the full text lies in a file of the agent's workspace.
Long JSON is thinned out first (long lists and texts shortened), since its structure says more than
its head.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import orjson

from dayshift.core.limits import RESULT_CHARS_MAX
from dayshift.core.model import ImagePart

HEAD_SHARE = 0.7
LIST_ITEMS_MAX = 20
STRING_CHARS_MAX = 500
IMAGES_MAX = 8
IMAGE_CHARS_MAX = 6_000_000
"""Base64 characters of one image; providers refuse larger ones."""


class Capped(msgspec.Struct, frozen=True):
    """A result as the model reads it. ``full`` is the whole text if it was shortened, or empty."""

    text: str
    full: str


def clean(text: str) -> str:
    """Valid Unicode without NUL: half characters become U+FFFD."""
    if text.isascii():
        return text.replace("\x00", "�") if "\x00" in text else text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "�")


def cap(text: str, path: str, *, chars_max: int = RESULT_CHARS_MAX) -> Capped:
    """Shorten a result to about ``chars_max`` characters.

    ``path`` is where the full text will lie; empty when it will lie nowhere.
    """
    text = clean(text)
    if len(text) <= chars_max:
        return Capped(text, "")
    where = f"the whole result has {len(text):,} characters"
    where += f" and is in {path}; read it in parts with read_file" if path else ""
    thin = _thin_json(text)
    if thin is not None and len(thin) <= chars_max:
        return Capped(f"{thin}\n[shortened: long lists and texts were cut; {where}]", text)
    head = int(chars_max * HEAD_SHARE)
    tail = chars_max - head
    left_out = len(text) - head - tail
    middle = f"\n[… {left_out:,} characters left out; {where} …]\n"
    return Capped(text[:head] + middle + text[-tail:], text)


def shorten(text: str, chars_max: int) -> str:
    """Head and tail of a text that is longer than ``chars_max``; else the text."""
    if len(text) <= chars_max:
        return text
    head = int(chars_max * HEAD_SHARE)
    tail = chars_max - head
    left_out = f"\n[… {len(text) - chars_max:,} characters left out …]\n"
    return text[:head] + left_out + text[-tail:]


def kept_images(images: Sequence[ImagePart]) -> tuple[tuple[ImagePart, ...], str]:
    """The images that a model can take, and a note on those it can't."""
    kept = tuple(image for image in images if len(image.data) <= IMAGE_CHARS_MAX)[:IMAGES_MAX]
    gone = len(images) - len(kept)
    return (
        kept,
        f"\n[{gone} of {len(images)} images left out: too large or too many]" if gone else "",
    )


def _thin_json(text: str) -> str | None:
    stripped = text.lstrip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        value: Any = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return orjson.dumps(_thin(value)).decode()


def _thin(value: Any) -> Any:  # noqa: ANN401  any JSON value
    match value:
        case dict():
            return {key: _thin(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType]  any JSON value
        case list():
            kept = [_thin(one) for one in value[:LIST_ITEMS_MAX]]  # pyright: ignore[reportUnknownVariableType]  any JSON value
            more = len(value) - len(kept)  # pyright: ignore[reportUnknownArgumentType]  any JSON value
            return [*kept, f"… {more} more"] if more > 0 else kept
        case str() if len(value) > STRING_CHARS_MAX:
            return f"{value[:STRING_CHARS_MAX]}… ({len(value):,} characters)"
        case _:
            return value
