"""Which isolation works on this machine: found out by trying, once.

And told in words for people.
"""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

from dayshift.computers.enclosure import (
    LocalIsolation,
    Place,
    find_bash,
    find_bubblewrap,
    launch_order,
)
from dayshift.computers.launch import landlock_version
from dayshift.computers.uids import LAST
from dayshift.core.details import IsolationReport
from dayshift.core.errors import ComputerError

SETTING = "DAYSHIFT_ALLOW_UNISOLATED"
"""The setting by which an owner lets agents work without isolation."""

_TRIAL = "test ! -e /etc/shadow -o ! -r /etc/shadow && : >trial && echo enclosed"
_TRIAL_LIMIT_S = 15.0
_LANDLOCK_MIN = 3
"""The first version that stops files outside from being emptied."""
_LANDLOCK_TCP, _LANDLOCK_SIGNALS = 4, 6
_INSTALL = (
    "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap)."
)


@functools.cache
def probe(*, allow_unisolated: bool = False) -> IsolationReport:
    """Try each isolation, strongest first; blocks for some 100 ms the first time.

    Args:
        allow_unisolated: Whether the owner opted in to none, where neither other works.

    Returns:
        What is in force, why, and what would make it stronger.
    """
    problem = trial("bubblewrap")
    if not problem:
        why = "bubblewrap works: each agent sees its own files and processes only, and no network."
        return IsolationReport(in_force="bubblewrap", network=False, why=why, improve="")
    missing = not find_bubblewrap()
    improve = _INSTALL if missing else "Allow unprivileged user namespaces, which bubblewrap needs."
    first = (
        "bubblewrap is not installed" if missing else f"bubblewrap does not work here ({problem})"
    )
    weaker = trial("landlock")
    if not weaker:
        why = f"{first}; Landlock keeps agents to their own files, which is weaker: {_gaps()}."
        return IsolationReport(in_force="landlock", network=True, why=why, improve=improve)
    why = f"{first}, and Landlock does not work either ({weaker})"
    if allow_unisolated:
        why += f"; the owner opted in to no isolation by {SETTING}."
        return IsolationReport(in_force="none", network=True, why=why, improve=improve)
    why += "; agents run no commands."
    improve += (
        f" Or set {SETTING}=1 to let agents run commands as they are, able to read your files."
    )
    return IsolationReport(in_force="refused", network=False, why=why, improve=improve)


def trial(isolation: LocalIsolation) -> str:
    """Enclose a small command; what went wrong in a few words, nothing when it worked."""
    if isolation == "bubblewrap" and not find_bubblewrap():
        return "there is no bwrap"
    if isolation == "landlock" and landlock_version() < _LANDLOCK_MIN:
        return (
            f"the kernel's Landlock is version {landlock_version()}, not {_LANDLOCK_MIN} or later"
        )
    uid = LAST if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="dayshift-") as base:
        folders = [Path(base, "workspace"), Path(base, "scratch")]
        Path(base).chmod(0o711)
        for folder in folders:
            folder.mkdir()
            if uid is not None:
                os.chown(folder, uid, uid)
        place = Place(name="trial", workspace=folders[0], scratch=folders[1], uid=uid)
        try:
            command = launch_order(
                isolation, place, [find_bash(), "-c", _in_workspace(isolation, place)]
            )
            done = subprocess.run(  # noqa: S603  our own launcher
                command,
                capture_output=True,
                check=False,
                cwd="/",
                env={"PATH": "/usr/bin:/bin"},
                stdin=subprocess.DEVNULL,
                text=True,
                timeout=_TRIAL_LIMIT_S,
            )
        except (ComputerError, OSError, subprocess.SubprocessError) as error:
            return str(error)
    if done.stdout.split() == ["enclosed"]:
        return ""
    return " ".join(done.stderr.split()) or f"it ended with {done.returncode}"


def _in_workspace(isolation: LocalIsolation, place: Place) -> str:
    return _TRIAL if isolation == "bubblewrap" else f"cd '{place.workspace}' && {_TRIAL}"


def _gaps() -> str:
    """What Landlock leaves open on this kernel."""
    gaps = ["command lines of other processes are seen", "sockets of other programs are open"]
    if landlock_version() < _LANDLOCK_TCP:
        gaps.append("the network is open")
    else:
        gaps.append("the network is open to all but TCP")
    if landlock_version() < _LANDLOCK_SIGNALS and os.geteuid() != 0:
        gaps.append("processes of the same user can be signalled")
    return ", ".join(gaps)
