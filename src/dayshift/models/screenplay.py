"""Screenplays: who answers what, written down as YAML for the rehearsal provider.

A screenplay has a name and scenes. For a request, the first scene that fits the agent and the
inbox item is played; which of its steps depends on how often the agent has answered since the item
came::

    name: landing-page
    pace:
      think_s: 0.8          # wait before each answer; 0 when left out
      chars_per_s: 120      # speed of the text; 0, the default, means at once
    scenes:
      - agent: pm           # a name, a list of names, or "*", the default
        on:                 # every line given must fit; without `on`, any item fits
          kind: message     # kind, source, type, sender, task, thread: a word or a list of words
          sender: person:ada
          text: "(?i)page for (?P<what>.+)"     # a regular expression, found anywhere in the item
        steps:
          - reasoning: Two parts, one after the other.
            text: I will split this up.
            calls:
              - tool: task_create
                arguments: {title: "Copy for {{match.what}}", assignee: copywriter}
                as: copy    # what its result is called later
          - calls:
              - tool: message_agent
                arguments: {to: copywriter, text: "{{copy.id}} is yours."}
            wait_s: 2       # instead of think_s
            tokens: {input: 900, output: 60}    # instead of an estimate
          - text: "Started: {{copy.id}}."
            finish: stop    # stop, the default, length or refusal

Places that are filled in, in texts and arguments:

* ``{{agent}}``, ``{{item.text}}`` and the other lines of the item;
* ``{{match.1}}``, ``{{match.what}}``: groups of the scene's ``text``;
* ``{{result.1}}``: the text of the first tool result since the item, ``{{result.-1}}`` the last,
  ``{{copy}}`` that of the call called ``copy``;
* ``{{copy.id}}``: the field ``id`` of a result that is a JSON object, otherwise the first id in
  its text, of the form ``T-12``; other fields work on JSON objects only;
* ``{{copy.line.2}}``: the second line of a result.

A place that cannot be filled is left as it stands, so that it is seen.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dayshift.core.errors import ConfigError
from dayshift.core.model import Finish
from dayshift.models.text import is_list, is_object

ITEM_LINES = ("kind", "source", "type", "sender", "task", "thread")
FINISHES: tuple[Finish, ...] = ("stop", "length", "refusal")
_PLACE = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")
_ID = re.compile(r"\b[A-Z]{1,3}-\d+\b")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One tool call of a step; ``name`` is what its result is called."""

    tool: str
    arguments: dict[str, Any]
    name: str = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One answer. ``wait_s`` is ``None`` where the pace holds, token counts where estimated."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    wait_s: float | None = None
    finish: Finish = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Steps for an agent and an item; an empty ``agents`` is any agent."""

    agents: tuple[str, ...]
    lines: dict[str, tuple[str, ...]]
    text: str
    steps: tuple[Step, ...]

    def match(self, agent: str, item: Mapping[str, str]) -> dict[str, str] | None:
        """The groups of its text pattern when it fits; ``None`` when it does not."""
        if self.agents and agent not in self.agents:
            return None
        if any(item.get(line, "") not in words for line, words in self.lines.items()):
            return None
        found = re.search(self.text, item.get("text", ""))
        if found is None:
            return None
        groups = {str(number): text or "" for number, text in enumerate(found.groups(), start=1)}
        return groups | {name: text or "" for name, text in found.groupdict().items()}


class Screenplay(msgspec.Struct, frozen=True, kw_only=True):
    """A whole screenplay. ``think_s`` and ``chars_per_s`` are its pace; 0 means no wait."""

    name: str
    scenes: tuple[Scene, ...]
    think_s: float = 0.0
    chars_per_s: float = 0.0


def fill(value: Any, places: Mapping[str, str]) -> Any:  # noqa: ANN401  arguments are any JSON
    """The value with every ``{{place}}`` in its texts filled in; unknown ones are left."""
    if isinstance(value, str):
        return _PLACE.sub(lambda found: _filled(found[1], places, found[0]), value)
    if is_object(value):
        return {name: fill(item, places) for name, item in value.items()}
    if is_list(value):
        return [fill(item, places) for item in value]
    return value


def _filled(place: str, places: Mapping[str, str], otherwise: str) -> str:
    if place in places:
        return places[place]
    name, _, field = place.rpartition(".")
    if name.endswith(".line") and field.isdigit() and name.removesuffix(".line") in places:
        lines = places[name.removesuffix(".line")].splitlines()
        return lines[int(field) - 1] if 0 < int(field) <= len(lines) else otherwise
    if name not in places:
        return otherwise
    return _field(places[name], field, otherwise)


def _field(text: str, field: str, otherwise: str) -> str:
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError:
        value = None
    if is_object(value) and field in value:
        found = value[field]
        return found if isinstance(found, str) else msgspec.json.encode(found).decode()
    if field == "id" and (match := _ID.search(text)):
        return match[0]
    return otherwise


def read_screenplay(file: Path) -> Screenplay:
    """Read one screenplay.

    Raises:
        ConfigError: It is no YAML, or says something we do not know; with the line.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    reader: Any = YAML()
    try:
        content = reader.load(file.read_text("utf-8"))
    except MarkedYAMLError as error:
        told: Any = error
        mark = told.problem_mark or told.context_mark
        raise ConfigError(
            f"This is not YAML: {told.problem or told.context}.",
            file=str(file),
            line=mark.line + 1 if mark else 0,
            column=mark.column + 1 if mark else 0,
        ) from error
    except (YAMLError, OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"It cannot be read: {error}.", file=str(file)) from error
    return _Reading(str(file)).screenplay(content, default_name=file.stem)


