"""Puts a computer's processes behind its walls; a program of its own, run before anything else.

It imports nothing of ours and reads nothing but its one argument, so that it may run as root,
isolated from the environment. For bubblewrap it stages the folders, gives up root and becomes
``bwrap``. Without bubblewrap it stays as a guard outside the walls: every orphan comes back to it,
and when the runner or the server ends, it ends whatever is left.
"""

import ctypes
import json
import os
import signal
import stat
import sys
from typing import Any

CLONE_NEWNS = 0x00020000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION_FLAG, LANDLOCK_PATH_BENEATH = 1, 1
CAPABILITIES_MAX = 64

STAGE = "/tmp"  # noqa: S108  covered by a private file system before anything is put there

# Rights of Landlock by bit; bits from 13 on came with later versions of it.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
BITS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
BITS_MAX = 16
NET_SINCE, SCOPES_SINCE = 4, 6
TCP_BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS_AND_SIGNALS = 3

_libc = ctypes.CDLL(None, use_errno=True)


def _check(outcome: int, what: str) -> int:
    """Turn the C library's -1 into an OSError that says what was tried."""
    if outcome < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return outcome


def _prctl(option: int, argument: int) -> None:
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(option, ctypes.c_ulong(argument), zero, zero, zero), f"prctl {option}")


def _die_with(parent: int, by: signal.Signals) -> None:
    """Be signalled when the parent ends, also when it has ended already."""
    _prctl(PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:
        sys.exit(1)


def stage(folders: list[list[str]]) -> None:
    """Show folders under names that every user may reach, to this process and its children only.

    The agent's user may not walk through the folders above its own, ``/root`` for one.
    """
    _check(_libc.unshare(CLONE_NEWNS), "unshare")
    _check(_libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None), "mount /")
    sources = [os.open(source, os.O_PATH | os.O_DIRECTORY) for source, _ in folders]
    options = b"size=64k,mode=755"
    _check(_libc.mount(b"tmpfs", STAGE.encode(), b"tmpfs", ctypes.c_ulong(0), options), "tmpfs")
    for source, (_, name) in zip(sources, folders, strict=True):
        target = f"{STAGE}/{name}"
        os.mkdir(target)
        link = f"/proc/self/fd/{source}".encode()
        _check(_libc.mount(link, target.encode(), None, ctypes.c_ulong(MS_BIND), None), "bind")
        os.close(source)


def become(uid: int) -> None:
    """Give up root for good: this user, its own group.

    No other group and no way to a capability.
    """
    for capability in range(CAPABILITIES_MAX):
        if _libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def landlock_version() -> int:
    """The kernel's version of Landlock; 0 when it has none or it is switched off."""
    if sys.platform != "linux":
        return 0
    flag = ctypes.c_uint(LANDLOCK_VERSION_FLAG)
    return max(0, _libc.syscall(ctypes.c_long(LANDLOCK_CREATE), None, ctypes.c_size_t(0), flag))


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def restrict(rules: list[list[str]], *, network: bool) -> None:
    """Let this process and its children touch the named paths only.

    Args:
        rules: Pairs of a path and ``read``, ``run``, ``write`` or ``device``; what does not exist
            is skipped.
        network: Whether TCP stays open; closing it needs version 4 of Landlock.
    """
    version = landlock_version()
    every = (1 << BITS_BY_VERSION.get(version, BITS_MAX)) - 1
    ruleset = _Ruleset(files=every)
    size = 8
    if version >= NET_SINCE:
        size = 16
        ruleset.net = 0 if network else TCP_BIND_AND_CONNECT
    if version >= SCOPES_SINCE:
        size = 24
        ruleset.scopes = ABSTRACT_SOCKETS_AND_SIGNALS
    rights = {
        "read": READ_FILE | READ_DIR,
        "run": EXECUTE | READ_FILE | READ_DIR,
        "write": every & ~IOCTL_DEV,
        "device": READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
    }
    create = ctypes.c_long(LANDLOCK_CREATE)
    sized, none = ctypes.c_size_t(size), ctypes.c_uint(0)
    ruled = _check(_libc.syscall(create, ctypes.byref(ruleset), sized, none), "landlock")
    for path, right in rules:
        _allow(ruled, path, rights[right] & every)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _check(_libc.syscall(ctypes.c_long(LANDLOCK_RESTRICT), ruled, none), "landlock")
    os.close(ruled)


def _allow(ruled: int, path: str, rights: int) -> None:
    """Add one path to a ruleset."""
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(os.fstat(folder).st_mode):
        rights &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
    rule = _PathBeneath(allowed=rights, folder=folder)
    kind, none = ctypes.c_int(LANDLOCK_PATH_BENEATH), ctypes.c_uint(0)
    add = ctypes.c_long(LANDLOCK_ADD)
    _check(_libc.syscall(add, ruled, kind, ctypes.byref(rule), none), f"landlock {path}")
    os.close(folder)


def _text_behind(number: int, text: str) -> str:
    """A file descriptor, kept over exec, from which the text can be read."""
    descriptor = os.memfd_create(f"text-{number}", 0)
    os.write(descriptor, text.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.set_inheritable(descriptor, True)
    return str(descriptor)


def _children() -> list[int]:
    """This process's own children, adopted ones too."""
    found: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid():
            found.append(int(name))
    return found


def _reap(*, options: int) -> int:
    """Take the status of one ended child: its id, 0 when none has ended, -1 when there is none."""
    try:
        return os.waitpid(-1, options)[0]
    except ChildProcessError:
        return -1


def guard(runner: int) -> None:
    """Wait for the end of the runner or of the server, then end all that is left."""
    signals = {signal.SIGCHLD, signal.SIGTERM}
    ended = False
    while not ended:
        arrived = signal.sigwaitinfo(signals)
        ended = arrived.si_signo == signal.SIGTERM
        child = _reap(options=os.WNOHANG)
        while child > 0:
            ended = ended or child == runner
            child = _reap(options=os.WNOHANG)
    children = _children()
    while children:
        for child in children:
            os.kill(child, signal.SIGKILL)
        _reap(options=0)
        children = _children()


def _become_bubblewrap(spec: dict[str, Any]) -> None:
    _die_with(spec["parent"], signal.SIGKILL)
    if spec["uid"] is not None:
        stage(spec["folders"])
        become(spec["uid"])
    names = {f"<text-{n}>": _text_behind(n, text) for n, text in enumerate(spec["texts"])}
    options = "".join(f"{names.get(word, word)}\0" for word in spec["options"])
    program, *inside = spec["command"]
    command = [program, "--args", _text_behind(len(names), options), "--", *inside]
    os.execve(program, command, spec["env"])  # noqa: S606  no shell is wanted


def _become_guarded(spec: dict[str, Any]) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _die_with(spec["parent"], signal.SIGTERM)
    guarding = os.getpid()
    runner = os.fork()
    if runner:
        quiet = os.open("/dev/null", os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(quiet, descriptor)
        guard(runner)
        return
    os.setsid()
    if spec["uid"] is not None:
        become(spec["uid"])
    _die_with(guarding, signal.SIGKILL)
    if spec["rules"] is not None:
        restrict(spec["rules"], network=spec["network"])
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, signal.SIGTERM})
    os.execve(spec["command"][0], spec["command"], spec["env"])  # noqa: S606  no shell is wanted


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    try:
        {"bubblewrap": _become_bubblewrap, "guard": _become_guarded}[given["how"]](given)
    except OSError as problem:
        sys.stderr.write(f"{problem.strerror or problem}\n")
        sys.exit(1)
