"""Edits of office.yaml: the diff shows the meant lines, and nothing else."""

import difflib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.config.edit import (
    Plan,
    add_agent,
    add_channel,
    apply,
    edit,
    put_agent,
    put_channel,
    put_office,
    remove_agent,
    remove_channel,
)
from dayshift.config.office import load
from dayshift.config.splice import Change, Put
from dayshift.core.errors import (
    ConfigErrors,
    ConflictError,
    InvalidError,
    NotFoundError,
    StorageError,
)

OFFICE = """\
# Acme's office
office:   # the office
  title: "Acme"   # its name

  description: >-
    We build
    widgets.
  # how time runs
  clock: {mode: wall,   shift: {start: 08:00}}   # every day
  budget:
    usd_per_day: 5  # careful

channels:
  - name: dev
    members:
      - iris   # she knows
      - juno
  -
    name: ops
    description: ''
    members: [juno, kai]

agents:
# the lead
- name: iris  # lead
  prompt_inline: |
    Plan.

    Then do.
  # about the model
  model: &m openai:gpt-5
  keywords:
    - 'roadmap'   # mine
    - plan
  # model: cheaper:one

- &base
  thinking: off
  name: juno
  reports_to: iris
  model: *m
  skills: [a, 'b c',
     d]   # many
  title:
  permissions: {tools: {deny: [bash,]}}

- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, }   # inline
# the end
"""
FOLDER = "acme"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The office file of acme."""
    file = tmp_path / FOLDER / "office.yaml"
    file.parent.mkdir()
    file.write_text(OFFICE)
    return file


def diff(before: str, after: str) -> list[str]:
    """The lines that went and the lines that came."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


