"""Calls come together from their pieces, whatever a provider leaves out or repeats."""

from __future__ import annotations

from typing import Any

import pytest

from dayshift.core.model import CallPart
from dayshift.models.openai_calls import CallCollector

LS = '{"command": "ls"}'


def piece(arguments: object = "", *, name: str = "", **more: object) -> dict[str, Any]:
    """One piece of a call."""
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"type": "function", "function": function, **more}


@pytest.mark.parametrize(
    ("events", "calls"),
    [
        pytest.param(
            [
                [piece(name="bash", index=0, id="call_aaaaaaaaaaaaaaaaaaaa")],
                [piece('{"command":', index=0)],
                [piece(' "ls"}', index=0)],
            ],
            [CallPart("call_aaaaaaaaaaaaaaaaaaaa", "bash", LS)],
            id="as OpenAI does",
        ),
        pytest.param(
            [[piece(LS, name="bash"), piece("{}", name="look")]],
            [CallPart("call_0_0", "bash", LS), CallPart("call_0_1", "look", "{}")],
            id="neither index nor id",
        ),
        pytest.param(
            [[piece(name="bash")], [piece('{"command":')], [piece(' "ls"}')]],
            [CallPart("call_0_0", "bash", LS)],
            id="neither index nor id, in pieces",
        ),
        pytest.param(
            [
                [piece('{"command":', name="bash", id="one_aaaaaaaaaaaaaaaaaaaa")],
                [piece(' "ls"}', name="bash", id="one_aaaaaaaaaaaaaaaaaaaa")],
                [piece("{}", name="look", id="two_aaaaaaaaaaaaaaaaaaaa")],
            ],
            [
                CallPart("one_aaaaaaaaaaaaaaaaaaaa", "bash", LS),
                CallPart("two_aaaaaaaaaaaaaaaaaaaa", "look", "{}"),
            ],
            id="id and name in every piece",
        ),
        pytest.param(
            [
                [piece(LS, name="bash", index=0, id="one_aaaaaaaaaaaaaaaaaaaa")],
                [piece("{}", name="look", index=0, id="two_aaaaaaaaaaaaaaaaaaaa")],
            ],
            [
                CallPart("one_aaaaaaaaaaaaaaaaaaaa", "bash", LS),
                CallPart("two_aaaaaaaaaaaaaaaaaaaa", "look", "{}"),
            ],
            id="always index 0",
        ),
        pytest.param(
            [[piece({"command": "ls"}, name="bash", index=3, id="x")]],
            [CallPart("x", "bash", '{"command":"ls"}')],
            id="arguments as an object",
        ),
    ],
)
def test_pieces_become_calls(events: list[list[dict[str, Any]]], calls: list[CallPart]) -> None:
    """Compatible servers agree on little.

    Demanded by: MODEL-1.
    """
    collector = CallCollector({})
    for event in events:
        for number, part in enumerate(event):
            collector.add(part, number)

    assert collector.parts([]) == calls


def test_a_call_is_named_once_by_its_real_name() -> None:
    """People see which tool it is as soon as it begins.

    Demanded by: RUN-1, streaming; COST-01.
    """
    collector = CallCollector({"git_log_1": "git.log"})
    collector.add(piece(name="git_log_1", index=0), 0)
    collector.add(piece("{}", name="git_log_1", index=0), 0)

    assert collector.named == ["git.log"]
    assert collector.parts([])[0].name == "git.log"
