"""Settings: which source wins, what is refused and how."""

from __future__ import annotations

import pytest

from dayshift.app.settings import Settings, described, resolve
from dayshift.core.errors import InvalidError


def test_a_flag_wins_over_the_environment_over_the_file_over_the_default() -> None:
    """Each setting says where it came from.

    Demanded by: PLAT-4, precedence of settings.
    """
    resolved = resolve(
        {"port": 9000, "host": None},
        {"DAYSHIFT_PORT": "9001", "DAYSHIFT_HOST": "127.0.0.2", "DAYSHIFT_LOG": ""},
        {"port": 9002, "host": "127.0.0.3", "model": "rehearsal:landing-page"},
    )
    settings = resolved.settings
    assert (settings.port, settings.host, settings.model, settings.log) == (
        9000,
        "127.0.0.2",
        "rehearsal:landing-page",
        "info",
    )
    origins = resolved.origins
    assert (origins["port"], origins["host"], origins["model"], origins["log"]) == (
        "flag",
        "environment",
        "file",
        "default",
    )


@pytest.mark.parametrize(
    ("flags", "variables", "file", "message"),
    [
        (
            {},
            {"DAYSHIFT_PORT": "high"},
            {},
            "'high' of DAYSHIFT_PORT cannot be used: it must be a whole number from 0 to 65535.",
        ),
        (
            {"port": 70_000},
            {},
            {},
            "70000 of --port cannot be used: it must be a whole number from 0 to 65535.",
        ),
        (
            {},
            {},
            {"log": "loud"},
            (
                "'loud' of 'log' in settings.yaml cannot be used: "
                "it must be one of debug, info, warning, error."
            ),
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_place(
    flags: dict[str, int], variables: dict[str, str], file: dict[str, str], message: str
) -> None:
    """The message names the flag, the variable or the line, and what would fit.

    Demanded by: the working office, bad input.
    """
    with pytest.raises(InvalidError) as caught:
        resolve(flags, variables, file)
    assert caught.value.message == message


def test_a_secret_setting_is_never_printed() -> None:
    """Neither the settings in a traceback nor a refusal show it.

    Demanded by: PLAT-6.
    """
    settings = Settings(token="canary-token", database_url="postgresql://ada:canary@db/office")
    with pytest.raises(InvalidError) as caught:
        resolve({}, {"DAYSHIFT_TOKEN": "canary" * 100}, {})
    assert "canary" not in f"{settings!r} {settings} {caught.value} {caught.value.hint}"


def test_every_setting_is_described() -> None:
    """The reference page has a sentence and a unit for each.

    Demanded by: PLAT-4.
    """
    assert [
        each.name for each in described() if not (each.description.endswith(".") and each.unit)
    ] == []
    assert [each.variable for each in described()][:3] == [
        "DAYSHIFT_HOME",
        "DAYSHIFT_HOST",
        "DAYSHIFT_PORT",
    ]
