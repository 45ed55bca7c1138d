"""Offices as folders of a home: which there are, and what is wrong with the file of one.

``<home>/offices/<office>/office.yaml`` is an office; the folder's name is its name.
"""

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dayshift.app.model_files import catalogue
from dayshift.config.office import OfficeConfig, load
from dayshift.config.place import Path as Place
from dayshift.core.errors import ConfigError, ConfigErrors, OfficeError, StorageError
from dayshift.models.catalogue import Catalogue
from dayshift.models.wire import Wire

FOLDER = "offices"
OFFICE_FILE = "office.yaml"


def office_file(home: Path, name: str) -> Path:
    """Where an office's file is, or would be."""
    return home / FOLDER / name / OFFICE_FILE


def names(home: Path) -> list[str]:
    """The offices of a home, by name."""
    return sorted(path.parent.name for path in (home / FOLDER).glob(f"*/{OFFICE_FILE}"))


@contextmanager
def named_within(home: Path) -> Generator[None]:
    """Let faults of office files name them as they lie in the home.

    Whoever asks from elsewhere is not told where the home is.
    """
    root = f"{home}{os.sep}"
    try:
        yield
    except ConfigErrors as found:
        for error in found.errors:
            error.file = error.file.removeprefix(root)
            error.message = error.message.removeprefix(root)
        raise ConfigErrors(found.errors) from found
    except StorageError as error:
        raise StorageError(error.message.replace(root, ""), hint=error.hint) from error


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a look at an office file found.

    Attributes:
        faults: What is wrong with it, in its order; none when it is valid.
        notes: What the file is not to blame for, but keeps its agents from working here.
    """

    faults: tuple[ConfigError, ...]
    notes: tuple[str, ...] = ()


def check(path: Path, env: Mapping[str, str], *, home: Path, model: str = "") -> Checked:
    """Read an office file and the models it names.

    Args:
        path: The file.
        env: The environment, for what the file takes from it and for keys of providers.
        home: Where the owner's list of providers is.
        model: What its agents work on when the file does not say.
    """
    try:
        config = load(path, env)
        # A key that is missing is no fault of the file: with any key, only unknown models are left.
        known = catalogue(home, _any_key, Wire()).within(path.parent)
        usable = catalogue(home, env.get, Wire()).within(path.parent)
    except ConfigErrors as found:
        return Checked(faults=found.errors)
    except ConfigError as error:
        return Checked(faults=(error,))
    faults: list[ConfigError] = []
    notes: dict[str, None] = {}
    for place, ref in _models(config):
        error = _resolve(known, ref)
        if error is not None:
            faults.append(config.places.error(place, error.message, hint=error.hint))
        elif (error := _resolve(usable, ref)) is not None:
            notes[f"{ref}: {error.message} {error.hint}".rstrip()] = None
    if model and not config.model and (error := _resolve(usable, model)) is not None:
        at_fault = config.places.error(("office",), error.message, hint=error.hint)
        faults.append(error if isinstance(error, ConfigError) else at_fault)
    return Checked(faults=tuple(faults), notes=tuple(notes))


def _any_key(_variable: str) -> str:
    return "any"


def _resolve(catalogue: Catalogue, ref: str) -> OfficeError | None:
    try:
        catalogue.resolve(ref)
    except OfficeError as error:
        return error
    return None


def _models(config: OfficeConfig) -> Iterator[tuple[Place, str]]:
    """Every model the file names, with where it does."""
    if config.model:
        yield ("office", "model"), config.model
    for at, agent in enumerate(config.agents):
        if agent.model and agent.model != config.model:
            yield ("agents", at, "model"), agent.model
        for nth, fallback in enumerate(agent.fallbacks):
            yield ("agents", at, "fallbacks", nth), fallback
