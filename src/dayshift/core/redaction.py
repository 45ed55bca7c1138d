"""Redaction: secrets the server knows, or can tell by their form, never stand in a text.

A secret is looked for as it is, and as it looks in JSON, in a URL, in HTML, in hexadecimal and in
base64 in any of its three alignments. Looking costs one plain search for each of these, about a
microsecond a page of text.
"""

import base64
import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import quote, quote_plus, unquote

import msgspec

SECRET_CHARS_MIN = 8
"""Shorter values are no secrets: they would blank ordinary words."""
PLAIN_CHARS_MIN = 20
"""A value of lower-case letters alone counts as a secret from this length on."""
CORE_CHARS_MIN = 10
"""Shortest encoded form that is looked for."""
LINES = (76, 64)
"""Widths at which common tools break base64."""

_PLAIN = re.compile(r"[a-z_]*|[A-Z_]*|[0-9]*")
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:key|apikey|token|secret|pass|password|passwd|passphrase|pwd|pat|auth|credentials?"
    r"|cookie|session|dsn)s?(?:_|$)",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s:@]*:([^/\s@]+)@", re.IGNORECASE)


class KeyForm(NamedTuple):
    """How a well-known kind of key looks; it holds no blank, and at least ``WORD_CHARS_MIN``."""

    name: str
    form: re.Pattern[str]


WORD_CHARS_MIN = 20

KEY_FORMS = tuple(
    KeyForm(name, re.compile(pattern))
    for name, pattern in (
        ("Dayshift token", r"\bdsh_[\w-]{32,}"),
        ("provider key", r"\bsk-[\w-]{20,}"),
        ("GitHub token", r"\b(?:gh[opsur]_\w{30,}|github_pat_\w{30,})"),
        ("GitLab token", r"\bglpat-[\w-]{20,}"),
        ("Slack token", r"\bxox[abeoprs]-[\w-]{15,}"),
        ("Google key", r"\bAIza[\w-]{35}"),
        ("AWS key", r"\bAKIA[0-9A-Z]{16}\b"),
        ("JSON Web Token", r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    )
)
_STARTS = re.compile(r"dsh_|sk-|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|AIza|AKIA|eyJ")
PRIVATE_KEY = "PRIVATE KEY-----"
PRIVATE_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)


def mark(name: str) -> str:
    """What stands where a secret stood."""
    return f"[hidden: {name}]"


