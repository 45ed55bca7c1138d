"""What is being written right now, whole, for whoever joins in the middle of it.

Bounds: of a call's output the last ``OUTPUT_CHARS_MAX`` characters are kept. What an entry has made
final is dropped.
"""

from dayshift.core.entries import (
    CallChanged,
    CallOutput,
    Entry,
    Live,
    RunChanged,
    RunDelta,
    TurnEnded,
)
from dayshift.core.states import CALL_ENDS, RUN_ENDS

OUTPUT_CHARS_MAX = 65_536


class _Turn:
    """One running turn."""

    __slots__ = ("agent", "reasoning", "text", "tools", "turn")

    def __init__(self, delta: RunDelta) -> None:
        self.agent = delta.agent
        self.turn = delta.turn
        self.text: list[str] = []
        self.reasoning: list[str] = []
        self.tools: list[str] = []


class _Output:
    """One running call."""

    __slots__ = ("agent", "chars", "parts", "run")

    def __init__(self, output: CallOutput) -> None:
        self.agent = output.agent
        self.run = output.run
        self.parts: list[str] = []
        self.chars = 0


class Texts:
    """All texts that are being written in one office."""

    def __init__(self) -> None:
        self._turns: dict[str, _Turn] = {}
        self._outputs: dict[str, _Output] = {}

    def add(self, live: Live) -> None:
        """Go on with a text; one marked whole replaces what there was."""
        if isinstance(live, RunDelta):
            self._add_delta(live)
        else:
            self._add_output(live)

    def _add_delta(self, delta: RunDelta) -> None:
        turn = self._turns.get(delta.run)
        if turn is None or turn.turn != delta.turn or delta.whole:
            turn = self._turns[delta.run] = _Turn(delta)
        if delta.text:
            turn.text.append(delta.text)
        if delta.reasoning:
            turn.reasoning.append(delta.reasoning)
        if delta.tool:
            turn.tools.append(delta.tool)

    def _add_output(self, output: CallOutput) -> None:
        known = self._outputs.get(output.call)
        if known is None or output.whole:
            known = self._outputs[output.call] = _Output(output)
        known.parts.append(output.text)
        known.chars += len(output.text)
        if known.chars > 2 * OUTPUT_CHARS_MAX:
            kept = "".join(known.parts)[-OUTPUT_CHARS_MAX:]
            known.parts, known.chars = [kept], len(kept)

    def settle(self, entry: Entry) -> None:
        """Drop what the entry has made final."""
        if isinstance(entry, TurnEnded):
            known = self._turns.get(entry.turn.run)
            if known is not None and known.turn <= entry.turn.n:
                del self._turns[entry.turn.run]
        elif isinstance(entry, CallChanged):
            if entry.call.state in CALL_ENDS:
                self._outputs.pop(entry.call.id, None)
        elif isinstance(entry, RunChanged) and entry.run.state in RUN_ENDS:
            self._turns.pop(entry.run.id, None)
            ended = [call for call, known in self._outputs.items() if known.run == entry.run.id]
            for call in ended:
                del self._outputs[call]

    def whole(self) -> list[Live]:
        """Everything so far, as frames for one who knows nothing of it."""
        frames: list[Live] = []
        for run, turn in self._turns.items():
            frames.append(
                RunDelta(
                    run=run,
                    agent=turn.agent,
                    turn=turn.turn,
                    text="".join(turn.text),
                    reasoning="".join(turn.reasoning),
                    tool=turn.tools[0] if turn.tools else "",
                    whole=True,
                )
            )
            frames.extend(
                RunDelta(run=run, agent=turn.agent, turn=turn.turn, tool=tool)
                for tool in turn.tools[1:]
            )
        frames.extend(
            CallOutput(
                call=call,
                run=known.run,
                agent=known.agent,
                text="".join(known.parts)[-OUTPUT_CHARS_MAX:],
                whole=True,
            )
            for call, known in self._outputs.items()
        )
        return frames
