"""Models from the command line: which can be used here, and files that run on this machine."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from tests.spec.cli_stage import run

if TYPE_CHECKING:
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)


async def test_usable_models_are_listed_with_what_they_cost(tmp_path: Path) -> None:
    """Without a key there is the rehearsal; with one, that provider's models.

    Demanded by: MODEL-1; MODEL-2.
    """
    bare = await run("model", "list", "--json", home=tmp_path)
    keyed = await run(
        "model", "list", home=tmp_path, variables={"ANTHROPIC_API_KEY": "sk-ant-canary"}
    )
    assert "rehearsal" in {each["id"] for each in bare.document["providers"]}
    assert "anthropic:claude" in keyed.out
    assert "sk-ant-canary" not in keyed.out + keyed.err


async def test_a_model_file_is_copied_into_the_home(tmp_path: Path) -> None:
    """Whatever is no GGUF file is refused, and nothing is copied.

    Demanded by: the working office, 1.3, the local extra.
    """
    home, file = tmp_path / "home", tmp_path / "tiny.gguf"
    file.write_bytes(b"GGUF and so on")
    other = tmp_path / "readme.gguf"
    other.write_bytes(b"# Read me")
    added = await run("model", "add", str(file), home=home)
    wrong = await run("model", "add", str(other), home=home)
    missing = await run("model", "add", str(tmp_path / "none.gguf"), home=home)
    unknown = await run("model", "install", "big", home=home)
    assert (added.code, added.out) == (
        0,
        "local:tiny is added. Use it: dayshift up --model local:tiny\n",
    )
    assert [path.name for path in (home / "models").iterdir()] == ["tiny.gguf"]
    assert [wrong.code, missing.code, unknown.code] == [2, 4, 2]


async def test_a_model_file_is_held_to_its_hash(tmp_path: Path) -> None:
    """Another hash than the one given is refused, and so is another model of the same name.

    Demanded by: stack, the zero-key default.
    """
    home, file = tmp_path / "home", tmp_path / "tiny.gguf"
    file.write_bytes(b"GGUF and so on")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    wrong = await run("model", "add", str(file), "--sha256", "0" * 64, home=home)
    kept_nothing = not (home / "models").exists()
    added = await run("model", "add", str(file), "--sha256", digest.upper(), home=home)
    again = await run("model", "add", str(file), home=home)
    file.write_bytes(b"GGUF and otherwise")
    other = await run("model", "add", str(file), home=home)
    assert [wrong.code, added.code, again.code, other.code] == [2, 0, 0, 3]
    assert kept_nothing
    assert digest in wrong.err
    assert (home / "models" / "tiny.gguf").read_bytes() == b"GGUF and so on"


async def test_a_home_that_takes_no_file_is_said(tmp_path: Path) -> None:
    """In a sentence with the reason, not by a traceback.

    Demanded by: the working office, 3, bad input.
    """
    home, file = tmp_path / "home", tmp_path / "tiny.gguf"
    file.write_bytes(b"GGUF and so on")
    home.mkdir()
    (home / "models").write_text("in the way")
    added = await run("model", "add", str(file), home=home)
    fetched = await run("model", "install", "smollm2", home=home)
    assert [added.code, fetched.code] == [1, 1]
    assert "could not be copied" in added.err
    assert "could not be put into" in fetched.err
    assert "Traceback" not in added.err + fetched.err