EDITS: list[tuple[Plan, list[str]]] = [
    (
        put_office("title", "Acme: Widgets"),
        ['-  title: "Acme"   # its name', '+  title: "Acme: Widgets"   # its name'],
    ),
    (
        put_office("description", "Short."),
        ["-  description: >-", "-    We build", "-    widgets.", "+  description: Short."],
    ),
    (
        put_office("clock.mode", "simulated"),
        [
            "-  clock: {mode: wall,   shift: {start: 08:00}}   # every day",
            "+  clock: {mode: simulated,   shift: {start: 08:00}}   # every day",
        ],
    ),
    (
        put_office("clock.shift.end", "17:00"),
        [
            "-  clock: {mode: wall,   shift: {start: 08:00}}   # every day",
            "+  clock: {mode: wall,   shift: {start: 08:00, end: 17:00}}   # every day",
        ],
    ),
    (
        put_office("budget.usd_per_day", 7.5),
        ["-    usd_per_day: 5  # careful", "+    usd_per_day: 7.5  # careful"],
    ),
    (put_office("budget.tokens_per_day", 900), ["+    tokens_per_day: 900"]),
    (
        put_office("budget.usd_per_day", None),
        ["-  budget:", "-    usd_per_day: 5  # careful"],
    ),
    (put_office("env.LOG", "debug"), ["+  env:", "+    LOG: debug"]),
    (put_office("model", "openai:gpt-5"), ["+  model: openai:gpt-5"]),
    (
        put_agent("iris", "prompt_inline", "Plan.\nThen rest.\n"),
        ["-", "-    Then do.", "+    Then rest."],
    ),
    (
        put_agent("iris", "keywords", ("plan", "goal")),
        ["-    - 'roadmap'   # mine", "+    - goal"],
    ),
    (
        put_agent("iris", "keywords", ()),
        ["-  keywords:", "-    - 'roadmap'   # mine", "-    - plan", "+  keywords: []"],
    ),
    (put_agent("iris", "priority", "high"), ["+  priority: high"]),
    (
        put_agent("juno", "model", "ollama:qwen3:8b"),
        ["-  model: *m", "+  model: ollama:qwen3:8b"],
    ),
    (put_agent("juno", "title", "Developer"), ["-  title:", "+  title: Developer"]),
    (put_agent("juno", "title", None), ["-  title:"]),
    (put_agent("juno", "thinking", None), ["-  thinking: off"]),
    (
        put_agent("juno", "prompt_inline", " Type.\nThen\ttest."),
        ["+  prompt_inline: |2-", "+     Type.", "+    Then\ttest."],
    ),
    (
        put_agent("juno", "skills", ("x, y", "it's")),
        ["-  skills: [a, 'b c',", "-     d]   # many", '+  skills: ["x, y", it\'s]   # many'],
    ),
    (
        put_agent("juno", "permissions.tools.deny", ("bash", "ls")),
        [
            "-  permissions: {tools: {deny: [bash,]}}",
            "+  permissions: {tools: {deny: [bash, ls]}}",
        ],
    ),
    (
        put_agent("juno", "computer.network", value=True),
        ["+  computer:", "+    network: true"],
    ),
    (
        put_agent("kai", "budget.usd_per_run", None),
        [
            "-- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, }   # inline",
            "+- {name: kai, reports_to: juno, budget: {}, }   # inline",
        ],
    ),
    (
        put_agent("kai", "prompt_inline", "One\nTwo"),
        [
            "-- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, }   # inline",
            (
                "+- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, "
                'prompt_inline: "One\\nTwo" }   # inline'
            ),
        ],
    ),
    (
        add_agent({"name": "lea", "prompt_inline": "Test.\nTwice.\n", "skills": ("pytest",)}),
        [
            "+",
            "+- name: lea",
            "+  prompt_inline: |",
            "+    Test.",
            "+    Twice.",
            "+  skills: [pytest]",
        ],
    ),
    (
        remove_agent("kai"),
        [
            "-    members: [juno, kai]",
            "+    members: [juno]",
            "-- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, }   # inline",
        ],
    ),
    (
        remove_agent("juno"),
        [
            "-      - juno",
            "-    members: [juno, kai]",
            "+    members: [kai]",
            "-- &base",
            "-  thinking: off",
            "-  name: juno",
            "-  reports_to: iris",
            "-  model: *m",
            "-  skills: [a, 'b c',",
            "-     d]   # many",
            "-  title:",
            "-  permissions: {tools: {deny: [bash,]}}",
            "-",
            "-- {name: kai, reports_to: juno, budget: {usd_per_run: 1}, }   # inline",
            "+- {name: kai, reports_to: iris, budget: {usd_per_run: 1}, }   # inline",
        ],
    ),
    (
        add_channel({"name": "qa", "members": ("kai",)}),
        ["+  - name: qa", "+    members: [kai]"],
    ),
    (
        put_channel("dev", "members", ("iris", "kai")),
        ["-      - iris   # she knows", "-      - juno", "+      - iris", "+      - kai"],
    ),
    (put_channel("ops", "report", value=True), ["+    report: true"]),
    (
        put_channel("general", "members", ("iris",)),
        ["+  - name: general", "+    members: [iris]"],
    ),
    (
        remove_channel("dev"),
        [
            "-  - name: dev",
            "-    members:",
            "-      - iris   # she knows",
            "-      - juno",
        ],
    ),
    (remove_channel("nowhere"), []),
]


@pytest.mark.parametrize(("plan", "lines"), EDITS)
def test_the_diff_shows_the_meant_lines_only(path: Path, plan: Plan, lines: list[str]) -> None:
    """Comments, anchors, quotes, blank lines and odd order stay; the office is what was asked for.

    Demanded by: STOR-01, AGENT-1.
    """
    office = edit(path, plan, env={})

    assert diff(OFFICE, path.read_text()) == lines
    assert load(path, {}) == office


