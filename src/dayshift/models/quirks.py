"""What providers do differently within a dialect, as data.

Every field has the meaning and the default of the dialect's own vendor. A provider's row sets
those it needs, a model's row within it may set more.
"""

import hashlib
from typing import Any, Literal

import msgspec
import orjson

from dayshift.models.schemas import Subset
from dayshift.models.text import dumps, is_object, loads, sound

CODEC_VERSION = 1
"""Raise it when an encoder changes what it writes: what older versions encoded is not used then."""
_CHOICES = {"auto": "auto", "none": "none", "required": "required"}


class Quirks(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How one provider or model differs.

    Attributes:
        token_limit: Name of the field that bounds the answer.
        stream_usage: Whether usage must be asked for by ``stream_options``, and may be.
        system_role: Role of the system message in the OpenAI dialect.
        tool_choice: Our choice to the vendor's word; a choice that is missing is not sent.
        schema: Which part of JSON Schema tools may use.
        empty_content: What stands for no text beside calls: ``null``, an empty string, no field.
        alternate: Whether a filler answer must stand between two user messages.
        tool_then_user: Whether a user message may follow tool results directly.
        call_id: ``any`` within the common alphabet, or ``nine`` letters and digits.
        images: Whether images may be sent; ``None`` leaves it to the model's facts.
        reasoning_out: Field in which reasoning is sent back; empty for never.
        reasoning_fill: What stands there in an answer with calls but no reasoning of its own.
        echo: Whether unknown fields of an answer go back with it; ``calls``: those in its calls.
        call_fill: Fields added to a call that this provider did not make itself.
        thinking: Our level to the members it adds to the request of a model that reasons.
        thinking_with_tools: Members in place of those when tools are offered; ``None`` for none.
        json_schema: How an answer in a schema is asked for.
        cache: Prompt cache marks: none, one that moves by itself (``auto``), or on blocks.
        body: Members added to every request.
        user_key: Field with a stable, opaque key of the agent, so that its requests meet one cache.
        headers: Further headers of every request.
    """

    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"  # noqa: S105  a field
    stream_usage: bool = True
    system_role: Literal["system", "developer", "user"] = "system"
    tool_choice: dict[str, str] = msgspec.field(default_factory=lambda: dict(_CHOICES))
    schema: Subset = "full"
    empty_content: Literal["null", "empty", "omit"] = "null"
    alternate: bool = False
    tool_then_user: bool = True
    call_id: Literal["any", "nine"] = "any"
    images: bool | None = None
    reasoning_out: str = ""
    reasoning_fill: str = ""
    echo: Literal["all", "calls", "none"] = "all"
    call_fill: dict[str, Any] = {}
    thinking: dict[str, dict[str, Any]] = {}
    thinking_with_tools: dict[str, Any] | None = None
    json_schema: Literal["json_schema", "json_object", "output_config", "none"] = "json_schema"
    cache: Literal["none", "auto", "blocks"] = "none"
    body: dict[str, Any] = {}
    user_key: str = ""
    headers: dict[str, str] = {}


def codec_key(dialect: str, provider: str, quirks: Quirks, *, images: bool) -> str:
    """Name of an encoding: the same name means the same bytes for the same message."""
    shape = msgspec.json.encode((CODEC_VERSION, quirks, images), order="deterministic")
    return f"{dialect}/{provider}/{hashlib.blake2s(shape, digest_size=4).hexdigest()}"


def safe_arguments(raw: str) -> bytes:
    """A call's arguments as a JSON object; what the model wrote instead of one is put inside."""
    try:
        value = orjson.loads(raw)
    except ValueError:
        return _mended(raw)
    if type(value) is dict:
        return raw.encode()
    return b"{}" if value is None else dumps({"value": value})


def _mended(raw: str) -> bytes:
    if not raw.strip():
        return b"{}"
    try:
        value = loads(sound(raw).encode())
    except ValueError:
        value = None
    return dumps(value) if is_object(value) else dumps({"invalid_json": raw})
