"""The reference of office.yaml: every field with what it takes and what it is when left out."""

from collections.abc import Iterator
from typing import Any, cast

from dayshift.config.fields import FileFields
from docs.generate.markdown import code, page, prose, table

INTRODUCTION = """
An office is a folder of the home with an `office.yaml` in it; the folder's name is its name.
Unknown keys are refused, and every fault is told with its line and column.
`dayshift office validate NAME` tells all of them.
A key without a value counts as left out.
"""


def office_yaml_page() -> str:
    """The page."""
    schema = FileFields.model_json_schema(by_alias=True)
    return page("office.yaml", INTRODUCTION, *_sections(schema, schema.get("$defs", {}), ()))


def _sections(schema: dict[str, Any], defs: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """A mapping's fields, then the mappings in it."""
    required = set(schema.get("required", []))
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    rows = [
        (
            code(name),
            _kind(told, defs),
            "needed" if name in required else _default(told),
            _description(told, defs),
        )
        for name, told in properties.items()
    ]
    title = code(".".join(path)) if path else "The file"
    yield "\n\n".join(
        part
        for part in (
            f"## {title}",
            prose(schema.get("description", "")),
            table(("field", "takes", "when left out", "meaning"), rows),
        )
        if part
    )
    for name, told in properties.items():
        inner = _mapping(told, defs)
        if inner is not None:
            step = f"{name}[]" if _is_list(told) else name
            yield from _sections(inner, defs, (*path, step))


def _resolved(told: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """A schema with its reference followed."""
    reference = str(told.get("$ref", ""))
    return {**defs[reference.rpartition("/")[2]], **told} if reference else told


def _choices(told: dict[str, Any], defs: dict[str, Any]) -> list[dict[str, Any]]:
    """What may stand there, null left out."""
    told = _resolved(told, defs)
    many = [_resolved(each, defs) for each in told.get("anyOf", [told])]
    return [each for each in many if each.get("type") != "null"]


def _is_list(told: dict[str, Any]) -> bool:
    return told.get("type") == "array"


def _mapping(told: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any] | None:
    """The mapping with fields of its own that stands there, alone or in a list."""
    for each in _choices(told, defs):
        inner = _resolved(each.get("items", {}), defs) if _is_list(each) else each
        if "properties" in inner:
            return inner
    return None


def _description(told: dict[str, Any], defs: dict[str, Any]) -> str:
    return str(told.get("description") or _resolved(told, defs).get("description", ""))


def _kind(told: dict[str, Any], defs: dict[str, Any]) -> str:
    return " or ".join(_one_kind(each, defs) for each in _choices(told, defs))


def _one_kind(told: dict[str, Any], defs: dict[str, Any]) -> str:
    """A schema in a few words, with its bounds."""
    if "enum" in told:
        return f"one of {', '.join(code(str(value)) for value in told['enum'])}"
    if _is_list(told):
        kind = _kind(told.get("items", {}), defs)
        return f"list of {'mappings' if kind == 'a mapping' else kind}"
    if told.get("type") == "object":
        return "a mapping"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    kind = str(told.get("type", "anything"))
    bounds = [
        text.format(told[name])
        for name, text in (
            ("minimum", "at least {}"),
            ("exclusiveMinimum", "more than {}"),
            ("maximum", "at most {}"),
            ("maxLength", "at most {} characters"),
            ("pattern", "like `{}`"),
        )
        if name in told
    ]
    return ", ".join([words.get(kind, kind), *bounds])


def _default(told: dict[str, Any]) -> str:
    default = told.get("default")
    if default in (None, "", [], {}):
        return ""
    if isinstance(default, list):
        return ", ".join(code(str(value)) for value in cast("list[Any]", default))
    return code(str(default).lower() if isinstance(default, bool) else str(default))
