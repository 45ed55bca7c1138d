"""The fields of office.yaml as they are written, with their bounds.

These models say what may stand in the file. What a field comes to when it is left out, and what
only the whole file can tell (who exists, who reports to whom), is settled in ``office.py``.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from dayshift.core.limits import TURNS_MAX
from dayshift.core.model import Thinking
from dayshift.core.names import NAME, OFFICE_NAME

OfficePriority = Literal["idle", "low", "normal", "high", "critical"]
Language = Literal["en", "zh"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

PRIORITIES: tuple[OfficePriority, ...] = ("idle", "low", "normal", "high", "critical")
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

ENV_KEY = r"^[A-Z_][A-Z0-9_]{0,127}$"
MODEL_REF = r"^[a-z0-9][a-z0-9_.-]*:\S{1,200}$"
TIME_OF_DAY = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def _named(value: object) -> object:
    """A priority given as its number, 0 to 4, as its name."""
    is_number = type(value) is int and 0 <= value < len(PRIORITIES)
    return PRIORITIES[value] if is_number else value  # type: ignore[index]  is_number says it is an int


Name = Annotated[str, StringConstraints(pattern=NAME)]
ModelName = Annotated[str, StringConstraints(pattern=MODEL_REF)]
Title = Annotated[str, StringConstraints(max_length=200)]
Description = Annotated[str, StringConstraints(max_length=20_000)]
Term = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
EnvKey = Annotated[str, StringConstraints(pattern=ENV_KEY)]
EnvValue = Annotated[str, StringConstraints(max_length=8_192)]
TimeOfDay = Annotated[str, StringConstraints(pattern=TIME_OF_DAY)]
PriorityName = Annotated[
    OfficePriority,
    BeforeValidator(_named),
    WithJsonSchema({"enum": [*PRIORITIES, *range(len(PRIORITIES))]}),
]
Dollars = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Tokens = Annotated[int, Field(ge=0, le=10**15)]


class Fields(BaseModel):
    """Base of all: frozen, no unknown keys, no guessing of types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, cache_strings="none")


class BudgetFields(Fields):
    """Ceilings. 0 means that there is none; what is left out is taken from the office."""

    usd_per_day: Dollars | None = Field(default=None, description="US dollars per office day.")
    tokens_per_day: Tokens | None = Field(default=None, description="Tokens per office day.")
    usd_per_run: Dollars | None = Field(default=None, description="US dollars per run.")
    tokens_per_run: Tokens | None = Field(default=None, description="Tokens per run.")
    turns_per_run: Annotated[int, Field(ge=1, le=TURNS_MAX)] | None = Field(
        default=None, description="Model requests per run."
    )
    seconds_per_run: Annotated[int, Field(ge=0, le=604_800)] | None = Field(
        default=None, description="Real seconds per run."
    )


class ShiftFields(Fields):
    """Working hours of an office day, on the office's clock."""

    start: TimeOfDay = Field(default="08:00", description="When the day begins, as HH:MM.")
    end: TimeOfDay = Field(
        default="18:00", description="When the day ends, as HH:MM; after the start."
    )


class ClockFields(Fields):
    """How office time runs."""

    mode: Literal["wall", "simulated"] = Field(
        default="wall",
        description="wall: now is now. simulated: time runs with the work and skips rests.",
    )
    start_date: Annotated[str, StringConstraints(pattern=DATE)] | None = Field(
        default=None,
        description="Date of simulated day 1, as YYYY-MM-DD; the day of the first start.",
    )
    seconds_per_tick: Annotated[float, Field(gt=0, le=3_600, allow_inf_nan=False)] = Field(
        default=1.0, description="Office seconds in one tick, the smallest step of simulated time."
    )
    sim_seconds_per_real_second: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = (
        Field(
            default=1.0, description="Speed of simulated time while anybody works; 0 stands still."
        )
    )
    fast_forward_idle_s: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = Field(
        default=60.0,
        description="Real seconds of rest before time skips to the next timetable entry.",
    )
    shift: ShiftFields = Field(default_factory=ShiftFields, description="Working hours.")
    workdays: tuple[Weekday, ...] = Field(
        default=WEEKDAYS, min_length=1, description="Days with a shift; every day when left out."
    )


class SchedulerFields(Fields):
    """How soon an agent starts on what lies in its inbox."""

    tick_interval: Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)] = Field(
        default=0.0, description="Seconds between two starts of one agent; 0 starts at once."
    )


