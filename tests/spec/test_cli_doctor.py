"""The doctor: what it finds, said so that a person can act on it, without changing anything."""

from __future__ import annotations

import socket
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tests.spec.cli_stage import run, stage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.spec.cli_stage import Done

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)


def _finding(done: Done, name: str) -> dict[str, Any]:
    return next(each for each in done.document["findings"] if each["name"] == name)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that nobody else may look into."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    return home


async def test_a_machine_in_order_is_found_in_order(tmp_path: Path) -> None:
    """Every examination is told, the home is not made, and the command ends well.

    Demanded by: PLAT-4; the working office, doctor.
    """
    home = tmp_path / "not-yet"
    done = await run("doctor", "--json", home=home, variables={"DAYSHIFT_PORT": "0"})
    names = [each["name"] for each in done.document["findings"]]
    assert names == [
        "Python",
        "Web UI",
        "Home",
        "Disk",
        "Open files",
        "Database",
        "Port",
        "Isolation",
        "Providers",
    ]
    assert _finding(done, "Home")["told"] == f"{home} will be made."
    assert not home.exists()
    assert done.document["isolation"]["in_force"] in {"bubblewrap", "landlock", "refused"}


async def test_a_taken_port_is_named_with_the_way_to_another(home: Path) -> None:
    """The doctor ends with 1 when something stands in the way.

    Demanded by: the working office, a port in use.
    """
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = await run("doctor", "--json", home=home, variables={"DAYSHIFT_PORT": port})
    assert done.code == 1
    assert _finding(done, "Port") == {
        "name": "Port",
        "verdict": "bad",
        "told": f"127.0.0.1:{port} cannot be listened on: Address already in use.",
        "hint": "Another one is named by DAYSHIFT_PORT or --port.",
    }


async def test_the_port_of_the_running_server_is_no_problem(home: Path) -> None:
    """What listens there is this home's server.

    Demanded by: the working office, doctor.
    """
    async with stage(home) as server:
        server.answers["health"] = {"status": "ok"}
        done = await run("doctor", "--json", home=home)
    assert _finding(done, "Port")["told"] == f"The server of this home answers at {server.url}."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no database at all, but long enough to look at" * 20, "The database file is damaged"),
        (b"", "will be made"),
    ],
)
async def test_a_damaged_database_is_told_and_left_alone(
    home: Path, content: bytes, told: str
) -> None:
    """The file is not written to.

    Demanded by: the working office, a corrupt database file.
    """
    file = home / "dayshift.sqlite3"
    file.write_bytes(content)
    done = await run("doctor", "--json", home=home, variables={"DAYSHIFT_PORT": "0"})
    assert told in _finding(done, "Database")["told"]
    assert file.read_bytes() == content


async def test_a_database_of_another_version_is_told(home: Path) -> None:
    """A newer schema is named, and will be refused.

    Demanded by: the working office, a newer database.
    """
    connection = sqlite3.connect(home / "dayshift.sqlite3")
    connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
    connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.commit()
    connection.close()
    done = await run("doctor", home=home, variables={"DAYSHIFT_PORT": "0"})
    assert "has schema 9999" in done.out
    assert "a newer one is refused" in done.out


async def test_providers_are_told_with_why_not(home: Path) -> None:
    """A key makes a provider usable; the others name the variable that is missing. No key is shown.

    Demanded by: the working office, doctor; MODEL-1; PLAT-6.
    """
    done = await run(
        "doctor",
        "--json",
        home=home,
        variables={"DAYSHIFT_PORT": "0", "DEEPSEEK_API_KEY": "sk-canary-9"},
    )
    plain = await run("doctor", home=home, variables={"DAYSHIFT_PORT": "0"})
    providers = {each["id"]: each for each in done.document["providers"]}
    assert providers["deepseek"]["usable"] is True
    assert "MISTRAL_API_KEY is not set" in providers["mistral"]["reason"]
    assert _finding(done, "Providers")["told"] == "Models can be used at DeepSeek."
    assert "offices rehearse by a script, and no AI is running" in plain.out
    assert "sk-canary-9" not in done.out + done.err


async def test_an_open_home_is_noted(home: Path) -> None:
    """Others may look in: worth knowing, and no reason to stop.

    Demanded by: PLAT-6.
    """
    home.chmod(0o755)  # noqa: ASYNC240  a moment, in a test
    done = await run("doctor", "--json", home=home, variables={"DAYSHIFT_PORT": "0"})
    found = _finding(done, "Home")
    assert (found["verdict"], found["hint"]) == ("note", f"Close it: chmod 700 {home}")
