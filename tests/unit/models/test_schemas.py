"""Tool schemas fit every vendor's subset, and names find their way back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dayshift.core.model import ToolSchema, ToolSet
from dayshift.models.ids import free_id, safe_id
from dayshift.models.quirks import safe_arguments
from dayshift.models.schemas import Subset, fitted, is_closed, names_back, wire_name
from dayshift.models.text import loads
from dayshift.testing.model_server_checks import Strictness, check_schema

MONSTER: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "monster",
    "title": "Monster",
    "type": "object",
    "additionalProperties": False,
    "$defs": {
        "Point": {
            "type": "object",
            "properties": {"x": {"type": ["integer", "null"]}, "next": {"$ref": "#/$defs/Point"}},
            "required": ["x"],
        },
        "Colour": {"enum": ["red", "green"]},
    },
    "properties": {
        "kind": {"const": "move"},
        "count": {"const": 3},
        "colour": {"$ref": "#/$defs/Colour", "description": "Which."},
        "point": {"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}], "description": "Where."},
        "either": {"type": ["string", "integer", "null"], "description": "Any."},
        "mixed": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "all": {"allOf": [{"type": "string"}, {"maxLength": 3}]},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        "bare": {"type": "array"},
        "odd": {"type": "string", "properties": {"x": {}}, "required": ["x"]},
        "free": {"type": "object", "additionalProperties": {"type": "string"}},
        "big": {"type": "integer", "exclusiveMinimum": 0, "default": 1},
        "when": {"type": "string", "format": "uri"},
        "anything": True,
    },
    "required": ["kind", "point"],
}
UNION_AT_TOP: dict[str, Any] = {
    "anyOf": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
    ]
}


@pytest.mark.parametrize("subset", ["full", "plain", "openapi"])
@pytest.mark.parametrize("schema", [MONSTER, UNION_AT_TOP, {}, {"type": "object"}])
def test_every_schema_fits_the_strict_server_of_its_subset(
    schema: dict[str, Any], subset: Subset
) -> None:
    """One provider refuses what another accepts.

    Demanded by: COST-01.
    """
    check_schema(fitted(schema, subset), "tool", Strictness(schema=subset))


def test_what_a_schema_means_survives_the_plain_subset() -> None:
    """Constants become enums, references are put in place, null becomes a remark.

    Demanded by: COST-01.
    """
    properties = fitted(MONSTER, "plain")["properties"]

    assert properties["kind"] == {"enum": ["move"], "type": "string"}
    assert properties["count"] == {"enum": [3], "type": "integer"}
    assert properties["colour"] == {
        "enum": ["red", "green"],
        "description": "Which.",
        "type": "string",
    }
    assert properties["point"]["type"] == "object"
    assert properties["point"]["description"] == "Where. (leave out for none)"
    assert properties["either"]["anyOf"] == [{"type": "string"}, {"type": "integer"}]
    assert properties["all"] == {"type": "string", "maxLength": 3}
    assert properties["free"]["additionalProperties"] == {"type": "string"}


def test_null_is_told_as_nullable_in_the_openapi_subset() -> None:
    """Google's subset has a word of its own for null.

    Demanded by: COST-01.
    """
    properties = fitted(MONSTER, "openapi")["properties"]

    assert properties["point"]["nullable"] is True
    assert properties["count"] == {"enum": ["3"], "type": "string"}
    assert "default" not in properties["big"]


def test_a_union_at_the_top_becomes_one_object_of_all_its_fields() -> None:
    """No vendor takes a union where the arguments begin.

    Demanded by: COST-01.
    """
    schema = fitted(UNION_AT_TOP, "full")

    assert schema["properties"] == {"a": {"type": "string"}, "b": {"type": "string"}}
    assert schema.get("required", []) == []


def test_the_given_schema_is_not_changed() -> None:
    """The same schema is fitted for several vendors.

    Demanded by: COST-01.
    """
    before = repr(MONSTER)
    fitted(MONSTER, "openapi")
    assert repr(MONSTER) == before


NAMES = st.text(st.characters(exclude_categories=()), min_size=1, max_size=90)


@given(NAMES)
def test_every_name_is_sent_in_the_common_alphabet_and_always_the_same(name: str) -> None:
    """MCP tools have dots, slashes and eighty letters in their names.

    Demanded by: COST-01.
    """
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", wire_name(name))
    assert wire_name(name) == wire_name(name)
    assert wire_name(wire_name(name)) == wire_name(name)


def test_names_that_differ_find_their_way_back_and_others_need_none() -> None:
    """The call comes back under the sent name.

    Demanded by: COST-01.
    """
    long = "github.search." + "x" * 80
    tools = ToolSet(tuple(ToolSchema(name, "", {}) for name in ("bash", long, "git.log")))

    assert names_back(tools) == {wire_name(long): long, wire_name("git.log"): "git.log"}
    assert wire_name("git.log") != wire_name("git/log")
    assert names_back(ToolSet((ToolSchema("bash", "", {}),))) == {}


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_ids_are_sent_in_a_form_that_all_take(call_id: str) -> None:
    """Kimi's ids hold dots and colons; Mistral wants nine letters.

    Demanded by: MODEL-1.
    """
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", safe_id(call_id, "any"))
    assert re.fullmatch(r"[a-zA-Z0-9]{9}", safe_id(call_id, "nine"))
    assert safe_id("toolu_01AbC", "any") == "toolu_01AbC"


def test_an_id_that_is_empty_or_taken_is_replaced() -> None:
    """Some servers count from zero in every answer, or give no id.

    Demanded by: MODEL-1.
    """
    assert free_id("call_longenoughtobeunique", 0, [], []) == "call_longenoughtobeunique"
    assert free_id("", 1, [], []) == "call_0_1"
    assert free_id("call_0", 1, ["call_0"], []) == "call_0_0_1"


@pytest.mark.parametrize(
    ("raw", "sent"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("null", {}),
        ("[1]", {"value": [1]}),
        ('{"a": "cut he', {"invalid_json": '{"a": "cut he'}),
        ('{"a": "\\ud83d"}', {"a": "\ufffd"}),
        ('{"a": "\ud83d"}', {"a": "\ufffd"}),
        ("\ud83d", {"invalid_json": "\ufffd"}),
    ],
)
def test_arguments_are_sent_as_an_object_whatever_the_model_wrote(raw: str, sent: object) -> None:
    """A broken call of yesterday must not make today's request fail.

    Demanded by: CALL-05, TEXT-01.
    """
    assert loads(safe_arguments(raw)) == sent


def test_only_a_schema_without_loose_ends_is_closed() -> None:
    """OpenAI enforces a schema only when every object is closed.

    Demanded by: MODEL-1.
    """
    closed = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert is_closed(closed)
    assert not is_closed({**closed, "required": []})
    assert not is_closed({"anyOf": [closed, {**closed, "additionalProperties": True}]})
