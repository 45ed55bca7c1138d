"""Screenplays: what they may say, how their places are filled, and how a mistake is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.errors import ConfigError
from dayshift.models.screenplay import fill, read_screenplay

if TYPE_CHECKING:
    from pathlib import Path

PLAY = """
name: landing-page
pace: {think_s: 0.5, chars_per_s: 100}
scenes:
  - agent: [pm, lead]
    on: {kind: message, source: [person, talk], text: "page for (?P<what>.+)"}
    steps:
      - text: I split it up.
        reasoning: Two parts.
        calls:
          - tool: task_create
            arguments: {title: "Copy for {{match.what}}", tags: [a, 1, true, null, 1.5]}
            as: copy
        wait_s: 2
        tokens: {input: 900, output: 60}
      - {text: "Done.", finish: length}
  - steps: [{text: hello}]
"""
PLACES = {
    "agent": "pm",
    "copy": '{"id": "T-7", "title": "Copy", "n": [1]}',
    "result.1": "Created T-12 for copywriter.\nsecond line",
}


def write(folder: Path, text: str) -> Path:
    """A screenplay in a file."""
    file = folder / "screenplay.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_screenplay_is_read_as_it_stands(tmp_path: Path) -> None:
    """Everything the format page names.

    Demanded by: MODEL-6.
    """
    play = read_screenplay(write(tmp_path, PLAY))

    assert (play.name, play.think_s, play.chars_per_s) == ("landing-page", 0.5, 100.0)
    scene, other = play.scenes
    assert scene.agents == ("pm", "lead")
    assert scene.lines == {"kind": ("message",), "source": ("person", "talk")}
    first, second = scene.steps
    assert (first.text, first.reasoning, first.wait_s) == ("I split it up.", "Two parts.", 2.0)
    assert (first.input_tokens, first.output_tokens) == (900, 60)
    call = first.calls[0]
    assert (call.tool, call.name) == ("task_create", "copy")
    assert call.arguments == {"title": "Copy for {{match.what}}", "tags": ["a", 1, True, None, 1.5]}
    assert (second.finish, second.wait_s) == ("length", None)
    assert (other.agents, other.lines, other.text) == ((), {}, "")


@pytest.mark.parametrize(
    ("agent", "item", "groups"),
    [
        (
            "pm",
            {"kind": "message", "source": "talk", "text": "a page for cats"},
            {"1": "cats", "what": "cats"},
        ),
        ("dev", {"kind": "message", "source": "talk", "text": "a page for cats"}, None),
        ("pm", {"kind": "event", "source": "talk", "text": "a page for cats"}, None),
        ("pm", {"kind": "message", "text": "a page for cats"}, None),
        ("pm", {"kind": "message", "source": "talk", "text": "a poem"}, None),
    ],
)
def test_a_scene_fits_only_when_every_line_does(
    tmp_path: Path, agent: str, item: dict[str, str], groups: dict[str, str] | None
) -> None:
    """Agent, kind, source and text all count.

    Demanded by: MODEL-6.
    """
    scene = read_screenplay(write(tmp_path, PLAY)).scenes[0]

    assert scene.match(agent, item) == groups


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{copy.id}} by {{ agent }}", "T-7 by pm"),
        ("{{copy.n}}", "[1]"),
        ("{{result.1.id}}", "T-12"),
        ("{{result.1.line.2}}", "second line"),
        ("{{result.1.line.9}}", "{{result.1.line.9}}"),
        ("{{result.1.title}}", "{{result.1.title}}"),
        ("{{nothing}} {{no.thing}}", "{{nothing}} {{no.thing}}"),
        ("{ {agent} }", "{ {agent} }"),
    ],
)
def test_places_are_filled_or_left_to_be_seen(text: str, filled: str) -> None:
    """Ids come from results, JSON or not; a slip stays visible.

    Demanded by: MODEL-6.
    """
    assert fill({"deep": [text, 1]}, PLACES) == {"deep": [filled, 1]}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("scenes: [", ":1:"),
        ("- a", "The screenplay must be a mapping."),
        ("name: x", "'scenes' must be a list with at least one entry."),
        ("scenes:\n  - stops: []", ":2:5: Unknown key 'stops' in a scene"),
        ("scenes:\n  - steps: []", ":2:5: 'steps' must be a list with at least one entry."),
        ("scenes:\n  - steps:\n      - txt: hi", ":3:9: Unknown key 'txt' in a step"),
        ("scenes:\n  - on: {text: '('}\n    steps: [{text: a}]", "'text' is no regular expression"),
        ("scenes:\n  - on: {colour: red}\n    steps: [{text: a}]", "Unknown key 'colour' in on"),
        ("scenes:\n  - steps:\n      - calls: [{arguments: {}}]", "A call must name its 'tool'."),
        ("scenes:\n  - steps:\n      - {text: a, finish: maybe}", "'finish' must be one of"),
        ("scenes:\n  - steps:\n      - {text: a, wait_s: -1}", "'wait_s' must be a number"),
        ("scenes:\n  - steps:\n      - text: 5", ":3:9: 'text' must be a text."),
        ("scenes:\n  - steps:\n      - {tokens: {input: x}}", "'input' must be a number"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, text: str, complaint: str) -> None:
    """Whoever writes a demo makes slips.

    Demanded by: MODEL-6, bad input of the working office.
    """
    file = write(tmp_path, text)

    with pytest.raises(ConfigError) as caught:
        read_screenplay(file)

    assert complaint in str(caught.value)
    assert str(caught.value).startswith(str(file))
