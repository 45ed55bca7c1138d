"""Settings: what the person who starts Dayshift may decide; only this file reads the environment.

Every field is a setting: its name gives the variable (``port`` is ``DAYSHIFT_PORT``), its
description the reference page. A flag wins over the environment, the environment over the home's
settings file, and that over the default. Adding one is a recipe (docs/extend).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

import msgspec
from msgspec import Meta

from dayshift.core.errors import InvalidError

PREFIX = "DAYSHIFT_"
Origin = Literal["flag", "environment", "file", "default"]
LogLevel = Literal["debug", "info", "warning", "error"]
_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def _choice(description: str, *, unit: str) -> Meta:
    return Meta(description=description, extra={"unit": unit, "secret": False})


def _number(description: str, *, unit: str, ge: int, le: int) -> Meta:
    return Meta(description=description, extra={"unit": unit, "secret": False}, ge=ge, le=le)


def _text(
    description: str, *, unit: str, chars_max: int, chars_min: int = 0, secret: bool = False
) -> Meta:
    extra = {"unit": unit, "secret": secret}
    return Meta(description=description, extra=extra, min_length=chars_min, max_length=chars_max)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the person who starts Dayshift decided."""

    home: Annotated[
        str,
        _text(
            "The folder with the database, the offices and `settings.yaml`.",
            unit="path",
            chars_min=1,
            chars_max=4_096,
        ),
    ] = "~/.dayshift"
    host: Annotated[
        str,
        _text(
            "The address the server listens on.", unit="name or address", chars_min=1, chars_max=255
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        _number(
            "The port the server listens on; 0 takes any that is free.",
            unit="port",
            ge=0,
            le=65_535,
        ),
    ] = 8787
    model: Annotated[
        str,
        _text(
            "The model of every agent whose office file names none; "
            "empty lets the server choose from what it finds.",
            unit="provider:model",
            chars_max=200,
        ),
    ] = ""
    database_url: Annotated[
        str,
        _text(
            "A PostgreSQL database to keep the ledger in; empty is a SQLite file in the home.",
            unit="URL",
            secret=True,
            chars_max=2_000,
        ),
    ] = ""
    log: Annotated[
        LogLevel, _choice("How much the server tells on standard error.", unit="level")
    ] = "info"
    stop_grace_s: Annotated[
        int,
        _number(
            "How long turns under way may go on when the server is told to stop; "
            "what is left then is cut off, and taken up at the next start.",
            unit="seconds",
            ge=0,
            le=600,
        ),
    ] = 8
    allow_unisolated: Annotated[
        bool,
        _choice(
            "Whether agents may run commands where nothing isolates them; "
            "they can then read what the server's account can read.",
            unit="yes or no",
        ),
    ] = False
    allow_plain_http: Annotated[
        bool,
        _choice(
            "Whether the server may listen beyond this machine without TLS; "
            "messages and tokens can then be read on the way.",
            unit="yes or no",
        ),
    ] = False
    public_url: Annotated[
        str,
        _text(
            "The address at which browsers reach the server through a proxy, "
            "as in https://office.example.org; empty is the address it listens on.",
            unit="URL",
            chars_max=300,
        ),
    ] = ""
    url: Annotated[
        str,
        _text(
            "A server elsewhere that the command line shall speak to; "
            "empty is the one that runs for the home.",
            unit="URL",
            chars_max=2_000,
        ),
    ] = ""
    token: Annotated[
        str,
        _text(
            "The API token for the server that `url` names.",
            unit="token",
            secret=True,
            chars_max=500,
        ),
    ] = ""

    @property
    def home_path(self) -> Path:
        """The home as an absolute path."""
        return Path(self.home).expanduser().absolute()

    @property
    def database_file(self) -> Path:
        """The SQLite file of the home, used when no ``database_url`` is set."""
        return self.home_path / "dayshift.sqlite3"

    def __repr__(self) -> str:  # pyright: ignore[reportImplicitOverride]  override is of 3.12
        """The home alone: a printed settings object must not carry a secret."""
        return f"Settings(home={self.home!r}, …)"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is known of one field of ``Settings``."""

    name: str
    variable: str
    description: str
    unit: str
    is_secret: bool
    default: str | int | bool
    bounds: str
    """What is accepted, in words."""


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """The settings in force, and where each of them came from."""

    settings: Settings
    origins: Mapping[str, Origin]


def environment() -> Mapping[str, str]:
    """The environment the process was started with."""
    return os.environ  # noqa: TID251  this is the one place that reads it


def described() -> list[Setting]:
    """Every setting, in the order of the reference page."""
    hints = get_type_hints(Settings, include_extras=True)
    return [
        _described(field.name, hints[field.name], field.default)
        for field in msgspec.structs.fields(Settings)
    ]


def resolve(
    flags: Mapping[str, str | int | bool | None],
    variables: Mapping[str, str],
    file: Mapping[str, str | int | bool] | None = None,
) -> Resolved:
    """Merge what flags, environment and settings file say.

    Args:
        flags: Setting to value; ``None`` is a flag that was not given.
        variables: The environment. Variables of Dayshift's that are no setting are left alone.
        file: Setting to value, as checked by the settings file's own reader.

    Raises:
        InvalidError: A value that does not fit; the message names where it stands.
    """
    values: dict[str, str | int | bool] = {}
    origins: dict[str, Origin] = {}
    for setting in described():
        flag, told = flags.get(setting.name), variables.get(setting.variable, "")
        if flag is not None:
            values[setting.name], origins[setting.name] = flag, "flag"
        elif told:
            values[setting.name], origins[setting.name] = told, "environment"
        elif file is not None and setting.name in file:
            values[setting.name], origins[setting.name] = file[setting.name], "file"
        else:
            origins[setting.name] = "default"
    known = {setting.name: setting for setting in described()}
    checked = {name: _checked(known[name], value, origins[name]) for name, value in values.items()}
    return Resolved(settings=Settings(**checked), origins=origins)


def _described(name: str, hint: object, default: object) -> Setting:
    kind, *metas = get_args(hint)
    told: dict[str, Any] = {}
    for meta in cast("list[Meta]", metas):
        told |= {
            "description": meta.description or "",
            "extra": meta.extra or {},
            "ge": meta.ge,
            "le": meta.le,
        }
    return Setting(
        name=name,
        variable=PREFIX + name.upper(),
        description=told["description"],
        unit=told["extra"]["unit"],
        is_secret=told["extra"]["secret"],
        default=cast("str | int | bool", default),
        bounds=_bounds(kind, told),
    )


def _bounds(kind: object, told: Mapping[str, Any]) -> str:
    if kind is bool:
        return "true or false"
    if kind is int:
        return f"a whole number from {told['ge']} to {told['le']}"
    if choices := get_args(kind):
        return f"one of {', '.join(choices)}"
    return "text"


def _checked(setting: Setting, value: str | int | bool, origin: Origin) -> Any:  # noqa: ANN401  the field's own type
    hint = get_type_hints(Settings, include_extras=True)[setting.name]
    text = _WORDS.get(value.lower(), value) if isinstance(value, str) and _is_bool(hint) else value
    try:
        return msgspec.convert(text, hint, strict=False)
    except msgspec.ValidationError as error:
        where = {"flag": f"--{setting.name.replace('_', '-')}", "environment": setting.variable}
        place = where.get(origin, f"'{setting.name}' in settings.yaml")
        told = "The value" if setting.is_secret else repr(value)
        raise InvalidError(
            f"{told} of {place} cannot be used: it must be {setting.bounds}.",
            hint=f"{setting.description} The default is {setting.default!r}.",
        ) from error


def _is_bool(hint: object) -> bool:
    return get_args(hint)[0] is bool
