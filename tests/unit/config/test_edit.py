"""Edits of office.yaml: the diff shows the meant lines, and nothing else."""

import difflib
import os
import threading
from collections.abc import Sequence
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
from dayshift.config.files import locked, replace_file
from dayshift.config.office import load, parse
from dayshift.config.splice import Append, Change, Put, Remove, changed_text
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


SMALL: list[tuple[str, Sequence[Change], str]] = [
    ("a: 1", [Append(("agents",), {"name": "x"})], "a: 1\nagents:\n  - name: x"),
    ("agents:\n", [Append(("agents",), {"name": "x"})], "agents:\n  - name: x\n"),
    (
        "agents: []  # none\n",
        [Append(("agents",), {"name": "x"})],
        "agents:  # none\n  - name: x\n",
    ),
    ("agents: [{name: a}]", [Append(("agents",), {"name": "x"})], "agents: [{name: a}, {name: x}]"),
    ("a: [1,\n ]\n", [Append(("a",), 2)], "a: [1, 2\n ]\n"),
    ("a:\n- b\n", [Append(("a",), "c")], "a:\n- b\n- c\n"),
    (
        "a:\n  -   b: 1\n",
        [Append(("a",), {"c": 2, "d": 3})],
        "a:\n  -   b: 1\n  -   c: 2\n      d: 3\n",
    ),
    ("a:\n- name: x\n", [Remove(("a", "x"))], "a: []\n"),
    ("a: # c\n- name: x\nb: 1\n", [Remove(("a", "x"))], "a: [] # c\nb: 1\n"),
    ("a: [x]\n", [Remove(("a", "x"))], "a: []\n"),
    ("a: [x, y]\n", [Remove(("a", "y"))], "a: [x]\n"),
    ("a: {b: 1}\nc: 2\n", [Remove(("a", "b"))], "a: {}\nc: 2\n"),
    ("a: {b: 1, c: 2}\n", [Remove(("a", "b"))], "a: {c: 2}\n"),
    ("a: {b: 1, c: 2}\n", [Remove(("a", "c"))], "a: {b: 1}\n"),
    ("a: {}\n", [Put(("a", "b"), 1)], "a: {b: 1}\n"),
    ("a:\nb: 2\n", [Put(("a", "b"), 1)], "a:\n  b: 1\nb: 2\n"),
    ("a:   # why\nb: 2\n", [Put(("a",), "x")], "a: x   # why\nb: 2\n"),
    ("a: 1  # one\n", [Put(("a",), {"b": 1})], "a:  # one\n  b: 1\n"),
    ("a: 1  # one\n", [Put(("a",), "x\ny\n\n")], "a: |+  # one\n  x\n  y\n\n"),
    ("a:\n  b: 1\nc: 2\n", [Put(("a",), "x\ny")], "a: |-\n  x\n  y\nc: 2\n"),
    ("a:\n  b: 1\nc: 2\n", [Put(("a",), 5)], "a: 5\nc: 2\n"),
    ("a: |\n  x\n  y\nc: 2\n", [Put(("a",), {"b": "x"})], "a:\n  b: x\nc: 2\n"),
    ("a: &x {b: 1}\nc: *x\n", [Put(("c", "b"), 2)], "a: &x {b: 1}\nc:\n  b: 2\n"),
    ("a: &x {b: 1}\nc: {<<: *x}\n", [Put(("c", "b"), 2)], "a: &x {b: 1}\nc: {<<: *x, b: 2}\n"),
    ("a: &x {b: 1}\nc:\n  <<: *x\n", [Put(("c", "b"), 2)], "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n"),
    ("a: &x 1\n", [Put(("a",), 2)], "a: &x 2\n"),
    (
        "a:\n  b: 1\n  # of a\n# of c\nc: 2\n",
        [Put(("a", "d"), 3)],
        "a:\n  b: 1\n  # of a\n  d: 3\n# of c\nc: 2\n",
    ),
    ("a: 1\r\nb:\r\n  c: 1\r\n", [Put(("b", "d"), 2)], "a: 1\r\nb:\r\n  c: 1\r\n  d: 2\r\n"),
    ("\ufeffa: 1\n", [Put(("a",), 2)], "\ufeffa: 2\n"),
    ("a: 1\n\nb: 2\n\nc: 3\n", [Remove(("b",))], "a: 1\n\nc: 3\n"),
    ("a: 1\n", [Remove(("b", "c")), Remove(("b",))], "a: 1\n"),
]


