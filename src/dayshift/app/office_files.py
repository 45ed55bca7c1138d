"""Offices as folders of a home: which there are, and what is wrong with the file of one.

``<home>/offices/<office>/office.yaml`` is an office; the folder's name is its name.
"""

from collections.abc import Mapping
from pathlib import Path

from dayshift.config.office import OfficeConfig, load
from dayshift.core.errors import ConfigError, ConfigErrors

FOLDER = "offices"
OFFICE_FILE = "office.yaml"


def office_file(home: Path, name: str) -> Path:
    """Where an office's file is, or would be."""
    return home / FOLDER / name / OFFICE_FILE


def names(home: Path) -> list[str]:
    """The offices of a home, by name."""
    return sorted(path.parent.name for path in (home / FOLDER).glob(f"*/{OFFICE_FILE}"))


def check(path: Path, env: Mapping[str, str]) -> OfficeConfig | tuple[ConfigError, ...]:
    """Read an office file: what it says, or everything that is wrong with it."""
    try:
        return load(path, env)
    except ConfigErrors as found:
        return found.errors
