"""An inbox by chance: whatever people do to what waits, it is in the order that a list would be in.

The model has a list of ids for each priority, and the state and end of each item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from dayshift.core.errors import ConflictError
from dayshift.core.events import Event
from dayshift.core.states import Priority
from dayshift.testing.office_harness import JumpingClock, Setting
from tests.fuzz.hosted import EFFORT, HostedOffice
from tests.spec.events_stage import OFFICE, events, queue, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

BY = "person:ada"
PRIORITIES = st.sampled_from(Priority)
LIVES_S = st.sampled_from([0, 0, 10, 60])


@dataclass
class Waits:
    """What the model knows of an item."""

    priority: Priority
    state: str
    ends_at: float


class InboxMachine(HostedOffice):
    """The inbox of one agent that takes nothing."""

    def __init__(self) -> None:
        super().__init__(Setting(yaml=OFFICE, clock=JumpingClock()))
        self.items: dict[str, Waits] = {}
        self.lanes: dict[Priority, list[str]] = {priority: [] for priority in Priority}
        self.keys: dict[str, str] = {}
        self.now_s = 0.0

    @initialize()
    def open(self) -> None:
        """Kai holds its inbox."""
        self.open_office()
        self.do(self.office.ada.holds_inbox("kai"))

    def teardown(self) -> None:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """Let Kai work it all off: in that very order."""
        try:
            self.look()
            expected = [id_ for id_ in self._in_order() if self.items[id_].state == "queued"]
            self.do(waiting(self.office).resume_agent("kai", by=BY))
            self.do(self.office.settled())
            runs = self.do(self.office.runs())
            assert [run.item for run in runs] == expected
            self.do(self.office.snapshot_equals_replay())
        finally:
            self.close_office()

    @rule(priority=PRIORITIES, lives_s=LIVES_S, key=st.sampled_from(["", "", "a", "b"]))
    def arrive(self, priority: Priority, lives_s: int, key: str) -> None:
        """Something for Kai; under a key that was there before it is what came then."""
        event = Event(
            source="custom",
            type="note",
            text="look",
            target="kai",
            priority=priority,
            expires_in_s=lives_s,
            dedup_key=key,
        )
        view = self.do(events(self.office).publish(event, by=BY))
        if key in self.keys:
            assert view.id == self.keys[key]
            return
        if key:
            self.keys[key] = view.id
        found = self.do(queue(self.office, "kai"))
        item = next(one.id for one in found if one.event == view.id)
        ends_at = self.now_s + lives_s if lives_s else float("inf")
        self.items[item] = Waits(priority, "queued", ends_at)
        self.lanes[priority].append(item)

    @precondition(lambda self: self.items)
    @rule(data=st.data(), verb=st.sampled_from(["pause", "resume", "cancel"]))
    def decide(self, data: st.DataObject, verb: str) -> None:
        """Hold back, let go or take out; only what still waits."""
        item = data.draw(st.sampled_from(sorted(self.items)))
        act = getattr(waiting(self.office), verb)
        known = self.items[item]
        if known.state not in {"queued", "paused"}:
            with pytest.raises(ConflictError):
                self.do(act(item, by=BY))
            return
        self.do(act(item, by=BY))
        known.state = {"pause": "paused", "resume": "queued", "cancel": "cancelled"}[verb]
        if known.state == "cancelled":
            self.lanes[known.priority].remove(item)

    @precondition(lambda self: any(len(lane) > 1 for lane in self.lanes.values()))
    @rule(data=st.data(), to_end=st.booleans())
    def move(self, data: st.DataObject, to_end: bool) -> None:
        """One before another of its priority, or to the end."""
        lane = data.draw(st.sampled_from([one for one in self.lanes.values() if len(one) > 1]))
        item, before = data.draw(st.permutations(lane))[:2]
        self.do(waiting(self.office).move(item, before=None if to_end else before, by=BY))
        lane.remove(item)
        lane.insert(len(lane) if to_end else lane.index(before), item)

    @rule(seconds=st.sampled_from([1, 9, 10, 60]))
    def time_passes(self, seconds: int) -> None:
        """What is over by now is nobody's to do any more."""
        self.office.jump(seconds=seconds)
        self.now_s += seconds
        for id_, known in self.items.items():
            if known.state in {"queued", "paused"} and known.ends_at <= self.now_s:
                known.state = "expired"
                self.lanes[known.priority].remove(id_)

    @rule(orderly=st.booleans())
    def restart(self, orderly: bool) -> None:
        """In order or not."""
        self.do(self.office.restart() if orderly else self.office.kill_and_reopen())

    @invariant()
    def look(self) -> None:
        """The page, and what would be taken next, are what the model says."""
        if self.host is None:
            return
        page = self.do(queue(self.office, "kai"))
        waits = [(one.id, str(one.state)) for one in page if one.state in {"queued", "paused"}]
        assert waits == [(id_, self.items[id_].state) for id_ in self._in_order()]
        assert {one.id: str(one.state) for one in page} == {
            id_: known.state for id_, known in self.items.items()
        }
        ready = [id_ for id_, state in waits if state == "queued"]
        following = self.office.office.inboxes.next("kai")
        assert (following.id if following else None) == next(iter(ready), None)

    def _in_order(self) -> Iterator[str]:
        for priority in sorted(Priority, reverse=True):
            yield from self.lanes[priority]


InboxMachine.TestCase.settings = settings(EFFORT, max_examples=20, stateful_step_count=20)


@pytest.mark.timeout(90)
class TestInboxOrder(InboxMachine.TestCase):
    """The machine as a test.

    Demanded by: EVT-4; the measures, the state machine of the inbox.
    """
