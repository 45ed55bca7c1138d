"""Files below one folder: no name, no link and no rename leads out of it."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dayshift.computers.paths import Folder
from dayshift.core.errors import DeniedError, InvalidError, NotFoundError, OfficeError, StorageError

if TYPE_CHECKING:
    from collections.abc import Generator

CANARY = b"canary-77b2"
UNSEEN = "plan-7c2"
NAMES = ("a", "b", "c")
RACES = 3_000
AT_CWD, EXCHANGE = -100, 2
KILLED = """
import os, signal, sys
from dayshift.computers.paths import Folder

def kill(event, arguments):
    if event == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
Folder(sys.argv[1], seen_as="/workspace").write("page.html", b"new")
"""
PART = st.sampled_from([*NAMES, "..", ".", "", "outside", "workspace"])
PATHS = st.builds(
    lambda start, parts: start + "/".join(parts),
    st.sampled_from(["", "", "", "/workspace/", "/", "~/", "/workspace/../"]),
    st.lists(PART, max_size=6),
)
TARGETS = st.builds(
    "/".join, st.lists(st.sampled_from([*NAMES, "..", "outside"]), min_size=1, max_size=5)
)
NODES = st.recursive(
    st.one_of(
        st.builds(lambda data: ("file", data), st.binary(max_size=8)),
        st.builds(lambda target: ("link", target), TARGETS),
        st.just(("hard link", "")),
        st.just(("absolute link", "")),
        st.just(("pipe", "")),
    ),
    lambda children: st.builds(
        lambda inside: ("folder", inside),
        st.dictionaries(st.sampled_from(NAMES), children, max_size=3),
    ),
    max_leaves=10,
)
TREES = st.dictionaries(st.sampled_from(NAMES), NODES, max_size=3)


@contextmanager
def _stage(tree: dict[str, tuple[str, object]]) -> Generator[tuple[Folder, Path]]:
    """A workspace as generated, beside a folder of secrets."""
    with tempfile.TemporaryDirectory(prefix="dayshift-") as base:
        outside = Path(base, "outside")
        outside.mkdir()
        (outside / UNSEEN).write_bytes(CANARY)
        (outside / "a").write_bytes(CANARY)
        workspace = Path(base, "workspace")
        _grow(workspace, tree, outside)
        yield Folder(workspace, seen_as="/workspace"), outside


def _grow(folder: Path, tree: dict[str, tuple[str, object]], outside: Path) -> None:
    folder.mkdir()
    for name, (kind, inside) in tree.items():
        path = folder / name
        match kind, inside:
            case "folder", dict():
                _grow(path, inside, outside)
            case "file", bytes():
                path.write_bytes(inside)
            case "link", str():
                path.symlink_to(inside)
            case "absolute link", _:
                path.symlink_to(outside)
            case "hard link", _:
                path.hardlink_to(outside / UNSEEN)
            case _:
                os.mkfifo(path)


def _snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files of a folder, with their contents and modes."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode)
        for path in folder.rglob("*")
        if path.is_file()
    }


@settings(max_examples=400, deadline=None)
@given(tree=TREES, path=PATHS)
def test_whatever_lies_there_nothing_outside_is_read(
    tree: dict[str, tuple[str, object]], path: str
) -> None:
    """Files, folders and links of every kind, asked for by every path.

    Demanded by: SEC-05.
    """
    with _stage(tree) as (folder, outside):
        before = _snapshot(outside)
        told = ""
        for ask in (folder.read, folder.entries, folder.walk, folder.info):
            try:
                told += repr(ask(path))
            except OfficeError as error:
                told += error.message + error.hint
        assert CANARY.decode() not in told
        assert UNSEEN not in told
        assert _snapshot(outside) == before


@settings(max_examples=400, deadline=None)
@given(tree=TREES, path=PATHS)
def test_whatever_lies_there_nothing_outside_is_changed(
    tree: dict[str, tuple[str, object]], path: str
) -> None:
    """What is written is read back as written, or refused with nothing left of it; deleting too.

    Demanded by: SEC-05, the working office (bad input).
    """
    with _stage(tree) as (folder, outside):
        before = _snapshot(outside)
        inside = {info.path for info in folder.walk("")}
        try:
            folder.write(path, b"new")
        except OfficeError:
            assert {info.path for info in folder.walk("")} == inside
        else:
            assert folder.read(path).data == b"new"
            assert {info.path for info in folder.walk("")} == inside | {folder.relative(path)}
        with suppress(OfficeError):
            folder.delete(path)
        assert _snapshot(outside) == before


def test_no_rename_at_the_wrong_moment_leads_out(tmp_path: Path) -> None:
    """A folder is swapped for a link to another again and again, while it is read and written.

    Demanded by: SEC-05.
    """
    outside = tmp_path / "outside"
    workspace = tmp_path / "workspace"
    (workspace / "d").mkdir(parents=True)
    outside.mkdir()
    (outside / "f").write_bytes(CANARY)
    (workspace / "d" / "f").write_bytes(b"mine")
    (workspace / "link").symlink_to(outside)
    rename = ctypes.CDLL(None).renameat2
    names = [os.fsencode(workspace / name) for name in ("d", "link")]
    ends = threading.Event()

    def swap() -> None:
        while not ends.is_set():
            rename(AT_CWD, names[0], AT_CWD, names[1], EXCHANGE)

    folder = Folder(workspace, seen_as="/workspace")
    swapper = threading.Thread(target=swap)
    swapper.start()
    got: list[bytes] = []
    try:
        for number in range(RACES):
            with suppress(OfficeError):
                got.append(folder.read("d/f").data)
            with suppress(OfficeError):
                folder.write(f"d/{number % 3}", b"new")
    finally:
        ends.set()
        swapper.join()
    assert set(got) == {b"mine"}
    assert sorted(path.name for path in outside.iterdir()) == ["f"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """It is told as such; neither half a file nor a new folder stays.

    Demanded by: the working office (bad input).
    """
    folder = Folder(tmp_path, seen_as="/workspace")
    folder.write("page.html", b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, hard))
    try:
        with pytest.raises(StorageError, match="Nothing was changed"):
            folder.write("page.html", b"x" * 100_000)
        with pytest.raises(StorageError):
            folder.write("new/folder/page.html", b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert folder.read("page.html").data == b"old"
    assert [path.name for path in tmp_path.rglob("*")] == ["page.html"]


@pytest.mark.parametrize("step", ["os.link", "os.rename"])
@pytest.mark.parametrize("before", [(), ("page.html",)])
def test_a_write_killed_at_any_step_is_made_again_and_leaves_nothing_beside(
    tmp_path: Path, step: str, before: tuple[str, ...]
) -> None:
    """There is the old file or the new one; after the second write there is no other file.

    Demanded by: RUN-4, TOOL-3.
    """
    for name in before:
        (tmp_path / name).write_bytes(b"old")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), step], check=False)

    folder = Folder(tmp_path, seen_as="/workspace")
    folder.write("page.html", b"new")

    assert killed.returncode in {0, -signal.SIGKILL}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"page.html": b"new"}


@pytest.mark.parametrize(
    ("path", "error"),
    [("x" * 300, InvalidError), ("a/" * 300, InvalidError), ("x" * 100_000, InvalidError)],
)
def test_a_name_too_long_is_said_to_be(tmp_path: Path, path: str, error: type[OfficeError]) -> None:
    """Shortly, whatever its length, and for writing as for reading.

    Demanded by: the working office (bad input).
    """
    folder = Folder(tmp_path, seen_as="/workspace")
    with pytest.raises(error) as reading:
        folder.read(path)
    with pytest.raises(error):
        folder.write(path, b"")
    assert len(str(reading.value)) < 400
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe nobody writes to is refused at once, and so is what it is replaced with.

    Demanded by: SEC-05, the working office (bad input).
    """
    os.mkfifo(tmp_path / "pipe")
    folder = Folder(tmp_path, seen_as="/workspace")
    with pytest.raises(InvalidError, match="regular file"):
        folder.read("pipe")
    with pytest.raises(InvalidError, match="regular file"):
        folder.write("pipe", b"1")
    assert folder.info("pipe").kind == "other"


