"""The arithmetic of salience, worked by table."""
# ruff: noqa: RUF001  full-width letters and signs are what is tested

import pytest

from dayshift.core.events import Event
from dayshift.core.states import Duty, Priority
from dayshift.core.views import Decision
from dayshift.dispatch.salience import Profile, hear, judge, profile, targeted

LOW, NORMAL, HIGH = Priority.LOW, Priority.NORMAL, Priority.HIGH


def broadcast(text: str, priority: Priority = NORMAL, *, by: str = "office") -> Event:
    """A broadcast that says something."""
    return Event(source="custom", type="news", text=text, priority=priority, by=by)


def interests(
    *keywords: str, skills: tuple[str, ...] = (), threshold: float = 0.4, agent: str = "iris"
) -> Profile:
    """An agent that cares for some words."""
    return profile(agent, keywords=keywords, skills=skills, threshold=threshold)


@pytest.mark.parametrize(
    ("priority", "text", "score", "accepted"),
    [
        (LOW, "lunch is here", 0.19, False),
        (NORMAL, "lunch is here", 0.27, False),
        (HIGH, "lunch is here", 0.39, False),
        (LOW, "an api", 0.34, False),
        (LOW, "an api in python", 0.49, True),
        (NORMAL, "an api", 0.42, True),
        (HIGH, "an api", 0.54, True),
        (NORMAL, "an api in python", 0.57, True),
        (NORMAL, "an api in python with celery", 0.63, True),
        (NORMAL, "an api in python with celery and django", 0.63, True),
        (LOW, "an api to migrate", 0.40, True),
        (NORMAL, "we migrate", 0.33, False),
        (HIGH, "we migrate", 0.45, True),
        (NORMAL, "urgent lunch", 0.36, False),
        (HIGH, "critical lunch", 0.48, True),
        (NORMAL, "紧急午餐", 0.36, False),
        (NORMAL, "緊急午餐", 0.36, False),
        (NORMAL, "加急午餐", 0.36, False),
        (NORMAL, "urgently hungry", 0.27, False),
        (HIGH, "urgent: migrate an api in python with celery", 0.84, True),
    ],
)
def test_the_worked_table(priority: Priority, text: str, score: float, *, accepted: bool) -> None:
    """Priority times 0.4 plus relevance times 0.6, accepted from 0.4.

    Demanded by: EVT-2.
    """
    iris = interests("api", "Python", "celery", "django", skills=("data to migrate",))

    decision = judge(hear(broadcast(text, priority)), iris, Duty.ON_DUTY)

    assert (decision.score, decision.accepted) == (score, accepted)


def test_relevance_ends_at_one() -> None:
    """Many keywords, a skill and an urgent word together weigh 1.0, no more.

    Demanded by: EVT-2.
    """
    iris = interests("api", "python", "celery", skills=("deploy",))

    decision = judge(hear(broadcast("urgent: deploy api python celery")), iris, Duty.ON_DUTY)

    assert decision.score == 0.72


def test_a_decision_says_why() -> None:
    """Layer, score, threshold, the keywords as they were written, and a reason in words.

    Demanded by: EVT-2.
    """
    heard = hear(broadcast("Urgent: a CVE in the api, please migrate"))
    iris = interests("API", "cve", "xss", skills=("migrate",))

    assert judge(heard, iris, Duty.ON_DUTY) == Decision(
        agent="iris",
        accepted=True,
        layer="wake",
        score=0.72,
        threshold=0.4,
        keywords=["API", "cve"],
        reason="reaches its threshold: API, cve; a skill; urgent",
    )
    assert judge(heard, interests("xss", threshold=0.9), Duty.ON_DUTY) == Decision(
        agent="iris",
        accepted=False,
        layer="salience",
        score=0.36,
        threshold=0.9,
        keywords=[],
        reason="below its threshold: no keyword; urgent",
    )
    assert judge(heard, iris, Duty.OFF_DUTY) == Decision(
        agent="iris",
        accepted=False,
        layer="mask",
        score=0.72,
        threshold=0.4,
        keywords=["API", "cve"],
        reason="off duty: only emergencies reach it",
    )


