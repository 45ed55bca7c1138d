"""What is known of a model without asking it: window, limits, what it takes, what it costs.

Prices and windows come from the packaged price list, the rest from ``facts.json``; a provider's
own rows and what a server says of itself go over both. The price list is read when it is first
needed.
"""

import functools
import json
from importlib.resources import files
from typing import Any

import msgspec

from dayshift.core.model import ModelFacts, Prices
from dayshift.models.providers import FactsRow, Provider, matches, with_facts
from dayshift.models.text import is_list

MICROS = 1_000_000
LOCAL_CONTEXT_TOKENS = 32_768
_LOCAL = FactsRow(context_tokens=LOCAL_CONTEXT_TOKENS)
_FREE = Prices(input=0, output=0, cache_read=0, cache_write=0)


class FactBook:
    """Looks up facts, and remembers what servers told of their own models.

    Making one reads a small file.
    """

    def __init__(self) -> None:
        self._rows = _read_rows()
        self._told: dict[tuple[str, str], FactsRow] = {}
        self._settled: dict[tuple[str, str], tuple[Provider, ModelFacts]] = {}

    def tell(self, provider: str, model: str, *, context_tokens: int) -> None:
        """Remember the window that a server names for one of its models."""
        self._told[provider, model] = FactsRow(context_tokens=context_tokens)
        self._settled.pop((provider, model), None)

    def facts(self, provider: Provider, model: str) -> ModelFacts:
        """What is known of a model; defaults where nothing is. Looked up once."""
        key = (provider.id, model)
        known = self._settled.get(key)
        if known is None or known[0] is not provider:
            known = self._settled[key] = (provider, self._look_up(provider, model))
        return known[1]

    def _look_up(self, provider: Provider, model: str) -> ModelFacts:
        facts = ModelFacts(prices=_FREE if provider.local else None)
        rows = [*self._overlay(model), *provider.facts_rows(model)]
        if provider.local:
            # What the model could hold is not what its server was started with.
            rows.insert(len(rows) - len(provider.facts_rows(model)), _LOCAL)
        if provider.prices and (priced := _priced(provider.prices, model)):
            facts = _with_prices(facts, priced)
            rows.insert(0, priced)
        if told := self._told.get((provider.id, model)):
            rows.append(told)
        for row in rows:
            facts = _with_prices(with_facts(facts, row), row)
        return facts

    def _overlay(self, model: str) -> list[FactsRow]:
        """Rows that know the model by its bare name, without the vendor's folder and a tag."""
        name = model.rsplit("/", 1)[-1].partition(":")[0]
        return [row for row in self._rows if matches(name, row.match)]

    def known_models(self, provider: Provider) -> list[str]:
        """Names of the provider's models that the price list holds and that are not retired."""
        if not provider.prices:
            return []
        listed = _listed(provider.prices)
        return [model.id for model in listed if not model.deprecated and model.context_window]


def _with_prices(facts: ModelFacts, row: FactsRow) -> ModelFacts:
    if row.input_usd is None or row.output_usd is None:
        return facts
    read = row.input_usd if row.cache_read_usd is None else row.cache_read_usd
    written = row.input_usd if row.cache_write_usd is None else row.cache_write_usd
    prices = Prices(
        input=round(row.input_usd * MICROS),
        output=round(row.output_usd * MICROS),
        cache_read=round(read * MICROS),
        cache_write=round(written * MICROS),
    )
    return msgspec.structs.replace(facts, prices=prices)


@functools.cache
def _read_rows() -> tuple[FactsRow, ...]:
    content = json.loads(files("dayshift.models").joinpath("facts.json").read_text("utf-8"))
    return tuple(msgspec.convert(row, FactsRow) for row in content)


@functools.cache
def _snapshot() -> Any:  # noqa: ANN401  the price list's own type
    from genai_prices import data_snapshot

    return data_snapshot.get_snapshot()


def _listed(provider: str) -> list[Any]:
    for row in _snapshot().providers:
        if row.id == provider:
            models: list[Any] = row.models
            return models
    return []


@functools.lru_cache(maxsize=1024)
def _priced(provider: str, model: str) -> FactsRow | None:
    try:
        _, found = _snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    price = _chosen(found.prices)
    return FactsRow(
        context_tokens=found.context_window,
        input_usd=_usd(price, "input_mtok"),
        output_usd=_usd(price, "output_mtok"),
        cache_read_usd=_usd(price, "cache_read_mtok"),
        cache_write_usd=_usd(price, "cache_write_mtok"),
    )


def _chosen(prices: Any) -> Any:  # noqa: ANN401  the price list's own type
    """One price of several: the newest, and by day or night the dearer one."""
    if not is_list(prices):
        return prices
    by_hour = [row for row in prices if type(row.constraint).__name__ == "TimeOfDateConstraint"]
    dated = [row for row in prices if row not in by_hour]
    dearest = max([*dated[-1:], *by_hour], key=_output_usd)
    return dearest.prices


def _output_usd(row: Any) -> float:  # noqa: ANN401  the price list's own type
    return _usd(row.prices, "output_mtok") or 0.0


def _usd(price: Any, name: str) -> float | None:  # noqa: ANN401  the price list's own type
    value = getattr(price, name, None)
    value = getattr(value, "base", value)
    return None if value is None else float(value)
