"""What a provider says when it does not answer, told in our errors.

Codes and texts of the body count beside the status, since vendors put an empty account, a full
window and a missing model behind the same one. No text that leaves here contains a key.
"""

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import msgspec

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
from dayshift.models.text import is_list, is_object, loads, sound

MESSAGE_CHARS_MAX = 600

_OVERFLOW = re.compile(
    r"context[_ ](?:length|window|size|limit)|prompt is too long|input is too long"
    r"|input length and `?max_tokens`? exceed|maximum (?:context|prompt|input)"
    r"|too many (?:input )?tokens|reduce the length|input token count|token limit"
    r"|exceeds? (?:the )?(?:max\w* |model'?s? )?(?:number of |input |context |prompt )?tokens"
    r"|range of input length|request[_ ]too[_ ]large|exceed_context_size"
    r"|string_above_max_length|larger than the maximum"
    r"|上下文(?:长度|窗口)?(?:超|过长)"
    r"|超[过出](?:了)?(?:模型)?(?:的)?(?:最大)?(?:上下文|输入|长度|token)"
    r"|(?:输入|提示词|请求|消息|prompt)(?:内容)?(?:的)?(?:长度)? ?(?:过长|超长|超[过出])"
    r"|tokens? ?数(?:量)?(?:超|过)",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ](?:user[_ ])?(?:quota|balance|funds|credits?)"
    r"|billing[_ ](?:hard[_ ]limit|not[_ ]active|error|unavailable)"
    r"|spend(?:ing)?[_ ]limit[_ ](?:is )?reached|exceeded_current_quota"
    r"|credit balance is too low|out of credits?|not enough credits?|no (?:remaining )?credits?"
    r"|used all (?:of )?(?:your |its )?available credits|requires more credits"
    r"|payment required|arrearage|overdue[- ]payment"
    r"|余额不足|余额已|欠费|额度(?:已)?(?:用完|用尽|不足|耗尽)|请充值|资源包(?:已)?(?:用尽|不足)",
    re.IGNORECASE,
)
_QUOTA_CODES = frozenset({"insufficient_quota", "1113", "30001", "billing_error"})
_MISSING_MODEL = re.compile(
    r"model_not_found|model[^.]{0,80}(?:does not exist|not found|is not supported|not exist)"
    r"|no such model|unknown model|模型不存在|invalid model",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(
    r"api.?key.{0,30}(?:not valid|invalid)|invalid.{0,10}api.?key|api_key_invalid", re.IGNORECASE
)
_WAIT = re.compile(r"(?:try again|retry) (?:in|after) ([0-9.]+) ?(ms|s|m)", re.IGNORECASE)
_DURATION = re.compile(r"^([0-9]+(?:\.[0-9]+)?)s$")
_KEYS = re.compile(
    r"(?i)\b(?:bearer\s+\S+|(?:sk|pk|gsk|xai|nvapi|key|AIza)[-_]?[A-Za-z0-9][A-Za-z0-9_\-*.]{11,})"
)
_TYPES: dict[str, int] = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "billing_error": 402,
    "not_found_error": 404,
    "invalid_request_error": 400,
    "request_too_large": 413,
    "insufficient_quota": 402,
    "server_overloaded": 503,
    "engine_overloaded_error": 503,
}
_KINDS: dict[int, type[ModelError]] = {
    401: ModelAuthError,
    402: QuotaSpentError,
    403: ModelAuthError,
    404: ModelNotFoundError,
    408: ModelServerError,
    409: ModelServerError,
    413: ContextOverflowError,
    425: ModelServerError,
    429: RateLimitedError,
    498: ModelOverloadedError,
    503: ModelOverloadedError,
    529: ModelOverloadedError,
}
_HINTS: dict[type[ModelError], str] = {
    QuotaSpentError: "Top up the account or choose another model, then resume the office.",
    ModelAuthError: "Check the key of this provider, and that it may use this model.",
    ModelNotFoundError: "Check the model's name and the provider's base_url.",
}
_WORDS: dict[type[ModelError], str] = {
    ModelAuthError: "the key was refused",
    ModelNotFoundError: "there is no such model, or nothing at that address",
    ModelOverloadedError: "it is overloaded",
    ModelServerError: "it failed, by a fault of its own",
    QuotaSpentError: "the account is empty",
    RateLimitedError: "it was asked too often",
}
"""For an answer that does not say itself what is wrong."""
_WAIT_MAX_S = 1e9


class Complaint(msgspec.Struct, frozen=True):
    """What the body of an error says; ``code`` and ``type`` are the vendor's, as text."""

    message: str
    code: str = ""
    type: str = ""
    wait_s: float | None = None


def from_answer(
    provider: str, status: int, headers: Mapping[str, str], body: bytes, *, secret: str = ""
) -> ModelError:
    """The error that an HTTP answer means.

    Args:
        provider: Id of the provider, for the text.
        status: HTTP status, 400 or above.
        headers: Of the answer; read for the time to wait.
        body: JSON in any vendor's shape, or anything else.
        secret: The key, so that an echo of it can be removed.
    """
    complaint = read_complaint(body)
    wait_s = wait_time_s(headers)
    return _judge(
        provider, status, complaint, wait_s if wait_s is not None else complaint.wait_s, secret
    )