@pytest.mark.parametrize(
    ("duty", "reason"),
    [
        (Duty.WAIT, "waiting for an answer: only emergencies reach it"),
        (Duty.WRAPPING_UP, "wrapping up: only emergencies reach it"),
        (Duty.OFF_DUTY, "off duty: only emergencies reach it"),
    ],
)
def test_who_is_not_on_duty_is_not_woken_by_a_broadcast(duty: Duty, reason: str) -> None:
    """However salient it is; the score says what it missed.

    Demanded by: EVT-2, EVT-3.
    """
    decision = judge(hear(broadcast("an api", HIGH)), interests("api"), duty)

    assert (decision.accepted, decision.layer, decision.reason) == (False, "mask", reason)
    assert decision.score == 0.54


@pytest.mark.parametrize("duty", list(Duty))
@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (broadcast("fire", Priority.EMERGENCY), "an emergency"),
        (Event(source="time", type="SHIFT_START", text="Good morning."), "a bell of the clock"),
    ],
)
def test_emergencies_and_bells_reach_everyone(event: Event, reason: str, duty: Duty) -> None:
    """In any duty state, and without a keyword.

    Demanded by: EVT-2, EVT-3.
    """
    assert judge(hear(event), interests("api"), duty) == Decision(
        agent="iris",
        accepted=True,
        layer="mask",
        score=1.0,
        threshold=0.4,
        keywords=[],
        reason=reason,
    )


def test_nobody_is_woken_by_its_own_event() -> None:
    """Not even by an emergency; a colleague is.

    Demanded by: EVT-2, EVT-6.
    """
    own = hear(broadcast("fire in the api", Priority.EMERGENCY, by="agent:iris"))

    assert judge(own, interests("api"), Duty.ON_DUTY) == Decision(
        agent="iris",
        accepted=False,
        layer="mask",
        score=0.7,
        threshold=0.4,
        keywords=["api"],
        reason="its own event",
    )
    assert judge(own, interests("api", agent="juno"), Duty.ON_DUTY).accepted


def test_a_threshold_that_is_just_reached_is_reached() -> None:
    """Scores are counted in whole numbers, so that equal is equal; 0 hears everything.

    Demanded by: EVT-2.
    """
    heard = hear(broadcast("an api"))

    assert judge(heard, interests("api", threshold=0.42), Duty.ON_DUTY).accepted
    assert not judge(heard, interests("api", threshold=0.4201), Duty.ON_DUTY).accepted
    assert judge(hear(broadcast("x", LOW)), interests(threshold=0), Duty.ON_DUTY).accepted


def test_two_spellings_of_a_keyword_count_once() -> None:
    """Case, width and hyphens do not make another keyword, and one without letters is none.

    Demanded by: EVT-2.
    """
    iris = interests("front end", "Front-End", "ＦＲＯＮＴ end", "++")

    decision = judge(hear(broadcast("the front end")), iris, Duty.ON_DUTY)

    assert (decision.score, decision.keywords) == (0.42, ["front end"])


def test_small_words_of_skills_weigh_nothing() -> None:
    """What stands in nearly every sentence says nothing of what an agent can do.

    Demanded by: EVT-2.
    """
    iris = interests(skills=("design of a system to be used by all",))

    decision = judge(hear(broadcast("a letter to all of you")), iris, Duty.ON_DUTY)

    assert decision.score == 0.27


@pytest.mark.parametrize(
    ("duty", "priority", "reason"),
    [
        (Duty.ON_DUTY, NORMAL, "addressed to it"),
        (Duty.WAIT, NORMAL, "addressed to it; held until it is on duty"),
        (Duty.OFF_DUTY, HIGH, "addressed to it; held until it is on duty"),
        (Duty.OFF_DUTY, Priority.EMERGENCY, "addressed to it"),
    ],
)
def test_what_is_addressed_to_an_agent_is_not_weighed(
    duty: Duty, priority: Priority, reason: str
) -> None:
    """It is accepted in any duty state; away from duty it is held, never dropped.

    Demanded by: EVT-1, EVT-3.
    """
    event = Event(source="person", type="message", text="Hi", target="iris", priority=priority)

    assert targeted(event, duty) == Decision(
        agent="iris",
        accepted=True,
        layer="target",
        score=1.0,
        threshold=0.0,
        keywords=[],
        reason=reason,
    )
