"""Secrets of the doors: made at random, given out once, kept as hashes."""

import hashlib
import secrets
from collections.abc import Callable
from datetime import UTC, datetime

Wall = Callable[[], float]
"""Real time in seconds since the epoch. Expiry is real time, whatever the office's clock says."""

TOKEN_PREFIX = "dsh_"  # noqa: S105  a prefix that tells people and scanners what it is
_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """A secret nobody can guess; letters, digits, ``-`` and ``_``."""
    return prefix + secrets.token_urlsafe(_BYTES)


def new_id(letter: str) -> str:
    """A short public name for something that has a secret."""
    return f"{letter}-{secrets.token_hex(6)}"


def hash_of(secret: str) -> str:
    """What is stored in place of a secret.

    The secrets are random and long, so that one round is enough.
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def instant(seconds: float) -> datetime:
    """Seconds since the epoch as an aware time."""
    return datetime.fromtimestamp(seconds, UTC)
