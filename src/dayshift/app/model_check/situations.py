"""The situations a model is asked about, read from ``situations.yaml``; its head tells the form."""

from importlib.resources import files
from typing import Any

import msgspec
from ruamel.yaml import YAML

from dayshift.app.toolbox import Toolbox
from dayshift.core.tools import Tool

Wanted = dict[str, str | list[str]]
"""Argument to the text it equals, or the texts it holds."""

SPEAKERS = {
    "person": "Message from Robin, a person:",
    "office": "News from the office:",
}


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to do it right."""

    calls: dict[str, Wanted | list[Wanted]] = {}
    say: list[str] | None = None
    """What the last text must hold; ``None`` when the calls are all."""
    lacks: list[str] = []
    """Patterns that the text must not hold."""

    def wanted(self) -> list[tuple[str, Wanted]]:
        """Every call, one by one."""
        return [
            (tool, one)
            for tool, given in self.calls.items()
            for one in (given if isinstance(given, list) else [given])
        ]


class Situation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that happens in an office, and what is right to do."""

    id: str
    kind: str
    told: str
    want: list[Way]
    speaker: str = msgspec.field(default="person", name="from")
    results: dict[str, list[str]] = {}
    never: list[dict[str, Wanted]] = []

    @property
    def text(self) -> str:
        """What the model reads."""
        head = SPEAKERS.get(self.speaker) or f"Message from {self.speaker}, a colleague:"
        return f"{head}\n{self.told}"

    @property
    def turns_max(self) -> int:
        """How many answers a model has for it: one a call, and three to look or to mend."""
        return max(len(way.wanted()) for way in self.want) + 3


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All situations, and the office they happen in."""

    system: str
    tools: list[str]
    looks: list[str]
    """Tools that change nothing: using them is never wrong."""
    world: dict[str, str]
    kinds: dict[str, str]
    situations: list[Situation]


def load() -> Book:
    """Read the situations that come with Dayshift. Blocks."""
    text = files("dayshift.app.model_check").joinpath("situations.yaml").read_text("utf-8")
    reader: Any = YAML(typ="safe")
    return msgspec.convert(reader.load(text), Book)


def tools_of(book: Book) -> list[Tool]:
    """The office's own tools that the situations offer, in the order of the file."""
    nowhere: Any = _Nowhere()
    every = Toolbox(
        talk=nowhere,
        board=nowhere,
        book=nowhere,
        computer_of=nowhere,
        describe_time=str,
        is_isolated=True,
    ).tools()
    named = {tool.name: tool for tool in every}
    return [named[name] for name in book.tools]


class _Nowhere:
    """Stands where a room of an office would: the tools are offered, and never run."""

    def __getattr__(self, name: str) -> "_Nowhere":
        return self
