"""Providers beyond the two dialects (Google native, Bedrock …), through an optional library.

Named ``breadth:PROVIDER:MODEL``, with the library's own provider names, for example
``breadth:google:gemini-2.5-flash``. The library is imported when such a model is first asked.
"""

import asyncio
import base64
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec

from dayshift.core.details import ProviderReport
from dayshift.core.errors import (
    ContextOverflowError,
    InvalidError,
    ModelAuthError,
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRefusedError,
    ModelServerError,
    ModelStalledError,
    ModelUnreachableError,
    QuotaSpentError,
    RateLimitedError,
)
from dayshift.core.model import (
    Answer,
    AssistantMessage,
    CallPart,
    Delta,
    Finish,
    Fragment,
    ImagePart,
    ModelFacts,
    ModelRequest,
    ReasoningPart,
    TextPart,
    ToolMessage,
    Usage,
    UserMessage,
)
from dayshift.models.failures import scrub
from dayshift.models.ids import free_id, safe_id
from dayshift.models.pairing import settled
from dayshift.models.quirks import safe_arguments
from dayshift.models.schemas import fitted, names_back, wire_name
from dayshift.models.text import sound
from dayshift.models.wire import Watch
from dayshift.models.words import GO_ON, JSON_ONLY, NO_ANSWER, NO_OUTPUT, NO_TEXT

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponsePart
    from pydantic_ai.models import Model as LibraryModel

BREADTH = "breadth"
KEY_NAMES: dict[str, tuple[str, ...]] = {"google": ("GEMINI_API_KEY", "GOOGLE_API_KEY")}
"""Under which names a provider's key is looked up; others find their credentials by themselves."""
HINT = "Install it with: pip install 'dayshift[breadth]'"

_FINISHES: dict[str | None, Finish] = {"length": "length", "content_filter": "refusal"}
_ERRORS: tuple[tuple[str, type[ModelError]], ...] = (
    ("ModelRateLimitError", RateLimitedError),
    ("ModelQuotaExceededError", QuotaSpentError),
    ("ModelOverloadedError", ModelOverloadedError),
    ("ModelUnavailableError", ModelOverloadedError),
    ("ModelServerError", ModelServerError),
    ("ModelTimeoutError", ModelStalledError),
    ("ModelConnectionError", ModelUnreachableError),
    ("ModelContextWindowExceededError", ContextOverflowError),
    ("ModelAuthenticationError", ModelAuthError),
    ("ModelNotFoundError", ModelNotFoundError),
    ("ModelRequestRejectedError", ModelRefusedError),
    ("IncompleteToolCall", ModelCutError),
    ("ContentFilterError", ModelRefusedError),
    ("UnexpectedModelBehavior", ModelGarbledError),
    ("UserError", ModelRefusedError),
)
_KEPT = ("id", "signature", "provider_name", "provider_details")


