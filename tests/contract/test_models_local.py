"""Small models on this machine: calls through a schema, and a real one for the wire's sake."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest

from dayshift.core.errors import InvalidError, ModelUnreachableError
from dayshift.core.model import AssistantMessage, CallPart, Delta, TextPart
from dayshift.models.catalogue import Catalogue
from dayshift.models.facts import FactBook
from dayshift.models.local import Engine, Shelf
from dayshift.models.local_install import MODELS, install
from dayshift.models.providers import Providers
from dayshift.models.quirks import Quirks
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.schema_calls import SchemaCalls, answer_schema
from dayshift.models.wire import Wire
from dayshift.testing.model_server import Say, Strictness
from tests.contract.models_stage import BASH, NO_TOOLS, TOOLS, calls, request, result, says, stage

if TYPE_CHECKING:
    from collections.abc import Callable

SMOL = Path(__file__).parents[2] / "build" / "models" / "smollm2.gguf"
"""Fetched by ``python -m dayshift.models.local_install build/models``."""
STRICT = Strictness(schema="plain", alternate=True)
PLAIN = Quirks(schema="plain", alternate=True)


@pytest.mark.parametrize(
    ("said", "parts", "finish", "deltas"),
    [
        ('{"say": "Done."}', (TextPart("Done."),), "stop", [Delta("text", "Done.")]),
        (
            '{"call": "bash", "arguments": {"command": "ls"}}',
            (CallPart("call_1_0", "bash", '{"command":"ls"}'),),
            "tool_calls",
            [Delta("call", "bash")],
        ),
        ('{"say": ""}', (), "stop", []),
        ("no JSON", (TextPart("no JSON"),), "stop", [Delta("text", "no JSON")]),
    ],
)
async def test_an_answer_in_the_schema_is_speech_or_a_call(
    said: str, parts: tuple[object, ...], finish: str, deltas: list[Delta]
) -> None:
    """A model that cannot call tools fills in a form.

    Demanded by: the working office, the local extra; MODEL-1.
    """
    async with stage(STRICT) as play:
        play.server.say(Say(text=said))
        answer = await play.ask(SchemaCalls(play.openai(PLAIN)), says("look"))

        seen = play.server.requests[0]
        assert play.server.complaints == []
        assert (answer.message.parts, answer.message.finish) == (parts, finish)
        assert play.deltas == deltas
        assert seen.tools == []
        assert "- bash(command): Run a command." in seen.system
        assert seen.body["response_format"]["json_schema"]["schema"] == answer_schema((BASH,))


async def test_an_answer_that_was_cut_off_is_no_call() -> None:
    """Half a JSON object is left as the text it is.

    Demanded by: CALL-05.
    """
    cut = '{"call": "bash", "arguments": {"command": "rm -rf bui'
    async with stage(STRICT) as play:
        play.server.say(Say(text=cut, finish="length"))
        answer = await play.ask(SchemaCalls(play.openai(PLAIN)), says("look"))

    assert answer.message == AssistantMessage((TextPart(cut),), finish="length")


async def test_earlier_calls_are_told_in_the_words_of_the_schema() -> None:
    """The model sees its own answers as it gave them, and results as messages.

    Demanded by: the working office, the local extra.
    """
    async with stage(STRICT) as play:
        model = SchemaCalls(play.openai(PLAIN))
        dialogue = (says("look"), calls(("c1", '{"command": "ls"}')), result("c1", "a.txt"))
        await play.ask(model, *dialogue)
        await play.ask(model, *dialogue, says("Summarise."), tools=NO_TOOLS)

        assert play.server.complaints == []
        assert [message["content"] for message in play.server.requests[0].messages] == [
            "look",
            '{"call":"bash","arguments":{"command":"ls"}}',
            "Result of bash:\na.txt",
        ]
        assert "response_format" not in play.server.requests[1].body


def test_every_text_of_the_schema_is_bounded() -> None:
    """Without a bound a small model writes until it is cut off.

    Demanded by: the working office, the local extra.
    """
    schema = orjson.dumps(answer_schema(TOOLS.schemas))

    assert schema.count(b'"type":"string"') == schema.count(b'"maxLength"') == 2


@pytest.fixture
def shelf(tmp_path: Path) -> Callable[..., Shelf]:
    """A home's model files, read before the loop runs."""

    def make(**files: bytes) -> Shelf:
        (tmp_path / "models").mkdir(exist_ok=True)
        for name, content in files.items():
            (tmp_path / "models" / f"{name}.gguf").write_bytes(content)
        return Shelf(tmp_path)

    return make


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file that begins like a model and is none."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF nonsense")
    return file


