"""Commands about models: which can be used here, and small ones that run on this machine."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.desk import Desk, command
from dayshift.app.cli.failure import NOTHING_THERE, FailureError
from dayshift.app.cli.late import late_model_files
from dayshift.app.settings import environment

if TYPE_CHECKING:
    from dayshift.core.details import ModelReport, ProviderReport

models = typer.Typer(help="Models: list what can be used here, install or add a small one.")


@command(models, "list")
def list_models(
    desk: Desk,
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Also of providers that cannot be used here.")
    ] = False,
) -> None:
    """List models as provider:model, with window and price per million tokens."""

    async def work() -> "list[ProviderReport]":
        with desk.output.progress("Looking for models"):
            return await late_model_files().report(desk.settings.home_path, environment())

    found = [each for each in asyncio.run(work()) if each.usable or every]
    rows = [_row(model) for provider in found for model in provider.models]
    head = ("MODEL", "WINDOW", "REASONS", "IMAGES", "IN", "OUT")
    desk.show_table({"providers": found}, head, rows, empty="No models.")


@command(models)
def install(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="smollm2 is the one there is.")],
) -> None:
    """Fetch a small model that needs no key; it tests the wire, and is no colleague."""
    part = late_model_files()
    ref = _blocking(desk, f"Fetching {name}", lambda: part.install(desk.settings.home_path, name))
    desk.show({"model": ref}, f"{ref} is installed. Use it: dayshift up --model {ref}")


@command(models)
def add(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE.gguf", help="A model file.")],
) -> None:
    """Copy a GGUF file into the home, so that agents can use it."""
    if not file.is_file():
        raise FailureError(f"There is no file {file}.", code="not_found", exit_code=NOTHING_THERE)
    part = late_model_files()
    ref = _blocking(desk, f"Copying {file.name}", lambda: part.add(desk.settings.home_path, file))
    desk.show({"model": ref}, f"{ref} is added. Use it: dayshift up --model {ref}")


def _blocking(desk: Desk, doing: str, work: Callable[[], str]) -> str:
    """Do something that takes its time, with progress for who watches."""

    async def run() -> str:
        with desk.output.progress(doing):
            return await asyncio.to_thread(work)

    return asyncio.run(run())


def _row(model: "ModelReport") -> tuple[str, ...]:
    return (
        model.ref,
        f"{model.context_tokens:,}",
        "yes" if model.reasoning else "no",
        "yes" if model.images else "no",
        _price(model.input_usd_per_million),
        _price(model.output_usd_per_million),
    )


def _price(usd: float | None) -> str:
    return "?" if usd is None else f"${usd:g}"
