"""Configuration files on disk: replaced as a whole or not at all, by one process at a time."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from dayshift.core.errors import ConflictError, StorageError

LOCK_WAIT_S = 10.0
"""The longest anyone waits for another process to finish its change, in real seconds."""
NEW_FILE_MODE = 0o600


@contextmanager
def locked(path: Path, *, wait_s: float = LOCK_WAIT_S) -> Generator[None]:
    """Keep other processes and threads from changing a file for the length of the block.

    Raises:
        ConflictError: Somebody else held it longer than ``wait_s`` seconds.
        StorageError: The lock cannot be made.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=wait_s)
    try:
        lock.acquire()
    except Timeout as error:
        message = f"Somebody else has been changing {path.name} for {wait_s:g} seconds."
        raise ConflictError(message, hint="Try again in a moment.") from error
    except OSError as error:
        raise _refused(path, error) from error
    try:
        yield
    finally:
        lock.release()


def replace_file(path: Path, data: bytes) -> None:
    """Put new content in place of a file, durably; after a crash it is the old or the new.

    The file's permissions stay; a new file is readable by its owner only. A link is followed.

    Raises:
        StorageError: The disk refused; the old content is untouched.
    """
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else NEW_FILE_MODE
        _write(draft, data, mode)
        draft.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise _refused(path, error) from error


def _write(path: Path, data: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name durable too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refused(path: Path, error: OSError) -> StorageError:
    reason = error.strerror or str(error)
    return StorageError(f"{path} cannot be written: {reason}.", hint="Nothing was changed.")
