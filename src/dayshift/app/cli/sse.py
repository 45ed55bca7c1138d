"""Server-sent events: bytes in, frames out, split wherever the network splits them."""

from collections.abc import Iterator
from dataclasses import dataclass

LINE_BYTES_MAX = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a stream. ``event`` is ``message`` unless it was named; ``id`` may be empty."""

    event: str
    data: bytes
    id: str


class FrameReader:
    """Reads one stream. Comments, which keep a connection alive, become nothing."""

    def __init__(self) -> None:
        self._rest = b""
        self._event = ""
        self._id = ""
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete with these bytes.

        Raises:
            ValueError: A line has more than ``LINE_BYTES_MAX`` bytes.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LINE_BYTES_MAX:
            raise ValueError("A line of the feed does not end.")
        for line in lines:
            frame = self._line(line.removesuffix(b"\r"))
            if frame is not None:
                yield frame

    def _line(self, line: bytes) -> Frame | None:
        if not line:
            return self._end()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._event = value.decode("utf-8", "replace")
        elif field == b"id":
            self._id = value.decode("utf-8", "replace")
        return None

    def _end(self) -> Frame | None:
        frame = Frame(self._event or "message", b"\n".join(self._data), self._id)
        has_data = bool(self._data)
        self._event, self._id, self._data = "", "", []
        return frame if has_data or frame.event != "message" else None
