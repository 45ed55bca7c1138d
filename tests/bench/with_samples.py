"""The product's command line, sampled: where its CPU time goes, by room and library.

``python with_samples.py up OFFICE``. SIGUSR1 begins to count, SIGUSR2 ends it and writes what was
found to the file that DAYSHIFT_SAMPLES names. A sample is taken for each millisecond of CPU time
of the process. Python hands signals to the main thread, so a sample in which that one waits in its
event loop belongs to the other threads.
"""

import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import orjson

from dayshift.app.cli import main

EVERY_S = 0.001
FILE = Path(os.environ.pop("DAYSHIFT_SAMPLES"))
WAITING = {"wait", "wait_for", "_wait_for_tstate_lock", "_worker"}
FOUND: Counter[str] = Counter()


def place(frame: FrameType) -> str:
    """The room or library that a frame is in."""
    parts = Path(frame.f_code.co_filename).parts
    for root, depth in (("dayshift", 2), ("site-packages", 2)):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[at : at + depth]).removeprefix("site-packages/")
    return "python"


def owner(frame: FrameType | None) -> tuple[str, str]:
    """Where a frame is, and the nearest of the product's rooms that called it."""
    room = ""
    inner = place(frame) if frame is not None else ""
    while frame is not None and not room:
        here = place(frame)
        room = here if here.startswith("dayshift/") else ""
        frame = frame.f_back
    return room, inner


def sample(_number: int, frame: FrameType | None) -> None:
    """Count where the process is."""
    if frame is not None and frame.f_code.co_name not in {"run", "_serve", "serve", "main"}:
        room, inner = owner(frame)
        FOUND[f"loop: {room or inner} > {inner}"] += 1
        return
    main_thread = threading.main_thread().ident
    for ident, other in sys._current_frames().items():
        if ident != main_thread and other.f_code.co_name not in WAITING:
            room, inner = owner(other)
            FOUND[f"thread: {room or inner} > {inner}"] += 1
            return
    FOUND["loop: uvloop > uvloop"] += 1


def begin(_number: int, _frame: FrameType | None) -> None:
    """Count from now on."""
    FOUND.clear()
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)


def end(_number: int, _frame: FrameType | None) -> None:
    """Write down what was found."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    FILE.write_bytes(orjson.dumps(FOUND))


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, sample)
    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    main()
