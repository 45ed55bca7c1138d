"""Readable mirrors of dialogues in the agents' homes: ``sessions/D-7.jsonl``, one message a line.

The ledger is the truth; a mirror is brought up to date after each run, beside the work. It begins
with a line about the dialogue. One that is missing, cut short or damaged is written anew.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import structlog

from dayshift.core.errors import OfficeError
from dayshift.facilities.journal import Journal

log = structlog.get_logger()
FILE_MODE = 0o600
FOLDER_MODE = 0o700
TAIL_BYTES = 65_536


class _Place(msgspec.Struct):
    n: int


class Mirror:
    """Writes the mirrors of one office, one after the other."""

    def __init__(self, journal: Journal, folder_of: Callable[[str], Path]) -> None:
        """``folder_of`` gives the folder of an agent's mirrors; it is made when it is missing."""
        self._journal = journal
        self._folder_of = folder_of
        self._waiting: dict[str, str] = {}
        self._noted = asyncio.Event()
        self._is_stopping = False
        self._written = asyncio.Event()
        self._written.set()

    def note(self, agent: str, dialogue: str) -> None:
        """Bring the mirror of an agent's dialogue up to date soon."""
        self._waiting[dialogue] = agent
        self._written.clear()
        self._noted.set()

    async def written(self) -> None:
        """Wait until every mirror that was noted is up to date."""
        await self._written.wait()

    def stop(self) -> None:
        """End ``run`` when what was noted is written."""
        self._is_stopping = True
        self._noted.set()

    async def run(self) -> None:
        """Write what is noted, until stopped."""
        while self._waiting or not self._is_stopping:
            if not self._waiting:
                self._written.set()
                self._noted.clear()
                await self._noted.wait()
                continue
            dialogue, agent = next(iter(self._waiting.items()))
            del self._waiting[dialogue]
            try:
                await self._bring_up(agent, dialogue)
            except (OSError, OfficeError) as error:
                log.warning("mirror_not_written", agent_id=agent, reason=str(error))
        self._written.set()

    async def _bring_up(self, agent: str, dialogue: str) -> None:
        path = self._folder_of(agent) / f"{dialogue}.jsonl"
        about = msgspec.json.encode({"dialogue": dialogue, "agent": agent}).decode()

        def write(lines_after: Callable[[int], list[str]]) -> None:
            last = _mended(path)
            lines = lines_after(last)
            if not last:
                lines = [about, *lines]
            if lines:
                _append(path, lines, anew=not last)

        await self._journal.mirror(dialogue, write)


def _mended(path: Path) -> int:
    """The place of a mirror's last message; half a line at its end is cut off. 0 to begin anew."""
    try:
        data = path.read_bytes() if path.stat().st_size <= TAIL_BYTES else _tail(path)
    except FileNotFoundError:
        return 0
    end = data.rfind(b"\n") + 1
    if end < len(data):
        os.truncate(path, path.stat().st_size - (len(data) - end))
    last = data[:end].rstrip(b"\n").rpartition(b"\n")[2]
    try:
        return msgspec.json.decode(last, type=_Place).n
    except msgspec.MsgspecError:
        return 0


def _tail(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-TAIL_BYTES, os.SEEK_END)
        return file.read()


def _append(path: Path, lines: Sequence[str], *, anew: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if anew else os.O_APPEND)
    with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as file:
        file.write("".join(f"{line}\n" for line in lines).encode())
