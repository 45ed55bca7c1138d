"""Providers are data: ours, the owner's file over them, and what both say of each model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.core.errors import ConfigError
from dayshift.core.model import ModelFacts, Prices
from dayshift.models.facts import FactBook
from dayshift.models.providers import Providers, load_providers

if TYPE_CHECKING:
    from pathlib import Path

EIGHTEEN = [
    "openai",
    "anthropic",
    "google-gemini",
    "deepseek",
    "mistral",
    "groq",
    "openrouter",
    "together",
    "xai",
    "moonshot",
    "zhipu",
    "dashscope",
    "siliconflow",
    "cerebras",
    "nvidia",
    "ollama",
    "vllm",
    "lm-studio",
]


def over(home: Path, content: object) -> Providers:
    """The providers with the owner's file laid over them."""
    text = content if isinstance(content, str) else json.dumps(content)
    (home / "providers.json").write_text(text, encoding="utf-8")
    return load_providers(home)


def test_the_eighteen_providers_and_llama_cpp_are_there() -> None:
    """And each is ready to be used for chat, not only listed.

    Demanded by: MODEL-1.
    """
    rows = load_providers().rows

    assert list(rows) == [*EIGHTEEN, "llama-cpp"]
    assert rows["anthropic"].chat_url == "https://api.anthropic.com/v1/messages"
    assert rows["groq"].chat_url == "https://api.groq.com/openai/v1/chat/completions"
    assert [row.id for row in rows.values() if row.local] == [
        "ollama",
        "vllm",
        "lm-studio",
        "llama-cpp",
    ]
    assert all(row.api_key_env for row in rows.values() if not row.local)


def test_the_key_goes_into_the_header_the_provider_wants() -> None:
    """Anthropic has a header of its own, the others take a bearer.

    Demanded by: MODEL-1.
    """
    rows = load_providers().rows

    anthropic = rows["anthropic"].headers_with("k", rows["anthropic"].quirks_of("claude-sonnet-5"))
    openai = rows["openai"].headers_with("k", rows["openai"].quirks_of("gpt-4o"))
    ollama = rows["ollama"].headers_with("", rows["ollama"].quirks_of("llama3.1"))

    assert (anthropic["x-api-key"], anthropic["anthropic-version"]) == ("k", "2023-06-01")
    assert openai["Authorization"] == "Bearer k"
    assert "Authorization" not in ollama


def test_the_owners_file_changes_removes_disables_and_adds(tmp_path: Path) -> None:
    """Field by field, by id; null takes a field back to its default.

    Demanded by: MODEL-1, local file overrides.
    """
    providers = over(
        tmp_path,
        {
            "schema_version": 1,
            "providers": [
                {"id": "openai", "base_url": "https://gate.example/v1", "default_model": None},
                {"id": "openai", "quirks": {"user_key": None, "schema": "plain"}},
                {"id": "groq", "enabled": False},
                {"id": "mine", "base_url": "http://10.0.0.5:8000/v1", "local": True},
            ],
            "api_keys": {"mine": "secret-of-mine"},
        },
    )

    openai = providers.rows["openai"]
    assert (openai.base_url, openai.default_model) == ("https://gate.example/v1", "")
    assert openai.api_key_env == "OPENAI_API_KEY"
    assert openai.quirks == {"token_limit": "max_completion_tokens", "schema": "plain"}
    assert "groq" not in providers.rows
    assert providers.rows["mine"].chat_url == "http://10.0.0.5:8000/v1/chat/completions"
    key = providers.key_in_file("mine")
    assert key is not None
    assert key.reveal() == "secret-of-mine"
    assert "secret-of-mine" not in repr(providers.__dict__)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "providers.json:1:2: This is not JSON"),
        ("[]", "It must hold one object with 'providers'."),
        ({"schema_version": 2}, "schema_version must be 1."),
        ({"providers": {}}, "'providers' must be a list."),
        ({"providers": [{"name": "x"}]}, "Every provider must be an object with an 'id'."),
        (
            {"providers": [{"id": "openai", "bas_url": "x"}]},
            "Unknown key `bas_url` (in provider openai).",
        ),
        ({"provider": []}, "Unknown key `provider`."),
        (
            {"providers": [{"id": "openai", "quirks": {"streem": True}}]},
            "Unknown key `streem`.",
        ),
        (
            {"providers": [{"id": "openai", "api_format": "soap"}]},
            "Invalid enum value 'soap' (in provider openai.api_format).",
        ),
        (
            {"providers": [{"id": "new"}]},
            "Object missing required field `base_url` (in provider new).",
        ),
        (
            {"providers": [{"id": "new", "base_url": "ftp://x"}]},
            "base_url of new must begin with http:// or https://.",
        ),
        (
            {"providers": [{"id": "a:b", "base_url": "http://x"}]},
            "Provider id 'a:b' must be a word without a colon.",
        ),
        ({"api_keys": {"opnai": "k"}}, "api_keys names no provider: opnai."),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(
    tmp_path: Path, content: object, complaint: str
) -> None:
    """Unknown keys are mistakes, not extensions.

    Demanded by: MODEL-1, bad input of the working office.
    """
    with pytest.raises(ConfigError) as caught:
        over(tmp_path, content)

    assert complaint in str(caught.value)
    assert str(tmp_path / "providers.json") in str(caught.value)


