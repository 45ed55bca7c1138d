"""The Anthropic dialect: messages made of blocks, with turns that alternate strictly.

Each message is encoded to its blocks once; a request opens and closes turns around them. With a
cache mark that moves by itself, each request of a dialogue begins with the bytes of the last.
"""

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
    ToolSchema,
    ToolSet,
    UserMessage,
)
from dayshift.models.anthropic_stream import MessageReader
from dayshift.models.asked import Asked
from dayshift.models.ids import safe_id
from dayshift.models.pairing import settled
from dayshift.models.quirks import Quirks, codec_key, safe_arguments
from dayshift.models.schemas import fitted, wire_name
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

DIALECT = "anthropic_messages"
BUDGET_MIN = 1024
"""Smallest thinking budget the dialect knows, in tokens."""

_MARK = b',"cache_control":{"type":"ephemeral"}}'
_USER = b'{"role":"user","content":['
_ASSISTANT = b'{"role":"assistant","content":['
_CHOICES = {"none": "none", "required": "any"}
_THOUGHTS = (b'{"type":"thinking"', b'{"type":"redacted_thinking"')


class AnthropicMessages:
    """A model behind an Anthropic-compatible endpoint."""

    def __init__(
        self, ref: str, *, endpoint: Endpoint, quirks: Quirks, facts: ModelFacts, wire: Wire
    ) -> None:
        self.ref = ref
        self.provider = endpoint.provider
        self.facts = facts
        self._endpoint = endpoint
        self._wire = wire
        self._quirks = quirks
        self._images = quirks.images if quirks.images is not None else facts.images
        self._origin = f"{DIALECT}/{self.provider}"
        self._key = codec_key(DIALECT, self.provider, quirks, images=self._images)
        self._head = b'{"model":%b,"stream":true,' % dumps(ref.partition(":")[2])
        self._go_on = _text(GO_ON)
        self._left_out = _text(LEFT_OUT)

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request and stream its answer; see the protocol."""
        asked = Asked.of(request, self._endpoint, origin=self._origin, on_delta=on_delta)
        reader = MessageReader(asked)
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
        fragments = settled(request.messages)
        retired = self._retired(request.tools, fragments)
        return b"".join(
            (
                self._head,
                self._tools(retired or request.tools),
                self._system(request),
                b'"messages":[',
                self._messages(fragments),
                b"],",
                dumps(self._options(request, fragments, retired=retired is not None))[1:],
            )
        )

    def _messages(self, fragments: Sequence[Fragment]) -> bytes:
        key = self._key
        out: list[bytes] = []
        turn = b""
        for fragment in fragments:
            blocks = fragment.encoded.get(key)
            if blocks is None:
                blocks = fragment.encoded[key] = self._encode(fragment)
            opening = _ASSISTANT if type(fragment.message) is AssistantMessage else _USER
            if opening is turn:
                out += (b",", blocks)
            elif turn:
                out += (b"]},", opening, blocks)
                turn = opening
            else:
                out += (
                    (opening, blocks)
                    if opening is _USER
                    else (_USER, self._left_out, b"]},", opening, blocks)
                )
                turn = opening
        if turn is not _USER:
            out += (b"]}," if turn else b"", _USER, self._go_on)
        if self._quirks.cache == "blocks":
            out[-1] = out[-1][:-1] + _MARK
        out.append(b"]}")
        return b"".join(out)

    def _encode(self, fragment: Fragment) -> bytes:
        message = fragment.message
        match message:
            case UserMessage():
                blocks = [self._shown(part) for part in message.parts]
                return b",".join(block for block in blocks if block) or _text(NO_TEXT)
            case ToolMessage():
                return self._encode_result(message)
            case AssistantMessage():
                return self._encode_answer(message)

    def _shown(self, part: TextPart | ImagePart) -> bytes:
        if type(part) is ImagePart:
            if not self._images:
                return _text(NO_IMAGE)
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            return dumps({"type": "image", "source": source})
        return _text(part.text) if type(part) is TextPart and part.text.strip() else b""

    def _encode_result(self, message: ToolMessage) -> bytes:
        text = message.text if message.text.strip() else NO_OUTPUT
        head = dumps({"type": "tool_result", "tool_use_id": safe_id(message.call_id, "any")})
        content = dumps(text)
        if message.images:
            blocks = [_text(text), *(self._shown(image) for image in message.images)]
            content = b"[%b]" % b",".join(blocks)
        failed = b"" if message.ok else b',"is_error":true'
        return b'%b,"content":%b%b}' % (head[:-1], content, failed)

    def _encode_answer(self, message: AssistantMessage) -> bytes:
        extra = message.extra or {}
        kept: dict[str, Any] = (
            extra.get("blocks", {}) if extra.get("origin") == self._origin else {}
        )
        if self._quirks.echo == "none":
            kept = {}
        blocks: list[bytes] = []
        for place, part in enumerate(message.parts):
            block = self._encode_part(part, kept.get(str(place), {}))
            if block:
                blocks.append(block)
        if not blocks or blocks[-1].startswith(_THOUGHTS):
            blocks.append(_text(NO_ANSWER))
        return b",".join(blocks)

    def _encode_part(
        self, part: TextPart | ReasoningPart | CallPart, kept: dict[str, Any]
    ) -> bytes:
        match part:
            case TextPart():
                return (
                    dumps({"type": "text", "text": part.text, **kept}) if part.text.strip() else b""
                )
            case CallPart():
                head = dumps(
                    {
                        "type": "tool_use",
                        "id": safe_id(part.id, "any"),
                        "name": wire_name(part.name),
                        **kept,
                    }
                )
                return b'%b,"input":%b}' % (head[:-1], safe_arguments(part.arguments))
            case ReasoningPart():
                return self._encode_reasoning(part, kept)

    def _encode_reasoning(self, part: ReasoningPart, kept: dict[str, Any]) -> bytes:
        if part.origin != self._origin:
            return b""
        if part.opaque is not None:
            return dumps(part.opaque)
        if not part.signature:
            return b""
        thinking = {"type": "thinking", "thinking": part.text, "signature": part.signature}
        return dumps({**thinking, **kept})

    def _retired(self, tools: ToolSet, fragments: Sequence[Fragment]) -> ToolSet | None:
        """Stand-ins for tools that were called before, when none is offered now."""
        if tools.schemas:
            return None
        names = {
            call.name: None
            for fragment in fragments
            if fragment.call_ids and type(fragment.message) is AssistantMessage
            for call in fragment.message.calls
        }
        gone: dict[str, Any] = {"type": "object", "properties": {}}
        return (
            ToolSet(tuple(ToolSchema(n, "Not offered now.", gone) for n in names))
            if names
            else None
        )

    def _tools(self, tools: ToolSet) -> bytes:
        encoded = tools.encoded.get(self._key)
        if encoded is None:
            listed: list[dict[str, Any]] = [
                {
                    "name": wire_name(tool.name),
                    "description": tool.description,
                    "input_schema": fitted(tool.parameters, self._quirks.schema, tool=tool.name),
                }
                for tool in tools.schemas
            ]
            if listed and self._quirks.cache != "none":
                listed[-1]["cache_control"] = {"type": "ephemeral"}
            encoded = tools.encoded[self._key] = b'"tools":%b,' % dumps(listed) if listed else b""
        return encoded

    def _system(self, request: ModelRequest) -> bytes:
        text = request.system
        if request.json_schema is not None and self._quirks.json_schema != "output_config":
            text = f"{text}\n\n{JSON_ONLY} {dumps(request.json_schema).decode()}"
        if not text.strip():
            return b""
        block = _text(text)
        if self._quirks.cache != "none":
            block = block[:-1] + _MARK
        return b'"system":[%b],' % block

    def _options(
        self, request: ModelRequest, fragments: Sequence[Fragment], *, retired: bool
    ) -> dict[str, Any]:
        """What may differ from request to request, behind all that should not."""
        options: dict[str, Any] = {
            "max_tokens": min(request.max_output_tokens, self.facts.output_tokens)
        }
        options.update(self._quirks.body)
        if self.facts.reasoning:
            options.update(self._quirks.thinking.get(request.thinking, {}))
            self._fit_budget(options, fragments)
        if request.json_schema is not None and self._quirks.json_schema == "output_config":
            form = {
                "type": "json_schema",
                "schema": fitted(request.json_schema, self._quirks.schema),
            }
            options["output_config"] = {**options.get("output_config", {}), "format": form}
        choice = "none" if retired else request.tool_choice
        if choice in _CHOICES and (retired or request.tools.schemas):
            forced = choice == "required" and "budget_tokens" in options.get("thinking", ())
            if not forced and choice in self._quirks.tool_choice:
                options["tool_choice"] = {"type": _CHOICES[choice]}
        if self._quirks.cache == "auto":
            options["cache_control"] = {"type": "ephemeral"}
        return options

    def _fit_budget(self, options: dict[str, Any], fragments: Sequence[Fragment]) -> None:
        """Fit the budget below the token limit; only a turn that began with thinking goes on so."""
        budget = options.get("thinking", {}).get("budget_tokens")
        if budget is None:
            return
        limit = min(options["max_tokens"] + budget, self.facts.output_tokens)
        budget = min(budget, limit - BUDGET_MIN)
        if budget < BUDGET_MIN or not self._began_thinking(fragments):
            options.pop("thinking")
            return
        options["max_tokens"] = limit
        options["thinking"] = {**options["thinking"], "budget_tokens": budget}

    def _began_thinking(self, fragments: Sequence[Fragment]) -> bool:
        """Whether the answer whose results come last began with this provider's own thinking."""
        for fragment in reversed(fragments):
            if type(fragment.message) is AssistantMessage:
                calls = bool(fragment.call_ids)
                return not calls or fragment.encoded.get(
                    self._key, self._encode(fragment)
                ).startswith(_THOUGHTS)
        return True


def _text(text: str) -> bytes:
    return dumps({"type": "text", "text": text})
