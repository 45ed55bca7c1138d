"""Edits of YAML text: what is meant is replaced, every other character stays what it is.

An edit finds the place in the nodes of the text and puts the new value there, in the manner of what
stands around it. It does not try to be right about every YAML there is: whoever calls it reads the
result again and compares it with ``changed_value``, and throws it away when they differ.
"""

import re
from dataclasses import dataclass

from dayshift.config import render
from dayshift.config.yaml_nodes import Node, Pair, Slot, compose
from dayshift.config.yaml_text import Plain, value_of
from dayshift.core.errors import InvalidError, NotFoundError

Where = tuple[str, ...]
"""The way to a value: keys, and the names of list entries: ``("agents", "iris", "model")``."""


@dataclass(frozen=True)
class Put:
    """Set a value, making what leads to it."""

    where: Where
    value: Plain


@dataclass(frozen=True)
class Remove:
    """Take a key or a list entry out; nothing happens when it is not there."""

    where: Where


@dataclass(frozen=True)
class Append:
    """Add an entry at the end of a list, making the list when there is none."""

    where: Where
    value: Plain


Change = Put | Remove | Append

_ANCHOR = re.compile(r"&\S+[^\S\n]*")
_GAP = re.compile(r"(?:&\S+)?(?:\s|#[^\n]*\n)*")
_COLON = re.compile(r"[^\S\n]*:")


def changed_value(value: Plain, change: Change) -> Plain:
    """What a file's value is after a change.

    Raises:
        NotFoundError: The way leads through a list entry that is not there.
        InvalidError: The way leads through something that has no parts.
    """
    return _changed(value, change.where, change)


def changed_text(text: str, change: Change, *, file: str) -> str:
    """The text after a change, if it can be made there.

    Raises:
        ConfigError: The text is no YAML; ``file`` is its name.
        NotFoundError: The way leads through a list entry that is not there.
        InvalidError: The way leads through something that has no parts, or the text is empty.
    """
    root = compose(text, file)
    if root is None:
        message = "There is nothing to edit."
        raise InvalidError(message)
    return _Edit(text, root).make(change)


def _changed(value: Plain, way: Where, change: Change) -> Plain:
    if not way:
        return _at_end(value, change)
    step, rest = way[0], way[1:]
    if isinstance(value, tuple):
        return _changed_list(value, step, rest, change)
    if value is not None and not isinstance(value, dict):
        message = f"'{step}' leads into something that has no parts."
        raise InvalidError(message)
    known = value or {}
    if isinstance(change, Remove) and (not rest or step not in known):
        return {key: inner for key, inner in known.items() if key != step}
    return {**known, step: _changed(known.get(step), rest, change)}


def _at_end(value: Plain, change: Change) -> Plain:
    if isinstance(change, Append):
        before = value if isinstance(value, tuple) else ()
        return (*before, change.value)
    return change.value if isinstance(change, Put) else None


def _changed_list(entries: tuple[Plain, ...], step: str, rest: Where, change: Change) -> Plain:
    at = next((n for n, entry in enumerate(entries) if _name_of(entry) == step), None)
    if at is None and isinstance(change, Remove):
        return entries
    if at is None:
        message = f"There is no entry '{step}'."
        raise NotFoundError(message)
    if isinstance(change, Remove) and not rest:
        return entries[:at] + entries[at + 1 :]
    return (*entries[:at], _changed(entries[at], rest, change), *entries[at + 1 :])


def _name_of(entry: Plain) -> Plain:
    """What a list entry is called: its name, or itself when it is a word."""
    return entry.get("name") if isinstance(entry, dict) else entry


@dataclass(frozen=True)
class _Here:
    """A slot on the way, and what is around it.

    Attributes:
        column: Where the key or the dash stands, from which a block inside it is indented.
        pair: The key it belongs to, if it stands in a mapping.
        in_flow: Whether brackets are around it.
    """

    slot: Slot
    column: int = -2
    pair: Pair | None = None
    in_flow: bool = False

    @property
    def node(self) -> Node:
        """What is in it."""
        return self.slot.node


