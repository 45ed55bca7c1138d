"""Offices of a home, without a server: listed, checked, and every fault told at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.spec.cli_stage import run

if TYPE_CHECKING:
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

GOOD = """\
office:
  title: Acme
agents:
  - name: iris
  - name: juno
    reports_to: iris
"""
BAD = """\
office:
  naem: acme
agents:
  - name: iris
    reports_to: iris
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with an office in order and one with two faults."""
    for name, text in (("acme", GOOD), ("beta", BAD)):
        folder = tmp_path / "offices" / name
        folder.mkdir(parents=True)
        (folder / "office.yaml").write_text(text, encoding="utf-8")
    return tmp_path


async def test_every_fault_is_told_with_file_line_and_column(home: Path) -> None:
    """A person finds them all at once; a program reads them as one document; the command fails.

    Demanded by: AGENT-1; the working office, bad input.
    """
    beta = home / "offices" / "beta" / "office.yaml"
    told = await run("office", "validate", "beta", home=home)
    read = await run("office", "validate", str(beta), "--json", home=home)
    assert (told.code, told.out.splitlines()) == (
        1,
        [
            f"{beta}:2:3: Unknown key 'naem'. Did you mean 'name'?",
            f"{beta}:5:17: 'iris' cannot report to itself.",
            f"2 faults in {beta}.",
        ],
    )
    faults = [(each["line"], each["column"]) for each in read.document["faults"]]
    assert (read.code, read.document["valid"], faults) == (1, False, [(2, 3), (5, 17)])


async def test_a_model_that_nobody_knows_is_a_fault_and_a_missing_key_is_not(home: Path) -> None:
    """Near models are named at the model's place; a key is named by its variable.

    Demanded by: the working office, bad input; MODEL-1.
    """
    file = home / "offices" / "acme" / "office.yaml"
    unknown = GOOD.replace("title: Acme", "model: antropic:claude-sonnet-4-5")
    file.write_text(unknown, encoding="utf-8")
    wrong = await run("office", "validate", "acme", home=home)
    file.write_text(unknown.replace("antropic", "anthropic"), encoding="utf-8")
    keyless = await run("office", "validate", "acme", home=home)
    with_key = await run(
        "office", "validate", "acme", home=home, variables={"ANTHROPIC_API_KEY": "sk-canary"}
    )
    assert wrong.code == 1
    assert wrong.out.startswith(f"{file}:2:10: No provider knows 'antropic:claude-sonnet-4-5'.")
    assert "anthropic:claude-sonnet-4-5" in wrong.out
    assert (keyless.code, "ANTHROPIC_API_KEY is not set" in keyless.out) == (0, True)
    assert (with_key.code, with_key.out) == (0, f"{file} is valid.\n")


async def test_an_office_in_order_is_said_to_be_valid(home: Path) -> None:
    """By name, by folder and by file.

    Demanded by: AGENT-1.
    """
    folder = home / "offices" / "acme"
    by_name = await run("office", "validate", "acme", home=home)
    by_folder = await run("office", "validate", str(folder), home=home)
    assert (by_name.code, by_name.out) == (0, f"{folder}/office.yaml is valid.\n")
    assert by_folder.out == by_name.out


async def test_offices_are_listed_without_a_server(home: Path) -> None:
    """What is not there is exit code 4, with the names of those that are.

    Demanded by: PLAT-4; AGENT-8.
    """
    listed = await run("office", "list", "--json", home=home)
    missing = await run("office", "validate", "gamma", home=home)
    assert listed.document == {"offices": ["acme", "beta"]}
    assert missing.code == 4
    assert "Hint: Offices there: acme, beta." in missing.err


async def test_an_office_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """The disk's refusal is a sentence.

    Demanded by: the working office, 3, bad input (a full disk).
    """
    (tmp_path / "offices").write_text("in the way")
    made = await run("office", "create", "acme", home=tmp_path)
    assert made.code == 1
    assert "The office acme cannot be made in" in made.err
    assert "Traceback" not in made.err
