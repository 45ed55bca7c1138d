"""The check of a model: the same small situations for everyone, judged by rule."""

from __future__ import annotations

import asyncio
import os
import pty
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dayshift.app.model_check.judge import Judge
from dayshift.app.model_check.situations import load, tools_of
from dayshift.testing.model_server import Call, Fail, ModelServer, Say, Seen
from tests.spec.cli_stage import DAYSHIFT, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dayshift.app.model_check.situations import Situation, Wanted

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

BOOK = load()
TOOLS = {tool.name: tool for tool in tools_of(BOOK)}
BY_TEXT = {situation.text: situation for situation in BOOK.situations}
CHECK = ("model", "check", "acme:fake")


def _home(folder: Path, server: ModelServer, **facts: float) -> Path:
    """A home that knows the server as a provider; with prices it costs."""
    row = {
        "id": "acme",
        "name": "Acme",
        "base_url": server.openai_url,
        "default_model": "fake",
        "models": [{"match": ["*"], "facts": {"input_usd": 0, "output_usd": 0, **facts}}],
    }
    content = {"schema_version": 1, "providers": [row], "api_keys": {"acme": "sk-canary-1"}}
    (folder / "providers.json").write_bytes(msgspec.json.encode(content))
    return folder


def _right_calls(situation: Situation) -> list[Call]:
    """The calls of the first right way, made out of what they must hold."""
    return [
        Call(name=name, arguments=_arguments(name, wanted))
        for name, wanted in situation.want[0].wanted()
    ]


def _arguments(tool: str, wanted: Wanted) -> dict[str, Any]:
    schema = TOOLS[tool].schema.parameters
    made: dict[str, Any] = {
        name: "whatever" for name in schema.get("required", []) if name not in wanted
    }
    for name, texts in wanted.items():
        text = _first(texts) if isinstance(texts, str) else " ".join(map(_first, texts))
        is_list = schema["properties"][name].get("type") == "array"
        told = [{"text": text, "path": text}] if name == "evidence" else [text]
        made[name] = told if is_list else text
    return made


def _first(text: str) -> str:
    return text.split("|", maxsplit=1)[0]


def _perfect(seen: Seen) -> Say:
    """What a model would answer that does everything right, one call an answer."""
    situation = BY_TEXT[seen.said]
    calls = _right_calls(situation)
    if seen.step < len(calls):
        return Say(calls=(calls[seen.step],))
    return Say(text=" ".join(map(_first, situation.want[0].say or ["Done."])) or "Noted.")


@pytest.mark.parametrize("situation", BOOK.situations, ids=lambda one: one.id)
def test_every_situation_knows_right_from_wrong(situation: Situation) -> None:
    """Its own right way passes, its forbidden calls and the office's silence do not.

    Demanded by: stack, the zero-key default: `model check` judges by rule.
    """
    good, idle = (Judge(situation, BOOK.looks) for _ in range(2))
    verdicts = [good.called(call.name, _given(call)) for call in _right_calls(situation)]
    last = next((one for one in verdicts if one is not None), None)
    said = " ".join(map(_first, situation.want[0].say or ["Done."]))
    assert (last or good.ended(said)).right
    assert idle.ended("Understood.").right is (situation.id == "thanks-need-no-answer")
    for forbidden in situation.never:
        for tool, wanted in forbidden.items():
            verdict = Judge(situation, BOOK.looks).called(tool, _arguments(tool, wanted))
            assert verdict is not None
            assert not verdict.right


def _given(call: Call) -> Mapping[str, Any]:
    assert isinstance(call.arguments, dict)
    return call.arguments


def test_there_are_fifty_five_of_known_kinds() -> None:
    """Each has a name of its own, and offers what the office has.

    Demanded by: stack, the zero-key default.
    """
    assert len(BOOK.situations) == len({one.id for one in BOOK.situations}) == 55
    assert {one.kind for one in BOOK.situations} == set(BOOK.kinds)
    assert set(BOOK.world) == set(BOOK.tools) == set(TOOLS)


