"""The OpenAI dialect: chat completions, spoken by most providers and by every local server.

A request is a join of encoded messages, the stable part first, so that each request of a dialogue
begins with the bytes of the one before.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Fragment,
    ImagePart,
    ModelFacts,
    ModelRequest,
    ReasoningPart,
    TextPart,
    ToolMessage,
    ToolSet,
    UserMessage,
)
from dayshift.models.asked import Asked
from dayshift.models.ids import safe_id
from dayshift.models.openai_stream import ChatReader
from dayshift.models.pairing import settled
from dayshift.models.quirks import Quirks, codec_key, safe_arguments
from dayshift.models.schemas import fitted, is_closed, wire_name
from dayshift.models.text import dumps
from dayshift.models.wire import Endpoint, Wire
from dayshift.models.words import (
    GO_ON,
    JSON_ONLY,
    LEFT_OUT,
    NO_ANSWER,
    NO_IMAGE,
    NO_OUTPUT,
    NO_TEXT,
)

DIALECT = "openai_chat"

_FILLER = dumps({"role": "assistant", "content": NO_ANSWER})
_GO_ON = dumps({"role": "user", "content": GO_ON})
_LEFT_OUT = dumps({"role": "user", "content": LEFT_OUT})
_USER = b'{"role":"user",'
_RESULT = b'{"role":"tool",'
_IMAGES = b"\0"
"""Stands in an encoded result before the message that shows its images; no JSON contains it."""
_TAILS_MAX = 1024


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint."""

    def __init__(
        self, ref: str, *, endpoint: Endpoint, quirks: Quirks, facts: ModelFacts, wire: Wire
    ) -> None:
        self.ref = ref
        self.provider = endpoint.provider
        self.facts = facts
        self._name = ref.partition(":")[2]
        self._endpoint = endpoint
        self._wire = wire
        self._quirks = quirks
        self._images = quirks.images if quirks.images is not None else facts.images
        self._origin = f"{DIALECT}/{self.provider}"
        self._key = codec_key(DIALECT, self.provider, quirks, images=self._images)
        self._head = b'{"model":%b,"stream":true,' % dumps(self._name)
        self._strict_turns = quirks.alternate or not quirks.tool_then_user
        self._tails: dict[tuple[Any, ...], bytes] = {}

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request and stream its answer; see the protocol."""
        asked = Asked.of(request, self._endpoint, origin=self._origin, on_delta=on_delta)
        reader = ChatReader(asked)
        await self._wire.stream(
            self._endpoint,
            self.render(request),
            reader,
            idle_s=request.idle_limit_s,
            total_s=request.total_limit_s,
        )
        return reader.answer()

    def render(self, request: ModelRequest) -> bytes:
        """The exact body that ``ask`` would send."""
        tools = self._tools(request.tools)
        messages = self._messages(settled(request.messages))
        system = self._system(request)
        return b"".join(
            (
                self._head,
                tools,
                b'"messages":[',
                system,
                b"," if system else b"",
                messages,
                b"]",
                self._tail(request, offers_tools=bool(tools)),
                b"}",
            )
        )

    def _system(self, request: ModelRequest) -> bytes:
        text = request.system
        if request.json_schema is not None and self._quirks.json_schema != "json_schema":
            schema = dumps(request.json_schema).decode()
            text = f"{text}\n\n{JSON_ONLY} {schema}"
        return dumps({"role": self._quirks.system_role, "content": text}) if text else b""

    def _messages(self, fragments: Sequence[Fragment]) -> bytes:
        key = self._key
        try:
            encoded = [fragment.encoded[key] for fragment in fragments]
        except KeyError:
            for fragment in fragments:
                if key not in fragment.encoded:
                    fragment.encoded[key] = self._encode(fragment)
            encoded = [fragment.encoded[key] for fragment in fragments]
        if not fragments or type(fragments[0].message) is AssistantMessage:
            encoded.insert(0, _LEFT_OUT if fragments else _GO_ON)
        if fragments and type(fragments[-1].message) is AssistantMessage:
            encoded.append(_GO_ON)
        joined = b",".join(encoded)
        if _IMAGES not in joined and not self._strict_turns:
            return joined
        pieces = _with_images(encoded)
        return b",".join(self._with_fillers(pieces) if self._strict_turns else pieces)

    def _with_fillers(self, pieces: list[bytes]) -> list[bytes]:
        """An answer of a few words where the provider wants one between two messages."""
        out: list[bytes] = []
        before = b""
        for piece in pieces:
            if piece.startswith(_USER) and (
                (before.startswith(_USER) and self._quirks.alternate)
                or (before.startswith(_RESULT) and not self._quirks.tool_then_user)
            ):
                out.append(_FILLER)
            out.append(piece)
            before = piece
        return out

    def _encode(self, fragment: Fragment) -> bytes:
        message = fragment.message
        match message:
            case UserMessage():
                return dumps({"role": "user", "content": self._content(message.parts)})
            case ToolMessage():
                return self._encode_result(message)
            case AssistantMessage():
                return self._encode_answer(message)

    def _content(self, parts: Sequence[TextPart | ImagePart]) -> str | list[dict[str, Any]]:
        if self._images and any(type(part) is ImagePart for part in parts):
            return [
                _shown(part) for part in parts if isinstance(part, ImagePart) or part.text.strip()
            ]
        texts = [part.text if type(part) is TextPart else NO_IMAGE for part in parts]
        text = "\n\n".join(texts)
        return text if text.strip() else NO_TEXT

    def _encode_result(self, message: ToolMessage) -> bytes:
        text = message.text if message.text.strip() else NO_OUTPUT
        if message.images and not self._images:
            text = "\n".join([text, *[NO_IMAGE for _ in message.images]])
        encoded = dumps(
            {
                "role": "tool",
                "tool_call_id": safe_id(message.call_id, self._quirks.call_id),
                "content": text,
            }
        )
        if not message.images or not self._images:
            return encoded
        label = TextPart(f"[{len(message.images)} image(s) from {message.name}]")
        shown = {"role": "user", "content": [_shown(part) for part in (label, *message.images)]}
        return encoded + _IMAGES + dumps(shown)

    def _encode_answer(self, message: AssistantMessage) -> bytes:
        extra = message.extra or {}
        own = extra.get("origin") == self._origin
        out: dict[str, Any] = {"role": "assistant"}
        text = message.text
        calls = message.calls
        if text.strip() or not calls:
            out["content"] = text if text.strip() else NO_ANSWER
        elif self._quirks.empty_content != "omit":
            out["content"] = None if self._quirks.empty_content == "null" else ""
        self._replay_reasoning(out, message)
        if calls:
            kept: dict[str, Any] = {calls[0].id: self._quirks.call_fill}
            if own:
                kept = extra.get("calls", {}) if self._quirks.echo != "none" else {}
            out["tool_calls"] = [self._encode_call(call, kept.get(call.id, {})) for call in calls]
        if own and self._quirks.echo == "all":
            out = {**extra.get("fields", {}), **out}
        return dumps(out)

    def _replay_reasoning(self, out: dict[str, Any], message: AssistantMessage) -> None:
        field = self._quirks.reasoning_out
        if not field:
            return
        own = [
            part
            for part in message.parts
            if type(part) is ReasoningPart and part.origin == self._origin
        ]
        if field == "reasoning_details":
            details = [item for part in own for item in (part.opaque or {}).get(field, ())]
            if details:
                out[field] = details
            return
        text = "".join(part.text for part in own)
        if not text.strip() and message.calls:
            text = self._quirks.reasoning_fill
        if text:
            out[field] = text

    def _encode_call(self, call: CallPart, kept: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": safe_id(call.id, self._quirks.call_id),
            "type": "function",
            "function": {
                "name": wire_name(call.name),
                "arguments": safe_arguments(call.arguments).decode(),
            },
            **kept,
        }

    def _tools(self, tools: ToolSet) -> bytes:
        encoded = tools.encoded.get(self._key)
        if encoded is None:
            listed = [
                {
                    "type": "function",
                    "function": {
                        "name": wire_name(tool.name),
                        "description": tool.description,
                        "parameters": fitted(tool.parameters, self._quirks.schema, tool=tool.name),
                    },
                }
                for tool in tools.schemas
            ]
            encoded = tools.encoded[self._key] = b'"tools":%b,' % dumps(listed) if listed else b""
        return encoded

    def _tail(self, request: ModelRequest, *, offers_tools: bool) -> bytes:
        """What may differ from request to request, behind all that should not."""
        chosen = (
            request.max_output_tokens,
            request.thinking,
            request.tool_choice if offers_tools else "",
            request.agent if self._quirks.user_key else "",
        )
        if request.json_schema is not None:
            return _members(self._options(chosen) | self._format(request.json_schema))
        tail = self._tails.get(chosen)
        if tail is None:
            if len(self._tails) >= _TAILS_MAX:
                self._tails.clear()
            tail = self._tails[chosen] = _members(self._options(chosen))
        return tail

    def _options(self, chosen: tuple[int, str, str, str]) -> dict[str, Any]:
        quirks = self._quirks
        tokens, thinking, choice, agent = chosen
        options: dict[str, Any] = {
            quirks.token_limit: min(tokens, self.facts.output_tokens),
            **quirks.body,
        }
        if quirks.stream_usage:
            options["stream_options"] = {"include_usage": True}
        if self.facts.reasoning:
            options.update(self._thinking(thinking, offers_tools=bool(choice)))
        if choice and choice != "auto" and choice in quirks.tool_choice:
            options["tool_choice"] = quirks.tool_choice[choice]
        if agent:
            options[quirks.user_key] = hashlib.blake2s(agent.encode(), digest_size=12).hexdigest()
        if quirks.cache == "auto":
            options["cache_control"] = {"type": "ephemeral"}
        return options

    def _thinking(self, level: str, *, offers_tools: bool) -> dict[str, Any]:
        instead = self._quirks.thinking_with_tools
        if offers_tools and instead is not None:
            return instead
        return self._quirks.thinking.get(level, {})

    def _format(self, schema: dict[str, Any]) -> dict[str, Any]:
        match self._quirks.json_schema:
            case "json_schema":
                # A union at the top is fine here, other than in a tool's arguments.
                fit = schema if "anyOf" in schema else fitted(schema, self._quirks.schema)
                named = {"name": "answer", "schema": fit, "strict": is_closed(fit)}
                return {"response_format": {"type": "json_schema", "json_schema": named}}
            case "json_object":
                return {"response_format": {"type": "json_object"}}
            case "output_config" | "none":
                return {}


def _members(options: dict[str, Any]) -> bytes:
    return b"," + dumps(options)[1:-1] if options else b""


def _shown(part: TextPart | ImagePart) -> dict[str, Any]:
    if isinstance(part, ImagePart):
        return {
            "type": "image_url",
            "image_url": {"url": f"data:{part.media_type};base64,{part.data}"},
        }
    return {"type": "text", "text": part.text}


def _with_images(encoded: list[bytes]) -> list[bytes]:
    """Images follow the last result of their turn, since results themselves hold only text."""
    out: list[bytes] = []
    images: list[bytes] = []
    for piece in encoded:
        result, _, shown = piece.partition(_IMAGES)
        if images and not result.startswith(_RESULT):
            out += images
            images = []
        out.append(result)
        if shown:
            images.append(shown)
    return out + images
