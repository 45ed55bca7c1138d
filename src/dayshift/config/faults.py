"""Faults told for people: what was expected, with near matches, at the place in the file."""

from collections.abc import Iterable, Mapping, Sized
from difflib import get_close_matches
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from dayshift.config import fields as f
from dayshift.config.place import Path, Places
from dayshift.core.errors import ConfigError
from dayshift.core.names import IN_WORDS

FAULTS_MAX = 100
SHOWN_MAX = 60
"""Characters of a wrong value that are shown."""

_PATTERNS = {
    **IN_WORDS,
    f.ENV_KEY: "capital letters, digits and _, not beginning with a digit",
    f.MODEL_REF: "provider:model, for example anthropic:claude-sonnet-4-5",
    f.TIME_OF_DAY: "a time of day from '00:00' to '23:59'",
    f.DATE: "a date as YYYY-MM-DD",
}
_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_BOUNDS = {
    "greater_than": ("gt", "more than {}"),
    "greater_than_equal": ("ge", "at least {}"),
    "less_than_equal": ("le", "at most {}"),
    "string_too_long": ("max_length", "at most {} characters"),
    "string_too_short": ("min_length", "at least {} character"),
    "too_long": ("max_length", "at most {} entries"),
    "too_short": ("min_length", "at least {} entry"),
}
_ELSEWHERE = {
    "prompt": "Write the text under 'prompt_inline'.",
    "prompt_file": "Write the text under 'prompt_inline'.",
    "bootstrap_dir": "Write the text under 'prompt_inline'.",
    "default_model": "The office's model is 'model'.",
    "timezone": "The time zone is 'zone', in 'office'.",
    "api_key": "Keys of providers are read from the server's environment.",
    "api_key_ref": "Keys of providers are read from the server's environment.",
}


def near(word: str, known: Iterable[str]) -> str:
    """A hint that names up to three known words like this one; empty when there is none."""
    by_folded = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), by_folded, n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(repr(by_folded[name]) for name in found)}?" if found else ""


def faults_of(
    error: ValidationError, places: Places, prefix: Path = (), model: type[BaseModel] | None = None
) -> list[ConfigError]:
    """What a model did not accept, in its own order, at most ``FAULTS_MAX``.

    Args:
        error: The complaints.
        places: Where the values stand.
        prefix: Path of the value that was checked.
        model: The model it was checked against; by it, near matches of unknown keys are found.
    """
    details = error.errors(include_url=False)[:FAULTS_MAX]
    return [_fault(detail, places, prefix, model) for detail in details]


def _fault(
    detail: ErrorDetails, places: Places, prefix: Path, model: type[BaseModel] | None
) -> ConfigError:
    is_key = detail["loc"][-1:] == ("[key]",)
    inner = detail["loc"][:-1] if is_key else detail["loc"]
    path = (*prefix, *inner)
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(str(inner[-1]), path, places, _keys_at(model, inner[:-1]))
    if kind == "missing":
        return places.error(path, f"'{inner[-1]}' is missing.")
    message = _expected(kind, detail)
    hint = _hint(kind, detail)
    if is_key:
        return places.key_error(path, message, hint=hint)
    return places.error(path, message, hint=hint)


def _unknown_key(key: str, path: Path, places: Places, known: tuple[str, ...]) -> ConfigError:
    hint = _ELSEWHERE.get(key) or near(key, known) or f"Known here: {', '.join(known)}."
    return places.key_error(path, f"Unknown key '{key[:SHOWN_MAX]}'.", hint=hint)


def _expected(kind: str, detail: ErrorDetails) -> str:
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind in _KINDS:
        return f"Expected {_KINDS[kind]}, got {_shown(detail['input'])}."
    if kind in _BOUNDS:
        key, text = _BOUNDS[kind]
        return f"Expected {text.format(_number(context[key]))}, got {_size(kind, detail['input'])}."
    if kind == "literal_error":
        return f"Expected {context['expected']}, got {_shown(detail['input'])}."
    if kind == "string_pattern_mismatch":
        return f"Expected {_PATTERNS[context['pattern']]}, got {_shown(detail['input'])}."
    return f"{detail['msg']}."


def _hint(kind: str, detail: ErrorDetails) -> str:
    value = detail["input"]
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "Put it in quotes."
    if kind == "literal_error" and isinstance(value, str):
        expected = str(detail.get("ctx", {}).get("expected", ""))
        return near(value, expected.replace(" or ", ", ").replace("'", "").split(", "))
    return ""


def _shown(value: object) -> str:
    """A wrong value in words, short."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, tuple):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    short = text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "…"
    return repr(short) if isinstance(value, str) else short


def _number(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else str(bound)


def _size(kind: str, value: object) -> str:
    if kind in {"string_too_long", "string_too_short", "too_long", "too_short"}:
        return str(len(cast("Sized", value)))
    return _shown(value)


def _keys_at(model: type[BaseModel] | None, path: Path) -> tuple[str, ...]:
    """The keys that may stand at a path below a model."""
    for step in path:
        if model is None or isinstance(step, int):
            continue
        field = model.model_fields.get(step)
        model = _model_in(field.annotation) if field else None
    return tuple(model.model_fields) if model else ()


def _model_in(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401  an annotation is anything
    """The model inside ``Model``, ``Model | None`` or ``tuple[Model, ...]``."""
    if get_origin(annotation) in {tuple, Union, UnionType}:
        inside = (_model_in(argument) for argument in get_args(annotation))
        return next((found for found in inside if found), None)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None
