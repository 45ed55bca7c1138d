"""Live text of a running turn and live output of calls, for people who watch."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from dayshift.core.entries import CallOutput, Live, RunDelta
from dayshift.core.limits import DELTA_INTERVAL_S
from dayshift.core.model import Delta

OUTPUT_CHARS_MAX = 20_000
"""Live output of one call told in one go; the rest of a flood is in the result."""


class _Pulse:
    """Lets something be told soon: at once after a silence, else when the interval is over."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None
        self._next_at = 0.0

    def ask(self) -> None:
        """Tell soon."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(self._next_at, loop.time()), self._now)

    def stop(self) -> None:
        """Do not tell what was asked for."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> None:
        self._timer = None
        self._next_at = asyncio.get_running_loop().time() + DELTA_INTERVAL_S
        self._tell()


@dataclass(frozen=True)
class Voice:
    """How live text reaches people who watch.

    Attributes:
        tell: Tells them; never waits.
        begun: How many characters at the end of a text may be the beginning of a secret.
    """

    tell: Callable[[Live], None]
    begun: Callable[[str], int] = lambda _text: 0

    def take(self, parts: list[str]) -> str:
        """What can be told of some pieces; what may be the beginning of a secret stays in them."""
        text = "".join(parts)
        parts.clear()
        held = self.begun(text)
        if held:
            parts.append(text[-held:])
            return text[:-held]
        return text


class LiveText:
    """Gathers the deltas of one run's turns."""

    def __init__(self, run: str, agent: str, voice: Voice) -> None:
        """Nothing is told until something comes."""
        self._run = run
        self._agent = agent
        self._voice = voice
        self._turn = 0
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._tool = ""
        self._whole = False
        self._pulse = _Pulse(self._flush)

    def begin(self, turn: int) -> None:
        """A new turn or a new attempt begins; what was streamed of it before is void."""
        self.stop()
        self._turn = turn
        self._whole = True
        self._pulse.ask()

    def add(self, delta: Delta) -> None:
        """Take one delta; it is told with others soon."""
        kind = delta.kind
        if kind == "text":
            self._text.append(delta.text)
        elif kind == "reasoning":
            self._reasoning.append(delta.text)
        else:
            self._tool = delta.text
        self._pulse.ask()

    def stop(self) -> None:
        """Forget what was not told yet; the turn's entry carries it whole."""
        self._pulse.stop()
        self._text.clear()
        self._reasoning.clear()
        self._tool = ""

    def _flush(self) -> None:
        delta = RunDelta(
            run=self._run,
            agent=self._agent,
            turn=self._turn,
            text=self._voice.take(self._text),
            reasoning=self._voice.take(self._reasoning),
            tool=self._tool,
            whole=self._whole,
        )
        if delta.text or delta.reasoning or delta.tool or delta.whole:
            self._voice.tell(delta)
        self._whole = False
        self._tool = ""


class LiveOutput:
    """Gathers the output of one call."""

    def __init__(self, call: str, *, run: str, agent: str, voice: Voice) -> None:
        """Nothing is told until something comes."""
        self._call = call
        self._run = run
        self._agent = agent
        self._voice = voice
        self._parts: list[str] = []
        self._pulse = _Pulse(self._flush)

    def add(self, text: str) -> None:
        """Take a piece of output."""
        self._parts.append(text)
        self._pulse.ask()

    def stop(self) -> None:
        """Forget what was not told yet; the call's entry carries its result."""
        self._pulse.stop()
        self._parts.clear()

    def _flush(self) -> None:
        text = self._voice.take(self._parts)[-OUTPUT_CHARS_MAX:]
        if text:
            told = CallOutput(call=self._call, run=self._run, agent=self._agent, text=text)
            self._voice.tell(told)