async def test_a_model_that_does_everything_right_is_a_colleague(tmp_path: Path) -> None:
    """The check goes over the real wire, tries again what may pass, and names no secret.

    Demanded by: stack, the zero-key default; MODEL-1; MODEL-3.
    """
    async with ModelServer(_perfect) as server:
        server.say(Fail(status=429, headers={"Retry-After": "0"}))
        done = await run(*CHECK, "--json", home=_home(tmp_path, server))
        card = done.document
        assert server.complaints == []
    assert (done.code, card["complete"], card["level"]) == (0, True, "colleague")
    assert [one for one in card["situations"] if not one["right"]] == []
    assert (card["right"], card["of"], card["cost_usd"]) == (55, 55, 0.0)
    assert sum(figure["of"] for figure in card["figures"]) == 55
    assert card["requests"] == len(server.requests) - 1
    assert "sk-canary-1" not in done.out + done.err


async def test_a_model_that_only_talks_is_a_test_of_the_wire(tmp_path: Path) -> None:
    """What was wrong is said for each situation, and a low score is no failure of the command.

    Demanded by: stack, the zero-key default.
    """
    async with ModelServer() as server:
        done = await run(*CHECK, home=_home(tmp_path, server))
    assert done.code == 0
    assert re.search(r"^Together +1 of 55$", done.out, re.MULTILINE)
    assert "  tell-ben: It ended without message_agent.\n" in done.out
    assert "is good for: A test of the wire, nothing more" in done.out


async def test_nothing_is_spent_that_was_not_agreed_to(tmp_path: Path) -> None:
    """Without an agreement nothing is sent; with one, the limit ends the check before it is passed.

    Demanded by: stack, the zero-key default: asked before spending.
    """
    async with ModelServer(_perfect) as server:
        home = _home(tmp_path, server, input_usd=10.0, output_usd=50.0)
        refused = await run(*CHECK, home=home)
        asked_before = len(server.requests)
        limited = await run(*CHECK, "--yes", "--max-usd", "0.4", "--json", home=home)
    card = limited.document
    assert (refused.code, asked_before) == (3, 0)
    assert "and no more than $1" in refused.err
    assert (limited.code, card["complete"]) == (3, False)
    assert 0 < card["of"] < 55
    assert 0 < card["cost_usd"] <= 0.4


async def test_a_provider_that_refuses_ends_the_check(tmp_path: Path) -> None:
    """A wrong key is said at once, and is not asked about fifty-five times.

    Demanded by: the working office, 3, bad input.
    """
    async with ModelServer(lambda _: Fail(status=401)) as server:
        done = await run(*CHECK, home=_home(tmp_path, server))
        asked = len(server.requests)
    unknown = await run("model", "check", "acmee:fake", home=tmp_path)
    unnamed = await run("model", "check", home=tmp_path)
    assert (done.code, unknown.code, unnamed.code) == (1, 2, 2)
    assert asked <= 3
    assert "Did you mean acme:fake?" in unknown.err
    assert "Traceback" not in done.err + unknown.err + unnamed.err


async def test_who_watches_sees_how_far_it_is(tmp_path: Path) -> None:
    """A bar on the terminal says how many situations are done.

    Demanded by: the working office, 1.4, progress on anything over two seconds.
    """
    seen_enough = asyncio.Event()

    async def slowly(seen: Seen) -> Say:
        if seen.number > 20:
            await seen_enough.wait()
        return _perfect(seen)

    async with ModelServer(slowly) as server:
        ours, theirs = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(DAYSHIFT, *CHECK, "--home", _home(tmp_path, server)),
            stdout=asyncio.subprocess.PIPE,
            stderr=theirs,
            env={"PATH": "/usr/bin:/bin", "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(theirs)
        shown = await asyncio.to_thread(_read_until, ours, b"of 55")
        seen_enough.set()
        out, _ = await process.communicate()
        os.close(ours)
    assert b"Asking acme:fake" in shown
    assert process.returncode == 0
    assert re.search(rb"^Together +55 of 55$", out, re.MULTILINE)


def _read_until(terminal: int, word: bytes) -> bytes:
    """What a terminal shows, up to a word."""
    seen = b""
    while word not in seen:
        seen += os.read(terminal, 4_096)
    return seen