class _Reading:
    """Reads the parts and names the line of what is wrong."""

    def __init__(self, file: str) -> None:
        self._file = file

    def screenplay(self, content: Any, *, default_name: str) -> Screenplay:  # noqa: ANN401  YAML
        root = self._mapping(content, ("name", "title", "pace", "scenes"), None, "the screenplay")
        pace = self._mapping(root.get("pace") or {}, ("think_s", "chars_per_s"), root, "pace")
        scenes = self._list(root.get("scenes"), root, "scenes")
        return Screenplay(
            name=self._text(root.get("name", default_name), root, "name"),
            think_s=self._number(pace.get("think_s", 0), pace, "think_s"),
            chars_per_s=self._number(pace.get("chars_per_s", 0), pace, "chars_per_s"),
            scenes=tuple(self._scene(scene, scenes) for scene in scenes),
        )

    def _scene(self, content: Any, parent: Any) -> Scene:  # noqa: ANN401  YAML
        scene = self._mapping(content, ("agent", "on", "steps", "title"), parent, "a scene")
        on = self._mapping(scene.get("on") or {}, (*ITEM_LINES, "text"), scene, "on")
        pattern = self._text(on.get("text", ""), on, "text")
        try:
            re.compile(pattern)
        except re.error as error:
            raise self._wrong(f"'text' is no regular expression: {error}.", on, "text") from error
        agents = self._words(scene.get("agent", "*"), scene, "agent")
        steps = self._list(scene.get("steps"), scene, "steps")
        return Scene(
            agents=() if "*" in agents else agents,
            lines={line: self._words(on[line], on, line) for line in ITEM_LINES if line in on},
            text=pattern,
            steps=tuple(self._step(step, steps) for step in steps),
        )

    def _step(self, content: Any, parent: Any) -> Step:  # noqa: ANN401  YAML
        known = ("text", "reasoning", "calls", "wait_s", "finish", "tokens")
        step = self._mapping(content, known, parent, "a step")
        tokens = self._mapping(step.get("tokens") or {}, ("input", "output"), step, "tokens")
        finish = step.get("finish", "stop")
        if finish not in FINISHES:
            raise self._wrong(f"'finish' must be one of {', '.join(FINISHES)}.", step, "finish")
        calls = self._list(step.get("calls") or [], step, "calls", empty=True)
        wait = step.get("wait_s")
        return Step(
            text=self._text(step.get("text", ""), step, "text"),
            reasoning=self._text(step.get("reasoning", ""), step, "reasoning"),
            calls=tuple(self._call(call, calls) for call in calls),
            wait_s=None if wait is None else self._number(wait, step, "wait_s"),
            finish=finish,
            input_tokens=self._count(tokens, "input"),
            output_tokens=self._count(tokens, "output"),
        )

    def _call(self, content: Any, parent: Any) -> Call:  # noqa: ANN401  YAML
        call = self._mapping(content, ("tool", "arguments", "as"), parent, "a call")
        if "tool" not in call:
            raise self._wrong("A call must name its 'tool'.", call, None)
        arguments: Any = call.get("arguments") or {}
        if not is_object(arguments):
            raise self._wrong("'arguments' must be a mapping.", call, "arguments")
        return Call(
            tool=self._text(call["tool"], call, "tool"),
            arguments=_plain(arguments),
            name=self._text(call.get("as", ""), call, "as"),
        )

    def _mapping(self, value: Any, known: Sequence[str], parent: Any, what: str) -> Any:  # noqa: ANN401  YAML
        if not is_object(value):
            raise self._wrong(f"{what.capitalize()} must be a mapping.", parent, None)
        for key in value:
            if key not in known:
                raise self._wrong(
                    f"Unknown key {str(key)!r} in {what}; known are {', '.join(known)}.", value, key
                )
        return value

    def _list(self, value: Any, parent: Any, key: str, *, empty: bool = False) -> Any:  # noqa: ANN401  YAML
        if not is_list(value) or not (value or empty):
            raise self._wrong(f"'{key}' must be a list with at least one entry.", parent, key)
        return value

    def _words(self, value: Any, parent: Any, key: str) -> tuple[str, ...]:  # noqa: ANN401  YAML
        words: list[Any] = value if is_list(value) else [value]
        return tuple(self._text(word, parent, key) for word in words)

    def _text(self, value: Any, parent: Any, key: str) -> str:  # noqa: ANN401  YAML
        if not isinstance(value, str):
            raise self._wrong(f"'{key}' must be a text.", parent, key)
        return str(value)

    def _number(self, value: Any, parent: Any, key: str) -> float:  # noqa: ANN401  YAML
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise self._wrong(f"'{key}' must be a number of at least 0.", parent, key)
        return float(value)

    def _count(self, tokens: Any, key: str) -> int | None:  # noqa: ANN401  YAML
        value = tokens.get(key)
        return None if value is None else int(self._number(value, tokens, key))

    def _wrong(self, message: str, parent: Any, key: Any) -> ConfigError:  # noqa: ANN401  YAML
        line, column = 0, 0
        place = getattr(parent, "lc", None)
        if place is not None:
            line, column = place.line + 1, place.col + 1
            if key is not None and is_object(parent) and key in parent:
                at = place.key(key)
                line, column = at[0] + 1, at[1] + 1
        return ConfigError(message, file=self._file, line=line, column=column)


def _plain(value: Any) -> Any:  # noqa: ANN401  YAML is any value
    """YAML's own mappings, lists and texts as plain ones."""
    if is_object(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_list(value):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else str(value)