class _Page:
    """A text and the places in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def line_start(self, at: int) -> int:
        """Offset at which a line begins."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Offset of the line break that ends a line, or of the text's end."""
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def next_line(self, at: int) -> int:
        """Offset at which the next line begins, or of the text's end."""
        return self.text.find("\n", at) + 1 or len(self.text)

    def line_before(self, at: int) -> str:
        """The line before the one at an offset; empty before the first."""
        start = self.line_start(at)
        return self.text[self.line_start(max(0, start - 1)) : start]

    def column(self, at: int) -> int:
        """How far from the beginning of its line an offset is."""
        return at - self.line_start(at)

    def dash(self, node: Node, at: int) -> int:
        """Offset of the dash of a list entry."""
        begin = node.items[at - 1].end if at else node.start
        gap = _GAP.match(self.text, begin)
        return gap.end() if gap else begin

    def after_colon(self, pair: Pair) -> int:
        """Offset behind the colon of a key."""
        colon = _COLON.match(self.text, pair.key.end)
        return colon.end() if colon else pair.key.end

    def after_anchor(self, slot: Slot) -> int:
        """Where a value begins behind its anchor, which stays for those who refer to it."""
        anchor = None if slot.is_alias else _ANCHOR.match(self.text, slot.start, slot.end)
        return anchor.end() if anchor else slot.start

    def end_of_comments(self, at: int, column: int) -> int:
        """The end of a line, and of the comments below it that are indented at least so far."""
        end = self.line_end(at)
        while (start := self.next_line(end)) < len(self.text):  # ends with the comments
            line = self.text[start : self.line_end(start)]
            bare = line.lstrip()
            if not bare.startswith("#") or len(line) - len(bare) < column:
                break
            end = self.line_end(start)
        return end


