"""The rehearsal provider: plays a screenplay through the same interface as every real model.

Nothing is understood here and nothing is sent anywhere. The same request always gets the same
answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

import msgspec

from dayshift.core.errors import ConfigError, InvalidError
from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Fragment,
    ModelFacts,
    ModelRequest,
    Prices,
    ReasoningPart,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from dayshift.models.ids import free_id
from dayshift.models.screenplay import Screenplay, Step, fill, read_screenplay

PROVIDER = "rehearsal"
OFFICE_FILE = "screenplay.yaml"
OFFICE_PLAY = "screenplay"
CHARS_PER_TOKEN = 4
PIECE_CHARS = 24
UNFORESEEN = (
    "This is a rehearsal: I only play back a script, and it has no answer to this. "
    "No AI model is running. To talk to a real one, put a provider's key into the environment "
    "(for example ANTHROPIC_API_KEY or OPENAI_API_KEY) or start a local server such as Ollama; "
    "then choose the model in Settings or with MODEL=provider:model."
)
SUMMARY = (
    "(Rehearsal: the earlier part of this dialogue followed the script; nothing else is known.)"
)

Sleep = Callable[[float], Awaitable[object]]
_KEY = "rehearsal/1"
_FREE = Prices(input=0, output=0, cache_read=0, cache_write=0)


class Rehearsal:
    """A model that follows a screenplay."""

    provider = PROVIDER
    facts = ModelFacts(context_tokens=1_000_000, output_tokens=8192, images=True, prices=_FREE)

    def __init__(
        self, play: Screenplay, *, sleep: Sleep = asyncio.sleep, scale: float = 1.0
    ) -> None:
        """``scale`` stretches every wait; 0 leaves them out."""
        self.ref = f"{PROVIDER}:{play.name}"
        self._play = play
        self._sleep = sleep
        self._scale = scale

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Play the step that is due; see the protocol."""
        step, places = self._due(request)
        think_s = self._play.think_s if step.wait_s is None else step.wait_s
        await self._wait(think_s)
        reasoning, text = fill(step.reasoning, places), fill(step.text, places)
        await self._say("reasoning", reasoning, on_delta)
        offered = {tool.name for tool in request.tools.schemas}
        missing = [call.tool for call in step.calls if call.tool not in offered]
        if missing:
            names = ", ".join(missing)
            text = f"{text}\n(The script calls {names}, which is not offered here.)".strip()
        await self._say("text", text, on_delta)
        calls: list[CallPart] = []
        for call in step.calls:
            if call.tool not in missing:
                on_delta(Delta("call", call.tool))
                arguments = msgspec.json.encode(fill(call.arguments, places)).decode()
                taken = [made.id for made in calls]
                call_id = free_id(
                    f"play-{len(request.messages)}-{len(calls)}",
                    len(calls),
                    taken,
                    request.messages,
                )
                calls.append(CallPart(call_id, call.tool, arguments))
        return self._answer(request, step, reasoning, text, calls=calls)

    def render(self, request: ModelRequest) -> bytes:
        """The exact body that ``ask`` would send, if it sent one."""
        head = msgspec.json.encode(
            {
                "model": self.ref,
                "agent": request.agent,
                "item": request.item,
                "system": request.system,
            }
        )
        return b'%b,"messages":[%b]}' % (
            head[:-1],
            b",".join(_encoded(f) for f in request.messages),
        )

    def _due(self, request: ModelRequest) -> tuple[Step, dict[str, str]]:
        if request.item is None:
            return Step(text=SUMMARY), {}
        item = request.item
        since = _since_item(request.messages, item.get("text", ""))
        answers = sum(type(fragment.message) is AssistantMessage for fragment in since)
        for scene in self._play.scenes:
            groups = scene.match(request.agent, item)
            if groups is not None and answers < len(scene.steps):
                called = [call for step in scene.steps[:answers] for call in step.calls]
                names = [call.name for call in called if call.tool in _offered(request)]
                return scene.steps[answers], _places(
                    request.agent, item, groups, since, names=names
                )
            if groups is not None:
                break
        return Step(text=UNFORESEEN), {}

    def _answer(
        self, request: ModelRequest, step: Step, reasoning: str, text: str, *, calls: list[CallPart]
    ) -> Answer:
        said = (ReasoningPart(reasoning, origin=PROVIDER),) if reasoning else ()
        texts = (TextPart(text),) if text else ()
        finish = "tool_calls" if calls and step.finish == "stop" else step.finish
        spoken = (
            len(reasoning) + len(text) + sum(len(call.arguments) + len(call.name) for call in calls)
        )
        asked = len(request.system) + sum(len(_encoded(fragment)) for fragment in request.messages)
        usage = Usage(
            input_tokens=asked // CHARS_PER_TOKEN
            if step.input_tokens is None
            else step.input_tokens,
            output_tokens=1 + spoken // CHARS_PER_TOKEN
            if step.output_tokens is None
            else step.output_tokens,
            reasoning_tokens=len(reasoning) // CHARS_PER_TOKEN if step.output_tokens is None else 0,
        )
        message = AssistantMessage((*said, *texts, *calls), finish=finish)
        return Answer(message, usage, model=self.ref)

    async def _say(self, kind: str, text: str, on_delta: Callable[[Delta], None]) -> None:
        speed = self._play.chars_per_s
        if not text:
            return
        size = PIECE_CHARS if speed and self._scale else len(text)
        for at in range(0, len(text), size):
            piece = text[at : at + size]
            on_delta(Delta("reasoning" if kind == "reasoning" else "text", piece))
            await self._wait(len(piece) / speed if speed else 0.0)

    async def _wait(self, seconds: float) -> None:
        if seconds * self._scale > 0:
            await self._sleep(seconds * self._scale)


