"""Structs of the code as tables: each field with its type, and what its docstring says."""

import ast
import inspect
import re
from enum import Enum, EnumMeta
from functools import cache
from itertools import pairwise
from types import ModuleType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from docs.generate.markdown import code, prose, table

UNION_SHOWN_MAX = 4
NAMES = {
    "Any": "anything",
    "NoneType": "null",
    "UnsetType": "left out",
    "bool": "true or false",
    "datetime": "time",
    "float": "number",
    "int": "whole number",
    "str": "text",
}


def struct_section(struct: type[msgspec.Struct], *, level: int = 2, title: str = "") -> str:
    """A heading, the docstring, and a table of the fields."""
    docs = _field_docs(struct)
    hints = get_type_hints(struct)
    rows = [
        (code(field.encode_name), type_name(hints[field.name]), docs.get(field.name, ""))
        for field in msgspec.structs.fields(struct)
    ]
    heading = f"{'#' * level} {title or struct.__name__}"
    text = re.split(r"\n\s*\n\s*Attributes:", inspect.getdoc(struct) or "", maxsplit=1)[0]
    columns = 3 if any(meaning for _, _, meaning in rows) else 2
    fields = table(("field", "type", "meaning")[:columns], [row[:columns] for row in rows])
    return "\n\n".join(part for part in (heading, prose(text), fields) if part)


def type_name(hint: Any) -> str:  # noqa: ANN401  whatever stands behind a colon
    """A type in words."""
    if get_origin(hint) is Annotated:
        return type_name(get_args(hint)[0])
    if get_origin(hint) is not None or isinstance(hint, UnionType):
        return _compound(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    if isinstance(hint, EnumMeta):
        values = [each.value for each in cast("type[Enum]", hint)]
        return f"one of {', '.join(code(str(value)) for value in values)}"
    name = hint.__name__ if isinstance(hint, type) else str(cast("object", hint))
    return NAMES.get(name, name)


def _compound(hint: Any) -> str:  # noqa: ANN401  as above
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(code(str(value)) for value in arguments)}"
    if origin is dict:
        return f"object of {type_name(arguments[1])}"
    if origin in {UnionType, Union}:
        many = len(arguments) > UNION_SHOWN_MAX
        return "one of the kinds below" if many else " or ".join(map(type_name, arguments))
    return f"list of {type_name(arguments[0])}"


def _field_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """What the source says of each field: the text below it, or its line under Attributes."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if base.__module__.startswith("dayshift."):
            found |= _own_docs(base)
    return found


def _own_docs(struct: type) -> dict[str, str]:
    module = inspect.getmodule(struct)
    if module is None:
        return {}
    body = next(
        node.body
        for node in _tree(module).body
        if isinstance(node, ast.ClassDef) and node.name == struct.__name__
    )
    found = _attributes(inspect.getdoc(struct) or "")
    for field, text in pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            found[field.target.id] = _flat(str(text.value.value))
    return found


def _attributes(docstring: str) -> dict[str, str]:
    _, _, section = docstring.partition("Attributes:\n")
    entries = re.split(r"\n\s*\n", section)[0]
    found: dict[str, str] = {}
    for match in re.finditer(r"^\s{4}(\w+): (.+(?:\n\s{8}.+)*)", entries, re.MULTILINE):
        found[match[1]] = _flat(match[2])
    return found


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("``", "`")


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))
