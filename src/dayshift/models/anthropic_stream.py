"""Reads an answer in the Anthropic dialect, streamed or whole."""

import contextlib
from typing import Any

from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Finish,
    ReasoningPart,
    TextPart,
    Usage,
)
from dayshift.models.asked import NOT_THE_DIALECT, Asked
from dayshift.models.ids import free_id
from dayshift.models.sse import EventReader
from dayshift.models.text import count, dumps, fields, loads, sound

_FINISHES: dict[str, Finish] = {
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_MESSAGE_KNOWN = frozenset(
    {"id", "type", "role", "model", "content", "usage", "stop_reason", "stop_sequence"}
)
_BLOCK_KNOWN: dict[str, frozenset[str]] = {
    "text": frozenset({"type", "text"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "tool_use": frozenset({"type", "id", "name", "input"}),
}


class _Block:
    """One content block: as it started, and the pieces that came since."""

    __slots__ = ("json", "kind", "pieces", "signature", "start")

    def __init__(self, start: dict[str, Any]) -> None:
        self.start = start
        self.kind: str = start["type"]
        self.pieces: list[str] = []
        self.json: list[str] = []
        self.signature: str = start.get("signature") or ""


class MessageReader:
    """Collects one answer; ``asked`` is the request that it answers."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._events = EventReader()
        self._blocks: dict[int, _Block] = {}
        self._message: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._finish: Finish | None = None
        self._done = False
        self._new_text: list[str] = []
        self._new_reasoning: list[str] = []
        self._new_calls: list[str] = []

    def feed(self, data: bytes) -> bool:
        """Take bytes of the stream; true once its end mark was read."""
        try:
            for payload in self._events.feed(data):
                self._event(loads(payload))
                if self._done:
                    break
        except NOT_THE_DIALECT as error:
            raise self._asked.garbled() from error
        self._tell()
        return self._done

    def end(self) -> None:
        """The connection is over."""
        for payload in self._events.end():
            with contextlib.suppress(*NOT_THE_DIALECT):
                self._event(loads(payload))
        if self._finish is None:
            raise self._asked.cut()
        self._tell()

    def whole(self, body: bytes) -> None:
        """Take an answer that came in one piece."""
        self._asked.check_body(body)
        try:
            message = loads(body)
            if message.get("type") == "error" or message.get("error"):
                raise self._asked.failed(message)
            self._start(message)
            for index, block in enumerate(message["content"]):
                self._open(index, block)
            self._close(message)
        except NOT_THE_DIALECT as error:
            raise self._asked.garbled() from error
        self._tell()

    @property
    def finished(self) -> bool:
        """Whether the provider said how the answer ended."""
        return self._finish is not None

    def answer(self) -> Answer:
        """What was said, once ``feed`` returned true or ``end`` returned."""
        parts: list[TextPart | ReasoningPart | CallPart] = []
        extras: dict[str, Any] = {}
        for _, block in sorted(self._blocks.items()):
            part = self._part(block, [p.id for p in parts if type(p) is CallPart], len(parts))
            if part is None:
                continue
            known = _BLOCK_KNOWN.get(block.kind)
            if known is not None and not known.issuperset(block.start):
                unknown = {k: v for k, v in block.start.items() if k not in known and v is not None}
                if unknown:
                    extras[str(len(parts))] = unknown
            parts.append(part)
        finish = self._finish or "stop"
        calls = any(type(part) is CallPart for part in parts)
        if finish in ("stop", "tool_calls"):
            finish = "tool_calls" if calls else "stop"
        message = AssistantMessage(tuple(parts), finish=finish, extra=self._kept(extras))
        return Answer(
            message,
            usage_of(self._usage),
            response_id=str(self._message.get("id") or ""),
            model=str(self._message.get("model") or ""),
        )

    def _event(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "content_block_delta":
            block = self._blocks[event["index"]]
            delta = event["delta"]
            if delta["type"] == "text_delta":
                text = delta["text"]
                block.pieces.append(text)
                self._new_text.append(text)
            else:
                self._delta(block, delta)
        elif kind == "content_block_start":
            self._open(event["index"], event["content_block"])
        elif kind == "message_start":
            self._start(event["message"])
        elif kind == "message_delta":
            self._close({**event["delta"], "usage": event.get("usage")})
        elif kind == "message_stop":
            self._done = self._finish is not None
        elif kind == "error":
            raise self._asked.failed(event)

    def _start(self, message: dict[str, Any]) -> None:
        self._message.update(message)
        self._count(message.get("usage"))

    def _close(self, delta: dict[str, Any]) -> None:
        if reason := delta.get("stop_reason"):
            self._finish = _FINISHES.get(reason, "stop")
        self._message.update({key: value for key, value in delta.items() if value is not None})
        self._count(delta.get("usage"))

    def _count(self, usage: dict[str, Any] | None) -> None:
        if usage:
            self._usage.update({key: value for key, value in usage.items() if value is not None})

    def _open(self, index: int, start: dict[str, Any]) -> None:
        block = self._blocks[index] = _Block(start)
        if block.kind == "text" and (text := start.get("text")):
            block.pieces.append(text)
            self._new_text.append(text)
        elif block.kind == "thinking" and (text := start.get("thinking")):
            block.pieces.append(text)
            self._new_reasoning.append(text)
        elif block.kind == "tool_use":
            name: str = start["name"]
            self._new_calls.append(self._asked.names_back.get(name, name))

    def _delta(self, block: _Block, delta: dict[str, Any]) -> None:
        match delta["type"]:
            case "thinking_delta":
                block.pieces.append(delta["thinking"])
                self._new_reasoning.append(delta["thinking"])
            case "signature_delta":
                block.signature += delta["signature"]
            case "input_json_delta":
                block.json.append(delta["partial_json"])
            case "citations_delta":
                block.start["citations"] = [
                    *(block.start.get("citations") or ()),
                    delta["citation"],
                ]
            case _:
                pass

    def _tell(self) -> None:
        if self._new_reasoning:
            self._asked.on_delta(Delta("reasoning", sound("".join(self._new_reasoning))))
            self._new_reasoning.clear()
        if self._new_text:
            self._asked.on_delta(Delta("text", sound("".join(self._new_text))))
            self._new_text.clear()
        for name in self._new_calls:
            self._asked.on_delta(Delta("call", name))
        self._new_calls.clear()

    def _part(
        self, block: _Block, taken: list[str], place: int
    ) -> TextPart | ReasoningPart | CallPart | None:
        match block.kind:
            case "text":
                text = sound("".join(block.pieces))
                return TextPart(text) if text else None
            case "thinking":
                text = sound("".join(block.pieces))
                return ReasoningPart(text, origin=self._asked.origin, signature=block.signature)
            case "tool_use":
                name: str = block.start["name"]
                call_id = free_id(block.start.get("id") or "", place, taken, self._asked.history)
                return CallPart(call_id, self._asked.names_back.get(name, name), _arguments(block))
            case _:
                opaque = dict(block.start)
                if block.json:
                    opaque["input"] = _parsed("".join(block.json))
                return ReasoningPart("", origin=self._asked.origin, opaque=opaque)

    def _kept(self, extras: dict[str, Any]) -> dict[str, Any] | None:
        fields = {
            key: value
            for key, value in self._message.items()
            if key not in _MESSAGE_KNOWN and value not in (None, "", [], {})
        }
        if not fields and not extras:
            return None
        kept: dict[str, Any] = {"origin": self._asked.origin}
        if fields:
            kept["fields"] = fields
        if extras:
            kept["blocks"] = extras
        return kept


def usage_of(usage: dict[str, Any]) -> Usage:
    """Tokens as this dialect counts them: what the cache took part in stands beside the input."""
    read = count(usage, "cache_read_input_tokens")
    written = count(usage, "cache_creation_input_tokens")
    return Usage(
        input_tokens=count(usage, "input_tokens") + read + written,
        output_tokens=count(usage, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=count(fields(usage.get("output_tokens_details")), "thinking_tokens"),
    )


def _arguments(block: _Block) -> str:
    text = sound("".join(block.json))
    if text:
        return text
    given = block.start.get("input")
    return dumps(given).decode() if given else "{}"


def _parsed(text: str) -> Any:  # noqa: ANN401  JSON is any value
    try:
        return loads(text.encode("utf-8", "replace"))
    except ValueError:
        return {}
