"""What providers say when they do not answer, told in our errors; real ones said these."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dayshift.core.errors import (
    ContextOverflowError,
    ModelAuthError,
    ModelError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRefusedError,
    ModelServerError,
    QuotaSpentError,
    RateLimitedError,
)
from dayshift.models.failures import from_answer, from_event, scrub, wait_time_s

KEY = "sk-live-0123456789abcdefghijklmnop"


def openai(
    message: str, code: str | None = None, kind: str = "invalid_request_error"
) -> dict[str, Any]:
    """An error in the OpenAI dialect."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def anthropic(kind: str, message: str, **more: object) -> dict[str, Any]:
    """An error in the Anthropic dialect."""
    return {"type": "error", "error": {"type": kind, "message": message, **more}}


OVERFLOWS = [
    (
        400,
        openai("This model's maximum context length is 128000 tokens.", "context_length_exceeded"),
    ),
    (400, anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")),
    (
        400,
        anthropic(
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
        ),
    ),
    (413, anthropic("request_too_large", "Request exceeds the maximum size")),
    (
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (2000000) exceeds the maximum",
                }
            }
        ],
    ),
    (
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 8192 tokens.",
            "code": 400,
        },
    ),
    (400, openai("the request exceeds the available context size, try increasing it")),
    (400, {"error": {"code": "1261", "message": "Prompt 超长"}}),
    (400, {"error": {"code": "1210", "message": "输入内容过长,请减少输入"}}),
    (400, {"code": "InvalidParameter", "message": "Range of input length should be [1, 30720]"}),
    (400, {"error": {"message": "请求超过模型最大上下文长度", "type": "invalid_request"}}),
    (400, {"error": {"message": "Invalid request: Your request exceeded model token limit: 8192"}}),
    (
        429,
        openai(
            "Request too large for gpt-4o: Limit 30000, Requested 41000.", "rate_limit_exceeded"
        ),
    ),
]
SPENT = [
    (402, "Payment Required"),
    (402, {"error": {"message": "Insufficient Balance", "type": "unknown_error"}}),
    (429, openai("You exceeded your current quota.", "insufficient_quota", "insufficient_quota")),
    (400, openai("no", "insufficient_quota")),
    (400, anthropic("invalid_request_error", "Your credit balance is too low to access the API.")),
    (403, {"code": 30001, "message": "Sorry, your account balance is insufficient", "data": None}),
    (429, {"error": {"code": "1113", "message": "您的账户已欠费,请充值后重试"}}),
    (
        400,
        {
            "code": "Arrearage",
            "message": "Access denied, please make sure your account is in good standing.",
        },
    ),
    (429, {"error": {"type": "exceeded_current_quota_error", "message": "suspended"}}),
    (403, {"code": "denied", "error": "Your team has used all available credits."}),
    (400, {"error": {"message": "账户余额不足"}}),
    (
        400,
        anthropic("billing_error", "stop", details={"error_code": "enforced_spend_limit_reached"}),
    ),
    (402, openai("This request requires more credits, or fewer max_tokens.", "402")),
]
OTHERS = [
    (401, openai(f"Incorrect API key provided: {KEY}.", "invalid_api_key"), ModelAuthError),
    (403, anthropic("permission_error", "Your API key does not have permission."), ModelAuthError),
    (
        400,
        [{"error": {"code": 400, "message": "API key not valid. Please pass one."}}],
        ModelAuthError,
    ),
    (404, openai("The model `gpt-9` does not exist", "model_not_found"), ModelNotFoundError),
    (404, anthropic("not_found_error", "model: claude-9"), ModelNotFoundError),
    (400, openai("deepseek-x: Model Not Exist"), ModelNotFoundError),
    (
        400,
        {"error": {"code": "1211", "message": "模型不存在,请检查模型代码。"}},
        ModelNotFoundError,
    ),
    (404, "404 page not found", ModelNotFoundError),
    (429, openai("Rate limit reached for gpt-4o", "rate_limit_exceeded"), RateLimitedError),
    (
        429,
        {
            "error": {
                "code": 429,
                "status": "RESOURCE_EXHAUSTED",
                "message": "You exceeded your current quota",
            }
        },
        RateLimitedError,
    ),
    (500, openai("The server had an error", None, "server_error"), ModelServerError),
    (502, "<html><head><title>502 Bad Gateway</title></head></html>", ModelServerError),
    (503, {"error": {"message": "busy", "type": "engine_overloaded_error"}}, ModelOverloadedError),
    (504, "", ModelServerError),
    (529, anthropic("overloaded_error", "Overloaded"), ModelOverloadedError),
    (524, "", ModelServerError),
    (408, "", ModelServerError),
    (400, openai("Invalid schema for function 'x'"), ModelRefusedError),
    (422, {"detail": [{"msg": "Extra inputs are not permitted"}]}, ModelRefusedError),
    (400, "", ModelRefusedError),
]
ANSWERS: list[tuple[int, Any, type[ModelError]]] = [
    *((status, body, ContextOverflowError) for status, body in OVERFLOWS),
    *((status, body, QuotaSpentError) for status, body in SPENT),
    *OTHERS,
]


