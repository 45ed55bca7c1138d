"""What a tool call left behind that a person may want to look at."""

from typing import Literal

import msgspec


class Artifact(msgspec.Struct, frozen=True, omit_defaults=True):
    """``path`` is relative to the agent's workspace; ``diff`` is a unified diff of an edit."""

    kind: Literal["file", "diff", "message", "task"]
    path: str = ""
    diff: str = ""
    id: str = ""
    bytes: int = 0
