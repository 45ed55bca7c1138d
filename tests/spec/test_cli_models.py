"""Models from the command line: which can be used here, and files that run on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.spec.cli_stage import run

if TYPE_CHECKING:
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(60)


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

    Demanded by: issue 2, 1.3, the local extra.
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
