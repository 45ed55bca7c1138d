"""Tool calls for a model that cannot make them: each answer is one JSON object, held to a schema.

Small models write calls as prose, and local servers take ``tool_choice: required`` without keeping
it. What they do keep is a schema of the answer, so the choice between speaking and calling is one.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Fragment,
    Message,
    Model,
    ModelRequest,
    TextPart,
    ToolMessage,
    ToolSchema,
    ToolSet,
    UserMessage,
)
from dayshift.models.ids import free_id
from dayshift.models.schemas import fitted
from dayshift.models.text import dumps, fields, is_list, is_object, loads

SAY_CHARS_MAX = 1200
TEXT_CHARS_MAX = 2000
"""Longest text in an argument that does not say itself how long it may be; without a bound a small
model writes until it is cut off."""
OUTPUT_TOKENS_MAX = 1500
_NO_TOOLS = ToolSet(())
_RULES = """
# How you answer

Each answer is one JSON object and nothing else. Either you speak, which ends your work on this:
{"say": "…"}
Or you use one tool, and its result comes next:
{"call": "…", "arguments": {…}}

# Tools
"""


class SchemaCalls:
    """A model behind another one that only fills in schemas."""

    def __init__(self, inner: Model) -> None:
        self.ref = inner.ref
        self.provider = inner.provider
        self.facts = inner.facts
        self._inner = inner

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request; what is said streams when it is whole."""
        if not request.tools.schemas:
            return await self._inner.ask(_without_calls(request), on_delta)
        answer = await self._inner.ask(_with_schema(request), lambda _delta: None)
        message = _understood(answer.message, request)
        for part in message.parts:
            if isinstance(part, TextPart):
                on_delta(Delta("text", part.text))
            elif isinstance(part, CallPart):
                on_delta(Delta("call", part.name))
        return msgspec.structs.replace(answer, message=message)

    def render(self, request: ModelRequest) -> bytes:
        """The exact body that ``ask`` would send."""
        plain = _with_schema(request) if request.tools.schemas else _without_calls(request)
        return self._inner.render(plain)


def answer_schema(tools: tuple[ToolSchema, ...]) -> dict[str, Any]:
    """What an answer may be: something to say, or one of the calls."""
    say = {"type": "string", "maxLength": SAY_CHARS_MAX}
    return {"anyOf": [_closed({"say": say}), *(_call_schema(tool) for tool in tools)]}


def _call_schema(tool: ToolSchema) -> dict[str, Any]:
    arguments = _bounded(fitted(tool.parameters, "plain"))
    return _closed({"call": {"const": tool.name}, "arguments": arguments})


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _bounded(schema: Any) -> Any:  # noqa: ANN401  JSON is any value
    """The schema with a bound on every text."""
    if is_list(schema):
        return [_bounded(item) for item in schema]
    if not is_object(schema):
        return schema
    held = {key: _bounded(value) for key, value in schema.items()}
    if held.get("type") == "string" and "enum" not in held:
        held.setdefault("maxLength", TEXT_CHARS_MAX)
    return held


def _with_schema(request: ModelRequest) -> ModelRequest:
    offered = () if request.tool_choice == "none" else request.tools.schemas
    listed = "\n".join(_line(tool) for tool in offered)
    return msgspec.structs.replace(
        request,
        system=f"{request.system}\n{_RULES}{listed}",
        messages=[Fragment(_plain(fragment.message)) for fragment in request.messages],
        tools=_NO_TOOLS,
        tool_choice="auto",
        json_schema=answer_schema(offered),
        max_output_tokens=min(request.max_output_tokens, OUTPUT_TOKENS_MAX),
    )


def _without_calls(request: ModelRequest) -> ModelRequest:
    messages = [Fragment(_plain(fragment.message)) for fragment in request.messages]
    return msgspec.structs.replace(request, messages=messages)


def _line(tool: ToolSchema) -> str:
    properties = fields(tool.parameters.get("properties"))
    needed = tool.parameters.get("required", ())
    named = [name if name in needed else f"{name}?" for name in properties]
    first = tool.description.partition("\n")[0]
    return f"- {tool.name}({', '.join(named)}): {first}"


def _plain(message: Message) -> Message:
    """A message in the words of the schema: calls as the objects they were, results as told."""
    match message:
        case ToolMessage():
            return UserMessage((TextPart(f"Result of {message.name}:\n{message.text}"),))
        case AssistantMessage():
            said = [{"say": message.text}] if message.text and not message.calls else []
            called = [
                {"call": call.name, "arguments": _arguments(call.arguments)}
                for call in message.calls
            ]
            lines = [dumps(item).decode() for item in (*said, *called)]
            return AssistantMessage((TextPart("\n".join(lines)),))
        case UserMessage():
            return message


def _understood(message: AssistantMessage, request: ModelRequest) -> AssistantMessage:
    """The answer as speech or a call; what is neither is left as text, with how it ended."""
    answer = fields(_parsed(message.text))
    if isinstance(answer.get("call"), str):
        call_id = free_id("", 0, [], request.messages)
        call = CallPart(call_id, answer["call"], dumps(answer.get("arguments", {})).decode())
        return AssistantMessage((call,), finish="tool_calls")
    said = answer.get("say")
    if isinstance(said, str):
        return AssistantMessage((TextPart(said),) if said else (), finish=message.finish)
    return message


def _arguments(text: str) -> Any:  # noqa: ANN401  JSON is any value
    return _parsed(text or "{}") or {}


def _parsed(text: str) -> Any:  # noqa: ANN401  JSON is any value
    try:
        return loads(text.encode())
    except ValueError:
        return None
