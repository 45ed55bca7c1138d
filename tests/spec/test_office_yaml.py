"""The office file and the office: what it says is what works, and changes touch what they mean."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import pytest

from dayshift.app.office_edit import OfficeEditor
from dayshift.core.errors import ConfigErrors, ConflictError
from dayshift.core.wishes import AgentChanges, OfficeChanges
from dayshift.testing.office_harness import OfficeHarness, Setting

if TYPE_CHECKING:
    from pathlib import Path

YAML = """\
# Acme, as Ada wants it.
office:
  name: acme
  title: 'Acme'      # the name on the door
  model: "fake:m"

channels:
  - {name: dev, members: [juno, kai]}   # builders

agents:
# the lead
- name: iris
  title: Lead
  thinking: medium     # she plans

- &builder
  name: juno
  reports_to: iris
  keywords: [api,   'front end']
  budget: {usd_per_day: 2}
- name: kai
  group: &g quality
  reports_to: juno
"""


def lines(before: str, after: str) -> list[str]:
    """The lines that went and the lines that came."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in found if not line.startswith(("---", "+++", "@@"))]


async def test_what_the_file_says_is_the_office_that_works(tmp_path: Path) -> None:
    """Agents with manager, group, model and thinking; channels with members, and one for everyone.

    Demanded by: AGENT-1, AGENT-4.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=YAML)) as office:
        snapshot = await office.snapshot()

    assert snapshot.office.title == "Acme"
    assert {
        name: (agent.title, agent.group, agent.reports_to, agent.model, agent.thinking)
        for name, agent in snapshot.agents.items()
    } == {
        "iris": ("Lead", "", "", "fake:m", "medium"),
        "juno": ("juno", "", "iris", "fake:m", "low"),
        "kai": ("kai", "quality", "juno", "fake:m", "low"),
    }
    channels = {t.name: t.members for t in snapshot.threads.values() if t.kind == "channel"}
    assert channels == {"general": ["iris", "juno", "kai"], "dev": ["juno", "kai"]}


async def test_a_change_touches_the_meant_lines_only(tmp_path: Path) -> None:
    """Comments, quotes, anchors and order of the file stay; the office takes the change over.

    Demanded by: STOR-01, AGENT-1.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=YAML)) as office:
        editor = OfficeEditor(office.office, {})
        await editor.edit_office(OfficeChanges(title="Acme Widgets"), by="person:ada")
        await editor.edit_agent("iris", AgentChanges(thinking="high"), by="person:ada")
        await editor.edit_agent("juno", AgentChanges(priority="low"), by="person:ada")
        await editor.edit_agent("kai", AgentChanges(reports_to="iris"), by="person:ada")
        snapshot = await office.snapshot()
        await office.snapshot_equals_replay()

    assert lines(YAML, (tmp_path / "offices" / "acme" / "office.yaml").read_text()) == [
        "-  title: 'Acme'      # the name on the door",
        "+  title: Acme Widgets      # the name on the door",
        "-  thinking: medium     # she plans",
        "+  thinking: high     # she plans",
        "+  priority: low",
        "-  reports_to: juno",
        "+  reports_to: iris",
    ]
    assert snapshot.office.title == "Acme Widgets"
    assert snapshot.agents["iris"].thinking == "high"
    assert snapshot.agents["kai"].reports_to == "iris"


async def test_a_change_that_would_spoil_the_office_changes_nothing(tmp_path: Path) -> None:
    """A circle of managers, a manager that is not there: refused with line and column.

    Demanded by: AGENT-1, AGENT-4.
    """
    async with OfficeHarness(tmp_path, Setting(yaml=YAML)) as office:
        editor = OfficeEditor(office.office, {})
        before = await office.snapshot()
        with pytest.raises(ConfigErrors, match=r"office\.yaml:15:15: Managers go round in a"):
            await editor.edit_agent("iris", AgentChanges(reports_to="kai"), by="person:ada")
        with pytest.raises(ConfigErrors, match=r"There is no agent 'lea'"):
            await editor.edit_agent("kai", AgentChanges(reports_to="lea"), by="person:ada")
        after = await office.snapshot()

    assert (tmp_path / "offices" / "acme" / "office.yaml").read_text() == YAML
    assert before == after


async def test_a_value_that_others_share_is_left_to_a_person(tmp_path: Path) -> None:
    """What stands behind an anchor that is used elsewhere cannot be changed for one alone.

    Demanded by: STOR-01.
    """
    shared = YAML.replace("title: Lead", "description: &d Builds.").replace(
        "  keywords", "  description: *d\n  keywords"
    )
    async with OfficeHarness(tmp_path, Setting(yaml=shared)) as office:
        editor = OfficeEditor(office.office, {})
        with pytest.raises(ConflictError, match="the file shares it by an anchor"):
            await editor.edit_agent("iris", AgentChanges(description="Plans."), by="person:ada")
        await editor.edit_agent("juno", AgentChanges(description="Types."), by="person:ada")

    changed = (tmp_path / "offices" / "acme" / "office.yaml").read_text()
    assert lines(shared, changed) == ["-  description: *d", "+  description: Types."]
