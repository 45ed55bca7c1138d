"""Providers as data: the rows that come with Dayshift, and the owner's file laid over them.

The owner's file is ``providers.json`` in the home. It has the form of ours, and may hold keys::

    {
      "schema_version": 1,
      "providers": [
        {"id": "openai", "base_url": "https://gateway.example/v1"},
        {"id": "groq", "enabled": false},
        {"id": "mine", "name": "Mine", "base_url": "http://10.0.0.5:8000/v1", "api_key_env":
        "MINE_KEY"}
      ],
      "api_keys": {"mine": "…"}
    }

A row with a known id changes only the fields it names; ``null`` takes a field back to its default;
a row with a new id is a new provider.
"""

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from dayshift.core.errors import ConfigError
from dayshift.core.model import ModelFacts
from dayshift.models.quirks import Quirks
from dayshift.models.text import is_list, is_object
from dayshift.models.wire import Secret

SCHEMA_VERSION = 1
FILE_NAME = "providers.json"


class FactsRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of some models; ``None`` leaves it open. Prices: dollars a million tokens."""

    match: tuple[str, ...] = ("*",)
    context_tokens: int | None = None
    output_tokens: int | None = None
    reasoning: bool | None = None
    images: bool | None = None
    input_usd: float | None = None
    output_usd: float | None = None
    cache_read_usd: float | None = None
    cache_write_usd: float | None = None


class ModelRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What differs for the models whose name matches one of the patterns; later rows win."""

    match: tuple[str, ...]
    quirks: dict[str, Any] = {}
    facts: FactsRow | None = None


class Provider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One provider.

    Attributes:
        api_format: The dialect it speaks.
        api_key_env: Name under which its key is looked up; empty when it needs none.
        auth_scheme: Word before the key in the header; may be empty.
        local: Runs on the owner's machine or network: needs no key, costs nothing, is looked for.
        prices: Its name in the price list; empty when it is not in there.
    """

    id: str
    base_url: str
    name: str = ""
    api_format: Literal["openai", "anthropic"] = "openai"
    models_path: str = "/models"
    chat_path: str = ""
    api_key_env: str = ""
    auth_header: str = "Authorization"
    auth_scheme: str = "Bearer"
    headers: dict[str, str] = {}
    default_model: str = ""
    website: str = ""
    description: str = ""
    enabled: bool = True
    local: bool = False
    prices: str = ""
    quirks: dict[str, Any] = {}
    models: tuple[ModelRow, ...] = ()

    @property
    def title(self) -> str:
        """Its name, or its id where it has none."""
        return self.name or self.id

    @property
    def chat_url(self) -> str:
        """Where requests go."""
        path = self.chat_path or (
            "/messages" if self.api_format == "anthropic" else "/chat/completions"
        )
        return self.base_url.rstrip("/") + path

    @property
    def models_url(self) -> str:
        """Where the models are listed."""
        return self.base_url.rstrip("/") + self.models_path

    def quirks_of(self, model: str) -> Quirks:
        """The quirks of one of its models."""
        found = dict(self.quirks)
        for row in self.models:
            if matches(model, row.match):
                found.update(row.quirks)
        return msgspec.convert(found, Quirks)

    def facts_rows(self, model: str) -> list[FactsRow]:
        """What its own rows say of a model, the weakest first."""
        return [row.facts for row in self.models if row.facts and matches(model, row.match)]

    def headers_with(self, key: str, quirks: Quirks) -> dict[str, str]:
        """The headers of a request."""
        headers = {"Content-Type": "application/json", **self.headers, **quirks.headers}
        if key:
            headers[self.auth_header] = f"{self.auth_scheme} {key}".strip()
        return headers


class ProviderFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file as a whole."""

    providers: tuple[Provider, ...] = ()
    schema_version: int = SCHEMA_VERSION
    api_keys: dict[str, str] = {}


class Providers:
    """All providers that are enabled, by id, and the keys that stand in the owner's file."""

    def __init__(self, rows: tuple[Provider, ...], keys: Mapping[str, str]) -> None:
        self.rows: dict[str, Provider] = {row.id: row for row in rows if row.enabled}
        self._keys = {provider: Secret(key) for provider, key in keys.items() if key}

    def key_in_file(self, provider: str) -> Secret | None:
        """The key that the owner's file holds for a provider."""
        return self._keys.get(provider)


