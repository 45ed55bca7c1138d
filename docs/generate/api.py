"""The reference of the HTTP API, from `wire/openapi.json`."""

import json
from collections.abc import Iterator
from typing import Any

from docs.generate.markdown import ROOT, code, page, prose, table

WIRE = ROOT / "wire" / "openapi.json"
INTRODUCTION = """
A running server serves this document as OpenAPI at `/api/openapi.json`, with examples.
`dayshift token create NAME --scope SCOPE` makes a token; its scopes are the permissions below.
"""
WORDS = {
    "array": "list",
    "boolean": "true or false",
    "integer": "whole number",
    "null": "null",
    "string": "text",
}


def api_page() -> str:
    """The page."""
    document: dict[str, Any] = json.loads(WIRE.read_text(encoding="utf-8"))
    schemas: dict[str, Any] = document["components"]["schemas"]
    return page(
        "HTTP API",
        INTRODUCTION,
        prose(document["info"]["description"]),
        *_chapters(document),
        "## What is sent and answered",
        *(_schema(name, schemas[name]) for name in sorted(schemas)),
    )


def _chapters(document: dict[str, Any]) -> Iterator[str]:
    """A chapter for each tag: a section for each operation of it."""
    for tag in document["tags"]:
        yield f"## {tag['name']}\n\n{tag['description']}"
        for path, operations in document["paths"].items():
            for method, told in operations.items():
                if tag["name"] in told.get("tags", []):
                    yield _operation(method.upper(), path, told)


def _operation(method: str, path: str, told: dict[str, Any]) -> str:
    rows = [
        (code(each["name"]), each["in"], _kind(each["schema"]), each.get("description", ""))
        for each in told.get("parameters", [])
    ]
    permission = told.get("x-permission")
    notes = [
        f"Permission: {code(permission)}." if permission else "Nobody needs to sign in for it.",
        _line("Sends", told.get("requestBody", {}).get("content", {})),
        *(
            _line("Answers", answer.get("content", {}))
            for status, answer in told["responses"].items()
            if status.startswith("2")
        ),
    ]
    parts = [
        f"### {method} {path}",
        prose(told.get("description", "")),
        "\n".join(note for note in notes if note),
        table(("parameter", "in", "type", "meaning"), rows),
    ]
    return "\n\n".join(part for part in parts if part)


def _line(verb: str, content: dict[str, Any]) -> str:
    """What is sent or answered, by media type."""
    kinds = [
        _kind(told["schema"]) if media == "application/json" and "schema" in told else code(media)
        for media, told in content.items()
    ]
    return f"{verb} {' or '.join(kinds)}." if kinds else ""


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", []))
    properties: dict[str, Any] = schema.get("properties", {})
    rows = [
        (
            code(field),
            _kind(told) + ("" if field in required else ", optional"),
            str(told.get("description", "")),
        )
        for field, told in properties.items()
    ]
    columns = 3 if any(meaning for _, _, meaning in rows) else 2
    fields = table(("field", "type", "meaning")[:columns], [row[:columns] for row in rows])
    shown = fields if properties else _kind({**schema, "description": ""})
    parts = [f"### {name}", prose(str(schema.get("description", ""))), shown]
    return "\n\n".join(part for part in parts if part)


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return f"one of {', '.join(code(str(value)) for value in schema['enum'])}"
    if "const" in schema:
        return code(str(schema["const"]))
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " or ".join(_kind(each) for each in schema[word])
    kind = schema.get("type", "anything")
    if kind == "array" and "items" in schema:
        return f"list of {_kind(schema['items'])}"
    return WORDS.get(str(kind), str(kind))
