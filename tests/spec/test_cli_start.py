"""A start that cannot work says so at once, and makes nothing."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.spec.cli_stage import DAYSHIFT
from tests.spec.real_server import make_office, served

if TYPE_CHECKING:
    from pathlib import Path

START_LIMIT_S = 60.0


def refused_start(home: Path, *arguments: str) -> tuple[int, str]:
    """The exit code and the words of a server that does not start."""
    ended = subprocess.run(
        [DAYSHIFT, "up", "--port", "0", *arguments],
        env={"PATH": os.environ["PATH"], "DAYSHIFT_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=START_LIMIT_S,
        check=False,
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("opnai:gpt-5", "Did you mean openai:gpt-5?"),
        ("openai:gpt-5", "OPENAI_API_KEY is not set"),
        ("openai", "Say openai:"),
        ("nonsense", "A model is named provider:model."),
        ("local:nothing", "dayshift model install"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_before_anything_is_made(
    tmp_path: Path, model: str, told: str
) -> None:
    """The demo office is not made for it, and its first request is not wasted.

    Demanded by: bad input, a model that no provider knows, missing key.
    """
    code, words = refused_start(tmp_path, "--model", model)
    assert code == 2
    assert told in words
    assert not (tmp_path / "offices").exists()


def test_an_office_that_was_named_must_be_right(tmp_path: Path) -> None:
    """Its faults are told with their places and near matches, and no server starts.

    Demanded by: bad input, unknown keys.
    """
    make_office(tmp_path)
    file = tmp_path / "offices" / "acme" / "office.yaml"
    file.write_text(file.read_text().replace("agents:", "agentz:"))
    code, words = refused_start(tmp_path, "acme")
    assert code == 2
    assert "office.yaml:3:1: Unknown key 'agentz'. Did you mean 'agents'?" in words


def test_one_wrong_office_does_not_keep_the_others_shut(tmp_path: Path) -> None:
    """It is told of; the rest works.

    Demanded by: AGENT-8, bad input.
    """
    make_office(tmp_path)
    make_office(tmp_path, "other")
    file = tmp_path / "offices" / "acme" / "office.yaml"
    file.write_text(file.read_text().replace("agents:", "agentz:"))
    with served(tmp_path) as running:
        assert "The office acme stays shut" in running.announced
        assert "Did you mean 'agents'?" in running.announced
        assert "The office other is a rehearsal" in running.announced


def test_an_office_whose_model_cannot_be_asked_says_so_at_the_start(tmp_path: Path) -> None:
    """Which model, which variable; the office opens, since a key may come later.

    Demanded by: MODEL-1, missing key.
    """
    make_office(tmp_path)
    file = tmp_path / "offices" / "acme" / "office.yaml"
    file.write_text(file.read_text().replace("title: Acme", "model: anthropic:claude-sonnet-4-5"))
    with served(tmp_path) as running:
        assert "ANTHROPIC_API_KEY is not set" in running.announced
        assert "stays shut" not in running.announced


def test_a_screenplay_that_is_wrong_is_told_by_its_own_place(tmp_path: Path) -> None:
    """File, line and column are the screenplay's.

    Demanded by: MODEL-6, bad input.
    """
    make_office(tmp_path)
    (tmp_path / "offices" / "acme" / "screenplay.yaml").write_text("scenes: [")
    code, words = refused_start(tmp_path, "acme")
    assert code == 2
    assert words.startswith(f"dayshift: {tmp_path}/offices/acme/screenplay.yaml:1:")


def test_the_demo_office_is_asked_its_first_request_once(tmp_path: Path) -> None:
    """Also when its folder was made, and the process killed before anybody spoke.

    Demanded by: PLAT-4, one command; RUN-4.
    """
    dayshift(tmp_path, "office", "create", "landing-page", "--from", "landing-page")
    request = "Please make a landing page"

    first, second = said_after_a_start(tmp_path), said_after_a_start(tmp_path)

    assert first[0].startswith(request)
    assert [text.startswith(request) for text in second].count(True) == 1


def said_after_a_start(home: Path) -> list[str]:
    """What was said in the demo's first conversation when the server stands; then it is killed."""
    with served(home) as running:
        shown = dayshift(home, "thread", "show", "dm:owner:pm", "--json")
        running.kill()
    items: list[dict[str, str]] = json.loads(shown)["items"]
    return [item["text"] for item in reversed(items)]


def dayshift(home: Path, *arguments: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [DAYSHIFT, *arguments],
        env={"PATH": os.environ["PATH"], "DAYSHIFT_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=START_LIMIT_S,
        check=True,
    )
    return done.stdout
