"""Server-sent events, read from bytes as they come, however they were split."""

EVENT_BYTES_MAX = 32 * 1024 * 1024


class EventTooLongError(ValueError):
    """One event is longer than any answer may be."""


class EventReader:
    """Collects bytes and hands out the data of every event they complete.

    Names, ids and retry times of events are ignored: both dialects repeat in the data what matters.
    """

    __slots__ = ("_after_cr", "_bytes_max", "_held", "_held_bytes", "_started")

    def __init__(self, *, bytes_max: int = EVENT_BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._after_cr = False
        self._started = False

    def feed(self, data: bytes) -> list[bytes]:
        """The data of each event that ends within these bytes, in order.

        Raises:
            EventTooLongError: An event exceeds ``bytes_max``.
        """
        if self._after_cr or b"\r" in data:
            data = self._plain(data)
        if self._held:
            data = self._joined(data)
        elif self._started and data.startswith(b"data: {") and data.find(b"\n") == len(data) - 2:
            # Nearly every read is just this.
            return [data[6:-2]] if data.endswith(b"\n\n") else self._split(data)
        return self._split(data) if data else []

    def _joined(self, data: bytes) -> bytes:
        """What is held with what came; nothing while no line has ended."""
        self._held.append(data)
        self._held_bytes += len(data)
        if b"\n" not in data:
            self._check()
            return b""
        whole = b"".join(self._held)
        self._held.clear()
        return whole

    def _split(self, data: bytes) -> list[bytes]:
        *blocks, rest = data.split(b"\n\n")
        if rest:
            self._held.append(rest)
        self._held_bytes = len(rest)
        if not blocks:
            self._check()
            return []
        return self._payloads(blocks)

    def end(self) -> list[bytes]:
        """The data of a last event that was not closed by an empty line."""
        rest = b"".join(self._held)
        self._held.clear()
        self._held_bytes = 0
        return self._payloads([rest]) if rest else []

    def _payloads(self, blocks: list[bytes]) -> list[bytes]:
        if not self._started:
            self._started = True
            blocks[0] = blocks[0].removeprefix(b"\xef\xbb\xbf")
        found: list[bytes] = []
        for block in blocks:
            if b"\n" not in block and block.startswith(b"data: "):
                found.append(block[6:])
            elif payload := _data(block):
                found.append(payload)
        return found

    def _plain(self, data: bytes) -> bytes:
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _check(self) -> None:
        if self._held_bytes > self._bytes_max:
            raise EventTooLongError(f"an event of more than {self._bytes_max} bytes")


def _data(block: bytes) -> bytes:
    """The joined data lines of one event; one without data is none."""
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        if line.startswith(b"data:"):
            lines.append(line[6:] if line.startswith(b"data: ") else line[5:])
        elif line == b"data":
            lines.append(b"")
    return b"\n".join(lines)
