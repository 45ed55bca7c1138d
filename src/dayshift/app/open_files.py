"""How many files the server may have open: as many as the system lets it, not as it begins with.

A computer that is on keeps three open, everyone who watches one. Systems begin programs with few,
mostly 1,024, for the sake of those that wait with ``select``, and let each take more by itself.
What agents run is not concerned: a command's limits are those of its computer.
"""

import resource
from contextlib import suppress

FILES_MAX = 65_536
"""More is not asked for; with three for each computer that is on, it is enough for 20,000."""
COMPUTER_FILES = 3


def allowed() -> int:
    """How many the system lets this process have, at most ``FILES_MAX``."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)


def allow_all() -> None:
    """Raise this process's own limit to what the system lets it have; never lower it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < allowed():
        # A system may know a bound that it does not tell: then it stays as it was.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed(), hard))
