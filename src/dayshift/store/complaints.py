"""A database's or the disk's complaint, put into the office's words."""

import errno
from collections.abc import Callable

from dayshift.core.errors import OfficeError, StorageError

_FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_ACCESS = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def storage_error(error: BaseException) -> OfficeError:
    """What an error of a driver, of SQLAlchemy or of the system means, with what to do about it.

    Errors of the office are returned as they are.
    """
    if isinstance(error, OfficeError):
        return error
    if isinstance(error, ImportError):
        return StorageError(
            "PostgreSQL needs a driver that is not installed.",
            hint="Install it with: pip install 'dayshift[postgres]'.",
        )
    original = getattr(error, "orig", None) or error
    return _said_by(original)(" ".join(str(original).split()))


def _said_by(original: BaseException) -> "_Words":
    code = getattr(original, "sqlite_errorname", None)
    if isinstance(code, str):
        return _first(code.removeprefix("SQLITE_"), _SQLITE)
    state = getattr(original, "sqlstate", None)
    if isinstance(state, str):
        return _first(state, _POSTGRESQL)
    if isinstance(original, OSError) and original.errno is not None:
        return _of_system(original.errno)
    is_drivers = type(original).__module__.partition(".")[0] == "psycopg"
    return _unreachable if is_drivers else _other


def _of_system(number: int) -> "_Words":
    if number in _FULL_DISK:
        return _full
    return _read_only if number in _NO_ACCESS else _broken_disk


def _first(code: str, table: "dict[str, _Words]") -> "_Words":
    return next((said for start, said in table.items() if code.startswith(start)), _other)


def _passing(message: str, hint: str) -> StorageError:
    """An error that may be over by the next try."""
    error = StorageError(message, hint=hint)
    error.retryable = True
    return error


def _full(words: str) -> OfficeError:
    return _passing(
        f"The disk is full: {words}.",
        "Free some space; nothing was changed, and a running office goes on by itself.",
    )


def _locked(words: str) -> OfficeError:
    return _passing(
        f"The database is locked by another program: {words}.",
        "Stop the other program; nothing was changed, and a running office goes on by itself.",
    )


def _damaged(words: str) -> OfficeError:
    return StorageError(
        f"The database file is damaged: {words}.",
        hint="Move it aside and restore a backup; Dayshift has not changed it.",
    )


def _read_only(words: str) -> OfficeError:
    return StorageError(
        f"The database cannot be written: {words}.",
        hint="Check the owner and the permissions of its file and folder.",
    )


def _broken_disk(words: str) -> OfficeError:
    return StorageError(
        f"The disk refused: {words}.", hint="Look after the disk; nothing was changed."
    )


def _unreachable(words: str) -> OfficeError:
    return _passing(
        f"The database server cannot be reached: {words}.",
        "Start it, or check the address; a running office goes on by itself.",
    )


def _no_entry(words: str) -> OfficeError:
    return StorageError(
        f"The database server does not let us in: {words}.",
        hint="Check the user, the password and the name of the database in its URL.",
    )


def _other(words: str) -> OfficeError:
    return StorageError(f"The database refused: {words}.")


_Words = Callable[[str], OfficeError]
_SQLITE: dict[str, _Words] = {
    "FULL": _full,
    "BUSY": _locked,
    "LOCKED": _locked,
    "CORRUPT": _damaged,
    "NOTADB": _damaged,
    "READONLY": _read_only,
    "CANTOPEN": _read_only,
    "PERM": _read_only,
    "IOERR": _broken_disk,
}
"""By the start of SQLite's own name of the error."""
_POSTGRESQL: dict[str, _Words] = {
    "53100": _full,
    "55P03": _locked,
    "25006": _read_only,
    "XX001": _damaged,
    "XX002": _damaged,
    "58": _broken_disk,
    "08": _unreachable,
    "57P": _unreachable,
    "28": _no_entry,
    "3D": _no_entry,
}
"""By the start of PostgreSQL's SQLSTATE."""
