"""What an office's file says of an agent's computer, whatever its kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from dayshift.computers.enclosure import Limits


@dataclass(frozen=True, kw_only=True)
class Options:
    """What an agent's configuration says of its computer.

    Attributes:
        folder: A folder to work in instead of the agent's own workspace; ``None`` for that.
        env: Environment of its commands, over the computer's own; secrets do not belong here.
        network: Whether its commands reach the network.
    """

    folder: Path | None = None
    env: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    network: bool = False
    limits: Limits = field(default_factory=Limits)