@pytest.mark.parametrize(("before", "changes", "after"), SMALL)
def test_edits_in_the_manner_of_what_is_there(
    before: str, changes: Sequence[Change], after: str
) -> None:
    """Brackets stay brackets, blocks stay blocks, line breaks and indents are those of the file.

    Demanded by: STOR-01.
    """
    assert apply(before.encode(), changes, file="office.yaml").decode() == after


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        ("接口", "接口"),
        ("08:00", "08:00"),
        ("openai:gpt-5", "openai:gpt-5"),
        ("it's (a) 100% + $5", "it's (a) 100% + $5"),
        ("", '""'),
        ("12", '"12"'),
        ("1.5", '"1.5"'),
        ("true", '"true"'),
        ("null", '"null"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("a:", '"a:"'),
        ("- a", '"- a"'),
        ("*a", '"*a"'),
        ("&a", '"&a"'),
        ("@a", '"@a"'),
        ("'a'", "\"'a'\""),
        ('say "x"\\', '"say \\"x\\"\\\\"'),
        (" a ", '" a "'),
        ("\ta\n\x07\u2028b", '"\\ta\\n\\U00000007\\U00002028b"'),
        (5, "5"),
        (2.5, "2.5"),
        (False, "false"),
        (("a, b", "c"), '["a, b", c]'),
        ((), "[]"),
        ({}, "{}"),
    ],
)
def test_values_are_written_so_that_they_read_the_same(value: object, text: str) -> None:
    """In quotes where they would mean something else, and only there.

    Demanded by: STOR-01.
    """
    changes = [Put(("key",), value)]  # type: ignore[arg-type]  any value of the table is plain

    assert apply(b"key: x\n", changes, file="f").decode() == f"key: {text}\n"


def test_nothing_can_be_put_into_nothing() -> None:
    """An empty text has no place for a value.

    Demanded by: STOR-01.
    """
    with pytest.raises(InvalidError, match="There is nothing to edit"):
        changed_text("", Put(("a",), 1), file="f")
    with pytest.raises(InvalidError, match="can only be changed by hand"):
        changed_text("a: &x\n  b: 1\n", Put(("a",), 1), file="f")


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
    st.one_of(TEXTS, st.integers(), st.booleans(), st.floats(-1e6, 1e6)),
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


def test_a_replaced_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    """The content changes in one step; nothing else of the file does.

    Demanded by: STOR-01.
    """
    real, link, new = tmp_path / "real.yaml", tmp_path / "link.yaml", tmp_path / "new.yaml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)

    replace_file(link, b"new")
    replace_file(new, b"fresh")

    assert (real.read_text(), link.is_symlink(), real.stat().st_mode & 0o777) == (
        "new",
        True,
        0o640,
    )
    assert (new.read_text(), new.stat().st_mode & 0o777) == ("fresh", 0o600)
    assert sorted(os.listdir(tmp_path)) == ["link.yaml", "new.yaml", "real.yaml"]


def test_a_disk_that_refuses_is_told_and_leaves_the_old_file(tmp_path: Path) -> None:
    """A folder in the file's place, and a file in the folder's.

    Demanded by: STOR-01.
    """
    folder = tmp_path / "office.yaml"
    folder.mkdir()

    with pytest.raises(StorageError, match=r"office.yaml cannot be written: Is a directory"):
        replace_file(folder, b"new")
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match=r"office\.yaml cannot be written"),
        locked(tmp_path / "file" / "office.yaml"),
    ):
        pass
    assert sorted(os.listdir(tmp_path)) == ["file", "office.yaml"]


def test_one_at_a_time(path: Path) -> None:
    """While one changes the file others wait; whoever waits too long is told.

    Demanded by: STOR-01, AGENT-1.
    """
    names = [f"a{n}" for n in range(8)]
    threads = [
        threading.Thread(target=edit, args=(path, add_agent({"name": name})), kwargs={"env": {}})
        for name in names
    ]
    with locked(path):
        [thread.start() for thread in threads]
        with (
            pytest.raises(ConflictError, match="Somebody else has been"),
            locked(path, wait_s=0.01),
        ):
            pass
    [thread.join(timeout=5) for thread in threads]

    office = parse(path.read_bytes(), path=path, env={})
    assert {agent.name for agent in office.agents} == {"iris", "juno", "kai", *names}