def test_quirks_of_a_model_lie_over_those_of_its_provider() -> None:
    """The last row that matches wins, field by field.

    Demanded by: MODEL-1, quirks as data.
    """
    openai = load_providers().rows["openai"]

    assert openai.quirks_of("gpt-4o").thinking == {}
    assert openai.quirks_of("gpt-5-mini").thinking["off"] == {"reasoning_effort": "minimal"}
    newest = openai.quirks_of("GPT-6-Sol")
    assert newest.token_limit == "max_completion_tokens"
    assert newest.thinking["off"] == {"reasoning_effort": "none"}
    assert newest.thinking_with_tools == {"reasoning_effort": "none"}


def test_every_row_has_quirks_that_can_be_read() -> None:
    """A slip in the data must not wait for the first user of that model.

    Demanded by: MODEL-1.
    """
    for row in load_providers().rows.values():
        for model in (row.default_model, *(p for m in row.models for p in m.match)):
            row.quirks_of(model.replace("*", "x"))


def test_facts_come_from_the_price_list_and_our_own_rows() -> None:
    """Window and price from the one, limits and abilities from the other.

    Demanded by: MODEL-5, MODEL-1.
    """
    rows, book = load_providers().rows, FactBook()

    assert book.facts(rows["openai"], "gpt-4o-mini") == ModelFacts(
        context_tokens=128_000,
        output_tokens=16_384,
        reasoning=False,
        images=True,
        prices=Prices(input=150_000, output=600_000, cache_read=75_000, cache_write=150_000),
    )
    assert book.facts(rows["openrouter"], "anthropic/claude-sonnet-4.5").images
    assert book.facts(rows["siliconflow"], "Some/Unknown-Model") == ModelFacts()


def test_a_local_model_costs_nothing_and_its_server_says_how_much_it_holds() -> None:
    """The window a model was made for is not the one its server was started with.

    Demanded by: COST-06, MODEL-1.
    """
    ollama, book = load_providers().rows["ollama"], FactBook()

    assert book.facts(ollama, "llama3.1:8b") == ModelFacts(
        context_tokens=32_768, prices=Prices(input=0, output=0, cache_read=0, cache_write=0)
    )
    book.tell("ollama", "llama3.1:8b", context_tokens=8192)
    assert book.facts(ollama, "llama3.1:8b").context_tokens == 8192


def test_the_owner_may_know_better(tmp_path: Path) -> None:
    """Facts of a model in the owner's file win over the price list.

    Demanded by: MODEL-1.
    """
    row = {
        "id": "openai",
        "models": [
            {
                "match": ["gpt-4o*"],
                "facts": {"context_tokens": 1000, "input_usd": 2, "output_usd": 4},
            }
        ],
    }
    rows = over(tmp_path, {"providers": [row]}).rows

    facts = FactBook().facts(rows["openai"], "gpt-4o-mini")

    assert facts == msgspec.structs.replace(
        FactBook().facts(load_providers().rows["openai"], "gpt-4o-mini"),
        context_tokens=1000,
        prices=Prices(
            input=2_000_000, output=4_000_000, cache_read=2_000_000, cache_write=2_000_000
        ),
    )
