"""The state mask and the delivery table, row by row."""

import pytest

from dayshift.core.events import Event
from dayshift.core.states import Duty, Priority
from dayshift.dispatch.mask import Gate, mask
from dayshift.dispatch.rules import DELIVERIES, Delivery, Reach, delivery, may_start, reach_of

NEWS = Event(source="webhook", type="new_pr", text="A pull request.")
FIRE = Event(source="custom", type="alarm", text="Fire.", priority=Priority.EMERGENCY)
BELL = Event(source="time", type="SHIFT_START", text="Good morning.")
MAIL = Event(source="mail", type="new_mail", text="Hello.", target="iris")
CALL = Event(source="person", type="message", text="Now!", target="iris", priority=FIRE.priority)
DUE = Event(source="task", type="task_due", text="Due.", target="iris")


@pytest.mark.parametrize(
    ("event", "reach"),
    [
        (NEWS, Reach.BROADCAST),
        (FIRE, Reach.EMERGENCY),
        (BELL, Reach.ADDRESSED),
        (MAIL, Reach.ADDRESSED),
        (CALL, Reach.EMERGENCY),
        (DUE, Reach.ADDRESSED),
    ],
)
def test_how_an_event_comes_to_an_agent(event: Event, reach: Reach) -> None:
    """Broadcast, addressed (bells are addressed to everyone), or an emergency.

    Demanded by: EVT-1, EVT-3.
    """
    assert reach_of(event) is reach


DELIVERED, HELD, DROPPED = Delivery.DELIVERED, Delivery.HELD, Delivery.DROPPED


@pytest.mark.parametrize(
    ("duty", "news", "mail", "fire"),
    [
        (Duty.ON_DUTY, DELIVERED, DELIVERED, DELIVERED),
        (Duty.WAIT, DROPPED, HELD, DELIVERED),
        (Duty.WRAPPING_UP, DROPPED, HELD, DELIVERED),
        (Duty.OFF_DUTY, DROPPED, HELD, DELIVERED),
    ],
)
def test_the_delivery_table(duty: Duty, news: Delivery, mail: Delivery, fire: Delivery) -> None:
    """What is addressed to somebody is held, never dropped.

    Demanded by: EVT-3.
    """
    assert [delivery(duty, event) for event in (NEWS, MAIL, FIRE)] == [news, mail, fire]
    assert [may_start(duty, event.priority) for event in (MAIL, FIRE)] == [mail is DELIVERED, True]


def test_the_delivery_table_has_no_gap() -> None:
    """Every duty state says something to every way an event can come.

    Demanded by: EVT-3.
    """
    rows = {duty: set(row) for duty, row in DELIVERIES.items()}

    assert rows == {duty: set(Reach) for duty in Duty}


@pytest.mark.parametrize(
    ("duty", "news"),
    [
        (Duty.ON_DUTY, Gate.ASK),
        (Duty.WAIT, Gate.KEEP_OUT),
        (Duty.WRAPPING_UP, Gate.KEEP_OUT),
        (Duty.OFF_DUTY, Gate.KEEP_OUT),
    ],
)
def test_the_state_mask(duty: Duty, news: Gate) -> None:
    """Ordinary broadcasts ask for salience on duty only; bells and emergencies always get in.

    Demanded by: EVT-2.
    """
    assert [mask(event, duty, "iris") for event in (NEWS, BELL, FIRE)] == [
        news,
        Gate.LET_IN,
        Gate.LET_IN,
    ]


@pytest.mark.parametrize("duty", list(Duty))
def test_an_agents_own_event_is_kept_out(duty: Duty) -> None:
    """A closing remark does not wake the one who made it; a colleague's does.

    Demanded by: LOOP-01, EVT-6.
    """
    own = Event(source="talk", type="note", text="Done.", by="agent:iris", priority=FIRE.priority)

    assert mask(own, duty, "iris") is Gate.KEEP_OUT
    assert mask(own, duty, "juno") is Gate.LET_IN
