"""Places in a configuration file: where each value and key stands, and faults that name it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dayshift.core.errors import ConfigError

Path = tuple[str | int, ...]
"""The way to a value: keys and list positions, for example ``("agents", 0, "model")``."""


@dataclass(frozen=True, slots=True)
class Place:
    """One-based line and column; both 0 when the whole file is meant."""

    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Places:
    """Where everything in one file stands.

    Attributes:
        file: The file as the reader would name it.
        values: Path to the first character of the value.
        keys: Path to the first character of the key; list entries have none.
    """

    file: str
    values: Mapping[Path, Place] = field(default_factory=dict[Path, Place])
    keys: Mapping[Path, Place] = field(default_factory=dict[Path, Place])

    def of(self, path: Path) -> Place:
        """Where a value stands; if it is not written down, where what is around it begins."""
        for end in range(len(path), -1, -1):
            if (place := self.values.get(path[:end])) is not None:
                return place
        return Place()

    def of_key(self, path: Path) -> Place:
        """Where a key stands; the value's place when it has none."""
        return self.keys.get(path) or self.of(path)

    def error(self, path: Path, message: str, *, hint: str = "") -> ConfigError:
        """A fault in a value."""
        return self.error_at(self.of(path), message, hint=hint)

    def key_error(self, path: Path, message: str, *, hint: str = "") -> ConfigError:
        """A fault in a key."""
        return self.error_at(self.of_key(path), message, hint=hint)

    def error_at(self, place: Place, message: str, *, hint: str = "") -> ConfigError:
        """A fault at a place that is known already."""
        return ConfigError(message, file=self.file, line=place.line, column=place.column, hint=hint)
