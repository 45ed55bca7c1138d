"""The OpenAI dialect of the scripted model server: what it refuses, and how it speaks."""

from collections.abc import Iterator
from typing import Any

import orjson

from dayshift.testing.model_server_checks import (
    CALL_ID,
    DATA_URL,
    NINE,
    RefusedError,
    Strictness,
    check_image,
    check_name,
    check_schema,
    check_text,
    listed,
    must,
)
from dayshift.testing.model_server_script import Say

MEMBERS = frozenset(
    {
        "model",
        "messages",
        "stream",
        "stream_options",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "max_tokens",
        "max_completion_tokens",
        "reasoning_effort",
        "response_format",
        "prompt_cache_key",
        "temperature",
        "top_p",
        "seed",
        "stop",
        "user",
        # Of compatible providers:
        "reasoning",
        "thinking",
        "enable_thinking",
        "thinking_budget",
        "cache_control",
        "cache_prompt",
        "usage",
    }
)
FINISH = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "refusal": "content_filter",
}


def check(body: dict[str, Any], strictness: Strictness) -> None:
    """Refuse what breaks the dialect.

    Raises:
        RefusedError: With the rule that was broken.
    """
    for member in body.keys() - MEMBERS:
        raise RefusedError(f"Unrecognized request argument supplied: {member}")
    must(isinstance(body.get("model"), str) and body["model"], "model is missing")
    messages = listed(body.get("messages"), "messages are missing")
    tokens = body.get("max_tokens", body.get("max_completion_tokens", 1))
    must(isinstance(tokens, int) and tokens >= 1, "the token limit must be at least 1")
    _check_tools(body, strictness)
    _check_turns(messages, strictness)


def _check_tools(body: dict[str, Any], strictness: Strictness) -> None:
    names: set[str] = set()
    for tool in body.get("tools", ()):
        must(tool.get("type") == "function", "tools must be functions")
        function: Any = tool.get("function") or {}
        check_name(function.get("name"), "tools")
        must(function["name"] not in names, f"tools: {function['name']} stands twice")
        names.add(function["name"])
        check_schema(function.get("parameters"), function["name"], strictness)
    must("tools" not in body or names, "tools must not be empty")
    choice = body.get("tool_choice")
    must(choice is None or names, "tool_choice without tools")
    must(choice in (None, "auto", "none", "required", "any"), f"bad tool_choice {choice!r}")


def _check_turns(messages: list[Any], strictness: Strictness) -> None:
    waiting: list[str] = []
    before = "system"
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        role = message.get("role")
        must(
            role in ("system", "developer", "user", "assistant", "tool"),
            f"{where}: bad role {role!r}",
        )
        must(
            role == "tool" or not waiting,
            f"{where}: An assistant message with 'tool_calls' must be followed by tool messages "
            f"responding to each 'tool_call_id'. Missing: {waiting}",
        )
        if role in ("system", "developer"):
            must(place == 0, f"{where}: a system message must be the first")
            check_text(message.get("content"), where)
            continue
        must(
            place > 1 or before != "system" or role == "user",
            f"{where}: the first turn must be the user's",
        )
        if role == "user":
            must(before != "user" or not strictness.alternate, f"{where}: roles must alternate")
            must(
                before != "tool" or strictness.tool_then_user,
                f"{where}: Unexpected role 'user' after role 'tool'",
            )
            _check_content(message.get("content"), where)
        elif role == "assistant":
            waiting = _check_assistant(message, where, strictness)
        else:
            must(message.get("tool_call_id") in waiting, f"{where}: a result without its call")
            waiting.remove(message["tool_call_id"])
            check_text(message.get("content"), where)
        before = role
    must(not waiting, f"results are missing for {waiting}")
    must(before in ("user", "tool"), "the last message must be the user's or a tool's")


def _check_content(content: Any, where: str) -> None:  # noqa: ANN401  JSON is any value
    if isinstance(content, str):
        check_text(content, where)
        return
    for part in listed(content, f"{where}: content is missing"):
        if part.get("type") == "text":
            check_text(part.get("text"), where)
        else:
            must(part.get("type") == "image_url", f"{where}: unknown part {part.get('type')!r}")
            match = DATA_URL.fullmatch(part["image_url"]["url"])
            must(match, f"{where}: an image must be a data URL")
            assert match is not None  # noqa: S101  just checked
            check_image(match[1], where)


def _check_assistant(message: dict[str, Any], where: str, strictness: Strictness) -> list[str]:
    calls: Any = message.get("tool_calls")
    must(calls is None or calls, f"{where}: tool_calls must not be empty")
    if calls is None:
        check_text(message.get("content"), where)
        return []
    content = message.get("content")
    must(content is None or isinstance(content, str), f"{where}: content must be a text or null")
    ids: list[str] = []
    for call in calls:
        call_id = call.get("id")
        pattern = NINE if strictness.nine else CALL_ID
        must(
            isinstance(call_id, str) and pattern.fullmatch(call_id),
            f"{where}: bad call id {call_id!r}",
        )
        must(call_id not in ids, f"{where}: call id {call_id} stands twice")
        must(call.get("type") == "function", f"{where}: a call must be of a function")
        check_name(call["function"].get("name"), where)
        try:
            arguments = orjson.loads(call["function"].get("arguments"))
        except orjson.JSONDecodeError as error:
            raise RefusedError(f"{where}: arguments are not JSON") from error
        must(isinstance(arguments, dict), f"{where}: arguments must be an object")
        ids.append(call_id)
    return ids


def events(say: Say, model: str, number: int) -> Iterator[bytes]:
    """The data of each event of a streamed answer."""
    head = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": model,
    }

    def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return orjson.dumps({**head, "choices": [choice]})

    yield event({"role": "assistant", "content": ""})
    for piece in say.pieces(say.reasoning):
        yield event({"reasoning_content": piece})
    for piece in say.pieces(say.text):
        yield event({"content": piece})
    for piece in say.pieces(say.refusal):
        yield event({"refusal": piece})
    for index, call in enumerate(say.calls):
        call_id = call.id or f"call_{number:012d}{index:02d}"
        start = {"name": call.name, "arguments": ""}
        yield event(
            {"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": start}]}
        )
        for piece in say.pieces(call.text):
            yield event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield event(dict(say.extra), FINISH[say.end])
    yield orjson.dumps({**head, "choices": [], "usage": usage(say)})
    yield b"[DONE]"


def whole(say: Say, model: str, number: int) -> bytes:
    """The same answer in one piece."""
    message: dict[str, Any] = {"role": "assistant", "content": say.text or None, **say.extra}
    if say.reasoning:
        message["reasoning_content"] = say.reasoning
    if say.refusal:
        message["refusal"] = say.refusal
    if say.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{number:012d}{index:02d}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.text},
            }
            for index, call in enumerate(say.calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": FINISH[say.end], "logprobs": None}
    return orjson.dumps(
        {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [choice],
            "usage": usage(say),
        }
    )


def usage(say: Say) -> dict[str, Any]:
    """Tokens as this dialect tells them: the input includes what came from the cache."""
    used = say.usage
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
        "prompt_tokens_details": {
            "cached_tokens": used.cache_read_tokens,
            "cache_write_tokens": used.cache_write_tokens,
        },
        "completion_tokens_details": {"reasoning_tokens": used.reasoning_tokens},
    }


def error(status: int, message: str) -> bytes:
    """The body of a refusal."""
    kind = {401: "authentication_error", 429: "rate_limit_error"}.get(
        status, "invalid_request_error"
    )
    return orjson.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}})
