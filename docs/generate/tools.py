"""The reference of tools: what a model is told of each, and what it may not see: the limits."""

from typing import Any

from dayshift.app.toolbox import Toolbox
from dayshift.core.tools import Tool
from docs.generate.markdown import code, page, prose, table

INTRODUCTION = """
Which of these an agent has is set under `permissions` in its office file.
A tool answers with a text for the model, and with a code: `ok`, or the slug of an error.
"""
NOTES = {
    "read_only": "It changes nothing, and may be run again after a crash.",
    "dangerous": "It reaches beyond the agent's own workspace.",
}


class _Absent:
    """Stands where a room of an office would: describing tools calls none of them."""

    def __getattr__(self, name: str) -> "_Absent":
        return self


def tools_page() -> str:
    """The page."""
    nothing: Any = _Absent()
    toolbox = Toolbox(
        talk=nothing,
        board=nothing,
        book=nothing,
        computer_of=nothing,
        describe_time=str,
        is_isolated=True,
    )
    found = toolbox.tools()
    families = list(dict.fromkeys(tool.family for tool in found))
    sections = [
        part
        for family in families
        for part in (f"## {family}", *(_section(tool) for tool in found if tool.family == family))
    ]
    return page("Tools", INTRODUCTION, *sections)


def _section(tool: Tool) -> str:
    schema = tool.schema.parameters
    required = set(schema.get("required", []))
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    rows = [
        (
            code(name),
            _kind(told) + ("" if name in required else ", optional"),
            str(told.get("description", "")),
        )
        for name, told in properties.items()
    ]
    notes = [note for name, note in NOTES.items() if getattr(tool, name)]
    notes.append(f"One call may take {tool.limit_s:g} s.")
    parts = [
        f"### {tool.name}",
        prose(tool.schema.description),
        table(("argument", "type", "meaning"), rows),
        "\n".join(notes),
    ]
    return "\n\n".join(part for part in parts if part)


def _kind(told: dict[str, Any]) -> str:
    """A JSON Schema in a few words."""
    if "enum" in told:
        return f"one of {', '.join(code(str(value)) for value in told['enum'])}"
    if "anyOf" in told:
        return " or ".join(_kind(each) for each in told["anyOf"])
    if told.get("type") == "array":
        return f"list of {_kind(told.get('items', {}))}"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    kind = str(told.get("type", "object"))
    return words.get(kind, kind)
