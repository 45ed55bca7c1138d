"""From a name to a model that answers, and what can be used here and now."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.core.errors import InvalidError, NotFoundError
from dayshift.models import VENDORS
from dayshift.models.catalogue import Catalogue
from dayshift.models.facts import FactBook
from dayshift.models.providers import Providers, load_providers
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire
from dayshift.testing.model_server import Fail, ModelServer, Say, Strictness
from tests.contract.models_stage import KEY, request, says

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

NOBODY = "http://127.0.0.1:9/v1"
"""Nothing listens there."""
ROWS = load_providers().rows
ALL_KEYS = {row.api_key_env: KEY for row in ROWS.values() if row.api_key_env}
KEYED = {row.id for row in ROWS.values() if row.api_key_env}
FACTS = FactBook()
FACTS.facts(ROWS["openai"], "gpt-4o-mini")  # Reads the price list, before a loop runs.


def leading(**urls: str) -> Providers:
    """The built-in providers: those named at other addresses, local ones else nowhere."""
    named = {name.replace("_", "-"): url for name, url in urls.items()}
    rows = [
        msgspec.structs.replace(
            row, base_url=named.get(row.id, NOBODY if row.local else row.base_url)
        )
        for row in ROWS.values()
    ]
    return Providers(tuple(rows), {})


@pytest.fixture
def rehearsals(tmp_path: Path) -> Rehearsals:
    """Those of an office with a screenplay of its own; files are read before the loop runs."""
    text = "name: shop\nscenes: [{steps: [{text: hi}]}]"
    (tmp_path / "screenplay.yaml").write_text(text)
    return Rehearsals(scale=0.0).within(tmp_path)


@asynccontextmanager
async def opened(
    providers: Providers, keys: dict[str, str], rehearsals: Rehearsals
) -> AsyncGenerator[Catalogue]:
    """A catalogue with a wire."""
    async with Wire() as wire:
        yield Catalogue(providers, keys.get, wire, rehearsals, facts=FACTS)


def test_the_vendors_are_listed() -> None:
    """A list can be searched, typed and read.

    Demanded by: the house, explicit lists.
    """
    assert [import_module(f"dayshift.models.{name}").__name__ for name in VENDORS]


@pytest.mark.parametrize(
    ("provider", "schema"),
    [
        ("openai", "full"),
        ("anthropic", "full"),
        ("google_gemini", "openapi"),
        ("deepseek", "full"),
        ("mistral", "full"),
        ("moonshot", "plain"),
        ("zhipu", "plain"),
        ("dashscope", "plain"),
        ("cerebras", "plain"),
        ("vllm", "plain"),
        ("ollama", "plain"),
    ],
)
async def test_a_named_model_answers_through_its_providers_row(
    rehearsals: Rehearsals, provider: str, schema: str
) -> None:
    """Address, header, dialect and quirks come from the row.

    Demanded by: MODEL-1, the providers really used for chat; COST-01.
    """
    name = provider.replace("_", "-")
    async with ModelServer(strictness=Strictness(schema=schema, needs_key=name in KEYED)) as server:
        providers = leading(**{provider: server.openai_url})
        async with opened(providers, ALL_KEYS, rehearsals) as catalogue:
            model = catalogue.resolve(f"{name}:some-model")
            server.say(Say(text="Ready."))
            answer = await model.ask(request(says("a"), thinking="low"), lambda _delta: None)

    assert (model.ref, model.provider) == (f"{name}:some-model", name)
    assert answer.message.text == "Ready."
    assert server.complaints == []
    assert server.requests[0].model == "some-model"


@pytest.mark.parametrize(
    ("ref", "message", "hint"),
    [
        ("opnai:gpt-4o", "No provider knows 'opnai:gpt-4o'.", "openai:gpt-4o"),
        ("gpt-4o-mini", "No provider knows 'gpt-4o-mini'.", "openai:gpt-4o-mini"),
        ("claude-sonnet-5", "No provider knows", "anthropic:claude-sonnet-5"),
        ("zzz", "No provider knows 'zzz'.", "Providers are openai, anthropic"),
        ("", "No provider knows ''.", "provider:model"),
        ("openai", "'openai' names a provider but no model.", "Say openai:gpt-4o-mini."),
        ("openai:", "'openai:' names a provider but no model.", "Say openai:gpt-4o-mini."),
        ("groq:x", "Groq needs a key, and GROQ_API_KEY is not set.", "Set GROQ_API_KEY"),
        ("rehearsal:shp", "There is no screenplay 'shp'.", "rehearsal:shop"),
        ("breadth:google", "breadth:google names no model.", "breadth:google:gemini-2.5-flash"),
        ("breadth:google:g", "google:g needs a key.", "Set GEMINI_API_KEY or GOOGLE_API_KEY."),
    ],
)
async def test_a_name_that_leads_nowhere_is_told_with_what_may_have_been_meant(
    rehearsals: Rehearsals, ref: str, message: str, hint: str
) -> None:
    """A slip of the finger, or a key that is missing, by the name of its variable.

    Demanded by: MODEL-1, the bad input of the working office.
    """
    async with opened(leading(), {}, rehearsals) as catalogue:
        with pytest.raises(InvalidError) as caught:
            catalogue.resolve(ref)

    assert message in caught.value.message
    assert hint in caught.value.hint


async def test_a_new_key_works_at_once_and_is_never_shown(rehearsals: Rehearsals) -> None:
    """The look-up is asked each time; a key with a line break is refused, not sent.

    Demanded by: MODEL-4 keys from the environment, SEC-09.
    """
    keys = {"GROQ_API_KEY": KEY}
    async with opened(leading(), keys, rehearsals) as catalogue:
        first = catalogue.resolve("groq:llama")
        assert catalogue.resolve("groq:llama") is first
        keys["GROQ_API_KEY"] = "gsk-another"
        assert catalogue.resolve("groq:llama") is not first
        keys["GROQ_API_KEY"] = f" {KEY}\n"
        assert catalogue.resolve("groq:llama") is not None
        keys["GROQ_API_KEY"] = f"{KEY}\nX-Evil: 1"
        with pytest.raises(InvalidError) as caught:
            catalogue.resolve("groq:llama")

        assert KEY not in str(caught.value)
        assert KEY not in repr(vars(catalogue))
        assert KEY not in repr(vars(first))


async def test_the_report_says_what_is_usable_and_why_the_rest_is_not(
    rehearsals: Rehearsals,
) -> None:
    """Usable ones first; local servers are found with their models and windows.

    Demanded by: PLAT-4 doctor; the working office, keys and local servers are detected.
    """
    listed = {
        "object": "list",
        "data": [
            {"id": "qwen3:8b", "max_model_len": 16384},
            {"id": "gemma3", "meta": {"n_ctx": 4096}},
        ],
    }
    async with ModelServer() as ollama, ModelServer() as empty:
        ollama.listed = listed
        empty.listed = {"data": []}
        providers = leading(
            ollama=ollama.openai_url, vllm=empty.openai_url, lm_studio=f"{ollama.url}/nothing/v1"
        )
        async with opened(providers, {"OPENAI_API_KEY": KEY}, rehearsals) as catalogue:
            reports = await catalogue.report()

    found = {report.id: report for report in reports}
    assert [report.id for report in reports if report.usable] == [
        "openai",
        "ollama",
        "lm-studio",
        "rehearsal",
        "breadth",
    ]
    assert all(report.usable for report in reports[:5])
    assert found["anthropic"].reason == "Anthropic needs a key, and ANTHROPIC_API_KEY is not set."
    assert found["llama-cpp"].reason == f"Nothing that speaks its language listens at {NOBODY}."
    assert found["vllm"].reason == "vLLM runs, but has no model loaded."
    assert found["ollama"].default_model == "ollama:qwen3:8b"
    assert [(m.ref, m.context_tokens) for m in found["ollama"].models] == [
        ("ollama:qwen3:8b", 16384),
        ("ollama:gemma3", 4096),
    ]
    assert found["openai"].default_model == "openai:gpt-4o-mini"
    assert "openai:gpt-4o-mini" in [model.ref for model in found["openai"].models]
    assert found["rehearsal"].models[-1].ref == "rehearsal:shop"
    assert KEY not in msgspec.json.encode(reports).decode()


async def test_a_port_that_answers_something_else_is_no_model_server(
    rehearsals: Rehearsals,
) -> None:
    """Port 8000 and 8080 belong to many programs.

    Demanded by: the working office, local servers are detected.
    """
    async with ModelServer() as other:
        other.listed = {"hello": "world"}
        async with opened(leading(vllm=other.openai_url), {}, rehearsals) as catalogue:
            reports = {report.id: report for report in await catalogue.report()}

    assert not reports["vllm"].usable


@pytest.mark.parametrize(
    ("reply", "ok", "message"),
    [
        (Say(text="ready"), True, "gpt-4o-mini answered: ready"),
        (Fail(status=401, body={"error": {"message": "bad key"}}), False, "openai: bad key"),
        (Fail(status=402, body="Payment Required"), False, "openai: Payment Required Top up"),
    ],
)
async def test_the_test_button_asks_for_real(
    rehearsals: Rehearsals,
    reply: Say | Fail,
    ok: bool,
    message: str,
) -> None:
    """A provider that fails is an answer, not an error.

    Demanded by: the web UI, Settings: providers with a test button.
    """
    async with ModelServer() as server:
        server.say(reply)
        async with opened(leading(openai=server.openai_url), ALL_KEYS, rehearsals) as catalogue:
            check = await catalogue.check("openai")

    assert (check.ok, check.message[: len(message)]) == (ok, message)


async def test_what_asks_nobody_says_that_it_needs_no_test(rehearsals: Rehearsals) -> None:
    """A script is no provider to be tried, and is no error either.

    Demanded by: the web UI, Settings: providers with a test button.
    """
    async with opened(leading(), {}, rehearsals) as catalogue:
        script = await catalogue.check("rehearsal")
        more = await catalogue.check("breadth")
        own = await catalogue.check("local")

    assert (script.ok, "nothing to test" in script.message) == (True, True)
    assert (more.ok, "dayshift model check" in more.message) == (True, True)
    assert (own.ok, own.message) == (False, "There is no model file in the home.")


async def test_the_test_button_of_what_is_not_there_says_so(rehearsals: Rehearsals) -> None:
    """Without a key nothing is sent; an unknown provider is an error.

    Demanded by: the web UI, Settings: providers with a test button.
    """
    async with opened(leading(), {}, rehearsals) as catalogue:
        without_key = await catalogue.check("openai")
        not_running = await catalogue.check("ollama")
        with pytest.raises(NotFoundError) as caught:
            await catalogue.check("opnai")

    assert (without_key.ok, "OPENAI_API_KEY" in without_key.message) == (False, True)
    assert (not_running.ok, NOBODY in not_running.message) == (False, True)
    assert "openai" in caught.value.hint
