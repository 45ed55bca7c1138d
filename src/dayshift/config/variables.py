"""``${VAR}`` in a text: replaced from the server's environment; ``$${VAR}`` stands for itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_VARIABLE = re.compile(r"(\$?)\$\{([^}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Substituted:
    """The text with its variables replaced, and what could not be, as sentences."""

    text: str
    faults: tuple[str, ...] = ()


def substitute(text: str, env: Mapping[str, str]) -> Substituted:
    """Replace every ``${VAR}``. A variable that is empty counts as not set."""
    faults: list[str] = []

    def value(match: re.Match[str]) -> str:
        escape, name = match.groups()
        if escape:
            return "${" + name + "}"
        if not _NAME.fullmatch(name):
            faults.append(f"'${{{name[:60]}}}' does not name an environment variable.")
        elif not env.get(name):
            faults.append(f"The environment variable {name} is not set.")
        return env.get(name, "")

    return Substituted(_VARIABLE.sub(value, text), tuple(faults))
