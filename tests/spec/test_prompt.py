"""The prompt: stable from request to request, reported block by block, kept as it was sent."""

from __future__ import annotations

import gc
import re
import weakref
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest

from dayshift.core.entries import PromptComposed
from dayshift.facilities.records import Records
from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OFFICE, OfficeHarness, Setting, does
from dayshift.testing.office_harness_means import JumpingClock

if TYPE_CHECKING:
    from pathlib import Path

    from dayshift.config.office import OfficeConfig
    from dayshift.testing.model_server import Seen
    from dayshift.testing.office_harness_means import Dialect

DETAILED = """
office: {name: acme, title: Acme, description: We make kites., model: "fake:m", language: zh}
agents:
  - name: iris
    title: Lead
    description: Plans the work.
    skills: [planning]
    prompt_inline: Always count twice.
  - {name: juno, title: Developer, reports_to: iris, prompt_mode: minimal}
channels:
  - {name: design, members: [iris, juno]}
"""


def head(seen: Seen) -> bytes:
    """The bytes of a request up to the end of its last message."""
    return seen.raw[: seen.raw.rindex(b'"}]')]


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
async def test_each_request_begins_with_the_bytes_of_the_one_before(
    tmp_path: Path, dialect: Dialect
) -> None:
    """Over turns, runs, three minutes and a restart: what was sent is sent again, byte for byte.

    Demanded by: P13, TIME-13.
    """
    setting = Setting(clock=JumpingClock(), dialect=dialect)
    async with OfficeHarness(tmp_path, setting) as office:
        two = tuple(Call(name="bash", arguments={"command": f"echo {n}"}) for n in (1, 2))
        office.says("iris", Say(text="Counting.", calls=two), Say(text="One."), Say(text="Two."))
        office.says("iris", does("bash", command="echo 3"), Say(text="Three."))
        await office.ada.asks("iris", "One")
        await office.settled()
        office.jump(seconds=180)
        await office.ada.asks("iris", "Two")
        await office.settled()
        await office.restart()

        await office.ada.asks("iris", "Three")
        await office.settled()

        requests = office.model.requests
        assert len(requests) == 5
        assert requests[1].raw.startswith(head(requests[0]))
        assert requests[2].raw.startswith(head(requests[1]))
        assert requests[3].raw.startswith(head(requests[2]))
        assert requests[4].raw.startswith(head(requests[3]))


async def test_date_and_time_come_with_the_message_and_not_with_the_prompt(
    tmp_path: Path,
) -> None:
    """The system prompt names no time; a message after midnight carries the new date.

    Demanded by: TIME-12, TIME-13, TIME-8.
    """
    async with OfficeHarness(tmp_path, Setting(clock=JumpingClock())) as office:
        office.says("iris", Say(text="One."), Say(text="Two."))
        await office.ada.asks("iris", "Before midnight")
        await office.settled()
        office.jump(hours=16)

        await office.ada.asks("iris", "After midnight")
        await office.settled()

        first, second = office.model.requests
        assert first.system == second.system
        assert "2030" not in first.system
        assert "[2030-01-07 Mon 09:00" in first.said
        assert "[2030-01-08 Tue 01:00" in second.said


async def test_a_run_that_passes_midnight_is_told_the_new_day(tmp_path: Path) -> None:
    """In the middle of a run the date changes, and the next request says so.

    Demanded by: TIME-12.
    """
    evening = JumpingClock(datetime(2030, 1, 7, 23, 50, tzinfo=UTC))
    async with OfficeHarness(tmp_path, Setting(clock=evening)) as office:
        office.says("iris", does("bash", command="echo hi"), Say(text="Good morning."))
        office.script.hold()
        await office.ada.asks("iris", "Work late")
        await office.model_asked(1)

        office.jump(seconds=1_200)
        office.script.let_go()
        await office.settled()

        assert "2030-01-08 Tue" in office.model.requests[1].said
        assert "new day" in office.model.requests[1].said


