"""office.yaml settled: what a file comes to when things are left out, and every fault at once."""

from datetime import date, time
from pathlib import Path

import pytest

from dayshift.config.fields import json_schema
from dayshift.config.office import (
    AgentConfig,
    Budget,
    ChannelConfig,
    ClockConfig,
    ComputerConfig,
    OfficeConfig,
    lean,
    load,
    parse,
)
from dayshift.config.scaffold import scaffold
from dayshift.core.errors import ConfigErrors

HOME = Path("/srv/dayshift/offices/acme")


def settled(text: str, **env: str) -> OfficeConfig:
    """What a file comes to, in an environment."""
    return parse(text.encode(), path=HOME / "office.yaml", env=env)


def test_what_is_left_out_has_its_default() -> None:
    """The shortest office: two agents, everything else as the reference says.

    Demanded by: AGENT-1.
    """
    config = settled("agents:\n  - name: iris\n  - {name: juno, reports_to: iris}\n")

    assert config == OfficeConfig(
        name="acme",
        title="acme",
        agents=(
            AgentConfig(name="iris", title="iris"),
            AgentConfig(name="juno", title="juno", reports_to="iris"),
        ),
        channels=(
            ChannelConfig(
                name="general",
                description="Everyone.",
                members=("iris", "juno"),
                is_written=False,
            ),
        ),
    )


EVERYTHING = """\
office:
  name: acme
  title: Acme Widgets
  description: We build widgets.
  language: zh
  zone: Asia/Shanghai
  model: openai:gpt-5
  budget: {usd_per_day: 5, tokens_per_day: 900, usd_per_run: 0.25, turns_per_run: 40}
  clock:
    mode: simulated
    start_date: 2026-01-05
    seconds_per_tick: 2
    sim_seconds_per_real_second: 0
    fast_forward_idle_s: 0
    shift: {start: 09:30, end: "17:00"}
    workdays: [fri, mon]
  scheduler: {tick_interval: 0.5}
  env: {API_URL: "https://${API_HOST}/v1", LOG: info}
  channel_context: 0
agents:
  - name: iris
    title: Lead
    description: Plans.
    group: web
    model: anthropic:claude-opus-4-5
    fallbacks: [openai:gpt-5, "ollama:qwen3:8b"]
    priority: 4
    thinking: off
    prompt_inline: |
      Plan first.
    prompt_mode: minimal
    cwd: ~/widgets
    env: {LOG: debug, PRICE: "$${PRICE}"}
    keywords: [roadmap, 需求]
    skills: [planning]
    salience_threshold: 0
    permissions: {tools: {allow: [bash]}}
    computer: {kind: local, network: true}
    budget: {usd_per_day: 1, seconds_per_run: 60}
  - name: juno
    reports_to: iris
    priority: high
    cwd: shared/../code
    permissions: {tools: {deny: [bash]}}
channels:
  - {name: General, description: All., members: [juno]}
  - {name: results, report: true}
"""


SETTLED = OfficeConfig(
    name="acme",
    title="Acme Widgets",
    description="We build widgets.",
    language="zh",
    zone="Asia/Shanghai",
    model="openai:gpt-5",
    budget=Budget(
        usd_micros_per_day=5_000_000,
        tokens_per_day=900,
        usd_micros_per_run=250_000,
        turns_per_run=40,
    ),
    clock=ClockConfig(
        mode="simulated",
        zone="Asia/Shanghai",
        start_date=date(2026, 1, 5),
        seconds_per_tick=2,
        sim_seconds_per_real_second=0,
        fast_forward_idle_s=0,
        shift_start=time(9, 30),
        shift_end=time(17),
        workdays=(0, 4),
    ),
    tick_interval_s=0.5,
    channel_context=0,
    agents=(
        AgentConfig(
            name="iris",
            title="Lead",
            description="Plans.",
            group="web",
            model="anthropic:claude-opus-4-5",
            fallbacks=("openai:gpt-5", "ollama:qwen3:8b"),
            priority="critical",
            thinking="off",
            prompt_inline="Plan first.",
            prompt_mode="minimal",
            cwd="/home/ada/widgets",
            env={
                "API_URL": "https://api.acme.example/v1",
                "LOG": "debug",
                "PRICE": "${PRICE}",
            },
            keywords=("roadmap", "需求"),
            skills=("planning",),
            salience_threshold=0,
            tools_allow=("bash",),
            computer=ComputerConfig(network=True),
            budget=Budget(
                usd_micros_per_day=1_000_000,
                usd_micros_per_run=250_000,
                turns_per_run=40,
                seconds_per_run=60,
            ),
        ),
        AgentConfig(
            name="juno",
            title="juno",
            model="openai:gpt-5",
            priority="high",
            cwd=f"{HOME}/code",
            env={"API_URL": "https://api.acme.example/v1", "LOG": "info"},
            reports_to="iris",
            tools_deny=("bash",),
            budget=Budget(usd_micros_per_run=250_000, turns_per_run=40),
        ),
    ),
    channels=(
        ChannelConfig(name="General", description="All.", members=("juno",)),
        ChannelConfig(name="results", members=("iris", "juno"), report=True),
    ),
)


