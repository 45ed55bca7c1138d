"""Files below one folder, out of which no name and no link leads.

Paths are walked one component at a time, each opened relative to the one before, links refused:
whatever an agent renames meanwhile, every step stays on what was opened. Files with a second name
(hard links) are not read, since that name may lie outside. All of it blocks; callers on the event
loop go through a thread.
"""

import errno
import hashlib
import os
import secrets
import stat
import sys
import threading
from collections.abc import Collection, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from dayshift.core.computer import FileContent, FileInfo
from dayshift.core.errors import (
    ConflictError,
    DeniedError,
    InvalidError,
    NotFoundError,
    OfficeError,
    StorageError,
)

READ_BYTES_MAX = 16 * 1024 * 1024
"""Most bytes of one read."""

_COMPONENTS_MAX = 256
_SHOWN_CHARS_MAX = 200
_LISTED_MAX = 100_000
_VISITED_PER_FILE = 10
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOVING = threading.Lock()
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True)
class _Place:
    """Where a path leads: a name in an opened folder; an empty name is the folder itself."""

    folder: int
    name: str


class Folder:
    """One folder and what lies below it.

    Args:
        root: The folder on this machine; nothing above it is looked at, and it is no link itself.
        seen_as: Its path as its agent knows it; absolute paths are taken below that.
        owner: The user that new files are given to, ``None`` for the user of this process.
    """

    def __init__(self, root: Path, *, seen_as: str, owner: int | None = None) -> None:
        self._root = root
        self._seen_as = seen_as.rstrip("/")
        self._owner = owner

    def read(self, path: str, *, offset: int = 0, limit: int = 1_048_576) -> FileContent:
        """Bytes ``offset`` to ``offset + limit`` of a file; see ``core.computer.Computer.read``."""
        if offset < 0 or limit < 0:
            raise InvalidError("Offset and limit of a read are not negative.")
        with self._locate(path) as place:
            file, facts = self._open_file(place, path)
            try:
                data = _read_all(file, offset, min(limit, READ_BYTES_MAX))
            finally:
                os.close(file)
            return FileContent(data=data, size_bytes=facts.st_size)

    def write(self, path: str, data: bytes) -> bool:
        """Replace or make a file as a whole.

        Whether it is new. See ``core.computer.Computer.write``.
        """
        made: list[tuple[int, str]] = []
        with self._locate(path, made=made) as place:
            try:
                return self._replace(place, path, data)
            except BaseException:
                for folder, name in reversed(made):
                    with suppress(OSError):
                        os.rmdir(name, dir_fd=folder)
                raise

    def info(self, path: str) -> FileInfo:
        """One entry; links are not followed."""
        with self._locate(path) as place:
            facts = _facts(place)
        return _info(self.relative(path), facts)

    def entries(self, path: str, *, limit: int = 500) -> list[FileInfo]:
        """A folder's entries by name; at most ``limit``."""
        with self._locate(path) as place, self._open_folder(place, path) as folder:
            return [
                _info(_joined(self.relative(path), _shown(name)), facts)
                for name, facts in _listed(folder, limit)
            ]

    def walk(self, path: str, *, limit: int = 20_000, skip: Collection[str] = ()) -> list[FileInfo]:
        """All files and links below a folder; at most ``limit``.

        Args:
            path: The folder.
            limit: Most entries given.
            skip: Names of folders not to look into.
        """
        found: list[FileInfo] = []
        visited = 0
        waiting = [self.relative(path)]
        while waiting and len(found) < limit and visited < limit * _VISITED_PER_FILE:
            here = waiting.pop()
            is_start = not found and not visited
            try:
                inside = self.entries(here, limit=_LISTED_MAX)
            except OfficeError:
                if is_start:
                    raise
                continue
            visited += len(inside) + 1
            found += [info for info in inside if info.kind != "folder"]
            waiting += [
                info.path
                for info in reversed(inside)
                if info.kind == "folder" and info.path.rpartition("/")[2] not in skip
            ]
        return found[:limit]

    def delete(self, path: str) -> None:
        """Remove a file, a link or an empty folder."""
        with self._locate(path) as place:
            if not place.name:
                raise DeniedError(f"{_quoted(path)} is the workspace itself and stays.")
            if stat.S_ISDIR(_facts(place).st_mode):
                os.rmdir(place.name, dir_fd=place.folder)
            else:
                os.unlink(place.name, dir_fd=place.folder)

    def relative(self, path: str) -> str:
        """A path as it is shown: below the folder, with ``/``; empty for the folder itself.

        Raises:
            DeniedError: It leads out by its words alone.
            InvalidError: It cannot be a path.
        """
        words: list[str] = []
        for word in self._words(path):
            if word == "..":
                if not words:
                    raise _outside(path)
                words.pop()
            else:
                words.append(word)
        return "/".join(words)

    # --- walking ----------------------------------------------------------------------------------

    def _words(self, path: str) -> list[str]:
        if "\0" in path:
            raise InvalidError("A path holds no NUL character.")
        try:
            os.fsencode(path)
        except UnicodeEncodeError as error:
            raise InvalidError(f"{_quoted(path)} is not valid Unicode.") from error
        if path == "~" or path.startswith("~/"):
            path = path[2:]
        if path.startswith("/"):
            below = path.removeprefix(self._seen_as)
            if below == path or (below and not below.startswith("/")):
                raise _outside(path)
            path = below
        words = [word for word in path.split("/") if word not in {"", "."}]
        if len(words) > _COMPONENTS_MAX:
            raise InvalidError(f"{_quoted(path)} has more than {_COMPONENTS_MAX} parts.")
        return words

    @contextmanager
    def _locate(self, path: str, *, made: list[tuple[int, str]] | None = None) -> Generator[_Place]:
        """Open the folder a path ends in; with ``made``.

        Make the folders on the way and note them.
        """
        words = self._words(path)
        with _refusals(path), ExitStack() as opened:
            stack = [os.open(self._root, _FOLDER)]
            opened.callback(os.close, stack[0])
            name = words.pop() if words and words[-1] != ".." else ""
            for word in words:
                if word == "..":
                    stack.pop()
                    if not stack:
                        raise _outside(path)
                else:
                    folder = self._enter(stack[-1], word, path, made)
                    opened.callback(os.close, folder)
                    stack.append(folder)
            yield _Place(stack[-1], name)

    def _enter(self, folder: int, word: str, path: str, made: list[tuple[int, str]] | None) -> int:
        try:
            return os.open(word, _FOLDER, dir_fd=folder)
        except FileNotFoundError:
            if made is None:
                raise
        except NotADirectoryError:
            _refuse_link(_Place(folder, word), path)
            raise
        with suppress(FileExistsError):
            os.mkdir(word, 0o755, dir_fd=folder)
            made.append((folder, word))
        entered = os.open(word, _FOLDER, dir_fd=folder)
        if self._owner is not None and os.fstat(entered).st_uid == os.geteuid():
            os.fchown(entered, self._owner, self._owner)
        return entered

    def _open_file(self, place: _Place, path: str) -> tuple[int, os.stat_result]:
        """Open a regular file with one name."""
        _refuse_unless_file(_facts(place), path)
        file = os.open(place.name or ".", _FILE, dir_fd=place.folder)
        facts = os.fstat(file)
        try:
            _refuse_unless_file(facts, path)
            if facts.st_nlink > 1:
                raise DeniedError(
                    f"{_quoted(path)} has a second name (a hard link), which may lie outside.",
                    hint="Make a copy of it, and use that.",
                )
        except OfficeError:
            os.close(file)
            raise
        return file, facts

    @contextmanager
    def _open_folder(self, place: _Place, path: str) -> Generator[int]:
        try:
            folder = os.open(place.name or ".", _FOLDER, dir_fd=place.folder)
        except NotADirectoryError as error:
            _refuse_link(place, path)
            raise InvalidError(f"{_quoted(path)} is not a folder.") from error
        try:
            yield folder
        finally:
            os.close(folder)

    def _replace(self, place: _Place, path: str, data: bytes) -> bool:
        """Write without a name or beside the place, then move there: all of it or nothing."""
        if not place.name:
            raise InvalidError(f"{_quoted(path)} is a folder.")
        mode, is_new = 0o644, True
        with suppress(FileNotFoundError):
            facts = _facts(place)
            _refuse_unless_file(facts, path)
            mode, is_new = stat.S_IMODE(facts.st_mode) & 0o777, False
        beside = f".{secrets.token_hex(8)}.part"
        file, is_named = _new_file(beside, place.folder)
        try:
            _write_all(file, data)
            os.fchmod(file, mode)
            if self._owner is not None:
                os.fchown(file, self._owner, self._owner)
            os.fsync(file)
            if is_named:
                os.rename(beside, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
            else:
                _give_name(file, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place.folder)
            raise
        finally:
            os.close(file)
        os.fsync(place.folder)
        return is_new


# --- small steps ----------------------------------------------------------------------------------


def _facts(place: _Place) -> os.stat_result:
    if not place.name:
        return os.fstat(place.folder)
    return os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)


