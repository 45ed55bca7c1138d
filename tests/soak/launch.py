"""The product's command line as it is shipped, on a clock that can be set from outside.

``python launch.py up OFFICE``. DAYSHIFT_SOAK_CLOCK names a file with the seconds by which the wall
clock is wrong, as a double; the monotonic clock stays right, as it does when a machine's clock is
set. On SIGUSR2 the process writes how many asyncio tasks it has into the same file, behind that.
"""

import asyncio
import gc
import mmap
import os
import signal
import struct
from datetime import datetime, timedelta
from pathlib import Path

from dayshift.clock import real

SIZE = 16
FILE = Path(os.environ.pop("DAYSHIFT_SOAK_CLOCK"))
SHIPPED = real.wall


def main() -> None:
    """Set the clock, then run the command."""
    with FILE.open("r+b") as file:
        shared = mmap.mmap(file.fileno(), SIZE)

    def wall() -> datetime:
        (seconds,) = struct.unpack_from("=d", shared, 0)
        return SHIPPED() + timedelta(seconds=seconds)

    def count(_number: int, _frame: object) -> None:
        tasks = [one for one in gc.get_objects() if isinstance(one, asyncio.Task)]
        struct.pack_into("=q", shared, 8, sum(not one.done() for one in tasks))

    real.wall = wall
    signal.signal(signal.SIGUSR2, count)
    # After the clock is set, since it takes the function by its name.
    from dayshift.app.cli import main as command

    command()


if __name__ == "__main__":
    main()
