"""The stage for models: both dialects against the strict server, and dialogues to send."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Fragment,
    Message,
    Model,
    ModelFacts,
    ModelRequest,
    TextPart,
    ToolMessage,
    ToolSchema,
    ToolSet,
    UserMessage,
)
from dayshift.models.anthropic_messages import AnthropicMessages
from dayshift.models.openai_chat import OpenAIChat
from dayshift.models.quirks import Quirks
from dayshift.models.wire import Endpoint, Secret, Wire
from dayshift.testing.model_server import ModelServer, Strictness

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

KEY = "sk-live-0123456789abcdefghijklmnop"
FACTS = ModelFacts(reasoning=True, images=True, output_tokens=32_000)
BASH = ToolSchema(
    "bash",
    "Run a command.",
    {
        "type": "object",
        "properties": {"command": {"type": "string"}},
        "required": ["command"],
        "additionalProperties": False,
    },
)
TOOLS = ToolSet((BASH,))
NO_TOOLS = ToolSet(())


@dataclass
class Stage:
    """A strict server, a wire, and models of both dialects that lead there."""

    server: ModelServer
    wire: Wire
    deltas: list[Delta] = field(default_factory=list)

    def openai(
        self, quirks: Quirks | None = None, *, name: str = "acme", facts: ModelFacts = FACTS
    ) -> OpenAIChat:
        """A model of the OpenAI dialect."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        endpoint = Endpoint(
            name, f"{self.server.openai_url}/chat/completions", headers, Secret(KEY)
        )
        return OpenAIChat(
            f"{name}:fake",
            endpoint=endpoint,
            quirks=quirks or Quirks(),
            facts=facts,
            wire=self.wire,
        )

    def anthropic(
        self, quirks: Quirks | None = None, *, name: str = "claudius", facts: ModelFacts = FACTS
    ) -> AnthropicMessages:
        """A model of the Anthropic dialect."""
        headers = {
            "Content-Type": "application/json",
            "x-api-key": KEY,
            "anthropic-version": "2023-06-01",
        }
        endpoint = Endpoint(name, f"{self.server.anthropic_url}/messages", headers, Secret(KEY))
        quirks = quirks or Quirks(cache="auto", json_schema="output_config")
        return AnthropicMessages(
            f"{name}:fake", endpoint=endpoint, quirks=quirks, facts=facts, wire=self.wire
        )

    def model(self, dialect: str, quirks: Quirks | None = None) -> Model:
        """A model of a dialect."""
        return self.openai(quirks) if dialect == "openai" else self.anthropic(quirks)

    async def ask(self, model: Model, *messages: Message, **options: object) -> Answer:
        """Ask about a dialogue; what streamed is in ``deltas``."""
        self.deltas.clear()
        return await model.ask(request(*messages, **options), self.deltas.append)


@asynccontextmanager
async def stage(strictness: Strictness | None = None) -> AsyncGenerator[Stage]:
    """Open the stage for a block."""
    async with ModelServer(strictness=strictness) as server, Wire() as wire:
        yield Stage(server, wire)


def request(*messages: Message | Fragment, **options: object) -> ModelRequest:
    """A question about a dialogue."""
    given: dict[str, Any] = {
        "system": "You are Iris.",
        "tools": TOOLS,
        "idle_limit_s": 5.0,
        **options,
    }
    fragments = [m if isinstance(m, Fragment) else Fragment(m) for m in messages]
    return ModelRequest(model="fake", messages=fragments, **given)


def says(*texts: str) -> UserMessage:
    """A message to the agent."""
    return UserMessage(tuple(TextPart(text) for text in texts))


def calls(*calls: tuple[str, str], text: str = "") -> AssistantMessage:
    """An answer that calls bash, with (id, arguments) each."""
    parts = tuple(CallPart(call_id, "bash", arguments) for call_id, arguments in calls)
    return AssistantMessage((*((TextPart(text),) if text else ()), *parts), finish="tool_calls")


def result(call_id: str, text: str = "ok", *, ok: bool = True) -> ToolMessage:
    """What a call of bash came to."""
    return ToolMessage(call_id, "bash", text, ok=ok)


def answers(text: str) -> AssistantMessage:
    """An answer of text."""
    return AssistantMessage((TextPart(text),))
