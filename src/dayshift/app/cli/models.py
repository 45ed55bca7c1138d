"""Commands about models: which can be used here, and small ones that run on this machine."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dayshift.app.cli.desk import Desk, command
from dayshift.app.cli.failure import NOTHING_THERE, REFUSED, WRONG_USE, FailureError
from dayshift.app.cli.late import late_model_files, late_open_check
from dayshift.app.settings import environment

if TYPE_CHECKING:
    from dayshift.app.model_check.scorecard import Scorecard
    from dayshift.app.model_check.sitting import Sitting
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
    *,
    sha256: Annotated[
        str, typer.Option(metavar="HEX", help="The hash it must have; another one is refused.")
    ] = "",
) -> None:
    """Copy a GGUF file into the home, so that agents can use it."""
    if not file.is_file():
        raise FailureError(f"There is no file {file}.", code="not_found", exit_code=NOTHING_THERE)
    part, home = late_model_files(), desk.settings.home_path
    ref = _blocking(desk, f"Copying {file.name}", lambda: part.add(home, file, sha256=sha256))
    desk.show({"model": ref}, f"{ref} is added. Use it: dayshift up --model {ref}")


@command(models)
def check(
    desk: Desk,
    ref: Annotated[
        str | None,
        typer.Argument(
            metavar="[PROVIDER:MODEL]", help="The one the server is set to if left out."
        ),
    ] = None,
    *,
    max_usd: Annotated[
        float, typer.Option("--max-usd", min=0, metavar="USD", help="The most it may cost.")
    ] = 1.0,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before it costs.")] = False,
) -> None:
    """Put 55 small situations of an office to a model, and say what it is good for.

    Nothing that the model calls is done. It ends with 0 when all were asked, whatever the score,
    and with 3 when the cost was not agreed to, or its limit ended the check.
    """
    named = ref or desk.of_server.settings.model
    if not named:
        raise FailureError(
            "No model is named, and the server is set to none.",
            code="invalid",
            hint="Name one as provider:model; dayshift model list shows those that can be used.",
            exit_code=WRONG_USE,
        )
    card = asyncio.run(_check(desk, named, max_usd, is_agreed=yes))
    desk.show(card, "\n".join(_told(card)))
    if not card.complete:
        told = f"The limit of ${max_usd:g} ended the check after {card.of} situations"
        desk.output.note(f"{told}; --max-usd gives a higher one.")
        raise typer.Exit(REFUSED)


async def _check(desk: Desk, ref: str, max_usd: float, *, is_agreed: bool) -> "Scorecard":
    """Hold the check, once whoever pays has agreed."""
    opening = late_open_check()(desk.settings.home_path, environment(), ref, max_usd=max_usd)
    async with opening as sitting:
        if not is_agreed:
            _agree(desk, sitting, max_usd)
        count = len(sitting.means.book.situations)
        with desk.output.progress(f"Asking {ref}", of=count) as progress:

            def tell(done: int) -> None:
                progress.reach(done, f"Asking {ref}, {done} of {count}")

            return await sitting.hold(tell)


def _agree(desk: Desk, sitting: "Sitting", max_usd: float) -> None:
    """Ask before money is spent; where nobody can be asked, the answer is no.

    Raises:
        FailureError: It is not agreed to.
    """
    usual, ref = sitting.usual_usd(), sitting.means.model.ref
    if usual == 0:
        return
    cost = "at a price that is not known" if usual is None else f"for about ${usual:.2f}"
    most = "" if usual is None else f", and no more than ${max_usd:g}"
    told = f"This sends about a hundred requests to {ref} {cost}{most}."
    if desk.output.may_ask:
        desk.output.note(told)
        if typer.confirm("Go on?", err=True):
            return
    raise FailureError(
        f"{told} That was not agreed to, and nothing was sent.",
        code="denied",
        hint="Agree with --yes.",
        exit_code=REFUSED,
    )


def _told(card: "Scorecard") -> list[str]:
    """A scorecard for a person: figures, what went wrong, what the model is good for."""
    lines = [f"{figure.title:<32}{figure.right:>3} of {figure.of:>2}" for figure in card.figures]
    lines.append(f"{'Together':<32}{card.right:>3} of {card.of:>2}")
    wrong = [f"  {each.id}: {each.why}" for each in card.situations if not each.right]
    if wrong:
        lines += ["", "Not right:", *wrong]
    cost = "the cost is not known" if card.cost_usd is None else f"${card.cost_usd:.4f}"
    tokens = f"{card.input_tokens:,} tokens in and {card.output_tokens:,} out"
    lines += ["", f"{card.requests} requests in {card.took_s:g} s, {tokens}, {cost}."]
    return [*lines, f"{card.model} is good for: {card.good_for}"]


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