def test_every_field_is_settled() -> None:
    """One file with every field; budgets and environments are inherited, money is in millionths.

    Demanded by: AGENT-1, AGENT-4.
    """
    config = settled(EVERYTHING, API_HOST="api.acme.example", HOME="/home/ada")

    assert config == SETTLED


def test_an_office_at_work_has_all_that_its_file_says() -> None:
    """But where it stands there, which takes more memory than all the rest.

    What the environment gives need not be UTF-8.

    Demanded by: AGENT-1.
    """
    whole = settled(EVERYTHING, API_HOST="bytes-\udcff", HOME="/home/ad\udce4")

    kept = lean(lambda: whole)

    assert kept == whole
    assert kept.agent("iris") == whole.agent("iris")
    assert (len(whole.places.values) > 0, len(kept.places.values)) == (True, 0)


def test_the_hierarchy_can_be_asked() -> None:
    """Who reports to whom, and the way a matter goes up.

    Demanded by: AGENT-4.
    """
    config = settled(
        "agents:\n"
        "  - {name: kai, reports_to: juno}\n"
        "  - {name: juno, reports_to: iris}\n"
        "  - {name: lea, reports_to: iris}\n"
        "  - {name: iris}\n"
        "channels: [{name: done, report: true}]\n"
    )

    assert config.managers_of("kai") == ("juno", "iris")
    assert config.managers_of("iris") == ()
    assert config.reports_of("iris") == ("juno", "lea")
    assert config.agent("juno") == AgentConfig(name="juno", title="juno", reports_to="iris")
    assert config.agent("nobody") is None
    assert config.channel("done") == ChannelConfig(
        name="done", members=("kai", "juno", "lea", "iris"), report=True
    )
    assert config.channel("nowhere") is None
    assert config.report_channel == "done"


def test_tools_are_allowed_by_the_file() -> None:
    """A list of the allowed is complete; a list of the denied leaves the rest.

    Demanded by: AGENT-1.
    """
    config = settled(
        "agents:\n"
        "  - {name: iris, permissions: {tools: {allow: [bash]}}}\n"
        "  - {name: juno, permissions: {tools: {deny: [bash]}}}\n"
        "  - {name: kai}\n"
    )

    assert [agent.may_call("bash") for agent in config.agents] == [True, False, True]
    assert [agent.may_call("grep") for agent in config.agents] == [False, True, True]
    assert [agent.rank for agent in config.agents] == [2, 2, 2]
    assert config.report_channel == ""


def test_a_key_without_a_value_is_left_out() -> None:
    """Commenting out what stands below a key does no harm.

    Demanded by: AGENT-1.
    """
    config = settled(
        "office:\n  title:\n  env:\nagents:\n  - name: iris\n    keywords:\nchannels:\n"
    )

    assert config == settled("agents: [{name: iris}]")


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    """A missing file, and a folder in its place, are errors with the path.

    Demanded by: AGENT-1.
    """
    path = tmp_path / "office.yaml"

    with pytest.raises(ConfigErrors, match="cannot be read: No such file or directory"):
        load(path, {})
    path.write_text("agents: [{name: iris}]")
    assert load(path, {}).agents == (AgentConfig(name="iris", title="iris"),)


EXAMPLES = sorted(Path(__file__).parents[3].glob("examples/*/office.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_an_example_is_an_office_in_order(path: Path) -> None:
    """Whoever starts from one starts from something that works, with nothing in the environment.

    Demanded by: AGENT-1.
    """
    office = load(path, {})

    assert office.name == path.parent.name
    assert office.agents


def test_a_new_office_is_in_order() -> None:
    """The text that a new office begins with can be read as it stands, whatever its title.

    Demanded by: AGENT-1.
    """
    office = settled(scaffold("acme", title='Ada\'s "Acme": 接口 #1'))

    assert office.title == 'Ada\'s "Acme": 接口 #1'
    assert [agent.reports_to for agent in office.agents] == ["", "pm"]


def test_what_the_environment_holds_is_not_shown() -> None:
    """The settled office can be printed: values of the environment do not stand in it.

    Demanded by: AGENT-1.
    """
    config = settled("agents: [{name: iris, env: {TOKEN: '${TOKEN}'}}]", TOKEN="canary-4711")

    assert config.agents[0].env == {"TOKEN": "canary-4711"}
    assert "canary-4711" not in repr(config)


def test_the_schema_for_editors_refuses_what_the_loader_refuses() -> None:
    """It is closed, names every field, and explains each.

    Demanded by: AGENT-1.
    """
    schema = json_schema()
    objects = [schema, *schema["$defs"].values()]

    assert schema["title"] == "Dayshift office.yaml"
    assert sorted(schema["properties"]) == ["agents", "channels", "office"]
    assert all(part["additionalProperties"] is False for part in objects)
    assert all("description" in field for part in objects for field in part["properties"].values())
    assert schema["$defs"]["AgentFields"]["properties"]["priority"]["enum"][-1] == 4
