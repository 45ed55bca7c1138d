"""The orderly stop, from within: who is waited for, and what a second word does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dayshift.app.stopping import Stopping
from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import OfficeHarness, does

if TYPE_CHECKING:
    from pathlib import Path

BEGUN = "Stopping: iris of acme may end a turn within 5 s; once more, as with Ctrl-C, cuts it off."


async def test_a_turn_is_waited_for_with_the_calls_it_asked_for(tmp_path: Path) -> None:
    """No further turn begins, and none is cut off.

    Demanded by: the working office, 1.4; product, kill at any instant loses nothing.
    """
    told: list[str] = []
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("get_time"), Say(text="Done."))
        office.script.hold()
        await office.ada.asks("iris", "What time is it?")
        await office.script.asked(1)
        stopping = Stopping(lambda: [office.office], grace_s=5, announce=told.append)
        stopping.begin()
        async with asyncio.TaskGroup() as group:
            group.create_task(stopping.wind_down())
            # Long enough for whoever would not wait to have cut it off.
            await office.office.bus.commit(lambda _unit: None)
            office.script.let_go()
        (call,) = await office.calls("R-1")
        requests = len(office.model.requests)
    assert told == [BEGUN]
    assert (call.name, call.state, requests) == ("get_time", "succeeded", 1)


async def test_a_second_word_waits_for_nothing(tmp_path: Path) -> None:
    """What it cuts off is named.

    Demanded by: the working office, 1.4.
    """
    told: list[str] = []
    async with OfficeHarness(tmp_path) as office:
        office.script.hold()
        await office.ada.asks("iris", "What time is it?")
        await office.script.asked(1)
        stopping = Stopping(lambda: [office.office], grace_s=5, announce=told.append)
        stopping.begin()
        stopping.begin()
        await stopping.wind_down()
        office.script.let_go()
    assert told == [
        BEGUN,
        "What is under way is cut off; it is taken up at the next start.",
        "Cut off: iris of acme; taken up at the next start.",
    ]