def test_a_written_file_keeps_its_mode_and_gets_no_special_bits(tmp_path: Path) -> None:
    """A script stays executable; setuid does not survive.

    Demanded by: TOOL-3.
    """
    folder = Folder(tmp_path, seen_as="/workspace")
    folder.write("run.sh", b"1")
    (tmp_path / "run.sh").chmod(0o4755)
    folder.write("run.sh", b"2")
    folder.write("plain.txt", b"2")
    modes = [(tmp_path / name).stat().st_mode & 0o7777 for name in ("run.sh", "plain.txt")]
    assert modes == [0o755, 0o644]


def test_names_that_are_no_unicode_are_shown_with_a_mark(tmp_path: Path) -> None:
    """Listings are valid Unicode whatever the names are.

    Demanded by: TEXT-01.
    """
    os.close(os.open(os.fsencode(tmp_path) + b"/half\xed\xa0\xbd", os.O_CREAT, 0o600))
    names = [info.path for info in Folder(tmp_path, seen_as="/workspace").entries("")]
    assert names == ["half" + "\ufffd" * 3]


def test_a_folder_that_is_not_there_and_one_that_is_a_link_are_told_apart(tmp_path: Path) -> None:
    """The root itself is followed nowhere either.

    Demanded by: SEC-05.
    """
    (tmp_path / "link").symlink_to("/etc")
    with pytest.raises(NotFoundError):
        Folder(tmp_path / "missing", seen_as="/workspace").entries("")
    with pytest.raises((DeniedError, InvalidError)):
        Folder(tmp_path / "link", seen_as="/workspace").read("hostname")