class OfficeFields(Fields):
    """The office itself."""

    name: Annotated[str, StringConstraints(pattern=OFFICE_NAME)] | None = Field(
        default=None,
        description="The name in commands and addresses; the folder's name when left out.",
    )
    title: Title = Field(
        default="", description="The name people read; the office's name when left out."
    )
    description: Description = Field(
        default="", description="What the office does; every agent reads it."
    )
    language: Language = Field(default="en", description="Language of the office's own texts.")
    zone: str = Field(default="UTC", description="Time zone, for example Europe/Berlin.")
    model: ModelName | None = Field(
        default=None, description="Model of agents that name none, as provider:model."
    )
    budget: BudgetFields = Field(default_factory=BudgetFields, description="Ceilings.")
    clock: ClockFields = Field(default_factory=ClockFields, description="Office time.")
    scheduler: SchedulerFields = Field(default_factory=SchedulerFields, description="Pacing.")
    env: dict[EnvKey, EnvValue] = Field(
        default_factory=dict,
        description="Environment of every agent's commands; what is called a key, token, password "
        "or the like is kept out of all texts.",
    )
    keep_days: Annotated[int, Field(ge=1, le=36_500)] | None = Field(
        default=None,
        description="Days after which finished work is forgotten but for its outcome and its cost; "
        "all is kept when left out.",
    )
    channel_context: Annotated[int, Field(ge=0, le=100)] = Field(
        default=10, description="Earlier channel messages shown with one that wakes an agent."
    )


class ToolRulesFields(Fields):
    """Which tools an agent may call: only those of ``allow``, or all but those of ``deny``."""

    allow: tuple[Term, ...] | None = Field(default=None, description="Only these.")
    deny: tuple[Term, ...] | None = Field(default=None, description="All but these.")


class PermissionsFields(Fields):
    """What an agent may do."""

    tools: ToolRulesFields = Field(default_factory=ToolRulesFields, description="Tools.")


class ComputerFields(Fields):
    """Where an agent's commands run."""

    kind: Literal["local"] = Field(default="local", description="local: isolated on this machine.")
    network: bool = Field(default=False, description="Whether its commands may reach the network.")


class AgentFields(Fields):
    """One employee."""

    name: Name = Field(description="Letters, digits, _ and -, at most 64.")
    title: Title = Field(default="", description="Its job, as people read it.")
    description: Description = Field(default="", description="What it does; colleagues read it.")
    group: Title = Field(default="", description="Its department.")
    model: ModelName | None = Field(
        default=None, description="provider:model; the office's model when left out."
    )
    fallbacks: tuple[ModelName, ...] = Field(
        default=(), max_length=8, description="Models to try, in order, when its own fails."
    )
    priority: PriorityName = Field(
        default="normal",
        description="Who starts first when not all can; also 0 (idle) to 4 (critical).",
    )
    thinking: Thinking = Field(
        default="low", description="How much the model reasons before answering."
    )
    prompt_inline: Annotated[str, StringConstraints(max_length=20_000)] = Field(
        default="", description="Its role in your words; added after the base prompt."
    )
    prompt_mode: Literal["full", "minimal"] = Field(
        default="full", description="minimal: only base prompt, identity and its role."
    )
    cwd: Annotated[str, StringConstraints(max_length=1_000)] = Field(
        default="",
        description="Folder it works in: absolute, ~/…, or relative to the office's folder; "
        "its own workspace when left out.",
    )
    env: dict[EnvKey, EnvValue] = Field(
        default_factory=dict,
        description="Environment of its commands, over the office's; secrets as there.",
    )
    reports_to: Name | None = Field(
        default=None, description="Its manager; a person when left out."
    )
    keywords: tuple[Term, ...] = Field(
        default=(), max_length=200, description="Broadcasts with one of these words concern it."
    )
    skills: tuple[Term, ...] = Field(
        default=(), max_length=100, description="What it can do, in words."
    )
    salience_threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = Field(
        default=0.4,
        description="How much a broadcast must concern it to wake it; 0 hears everything.",
    )
    permissions: PermissionsFields = Field(
        default_factory=PermissionsFields, description="What it may do."
    )
    computer: ComputerFields = Field(
        default_factory=ComputerFields, description="Where its commands run."
    )
    budget: BudgetFields = Field(
        default_factory=BudgetFields, description="Ceilings of its own; runs inherit the office's."
    )


class ChannelFields(Fields):
    """A conversation of several agents and the people."""

    name: Name = Field(description="Letters, digits, _ and -, at most 64.")
    description: Description = Field(default="", description="What it is for.")
    members: tuple[Name, ...] | None = Field(
        default=None, description="Agents in it; every agent when left out."
    )
    report: bool = Field(
        default=False,
        description="Whether tasks without a report channel of their own are announced here.",
    )


class FileFields(Fields):
    """A whole office.yaml."""

    office: OfficeFields = Field(
        default_factory=OfficeFields, description="Its name, its clock, and what all agents share."
    )
    agents: tuple[AgentFields, ...] = Field(
        default=(), max_length=10_000, description="Who works here."
    )
    channels: tuple[ChannelFields, ...] = Field(
        default=(), max_length=1_000, description="Channels; general is made when it is left out."
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema of office.yaml, for editors and the reference page."""
    schema = FileFields.model_json_schema(mode="validation")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Dayshift office.yaml",
        **{key: value for key, value in schema.items() if key != "title"},
    }
