"""From a model's name to its scorecard: what a check would cost, and the check itself."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from dayshift.app.model_check.sitting import USD, Means, Sitting
from dayshift.app.model_check.situations import load
from dayshift.clock.real import monotonic
from dayshift.core.model import Model
from dayshift.models.catalogue import Catalogue
from dayshift.models.local import Shelf
from dayshift.models.providers import load_providers
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire

AT_ONCE = 3


@asynccontextmanager
async def open_check(
    home: Path,
    variables: Mapping[str, str],
    ref: str,
    *,
    max_usd: float,
) -> AsyncGenerator[Sitting]:
    """A check of a model, ready to be held; nothing has been sent yet.

    Args:
        home: Where the owner's list of providers and the model files are.
        variables: The environment, for keys.
        ref: The model, as ``provider:model``.
        max_usd: What it may cost at most, in dollars.

    Raises:
        InvalidError: No provider knows the model, or its key is missing.
        ConfigError: The owner's list of providers is wrong.
    """
    book = await asyncio.to_thread(load)
    async with Wire() as wire:

        def find() -> Model:
            # Nobody watches, so a script's pauses are left out.
            rehearsals = Rehearsals(scale=0)
            providers = load_providers(home)
            known = Catalogue(providers, variables.get, wire, rehearsals, shelf=Shelf(home))
            return known.resolve(ref)

        model = await asyncio.to_thread(find)
        is_here = model.facts.prices is not None and not model.facts.prices.output
        yield Sitting(
            Means(
                model=model,
                book=book,
                max_micros=round(max_usd * USD),
                # A model on this machine has one place, and its clock runs while others wait.
                at_once=1 if is_here else AT_ONCE,
                now=monotonic,
            )
        )
