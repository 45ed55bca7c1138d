"""One user of this machine per agent, for a server that runs as root: agents never work as root.

Nothing is stored: an agent's user is the owner of its workspace. One process owns a home, so that a
lock in this process is enough.
"""

import os
import pwd
import stat
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

from dayshift.core.errors import ComputerError

FIRST, LAST = 20_000, 59_999
"""Users given to agents: above those of a machine's own accounts, within what containers map."""

_SPREAD = 100
_FIXED_PER_FOLDER_MAX = 100_000

_CLAIMING = threading.Lock()
"""One at a time, whoever asks: two who look for a free user would find the same."""


class Uids:
    """Gives agents of one home their users.

    Args:
        home: The server's home; its path decides where the search begins, so that two servers
            seldom meet.
    """

    def __init__(self, home: Path) -> None:
        self._home = home

    def claim(self, workspace: Path) -> int:
        """The user of an agent; makes the workspace, and makes it and all in it that user's.

        Files with several names stay whose they are: one of the names may lie outside.

        Raises:
            ComputerError: No user is free, or the disk refused.
        """
        try:
            with _CLAIMING:
                uid = self._owner(workspace) or self._free(workspace)
                workspace.mkdir(parents=True, exist_ok=True, mode=0o700)
                folder = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    os.fchown(folder, uid, uid)
                    os.fchmod(folder, 0o700)
                finally:
                    os.close(folder)
            _give(workspace, uid)
        except OSError as error:
            message = f"The workspace could not be made: {error.strerror}: {workspace}."
            raise ComputerError(message) from error
        return uid

    def _owner(self, workspace: Path) -> int:
        """The agent's user by its workspace; 0 when it has none."""
        try:
            uid = workspace.lstat().st_uid
        except FileNotFoundError:
            return 0
        return uid if FIRST <= uid <= LAST else 0

    def _free(self, workspace: Path) -> int:
        taken = {self._owner(other) for other in self._home.glob("offices/*/agents/*/workspace")}
        blocks = (LAST - FIRST + 1) // _SPREAD
        start = zlib.crc32(os.fsencode(self._home)) % blocks * _SPREAD
        for step in range(LAST - FIRST + 1):
            uid = FIRST + (start + step) % (LAST - FIRST + 1)
            if uid not in taken and not _is_account(uid):
                return uid
        raise ComputerError(f"No user between {FIRST} and {LAST} is free for {workspace}.")


def owner_of(folder: Path) -> int:
    """The user for an agent that works in a folder of a person: the person.

    Raises:
        ComputerError: The folder is not there, is a link, or is root's and so is the server.
    """
    try:
        facts = folder.lstat()
    except OSError as error:
        message = f"The agent's folder cannot be used: {error.strerror}: {folder}."
        raise ComputerError(message) from error
    if not stat.S_ISDIR(facts.st_mode):
        raise ComputerError(f"The agent's folder is a link, or no folder: {folder}.")
    if facts.st_uid == 0 == os.geteuid():
        message = f"The agent's folder {folder} belongs to root, and agents never work as root."
        raise ComputerError(message, hint=f"Give it to another user: chown -R USER {folder}")
    return facts.st_uid


def _is_account(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _give(workspace: Path, uid: int) -> None:
    """Make what others put into a workspace its agent's."""
    for number, (name, folder) in enumerate(_inside(workspace)):
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
        is_shared = facts.st_nlink > 1 and not stat.S_ISDIR(facts.st_mode)
        if facts.st_uid != uid and not is_shared:
            os.chown(name, uid, uid, dir_fd=folder, follow_symlinks=False)
        if number > _FIXED_PER_FOLDER_MAX:
            return


def _inside(workspace: Path) -> Iterator[tuple[str, int]]:
    """Every entry below a folder with its folder's descriptor; links are not followed."""
    for _, folders, files, descriptor in os.fwalk(workspace, follow_symlinks=False):
        for name in (*folders, *files):
            yield name, descriptor