class BreadthModel:
    """A model that the library speaks to.

    Args:
        ref: ``breadth:PROVIDER:MODEL``.
        build: Makes the library's model; called once, in a thread, at the first question.
    """

    def __init__(self, ref: str, build: "Callable[[], LibraryModel]") -> None:
        self.ref = ref
        self.provider = BREADTH
        self.facts = ModelFacts(images=True, reasoning=True)
        self._build = build
        self._model: LibraryModel | None = None
        self._origin = f"{BREADTH}/{ref.split(':')[1]}"

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request and stream its answer; see the protocol."""
        try:
            with Watch(
                self.ref, idle_s=request.idle_limit_s, total_s=request.total_limit_s
            ) as watch:
                if self._model is None:
                    self._model = await asyncio.to_thread(self._build)
                return await self._stream(self._model, request, on_delta, watch)
        except (ModelError, InvalidError, asyncio.CancelledError):
            raise
        except Exception as error:
            raise self._translated(error) from error

    def render(self, request: ModelRequest) -> bytes:
        """The messages as the library is given them; what it sends is its own."""
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        return ModelMessagesTypeAdapter.dump_json(self._messages(request))

    async def _stream(
        self,
        model: "LibraryModel",
        request: ModelRequest,
        on_delta: Callable[[Delta], None],
        watch: Watch,
    ) -> Answer:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        back = names_back(request.tools)
        tools = [
            ToolDefinition(
                name=wire_name(tool.name),
                description=tool.description,
                parameters_json_schema=fitted(tool.parameters, "plain", tool=tool.name),
            )
            for tool in request.tools.schemas
        ]
        settings: dict[str, Any] = {
            "max_tokens": request.max_output_tokens,
            "thinking": False if request.thinking == "off" else request.thinking,
        }
        if tools and request.tool_choice != "auto":
            settings["tool_choice"] = request.tool_choice
        async with model_request_stream(
            model,
            self._messages(request),
            model_settings=settings,  # pyright: ignore[reportArgumentType]  a typed dict of theirs
            model_request_parameters=ModelRequestParameters(function_tools=tools),
        ) as stream:
            async for event in stream:
                watch.touch()
                _tell(event, on_delta, back)
            response = stream.get()
        return self._answer(response, request.messages, back)

    def _messages(self, request: ModelRequest) -> "list[ModelMessage]":
        from pydantic_ai import messages as theirs

        system = request.system
        if request.json_schema is not None:
            schema = msgspec.json.encode(request.json_schema).decode()
            system = f"{system}\n\n{JSON_ONLY} {schema}"
        told: list[ModelMessage] = []
        parts: list[theirs.ModelRequestPart] = []
        for fragment in settled(request.messages):
            message = fragment.message
            match message:
                case UserMessage():
                    parts.append(theirs.UserPromptPart(_content(message.parts) or NO_TEXT))
                case ToolMessage():
                    parts += _results(message)
                case AssistantMessage():
                    if parts:
                        told.append(theirs.ModelRequest(parts, instructions=system))
                        parts = []
                    told.append(theirs.ModelResponse(self._response_parts(message)))
        parts = parts or [theirs.UserPromptPart(GO_ON)]
        told.append(theirs.ModelRequest(parts, instructions=system))
        return told

    def _response_parts(self, message: AssistantMessage) -> "list[ModelResponsePart]":
        from pydantic_ai import messages as theirs

        extra = message.extra or {}
        kept: dict[str, Any] = extra.get("parts", {}) if extra.get("origin") == self._origin else {}
        parts: list[ModelResponsePart] = []
        for place, part in enumerate(message.parts):
            known = kept.get(str(place), {})
            match part:
                case TextPart():
                    if part.text.strip():
                        parts.append(theirs.TextPart(sound(part.text), **known))
                case CallPart():
                    arguments = safe_arguments(part.arguments).decode()
                    call_id = safe_id(part.id, "any")
                    parts.append(
                        theirs.ToolCallPart(wire_name(part.name), arguments, call_id, **known)
                    )
                case ReasoningPart():
                    if part.origin == self._origin:
                        parts.append(theirs.ThinkingPart(sound(part.text), **known))
        return parts or [theirs.TextPart(NO_ANSWER)]

    def _answer(
        self, response: "ModelResponse", history: list[Fragment], back: dict[str, str]
    ) -> Answer:
        parts: list[TextPart | ReasoningPart | CallPart] = []
        kept: dict[str, Any] = {}
        taken: list[str] = []
        for given in response.parts:
            known = {name: value for name in _KEPT if (value := getattr(given, name, None))}
            match given.part_kind:
                case "text":
                    part = TextPart(sound(given.content))
                case "thinking":
                    part = ReasoningPart(sound(given.content), origin=self._origin)
                case "tool-call":
                    call_id = free_id(given.tool_call_id, len(parts), taken, history)
                    taken.append(call_id)
                    name = back.get(given.tool_name, given.tool_name)
                    part = CallPart(call_id, name, sound(given.args_as_json_str()))
                case _:
                    continue
            if known:
                kept[str(len(parts))] = known
            parts.append(part)
        finish = _FINISHES.get(response.finish_reason, "tool_calls" if taken else "stop")
        extra = {"origin": self._origin, "parts": kept} if kept else None
        return Answer(
            AssistantMessage(tuple(parts), finish=finish, extra=extra),
            _usage(response),
            response_id=response.provider_response_id or "",
            model=response.model_name or "",
        )

    def _translated(self, error: Exception) -> ModelError:
        names = {cls.__name__ for cls in type(error).__mro__}
        kind = next((ours for theirs, ours in _ERRORS if theirs in names), ModelServerError)
        wait_s = getattr(error, "retry_after", None)
        ours = kind(
            f"{self.ref}: {scrub(str(error), '')}",
            provider=BREADTH,
            status=getattr(error, "status_code", None) or 0,
            retry_after_s=wait_s,
        )
        if kind is QuotaSpentError and wait_s is not None:
            ours.retryable = True
        return ours


def breadth_model(name: str, key_lookup: Callable[[str], str | None]) -> BreadthModel:
    """The model ``PROVIDER:MODEL`` of the library.

    Raises:
        InvalidError: The library is not installed, the name has no provider, or its key is missing.
    """
    if find_spec("pydantic_ai") is None:
        raise InvalidError(f"{BREADTH}:{name} needs an optional library.", hint=HINT)
    provider, _, model = name.partition(":")
    if not model:
        raise InvalidError(
            f"{BREADTH}:{name} names no model.", hint=f"Say {BREADTH}:google:gemini-2.5-flash."
        )
    names = KEY_NAMES.get(provider, ())
    key = next((found for one in names if (found := key_lookup(one))), "")
    if names and not key:
        raise InvalidError(f"{name} needs a key.", hint=f"Set {' or '.join(names)}.")

    def build() -> "LibraryModel":
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider, infer_provider_class

        if not key:
            return infer_model(name, infer_provider)
        build_provider: Any = infer_provider_class(provider)
        return infer_model(name, lambda _one: build_provider(api_key=key))

    return BreadthModel(f"{BREADTH}:{name}", build)


def breadth_report() -> ProviderReport:
    """Whether the library is there."""
    usable = find_spec("pydantic_ai") is not None
    return ProviderReport(
        id=BREADTH,
        name="More providers (Google native, Bedrock …)",
        dialect=BREADTH,
        base_url="",
        key_env="",
        local=False,
        usable=usable,
        reason="" if usable else "The optional library is not installed.",
        hint="" if usable else HINT,
        default_model="",
        models=[],
    )


def _tell(event: Any, on_delta: Callable[[Delta], None], back: dict[str, str]) -> None:  # noqa: ANN401  any event of theirs
    """Report a piece: a part that starts with something, or more of one."""
    part: Any = getattr(event, "part", None)
    if event.event_kind == "part_start":
        if part.part_kind == "tool-call":
            name: str = part.tool_name
            on_delta(Delta("call", back.get(name, name)))
        elif part.part_kind in ("text", "thinking") and part.content:
            kind = "text" if part.part_kind == "text" else "reasoning"
            on_delta(Delta(kind, sound(part.content)))
    elif event.event_kind == "part_delta" and (piece := getattr(event.delta, "content_delta", "")):
        kind = "text" if event.delta.part_delta_kind == "text" else "reasoning"
        on_delta(Delta(kind, sound(piece)))


def _content(parts: tuple[TextPart | ImagePart, ...]) -> list[Any]:
    from pydantic_ai.messages import BinaryContent

    return [
        BinaryContent(base64.b64decode(part.data), media_type=part.media_type)
        if isinstance(part, ImagePart)
        else sound(part.text)
        for part in parts
        if isinstance(part, ImagePart) or part.text.strip()
    ]


def _results(message: ToolMessage) -> list[Any]:
    from pydantic_ai.messages import ToolReturnPart, UserPromptPart

    text = sound(message.text) if message.text.strip() else NO_OUTPUT
    result = ToolReturnPart(wire_name(message.name), text, safe_id(message.call_id, "any"))
    return [result, UserPromptPart(_content(message.images))] if message.images else [result]


def _usage(response: "ModelResponse") -> Usage:
    used = response.usage
    return Usage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
        reasoning_tokens=getattr(used, "output_reasoning_tokens", 0) or 0,
    )
