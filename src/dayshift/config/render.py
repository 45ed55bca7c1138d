"""Plain values as YAML text: in one line, or as a block of lines."""

import re
from dataclasses import dataclass

from dayshift.config.yaml_text import Plain, resolve

_BARE = re.compile(r"[^\W\d][\w ./@+%~()^=*!'\"?&|<>$:,;#-]*|[\d][\w./:-]*")
_FLOW_SIGNS = re.compile(r"[,\[\]{}]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


@dataclass(frozen=True)
class Block:
    """A value that stands in lines of its own: what follows the colon, and the lines below it."""

    header: str
    lines: tuple[str, ...]


def inline(value: Plain, *, in_flow: bool = False) -> str:
    """A value in one line; ``in_flow`` when brackets are around it."""
    if isinstance(value, dict):
        pairs = (f"{_text(k, in_flow=True)}: {inline(v, in_flow=True)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(inline(item, in_flow=True) for item in value)}]"
    if isinstance(value, str):
        return _text(value, in_flow=in_flow)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else repr(value)


def block(value: Plain) -> Block | None:
    """A value in lines of its own, not indented; ``None`` when it belongs in one line."""
    if isinstance(value, dict) and value:
        return Block("", tuple(line for k, v in value.items() for line in pair_lines(k, v)))
    if isinstance(value, tuple) and any(isinstance(item, dict) for item in value):
        return Block("", tuple(line for item in value for line in item_lines(item)))
    if isinstance(value, str) and "\n" in value and _is_literal(value):
        return _literal(value)
    return None


def pair_lines(key: str, value: Plain) -> list[str]:
    """The lines of ``key: value`` in a mapping."""
    body = block(value)
    if body is None:
        return [f"{_text(key)}: {inline(value)}"]
    return [f"{_text(key)}: {body.header}".rstrip(), *indented(body.lines, 2)]


def item_lines(item: Plain, *, gap: int = 2) -> list[str]:
    """The lines of ``- item`` in a list; the item begins ``gap`` columns after the dash."""
    body = block(item)
    if body is None:
        return ["-".ljust(gap) + inline(item)]
    first, *rest = (body.header, *body.lines) if body.header else body.lines
    return ["-".ljust(gap) + first, *indented(rest, gap)]


def indented(lines: tuple[str, ...] | list[str], columns: int) -> list[str]:
    """The lines moved to the right; empty ones stay empty."""
    return [" " * columns + line if line else line for line in lines]


def _text(text: str, *, in_flow: bool = False) -> str:
    """A text as it is where that reads the same, else in quotes."""
    is_bare = (
        _BARE.fullmatch(text)
        and resolve(text) == text
        and ": " not in text
        and " #" not in text
        and not text.endswith((" ", ":"))
        and not (in_flow and _FLOW_SIGNS.search(text))
        and text.isprintable()
    )
    return text if is_bare else _quoted(text)


def _quoted(text: str) -> str:
    escaped = (
        _ESCAPES.get(sign) or (sign if sign.isprintable() else f"\\U{ord(sign):08x}")
        for sign in text
    )
    return f'"{"".join(escaped)}"'


def _is_literal(text: str) -> bool:
    """Whether a text can stand as it is below a ``|``."""
    lines = text.split("\n")
    return all(line.replace("\t", " ").isprintable() for line in lines) and bool(lines[0].strip())


def _literal(text: str) -> Block:
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    chomp = ("-", "", "+")[min(ends, 2)]
    lines = tuple(body.split("\n")) + ("",) * max(0, ends - 1)
    indent = "2" if body.startswith((" ", "\t")) else ""
    return Block(f"|{indent}{chomp}", lines)
