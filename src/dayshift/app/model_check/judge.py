"""Whether what a model did in a situation was right. Pure: the same answers, the same verdict."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dayshift.app.model_check.situations import Situation, Wanted, Way


class Verdict(msgspec.Struct, frozen=True):
    """How a situation ended. ``why`` says what was wrong; empty when nothing."""

    right: bool
    why: str = ""


RIGHT = Verdict(right=True)


class Judge:
    """Follows one situation, answer by answer."""

    def __init__(self, situation: Situation, looks: Sequence[str]) -> None:
        """``looks`` are the tools that change nothing."""
        self._situation = situation
        self._looks = looks
        self._said: list[str] = []
        self._open = [(way, way.wanted()) for way in situation.want]

    def called(self, tool: str, arguments: Mapping[str, Any]) -> Verdict | None:
        """A call that fits its tool; the verdict, when this decides.

        Args:
            tool: The tool's name.
            arguments: What it was given.
        """
        for forbidden in self._situation.never:
            for name, wanted in forbidden.items():
                if name == tool and _fault(wanted, arguments) == "":
                    return Verdict(right=False, why=f"It called {tool}, which is wrong here.")
        is_told = tool == "message_user"
        if is_told:
            self._said.append(str(arguments.get("message", "")))
        faults: list[str] = []
        still: list[tuple[Way, list[tuple[str, Wanted]]]] = []
        for way, left in self._open:
            fault = _take(left, tool, arguments)
            if fault and not is_told and tool not in self._looks:
                faults.append(fault)
            else:
                still.append((way, left))
        if not still:
            return Verdict(right=False, why=faults[0])
        self._open = still
        done = any(not left and way.say is None for way, left in still)
        return RIGHT if done else None

    def ended(self, text: str) -> Verdict:
        """The model has said its last word, and calls nothing more."""
        said = "\n".join([*self._said, text])
        faults = [_end_fault(way, left, said) for way, left in self._open]
        return RIGHT if "" in faults else Verdict(right=False, why=faults[0])


def _take(left: list[tuple[str, Wanted]], tool: str, arguments: Mapping[str, Any]) -> str:
    """Tick a wanted call off; what is wrong with it, when it is none of them."""
    fault = ""
    for at, (name, wanted) in enumerate(left):
        if name == tool:
            mismatch = _fault(wanted, arguments)
            if not mismatch:
                del left[at]
                return ""
            fault = fault or f"{tool}: {mismatch}"
    return fault or f"It called {tool}, which nobody asked for."


def _fault(wanted: Wanted, arguments: Mapping[str, Any]) -> str:
    """What of a call's arguments is not as it should be."""
    for name, texts in wanted.items():
        given = arguments.get(name, "")
        told = given if isinstance(given, str) else msgspec.json.encode(given).decode()
        if isinstance(texts, str):
            if told.strip().lower() not in texts.lower().split("|"):
                return f"{name} should be {_or(texts)}, not {told[:60]!r}."
        elif lacking := next((text for text in texts if not _holds(told, text)), ""):
            return f"{name} should say {_or(lacking)}, not {told[:60]!r}."
    return ""


def _end_fault(way: Way, left: Sequence[tuple[str, Wanted]], said: str) -> str:
    if left:
        return f"It ended without {left[0][0]}."
    for text in way.say or ():
        if not _holds(said, text):
            return f"It should say {_or(text)}, not {said.strip()[:60]!r}."
    for pattern in way.lacks:
        if re.search(pattern, said, re.IGNORECASE):
            return f"It says what it should not: {said.strip()[:60]!r}."
    return ""


def _holds(told: str, text: str) -> bool:
    plain = told.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return any(either in plain for either in text.lower().split("|"))


def _or(text: str) -> str:
    return " or ".join(repr(either) for either in text.split("|"))