def secrets_in(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Name and value of what is secret in an environment.

    By their names, as in ``GITHUB_TOKEN``, and the passwords that stand in addresses.
    """
    for name, value in env.items():
        if _SECRET_NAME.search(name):
            yield name, value
        for password in _LOGIN.findall(value):
            yield f"password in {name}", password
            yield f"password in {name}", unquote(password)


class Redactor:
    """Knows the secrets of one server. May be asked from any thread."""

    def __init__(self) -> None:
        """It knows no secret yet, but the forms of well-known keys."""
        self._names: dict[str, str] = {}
        self._needles: tuple[tuple[str, str], ...] = ()
        self.chars_min = SECRET_CHARS_MIN
        """Texts that are shorter hold no secret that is known."""

    def learn(self, name: str, secret: str) -> bool:
        """Keep a secret out of every text from now on; ``name`` is shown in its place.

        Returns:
            Whether it can be kept out: a value that is too short, or an ordinary word, can not.
        """
        secret = secret.strip()
        if len(secret) < SECRET_CHARS_MIN:
            return False
        if _PLAIN.fullmatch(secret) and len(secret) < PLAIN_CHARS_MIN:
            return False
        self._names = {**self._names, secret: name}
        self._needles = _needles(self._names)
        return True

    def forget(self, secret: str) -> None:
        """Look for a secret no longer; nothing happens when it is unknown."""
        self._names = {
            known: name for known, name in self._names.items() if known != secret.strip()
        }
        self._needles = _needles(self._names)

    def begun(self, text: str) -> int:
        """How many characters at the end of a text may be the beginning of a known secret.

        Of a text that comes in pieces, these are kept until more has come: what was told cannot be
        taken back. Every form of a secret counts; a key that is known by its form alone does not.
        """
        held = 0
        for needle, _ in self._needles:
            at = text.find(needle[0], max(len(text) - len(needle) + 1, 0))
            while 0 <= at < len(text) - held:
                if needle.startswith(text[at:]):
                    held = len(text) - at
                at = text.find(needle[0], at + 1)
        return held

    def clean(self, text: str) -> str:
        """A text from outside without secrets; the same object when it holds none.

        Beside the secrets that are known, whatever has the form of a well-known key is taken out.
        """
        if len(text) < self.chars_min:
            return text
        text = self._without_known(text)
        if PRIVATE_KEY in text:
            text = PRIVATE_KEY_BLOCK.sub(mark("private key"), text)
        words = [word for word in text.split() if len(word) >= WORD_CHARS_MIN]
        if not words or _STARTS.search(" ".join(words)) is None:
            return text
        for form in KEY_FORMS:
            text = form.form.sub(mark(form.name), text)
        return text

    def clean_stored(self, text: str) -> str:
        """A text on its way to the disk without the secrets that are known.

        This is the last gate: what comes from outside went through ``clean`` before. JSON stays
        JSON. The same object is returned when it holds none.
        """
        if len(text) < self.chars_min or not self._holds(text):
            return text
        try:
            value: object = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError):
            return self._without_known(text)
        if not isinstance(value, dict | list):
            return self._without_known(text)
        return msgspec.json.encode(self.clean_value(value)).decode()

    def _holds(self, text: str) -> bool:
        for needle, _ in self._needles:  # noqa: SIM110  half the time of any(), for every row written
            if needle in text:
                return True
        return False

    def clean_value(self, value: Any) -> Any:  # noqa: ANN401  any plain value
        """A value of dicts, lists and strings, cleaned through and through."""
        match value:
            case str():
                return self.clean(value)
            case dict():
                pairs = cast("dict[Any, Any]", value)  # a dict of anything
                return {self.clean_value(k): self.clean_value(v) for k, v in pairs.items()}
            case list() | tuple():
                items = cast("list[Any]", value)  # a list of anything
                return [self.clean_value(one) for one in items]
            case _:
                return value

    def _without_known(self, text: str) -> str:
        for needle, shown in self._needles:
            if needle in text:
                text = text.replace(needle, shown)
        return text


def _needles(names: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Every form of every secret, longest first, so that no part of one is left."""
    found = {form: mark(name) for secret, name in names.items() for form in forms(secret)}
    return tuple(sorted(found.items(), key=lambda pair: (-len(pair[0]), pair[0])))


def forms(secret: str) -> Iterator[str]:
    """A secret as it is, and as common encodings write it."""
    yield secret
    yield msgspec.json.encode(secret).decode()[1:-1]
    yield json.dumps(secret)[1:-1]
    yield quote(secret, safe="")
    yield quote_plus(secret)
    yield html.escape(secret)
    data = secret.encode()
    yield data.hex()
    yield data.hex().upper()
    for lead in range(3):
        core = _base64_core(data, lead)
        if len(core) >= CORE_CHARS_MIN:
            yield core
            yield core.translate(_URL_SAFE)
    whole = base64.b64encode(data).decode().rstrip("=")
    for width in LINES:
        for at in range(0, len(whole) if len(whole) > width else 0, width):
            if len(whole[at : at + width]) >= CORE_CHARS_MIN:
                yield whole[at : at + width]


_URL_SAFE = str.maketrans("+/", "-_")


def _base64_core(data: bytes, lead: int) -> str:
    """The characters of base64 that depend on the secret alone, ``lead`` bytes into a group."""
    encoded = base64.b64encode(b"\0" * lead + data).decode().rstrip("=")
    begin = (lead * 8 + 5) // 6
    end = len(encoded) - (1 if (lead + len(data)) % 3 else 0)
    return encoded[begin:end]
