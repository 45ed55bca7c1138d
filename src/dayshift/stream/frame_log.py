"""One log of encoded frames for all who watch; each of them holds a place in it, and nothing else.

Places count up for ever, so that no watcher to come can be taken for one of before.
"""


class FrameLog:
    """The last frames, up to about twice its bounds in frames and in bytes."""

    def __init__(self, *, frames_max: int, bytes_max: int) -> None:
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._frames: list[bytes] = []
        self._bytes = 0
        self._joined: tuple[int, int, bytes] = (0, 0, b"")
        self.start = 0
        """The place of the oldest frame that is kept."""

    @property
    def end(self) -> int:
        """The place of the frame to come."""
        return self.start + len(self._frames)

    def append(self, frame: bytes) -> None:
        """Add a frame; when there are too many, the oldest go."""
        self._frames.append(frame)
        self._bytes += len(frame)
        if len(self._frames) > 2 * self._frames_max or self._bytes > 2 * self._bytes_max:
            self._trim()

    def forget(self) -> None:
        """Keep no frame: nobody is there to be sent one."""
        self.start, self._bytes = self.end, 0
        self._frames.clear()

    def since(self, place: int) -> bytes:
        """All frames from a place on; joined once for all who stand at the same place."""
        start, end, joined = self._joined
        if (start, end) != (place, self.end):
            joined = b"".join(self._frames[place - self.start :])
            self._joined = (place, self.end, joined)
        return joined

    def _trim(self) -> None:
        kept_bytes, count = 0, 0
        for frame in reversed(self._frames):
            kept_bytes += len(frame)
            if count == self._frames_max or kept_bytes > self._bytes_max:
                break
            count += 1
        gone = len(self._frames) - count
        del self._frames[:gone]
        self.start += gone
        self._bytes = sum(map(len, self._frames))
