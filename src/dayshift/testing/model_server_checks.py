"""What the scripted model server refuses: everything that the strictest real provider refuses."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Any, TypeGuard

import orjson

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
NINE = re.compile(r"[a-zA-Z0-9]{9}")
DATA_URL = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,(.+)", re.DOTALL)
IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
NOT_PLAIN = frozenset({"$schema", "$ref", "$defs", "definitions", "const", "oneOf", "allOf", "$id"})
NOT_OPENAPI = frozenset({"additionalProperties", "exclusiveMinimum", "exclusiveMaximum", "default"})
DEPTH_MAX = 20
_PASSED: set[tuple[bytes, str]] = set()


class RefusedError(Exception):
    """The request breaks a rule of the dialect; the message says which."""


@dataclass(frozen=True, kw_only=True)
class Strictness:
    """How strict the server is beyond what every provider demands.

    Attributes:
        schema: Part of JSON Schema that tools may use: ``full``, ``plain`` or ``openapi``.
        alternate: Whether user and assistant must take turns.
        tool_then_user: Whether a user message may follow tool results.
        nine: Whether call ids have nine letters and digits.
        key: The key that must be sent; empty accepts any.
        needs_key: Whether a request without a key is refused.
    """

    schema: str = "full"
    alternate: bool = False
    tool_then_user: bool = True
    nine: bool = False
    key: str = ""
    needs_key: bool = True


def must(holds: object, complaint: str) -> None:
    """Refuse unless it holds."""
    if not holds:
        raise RefusedError(complaint)


def listed(value: object, complaint: str) -> list[Any]:
    """A list with something in it, or a refusal."""
    found = value if is_list(value) else []
    must(found, complaint)
    return found


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def check_text(value: object, where: str) -> None:
    """A text must be there and not blank."""
    must(isinstance(value, str) and value.strip(), f"{where} must be a text that is not blank")


def check_image(data: object, where: str) -> None:
    """An image must be base64 of something."""
    must(isinstance(data, str) and data, f"{where} has no image data")
    try:
        base64.b64decode(str(data), validate=True)
    except binascii.Error as error:
        raise RefusedError(f"{where} is not base64") from error


def check_name(name: object, where: str) -> None:
    """A tool's name."""
    must(isinstance(name, str) and NAME.fullmatch(name), f"{where}: bad name {name!r}")


def check_schema(schema: object, where: str, strictness: Strictness) -> None:
    """The schema of a tool's arguments; one that has passed is not looked at again."""
    key = (orjson.dumps(schema), strictness.schema)
    if key in _PASSED:
        return
    must(isinstance(schema, dict), f"{where}: the schema is no object")
    root: Any = schema
    must(root.get("type") == "object", f"{where}: the schema's type must be 'object'")
    must(isinstance(root.get("properties"), dict), f"{where}: properties are missing")
    for union in ("oneOf", "anyOf", "allOf", "enum", "not"):
        must(union not in root, f"{where}: {union} is not allowed at the top level")
    _walk(root, where, strictness.schema, root, 0)
    _PASSED.add(key)


def _walk(schema: Any, where: str, subset: str, root: Any, depth: int) -> None:  # noqa: ANN401  JSON
    must(depth < DEPTH_MAX, f"{where}: nested too deep")
    if isinstance(schema, bool):
        return
    must(isinstance(schema, dict), f"{where}: a schema must be an object")
    must("$schema" not in schema, f"{where}: $schema is not allowed")
    forbidden: set[str] = set()
    if subset != "full":
        forbidden |= NOT_PLAIN
    if subset == "openapi":
        forbidden |= NOT_OPENAPI
    for key in forbidden & schema.keys():
        raise RefusedError(f"{where}: {key} is not allowed")
    _check_type(schema, where, subset)
    if isinstance(ref := schema.get("$ref"), str):
        target = root.get("$defs", root.get("definitions", {})).get(ref.rsplit("/", 1)[-1])
        must(target is not None, f"{where}: {ref} leads nowhere")
    _walk_below(schema, where, subset, root, depth)


def _walk_below(schema: Any, where: str, subset: str, root: Any, depth: int) -> None:  # noqa: ANN401  JSON
    for name, item in schema.get("properties", {}).items():
        _walk(item, f"{where}.{name}", subset, root, depth + 1)
    if "items" in schema:
        _walk(schema["items"], f"{where}[]", subset, root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for item in schema.get(key, ()):
            _walk(item, f"{where}|", subset, root, depth + 1)


def _check_type(schema: Any, where: str, subset: str) -> None:  # noqa: ANN401  JSON is any value
    kind: Any = schema.get("type")
    if subset != "full":
        must(not isinstance(kind, list), f"{where}: a list of types is not allowed")
        must(kind != "null", f"{where}: null is not allowed as a type")
        must(
            kind in (None, "object") or "properties" not in schema,
            f"{where}: properties on what is no object",
        )
        must(kind != "array" or "items" in schema, f"{where}: an array without items")
    kinds = kind if is_list(kind) else [kind]
    for one in kinds:
        must(one is None or one in TYPES, f"{where}: unknown type {one!r}")
    if "required" in schema and "properties" in schema:
        for name in schema["required"]:
            must(name in schema["properties"], f"{where}: requires {name!r}, which is no property")


def signature_of(thinking: str) -> str:
    """How the server signs its thinking, so that it knows it again."""
    return "sig-" + hashlib.sha256(thinking.encode("utf-8", "replace")).hexdigest()[:24]