def load_providers(home: Path | None = None) -> Providers:
    """Read the rows that come with Dayshift and lay the owner's file in ``home`` over them.

    Raises:
        ConfigError: The owner's file cannot be read, or says something we do not know.
    """
    ours = json.loads(files("dayshift.models").joinpath(FILE_NAME).read_text("utf-8"))
    file = home / FILE_NAME if home is not None else None
    if file is None or not file.is_file():
        return _checked(ours, "the built-in providers")
    theirs = _read(file)
    rows = _merged(ours["providers"], theirs.get("providers", []), str(file))
    return _checked({**theirs, "providers": rows}, str(file))


def matches(model: str, patterns: tuple[str, ...]) -> bool:
    """Whether a model's name matches one of the patterns, in any case."""
    name = model.lower()
    return any(fnmatchcase(name, pattern.lower()) for pattern in patterns)


def with_facts(facts: ModelFacts, row: FactsRow) -> ModelFacts:
    """The facts, with what a row knows put over them; prices are laid over in ``facts.py``."""
    known = {
        name: value
        for name in ("context_tokens", "output_tokens", "reasoning", "images")
        if (value := getattr(row, name)) is not None
    }
    return msgspec.structs.replace(facts, **known) if known else facts


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text("utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"This is not JSON: {error.msg}.", file=str(file), line=error.lineno, column=error.colno
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"It cannot be read: {error}.", file=str(file)) from error
    if not is_object(content):
        raise ConfigError("It must hold one object with 'providers'.", file=str(file))
    known: dict[str, Any] = content
    if known.get("schema_version", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise ConfigError(
            f"schema_version must be {SCHEMA_VERSION}.",
            file=str(file),
            hint="It was written for another version of Dayshift.",
        )
    return known


def _merged(ours: list[dict[str, Any]], theirs: Any, file: str) -> list[dict[str, Any]]:  # noqa: ANN401  JSON is any value
    if not is_list(theirs):
        raise ConfigError("'providers' must be a list.", file=file)
    rows = {row["id"]: row for row in ours}
    for row in theirs:
        if not is_object(row) or not isinstance(row.get("id"), str):
            raise ConfigError("Every provider must be an object with an 'id'.", file=file)
        rows[row["id"]] = _over(rows.get(row["id"], {}), row)
    return list(rows.values())


def _over(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Lay a change over an object, field by field and at any depth; null takes a field away."""
    merged = dict(base)
    for name, value in change.items():
        if value is None:
            merged.pop(name, None)
        elif is_object(value) and is_object(merged.get(name)):
            merged[name] = _over(merged[name], value)
        else:
            merged[name] = value
    return merged


def _checked(content: dict[str, Any], file: str) -> Providers:
    try:
        read = msgspec.convert(content, ProviderFile)
        for row in read.providers:
            _check(row)
    except msgspec.ValidationError as error:
        raise ConfigError(_plain(str(error), content), file=file) from error
    unknown = read.api_keys.keys() - {row.id for row in read.providers}
    if unknown:
        raise ConfigError(f"api_keys names no provider: {', '.join(sorted(unknown))}.", file=file)
    return Providers(read.providers, read.api_keys)


def _check(row: Provider) -> None:
    if not row.id or ":" in row.id or row.id != row.id.strip():
        raise msgspec.ValidationError(f"Provider id {row.id!r} must be a word without a colon")
    if not row.base_url.startswith(("http://", "https://")):
        raise msgspec.ValidationError(f"base_url of {row.id} must begin with http:// or https://")
    msgspec.convert(row.quirks, Quirks)
    for model in row.models:
        msgspec.convert(model.quirks, Quirks)


def _plain(complaint: str, content: dict[str, Any]) -> str:
    """The complaint with the provider's id in place of its number."""
    head, _, path = complaint.partition(" - at `$")
    for number, row in enumerate(content.get("providers", ())):
        path = path.replace(f".providers[{number}]", f"provider {row.get('id')}")
    where = f" (in {path.rstrip('`').lstrip('.')})" if path else ""
    return f"{head.replace('Object contains unknown field', 'Unknown key')}{where}."
