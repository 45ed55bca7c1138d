"""Configuration files on disk: whole, durable, one process at a time."""

import os
import threading
from pathlib import Path

import pytest

from dayshift.config.edit import add_agent, edit
from dayshift.config.files import locked, replace_file
from dayshift.config.office import load
from dayshift.core.errors import ConflictError, StorageError


def test_a_replaced_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    """The content changes in one step; nothing else of the file does.

    Demanded by: STOR-01.
    """
    real, link, new = tmp_path / "real.yaml", tmp_path / "link.yaml", tmp_path / "new.yaml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)

    replace_file(link, b"new")
    replace_file(new, b"fresh")

    assert (real.read_text(), link.is_symlink(), real.stat().st_mode & 0o777) == (
        "new",
        True,
        0o640,
    )
    assert (new.read_text(), new.stat().st_mode & 0o777) == ("fresh", 0o600)
    assert sorted(os.listdir(tmp_path)) == ["link.yaml", "new.yaml", "real.yaml"]


def test_a_disk_that_refuses_is_told_and_leaves_the_old_file(tmp_path: Path) -> None:
    """A folder in the file's place, and a file in the folder's.

    Demanded by: STOR-01.
    """
    folder = tmp_path / "office.yaml"
    folder.mkdir()

    with pytest.raises(StorageError, match=r"office.yaml cannot be written: Is a directory"):
        replace_file(folder, b"new")
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match=r"office\.yaml cannot be written"),
        locked(tmp_path / "file" / "office.yaml"),
    ):
        pass
    assert sorted(os.listdir(tmp_path)) == ["file", "office.yaml"]


def test_one_at_a_time(tmp_path: Path) -> None:
    """While one changes the file others wait; whoever waits too long is told.

    Demanded by: STOR-01, AGENT-1.
    """
    path = tmp_path / "office.yaml"
    path.write_text("agents:\n  - name: iris\n")
    names = [f"a{n}" for n in range(8)]
    threads = [
        threading.Thread(target=edit, args=(path, add_agent({"name": name})), kwargs={"env": {}})
        for name in names
    ]
    with locked(path):
        [thread.start() for thread in threads]
        with (
            pytest.raises(ConflictError, match="Somebody else has been"),
            locked(path, wait_s=0.01),
        ):
            pass
    [thread.join(timeout=30) for thread in threads]

    assert {agent.name for agent in load(path, {}).agents} == {"iris", *names}
