"""What the walls of a computer are made of: launch orders for bubblewrap, Landlock and none.

Nothing is started here; an order is data, which ``launch.py`` carries out in a process of its own.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from dayshift.core.errors import ComputerError

LocalIsolation = Literal["bubblewrap", "landlock", "none"]

WORKSPACE_INSIDE = "/workspace"
PIPES_INSIDE = "/run/dayshift"
UID_INSIDE = 1000
PATH_INSIDE = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

_TMP_BYTES = 256 * 1024 * 1024
_RUN_BYTES = 16 * 1024 * 1024
_SYSTEM_FOLDERS = ("bin", "sbin", "lib", "lib64", "lib32")
# The parts of /etc that programs need; never all of it.
_ETC = (
    "alternatives",
    "bash_completion.d",
    "ca-certificates",
    "chromium.d",
    "fonts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "pki/ca-trust/extracted",
    "pki/tls/certs",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "terminfo",
    "timezone",
)
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
# Options that older versions of bubblewrap do not know, with the version that brought them.
_VERSION_LIMIT_S = 5
_SIZE_SINCE, _DISABLE_USERNS_SINCE = (0, 6), (0, 8)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the processes of one computer may use; each process on its own, but for their number."""

    processes: int = 1024
    open_files: int = 4096
    file_bytes: int = 4 * 1024**3
    memory_bytes: int = 4 * 1024**3
    cpu_s: int = 3600

    def words(self) -> list[str]:
        """The limits as the runner takes them."""
        in_kib = (self.file_bytes // 1024, self.memory_bytes // 1024)
        return [str(n) for n in (self.processes, self.open_files, *in_kib, self.cpu_s)]


@dataclass(frozen=True, kw_only=True)
class Place:
    """The folders of one computer on this machine, and who its processes are.

    Attributes:
        scratch: A folder for pipes and, without bubblewrap, for temporary files; emptied at every
            start.
        uid: The user its processes become; ``None`` when the server is no root and they stay its
            user.
    """

    name: str
    workspace: Path
    scratch: Path
    uid: int | None
    network: bool = False
    limits: Limits = field(default_factory=Limits)


class LaunchOrder(msgspec.Struct, frozen=True):
    """What ``launch.py`` reads.

    Attributes:
        options: Of bubblewrap, handed to it where ``ps`` does not show them.
        texts: Become files; ``<text-0>`` among the options stands for the first.
    """

    how: Literal["bubblewrap", "guard"]
    parent: int
    uid: int | None
    command: list[str]
    env: dict[str, str]
    options: list[str] = []
    folders: list[tuple[str, str]] = []
    texts: list[str] = []
    rules: list[tuple[str, str]] | None = None
    network: bool = False


@dataclass(frozen=True)
class Shown:
    """The paths of a computer as its own processes see them."""

    workspace: str
    pipes: str
    temporary: str


def shown(isolation: LocalIsolation, place: Place) -> Shown:
    """How the folders of a place appear to the processes in it."""
    if isolation == "bubblewrap":
        return Shown(WORKSPACE_INSIDE, PIPES_INSIDE, "/tmp")  # noqa: S108  the sandbox's own
    return Shown(str(place.workspace), str(place.scratch), str(place.scratch / "tmp"))


def find_bash() -> str:
    """The path of bash.

    Raises:
        ComputerError: This machine has none.
    """
    found = shutil.which("bash", path=PATH_INSIDE)
    if found is None:
        raise ComputerError("This machine has no bash.", hint="Install the package bash.")
    return found


def find_bubblewrap() -> str:
    """The path of bubblewrap; empty where there is none."""
    return shutil.which("bwrap", path=PATH_INSIDE) or ""


def launch_order(isolation: LocalIsolation, place: Place, runner: list[str]) -> list[str]:
    """The command that starts a runner at a place.

    Args:
        isolation: What encloses it.
        place: Where.
        runner: What to run there, as seen from inside.

    Raises:
        ComputerError: The agent's own user could not reach its folders.
    """
    if isolation == "bubblewrap":
        order = _bubblewrap(place, runner)
    else:
        order = _guarded(isolation, place, runner)
    program = Path(__file__).with_name("launch.py")
    return [sys.executable, "-I", "-S", str(program), msgspec.json.encode(order).decode()]


def _bubblewrap(place: Place, runner: list[str]) -> LaunchOrder:
    workspace, pipes = str(place.workspace), str(place.scratch)
    folders: list[tuple[str, str]] = []
    if place.uid is not None:
        folders = [(workspace, "workspace"), (pipes, "pipes")]
        workspace, pipes = "/tmp/workspace", "/tmp/pipes"  # noqa: S108  see launch.stage
    passwd = f"agent:x:{UID_INSIDE}:{UID_INSIDE}::{WORKSPACE_INSIDE}:/bin/bash\n"
    texts = [
        passwd,
        f"agent:x:{UID_INSIDE}:\n",
        f"127.0.0.1 localhost {place.name}\n::1 localhost\n",
    ]
    version = _bubblewrap_version()
    return LaunchOrder(
        how="bubblewrap",
        parent=os.getpid(),
        uid=place.uid,
        folders=folders,
        texts=texts,
        env={"PATH": PATH_INSIDE},
        command=[find_bubblewrap(), *runner],
        options=[
            *("--die-with-parent", "--new-session", "--unshare-user", "--unshare-pid"),
            *("--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *(["--disable-userns"] if version >= _DISABLE_USERNS_SINCE else []),
            *([] if place.network else ["--unshare-net"]),
            *_system(network=place.network),
            *("--file", "<text-0>", "/etc/passwd", "--file", "<text-1>", "/etc/group"),
            *("--file", "<text-2>", "/etc/hosts"),
            *("--proc", "/proc", "--dev", "/dev"),
            *_memory("/dev/shm", _TMP_BYTES, version),  # noqa: S108  the sandbox's own
            *_memory("/tmp", _TMP_BYTES, version),  # noqa: S108  the sandbox's own
            *_memory("/run", _RUN_BYTES, version),
            *("--bind", workspace, WORKSPACE_INSIDE, "--bind", pipes, PIPES_INSIDE),
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *("--chdir", WORKSPACE_INSIDE, "--hostname", place.name),
            *("--uid", str(UID_INSIDE), "--gid", str(UID_INSIDE), "--cap-drop", "ALL"),
        ],
    )


def _system(*, network: bool) -> list[str]:
    """The machine's programs and libraries, read-only."""
    words = ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/nix/store", "/nix/store"]
    for name in _SYSTEM_FOLDERS:
        folder = Path("/", name)
        if folder.is_symlink():
            words += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            words += ["--ro-bind", str(folder), str(folder)]
    for name in (*_ETC, *(["resolv.conf"] if network else [])):
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return words


def _memory(folder: str, size_bytes: int, version: tuple[int, ...]) -> list[str]:
    """A folder in memory, bounded where bubblewrap can bound it."""
    sized = ["--size", str(size_bytes)] if version >= _SIZE_SINCE else []
    return [*sized, "--tmpfs", folder]


@functools.cache
def _bubblewrap_version() -> tuple[int, ...]:
    """Which options the installed bubblewrap knows; nothing when it does not tell."""
    try:
        told = subprocess.run(  # noqa: S603  found on the system's own path
            [find_bubblewrap(), "--version"],
            capture_output=True,
            check=True,
            text=True,
            timeout=_VERSION_LIMIT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(int(part) for part in re.findall(r"\d+", told.stdout))


def _guarded(
    isolation: Literal["landlock", "none"], place: Place, runner: list[str]
) -> LaunchOrder:
    if place.uid is not None:
        _check_reachable(place.workspace, place.uid)
        _check_reachable(place.scratch, place.uid)
    rules: list[tuple[str, str]] = [
        *(("/" + name, "run") for name in ("usr", *_SYSTEM_FOLDERS, "nix/store")),
        *((f"/etc/{name}", "read") for name in (*_ETC, "passwd", "group", "hosts", "resolv.conf")),
        *((f"/dev/{name}", "device") for name in _DEVICES),
        ("/proc", "read"),
        (str(place.workspace), "write"),
        (str(place.scratch), "write"),
    ]
    return LaunchOrder(
        how="guard",
        parent=os.getpid(),
        uid=place.uid,
        command=runner,
        env={"PATH": PATH_INSIDE},
        rules=rules if isolation == "landlock" else None,
        network=place.network,
    )


def _check_reachable(folder: Path, uid: int) -> None:
    """Refuse a folder that lies behind one the agent's own user may not walk through."""
    for above in folder.parents:
        facts = above.stat()
        if not facts.st_mode & 0o001 and facts.st_uid != uid:
            message = f"The agent's own user may not walk through {above} to its workspace."
            hint = f"Set DAYSHIFT_HOME to a folder all may walk through, or run: chmod o+x {above}"
            raise ComputerError(message, hint=hint)
