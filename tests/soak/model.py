"""The model under load: works, delegates, and now and then stalls, is cut off or is busy."""

from __future__ import annotations

import random
import re

from dayshift.testing.model_server import Call, Fail, ModelServer, Reply, Say, Seen

MARK = re.compile(r"\bm-(\d+)\b")


class Mind:
    """Answers by chance, from a seed.

    Attributes:
        stalls, cuts, busy: How often it did so.
        noise: Share of requests that get no proper answer.
    """

    def __init__(self, seed: int, agents: int, *, stall: bool) -> None:
        """``stall`` lets streams fall silent, which takes a minute to be noticed."""
        self._chance = random.Random(seed)  # noqa: S311  no secret
        self._agents = agents
        self._stall = stall
        self.stalls = self.cuts = self.busy = 0
        self.noise = 0.06

    def answer(self, seen: Seen) -> Reply:
        """The next answer."""
        trouble = self._trouble()
        if trouble is not None:
            return trouble
        if not seen.tools:
            return Say(text="A short summary.")
        marks = MARK.findall(seen.said)
        if not marks:
            return Say(text="Read.")
        mark = marks[-1]
        if seen.step == 0:
            return Say(text="I see to it.", calls=self._calls(mark))
        return Say(text=f"got m-{mark} " + "and more " * self._chance.randrange(40), piece_chars=20)

    def _trouble(self) -> Reply | None:
        roll = self._chance.random()
        if roll < self.noise / 3:
            self.cuts += 1
            return Say(text="I am about to say", piece_chars=3, cut_after=2)
        if roll < self.noise / 3 * 2:
            self.busy += 1
            return Fail(status=529, body={"error": {"message": "overloaded"}})
        if self._stall and roll < self.noise / 3 * 2 + 0.001:
            self.stalls += 1
            return Say(text="And then", piece_chars=2, stall_after=2)
        return None

    def _calls(self, mark: str) -> tuple[Call, ...]:
        line = f"echo m-{mark} >> done.txt"
        kinds = (
            Call(name="bash", arguments={"command": line}),
            Call(name="bash", arguments={"command": f"{line}; sleep 2"}),
            Call(name="write_file", arguments={"path": f"{mark}.txt", "content": mark * 50}),
            Call(name="my_tasks"),
            Call(
                name="message_agent",
                arguments={
                    "to": f"a{self._chance.randrange(self._agents)}",
                    "message": "For your information.",
                },
            ),
            Call(name="bash", arguments='{"command": "half'),
        )
        weights = (4, 3, 4, 2, 2, 1)
        return tuple(self._chance.choices(kinds, weights, k=self._chance.choice((1, 1, 2))))


def served(mind: Mind) -> ModelServer:
    """The strict server that speaks for it."""
    server = ModelServer(mind.answer)
    server.keeps = False
    return server
