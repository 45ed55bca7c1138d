"""Contracts of tools: defined once, shown to models, to people and to the reference pages.

A tool never raises what the model should read; it returns a result with ``ok=False``. Only bugs
raise. A tool whose effect is rows in the ledger hands them over as ``effect``: the loop commits
them together with the call's own result, so that such a tool takes effect exactly once.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

import msgspec

from dayshift.core.artifacts import Artifact
from dayshift.core.computer import Computer
from dayshift.core.errors import OfficeError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import ImagePart, ToolSchema

Effect = Callable[[UnitOfWork], "ToolResult | None"]


class ToolResult(msgspec.Struct, frozen=True):
    """What a call came to.

    Attributes:
        text: What the model reads; capped by the loop, the same for every tool.
        code: ``ok``, or a stable slug of the failure.
        retryable: Whether the same call may succeed later, unchanged.
        effect: Rows to commit together with this result. It may return another result in place of
            this one, and may raise an OfficeError, which refuses the call and leaves nothing.
    """

    ok: bool
    text: str
    code: str = "ok"
    retryable: bool = False
    artifacts: tuple[Artifact, ...] = ()
    images: tuple[ImagePart, ...] = ()
    effect: Effect | None = None
    ends_run: bool = False


def refused(error: OfficeError) -> ToolResult:
    """The result that tells a model of an expected error."""
    text = f"{error.message} {error.hint}".strip()
    return ToolResult(ok=False, text=text, code=error.code, retryable=error.retryable)


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who calls, for what, and where it runs. Identity comes from here, never from arguments."""

    office: str
    agent: str
    run_id: str
    call_id: str
    thread_id: str
    """The thread that woke the run; empty when none did."""
    task_id: str
    hops: int
    """How many agents' messages led to this run without a person in between."""
    now: datetime
    computer: Computer
    on_output: Callable[[str], None]
    """Live output for people watching."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool.

    Attributes:
        read_only: May be run again after a crash, since it changes nothing.
        atomic: All it changes is the effect of its result, which is committed with the call's end;
            so one that was cut off has changed nothing, and is run again after a crash.
        limit_s: Longest run of one call, in seconds.
        dangerous: Leaves the agent's own workspace or the office; policies and reports single it
            out.
    """

    schema: ToolSchema
    family: str
    arguments: type[msgspec.Struct]
    call: Callable[[ToolContext, Any], Awaitable[ToolResult]]
    read_only: bool = False
    atomic: bool = False
    limit_s: float = 60.0
    dangerous: bool = False
    examples: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """The name the model calls."""
        return self.schema.name


def define(
    arguments: type[msgspec.Struct],
    call: Callable[[ToolContext, Any], Awaitable[ToolResult]],
    *,
    name: str,
    family: str,
    read_only: bool = False,
    limit_s: float = 60.0,
    dangerous: bool = False,
) -> Tool:
    """Build a tool from a struct of arguments and a function.

    The struct's docstring becomes the description, its fields
    (``Annotated[..., msgspec.Meta(description=…)]``) the JSON Schema. Unknown arguments are
    refused.
    """
    whole = msgspec.json.schema(arguments)
    defs: dict[str, Any] = whole["$defs"]
    schema: dict[str, Any] = _inlined(whole, defs)
    schema.pop("$defs", None)
    schema.pop("title", None)
    description = str(schema.pop("description", "")).strip()
    schema.setdefault("additionalProperties", False)
    return Tool(
        schema=ToolSchema(name=name, description=description, parameters=schema),
        family=family,
        arguments=arguments,
        call=call,
        read_only=read_only,
        limit_s=limit_s,
        dangerous=dangerous,
    )


def atomic(tool: Tool) -> Tool:
    """The tool, which thereby says that all it changes is the effect of its result."""
    return replace(tool, atomic=True)


def _inlined(value: Any, defs: dict[str, Any]) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """The schema with every reference replaced by what it names; arguments are never recursive."""
    if isinstance(value, list):
        return [_inlined(one, defs) for one in cast("list[Any]", value)]  # JSON says no more
    if not isinstance(value, dict):
        return value
    schema = cast("dict[str, Any]", value)  # names are always strings in JSON
    rest = {key: _inlined(one, defs) for key, one in schema.items() if key not in {"$ref", "$defs"}}
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        return {**_inlined(defs[name], defs), **rest}
    return rest


def parse_arguments(tool: Tool, text: str) -> msgspec.Struct | ToolResult:
    """Decode and check a call's raw JSON arguments.

    Returns:
        The arguments, or the result that tells the model what is wrong with them.
    """
    try:
        return msgspec.json.decode(text or "{}", type=tool.arguments)
    except msgspec.MsgspecError as error:
        return ToolResult(
            ok=False,
            text=f"The arguments of {tool.name} were not accepted: {error}. Nothing was done. "
            f"They must fit this schema: {msgspec.json.encode(tool.schema.parameters).decode()}",
            code="invalid_arguments",
            retryable=False,
        )
    except UnicodeDecodeError as error:
        return ToolResult(
            ok=False, text=f"The arguments are not UTF-8: {error}.", code="invalid_arguments"
        )
