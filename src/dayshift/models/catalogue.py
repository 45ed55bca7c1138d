"""The catalogue: from ``provider:model`` to a model to be asked, and what can be used now."""

import asyncio
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from dayshift.core.details import ModelReport, ProviderCheck, ProviderReport
from dayshift.core.errors import InvalidError, ModelError, NotFoundError
from dayshift.core.model import (
    Fragment,
    Model,
    ModelFacts,
    ModelRequest,
    TextPart,
    ToolSet,
    UserMessage,
)
from dayshift.models.anthropic_messages import AnthropicMessages
from dayshift.models.breadth import BREADTH, breadth_model, breadth_report
from dayshift.models.facts import MICROS, FactBook
from dayshift.models.local import LOCAL, Engines, Shelf
from dayshift.models.openai_chat import OpenAIChat
from dayshift.models.providers import Provider, Providers
from dayshift.models.rehearsal import PROVIDER as REHEARSAL
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.text import is_list, is_object
from dayshift.models.wire import Endpoint, Secret, Wire

PROBE_LIMIT_S = 0.4
_NEAR_MAX = 4
CHECK_LIMIT_S = 20.0
_PING = ModelRequest(
    model="",
    system="You are being tested by the office that will employ you.",
    messages=[Fragment(UserMessage((TextPart("Answer with the one word: ready"),)))],
    tools=ToolSet(()),
    max_output_tokens=256,
    idle_limit_s=CHECK_LIMIT_S,
    total_limit_s=CHECK_LIMIT_S,
    item={"kind": "check", "source": "office", "text": "Answer with the one word: ready"},
)

_UNTESTED = {
    REHEARSAL: "It plays a script and asks nobody, so there is nothing to test.",
    BREADTH: "It has no model of its own to ask; a model named breadth:PROVIDER:MODEL is tested "
    "by dayshift model check.",
}


class Probe(msgspec.Struct, frozen=True):
    """What a look at a provider found: usable or why not, what helps, and its models."""

    usable: bool
    reason: str = ""
    hint: str = ""
    models: tuple[str, ...] = ()


