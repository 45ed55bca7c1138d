"""The home's settings file: what it sets, and what is wrong with it."""

from pathlib import Path

import pytest

from dayshift.config.home import Kind, read_settings
from dayshift.config.place import Place
from dayshift.core.errors import ConfigErrors

KNOWN: dict[str, Kind] = {"host": str, "port": int, "allow_unisolated": bool, "model": str}


def written(home: Path, text: str) -> Path:
    """A home with a settings file."""
    (home / "settings.yaml").write_text(text)
    return home


def test_what_the_file_sets(tmp_path: Path) -> None:
    """Text, numbers and yes or no, each with its place; a key without a value sets nothing.

    Demanded by: PLAT-6.
    """
    home = written(tmp_path, "# mine\nhost: 0.0.0.0\nport: 9000\nallow_unisolated: true\nmodel:\n")

    settings = read_settings(home, KNOWN)

    assert settings.values == {"host": "0.0.0.0", "port": 9000, "allow_unisolated": True}  # noqa: S104  read, not bound
    assert settings.places.of(("port",)) == Place(3, 7)


@pytest.mark.parametrize("text", ["", "  \n", "{}"])
def test_an_empty_file_sets_nothing(tmp_path: Path, text: str) -> None:
    """Neither does a file that is not there.

    Demanded by: PLAT-6.
    """
    assert read_settings(written(tmp_path, text), KNOWN).values == {}
    assert read_settings(tmp_path / "elsewhere", KNOWN).values == {}


def test_every_fault_is_told_at_once_and_at_its_place(tmp_path: Path) -> None:
    """Unknown settings with near matches, wrong kinds with what was expected.

    Demanded by: PLAT-6.
    """
    home = written(tmp_path, "prot: 1\nxyzzy: 2\nhost: 5\nport: many\nallow_unisolated: yes\n")

    with pytest.raises(ConfigErrors) as refused:
        read_settings(home, KNOWN)

    file = home / "settings.yaml"
    assert refused.value.message.splitlines() == [
        f"{file}:1:1: There is no setting 'prot'. Did you mean 'port'?",
        (
            f"{file}:2:1: There is no setting 'xyzzy'. "
            "Known here: host, port, allow_unisolated, model."
        ),
        f"{file}:3:7: Expected text. Put it in quotes.",
        f"{file}:4:7: Expected a whole number.",
        f"{file}:5:19: Expected true or false.",
    ]


def test_a_file_that_is_no_settings_file_is_refused(tmp_path: Path) -> None:
    """No mapping, no YAML, no file.

    Demanded by: PLAT-6.
    """
    with pytest.raises(ConfigErrors, match="must hold a mapping"):
        read_settings(written(tmp_path, "- port"), KNOWN)
    with pytest.raises(ConfigErrors, match="A tab stands where YAML needs spaces"):
        read_settings(written(tmp_path, "port:\t- 1"), KNOWN)
    (tmp_path / "settings.yaml").unlink()
    (tmp_path / "settings.yaml").mkdir()
    with pytest.raises(ConfigErrors, match="cannot be read: Is a directory"):
        read_settings(tmp_path, KNOWN)
