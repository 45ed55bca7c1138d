"""Salience: how much a broadcast concerns one agent; the second layer of the attention filter.

Pure arithmetic over words; no state, no clock, no I/O, no model. In hundredths::

    relevance = 25, + 25 for each keyword in the text (at most 60), + 10 if a skill is in it,
                + 15 if it says it is urgent; at most 100
    score     = priority / 10 x 40 + relevance x 0.6

The agent is woken when the score reaches its threshold. It is counted in whole ten-thousandths, so
that a score equal to the threshold is equal, whatever floats make of it. The table of examples is
tests/unit/dispatch/test_salience.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dayshift.core.events import Event
from dayshift.core.states import Duty
from dayshift.core.views import Decision
from dayshift.dispatch.mask import Gate, is_own, mask
from dayshift.dispatch.rules import Delivery, delivery
from dayshift.dispatch.words import Phrase, Words, phrase_of, telling, words_of

BASE = 25
PER_KEYWORD = 25
KEYWORDS_MAX = 60
SKILL = 10
URGENT = 15
RELEVANCE_MAX = 100

PRIORITY_WEIGHT = 400
"""Ten-thousandths of the score for one step of priority (1 to 10)."""
RELEVANCE_WEIGHT = 60
"""Ten-thousandths of the score for one hundredth of relevance."""
WHOLE = 10_000

URGENT_PHRASES: tuple[Phrase, ...] = tuple(
    phrase_of(word) for word in ("urgent", "critical", "紧急", "緊急", "加急")
)

_AWAY = {
    Duty.WAIT: "waiting for an answer",
    Duty.WRAPPING_UP: "wrapping up",
    Duty.OFF_DUTY: "off duty",
}


@dataclass(frozen=True)
class Keyword:
    """A keyword as it was written, and as it is looked for."""

    shown: str
    phrase: Phrase


@dataclass(frozen=True)
class Profile:
    """What concerns one agent.

    Attributes:
        threshold: Ten-thousandths a score must reach to wake it.
        skills: Telling words of its skills.
    """

    agent: str
    keywords: tuple[Keyword, ...]
    skills: frozenset[str]
    threshold: int


@dataclass(frozen=True)
class Heard:
    """A broadcast, ready to be compared with many agents."""

    event: Event
    words: Words
    is_urgent: bool


def profile(
    agent: str, *, keywords: Sequence[str], skills: Sequence[str], threshold: float
) -> Profile:
    """What concerns an agent, from its description.

    Args:
        agent: Its name.
        keywords: In any case; two that differ in case, width or hyphens only are one.
        skills: Free text.
        threshold: From 0, which hears everything, to 1.
    """
    distinct: dict[Phrase, str] = {}
    for keyword in keywords:
        distinct.setdefault(phrase_of(keyword), keyword)
    distinct.pop((), None)
    return Profile(
        agent=agent,
        keywords=tuple(Keyword(shown, phrase) for phrase, shown in distinct.items()),
        skills=telling(words_of(*skills).tokens),
        threshold=round(threshold * WHOLE),
    )


def hear(event: Event) -> Heard:
    """Take the words of a broadcast apart, once for all agents."""
    words = words_of(event.type, event.text)
    return Heard(event, words, any(words.has(phrase) for phrase in URGENT_PHRASES))


def score(heard: Heard, *, hits: int, has_skill: bool) -> int:
    """Ten-thousandths for a number of keywords found."""
    relevance = (
        BASE
        + min(KEYWORDS_MAX, hits * PER_KEYWORD)
        + (SKILL if has_skill else 0)
        + (URGENT if heard.is_urgent else 0)
    )
    return heard.event.priority * PRIORITY_WEIGHT + min(RELEVANCE_MAX, relevance) * RELEVANCE_WEIGHT


def judge(heard: Heard, agent: Profile, duty: Duty) -> Decision:
    """The decision for one agent, worked out from nothing but the two of them."""
    if mask(heard.event, duty, agent.agent) is Gate.LET_IN:
        return let_in(heard, agent)
    found = [word.shown for word in agent.keywords if heard.words.has(word.phrase)]
    return weigh(heard, agent, duty, found)


def weigh(heard: Heard, agent: Profile, duty: Duty, found: list[str]) -> Decision:
    """The decision for one agent that the mask does not let in, once its keywords are found."""
    has_skill = not agent.skills.isdisjoint(heard.words.telling)
    points = score(heard, hits=len(found), has_skill=has_skill)
    is_kept_out = mask(heard.event, duty, agent.agent) is Gate.KEEP_OUT
    accepted = not is_kept_out and points >= agent.threshold
    if is_kept_out:
        own = is_own(heard.event, agent.agent)
        reason = "its own event" if own else f"{_AWAY[duty]}: only emergencies reach it"
    else:
        parts = [", ".join(found) if found else "no keyword"]
        parts += ["a skill"] if has_skill else []
        parts += ["urgent"] if heard.is_urgent else []
        reason = f"{'reaches' if accepted else 'below'} its threshold: {'; '.join(parts)}"
    return Decision(
        agent=agent.agent,
        accepted=accepted,
        layer="mask" if is_kept_out else "wake" if accepted else "salience",
        score=points / WHOLE,
        threshold=agent.threshold / WHOLE,
        keywords=found,
        reason=reason,
    )


def let_in(heard: Heard, agent: Profile) -> Decision:
    """The decision for an agent whom a bell or an emergency reaches in any duty state."""
    return Decision(
        agent=agent.agent,
        accepted=True,
        layer="mask",
        score=1.0,
        threshold=agent.threshold / WHOLE,
        keywords=[],
        reason="a bell of the clock" if heard.event.source == "time" else "an emergency",
    )


def targeted(event: Event, duty: Duty) -> Decision:
    """The decision for the agent an event is addressed to; nothing is weighed."""
    is_held = delivery(duty, event) is Delivery.HELD
    return Decision(
        agent=event.target,
        accepted=True,
        layer="target",
        score=1.0,
        threshold=0.0,
        keywords=[],
        reason="addressed to it; held until it is on duty" if is_held else "addressed to it",
    )