def from_event(provider: str, event: Any, *, secret: str = "") -> ModelError:  # noqa: ANN401  JSON is any value
    """The error that an event inside a stream means."""
    complaint = _complaint(event)
    status = int(complaint.code) if re.fullmatch("[45][0-9][0-9]", complaint.code) else 0
    if not status:
        status = _TYPES.get(complaint.type) or _TYPES.get(complaint.code) or 500
    return _judge(provider, status, complaint, complaint.wait_s, secret)


def read_complaint(body: bytes) -> Complaint:
    """What a body says, whether JSON, text or HTML."""
    try:
        return _complaint(loads(body))
    except ValueError:
        text = body[:20_000].decode("utf-8", "replace")
        if "<html" in text.lower() or "<!doctype" in text.lower():
            title = re.search(r"<title>([^<]*)</title>", text, re.IGNORECASE)
            return Complaint(
                f"a web page instead of an answer ({title[1].strip()})" if title else "a web page"
            )
        return Complaint(text.strip())


def scrub(text: str, secret: str) -> str:
    """The text on one bounded line, without the key or anything that looks like one."""
    text = sound(text)
    if secret:
        text = text.replace(secret, "[key]")
    text = _KEYS.sub("[key]", " ".join(text.split()))
    return text if len(text) <= MESSAGE_CHARS_MAX else text[: MESSAGE_CHARS_MAX - 1] + "…"


def wait_time_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by the headers, ``None`` if they do not say; a date counts from their own."""
    for name, scale in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        value = headers.get(name)
        if not value:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            return _until(value, headers.get("Date", ""))
        return max(0.0, seconds) if seconds < _WAIT_MAX_S else None
    return None


def _until(value: str, now: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(now)).total_seconds())
    except (TypeError, ValueError):
        return None


def _complaint(value: Any) -> Complaint:  # noqa: ANN401  JSON is any value
    if is_list(value) and value:
        return _complaint(value[0])
    if not is_object(value):
        return Complaint(str(value))
    body: dict[str, Any] = value
    inner: Any = body.get("error", body.get("errors", body))
    if is_list(inner) and inner:
        inner = inner[0]
    if not is_object(inner):
        return Complaint(str(inner), code=_word(body.get("code")), type=_word(body.get("type")))
    fields: dict[str, Any] = inner
    details: Any = fields.get("details")
    deeper: dict[str, Any] = details if is_object(details) else {}
    message: Any = next(
        (fields[name] for name in ("message", "msg", "detail", "status_msg") if fields.get(name)),
        body.get("message"),
    )
    metadata: Any = fields.get("metadata")
    if is_object(metadata) and isinstance(raw := metadata.get("raw"), str):
        message = f"{message}: {raw}"
    return Complaint(
        message if isinstance(message, str) and message else _text(fields),
        code=_word(deeper.get("error_code") or fields.get("code") or body.get("code")),
        type=_word(fields.get("type") or fields.get("status")),
        wait_s=_wait_in(details, message),
    )


def _text(fields: dict[str, Any]) -> str:
    return msgspec.json.encode(fields).decode()


def _word(value: Any) -> str:  # noqa: ANN401  JSON is any value
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _wait_in(details: Any, message: Any) -> float | None:  # noqa: ANN401  JSON is any value
    if is_list(details):
        for detail in details:
            delay = detail.get("retryDelay") if is_object(detail) else None
            if isinstance(delay, str) and (match := _DURATION.match(delay)):
                return float(match[1])
    if isinstance(message, str) and (match := _WAIT.search(message)):
        try:
            return (
                float(match[1].rstrip(".")) * {"ms": 0.001, "s": 1.0, "m": 60.0}[match[2].lower()]
            )
        except ValueError:
            return None
    return None


def _judge(
    provider: str, status: int, complaint: Complaint, wait_s: float | None, secret: str
) -> ModelError:
    kind = _kind(status, complaint)
    said = scrub(complaint.message, secret) or f"{_WORDS.get(kind, 'it refused')} (HTTP {status})"
    error = kind(
        f"{provider}: {said}",
        provider=provider,
        status=status,
        retry_after_s=wait_s,
        hint=_HINTS.get(kind, ""),
    )
    if kind is QuotaSpentError and wait_s is not None:
        error.retryable = True
    return error


def _kind(status: int, complaint: Complaint) -> type[ModelError]:
    words = f"{complaint.code} {complaint.type} {complaint.message}"
    if _is_spent(status, complaint, words):
        return QuotaSpentError
    kind = _KINDS.get(status)
    if kind is RateLimitedError and "too large" in words.lower():
        return ContextOverflowError
    if kind is not None and kind is not ModelServerError:
        return kind
    if "overloaded" in words.lower():
        return ModelOverloadedError
    if kind is not None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ModelServerError
    return _refused_kind(words)


def _refused_kind(words: str) -> type[ModelError]:
    if _OVERFLOW.search(words):
        return ContextOverflowError
    if _MISSING_MODEL.search(words):
        return ModelNotFoundError
    if _BAD_KEY.search(words):
        return ModelAuthError
    return ModelRefusedError


def _is_spent(status: int, complaint: Complaint, words: str) -> bool:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.UNAUTHORIZED:
        return False
    if complaint.code in _QUOTA_CODES or complaint.type in _QUOTA_CODES:
        return True
    return bool(_QUOTA.search(words))
