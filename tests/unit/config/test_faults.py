"""What is wrong with an office.yaml: every fault at once, at its place, with what was expected."""

from pathlib import Path

import pytest

from dayshift.config.office import OfficeConfig, parse
from dayshift.core.errors import ConfigErrors

HOME = Path("/srv/dayshift/offices/acme")


def settled(text: str, **env: str) -> OfficeConfig:
    """What a file comes to, in an environment."""
    return parse(text.encode(), path=HOME / "office.yaml", env=env)


def faults(text: str, **env: str) -> list[str]:
    """Every fault of a file, each as line, column, message and hint."""
    with pytest.raises(ConfigErrors) as refused:
        settled(text, **env)
    return [
        f"{e.message} {e.hint}".rstrip().removeprefix(f"{HOME}/office.yaml:")
        for e in refused.value.errors
    ]


FAULTS = [
    (
        "office: {zoen: UTC}",
        ["1:10: Unknown key 'zoen'. Did you mean 'zone'?"],
    ),
    (
        "agents: [{name: iris, xyzzy: 1}]\noffices: {}",
        [
            (
                "1:23: Unknown key 'xyzzy'. Known here: name, title, description, group, "
                "model, fallbacks, priority, thinking, prompt_inline, prompt_mode, cwd, env, "
                "reports_to, keywords, skills, salience_threshold, permissions, computer, budget."
            ),
            "2:1: Unknown key 'offices'. Did you mean 'office'?",
        ],
    ),
    (
        "agents: [{name: iris, prompt: Hi}]",
        ["1:23: Unknown key 'prompt'. Write the text under 'prompt_inline'."],
    ),
    (
        "agents: [{name: iris, budget: {usd: 1}}]",
        [
            (
                "1:32: Unknown key 'usd'. Known here: usd_per_day, tokens_per_day, "
                "usd_per_run, tokens_per_run, turns_per_run, seconds_per_run."
            )
        ],
    ),
    (
        "agents: {iris: {}}\nchannels: none\noffice: []",
        [
            "1:9: Expected a list, got a mapping.",
            "2:11: Expected a list, got 'none'.",
            "3:9: Expected a mapping, got a list.",
        ],
    ),
    ("agents: [iris]", ["1:10: Expected a mapping, got 'iris'."]),
    ("agents: [{title: Lead}]", ["1:10: 'name' is missing."]),
    (
        (
            "office: {title: 5, description: true, channel_context: 1.5}\n"
            "agents: [{name: a, salience_threshold: x}]"
        ),
        [
            "1:17: Expected text, got 5. Put it in quotes.",
            "1:33: Expected text, got true. Put it in quotes.",
            "1:56: Expected a whole number, got 1.5.",
            "2:40: Expected a number, got 'x'.",
        ],
    ),
    (
        "office:\n  budget: {usd_per_day: -1, turns_per_run: 129}\n  clock: {seconds_per_tick: 0}",
        [
            "2:25: Expected at least 0, got -1.",
            "2:44: Expected at most 128, got 129.",
            "3:29: Expected more than 0, got 0.",
        ],
    ),
    (
        "office: {budget: {usd_per_day: .inf}}\nagents: [{name: a, salience_threshold: 1.5}]",
        [
            "1:32: Expected a finite number, got inf.",
            "2:40: Expected at most 1, got 1.5.",
        ],
    ),
    (
        "agents:\n  - {name: a, thinking: hihg, priority: 7, computer: {network: maybe}}",
        [
            (
                "2:25: Expected 'off', 'minimal', 'low', 'medium' or 'high', got 'hihg'. "
                "Did you mean 'high'?"
            ),
            "2:41: Expected 'idle', 'low', 'normal', 'high' or 'critical', got 7.",
            "2:64: Expected true or false, got 'maybe'.",
        ],
    ),
    (
        "office: {name: Acme, model: gpt-5}\nagents: [{name: a b}]",
        [
            (
                "1:16: Expected small letters, digits, _ and -, beginning with a letter or "
                "digit, at most 64, got 'Acme'."
            ),
            (
                "1:29: Expected provider:model, for example anthropic:claude-sonnet-4-5, "
                "got 'gpt-5'."
            ),
            "2:17: Expected letters, digits, _ and -, at most 64, got 'a b'.",
        ],
    ),
    (
        "office: {title: "
        + "x" * 201
        + ", clock: {workdays: []}}\nagents: [{name: a, skills: ['']}]",
        [
            "1:17: Expected at most 200 characters, got 201.",
            "1:238: Expected at least 1 entry, got 0.",
            "2:29: Expected at least 1 character, got 0.",
        ],
    ),
    (
        "office: {language: " + "l" * 80 + "}",
        ["1:20: Expected 'en' or 'zh', got '" + "l" * 60 + "…'."],
    ),
    (
        "office: {name: other}",
        [
            (
                "1:16: The office is called 'other', but its folder is 'acme'. "
                "Give both the same name, or leave the name out."
            )
        ],
    ),
    (
        "office: {zone: Europe/Berlni}",
        [
            (
                "1:16: There is no time zone 'Europe/Berlni'. "
                "Did you mean 'Europe/Berlin' or 'Europe/Dublin' or 'Europe/Riga'?"
            )
        ],
    ),
    (
        "office: {zone: ../../etc/passwd}",
        [("1:16: There is no time zone '../../etc/passwd'. Write it as in Europe/Berlin or UTC.")],
    ),
    (
        "office: {clock: {shift: {start: 18:00, end: 08:00}, start_date: 2026-02-30}}",
        [
            "1:25: The shift ends at 08:00, which is not after its start, 18:00.",
            "1:65: There is no day 2026-02-30.",
        ],
    ),
    (
        "office: {clock: {shift: {start: '8'}, workdays: [mon, mon]}}",
        ["1:33: Expected a time of day from '00:00' to '23:59', got '8'."],
    ),
    (
        "agents: [{name: iris, keywords: [api, '++', 💡]}]",
        [
            "1:39: The keyword '++' has neither letter nor digit.",
            "1:45: The keyword '💡' has neither letter nor digit.",
        ],
    ),
    ("office: {clock: {workdays: [mon, mon]}}", ["1:34: 'mon' is given twice."]),
    (
        "office: {env: {lower: x, HOME: x, DAYSHIFT_X: x, PORT: 80}}",
        [
            (
                "1:16: Expected capital letters, digits and _, not beginning with a digit, "
                "got 'lower'."
            ),
            "1:56: Expected text, got 80. Put it in quotes.",
        ],
    ),
    (
        "office: {env: {HOME: x, DAYSHIFT_X: x}}",
        [
            "1:16: HOME is set by the office itself.",
            "1:25: DAYSHIFT_X is set by the office itself.",
        ],
    ),
    (
        "agents: [{name: a, env: {X: '${NOPE} ${EMPTY} ${1x}'}}]",
        [
            (
                "1:29: '${1x}' does not name an environment variable. "
                "Write $${…} for a text that looks like a variable."
            ),
            (
                "1:29: The environment variable EMPTY is not set. "
                "Write $${…} for a text that looks like a variable."
            ),
            (
                "1:29: The environment variable NOPE is not set. "
                "Write $${…} for a text that looks like a variable."
            ),
        ],
    ),
    (
        "agents: [{name: iris}, {name: IRIS}, {name: __x}, {name: Everyone}]",
        [
            (
                "1:31: The name 'IRIS' is taken in line 1. "
                "Names differ by more than capital letters."
            ),
            "1:45: '__x': names that begin with __ are the office's.",
            "1:58: The name 'Everyone' is reserved.",
        ],
    ),
    (
        "agents: [{name: iris, reports_to: irsi}, {name: juno, reports_to: juno}]",
        [
            "1:35: There is no agent 'irsi'. Did you mean 'iris'?",
            "1:67: 'juno' cannot report to itself.",
        ],
    ),
    (
        (
            "agents:\n"
            "  - {name: a, reports_to: b}\n"
            "  - {name: b, reports_to: c}\n"
            "  - {name: c, reports_to: b}\n"
            "  - {name: x, reports_to: y}\n"
            "  - {name: y, reports_to: x}\n"
        ),
        [
            (
                "3:27: Managers go round in a circle: b → c → b. "
                "One of them must report to a person: leave its 'reports_to' out."
            ),
            (
                "5:27: Managers go round in a circle: x → y → x. "
                "One of them must report to a person: leave its 'reports_to' out."
            ),
        ],
    ),
    (
        (
            "agents: [{name: a, fallbacks: ['x:1', 'x:1'], cwd: ../.., "
            "permissions: {tools: {allow: [bash], deny: [ls]}}}]"
        ),
        [
            "1:39: 'x:1' is given twice.",
            (
                "1:52: An agent cannot work in a folder that holds the office itself. "
                "Choose another folder, or leave it out for the agent's own workspace."
            ),
            (
                "1:96: Give either 'allow' or 'deny', not both. "
                "'allow' alone already denies everything else."
            ),
        ],
    ),
    (
        (
            "agents: [{name: iris}]\n"
            "channels:\n"
            "  - {name: dev, members: [iris, irsi, iris], report: true}\n"
            "  - {name: Dev, members: [], report: true}\n"
            "  - {name: __dev}\n"
        ),
        [
            "3:33: There is no agent 'irsi'. Did you mean 'iris'?",
            "3:39: 'iris' is given twice.",
            ("4:12: The name 'Dev' is taken in line 3. Names differ by more than capital letters."),
            "4:26: A channel needs a member. Leave 'members' out for every agent.",
            "4:38: Only one channel can be the one for reports.",
            "5:12: '__dev': names that begin with __ are the office's.",
        ],
    ),
    (
        "agents:\n  - {name: iris, thinking: deep, reports_to: juno}\n  - {name: a b}\n",
        [
            "2:28: Expected 'off', 'minimal', 'low', 'medium' or 'high', got 'deep'.",
            "2:46: There is no agent 'juno'.",
            "3:12: Expected letters, digits, _ and -, at most 64, got 'a b'.",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_every_fault_is_told_at_once_and_at_its_place(text: str, expected: list[str]) -> None:
    """File, line, column, what was expected, and a near match where there is one.

    Demanded by: AGENT-1, AGENT-4.
    """
    assert faults(text, EMPTY="") == expected


def test_what_is_no_yaml_is_one_fault() -> None:
    """The first thing that stops reading; the rest cannot be told.

    Demanded by: AGENT-1.
    """
    assert faults("office: {title: a: b}") == [
        "1:18: This is not YAML: expected ',' or '}', but got ':'."
    ]


def test_the_error_as_a_whole_is_all_of_them() -> None:
    """Who prints the error prints every fault and hint; it stands at the first.

    Demanded by: AGENT-1.
    """
    with pytest.raises(ConfigErrors) as refused:
        settled("office: {zoen: UTC}\nagents: [{}]")

    error = refused.value
    assert str(error) == error.message
    assert error.message == (
        f"{HOME}/office.yaml:1:10: Unknown key 'zoen'. Did you mean 'zone'?\n"
        f"{HOME}/office.yaml:2:10: 'name' is missing."
    )
    assert (error.file, error.line, error.column) == (f"{HOME}/office.yaml", 1, 10)
