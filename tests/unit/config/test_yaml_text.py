"""YAML as a configuration file is meant: what values come to, and what is refused where."""

import pytest

from dayshift.config.place import Place
from dayshift.config.yaml_text import FILE_BYTES_MAX, YamlText, as_mapping, read_yaml, resolve
from dayshift.core.errors import ConfigError

FILE = "office.yaml"


def read(text: str | bytes) -> YamlText:
    """What a text says."""
    return read_yaml(text if isinstance(text, bytes) else text.encode(), FILE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("off", "off"),
        ("on", "on"),
        ("12", 12),
        ("-3", -3),
        ("+4", 4),
        ("0o17", 15),
        ("0x1F", 31),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        (".inf", float("inf")),
        ("-.inf", float("-inf")),
        ("08:00", "08:00"),
        ("2026-01-05", "2026-01-05"),
        ("1.2.3", "1.2.3"),
        ("9" * 5000, "9" * 5000),
        ("pm", "pm"),
    ],
)
def test_plain_words_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    """Times of day, dates and on/off stay text; numbers and booleans are what they look like.

    Demanded by: AGENT-1.
    """
    assert resolve(text) == value


def test_not_a_number_is_read_as_one() -> None:
    """The word for no number is a number that equals nothing.

    Demanded by: AGENT-1.
    """
    assert str(resolve(".nan")) == "nan"


def test_values_and_keys_know_their_places() -> None:
    """Every value and key can be pointed at, line and column from 1.

    Demanded by: AGENT-1.
    """
    text = read("office:\n  title: 'Acme'\nagents:\n  - {name: pm, 1: x}\n")

    assert text.value == {"office": {"title": "Acme"}, "agents": ({"name": "pm", "1": "x"},)}
    assert text.places.of(("office", "title")) == Place(2, 10)
    assert text.places.of_key(("office", "title")) == Place(2, 3)
    assert text.places.of(("agents", 0, "name")) == Place(4, 12)
    assert text.places.of(("agents", 0, "missing", 7)) == Place(4, 5)
    assert text.places.of_key(("agents", 0)) == Place(4, 5)


def test_anchors_aliases_and_merges_work() -> None:
    """What several agents share is written once; an own key wins over a merged one.

    Demanded by: AGENT-1.
    """
    text = read(
        "base: &base {thinking: low, priority: high}\n"
        "more: &more {group: web, priority: low}\n"
        "a: {<<: *base, thinking: off}\n"
        "b: {group: ops, <<: [*base, *more]}\n"
        "c: *base\n"
        "'<<': kept\n"
    )

    assert text.value == {
        "base": {"thinking": "low", "priority": "high"},
        "more": {"group": "web", "priority": "low"},
        "a": {"thinking": "off", "priority": "high"},
        "b": {"group": "ops", "thinking": "low", "priority": "high"},
        "c": {"thinking": "low", "priority": "high"},
        "<<": "kept",
    }


def test_a_byte_order_mark_and_a_text_tag_are_no_trouble() -> None:
    """Editors write the one, careful people the other.

    Demanded by: AGENT-1.
    """
    assert read(b"\xef\xbb\xbfa: !!str 1\nb: ! 2\n").value == {"a": "1", "b": "2"}


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)
)
LADDER = "a0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}]\n" for n in range(40))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "office.yaml:1:1: The file is empty."),
        ("# nothing yet\n", "office.yaml:1:1: The file is empty."),
        ("~\n", "office.yaml:1:1: The file is empty."),
        ("a: 1\n---\nb: 2\n", "office.yaml:2:1: A second document starts here"),
        ("a:\n\tb: 1\n", "office.yaml:2:1: A tab stands where YAML needs spaces."),
        ("a:\tb: 1\n", "office.yaml:1:3: A tab stands where YAML needs spaces."),
        (b"a: 1\nb: \xe9\xe8\n", "office.yaml:2:4: Byte 0xe9 is not UTF-8 text."),
        (b"\xff\xfea\x00", "office.yaml:1:1: Byte 0xff is not UTF-8 text."),
        ("a: 1\nb: \x07\n", "office.yaml:2:4: The character U+0007 is not allowed in YAML."),
        ("a: [1\nb: 2\n", "office.yaml:2:2: This is not YAML: expected ',' or ']'"),
        ("a: b: c\n", "office.yaml:1:5: This is not YAML: mapping values are not allowed here."),
        ("a: 'x\n", "office.yaml:2:1: This is not YAML: found unexpected end of stream."),
        ("%YAML 3.0\n---\na: 1\n", "office.yaml:1:1: This is not YAML: found incompatible"),
        ("a: 1\nb: 2\na: 3\n", "office.yaml:3:1: The key 'a' is given twice; it stands in line 1"),
        ("? [x]\n: 1\n", "office.yaml:1:3: A key must be text"),
        ("a: *b\n", "office.yaml:1:4: The alias *b has no anchor &b before it."),
        ("a: &a [*a]\n", "office.yaml:1:8: The alias *a stands inside itself."),
        ("a: !!python/object:os.system x\n", "office.yaml:1:4: The tag !!python/object:os.system"),
        ("a: !secret x\n", "office.yaml:1:4: The tag !secret means nothing here."),
        ("a: !box [x]\n", "office.yaml:1:4: The tag !box means nothing here."),
        ("a: !!int '1'\n", "office.yaml:1:4: The tag !!int is not used here."),
        ("<<: 1\n", "office.yaml:1:5: After '<<' comes a mapping"),
        ("[" * 40 + "]" * 40, "office.yaml:1:33: Values are nested deeper than 32 levels."),
        (LADDER, "office.yaml:32:12: Values are nested deeper than 32 levels."),
        (BOMB, "The file stands for more than 200000 values, aliases counted."),
        ("x" * (FILE_BYTES_MAX + 1), "office.yaml: The file has 1048577 bytes; at most 1048576"),
    ],
)
def test_what_is_no_such_file_is_refused_where_it_stands(text: str | bytes, message: str) -> None:
    """Each fault names file, line, column and what was expected; a bomb costs nothing.

    Demanded by: AGENT-1.
    """
    with pytest.raises(ConfigError) as refused:
        read(text)

    assert message in refused.value.message


def test_the_top_is_a_mapping() -> None:
    """A list or a single word at the top is no configuration.

    Demanded by: AGENT-1.
    """
    assert as_mapping(read("a: 1")) == {"a": 1}
    with pytest.raises(ConfigError, match="must hold a mapping"):
        as_mapping(read("- a\n"))
