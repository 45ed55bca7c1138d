"""Tools as each vendor accepts them: names within the common alphabet, schemas within its subset.

Names are mapped one by one and always the same way, so that old calls keep their names whatever is
offered now.
"""

import hashlib
import re
from typing import Any, Literal

import structlog

from dayshift.core.model import ToolSet
from dayshift.models.text import dumps, is_list, is_object, loads

Subset = Literal["full", "plain", "openapi"]
"""``full``: any JSON Schema of an object. ``plain``: references inlined, no dialect marks, one type
a value. ``openapi``: also no additionalProperties, no exclusive bounds, and nullable for null."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_BAD = re.compile(r"[^a-zA-Z0-9_-]+")
_DEPTH_MAX = 12
_MARKS = frozenset(
    {"$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "title", "examples"}
)
_NOT_OPENAPI = frozenset(
    {
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "uniqueItems",
        "contains",
        "contentEncoding",
        "contentMediaType",
        "default",
        "readOnly",
        "writeOnly",
        "deprecated",
        "if",
        "then",
        "else",
        "not",
    }
)
_NOT_AT_TOP = frozenset({"$ref", "allOf", "anyOf", "oneOf", "enum", "not"})
_OBJECT_ONLY = frozenset(
    {"properties", "required", "additionalProperties", "minProperties", "maxProperties"}
)
_OPENAPI_FORMATS = frozenset({"enum", "date-time", "int32", "int64", "float", "double"})

log = structlog.get_logger()


def wire_name(name: str) -> str:
    """The name as it is sent: itself when it fits everywhere, else a stable one that does."""
    if _NAME.fullmatch(name):
        return name
    digest = hashlib.blake2s(name.encode("utf-8", "replace"), digest_size=3).hexdigest()
    return f"{_BAD.sub('_', name)[:57].strip('_') or 'tool'}_{digest}"


def names_back(tools: ToolSet) -> dict[str, str]:
    """Sent name to real name, for those that differ."""
    known = tools.encoded.get("names")
    if known is None:
        names = {
            sent: tool.name for tool in tools.schemas if (sent := wire_name(tool.name)) != tool.name
        }
        known = tools.encoded["names"] = dumps(names) if names else b""
    return loads(known) if known else {}


def is_closed(schema: Any) -> bool:  # noqa: ANN401  JSON is any value
    """Whether every object in it names all its fields, requires them and allows no others."""
    if is_list(schema):
        return all(is_closed(item) for item in schema)
    if not is_object(schema):
        return True
    if "properties" in schema and (
        schema.get("additionalProperties") is not False
        or set(schema.get("required", ())) != set(schema["properties"])
    ):
        return False
    return all(is_closed(value) for value in schema.values())


def fitted(schema: dict[str, Any], subset: Subset, *, tool: str = "") -> dict[str, Any]:
    """The schema within a subset; what had to go is logged once per call of this function."""
    root = _one_object(schema)
    if subset == "full":
        root = {key: value for key, value in root.items() if key != "$schema"}
    else:
        fitter = _Fitter(root, openapi=subset == "openapi")
        root = fitter.fit(root, 0)
        if fitter.dropped:
            dropped = sorted(fitter.dropped)
            log.info("tool_schema_fitted", tool=tool, subset=subset, dropped=dropped)
    return {**root, "type": "object", "properties": root.get("properties", {})}


def _one_object(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without a union or reference at its top, where no vendor takes one."""
    root = {key: value for key, value in schema.items() if key not in _NOT_AT_TOP}
    definitions = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    target = definitions.get(str(schema.get("$ref", "")).rsplit("/", 1)[-1])
    every: list[Any] = [*([target] if target else []), *schema.get("allOf", ())]
    some: list[Any] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    branches = [b for b in (*every, *some) if is_object(b)]
    if not branches:
        return root
    fields = dict(root.get("properties", {}))
    for branch in branches:
        branch_target = definitions.get(str(branch.get("$ref", "")).rsplit("/", 1)[-1])
        fields = {**(branch_target or branch).get("properties", {}), **fields}
    needed = set(root.get("required", ())).union(*(b.get("required", ()) for b in every))
    if some:
        shared = [name for name in some[0].get("required", ()) if _all_require(some, name)]
        needed |= set(shared)
    root.pop("additionalProperties", None)
    return {**root, "properties": fields, "required": sorted(needed)}


def _all_require(branches: list[Any], name: str) -> bool:
    return all(name in branch.get("required", ()) for branch in branches)


