"""Exact replacements in a text, all or none, and the difference they make. Pure."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import msgspec

from dayshift.core.errors import InvalidError

_CONTEXT_LINES = 3
_COMPARED_LINES_MAX = 1_500
"""Most changed lines compared line by line; more are shown as taken out and put in as a whole."""
_NEAR_LINES_MAX = 5_000
_NEAR_CHARS_MAX = 300
_NEAR_CUTOFF = 0.6
_NAMED_PLACES = 5
_HUNK = re.compile(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


class Replacement(msgspec.Struct, forbid_unknown_fields=True):
    """One piece of text and what stands there afterwards."""

    old_text: Annotated[
        str,
        msgspec.Meta(min_length=1, description="Text in the file, exactly, with its white space."),
    ]
    new_text: Annotated[str, msgspec.Meta(description="What replaces it; empty to remove it.")]
    all: Annotated[
        bool, msgspec.Meta(description="Replace every occurrence; else it must occur once.")
    ] = False


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    text: str


def replaced(text: str, replacements: Sequence[Replacement]) -> str:
    """The text with all replacements made; each is looked for in the text as it was.

    Raises:
        InvalidError: One is not there, is not unique, overlaps another or changes nothing.
    """
    spans: list[_Span] = []
    for number, replacement in enumerate(replacements, 1):
        which = f"Replacement {number}" if len(replacements) > 1 else "The replacement"
        spans += _spans(text, replacement, which)
    spans.sort(key=lambda span: span.start)
    for before, after in pairwise(spans):
        if after.start < before.end:
            line = text.count("\n", 0, after.start) + 1
            raise InvalidError(f"Two replacements meet at line {line}. Nothing was changed.")
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += [text[at : span.start], span.text]
        at = span.end
    return "".join([*parts, text[at:]])


def difference(path: str, old: str, new: str) -> str:
    """A unified diff with three lines of context; empty when nothing changed."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    start, end = max(0, head - _CONTEXT_LINES), max(0, tail - _CONTEXT_LINES)
    left, right = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(left), len(right)) > _COMPARED_LINES_MAX:
        lines = _whole(left, right)
    else:
        lines = list(difflib.unified_diff(left, right, n=_CONTEXT_LINES))[2:]
    if not lines:
        return ""
    told = [f"--- a/{path}\n", f"+++ b/{path}\n", *(_moved(line, start) for line in lines)]
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in told
    )


def _spans(text: str, replacement: Replacement, which: str) -> list[_Span]:
    old = replacement.old_text
    if old == replacement.new_text:
        raise InvalidError(f"{which} changes nothing: old and new text are the same.")
    starts: list[int] = []
    at = text.find(old)
    while at >= 0:
        starts.append(at)
        at = text.find(old, at + len(old))
    if not starts:
        raise InvalidError(
            f"{which} was not made: its old text is not in the file.{_near(text, old)}"
        )
    if len(starts) > 1 and not replacement.all:
        lines = [str(text.count("\n", 0, start) + 1) for start in starts[:_NAMED_PLACES]]
        more = ", …" if len(starts) > _NAMED_PLACES else ""
        raise InvalidError(
            f"{which} was not made: its old text is there {len(starts)} times, "
            f"at lines {', '.join(lines)}{more}. Nothing was changed.",
            hint="Give more of the text around it, or set all.",
        )
    return [_Span(start, start + len(old), replacement.new_text) for start in starts]


def _near(text: str, old: str) -> str:
    """What in the text comes closest to what was looked for."""
    lines = text.splitlines()
    wanted = [line.strip() for line in old.strip().splitlines()]
    size = len(wanted)
    stripped = [line.strip() for line in lines]
    for at in range(len(lines) - size + 1):
        if stripped[at : at + size] == wanted:
            found = "\n".join(lines[at : at + size])
            return (
                f" Lines {at + 1} to {at + size} differ from it in white space only; "
                f"they are:\n{found}"
            )
    first = next((line for line in wanted if line), "")
    candidates = [line for line in stripped[:_NEAR_LINES_MAX] if len(line) <= _NEAR_CHARS_MAX]
    near = difflib.get_close_matches(first[:_NEAR_CHARS_MAX], candidates, n=1, cutoff=_NEAR_CUTOFF)
    if not near:
        return " Nothing was changed; read the file again."
    at = stripped.index(near[0])
    found = "\n".join(lines[at : at + size])
    return f" Nothing was changed. Closest to it is line {at + 1}:\n{found}"


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines are the same at the start."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def _whole(left: Sequence[str], right: Sequence[str]) -> list[str]:
    header = f"@@ -1,{len(left)} +1,{len(right)} @@\n"
    return [header, *(f"-{line}" for line in left), *(f"+{line}" for line in right)]


def _moved(line: str, by: int) -> str:
    """A hunk's header for the whole file instead of a part that starts ``by`` lines into it."""
    hunk = _HUNK.match(line)
    if hunk is None:
        return line
    old, old_count, new, new_count = hunk.groups()
    rest = line[hunk.end() :]
    return f"@@ -{int(old) + by}{old_count or ''} +{int(new) + by}{new_count or ''} @@{rest}"