class Rehearsals:
    """The screenplays that can be played: an office's own, and those that come with Dayshift.

    Making one reads their files; do it in a thread. What is wrong with a file is told when its
    screenplay is asked for.
    """

    def __init__(
        self, folder: Path | None = None, *, sleep: Sleep = asyncio.sleep, scale: float = 1.0
    ) -> None:
        self._sleep = sleep
        self._scale = scale
        self._plays: dict[str, Screenplay | ConfigError] = {}
        packaged = Path(str(files("dayshift.models").joinpath("screenplays")))
        for file in sorted(packaged.glob("*.yaml")):
            self._read(file, name=file.stem)
        if folder is not None and (folder / OFFICE_FILE).is_file():
            self._read(folder / OFFICE_FILE, name=OFFICE_PLAY)

    def within(self, folder: Path) -> "Rehearsals":
        """The same, for the office in a folder."""
        return Rehearsals(folder, sleep=self._sleep, scale=self._scale)

    def model(self, name: str) -> Rehearsal:
        """The model of a screenplay; ``screenplay`` is the office's own, whatever its name.

        Raises:
            InvalidError: There is none of that name; the hint names those there are.
            ConfigError: It is malformed.
        """
        play = self._plays.get(name)
        if play is None:
            # The office's own may be meant, whose name could not be read.
            play = self._broken() or self._missing(name)
        if isinstance(play, ConfigError):
            raise play
        return Rehearsal(play, sleep=self._sleep, scale=self._scale)

    def names(self) -> list[str]:
        """Names of all screenplays that can be played here."""
        return sorted({play.name for play in self._plays.values() if isinstance(play, Screenplay)})

    def _read(self, file: Path, *, name: str) -> None:
        try:
            play = read_screenplay(file)
        except ConfigError as error:
            self._plays[name] = error
            return
        self._plays[name] = play
        self._plays[play.name] = play

    def _broken(self) -> ConfigError | None:
        own = self._plays.get(OFFICE_PLAY)
        return own if isinstance(own, ConfigError) else None

    def _missing(self, name: str) -> NoReturn:
        known = self.names()
        near = get_close_matches(name, known, n=3) or known
        raise InvalidError(
            f"There is no screenplay {name!r}.",
            hint=f"There is {', '.join(f'{PROVIDER}:{one}' for one in near)}; "
            f"an office's own stands in its {OFFICE_FILE}.",
        )


def _offered(request: ModelRequest) -> set[str]:
    return {tool.name for tool in request.tools.schemas}


def _encoded(fragment: Fragment) -> bytes:
    encoded = fragment.encoded.get(_KEY)
    if encoded is None:
        encoded = fragment.encoded[_KEY] = msgspec.json.encode(fragment.message)
    return encoded


def _since_item(messages: list[Fragment], text: str) -> list[Fragment]:
    """What came after the message that told the item: the last with its text, else the last."""
    last = 0
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place].message
        if type(message) is UserMessage:
            last = last or place + 1
            if not text or any(type(p) is TextPart and text in p.text for p in message.parts):
                return messages[place + 1 :]
    return messages[last:]


def _places(
    agent: str,
    item: Mapping[str, str],
    groups: Mapping[str, str],
    since: list[Fragment],
    *,
    names: list[str],
) -> dict[str, str]:
    results = [f.message.text for f in since if type(f.message) is ToolMessage]
    places = {"agent": agent}
    places.update({f"item.{line}": text for line, text in item.items()})
    places.update({f"match.{name}": text for name, text in groups.items()})
    for number, text in enumerate(results, start=1):
        places[f"result.{number}"] = text
        places[f"result.{number - len(results) - 1}"] = text
    places.update({name: text for name, text in zip(names, results, strict=False) if name})
    return places
