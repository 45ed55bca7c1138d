"""What an office harness works with: models of the scripted server, computers, jumping clocks."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dayshift.computers.local import MARKER
from dayshift.computers.options import Options
from dayshift.core.errors import InvalidError, StorageError
from dayshift.core.model import Model, ModelFacts
from dayshift.models.anthropic_messages import AnthropicMessages
from dayshift.models.openai_chat import OpenAIChat
from dayshift.models.quirks import Quirks
from dayshift.models.wire import Endpoint, Secret, Wire
from dayshift.store.database import Database
from dayshift.testing.memory_computer import MemoryComputer
from dayshift.testing.memory_shell import Word
from dayshift.testing.model_server import ModelServer, Reply, Say, Seen

if TYPE_CHECKING:
    from collections import deque

Dialect = Literal["openai", "anthropic"]
KEY = "harness-key"
FACTS = ModelFacts(context_tokens=128_000, output_tokens=4_096)


class Script:
    """What the scripted model server answers: what was queued, else what ``otherwise`` says.

    Attributes:
        queues: Answers by agent or by name of a model.
        otherwise: Answers what nothing was queued for.
        answers: Answers everything, in its own time, when it is set.
    """

    def __init__(self) -> None:
        """Says one word to everything."""
        self.queues: dict[str, deque[Reply]] = {}
        self.otherwise: Callable[[Seen], Reply] = lambda _: Say(text="Understood.")
        self.answers: Callable[[Seen], Awaitable[Reply]] | None = None
        self._seen: list[Seen] = []
        self._pulse = asyncio.Event()
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Let answers wait until ``let_go``."""
        self._open.clear()

    def let_go(self) -> None:
        """Give the answers that wait, and those to come at once."""
        self._open.set()

    async def reply(self, seen: Seen) -> Reply:
        """The answer to a request."""
        self._seen.append(seen)
        pulse, self._pulse = self._pulse, asyncio.Event()
        pulse.set()
        await self._open.wait()
        if self.answers is not None:
            return await self.answers(seen)
        queue = self.queues.get(seen.agent) or self.queues.get(seen.model)
        return queue.popleft() if queue else self.otherwise(seen)

    async def asked(self, times: int) -> Seen:
        """Wait until so many requests have come that were not refused; the last of them."""
        while len(self._seen) < times:
            await self._pulse.wait()
        return self._seen[times - 1]


class ServedModels:
    """Any model of the server: ``fake:NAME`` in one dialect, ``other:NAME`` in OpenAI's."""

    def __init__(
        self, server: ModelServer, wire: Wire, dialect: Dialect, facts: Mapping[str, ModelFacts]
    ) -> None:
        """``facts`` of models by ref; those it does not name are alike."""
        self._server = server
        self._wire = wire
        self._dialect: Dialect = dialect
        self._facts = facts
        self._made: dict[str, Model] = {}

    def resolve(self, ref: str) -> Model:
        """The model of that name.

        Raises:
            InvalidError: Its provider is neither ``fake`` nor ``other``.
        """
        model = self._made.get(ref)
        if model is None:
            model = self._made[ref] = self._make(ref)
        return model

    def _make(self, ref: str) -> Model:
        provider = ref.partition(":")[0]
        if provider not in {"fake", "other"}:
            raise InvalidError(
                f"There is no provider {provider!r}.", hint="The harness has fake and other."
            )
        facts = self._facts.get(ref, FACTS)
        if provider == "fake" and self._dialect == "anthropic":
            headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
            url = f"{self._server.anthropic_url}/messages"
            endpoint = Endpoint(provider, url, headers, Secret(KEY))
            return AnthropicMessages(
                ref, endpoint=endpoint, quirks=Quirks(), facts=facts, wire=self._wire
            )
        url = f"{self._server.openai_url}/chat/completions"
        endpoint = Endpoint(provider, url, {"Authorization": f"Bearer {KEY}"}, Secret(KEY))
        return OpenAIChat(ref, endpoint=endpoint, quirks=Quirks(), facts=facts, wire=self._wire)


class MemoryComputers:
    """One computer in memory for each agent; they outlive the office, as a disk would."""

    def __init__(self, commands: Mapping[str, Word]) -> None:
        """``commands`` of the test's own, by name, on every computer."""
        self._commands = commands
        self._computers: dict[tuple[str, str], MemoryComputer] = {}

    def of(
        self, office: str, agent: str, options: Options | None = None, *, kind: str = "local"
    ) -> MemoryComputer:
        """An agent's computer, the same one every time; in memory, whatever its kind."""
        del kind
        computer = self._computers.get((office, agent))
        if computer is None:
            env: dict[str, Any] = dict(options.env) if options else {}
            computer = MemoryComputer(env, self._commands)
            self._computers[office, agent] = computer
        return computer

    async def off(self) -> None:
        """Turn all of them off; their files stay."""
        for computer in self._computers.values():
            await computer.off()


class Disk:
    """What stands between a writer and its disk: lets commits pass, or refuses them."""

    def __init__(self, database: Database) -> None:
        """Commits pass."""
        self._dialect = database.writer.engine.dialect
        self._passing = self._dialect.do_commit
        self._loop = asyncio.get_running_loop()
        self._refused = 0
        self._pulse = asyncio.Event()

    def fill(self) -> None:
        """Refuse commits as a full disk does, until ``free``."""
        self._dialect.do_commit = self._full

    def free(self) -> None:
        """Let commits pass again."""
        self._dialect.do_commit = self._passing

    def cut(self) -> None:
        """Refuse everything, as of now, as if the process were killed."""
        self._dialect.do_commit = _killed

    async def refused(self, times: int) -> None:
        """Wait until so many commits were refused by the full disk."""
        while self._refused < times:
            await self._pulse.wait()
            self._pulse.clear()

    def _full(self, dbapi_connection: Any) -> None:  # noqa: ANN401  any driver's connection
        dbapi_connection.rollback()
        self._loop.call_soon_threadsafe(self._note)
        raise self._dialect.loaded_dbapi.OperationalError("database or disk is full")

    def _note(self) -> None:
        self._refused += 1
        self._pulse.set()


def _killed(dbapi_connection: Any) -> None:  # noqa: ANN401  any driver's connection
    dbapi_connection.rollback()  # What a process held that was killed is let go at once.
    raise StorageError("The process was killed.")


class JumpingClock:
    """Real time that stands still and jumps when a test says so."""

    def __init__(self, at: datetime | None = None) -> None:
        """Begins on a Monday morning, unless told otherwise."""
        self.at = at or datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
        self.seconds = 1_000.0

    def wall(self) -> datetime:
        """Real time, aware."""
        return self.at

    def monotonic(self) -> float:
        """Real seconds that never go back."""
        return self.seconds

    def jump(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Let time pass at once; whoever waits for it must be told to look again."""
        step = timedelta(days=days, hours=hours, seconds=seconds)
        self.at += step
        self.seconds += step.total_seconds()


def commands_of(computer: str) -> list[str]:
    """Command lines of the processes of a local computer, named ``office/agent``; blocks."""
    mark = f"{MARKER}={computer}".encode()
    found: list[str] = []
    for process in Path("/proc").iterdir():
        if not process.name.isdecimal():
            continue
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                words = (process / "cmdline").read_bytes().split(b"\0")
                found.append(b" ".join(words).decode(errors="replace").strip())
        except OSError:
            continue
    return found
