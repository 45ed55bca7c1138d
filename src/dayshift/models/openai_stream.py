"""Reads an answer in the OpenAI dialect, streamed or whole."""

import contextlib
from typing import Any

from dayshift.core.errors import ModelServerError
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
from dayshift.models.alike import Alike
from dayshift.models.asked import NOT_THE_DIALECT, Asked
from dayshift.models.openai_calls import CallCollector
from dayshift.models.sse import EventReader
from dayshift.models.text import count, fields, is_object, loads, objects, sound

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refusal",
    "sensitive": "refusal",
    "safety": "refusal",
    "refusal": "refusal",
}
_BROKEN = frozenset({"error", "network_error", "insufficient_system_resource", "abort"})
_KNOWN = frozenset(
    {
        "role",
        "content",
        "tool_calls",
        "reasoning",
        "reasoning_content",
        "reasoning_details",
        "refusal",
    }
)


class ChatReader:
    """Collects one answer; ``asked`` is the request that it answers."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._events = EventReader()
        self._alike = Alike()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._details: list[dict[str, Any]] = []
        self._calls = CallCollector(asked.names_back)
        self._extra: dict[str, Any] = {}
        self._finish: Finish | None = None
        self._usage: dict[str, Any] = {}
        self._id = ""
        self._model = ""
        self._refused = False
        self._done = False

    def feed(self, data: bytes) -> bool:
        """Take bytes of the stream; true once its end mark was read."""
        texts, thoughts, names = len(self._text), len(self._reasoning), len(self._calls.named)
        try:
            for payload in self._events.feed(data):
                text = self._alike.text_of(payload)
                if text is not None:
                    self._text.append(text)
                elif payload.startswith(b"[DONE]"):
                    self._done = True
                    break
                else:
                    self._parse(payload)
        except NOT_THE_DIALECT as error:
            raise self._asked.garbled() from error
        self._tell(texts, thoughts, names)
        return self._done

    def _parse(self, payload: bytes) -> None:
        event = loads(payload)
        self._event(event)
        text = _only_text(event)
        if text:
            self._alike.learn(payload, "content", text)

    def end(self) -> None:
        """The connection is over."""
        for payload in self._events.end():
            if payload.startswith(b"[DONE]"):
                self._done = True
            elif self._finish is None:
                self._last(payload)
        if self._finish is None and not self._done:
            raise self._asked.cut()

    def whole(self, body: bytes) -> None:
        """Take an answer that came in one piece."""
        self._asked.check_body(body)
        try:
            self._event(loads(body))
        except NOT_THE_DIALECT as error:
            raise self._asked.garbled() from error
        if self._finish is None:
            raise self._asked.garbled("an answer without an end")
        self._tell(0, 0, 0)

    @property
    def finished(self) -> bool:
        """Whether the provider said how the answer ended."""
        return self._finish is not None

    def answer(self) -> Answer:
        """What was said, once ``feed`` returned true or ``end`` returned."""
        calls = self._calls.parts(self._asked.history)
        finish = self._closed_finish(calls)
        parts: list[TextPart | ReasoningPart | CallPart] = []
        if self._reasoning or self._details:
            opaque = {"reasoning_details": self._details} if self._details else None
            parts.append(
                ReasoningPart(
                    sound("".join(self._reasoning)), origin=self._asked.origin, opaque=opaque
                )
            )
        if text := sound("".join(self._text)):
            parts.append(TextPart(text))
        message = AssistantMessage((*parts, *calls), finish=finish, extra=self._kept(calls))
        return Answer(message, usage_of(self._usage), response_id=self._id, model=self._model)

    def _tell(self, texts: int, thoughts: int, names: int) -> None:
        """Report what was added since; pieces that came together are told together."""
        if len(self._reasoning) > thoughts:
            self._asked.on_delta(Delta("reasoning", sound("".join(self._reasoning[thoughts:]))))
        if len(self._text) > texts:
            self._asked.on_delta(Delta("text", sound("".join(self._text[texts:]))))
        for name in self._calls.named[names:]:
            self._asked.on_delta(Delta("call", name))

    def _last(self, payload: bytes) -> None:
        """An event that no empty line closed counts when it is complete in itself."""
        with contextlib.suppress(*NOT_THE_DIALECT):
            self._event(loads(payload))

    def _event(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            raise self._asked.failed(event)
        choices = event.get("choices")
        if choices:
            choice = choices[0]
            delta = choice.get("delta")
            if delta is not None and len(delta) == 1 and type(text := delta.get("content")) is str:
                if text:
                    self._text.append(text)
            else:
                self._delta(delta or choice.get("message") or {})
            if reason := choice.get("finish_reason"):
                self._end_reason(reason, choice)
        elif choices is None:
            self._odd(event)
        if usage := event.get("usage"):
            self._usage = fields(usage)
        if not self._id:
            self._id = str(event.get("id") or "")
            self._model = str(event.get("model") or "")

    def _odd(self, event: dict[str, Any]) -> None:
        """An event without choices: an error, or something we need not know."""
        told = event.get("object") == "error" or event.get("type") == "error"
        if told or (
            "usage" not in event and not event.keys().isdisjoint(("message", "detail", "code"))
        ):
            raise self._asked.failed(event)

    def _delta(self, delta: dict[str, Any]) -> None:
        content = delta.get("content")
        if type(content) is str:
            self._say(content)
        elif content:
            self._blocks(content)
        if reasoning := delta.get("reasoning_content") or delta.get("reasoning"):
            self._think(reasoning)
        if details := delta.get("reasoning_details"):
            self._detail(details)
        if refusal := delta.get("refusal"):
            self._refused = True
            self._say(refusal)
        for number, piece in enumerate(delta.get("tool_calls") or ()):
            self._calls.add(piece, number)
        if not _KNOWN.issuperset(delta):
            self._unknown(delta)

    def _unknown(self, delta: dict[str, Any]) -> None:
        if old := delta.get("function_call"):
            self._calls.add({"index": 0, "function": old}, 0)
        for name, value in delta.items():
            if name not in _KNOWN and name != "function_call" and value not in (None, "", [], {}):
                _merge(self._extra, name, value)

    def _say(self, text: str) -> None:
        if text:
            self._text.append(text)

    def _think(self, text: Any) -> None:  # noqa: ANN401  JSON is any value
        if type(text) is str:
            self._reasoning.append(text)

    def _blocks(self, blocks: list[dict[str, Any]]) -> None:
        for block in blocks:
            if block.get("type") == "text":
                self._say(block.get("text") or "")
            elif block.get("type") == "thinking":
                thinking: Any = block.get("thinking")
                pieces = [str(item.get("text") or "") for item in objects(thinking)]
                self._think("".join(pieces) if pieces else thinking)

    def _detail(self, details: list[dict[str, Any]]) -> None:
        """Join the pieces of one detail: same kind and place, text after text."""
        for piece in details:
            last = self._details[-1] if self._details else None
            same = last is not None and all(
                last.get(key) == piece.get(key) for key in ("type", "index", "id")
            )
            if last is None or not same or "data" in piece:
                self._details.append(dict(piece))
                continue
            for name, value in piece.items():
                if name in ("text", "summary") and value:
                    last[name] = (last.get(name) or "") + value
                elif value is not None:
                    last[name] = value

    def _end_reason(self, reason: str, choice: dict[str, Any]) -> None:
        if reason in _BROKEN:
            if error := choice.get("error"):
                raise self._asked.failed({"error": error})
            raise ModelServerError(
                f"{self._asked.provider}: the answer broke off ({reason}).",
                provider=self._asked.provider,
            )
        self._finish = _FINISHES.get(reason, "stop")

    def _closed_finish(self, calls: list[CallPart]) -> Finish:
        finish = self._finish
        if finish is None:
            for call in calls:
                try:
                    loads(call.arguments.encode("utf-8", "replace") or b"{}")
                except ValueError as error:
                    raise self._asked.cut("inside a tool call") from error
            finish = "stop"
        if self._refused and not calls:
            return "refusal"
        if finish in ("stop", "tool_calls"):
            return "tool_calls" if calls else "stop"
        return finish

    def _kept(self, calls: list[CallPart]) -> dict[str, Any] | None:
        extras = self._calls.extras(calls)
        if not extras and not self._extra:
            return None
        kept: dict[str, Any] = {"origin": self._asked.origin}
        if self._extra:
            kept["fields"] = self._extra
        if extras:
            kept["calls"] = extras
        return kept


def _only_text(event: dict[str, Any]) -> str:
    """The text of an event that brought nothing else; empty for any other."""
    choices = objects(event.get("choices"))
    if len(choices) != 1 or event.get("usage") or choices[0].get("finish_reason"):
        return ""
    delta = fields(choices[0].get("delta"))
    text = delta.get("content")
    return text if len(delta) == 1 and isinstance(text, str) else ""


def usage_of(usage: dict[str, Any]) -> Usage:
    """Tokens as this dialect counts them: the input includes what came from the cache."""
    details = fields(usage.get("prompt_tokens_details"))
    spent = fields(usage.get("completion_tokens_details"))
    read = count(details, "cached_tokens")
    read = read or count(usage, "prompt_cache_hit_tokens", "cached_tokens")
    written = count(details, "cache_write_tokens", "cache_creation_tokens")
    given = count(usage, "prompt_tokens")
    # Some count reasoning beside the output, and show it in the total only.
    made = max(count(usage, "completion_tokens"), count(usage, "total_tokens") - given)
    if read + written > given:
        given += read + written
    thought = count(spent, "reasoning_tokens") or count(usage, "reasoning_tokens")
    return Usage(
        input_tokens=given,
        output_tokens=made,
        cache_read_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=min(made, thought),
    )


def _merge(into: dict[str, Any], name: str, value: Any) -> None:  # noqa: ANN401  JSON is any value
    old = into.get(name)
    if type(old) is type(value) and isinstance(old, str | list):
        into[name] = old + value
    elif is_object(old) and is_object(value):
        into[name] = {**old, **value}
    else:
        into[name] = value
