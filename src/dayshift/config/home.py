"""The home's settings file, ``<home>/settings.yaml``: read and checked, every fault at its place.

It may be missing; then nothing is set. Which settings there are, and what they mean, is the
business of whoever asks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dayshift.config.faults import near
from dayshift.config.place import Places
from dayshift.config.yaml_text import Plain, as_mapping, read_yaml
from dayshift.core.errors import ConfigError, ConfigErrors

SETTINGS_FILE = "settings.yaml"

Kind = type[str] | type[int] | type[bool]
Value = str | int | bool

_KINDS: dict[Kind, str] = {str: "text", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True)
class HomeSettings:
    """What the file sets, and where, for faults that are found later."""

    values: Mapping[str, Value]
    places: Places


def read_settings(home: Path, known: Mapping[str, Kind]) -> HomeSettings:
    """Read the settings file of a home.

    Args:
        home: The home.
        known: The settings that may stand there, and their kinds. A key without a value is left
            out.

    Raises:
        ConfigErrors: Everything that is wrong with the file.
    """
    file = home / SETTINGS_FILE
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        # What is wrong with the home itself is told where it is made.
        return HomeSettings({}, Places(str(file)))
    except OSError as error:
        message = f"The file cannot be read: {error.strerror or error}."
        raise ConfigErrors([ConfigError(message, file=str(file))]) from error
    if not data.decode("utf-8", "ignore").strip():
        return HomeSettings({}, Places(str(file)))
    try:
        text = read_yaml(data, str(file))
        plain = as_mapping(text)
    except ConfigError as error:
        raise ConfigErrors([error]) from error
    faults = [
        fault for key, value in plain.items() for fault in _faults(key, value, known, text.places)
    ]
    if faults:
        raise ConfigErrors(faults)
    values = {key: value for key, value in plain.items() if isinstance(value, str | int)}
    return HomeSettings(values, text.places)


def _faults(key: str, value: Plain, known: Mapping[str, Kind], places: Places) -> list[ConfigError]:
    if key not in known:
        hint = near(key, known) or f"Known here: {', '.join(known)}."
        return [places.key_error((key,), f"There is no setting '{key[:60]}'.", hint=hint)]
    if value is None or type(value) is known[key]:
        return []
    hint = "Put it in quotes." if known[key] is str and isinstance(value, int | float) else ""
    return [places.error((key,), f"Expected {_KINDS[known[key]]}.", hint=hint)]
