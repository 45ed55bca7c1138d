"""What a scripted model server is told to do, and what it tells of each request."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from dayshift.core.model import Usage

Dialect = Literal["openai", "anthropic"]
USAGE = Usage(input_tokens=100, output_tokens=20)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call of the answer. ``arguments`` may be a text, also one that is no JSON."""

    name: str
    arguments: dict[str, Any] | str = field(default_factory=dict)
    id: str = ""

    @property
    def text(self) -> str:
        """The arguments as they are sent."""
        if isinstance(self.arguments, str):
            return self.arguments
        return orjson.dumps(self.arguments).decode()


@dataclass(frozen=True, kw_only=True)
class Say:
    """An answer, and the manner in which it comes.

    Attributes:
        finish: ``stop``, ``tool_calls``, ``length`` or ``refusal``; empty for what follows from
            the content.
        piece_chars: Characters of text in an event; 0 for all in one.
        write_bytes: Bytes in a write to the socket; 0 for one event in each, -1 for everything in
            one.
        keep_alive: Whether comments stand between the events.
        line_end: What ends a line.
        before_s: Wait before the first byte.
        gap_s: Wait between two writes.
        stall_after: Number of events after which nothing comes, though the connection is open.
        cut_after: Number of events after which the connection is closed.
        error_after: Number of events after which ``error`` comes as an event instead.
        opaque: Data of a redacted block before the text, in the Anthropic dialect.
        extra: Unknown members of the vendor's message.
    """

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    calls: tuple[Call, ...] = ()
    finish: str = ""
    usage: Usage = USAGE
    piece_chars: int = 0
    write_bytes: int = 0
    keep_alive: bool = False
    line_end: str = "\n"
    before_s: float = 0.0
    gap_s: float = 0.0
    stall_after: int | None = None
    cut_after: int | None = None
    error_after: int | None = None
    error: dict[str, Any] = field(default_factory=dict)
    opaque: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def end(self) -> str:
        """Why the answer ends."""
        return self.finish or (
            "refusal" if self.refusal else "tool_calls" if self.calls else "stop"
        )

    def pieces(self, text: str) -> Iterator[str]:
        """The text in the pieces in which it is sent."""
        size = self.piece_chars or len(text)
        for at in range(0, len(text), size or 1):
            yield text[at : at + size]


@dataclass(frozen=True, kw_only=True)
class Fail:
    """An answer byte by byte, or one that is none: any status, headers and body.

    ``body`` as a dict becomes JSON. With ``write_bytes`` it comes in pieces of that size.
    """

    status: int = 200
    body: dict[str, Any] | bytes | str = b""
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = ""
    write_bytes: int = 0

    @property
    def data(self) -> bytes:
        """The body as it is sent."""
        if isinstance(self.body, dict):
            return orjson.dumps(self.body)
        return self.body.encode() if isinstance(self.body, str) else self.body

    @property
    def kind(self) -> str:
        """The content type."""
        return self.content_type or (
            "application/json" if isinstance(self.body, dict) else "text/plain"
        )


Reply = Say | Fail


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One request as it arrived.

    Attributes:
        number: Counts from 1 for each server.
        agent: Who asks, as far as the system prompt tells.
        body: The request; empty when it was no JSON.
        complaint: Why the server refused it; empty when it did not.
    """

    number: int
    dialect: Dialect
    path: str
    headers: dict[str, str]
    raw: bytes
    body: dict[str, Any]
    system: str
    agent: str
    complaint: str = ""

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages as sent, without the system's."""
        return [
            m for m in self.body.get("messages", ()) if m.get("role") not in ("system", "developer")
        ]

    @property
    def tools(self) -> list[str]:
        """Names of the tools offered."""
        return [tool.get("name") or tool["function"]["name"] for tool in self.body.get("tools", ())]

    @property
    def said(self) -> str:
        """All text of the last user message that is no tool result."""
        for message in reversed(self.messages):
            texts = [text for kind, text in _texts(message) if kind == "user"]
            if texts:
                return "\n".join(texts)
        return ""

    @property
    def results(self) -> list[str]:
        """The texts of all tool results, in order."""
        return [
            text for message in self.messages for kind, text in _texts(message) if kind == "tool"
        ]

    @property
    def step(self) -> int:
        """How many answers were given since the last user message that is no tool result."""
        count = 0
        for message in reversed(self.messages):
            if message.get("role") == "assistant":
                count += 1
            elif any(kind == "user" for kind, _ in _texts(message)):
                break
        return count


Script = Callable[[Seen], "Reply | Awaitable[Reply]"]


def _texts(message: dict[str, Any]) -> list[tuple[str, str]]:
    role = str(message.get("role"))
    content = message.get("content")
    if isinstance(content, str):
        return [(role, content)]
    found: list[tuple[str, str]] = []
    for block in content or ():
        if block.get("type") == "tool_result":
            inner = block.get("content", "")
            text = inner if isinstance(inner, str) else "\n".join(b.get("text", "") for b in inner)
            found.append(("tool", text))
        elif block.get("type") == "text":
            found.append((role, str(block.get("text"))))
    return found
