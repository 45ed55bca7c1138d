"""The attention index: the same decisions as one by one, at a cost of matches."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.core.errors import NotFoundError
from dayshift.core.events import Event
from dayshift.core.states import Activity, Duty, Priority
from dayshift.core.views import AgentView, Decision
from dayshift.dispatch.index import AttentionIndex
from dayshift.dispatch.salience import Profile, profile


def view(name: str, duty: Duty, *, removed: bool = False) -> AgentView:
    """An agent as the duty book tells of it."""
    return AgentView(
        name=name,
        title="",
        description="",
        group="",
        reports_to="",
        model="",
        priority="normal",
        thinking="low",
        duty=duty,
        activity=Activity.IDLE,
        run="",
        computer="",
        tools=[],
        inbox_paused=False,
        removed=removed,
    )


def news(text: str, priority: Priority = Priority.NORMAL, *, target: str = "") -> Event:
    """An event of the outside world."""
    return Event(source="webhook", type="news", text=text, priority=priority, target=target)


def caring(agent: str, *keywords: str, threshold: float = 0.4) -> Profile:
    """An agent that cares for some words."""
    return profile(agent, keywords=keywords, skills=["migrate data"], threshold=threshold)


@pytest.fixture
def index() -> AttentionIndex:
    """Iris for apis, Juno for front ends, Kai hears everything."""
    index = AttentionIndex()
    index.put(caring("iris", "api", "接口"), Duty.ON_DUTY)
    index.put(caring("juno", "front end", "front"), Duty.ON_DUTY)
    index.put(caring("kai", threshold=0), Duty.ON_DUTY)
    return index


def woken(decisions: list[Decision]) -> list[str]:
    """Whom a decision wakes."""
    return [decision.agent for decision in decisions if decision.accepted]


def test_a_broadcast_finds_whom_it_concerns(index: AttentionIndex) -> None:
    """By words, by phrases, by characters, or whoever hears everything.

    Demanded by: EVT-2, EVT-8.
    """
    assert len(index) == 3
    assert woken(index.decide(news("the API is down"))) == ["iris", "kai"]
    assert woken(index.decide(news("数据接口文档"))) == ["iris", "kai"]
    assert woken(index.decide(news("the front-end and its api"))) == ["juno", "iris", "kai"]
    assert woken(index.decide(news("lunch"))) == ["kai"]
    assert woken(index.decide(news("please migrate it", Priority.HIGH))) == ["iris", "juno", "kai"]


def test_a_threshold_that_is_just_reached_wakes(index: AttentionIndex) -> None:
    """Without a keyword, by nothing at all or by a skill, as much as with one.

    Demanded by: EVT-2, EVT-8.
    """
    index.put(caring("lea", threshold=0.27), Duty.ON_DUTY)
    index.put(caring("max", threshold=0.33), Duty.ON_DUTY)
    index.remove("kai")

    assert woken(index.decide(news("lunch"))) == ["lea"]
    index.remove("lea")
    assert woken(index.decide(news("migrate"))) == ["max"]


def test_who_heard_its_word_and_is_not_woken_is_told_too(index: AttentionIndex) -> None:
    """Also when duty keeps it out; those whom nothing concerns are not.

    Demanded by: EVT-2.
    """
    index.follow(view("juno", Duty.ON_DUTY), view("juno", Duty.OFF_DUTY))

    told = index.decide(news("an api in front", Priority.LOW))

    assert [(d.agent, d.accepted, d.layer) for d in told] == [
        ("kai", True, "wake"),
        ("iris", False, "salience"),
        ("juno", False, "mask"),
    ]


def test_an_event_with_a_target_concerns_the_target_alone(index: AttentionIndex) -> None:
    """Nothing is weighed; nobody of that name, no decision; everybody else is told why not.

    Demanded by: EVT-1, EVT-2.
    """
    event = news("lunch", target="juno")

    assert index.decide(event) == [index.explain(event, "juno")]
    assert index.explain(event, "juno").layer == "target"
    assert index.decide(news("lunch", target="nobody")) == []
    assert index.explain(event, "iris") == Decision(
        agent="iris",
        accepted=False,
        layer="target",
        score=0.0,
        threshold=0.0,
        keywords=[],
        reason="addressed to juno",
    )
    with pytest.raises(NotFoundError, match="Nobody called nobody works here"):
        index.explain(event, "nobody")


def test_an_emergency_reaches_everyone(index: AttentionIndex) -> None:
    """Whatever their duty and their words.

    Demanded by: EVT-2.
    """
    index.follow(None, view("iris", Duty.OFF_DUTY))

    assert woken(index.decide(news("fire", Priority.EMERGENCY))) == ["iris", "juno", "kai"]


def test_the_index_follows_hiring_editing_duty_and_leaving(index: AttentionIndex) -> None:
    """What is known of an agent is what was put last; who left is not found.

    Demanded by: EVT-8, AGENT-3.
    """
    index.put(caring("iris", "database", "front end", threshold=0.3), Duty.ON_DUTY)
    index.follow(view("juno", Duty.ON_DUTY), view("juno", Duty.ON_DUTY, removed=True))
    index.follow(None, view("lea", Duty.ON_DUTY))
    index.follow(view("kai", Duty.ON_DUTY), view("kai", Duty.ON_DUTY))
    index.remove("nobody")

    assert len(index) == 2
    assert woken(index.decide(news("the api"))) == ["kai"]
    assert woken(index.decide(news("the front end of the database"))) == ["iris", "kai"]


AGENTS = st.sampled_from(["iris", "juno", "kai", "lea", "max"])
WORDS = st.sampled_from(
    [
        "api",
        "API",
        "front",
        "end",
        "front end",
        "the front end",
        "接口",
        "接口文档",
        "文档",
        "c++",
        "go",
    ]
)
TEXTS = st.lists(
    st.sampled_from(
        [
            "api",
            "front",
            "end",
            "the",
            "接口",
            "文",
            "档",
            "C++",
            "go",
            "going",
            ".",
            "urgent",
            "migrate",
        ]
    ),
    max_size=12,
).map(" ".join)
PROFILES = st.builds(
    lambda agent, keywords, skills, threshold: profile(
        agent, keywords=keywords, skills=skills, threshold=threshold
    ),
    AGENTS,
    st.lists(WORDS, max_size=4),
    st.lists(st.sampled_from(["migrate", "接口 design", "going"]), max_size=2),
    st.sampled_from([0, 0.27, 0.33, 0.4, 0.42, 0.9]),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), PROFILES, st.sampled_from(Duty)),
        st.tuples(st.just("duty"), AGENTS, st.sampled_from(Duty)),
        st.tuples(st.just("leave"), AGENTS, st.just(Duty.OFF_DUTY)),
    ),
    max_size=25,
)
EVENTS = st.builds(
    Event,
    source=st.sampled_from(["webhook", "time"]),
    type=st.just("news"),
    text=TEXTS,
    priority=st.sampled_from(Priority),
    target=st.one_of(st.just(""), AGENTS),
    by=st.one_of(st.just("office"), AGENTS.map(lambda agent: f"agent:{agent}")),
)


def replay(steps: list[tuple[str, Profile | str, Duty]]) -> tuple[AttentionIndex, set[str]]:
    """An index with a history, and who is in it."""
    index, here = AttentionIndex(), set[str]()
    for what, whom, duty in steps:
        name = whom.agent if isinstance(whom, Profile) else whom
        if isinstance(whom, Profile):
            index.put(whom, duty)
            here.add(name)
        else:
            index.follow(None, view(name, duty, removed=what == "leave"))
            here -= {name} if what == "leave" else set()
    return index, here


@given(steps=STEPS, event=EVENTS)
def test_the_index_decides_as_one_by_one(
    steps: list[tuple[str, Profile | str, Duty]], event: Event
) -> None:
    """Whatever happened before: the same decisions as judging every agent by itself.

    Demanded by: EVT-8.
    """
    index, here = replay(steps)

    one_by_one = [index.explain(event, agent) for agent in here]

    told = [decision for decision in one_by_one if decision.accepted or decision.keywords]
    assert index.decide(event) == sorted(told, key=lambda d: (not d.accepted, -d.score, d.agent))


@given(steps=STEPS)
def test_an_index_that_everyone_left_holds_nothing(
    steps: list[tuple[str, Profile | str, Duty]],
) -> None:
    """No keyword, skill or threshold stays behind.

    Demanded by: EVT-8.
    """
    index, here = replay(steps)

    index.follow(None, view("zoe", Duty.OFF_DUTY, removed=True))
    [index.remove(agent) for agent in here]

    assert vars(index) | {"_root": None} == vars(AttentionIndex()) | {"_root": None}
    assert not index._root.following


def steps_of(work: Callable[[], object]) -> int:
    """How many calls a piece of work makes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def office_of(agents: int) -> AttentionIndex:
    """An office in which everybody cares for five words of its own."""
    index = AttentionIndex()
    for n in range(agents):
        index.put(caring(f"a{n}", *(f"topic{n}x{k}" for k in range(5))), Duty.ON_DUTY)
    return index


def test_a_broadcast_costs_by_matches_and_not_by_agents() -> None:
    """Five matches among 5,000 agents take the steps they take among 50, and a few for the search.

    Demanded by: EVT-8.
    """
    event = news("about " + " ".join(f"topic{n}x{n}" for n in range(5)))
    small, large = office_of(50), office_of(5_000)

    in_small, in_large = (
        steps_of(lambda: small.decide(event)),
        steps_of(lambda: large.decide(event)),
    )

    assert woken(large.decide(event)) == ["a0", "a1", "a2", "a3", "a4"]
    assert in_large - in_small <= 10
