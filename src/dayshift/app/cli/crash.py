"""The last net: a fault nobody foresaw is told in a sentence, with the traceback on request."""

import io
import sys
import traceback
from types import TracebackType

from dayshift.app.cli.late import late_clean
from dayshift.app.settings import environment


def catch_crashes() -> None:
    """Let no character fail that a terminal cannot show, and no command end in a bare traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.excepthook = _tell


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    clean = late_clean()
    if environment().get("DAYSHIFT_LOG") == "debug":
        sys.stderr.write(clean("".join(traceback.format_exception(kind, error, trace))))
    sys.stderr.write(
        f"Error: This failed where nobody foresaw it ({kind.__name__}: {clean(str(error))}).\n"
        "Hint: This is a mistake in dayshift; DAYSHIFT_LOG=debug shows where.\n"
        "The same again will not help.\n"
    )
