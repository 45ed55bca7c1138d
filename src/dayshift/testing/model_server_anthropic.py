"""The Anthropic dialect of the scripted model server: what it refuses, and how it speaks."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from dayshift.testing.model_server_checks import (
    IMAGE_TYPES,
    RefusedError,
    Strictness,
    check_image,
    check_name,
    check_schema,
    check_text,
    listed,
    must,
    signature_of,
)
from dayshift.testing.model_server_script import Call, Say

MEMBERS = frozenset(
    {
        "model",
        "messages",
        "system",
        "max_tokens",
        "stream",
        "tools",
        "tool_choice",
        "thinking",
        "output_config",
        "cache_control",
        "metadata",
        "temperature",
        "top_p",
        "stop_sequences",
    }
)
CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
STOP = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
MARKS_MAX = 4
BUDGET_MIN = 1024


def check(body: dict[str, Any], strictness: Strictness) -> None:
    """Refuse what breaks the dialect.

    Raises:
        RefusedError: With the rule that was broken.
    """
    for member in body.keys() - MEMBERS:
        raise RefusedError(f"{member}: Extra inputs are not permitted")
    must(isinstance(body.get("model"), str) and body["model"], "model: Field required")
    tokens = body.get("max_tokens")
    must(isinstance(tokens, int) and tokens >= 1, "max_tokens: Field required")
    _check_system(body.get("system"))
    _check_tools(body, strictness)
    thinks = _check_thinking(body)
    _Turns(thinks=thinks).check(body.get("messages"))
    marks = orjson.dumps(body).count(b'"cache_control":{"type":"ephemeral"')
    must(
        marks <= MARKS_MAX,
        f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.",
    )


def _check_system(system: Any) -> None:  # noqa: ANN401  JSON is any value
    if system is None or isinstance(system, str):
        return
    for block in listed(system, "system: must be a text or blocks"):
        must(block.get("type") == "text", "system: only text blocks")
        check_text(block.get("text"), "system")


def _check_tools(body: dict[str, Any], strictness: Strictness) -> None:
    names: set[str] = set()
    for tool in body.get("tools", ()):
        check_name(tool.get("name"), "tools")
        must(tool["name"] not in names, "tools: Tool names must be unique.")
        names.add(tool["name"])
        check_schema(tool.get("input_schema"), tool["name"], strictness)
    choice = body.get("tool_choice")
    if choice is not None:
        must(names, "tool_choice may only be specified while providing tools")
        must(
            choice.get("type") in ("auto", "any", "tool", "none"),
            f"tool_choice: bad type {choice!r}",
        )


def _check_thinking(body: dict[str, Any]) -> bool:
    thinking = body.get("thinking")
    if thinking is None or thinking.get("type") in ("disabled", "adaptive"):
        return False
    must(thinking.get("type") == "enabled", "thinking: unknown type")
    budget = thinking.get("budget_tokens")
    must(isinstance(budget, int) and budget >= BUDGET_MIN, "thinking.budget_tokens: at least 1024")
    must(budget < body["max_tokens"], "max_tokens must be greater than thinking.budget_tokens")
    choice: Any = body.get("tool_choice") or {}
    forced = choice.get("type") in ("any", "tool")
    must(not forced, "Thinking may not be enabled when tool_choice forces tool use.")
    return True


class _Turns:
    """Checks the messages one after the other."""

    def __init__(self, *, thinks: bool) -> None:
        self._thinks = thinks
        self._waiting: list[str] = []
        self._used: set[str] = set()

    def check(self, messages: Any) -> None:  # noqa: ANN401  JSON is any value
        turns = listed(messages, "messages: at least one message is required")
        before = "assistant"
        for place, message in enumerate(turns):
            where = f"messages.{place}"
            role = message.get("role")
            must(role in ("user", "assistant"), f"{where}: Unexpected role {role!r}")
            must(role != before, f"{where}: roles must alternate between user and assistant")
            content: Any = message.get("content")
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            blocks = listed(content, f"{where}: content must not be empty")
            if role == "user":
                self._user(blocks, where)
            else:
                self._assistant(blocks, where, last=place >= len(turns) - 2)
            before = role
        must(before == "user", "This model does not support assistant message prefill.")

    def _user(self, blocks: list[Any], where: str) -> None:
        others = False
        for block in blocks:
            match block.get("type"):
                case "tool_result":
                    must(not others, f"{where}: tool_result blocks must come first")
                    must(
                        block.get("tool_use_id") in self._waiting,
                        f"{where}: unexpected `tool_use_id`",
                    )
                    self._waiting.remove(block["tool_use_id"])
                    _check_result(block.get("content"), where)
                case "text":
                    others = True
                    check_text(block.get("text"), where)
                case "image":
                    others = True
                    _check_image(block, where)
                case kind:
                    raise RefusedError(f"{where}: unknown block {kind!r}")
        must(
            not self._waiting,
            f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{self._waiting}",
        )

    def _assistant(self, blocks: list[Any], where: str, *, last: bool) -> None:
        for block in blocks:
            match block.get("type"):
                case "text":
                    check_text(block.get("text"), where)
                case "tool_use":
                    self._call(block, where)
                case "thinking":
                    known = block.get("signature") == signature_of(str(block.get("thinking")))
                    must(known, f"{where}: Invalid `signature` in `thinking` block")
                case "redacted_thinking":
                    check_text(block.get("data"), where)
                case kind:
                    raise RefusedError(f"{where}: unknown block {kind!r}")
        end = blocks[-1].get("type")
        must(
            end not in ("thinking", "redacted_thinking"),
            f"{where}: The final block in an assistant message cannot be `{end}`.",
        )
        if last and self._thinks and self._waiting:
            kind = blocks[0].get("type")
            begins = kind in ("thinking", "redacted_thinking")
            must(
                begins, f"{where}: Expected `thinking` or `redacted_thinking`, but found `{kind}`."
            )

    def _call(self, block: dict[str, Any], where: str) -> None:
        call_id = block.get("id")
        good = isinstance(call_id, str) and CALL_ID.fullmatch(call_id)
        must(good, f"{where}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
        must(call_id not in self._used, f"{where}: `tool_use` ids must be unique")
        check_name(block.get("name"), where)
        must(
            isinstance(block.get("input"), dict),
            f"{where}: tool_use.input: should be a valid dictionary",
        )
        self._used.add(str(call_id))
        self._waiting.append(str(call_id))


def _check_result(content: Any, where: str) -> None:  # noqa: ANN401  JSON is any value
    if content is None or isinstance(content, str):
        return
    for block in content:
        if block.get("type") == "text":
            check_text(block.get("text"), where)
        else:
            _check_image(block, where)


def _check_image(block: dict[str, Any], where: str) -> None:
    source: Any = block.get("source") or {}
    must(block.get("type") == "image", f"{where}: unknown block {block.get('type')!r}")
    must(source.get("type") == "base64", f"{where}: image source must be base64")
    must(source.get("media_type") in IMAGE_TYPES, f"{where}: bad media type")
    check_image(source.get("data"), where)


def _call_id(call: Call, number: int, index: int) -> str:
    return call.id or f"toolu_{number:012d}{index:02d}"


def events(say: Say, model: str, number: int) -> Iterator[bytes]:
    """The data of each event of a streamed answer."""
    start: dict[str, Any] = {
        **_message(model, number),
        "content": [],
        "usage": {**_input(say), "output_tokens": 1},
    }
    yield orjson.dumps({"type": "message_start", "message": start})
    yield b'{"type":"ping"}'
    for index, (block, kind, pieces) in enumerate(_blocks(say, number)):
        yield orjson.dumps({"type": "content_block_start", "index": index, "content_block": block})
        for piece in pieces:
            delta = {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": kind, **piece},
            }
            yield orjson.dumps(delta)
        if block["type"] == "thinking":
            signed = {"type": "signature_delta", "signature": signature_of(say.reasoning)}
            yield orjson.dumps({"type": "content_block_delta", "index": index, "delta": signed})
        yield orjson.dumps({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": STOP[say.end], "stop_sequence": None, **say.extra}
    yield orjson.dumps({"type": "message_delta", "delta": delta, "usage": _output(say)})
    yield b'{"type":"message_stop"}'


def _blocks(say: Say, number: int) -> Iterator[tuple[dict[str, Any], str, list[dict[str, str]]]]:
    if say.reasoning:
        pieces = [{"thinking": piece} for piece in say.pieces(say.reasoning)]
        yield {"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", pieces
    if say.opaque:
        yield {"type": "redacted_thinking", "data": say.opaque}, "", []
    if text := say.text + say.refusal:
        yield (
            {"type": "text", "text": ""},
            "text_delta",
            [{"text": piece} for piece in say.pieces(text)],
        )
    for index, call in enumerate(say.calls):
        block: dict[str, Any] = {
            "type": "tool_use",
            "id": _call_id(call, number, index),
            "name": call.name,
            "input": {},
        }
        yield (
            block,
            "input_json_delta",
            [{"partial_json": piece} for piece in ["", *say.pieces(call.text)]],
        )


def whole(say: Say, model: str, number: int) -> bytes:
    """The same answer in one piece."""
    content: list[dict[str, Any]] = []
    if say.reasoning:
        signature = signature_of(say.reasoning)
        content.append({"type": "thinking", "thinking": say.reasoning, "signature": signature})
    if say.opaque:
        content.append({"type": "redacted_thinking", "data": say.opaque})
    if text := say.text + say.refusal:
        content.append({"type": "text", "text": text})
    for index, call in enumerate(say.calls):
        given = orjson.loads(call.text)
        content.append(
            {
                "type": "tool_use",
                "id": _call_id(call, number, index),
                "name": call.name,
                "input": given,
            }
        )
    message = {**_message(model, number), "content": content, "stop_reason": STOP[say.end]}
    return orjson.dumps({**message, "usage": {**_input(say), **_output(say)}})


def _message(model: str, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _input(say: Say) -> dict[str, int]:
    """Tokens as this dialect tells them: the input leaves out what the cache took part in."""
    used = say.usage
    return {
        "input_tokens": used.input_tokens - used.cache_read_tokens - used.cache_write_tokens,
        "cache_read_input_tokens": used.cache_read_tokens,
        "cache_creation_input_tokens": used.cache_write_tokens,
    }


def _output(say: Say) -> dict[str, Any]:
    used = say.usage
    if not used.reasoning_tokens:
        return {"output_tokens": used.output_tokens}
    details = {"thinking_tokens": used.reasoning_tokens}
    return {"output_tokens": used.output_tokens, "output_tokens_details": details}


def error(status: int, message: str) -> bytes:
    """The body of a refusal."""
    kind = {401: "authentication_error"}.get(status, "invalid_request_error")
    return orjson.dumps({"type": "error", "error": {"type": kind, "message": message}})
