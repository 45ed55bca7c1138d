"""What a command prints: one document with ``--json``, else text for a person.

Results go to standard output; everything else, progress and failures included, to standard error.
What agents and people wrote is shown without the characters that would steer the terminal.
"""

import asyncio
import re
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from dayshift.app.cli.failure import FailureError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

GAP = "  "
PROGRESS_AFTER_S = 0.7
# C0 and C1 controls but for newline and tab, and what turns the reading direction.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe(text: str) -> str:
    """Text without what would steer a terminal; each such character becomes ``�``."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Text on one line, runs of blanks made one."""
    return " ".join(safe(text).split())


class Progress:
    """A line on standard error that says what is under way and for how long; gone at the end.

    With ``of`` it has a bar that fills as ``reach`` is told.
    """

    def __init__(self, doing: str, err: TextIO, *, of: int | None = None) -> None:
        self._doing = doing
        self._err = err
        self._of = of
        self._reached = 0
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def start(self) -> None:
        """Show it, if a person watches."""
        if not self._err.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichBar

        text = TextColumn("{task.description}", markup=False)
        bar = [BarColumn()] if self._of is not None else []
        console = Console(file=self._err, highlight=False)
        self._bar = RichBar(
            SpinnerColumn(), text, *bar, TimeElapsedColumn(), console=console, transient=True
        )
        self._task = self._bar.add_task(
            one_line(self._doing), total=self._of, completed=self._reached
        )
        self._bar.start()

    def tell(self, doing: str) -> None:
        """Say what is under way now."""
        self._doing = doing
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=one_line(doing))

    def reach(self, done: int, doing: str) -> None:
        """Fill the bar up to there, and say what is under way now."""
        self._reached = done
        self.tell(doing)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def stop(self) -> None:
        """Take the line away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Output:
    """Where one command prints.

    Attributes:
        is_json: Whether standard output gets one JSON document and nothing else.
    """

    def __init__(
        self, *, is_json: bool, out: TextIO | None = None, err: TextIO | None = None
    ) -> None:
        self.is_json = is_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads standard output as it comes."""
        return self._out.isatty()

    @property
    def may_ask(self) -> bool:
        """Whether a person is there who can be asked."""
        return not self.is_json and sys.stdin.isatty() and self._err.isatty()

    def document(self, value: Any) -> None:  # noqa: ANN401  whatever JSON can hold
        """Print a JSON document, as it came when it is bytes."""
        raw = bytes(value) if isinstance(value, msgspec.Raw | bytes) else msgspec.json.encode(value)
        self._print(msgspec.json.format(raw, indent=2).decode(), self._out)

    def document_line(self, value: Any) -> None:  # noqa: ANN401  whatever JSON can hold
        """Print a JSON document on a line of its own, for what goes on and on."""
        raw = bytes(value) if isinstance(value, msgspec.Raw | bytes) else msgspec.json.encode(value)
        self._print(msgspec.json.format(raw, indent=-1).decode(), self._out)

    def text(self, text: str) -> None:
        """Print a result for a person."""
        self._print(safe(text), self._out)

    def note(self, text: str) -> None:
        """Tell something that is no result."""
        self._print(safe(text), self._err)

    def failure(self, failure: FailureError) -> None:
        """Tell what went wrong; with ``--json`` it is the document, too."""
        if self.is_json:
            self.document(failure.document())
        for line in failure.lines():
            self.note(line)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
        """Print rows under a head, or a sentence when there are none.

        On a terminal lines are cut at its edge; read by a program they are whole.
        """
        lines = [[one_line(cell) for cell in row] for row in rows]
        if not lines:
            self.text(empty)
            return
        for line in aligned([list(head), *lines], width=self._width()):
            self._print(line, self._out)

    @contextmanager
    def progress(self, doing: str, *, of: int | None = None) -> Generator["Progress"]:
        """Show that something is under way, with its seconds, once it takes longer than a moment.

        Nothing is shown where nobody watches. The event loop must be running. ``of`` is how much
        there is to do, where that can be counted.
        """
        progress = Progress(doing, self._err, of=of)
        handle = asyncio.get_running_loop().call_later(PROGRESS_AFTER_S, progress.start)
        try:
            yield progress
        finally:
            handle.cancel()
            progress.stop()

    def _width(self) -> int | None:
        if not self.is_terminal:
            return None
        from shutil import get_terminal_size

        return get_terminal_size().columns

    def _print(self, text: str, to: TextIO) -> None:
        to.write(text + "\n")
        to.flush()


def aligned(rows: Sequence[Sequence[str]], *, width: int | None) -> list[str]:
    """Rows as lines with columns under each other; wide characters count as two.

    Args:
        rows: Cells of one line each; every row as long as the first.
        width: Where lines are cut; ``None`` never.
    """
    from rich.cells import cell_len, set_cell_size

    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        padded = [set_cell_size(cell, widths[column]) for column, cell in enumerate(row[:-1])]
        line = GAP.join([*padded, row[-1]]).rstrip()
        is_long = width is not None and cell_len(line) > width
        lines.append(set_cell_size(line, width - 1).rstrip() + "…" if is_long and width else line)
    return lines
