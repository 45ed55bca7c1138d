"""Events that are alike but for a piece of text, read without parsing them.

A stream repeats everything around each piece of its text. What stands between the same beginning
and the same end is one JSON string and nothing else, as long as it holds no quote, no backslash and
nothing that cannot be printed; whatever is not as simple as that is parsed.
"""

from dayshift.models.text import dumps

TRIES_MAX = 8
"""Some providers put something new into every event; then it is not tried again and again."""


class Alike:
    """What the events of one stream have in common. Each member's name is part of it."""

    __slots__ = ("_begin", "_end", "_tries")

    def __init__(self) -> None:
        self._begin = b""
        self._end = b""
        self._tries = TRIES_MAX

    def learn(self, event: bytes, name: str, text: str) -> None:
        """Take an event apart that says nothing new but the ``text`` of the member ``name``."""
        if not self._tries:
            return
        self._tries -= 1
        member = b'"%b":%b' % (name.encode(), dumps(text))
        at = event.find(member)
        if at >= 0 and event.find(member, at + 1) < 0:
            self._begin = event[: at + len(name) + 4]
            self._end = event[at + len(member) - 1 :]

    def text_of(self, event: bytes) -> str | None:
        """The text of an event that differs from the one before in nothing else; or ``None``."""
        begin, end = self._begin, self._end
        if not begin or not event.startswith(begin) or not event.endswith(end, len(begin)):
            return None
        try:
            text = event[len(begin) : -len(end)].decode()
        except UnicodeDecodeError:
            return None
        return text if text.isprintable() and '"' not in text and "\\" not in text else None
