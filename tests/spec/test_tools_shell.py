"""Tools on the agent's computer: commands, what the computers are, and turning one off and on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dayshift.core.tools import ToolResult
from dayshift.testing.memory_computer import MemoryComputer
from tests.contract.computers_stage import LOCAL, opened
from tests.spec.tools_stage import Desk, desk

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from dayshift.testing.memory_shell import Session


@pytest.fixture(params=LOCAL)
async def real(request: pytest.FixtureRequest) -> AsyncGenerator[Desk]:
    """A desk with real computers behind each isolation."""
    async with opened(request.param) as stage:
        yield Desk({"iris": stage.iris, "kai": stage.kai})


async def test_bash_tells_what_the_command_printed() -> None:
    """Nothing is added to a command that went well; people see it while it comes.

    Demanded by: TOOL-3, TOOL-1.
    """
    iris = desk()
    result = await iris.call("bash", command="echo one; echo two")
    assert result == ToolResult(ok=True, text="one\ntwo\n")
    assert "".join(iris.seen) == "one\ntwo\n"


async def test_bash_tells_how_a_command_failed() -> None:
    """By its code, by its limit, or that it printed nothing; each has a code of its own.

    Demanded by: TOOL-1, TOOL-3.
    """
    iris = desk()
    failed = await iris.call("bash", command="echo oops; exit 3")
    late = await iris.call("bash", command="sleep 60", timeout_s=0.1)
    silent = await iris.call("bash", command="true")
    assert failed == ToolResult(ok=False, text="oops\n[Exit code 3.]", code="exit_code")
    assert (late.ok, late.code) == (False, "timed_out")
    assert "longer than 0.1 s" in late.text
    assert silent == ToolResult(ok=True, text="[It printed nothing.]")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"command": ""},
        {"command": "true", "timeout_s": 0},
        {"command": "true", "timeout_s": 601},
        {"command": "true", "sudo": True},
    ],
)
async def test_bash_refuses_what_its_schema_does(arguments: dict[str, object]) -> None:
    """With the schema's complaint, and nothing done.

    Demanded by: TOOL-1, the working office (the loop).
    """
    iris = desk()
    result = await iris.call("bash", **arguments)
    assert (result.ok, result.code) == (False, "invalid_arguments")
    assert not iris.iris.status().on


async def test_bash_has_time_for_its_longest_command() -> None:
    """The limit of the call is above the longest limit a model may ask for.

    Demanded by: TOOL-3.
    """
    assert desk().tools()["bash"].limit_s > 600


async def test_only_what_changes_nothing_may_be_run_again() -> None:
    """After a crash the loop repeats these, and no other; bash is dangerous where nothing holds it.

    Demanded by: TOOL-1, RUN-6.
    """
    isolated = desk().tools().values()
    loose = Desk({"iris": MemoryComputer()}, is_isolated=False).tools().values()
    assert {tool.name for tool in isolated if tool.read_only} == {
        "computer_status",
        "find",
        "grep",
        "lan_devices",
        "ls",
        "read_agent_file",
        "read_file",
    }
    assert {tool.name for tool in isolated if tool.dangerous} == set()
    assert {tool.name for tool in loose if tool.dangerous} == {"bash"}


async def test_every_tool_says_what_it_is_for() -> None:
    """A model that reads only the schema knows what to pass.

    Demanded by: TOOL-1.
    """
    schemas = [tool.schema for tool in desk().tools().values()]
    assert all(schema.description.endswith(".") for schema in schemas)
    assert all(schema.parameters["additionalProperties"] is False for schema in schemas)
    assert sorted(schema.name for schema in schemas) == [
        "bash",
        "computer_status",
        "edit_file",
        "find",
        "grep",
        "lan_devices",
        "ls",
        "read_agent_file",
        "read_file",
        "reboot",
        "write_file",
    ]


async def test_a_command_in_the_background_goes_on_after_its_call(real: Desk) -> None:
    """Its output is in a file that the agent can read, and reboot ends it.

    Demanded by: TOOL-3.
    """
    begun = await real.call("bash", command="echo it\\'s up; sleep 60", background=True)
    log = await real.call("bash", command="until [ -s .background/C-7.log ]; do :; done")
    read = await real.call("read_file", path=".background/C-7.log")
    on = await real.call("computer_status")
    rebooted = await real.call("reboot")
    off = await real.call("computer_status")
    assert (begun.ok, ".background/C-7.log" in begun.text) == (True, True)
    assert "Running in the background: " in log.text
    assert read.text == "it's up"
    assert "Processes in the background: 1" in on.text
    assert (rebooted.ok, "Processes in the background: 0" in off.text) == (True, True)


async def test_lan_devices_lists_the_offices_computers() -> None:
    """Whose they are, what they are, and whether they are on.

    Demanded by: TOOL-3.
    """
    iris = desk()
    await iris.call("bash", command="true")
    result = await iris.call("lan_devices")
    assert result.text.splitlines() == [
        "iris: memory, on, not isolated, without network",
        "kai: memory, off; a command turns it on, not isolated, without network",
    ]


async def test_a_computer_that_is_refused_says_why() -> None:
    """The model reads what the owner has to do.

    Demanded by: CAP-1, TOOL-1.
    """
    async with opened("refused") as stage:
        result = await Desk({"iris": stage.iris}).call("bash", command="true")
    assert result == ToolResult(ok=False, text="No walls. Set IT.", code="computer")


async def test_a_command_of_the_tests_own_can_stand_in() -> None:
    """A fast spec says what npm does, without npm.

    Demanded by: the house.
    """

    async def npm(_session: Session, arguments: list[str], _text: str) -> tuple[int, str]:
        return 1, f"npm ERR! {' '.join(arguments)}\n"

    iris = Desk({"iris": MemoryComputer(commands={"npm": npm})})
    result = await iris.call("bash", command="npm test")
    assert result.text == "npm ERR! test\n[Exit code 1.]"
