"""Which user an agent is, where the server is root."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from dayshift.computers.uids import FIRST, LAST, Uids, owner_of
from dayshift.core.errors import ComputerError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes users")


def _workspace(home: Path, agent: str) -> Path:
    return home / "offices" / "acme" / "agents" / agent / "workspace"


def test_every_agent_of_a_home_is_another_user_and_stays_it(tmp_path: Path) -> None:
    """Also after a restart, since nothing but the workspace remembers it.

    Demanded by: CAP-1.
    """
    agents = ["iris", "juno", "kai"]
    first = [Uids(tmp_path).claim(_workspace(tmp_path, agent)) for agent in agents]
    again = [Uids(tmp_path).claim(_workspace(tmp_path, agent)) for agent in reversed(agents)]
    assert len(set(first)) == 3
    assert again == first[::-1]
    assert all(FIRST <= uid <= LAST for uid in first)


def test_what_others_put_into_a_workspace_becomes_its_agents(tmp_path: Path) -> None:
    """Folders, files and links themselves; what a link points to stays whose it is.

    Demanded by: PROC-05, SEC-05.
    """
    workspace = _workspace(tmp_path, "iris")
    (workspace / "brief").mkdir(parents=True)
    (workspace / "brief" / "a.txt").write_text("1")
    (tmp_path / "secret").write_text("1")
    (workspace / "link").symlink_to(tmp_path / "secret")
    uid = Uids(tmp_path).claim(workspace)
    owners = {path.lstat().st_uid for path in workspace.rglob("*")}
    assert owners == {uid}
    assert (tmp_path / "secret").stat().st_uid == 0
    assert workspace.stat().st_mode & 0o777 == 0o700


def test_an_agent_in_a_persons_folder_is_that_person(tmp_path: Path) -> None:
    """Root's folders are refused, and so is what is no folder; the refusal says what to do.

    Demanded by: AGENT-1 (cwd), CAP-1.
    """
    os.chown(tmp_path, 1234, 1234)
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "roots").mkdir()
    assert owner_of(tmp_path) == 1234
    for refused in (tmp_path / "link", tmp_path / "missing", tmp_path / "roots"):
        with pytest.raises(ComputerError):
            owner_of(refused)
