"""The attention index: a broadcast finds the agents it concerns, at a cost of matches, not agents.

Keywords stand in a tree of tokens. A text walks it once from each of its tokens, whatever the
number of agents; then only agents that were found, or that are woken by anything, are weighed.
What comes out is what judging every agent by itself gives (``explain``), and a property test holds
it to that.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable

from dayshift.core.errors import NotFoundError
from dayshift.core.events import Event
from dayshift.core.states import Duty
from dayshift.core.views import AgentView, Decision
from dayshift.dispatch.rules import Reach, reach_of
from dayshift.dispatch.salience import (
    Heard,
    Keyword,
    Profile,
    hear,
    judge,
    score,
    targeted,
    weigh,
)


class _Node:
    """A place in the tree: what may follow, and whose keyword ends here."""

    __slots__ = ("agents", "following")

    def __init__(self) -> None:
        self.following: dict[str, _Node] | None = None
        self.agents: dict[str, str] | None = None
        """Agent to the keyword as that agent wrote it."""


class AttentionIndex:
    """The interests and duty states of one office's agents. Costs by matches, not by agents."""

    def __init__(self) -> None:
        """An index of nobody."""
        self._profiles: dict[str, Profile] = {}
        self._duties: dict[str, Duty] = {}
        self._root = _Node()
        self._skills: dict[str, set[str]] = {}
        self._awake: list[tuple[int, str]] = []
        """Thresholds and names of agents on duty, lowest first."""

    def __len__(self) -> int:
        """How many agents a broadcast is decided for."""
        return len(self._profiles)

    def put(self, profile: Profile, duty: Duty) -> None:
        """Add an agent, or replace what is known of it."""
        self.remove(profile.agent)
        self._profiles[profile.agent] = profile
        for keyword in profile.keywords:
            self._add(profile.agent, keyword)
        for word in profile.skills:
            self._skills.setdefault(word, set()).add(profile.agent)
        self._set_duty(profile.agent, duty)

    def remove(self, agent: str) -> None:
        """Forget an agent; nothing happens when it is unknown."""
        profile = self._profiles.get(agent)
        if profile is None:
            return
        self._set_duty(agent, None)
        for word in profile.skills:
            self._skills[word].discard(agent)
            if not self._skills[word]:
                del self._skills[word]
        for keyword in profile.keywords:
            self._take(agent, keyword)
        del self._profiles[agent]

    def follow(self, before: AgentView | None, after: AgentView) -> None:
        """Take over an agent's duty from a committed view; unknown agents are passed over."""
        if after.removed:
            self.remove(after.name)
        elif after.name in self._profiles and (before is None or before.duty is not after.duty):
            self._set_duty(after.name, after.duty)

    def decide(self, event: Event) -> list[Decision]:
        """The decisions worth telling, accepted first, then by score and name.

        Of a broadcast these are the agents that are woken and those in whose keywords it fell; the
        rest can be asked for with ``explain``. An event with a target gives the target's decision,
        or nothing when nobody has that name.
        """
        if event.target:
            known = self._duties.get(event.target)
            return [targeted(event, known)] if known is not None else []
        heard = hear(event)
        if reach_of(event) is Reach.BROADCAST:
            decisions = self._weighed(heard)
        else:
            decisions = [
                judge(heard, profile, self._duties[agent])
                for agent, profile in self._profiles.items()
            ]
        told = (decision for decision in decisions if decision.accepted or decision.keywords)
        return sorted(told, key=lambda d: (not d.accepted, -d.score, d.agent))

    def explain(self, event: Event, agent: str) -> Decision:
        """The decision for any one agent, whether it was worth telling or not.

        Raises:
            NotFoundError: The agent is unknown.
        """
        profile = self._profiles.get(agent)
        if profile is None:
            raise NotFoundError(f"Nobody called {agent} works here.")
        duty = self._duties[agent]
        if event.target == agent:
            return targeted(event, duty)
        if event.target:
            return Decision(
                agent=agent,
                accepted=False,
                layer="target",
                score=0.0,
                threshold=0.0,
                keywords=[],
                reason=f"addressed to {event.target}",
            )
        return judge(hear(event), profile, duty)

    def _weighed(self, heard: Heard) -> list[Decision]:
        found = self._found(heard.words.tokens)
        chosen = {*found, *self._woken_by_anything(heard), *self._woken_by_skill(heard)}
        decisions: list[Decision] = []
        for agent in chosen:
            profile = self._profiles[agent]
            hits = found.get(agent, set())
            shown = [word.shown for word in profile.keywords if word.shown in hits]
            decisions.append(weigh(heard, profile, self._duties[agent], shown))
        return decisions

    def _found(self, tokens: Iterable[str]) -> dict[str, set[str]]:
        """The keywords that stand in the text, by agent."""
        row = tuple(tokens)
        found: dict[str, set[str]] = {}
        seen: set[int] = set()
        for at in range(len(row)):
            node = self._root
            while node.following and at < len(row) and (step := node.following.get(row[at])):
                node, at = step, at + 1  # noqa: PLW2901  the walk goes on from its own start
                if node.agents and id(node) not in seen:
                    seen.add(id(node))
                    for agent, shown in node.agents.items():
                        found.setdefault(agent, set()).add(shown)
        return found

    def _woken_by_anything(self, heard: Heard) -> Iterable[str]:
        """Agents on duty whose threshold is no higher than what a broadcast reaches unheard."""
        points = score(heard, hits=0, has_skill=False)
        end = bisect_right(self._awake, points, key=lambda entry: entry[0])
        return (agent for _, agent in self._awake[:end])

    def _woken_by_skill(self, heard: Heard) -> Iterable[str]:
        """Agents with a skill in the text, when that can wake anybody without a keyword."""
        points = score(heard, hits=0, has_skill=True)
        if not self._awake or self._awake[0][0] > points:
            return ()
        shared = self._skills.keys() & heard.words.telling
        return {agent for word in shared for agent in self._skills[word]}

    def _add(self, agent: str, keyword: Keyword) -> None:
        node = self._root
        for token in keyword.phrase:
            if node.following is None:
                node.following = {}
            node = node.following.setdefault(token, _Node())
        if node.agents is None:
            node.agents = {}
        node.agents[agent] = keyword.shown

    def _take(self, agent: str, keyword: Keyword) -> None:
        """Take a keyword out, and every branch that led to nothing else."""
        way = [self._root]
        for token in keyword.phrase:
            way.append((way[-1].following or {})[token])
        (way[-1].agents or {}).pop(agent)
        for token, node, parent in zip(
            reversed(keyword.phrase), reversed(way[1:]), reversed(way[:-1]), strict=True
        ):
            if node.agents or node.following:
                return
            (parent.following or {}).pop(token)

    def _set_duty(self, agent: str, duty: Duty | None) -> None:
        entry = (self._profiles[agent].threshold, agent)
        if self._duties.pop(agent, None) is Duty.ON_DUTY:
            del self._awake[bisect_left(self._awake, entry)]
        if duty is not None:
            self._duties[agent] = duty
        if duty is Duty.ON_DUTY:
            insort(self._awake, entry)