class _Edit:
    """One change of one text."""

    def __init__(self, text: str, root: Slot) -> None:
        self._page = _Page(text)
        self._text = text
        self._root = root

    def make(self, change: Change) -> str:
        """The text after the change."""
        before = value_of(self._root.node)
        after = changed_value(before, change)
        if after == before:
            return self._text
        way = self._walk(change.where)
        here, rest = way[-1], change.where[len(way) - 1 :]
        if rest:
            return self._make_below(here, rest, change, after)
        if isinstance(change, Remove):
            return self._remove(way, change.where)
        if isinstance(change, Append) and here.node.items and not here.slot.is_alias:
            return self._append(here, change.value)
        value = change.value if isinstance(change, Put) else _part(after, change.where)
        return self._replace(here, value)

    def _walk(self, where: Where) -> list[_Here]:
        """The slots on the way, as far as they are written where the way leads."""
        way = [_Here(self._root)]
        for step in where:
            found = None if way[-1].slot.is_alias else self._inside(way[-1], step)
            if found is None:
                break
            way.append(found)
        return way

    def _inside(self, here: _Here, step: str) -> _Here | None:
        node = here.node
        in_flow = here.in_flow or bool(node.style)
        pair = node.pairs.get(step)
        if pair is not None and not pair.is_merged:
            return _Here(pair.value, pair.key.place.column - 1, pair, in_flow)
        for at, item in enumerate(node.items):
            if _name_of(value_of(item.node)) == step:
                column = 0 if in_flow else self._page.column(self._page.dash(node, at))
                return _Here(item, column, None, in_flow)
        return None

    def _make_below(self, here: _Here, rest: Where, change: Change, after: Plain) -> str:
        """Something on the way is missing, or stands elsewhere: it is written here."""
        done = len(change.where) - len(rest)
        if here.slot.is_alias or here.node.kind != "mapping":
            return self._replace(here, _part(after, change.where[:done]))
        return self._add_pair(here, rest[0], _part(after, change.where[: done + 1]))

    # --- putting a value into a slot ----------------------------------------------------------

    def _replace(self, here: _Here, value: Plain) -> str:
        body = None if here.in_flow else render.block(value)
        slot, node = here.slot, here.node
        if not slot.is_alias and not node.style and node.kind != "scalar":
            return self._replace_block(here, value)
        start, end = self._page.after_anchor(slot), slot.end
        lines = render.indented(body.lines, here.column + 2) if body else []
        new = body.header if body else render.inline(value, in_flow=here.in_flow)
        head = self._text[:start]
        if start == end or not new:
            head = head.rstrip(" ") + (" " if new else "")
        if node.style in {"|", ">"} and not slot.is_alias:
            return head + self._page.newline.join([new, *lines]) + self._text[end:]
        line_end = self._page.line_end(end)
        below = self._page.newline + self._page.newline.join(lines) if lines else ""
        return head + new + self._text[end:line_end] + below + self._text[line_end:]

    def _replace_block(self, here: _Here, value: Plain) -> str:
        """Put a value in place of one that stands in lines of its own below its key."""
        node = here.node
        first = self._page.line_start(node.start)
        last = self._page.line_end(node.end)
        if here.pair is None or first <= here.pair.key.start:
            message = "This value can only be changed by hand."
            raise InvalidError(message)
        rest = self._text[last:]
        body = render.block(value)
        if isinstance(value, tuple) and value:
            body = render.Block(
                "", tuple(line for item in value for line in render.item_lines(item))
            )
        if body is not None and not body.header:
            lines = render.indented(body.lines, self._page.column(node.start))
            return self._text[:first] + self._page.newline.join(lines) + rest
        colon = self._page.after_colon(here.pair)
        head = f"{self._text[:colon]} {body.header if body else render.inline(value)}"
        lines = render.indented(body.lines, here.column + 2) if body else []
        kept = self._text[colon:first].rstrip("\r\n")
        return self._page.newline.join([head + kept, *lines]) + rest

    # --- adding -------------------------------------------------------------------------------

    def _add_pair(self, here: _Here, key: str, value: Plain) -> str:
        node = here.node
        if here.in_flow or node.style:
            new = f"{render.inline(key, in_flow=True)}: {render.inline(value, in_flow=True)}"
            return self._add_in_flow(node, new)
        own = [pair for pair in node.pairs.values() if not pair.is_merged]
        column = (own[0].key.place if own else node.place).column - 1
        lines = render.indented(render.pair_lines(key, value), column)
        return self._insert_below(node.end, lines, column)

    def _append(self, here: _Here, value: Plain) -> str:
        node = here.node
        if here.in_flow or node.style:
            return self._add_in_flow(node, render.inline(value, in_flow=True))
        last = len(node.items) - 1
        dash = self._page.dash(node, last)
        column = self._page.column(dash)
        begins = self._page.column(node.items[last].start)
        gap = begins - column if self._page.line_start(dash) <= node.items[last].start else 2
        lines = render.indented(render.item_lines(value, gap=max(2, gap)), column)
        if last and not self._page.line_before(dash).strip():
            lines = ["", *lines]
        return self._insert_below(node.end, lines, column + 1)

    def _add_in_flow(self, node: Node, new: str) -> str:
        """Put something before the closing bracket."""
        close = node.end - 1
        inside = self._text[:close].rstrip()
        before = "" if inside.endswith(("{", "[")) else " " if inside.endswith(",") else ", "
        return inside + before + new + self._text[len(inside) :]

    def _insert_below(self, end: int, lines: list[str], column: int) -> str:
        """Put lines below a line, and below the indented comments that follow it."""
        at = self._page.end_of_comments(end, column)
        return (
            self._text[:at] + self._page.newline + self._page.newline.join(lines) + self._text[at:]
        )

    # --- taking out ---------------------------------------------------------------------------

    def _remove(self, way: list[_Here], where: Where) -> str:
        here, parent = way[-1], way[-2]
        node = parent.node
        if len(node.items) == 1 and here.pair is None:
            return self._replace(parent, ())
        own = [pair for pair in node.pairs.values() if not pair.is_merged]
        if here.pair is not None and len(own) == 1 and len(way) > 2 and not here.in_flow:  # noqa: PLR2004  root, parent, key
            return self._remove(way[:-1], where[:-1])
        if here.in_flow:
            return self._remove_in_flow(here, node)
        start = (
            here.pair.key.start if here.pair else self._page.dash(node, node.items.index(here.slot))
        )
        if self._text[self._page.line_start(start) : start].strip():
            following = [pair.key.start for pair in own if pair.key.start > start]
            return self._text[:start] + self._text[min(following) :]
        return self._remove_lines(self._page.line_start(start), self._page.line_end(here.slot.end))

    def _remove_in_flow(self, here: _Here, node: Node) -> str:
        """Take out something between brackets, and one comma."""
        spans = sorted(
            [(pair.key.start, pair.value.end) for pair in node.pairs.values() if not pair.is_merged]
            + [(item.start, item.end) for item in node.items]
        )
        at = next(n for n, (_, end) in enumerate(spans) if end == here.slot.end)
        if at + 1 < len(spans):
            return self._text[: spans[at][0]] + self._text[spans[at + 1][0] :]
        start = spans[at - 1][1] if at else spans[at][0]
        return self._text[:start] + self._text[here.slot.end :]

    def _remove_lines(self, start: int, end: int) -> str:
        """Take whole lines out, and an empty line where two would meet."""
        following = self._page.next_line(end)
        before_is_empty = not self._page.line_before(start).strip()
        if before_is_empty and not self._text[following : self._page.line_end(following)].strip():
            following = self._page.next_line(following)
        return self._text[:start] + self._text[following:]


def _part(value: Plain, where: Where) -> Plain:
    """The value at the end of a way."""
    for step in where:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, tuple):
            value = next((entry for entry in value if _name_of(entry) == step), None)
    return value