def test_what_is_refused_leaves_the_file_untouched(path: Path) -> None:
    """A faulty result, an unknown name, a value that others share: told, and nothing is written.

    Demanded by: STOR-01, AGENT-1.
    """
    before = (path.read_bytes(), path.stat().st_ino)

    with pytest.raises(ConfigErrors, match=r"office.yaml:\d+:\d+: Expected 'off', 'minimal'"):
        edit(path, put_agent("iris", "thinking", "deep"), env={})
    with pytest.raises(ConfigErrors, match="The name 'IRIS' is taken in line"):
        edit(path, add_agent({"name": "IRIS"}), env={})
    with pytest.raises(ConfigErrors, match="Unknown key 'colour'"):
        edit(path, put_office("colour", "red"), env={})
    with pytest.raises(NotFoundError, match="There is no entry 'lea'"):
        edit(path, put_agent("lea", "thinking", "low"), env={})
    with pytest.raises(NotFoundError, match="There is no agent 'lea' in"):
        edit(path, remove_agent("lea"), env={})
    with pytest.raises(InvalidError, match="'x' leads into something that has no parts"):
        edit(path, put_office("title.x", "y"), env={})
    with pytest.raises(ConflictError, match="the file shares it by an anchor or a merge"):
        edit(path, put_agent("iris", "model", "openai:gpt-6"), env={})
    with pytest.raises(ConflictError, match=r"it would leave .*The alias \*m has no anchor &m"):
        edit(path, remove_agent("iris"), env={})

    assert (path.read_bytes(), path.stat().st_ino) == before
    assert sorted(file.name for file in path.parent.iterdir()) == [".office.yaml.lock", path.name]


def test_a_faulty_file_is_not_edited(path: Path) -> None:
    """Somebody is in the middle of something; it is told what is wrong with the file.

    Demanded by: STOR-01.
    """
    path.write_text("agents: [{name: iris, thinking: deep}]")

    with pytest.raises(ConfigErrors, match="got 'deep'"):
        edit(path, put_agent("iris", "thinking", "low"), env={})
    path.unlink()
    with pytest.raises(StorageError, match="cannot be read: No such file"):
        edit(path, put_office("title", "Acme"), env={})


def test_several_changes_are_made_together_or_not_at_all(path: Path) -> None:
    """The last one fails: the first is not made either.

    Demanded by: STOR-01.
    """
    both: list[Change] = [Put(("office", "title"), "New"), Put(("agents", "iris", "name"), "juno")]

    with pytest.raises(ConfigErrors):
        edit(path, both, env={})
    assert path.read_text() == OFFICE
    edit(path, both[:1], env={})
    assert diff(OFFICE, path.read_text()) == [
        '-  title: "Acme"   # its name',
        "+  title: New   # its name",
    ]


PLACES = [
    ("office", "title"),
    ("office", "description"),
    ("office", "clock", "shift", "start"),
    ("office", "budget"),
    ("agents", "iris", "prompt_inline"),
    ("agents", "iris", "keywords"),
    ("agents", "iris", "group"),
    ("agents", "juno", "thinking"),
    ("agents", "juno", "skills"),
    ("agents", "juno", "title"),
    ("agents", "juno", "permissions", "tools"),
    ("agents", "kai", "budget", "usd_per_run"),
    ("channels", "dev", "members"),
    ("channels", "ops", "description"),
]
FIRST_LINES = {
    "office": "office:   # the office",
    "iris": "- name: iris  # lead",
    "juno": "- &base",
    "kai": "- {name: kai",
    "dev": "  - name: dev",
    "ops": "  -\n    name: ops",
}
LAST_LINES = {
    "office": "channels:\n",
    "iris": "- &base",
    "juno": "- {name: kai",
    "kai": "# the end",
    "dev": "  -\n    name: ops",
    "ops": "agents:\n",
}
TEXTS = st.text(st.sampled_from("ab 1:#-\n\t'\"[]{},&*!|>%@`?~é接\u2028\x85\x07"), max_size=12)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(-(10**15), 10**15), st.booleans(), st.floats(-1e6, 1e6)),
    lambda inner: st.one_of(
        st.lists(TEXTS, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["a", "b c", "1", "é:"]), inner, max_size=3),
    ),
    max_leaves=4,
)


@given(where=st.sampled_from(PLACES), value=VALUES)
def test_whatever_is_put_anywhere_touches_its_own_entry_only(
    where: tuple[str, ...], value: object
) -> None:
    """Everything before and after the entry is the same to the byte, and the value reads the same.

    Demanded by: STOR-01.
    """
    entry = where[0] if where[0] == "office" else where[1]
    begins, ends = OFFICE.index(FIRST_LINES[entry]), OFFICE.index(LAST_LINES[entry])

    changed = apply(OFFICE.encode(), [Put(where, value)], file="f").decode()  # type: ignore[arg-type]  drawn plain

    assert changed.startswith(OFFICE[:begins])
    assert changed.endswith(OFFICE[ends:])