def test_only_a_model_file_is_added(tmp_path: Path, shelf: Callable[..., Shelf]) -> None:
    """Whole, under its own name.

    Demanded by: the working office, the local extra.
    """
    good, bad = tmp_path / "tiny.gguf", tmp_path / "photo.gguf"
    good.write_bytes(b"GGUF and more")
    bad.write_bytes(b"JPEG")
    ours = shelf()

    assert ours.add(good) == "tiny"
    assert ours.names() == ["tiny"]
    with pytest.raises(InvalidError, match=r"photo\.gguf is no GGUF file"):
        ours.add(bad)
    with pytest.raises(InvalidError, match="no home"):
        Shelf().add(good)


def test_a_model_that_nobody_packed_is_not_installed(tmp_path: Path) -> None:
    """And one that is there and whole is not fetched again.

    Demanded by: the working office, the local extra.
    """
    with pytest.raises(InvalidError, match="There is no model 'gpt-9'"):
        install("gpt-9", tmp_path)
    assert MODELS["smollm2"].licence == "Apache-2.0"


@pytest.mark.needs("xllamacpp")
@pytest.mark.timeout(240)
async def test_a_broken_model_file_is_told_and_nothing_is_left_running(broken: Path) -> None:
    """The engine ends in its own process, not in ours.

    Demanded by: the working office, the local extra.
    """
    async with Wire() as wire:
        with pytest.raises(ModelUnreachableError) as caught:
            await Engine(broken, wire, threads=1).endpoint()

    assert "could not be loaded" in caught.value.message or "without a word" in caught.value.message


@pytest.fixture
def small_model() -> tuple[Shelf, Rehearsals, FactBook]:
    """The real small model and what a catalogue needs beside it."""
    if not SMOL.is_file():
        if os.environ.get("CI"):
            pytest.fail("build/models/smollm2.gguf is missing; .ci/run should have fetched it")
        pytest.skip("build/models/smollm2.gguf is missing")
    assert hashlib.sha256(SMOL.read_bytes()).hexdigest() == MODELS["smollm2"].file_sha256
    return Shelf(SMOL.parents[1]), Rehearsals(), FactBook()


@pytest.mark.realmodel
@pytest.mark.needs("xllamacpp")
@pytest.mark.timeout(180)
async def test_a_real_small_model_speaks_over_the_wire(
    small_model: tuple[Shelf, Rehearsals, FactBook],
) -> None:
    """It streams, counts and keeps to the schema; how wise it is, is not asked.

    Demanded by: the local extra; the stack, tests with a real model assert the wire.
    """
    shelf, rehearsals, facts = small_model
    deltas: list[Delta] = []
    async with Wire() as wire:
        catalogue = Catalogue(
            Providers((), {}), lambda _name: None, wire, rehearsals, facts=facts, shelf=shelf
        )
        model = catalogue.resolve("local:smollm2")
        spoken = await model.ask(
            request(says("Say hello."), tools=NO_TOOLS, max_output_tokens=24, idle_limit_s=60.0),
            deltas.append,
        )
        held = await model.ask(
            request(says("List the files."), max_output_tokens=200, idle_limit_s=60.0),
            deltas.append,
        )
        with pytest.raises(InvalidError) as unknown:
            catalogue.resolve("local:smollm")

    assert spoken.message.text == "".join(d.text for d in deltas[:-1] if d.kind == "text")
    assert len(deltas) > 3
    assert spoken.usage.input_tokens > 0
    assert spoken.usage.output_tokens > 0
    assert held.message.calls or held.message.text
    assert all(call.name == "bash" for call in held.message.calls)
    assert unknown.value.hint == "There is local:smollm2."