class Catalogue:
    """All models that can be named.

    Args:
        providers: The rows.
        key_lookup: Gives the key of a variable's name, or nothing. It is asked each time, so that
            a new key works at once; what it gives is never shown.
        wire: Carries the requests.
        rehearsals: Finds screenplays.
        shelf: The home's own model files.
    """

    def __init__(
        self,
        providers: Providers,
        key_lookup: Callable[[str], str | None],
        wire: Wire,
        rehearsals: Rehearsals,
        *,
        facts: FactBook | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        self._providers = providers
        self._key_lookup = key_lookup
        self._wire = wire
        self._rehearsals = rehearsals
        self._facts = facts or FactBook()
        self._engines = Engines(shelf or Shelf(), wire)
        self._known: dict[str, tuple[Secret, ModelFacts, Model]] = {}

    def within(self, folder: Path) -> "Catalogue":
        """The same catalogue, with the screenplay of the office in a folder.

        It reads that file; call it in a thread.
        """
        inner = Catalogue(
            self._providers,
            self._key_lookup,
            self._wire,
            self._rehearsals.within(folder),
            facts=self._facts,
        )
        inner._known = self._known
        inner._engines = self._engines
        return inner

    def warm(self) -> None:
        """Read the price list, which takes a moment; call it in a thread when the office opens."""
        for provider in self._providers.rows.values():
            self._facts.facts(provider, provider.default_model)

    def resolve(self, ref: str) -> Model:
        """The model of that name.

        Raises:
            InvalidError: No provider of that id (the hint names near matches), or its key is
                missing (the message names the variable).
            ConfigError: Its screenplay is malformed.
        """
        provider_id, _, name = ref.partition(":")
        if provider_id == REHEARSAL and name:
            return self._rehearsals.model(name)
        if provider_id == LOCAL and name:
            return self._engines.model(name)
        if provider_id == BREADTH and name:
            return breadth_model(name, self._key_lookup)
        provider = self._providers.rows.get(provider_id)
        if provider is None or not name:
            raise self._unknown(ref, provider)
        key = self._key(provider)
        facts = self._facts.facts(provider, name)
        known = self._known.get(ref)
        if known is not None and known[0] == key and known[1] == facts:
            return known[2]
        model = self._build(provider, name, key, facts)
        self._known[ref] = (key, facts, model)
        return model

    async def obstacle(self, ref: str) -> str:
        """What keeps a model that can be named from answering now; empty when nothing is known to.

        Only local servers are asked; nothing is spent.
        """
        provider = self._providers.rows.get(ref.partition(":")[0])
        if provider is None or not provider.local:
            return ""
        look = await self._look(provider)
        return "" if look.usable else f"{look.reason} {look.hint}".rstrip()

    async def report(self) -> list[ProviderReport]:
        """All providers, usable ones first; local servers are looked for on the network."""
        await asyncio.to_thread(self.warm)
        rows = list(self._providers.rows.values())
        async with asyncio.TaskGroup() as group:
            looks = [group.create_task(self._look(row), name=f"probe {row.id}") for row in rows]
        reports = [
            self._reported(row, look.result()) for row, look in zip(rows, looks, strict=True)
        ]
        own = await asyncio.to_thread(self._engines.report)
        reports += [own, self._rehearsal_report(), breadth_report()]
        return sorted(reports, key=lambda report: not report.usable)

    async def check(self, provider: str) -> ProviderCheck:
        """Send one small real request; a provider that fails is an answer, not an error.

        Raises:
            NotFoundError: No such provider.
        """
        if provider in _UNTESTED:
            return ProviderCheck(ok=True, message=_UNTESTED[provider], latency_ms=0)
        row = self._providers.rows.get(provider)
        if provider == LOCAL:
            own = await asyncio.to_thread(self._engines.report)
            usable, reason = own.usable, own.reason
            name = own.default_model.partition(":")[2]
        elif row is None:
            raise NotFoundError(f"There is no provider {provider!r}.", hint=self._near(provider))
        else:
            await asyncio.to_thread(self.warm)
            look = await self._look(row)
            usable, reason = look.usable, look.reason
            has_default = not look.models or row.default_model in look.models
            name = row.default_model if has_default else look.models[0]
        if not usable or not name:
            return ProviderCheck(ok=False, message=reason or "It has no model.", latency_ms=0)
        return await self._ping(f"{provider}:{name}")

    async def _ping(self, ref: str) -> ProviderCheck:
        name = ref.partition(":")[2]
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            model = self.resolve(ref)
            answer = await model.ask(_PING, lambda _delta: None)
        except (ModelError, InvalidError) as error:
            return ProviderCheck(
                ok=False, message=f"{error.message} {error.hint}".strip(), latency_ms=0
            )
        took = round((loop.time() - began) * 1000)
        said = " ".join(answer.message.text.split())[:80]
        return ProviderCheck(
            ok=True, message=f"{name} answered: {said or '(nothing)'}", latency_ms=took
        )

    def _build(self, provider: Provider, name: str, key: Secret, facts: ModelFacts) -> Model:
        quirks = provider.quirks_of(name)
        endpoint = Endpoint(
            provider.id,
            provider.chat_url,
            provider.headers_with(key.reveal(), quirks),
            key,
            direct=provider.local,
        )
        dialect = AnthropicMessages if provider.api_format == "anthropic" else OpenAIChat
        return dialect(
            f"{provider.id}:{name}", endpoint=endpoint, quirks=quirks, facts=facts, wire=self._wire
        )

    def _key(self, provider: Provider) -> Secret:
        key = self._found_key(provider)
        if not key and provider.api_key_env and not provider.local:
            raise InvalidError(
                f"{provider.title} needs a key, and {provider.api_key_env} is not set.",
                hint=f"Set {provider.api_key_env}, or choose another model.",
            )
        return key

    def _found_key(self, provider: Provider) -> Secret:
        in_file = self._providers.key_in_file(provider.id)
        if in_file:
            return in_file
        key = (
            (self._key_lookup(provider.api_key_env) or "") if provider.api_key_env else ""
        ).strip()
        if key and not (key.isascii() and key.isprintable()):
            raise InvalidError(
                f"{provider.api_key_env} holds characters that no key has.",
                hint="Set it again; it may have been copied with a line break.",
            )
        return Secret(key)

    def _unknown(self, ref: str, provider: Provider | None) -> InvalidError:
        if provider is not None:
            example = f"{provider.id}:{provider.default_model or 'MODEL'}"
            return InvalidError(f"{ref!r} names a provider but no model.", hint=f"Say {example}.")
        return InvalidError(f"No provider knows {ref!r}.", hint=self._near(ref))

    def _near(self, ref: str) -> str:
        """What may have been meant: a provider of a similar id, or one that has such a model."""
        provider_id, colon, name = ref.partition(":")
        ids = [*self._providers.rows, LOCAL, REHEARSAL, BREADTH]
        near = [
            f"{one}:{name}" if colon else one
            for one in get_close_matches(provider_id, ids, n=2, cutoff=0.6)
        ]
        wanted = name or provider_id
        for row in self._providers.rows.values() if wanted else ():
            if len(near) < _NEAR_MAX and (
                row.default_model == wanted or wanted in self._facts.known_models(row)
            ):
                near.append(f"{row.id}:{wanted}")
        if near:
            return f"Did you mean {' or '.join(dict.fromkeys(near))}?"
        return f"A model is named provider:model. Providers are {', '.join(ids)}."

    async def _look(self, provider: Provider) -> Probe:
        try:
            key = self._key(provider)
        except InvalidError as error:
            return Probe(usable=False, reason=error.message, hint=error.hint)
        if not provider.local:
            return Probe(usable=True, models=tuple(self._facts.known_models(provider)))
        endpoint = Endpoint(
            provider.id,
            provider.models_url,
            provider.headers_with(key.reveal(), provider.quirks_of("")),
            key,
            direct=True,
        )
        try:
            listed = await self._wire.get(endpoint, limit_s=PROBE_LIMIT_S)
        except ModelError:
            return Probe(
                usable=False,
                reason=f"Nothing that speaks its language listens at {provider.base_url}.",
                hint=f"Start {provider.title}, or set its base_url in providers.json.",
            )
        return self._listed(provider, listed)

    def _listed(self, provider: Provider, listed: Any) -> Probe:  # noqa: ANN401  JSON is any value
        entries = listed.get("data") if is_object(listed) else None
        models: list[str] = []
        for entry in entries if is_list(entries) else []:
            if is_object(entry) and isinstance(entry.get("id"), str):
                models.append(entry["id"])
                if window := _window(entry):
                    self._facts.tell(provider.id, entry["id"], context_tokens=window)
        if not models:
            return Probe(
                usable=False,
                reason=f"{provider.title} runs, but has no model loaded.",
                hint=f"Load one, for example {provider.default_model}."
                if provider.default_model
                else "",
            )
        return Probe(usable=True, models=tuple(models))

    def _reported(self, provider: Provider, look: Probe) -> ProviderReport:
        default = provider.default_model
        names = list(look.models)
        if default and default not in names and (not provider.local or not names):
            names.insert(0, default)
        if provider.local and names and default not in names:
            default = names[0]
        return ProviderReport(
            id=provider.id,
            name=provider.title,
            dialect=provider.api_format,
            base_url=provider.base_url,
            key_env=provider.api_key_env,
            local=provider.local,
            usable=look.usable,
            reason=look.reason,
            hint=look.hint,
            default_model=f"{provider.id}:{default}" if default else "",
            models=[self._model_report(provider, name) for name in names],
        )

    def _model_report(self, provider: Provider, name: str) -> ModelReport:
        facts = self._facts.facts(provider, name)
        return ModelReport(
            ref=f"{provider.id}:{name}",
            context_tokens=facts.context_tokens,
            reasoning=facts.reasoning,
            images=facts.images,
            input_usd_per_million=facts.prices.input / MICROS if facts.prices else None,
            output_usd_per_million=facts.prices.output / MICROS if facts.prices else None,
        )

    def _rehearsal_report(self) -> ProviderReport:
        names = self._rehearsals.names()
        return ProviderReport(
            id=REHEARSAL,
            name="Rehearsal (a script; no AI is running)",
            dialect=REHEARSAL,
            base_url="",
            key_env="",
            local=True,
            usable=bool(names),
            reason="" if names else "There is no screenplay.",
            hint="",
            default_model=f"{REHEARSAL}:{names[0]}" if names else "",
            models=[
                ModelReport(
                    ref=f"{REHEARSAL}:{name}",
                    context_tokens=1_000_000,
                    reasoning=False,
                    images=True,
                    input_usd_per_million=0.0,
                    output_usd_per_million=0.0,
                )
                for name in names
            ],
        )


def _window(entry: dict[str, Any]) -> int:
    """The window a server names: vLLM, LM Studio and llama.cpp each call it something else."""
    meta = entry.get("meta")
    deeper: dict[str, Any] = meta if is_object(meta) else {}
    for value in (
        entry.get("max_model_len"),
        entry.get("loaded_context_length"),
        entry.get("context_length"),
        deeper.get("n_ctx"),
    ):
        if isinstance(value, int) and value > 0:
            return value
    return 0