def _refuse_link(place: _Place, path: str) -> None:
    if stat.S_ISLNK(_facts(place).st_mode):
        raise _is_link(path)


def _refuse_unless_file(facts: os.stat_result, path: str) -> None:
    if stat.S_ISLNK(facts.st_mode):
        raise _is_link(path)
    if stat.S_ISDIR(facts.st_mode):
        raise InvalidError(f"{_quoted(path)} is a folder.")
    if not stat.S_ISREG(facts.st_mode):
        raise InvalidError(f"{_quoted(path)} is not a regular file.")


def _listed(folder: int, limit: int) -> list[tuple[str, os.stat_result]]:
    with os.scandir(folder) as listing:
        entries = sorted(islice(listing, _LISTED_MAX), key=lambda entry: entry.name)
    listed: list[tuple[str, os.stat_result]] = []
    for entry in entries:
        if len(listed) >= limit:
            break
        with suppress(FileNotFoundError):
            listed.append((entry.name, entry.stat(follow_symlinks=False)))
    return listed


def _new_file(name: str, folder: int) -> tuple[int, bool]:
    """Open a new file in a folder; tells whether it has the name yet.

    One without a name leaves nothing behind when we are killed; not every disk can make one.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            flags = os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC
            return os.open(".", flags, 0o600, dir_fd=folder), False
    return os.open(name, _NEW, 0o600, dir_fd=folder), True


def _give_name(file: int, place: _Place) -> None:
    """Give a file without a name that of a place, whatever has it now.

    Only a file that takes the place of another has a name of its own for a moment. It is made from
    the other's: what is left of it when we are killed there is gone with the next write.
    """
    nameless = f"/proc/self/fd/{file}"
    with suppress(FileExistsError):
        os.link(nameless, place.name, dst_dir_fd=place.folder)
        return
    beside = f".{hashlib.sha256(place.name.encode(errors='surrogateescape')).hexdigest()[:16]}.part"
    with _MOVING:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=place.folder)
        os.link(nameless, beside, dst_dir_fd=place.folder)
        try:
            os.rename(beside, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        except OSError:
            os.unlink(beside, dir_fd=place.folder)
            raise


def _read_all(file: int, offset: int, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0:
        part = os.pread(file, limit, offset)
        if not part:
            break
        parts.append(part)
        offset += len(part)
        limit -= len(part)
    return b"".join(parts)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _info(path: str, facts: os.stat_result) -> FileInfo:
    return FileInfo(
        path=path, kind=_kind(facts), size_bytes=facts.st_size, modified_at=facts.st_mtime
    )


def _kind(facts: os.stat_result) -> Literal["file", "folder", "link", "other"]:
    if stat.S_ISREG(facts.st_mode):
        return "file"
    if stat.S_ISDIR(facts.st_mode):
        return "folder"
    return "link" if stat.S_ISLNK(facts.st_mode) else "other"


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _shown(name: str) -> str:
    """A name as valid Unicode; what is not is replaced."""
    return os.fsencode(name).decode("utf-8", "replace")


def _quoted(path: str) -> str:
    text = path.encode("utf-8", "replace").decode("utf-8")
    cut = text if len(text) <= _SHOWN_CHARS_MAX else text[:_SHOWN_CHARS_MAX] + "…"
    return repr(cut)


def _outside(path: str) -> DeniedError:
    return DeniedError(f"{_quoted(path)} is outside the workspace.")


def _is_link(path: str) -> DeniedError:
    return DeniedError(
        f"{_quoted(path)} is a link, or behind one, and links are not followed here.",
        hint="Name the file itself.",
    )


@contextmanager
def _refusals(path: str) -> Generator[None]:
    """Tell in our own words what the system refused."""
    try:
        yield
    except OSError as error:
        raise _refusal(error, path) from error


def _refusal(error: OSError, path: str) -> OfficeError:
    if error.errno == errno.ELOOP:
        return _is_link(path)
    if error.errno in _FULL:
        message = f"{_quoted(path)} was not written: {error.strerror}. Nothing was changed."
        return StorageError(message, hint="Make room on the disk that holds DAYSHIFT_HOME.")
    kind, words = _TOLD.get(error.errno or 0, (StorageError, "could not be used"))
    return kind(f"{_quoted(path)} {words}: {error.strerror}.")


_TOLD: Mapping[int, tuple[type[OfficeError], str]] = {
    errno.ENOENT: (NotFoundError, "is not there"),
    errno.ENOTDIR: (InvalidError, "goes through something that is no folder"),
    errno.EISDIR: (InvalidError, "is a folder"),
    errno.ENAMETOOLONG: (InvalidError, "is no name for this disk"),
    errno.ENOTEMPTY: (ConflictError, "is a folder with something in it"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), (DeniedError, "may not be used")),
    errno.EROFS: (DeniedError, "lies on a disk that is not written to"),
}