class _Fitter:
    """Rewrites one schema; remembers which keywords it had to drop."""

    def __init__(self, root: dict[str, Any], *, openapi: bool) -> None:
        self._defs: dict[str, Any] = {**root.get("definitions", {}), **root.get("$defs", {})}
        self._openapi = openapi
        self.dropped: set[str] = set()

    def fit(self, schema: Any, depth: int) -> dict[str, Any]:  # noqa: ANN401  JSON is any value
        if not is_object(schema) or depth > _DEPTH_MAX:
            return {} if schema is True or not is_object(schema) else self._cut(schema)
        schema = self._resolved(schema)
        out: dict[str, Any] = {}
        for key, value in schema.items():
            self._keyword(out, key, value, depth)
        self._one_type(out)
        self._alternatives(out)
        if out.get("type") not in (None, "object"):
            for key in _OBJECT_ONLY & out.keys():
                self._drop(out, key)
        if out.get("type") == "array":
            out.setdefault("items", {"type": "string"} if self._openapi else {})
        return out

    def _keyword(self, out: dict[str, Any], key: str, value: Any, depth: int) -> None:  # noqa: ANN401  JSON is any value
        if key in _MARKS or (self._openapi and key in _NOT_OPENAPI):
            if key not in ("$defs", "definitions", "title"):
                self.dropped.add(key)
        elif key in ("properties", "patternProperties") and is_object(value):
            out[key] = {name: self.fit(item, depth + 1) for name, item in value.items()}
        elif key in (
            "items",
            "contains",
            "not",
            "propertyNames",
            "additionalProperties",
        ) and is_object(value):
            out[key] = self.fit(value, depth + 1)
        elif key in ("items", "prefixItems") and is_list(value):
            self.dropped.add("prefixItems")
            out["items"] = {"anyOf": [self.fit(item, depth + 1) for item in value]} if value else {}
        elif key in ("anyOf", "oneOf", "allOf") and is_list(value):
            self._branches(out, key, [self.fit(item, depth + 1) for item in value])
        elif key == "const":
            out["enum"] = [value]
            self.dropped.add("const")
        elif key == "format" and self._openapi and value not in _OPENAPI_FORMATS:
            self.dropped.add("format")
        else:
            out[key] = value

    def _branches(self, out: dict[str, Any], key: str, branches: list[dict[str, Any]]) -> None:
        if key == "allOf":
            for branch in branches:
                for name, value in branch.items():
                    if name == "properties":
                        out[name] = {**out.get(name, {}), **value}
                    elif name == "required":
                        out[name] = [*out.get(name, []), *value]
                    else:
                        out.setdefault(name, value)
            return
        out["anyOf"] = branches

    def _one_type(self, out: dict[str, Any]) -> None:
        kinds = out.get("type")
        if not is_list(kinds):
            if (
                self._openapi
                and "enum" in out
                and any(not isinstance(item, str) for item in out["enum"])
            ):
                out["enum"] = [str(item) for item in out["enum"]]
                out["type"] = "string"
            elif "enum" in out and kinds is None:
                out["type"] = _type_of(out["enum"][0]) if out["enum"] else "string"
            return
        self.dropped.add("type list")
        real = [kind for kind in kinds if kind != "null"]
        if len(real) == 1:
            out["type"] = real[0]
        else:
            out.pop("type")
            shared = {key: out.pop(key) for key in list(out) if key != "description"}
            out["anyOf"] = [_only_for({"type": kind, **shared}) for kind in real]
        if "null" in kinds:
            self._nullable(out)

    def _alternatives(self, out: dict[str, Any]) -> None:
        branches = out.get("anyOf")
        if not is_list(branches):
            return
        real = [branch for branch in branches if branch.get("type") != "null"]
        if len(real) < len(branches):
            self.dropped.add("anyOf null")
        if len(real) == 1:
            out.pop("anyOf")
            for key, value in real[0].items():
                out.setdefault(key, value)
        elif real:
            out["anyOf"] = real
        if len(real) < len(branches):
            self._nullable(out)

    def _nullable(self, out: dict[str, Any]) -> None:
        if self._openapi:
            out["nullable"] = True
        elif out.get("description"):
            out["description"] = f"{out['description']} (leave out for none)"

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        seen: set[str] = set()
        while isinstance(ref := schema.get("$ref"), str) and ref not in seen:
            seen.add(ref)
            target = self._defs.get(ref.rsplit("/", 1)[-1])
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**target, **rest} if is_object(target) else rest
        return {key: value for key, value in schema.items() if key != "$ref"}

    def _cut(self, schema: dict[str, Any]) -> dict[str, Any]:
        self.dropped.add("depth")
        kind = self._resolved(schema).get("type")
        return {"type": kind} if isinstance(kind, str) else {}

    def _drop(self, out: dict[str, Any], key: str) -> None:
        self.dropped.add(key)
        out.pop(key)


def _type_of(value: Any) -> str:  # noqa: ANN401  JSON is any value
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case _:
            return "string"


def _only_for(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema["type"]
    if kind == "array":
        schema.setdefault("items", {})
    else:
        schema.pop("items", None)
    if kind != "object":
        for key in _OBJECT_ONLY:
            schema.pop(key, None)
    return schema
