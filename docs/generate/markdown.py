"""Where the repository is, and pieces of Markdown that cannot break out of their place."""

from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The repository."""
MADE_BY = "<!-- Made by `python -m docs.generate`; do not edit. -->"


def page(title: str, *parts: str) -> str:
    """A page with a title, a note of where it comes from, and its parts."""
    return "\n\n".join([f"# {title}", MADE_BY, *(part.strip() for part in parts if part)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty when there are no rows."""
    body = [f"| {' | '.join(cell(text) for text in row)} |" for row in rows]
    if not body:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *body])


def cell(text: str) -> str:
    """Text that stays in its cell."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Text as code; nothing for nothing."""
    return f"`{text}`" if text else ""


def prose(docstring: str) -> str:
    """A docstring as Markdown: one sentence a line, double backticks made single."""
    paragraphs = [" ".join(part.split()) for part in docstring.split("\n\n")]
    return "\n\n".join(_sentences(part).replace("``", "`") for part in paragraphs)


def _sentences(text: str) -> str:
    """A line break after each sentence."""
    parts: list[str] = []
    rest = text
    while ". " in rest:
        at = rest.index(". ")
        begins_one = rest[at + 2 : at + 3].isupper() or rest[at + 2 : at + 3] == "`"
        parts.append(rest[: at + 1] + ("\n" if begins_one else " "))
        rest = rest[at + 2 :]
    return "".join(parts) + rest
