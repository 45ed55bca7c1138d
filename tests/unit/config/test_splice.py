"""Edits of YAML text in the manner of what stands there, by table."""

from collections.abc import Sequence

import pytest

from dayshift.config.edit import apply
from dayshift.config.splice import Append, Change, Put, Remove, changed_text
from dayshift.core.errors import InvalidError

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
    ("a:\n- b\n", [Append(("a",), "x\ny\n")], "a:\n- b\n- |\n  x\n  y\n"),
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
    ("a:\n- t: x\n  name: y\n  z: 1\n", [Remove(("a", "y", "t"))], "a:\n- name: y\n  z: 1\n"),
    ("a: &x {b: 1}\nd: {<<: *x}\n", [Remove(("d", "b"))], "a: &x {b: 1}\nd: {<<: *x, b: null}\n"),
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
