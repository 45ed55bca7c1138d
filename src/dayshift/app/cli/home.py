"""The home as a folder: made for its owner alone, or what stands in the way."""

import os
from pathlib import Path

from dayshift.app.cli.failure import FAILED, FailureError


def prepare_home(home: Path) -> None:
    """Make the home, or say what stands in its way.

    Raises:
        FailureError: It cannot be made, or not written to.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = "it is a file" if home.is_file() else error.strerror
        raise FailureError(
            f"The home {home} cannot be made: {why}.",
            code="storage",
            hint="DAYSHIFT_HOME or --home names another folder.",
            exit_code=FAILED,
        ) from error
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        raise FailureError(
            f"The home {home} may not be read and written by this account.",
            code="storage",
            hint="Change its owner, or name another folder with DAYSHIFT_HOME or --home.",
            exit_code=FAILED,
        )
