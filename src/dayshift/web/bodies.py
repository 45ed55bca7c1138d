"""Bodies of requests: read up to a bound, decoded once, unknown keys refused."""

import re
from typing import Any, Generic, TypeVar

import msgspec
from fastapi import Request

from dayshift.core.errors import LimitError
from dayshift.core.names import IN_WORDS
from dayshift.web.problems import Fault, FaultyError, MalformedError, MediaTypeError

BODY_BYTES_MAX = 1024 * 1024
"""Room for the longest message with every character escaped."""
NUL = "U+0000"
_NUL_ESCAPED = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_PATTERN = re.compile(r"Expected `str` matching regex (?P<pattern>'.*')")
_WORDS = {repr(pattern): words for pattern, words in IN_WORDS.items()}
_AT = re.compile(r"^(?P<what>.*?) - at `(?P<where>\$.*)`$", re.DOTALL)

T = TypeVar("T")


class BodyOf(Generic[T]):
    """A dependency that decodes the body as one type; if ``optional``, nothing is ``{}``."""

    def __init__(self, type_: type[T], *, optional: bool = False) -> None:
        self.type = type_
        self.optional = optional
        self._decoder = msgspec.json.Decoder(type_)

    async def __call__(self, request: Request) -> T:
        """The decoded body.

        Raises:
            LimitError: It is too long.
            MediaTypeError: It is not said to be JSON.
            MalformedError: It is not JSON.
            FaultyError: It is other JSON than was expected.
        """
        raw = await read_body(request)
        if not raw and self.optional:
            raw = b"{}"
        else:
            check_media_type(request)
        return self.decode(raw)

    def decode(self, raw: bytes) -> T:
        """See ``__call__``."""
        try:
            decoded = self._decoder.decode(raw)
        except msgspec.ValidationError as error:
            raise faulty(error, hint=_expected(error, self.type)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise MalformedError(
                f"The body is not JSON: {error}.", hint="Send one JSON object, in UTF-8."
            ) from error
        if _NUL_ESCAPED.search(raw):
            raise no_nul()
        return decoded


async def read_body(request: Request) -> bytes:
    """The whole body.

    Raises:
        LimitError: It has more than ``BODY_BYTES_MAX`` bytes; no more than that are read.
    """
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > BODY_BYTES_MAX:
        raise too_long()
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > BODY_BYTES_MAX:
            raise too_long()
        parts.append(part)
    return b"".join(parts)


def too_long() -> LimitError:
    """A body over the bound."""
    return LimitError(f"The body has more than {BODY_BYTES_MAX} bytes.")


def check_media_type(request: Request) -> None:
    """Return if the body is said to be JSON; raises MediaTypeError."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":
        raise MediaTypeError(
            f"The body is {given or 'of no kind'}, not JSON.",
            hint="Send the header Content-Type: application/json",
        )


def faulty(error: msgspec.ValidationError, *, hint: str = "") -> FaultyError:
    """What msgspec says of a body, in our schema."""
    match = _AT.match(str(error))
    where, what = (match["where"], match["what"]) if match else ("$", str(error))
    what = _PATTERN.sub(_in_words, what)
    message = f"{where}: {what}."
    return FaultyError(message, faults=[Fault(field=where, message=what)], hint=hint)


def _expected(error: msgspec.ValidationError, type_: object) -> str:
    """What would have been taken in the place of an unknown key or word; empty for other faults."""
    if not (isinstance(type_, type) and issubclass(type_, msgspec.Struct)):
        return ""
    told = str(error)
    match = _AT.match(told)
    path = match["where"].removeprefix("$") if match else ""
    schema: dict[str, Any] = msgspec.json.schema(type_)
    defs: dict[str, Any] = schema["$defs"]
    known = defs[type_.__name__]["properties"]
    if "unknown field" in told and not path:
        return f"Known here: {', '.join(known)}."
    field = known.get(path.removeprefix("."), {})
    words = _choices(field, defs) if "Invalid enum value" in told else []
    return f"One of: {', '.join(words)}." if words else ""


def _choices(schema: dict[str, Any], defs: dict[str, Any]) -> list[str]:
    """The words a field takes; empty when it takes others than given ones."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        return _choices(defs[name], defs)
    if "anyOf" in schema:
        return [word for one in schema["anyOf"] for word in _choices(one, defs)]
    return [str(word) for word in schema.get("enum", []) if word is not None]


def _in_words(match: re.Match[str]) -> str:
    words = _WORDS.get(match["pattern"])
    return f"Expected {words}" if words else match[0]


def no_nul() -> FaultyError:
    """A text with the one character that databases cannot hold."""
    message = f"A text may not hold the character {NUL}."
    return FaultyError(message, faults=[Fault(field="$", message=message)])
