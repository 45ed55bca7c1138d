"""What a check came to: figures for each kind of situation, and what the model is good for."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from dayshift.app.model_check.judge import Verdict
from dayshift.app.model_check.situations import Book, Situation

Level = Literal["script", "smoke_test", "single_orders", "helper", "colleague"]
GOOD_FOR: dict[Level, str] = {
    "script": "It plays a script, whatever it is asked: the score says nothing of a model.",
    "smoke_test": "A test of the wire, nothing more: it does not do reliably what it is told.",
    "single_orders": "Single orders, one at a time, while a person looks on; "
    "it does not decide for itself.",
    "helper": "Small jobs with few steps: an agent with a narrow task, whose results are read.",
    "colleague": "Ordinary work of an agent; this check is small, and longer work may still be "
    "too much for it.",
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One situation with how it went."""

    id: str
    kind: str
    right: bool
    why: str
    turns: int


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """How many of one kind were right."""

    kind: str
    title: str
    right: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 when none was asked."""
        return self.right / self.of if self.of else 0.0


class Scorecard(msgspec.Struct, frozen=True, kw_only=True):
    """The whole check.

    Attributes:
        complete: Whether all situations were asked; a limit ends a check before.
        cost_usd: What it cost; ``None`` when the model's price is not known.
    """

    model: str
    complete: bool
    right: int
    of: int
    level: Level
    good_for: str
    figures: list[Figure]
    requests: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    took_s: float
    situations: list[Asked]


class Spent(msgspec.Struct):
    """What was used up so far."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0


def asked(situation: Situation, verdict: Verdict, turns: int) -> Asked:
    """One situation as it is told of."""
    return Asked(
        id=situation.id,
        kind=situation.kind,
        right=verdict.right,
        why=verdict.why,
        turns=turns,
    )


def figures(book: Book, done: Sequence[Asked]) -> list[Figure]:
    """The figures of all kinds, in the order of the file."""
    return [
        Figure(
            kind=kind,
            title=title,
            right=sum(one.right for one in done if one.kind == kind),
            of=sum(one.kind == kind for one in done),
        )
        for kind, title in book.kinds.items()
    ]


def level(found: Sequence[Figure], *, is_script: bool) -> Level:
    """What a model of such figures is good for.

    Args:
        found: The figures of all kinds.
        is_script: Whether no model answered.
    """
    if is_script:
        return "script"
    share = {figure.kind: figure.share for figure in found}
    orders = min(share["orders"], share["wording"])
    deciding = min(share["judgement"], share["steps"])
    rules: tuple[tuple[Level, bool], ...] = (
        ("colleague", orders >= 0.9 and deciding >= 0.8),  # noqa: PLR2004  what the level asks
        ("helper", orders >= 0.8 and deciding >= 0.5),  # noqa: PLR2004  what the level asks
        ("single_orders", orders >= 0.7),  # noqa: PLR2004  what the level asks
    )
    for name, holds in rules:
        if holds:
            return name
    return "smoke_test"
