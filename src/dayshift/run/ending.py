"""How a run ended."""

from dataclasses import dataclass

from dayshift.core.states import RunState


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a run ended. ``code`` is empty for a run that simply finished."""

    state: RunState
    code: str = ""
    reason: str = ""
    hint: str = ""
    outcome: str = ""