@pytest.mark.parametrize(("status", "body", "kind"), ANSWERS)
def test_every_vendors_words_become_one_error(
    status: int, body: object, kind: type[ModelError]
) -> None:
    """The office acts on the kind: compact, pause, wait, ask the owner.

    Demanded by: MODEL-3, COST-02, and the bad input of the working office.
    """
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()

    error = from_answer("acme", status, {}, raw, secret=KEY)

    assert type(error) is kind
    assert (error.provider, error.status) == ("acme", status)
    assert error.message.startswith("acme: ")
    assert KEY not in str(error)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (anthropic("overloaded_error", "Overloaded"), ModelOverloadedError),
        (anthropic("rate_limit_error", "slow down"), RateLimitedError),
        (anthropic("api_error", "Internal"), ModelServerError),
        (anthropic("invalid_request_error", "prompt is too long"), ContextOverflowError),
        (openai("The server had an error", None, "server_error"), ModelServerError),
        (openai("quota", "insufficient_quota"), QuotaSpentError),
        ({"error": {"code": 502, "message": "Provider returned error"}}, ModelServerError),
        ({"error": {"code": 429, "message": "slow"}}, RateLimitedError),
        ({"error": {"code": 402, "message": "credits"}}, QuotaSpentError),
        ({"error": "something broke"}, ModelServerError),
    ],
)
def test_an_error_inside_a_stream_is_the_same_error(event: object, kind: type[ModelError]) -> None:
    """The status was 200 by then; the body says what it would have been.

    Demanded by: MODEL-3.
    """
    assert type(from_event("acme", event)) is kind


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"Retry-After": "30"}, 30.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "soon"}, None),
        (
            {
                "Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT",
                "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
            },
            30.0,
        ),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT"}, None),
    ],
)
def test_the_time_to_wait_is_read_from_the_headers(
    headers: dict[str, str], wait_s: float | None
) -> None:
    """In seconds or as a date, which counts from the answer's own.

    Demanded by: MODEL-3, Retry-After honoured.
    """
    assert wait_time_s(headers) == wait_s


@pytest.mark.parametrize(
    ("body", "wait_s"),
    [
        (
            {
                "error": {
                    "code": 429,
                    "status": "RESOURCE_EXHAUSTED",
                    "message": "quota",
                    "details": [{"@type": "RetryInfo", "retryDelay": "32s"}],
                }
            },
            32.0,
        ),
        (openai("Rate limit reached. Please try again in 6.5s."), 6.5),
        (openai("Rate limit reached. Please try again in 120ms."), 0.12),
    ],
)
def test_the_time_to_wait_is_read_from_the_body_too(body: object, wait_s: float) -> None:
    """Google and OpenAI say it in words.

    Demanded by: MODEL-3.
    """
    assert from_answer("acme", 429, {}, json.dumps(body).encode()).retry_after_s == wait_s


def test_an_empty_account_is_worth_a_retry_only_when_a_time_is_named() -> None:
    """A 402 with Retry-After must not end a run of hours.

    Demanded by: COST-04, COST-02.
    """
    named = from_answer("acme", 402, {"Retry-After": "30"}, b"{}")
    silent = from_answer("acme", 402, {}, b"{}")

    assert (named.retryable, named.retry_after_s) == (True, 30.0)
    assert (silent.retryable, silent.retry_after_s) == (False, None)


@pytest.mark.parametrize(
    "text",
    [
        f"key {KEY} is wrong",
        f"Authorization: Bearer {KEY}",
        "got gsk_abcdefghijklmnopqrstuv",
        "got sk-ant-api03-aaaabbbbccccdddd",
        "AIzaSyA1234567890abcdefgh",
    ],
)
def test_no_key_is_left_in_a_text(text: str) -> None:
    """Providers echo the key; it must not reach feed, log or prompt.

    Demanded by: SEC-09.
    """
    assert scrub(text, KEY).count("[key]") == 1
    assert "abcdefgh" not in scrub(text, KEY)


def test_a_key_of_any_form_is_taken_out_when_it_is_known() -> None:
    """Gateways make up their own.

    Demanded by: SEC-09.
    """
    assert scrub("sent 0a1b:my own key and more", "0a1b:my own key") == "sent [key] and more"


def test_a_long_answer_is_cut_and_put_on_one_line() -> None:
    """A page of HTML is no error message.

    Demanded by: MODEL-1.
    """
    told = scrub("a\n\nb " + "x" * 5000 + "\ud800", "")

    assert told.startswith("a b xxx")
    assert len(told) == 600
    assert told.endswith("…")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "it refused"),
        (401, "the key was refused"),
        (402, "the account is empty"),
        (403, "the key was refused"),
        (404, "there is no such model, or nothing at that address"),
        (429, "it was asked too often"),
        (500, "it failed, by a fault of its own"),
        (529, "it is overloaded"),
    ],
)
def test_an_answer_that_says_nothing_is_told_in_words(status: int, words: str) -> None:
    """A bare number helps nobody.

    Demanded by: the working office, 3, bad input.
    """
    error = from_answer("acme", status, {}, b"")
    assert error.message == f"acme: {words} (HTTP {status})"