async def test_the_prompt_is_its_blocks_in_order(tmp_path: Path) -> None:
    """Base, office, team, place, identity and the agent's own words, each with its size and cap.

    Demanded by: AGENT-7.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=DETAILED)) as office:
        await office.ada.asks("iris", "Hello")
        await office.settled()

        config = office.office.config.agent("iris")
        assert config is not None
        view = office.office.briefer.prompt(config).view
        names = [block.name for block in view.blocks]
        assert names == ["base", "office", "team", "place", "identity", "own"]
        assert "\n\n".join(block.text for block in view.blocks) == office.model.requests[0].system
        assert all(len(block.text) == block.chars <= block.cap for block in view.blocks)
        system = office.model.requests[0].system
        assert "We make kites." in system
        assert "Write to people in Chinese" in system
        assert "- juno: Developer; reports to iris" in system
        assert "#design" in system
        assert system.endswith("Skills: planning\n\nAlways count twice.")


async def test_a_minimal_prompt_is_base_and_identity(tmp_path: Path) -> None:
    """An agent in minimal mode is told the rules and who it is.

    Demanded by: AGENT-7.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=DETAILED)) as office:
        await office.ada.asks("juno", "Hello")
        await office.settled()

        system = office.model.requests[0].system
        assert "We make kites." not in system
        assert "You are juno, Developer." in system


async def test_a_block_over_its_cap_is_cut_and_says_so(tmp_path: Path) -> None:
    """Head and tail of a long description stay, and how much is missing is told.

    Demanded by: AGENT-7.
    """
    yaml = OFFICE.replace("title: Acme", f"title: Acme, description: {'kite ' * 1_500}end")
    async with OfficeHarness(tmp_path, Setting(yaml=yaml)) as office:
        await office.ada.asks("iris", "Hello")
        await office.settled()

        config = office.office.config.agent("iris")
        assert config is not None
        blocks = {b.name: b for b in office.office.briefer.prompt(config).view.blocks}
        text, cap = blocks["office"].text, blocks["office"].cap
        head, cut, tail = re.split(r"\n(\[… [\d,]+ characters left out …\])\n", text)
        assert (blocks["office"].cut, blocks["base"].cut) == (True, False)
        assert len(head) + len(tail) == cap
        assert head.count("kite") > tail.count("kite") > 0
        assert "end" in tail.splitlines()[0][-4:]
        assert cut in office.model.requests[0].system


async def test_the_prompt_of_a_turn_is_kept_as_it_was_sent(tmp_path: Path) -> None:
    """After the office file has changed, an old turn still shows the prompt it was asked with.

    Demanded by: AGENT-7, RUN-2.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.asks("iris", "Hello")
        await office.settled()
        sent = office.model.requests[0].system
        await office.reopen_with(OFFICE.replace("title: Lead", "title: Chief"))
        await office.ada.asks("iris", "Hello")
        await office.settled()

        facts = await Records(office.office.bus).request("R-1", 1)
        hashes = [entry.hash for entry in office.entries(PromptComposed)]
        assert msgspec.json.decode(facts.prompt)["system"] == sent
        assert len(set(hashes)) == 2
        assert "Chief" in office.model.requests[1].system


async def test_the_same_prompt_is_kept_once(tmp_path: Path) -> None:
    """Ten runs with one prompt are one snapshot and one entry.

    Demanded by: AGENT-7.
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.asks("iris", "One")
        await office.settled()
        await office.restart()
        await office.ada.asks("iris", "Two")
        await office.settled()

        assert len(office.entries(PromptComposed)) == 1


async def test_of_an_office_that_changed_no_prompt_is_kept_in_memory(tmp_path: Path) -> None:
    """A configuration that holds no more goes, also when not every agent has worked since.

    Demanded by: the measures, memory is flat.
    """
    async with OfficeHarness(tmp_path) as office:

        async def take(description: str) -> weakref.ref[OfficeConfig]:
            changed = replace(office.office.config, description=description)
            await office.office.take(changed, by="person:ada")
            return weakref.ref(office.office.config)

        second = await take("Another company.")
        for agent in ("iris", "juno"):
            await office.ada.asks(agent, "One")
        await office.settled()
        assert second() is not None

        await take("Yet another company.")
        await office.ada.asks("iris", "Two")
        await office.settled()
        gc.collect()

        assert second() is None
