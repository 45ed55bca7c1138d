"""What a command prints, kept within a bound: its head, its tail, and the size of all of it."""

import codecs
from collections.abc import Callable

_TAIL_SHARE = 4
_LIVE_CHARS_MAX = 16_384
"""Most text shown live at a time; of more, the newest is shown."""


class Output:
    """Collects bytes as they come.

    Args:
        bytes_max: Most bytes kept; a quarter of them is for the end of what came.
    """

    def __init__(self, bytes_max: int) -> None:
        self.bytes = 0
        self._tail_max = max(1, bytes_max // _TAIL_SHARE)
        self._head_max = max(1, bytes_max - self._tail_max)
        self._head = bytearray()
        self._tail = bytearray()

    @property
    def is_full(self) -> bool:
        """Whether more came than is kept."""
        return self.bytes > self._head_max + self._tail_max

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.bytes += len(data)
        room = self._head_max - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        if len(self._tail) > 2 * self._tail_max:
            del self._tail[: -self._tail_max]

    def text(self) -> str:
        """All that is kept, with a line in place of what is not; always valid Unicode."""
        tail = bytes(self._tail[-self._tail_max :])
        left_out = self.bytes - len(self._head) - len(tail)
        if left_out <= 0:
            return (bytes(self._head) + tail).decode("utf-8", "replace")
        return (
            f"{self._head.decode('utf-8', 'replace')}\n"
            f"[… {left_out} bytes left out …]\n"
            f"{tail.decode('utf-8', 'replace')}"
        )


class Live:
    """Passes output on to whoever watches, as text, in pieces of bounded size.

    Args:
        watch: Gets the next piece; never an empty one.
    """

    def __init__(self, watch: Callable[[str], None]) -> None:
        self._watch = watch
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""

    def add(self, data: bytes) -> bool:
        """Take the next bytes; tells whether there is something to pass on."""
        text = self._waiting + self._decoder.decode(data)
        if len(text) > _LIVE_CHARS_MAX:
            text = "[…]" + text[-_LIVE_CHARS_MAX:]
        self._waiting = text
        return bool(text)

    def flush(self, *, ended: bool = False) -> None:
        """Pass on what has come."""
        if ended:
            self._waiting += self._decoder.decode(b"", final=True)
        if self._waiting:
            text, self._waiting = self._waiting, ""
            self._watch(text)
