"""What is said to a model and what comes back, free of any vendor's dialect.

The canonical form keeps whatever a provider must get back (reasoning signatures, opaque blocks), so
that a dialogue can be replayed to the provider that wrote it and re-encoded once for another.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

Finish = Literal["stop", "tool_calls", "length", "refusal", "interrupted"]
Thinking = Literal["off", "minimal", "low", "medium", "high"]
ToolChoice = Literal["auto", "none", "required"]


class TextPart(msgspec.Struct, frozen=True, tag="text", tag_field="kind"):
    """Plain text."""

    text: str


class ImagePart(msgspec.Struct, frozen=True, tag="image", tag_field="kind"):
    """An image, base64."""

    media_type: str
    data: str


class ReasoningPart(
    msgspec.Struct, frozen=True, tag="reasoning", tag_field="kind", omit_defaults=True
):
    """Reasoning as the provider showed it.

    ``signature`` and ``opaque`` are sent back to the provider family in ``origin`` only, unchanged.
    """

    text: str
    origin: str = ""
    signature: str = ""
    opaque: dict[str, Any] | None = None


class CallPart(msgspec.Struct, frozen=True, tag="call", tag_field="kind"):
    """A tool call as emitted; ``arguments`` is the raw JSON text, valid or not."""

    id: str
    name: str
    arguments: str


class UserMessage(msgspec.Struct, frozen=True, tag="user", tag_field="role"):
    """What the agent is told: an inbox item, a steer message, a note of the office."""

    parts: tuple[TextPart | ImagePart, ...]


class AssistantMessage(
    msgspec.Struct, frozen=True, tag="assistant", tag_field="role", omit_defaults=True
):
    """What a model answered."""

    parts: tuple[TextPart | ReasoningPart | CallPart, ...]
    finish: Finish = "stop"
    extra: dict[str, Any] | None = None
    """Fields of the vendor's message that we do not know, kept for the way back."""

    @property
    def text(self) -> str:
        """The visible text, joined."""
        return "".join(p.text for p in self.parts if type(p) is TextPart)

    @property
    def reasoning(self) -> str:
        """The visible reasoning, joined."""
        return "".join(p.text for p in self.parts if type(p) is ReasoningPart)

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The tool calls, in order."""
        return tuple(p for p in self.parts if type(p) is CallPart)


class ToolMessage(msgspec.Struct, frozen=True, tag="tool", tag_field="role", omit_defaults=True):
    """The result of one tool call, paired with it by id."""

    call_id: str
    name: str
    text: str
    ok: bool = True
    images: tuple[ImagePart, ...] = ()


Message = UserMessage | AssistantMessage | ToolMessage


class Fragment:
    """One message of a dialogue with its encoded form per codec, so that a long request is a join.

    Attributes:
        message: The canonical message; never changed.
        call_ids: Ids of the tool calls it makes, in order.
        answers: Id of the call whose result it is; empty when it is none.
        encoded: Codec key to encoded bytes; filled by the dialect that needed it first.
    """

    __slots__ = ("answers", "call_ids", "encoded", "message")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.call_ids: tuple[str, ...] = (
            tuple(part.id for part in message.parts if type(part) is CallPart)
            if type(message) is AssistantMessage
            else ()
        )
        self.answers = (message.call_id or "?") if type(message) is ToolMessage else ""
        self.encoded: dict[str, bytes] = {}


class ToolSchema(msgspec.Struct, frozen=True):
    """What a model is told of a tool: a JSON Schema object for its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolSet:
    """The tools offered in a request, with their encoded form per codec."""

    __slots__ = ("encoded", "schemas")

    def __init__(self, schemas: tuple[ToolSchema, ...]) -> None:
        self.schemas = schemas
        self.encoded: dict[str, bytes] = {}


class ModelRequest(msgspec.Struct, frozen=True):
    """One question to a model.

    ``idle_limit_s`` is the longest silence on the wire, ``total_limit_s`` the longest answer.
    """

    model: str
    system: str
    messages: list[Fragment]
    tools: ToolSet
    tool_choice: ToolChoice = "auto"
    thinking: Thinking = "off"
    max_output_tokens: int = 8192
    idle_limit_s: float = 60.0
    total_limit_s: float = 180.0
    json_schema: dict[str, Any] | None = None
    agent: str = ""
    """Who asks; only the rehearsal provider and the logs read it."""
    item: dict[str, str] | None = None
    """What is worked off (kind, source, sender, task …); only the rehearsal reads it."""


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens of one request. ``input_tokens`` includes both cached figures in each dialect."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    """Part of ``output_tokens``."""


class Answer(msgspec.Struct, frozen=True):
    """A complete answer."""

    message: AssistantMessage
    usage: Usage
    response_id: str = ""
    model: str = ""
    """The model the provider says it used."""


class Delta(msgspec.Struct, frozen=True):
    """A piece of an answer as it streams; for display only."""

    kind: Literal["text", "reasoning", "call"]
    text: str
    """New text, new reasoning, or for ``call`` the tool's name when it starts and nothing after."""


class Prices(msgspec.Struct, frozen=True):
    """Millionths of a US dollar per million tokens, i.e. dollars per million times 1,000,000."""

    input: int
    output: int
    cache_read: int
    cache_write: int


class ModelFacts(msgspec.Struct, frozen=True):
    """What is known of a model without asking it. ``prices`` is ``None`` when unknown."""

    context_tokens: int = 128_000
    output_tokens: int = 8192
    reasoning: bool = False
    images: bool = False
    prices: Prices | None = None


class Model(Protocol):
    """A model at a provider, ready to be asked."""

    ref: str
    """``provider:model``."""
    provider: str
    facts: ModelFacts

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request and stream its answer.

        Cancelling the call closes the connection at once.

        Raises:
            ModelError: In its narrowest form.
        """
        ...

    def render(self, request: ModelRequest) -> bytes:
        """The exact body that ``ask`` would send."""
        ...


class ModelCatalogue(Protocol):
    """Turns ``provider:model`` into a model."""

    def resolve(self, ref: str) -> Model:
        """The model of that name.

        Raises:
            InvalidError: No provider of that id (the hint names near ones), or its key is missing
                (the message names the variable).
        """
        ...
