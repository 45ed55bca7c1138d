"""Small models on this machine, without a key: ``local:NAME`` for each GGUF file in the home.

The engine runs in a child process that starts with the first question and ends with the office.
What such a model can do is little, and said so: see docs/howto/use-a-provider.md.
"""

import asyncio
import os
import secrets
import shutil
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path

from dayshift.core.details import ModelReport, ProviderReport
from dayshift.core.errors import (
    ConflictError,
    InvalidError,
    ModelUnreachableError,
    StorageError,
)
from dayshift.core.model import Answer, Delta, ModelFacts, ModelRequest, Prices
from dayshift.models import local_install, local_server
from dayshift.models.openai_chat import OpenAIChat
from dayshift.models.quirks import Quirks
from dayshift.models.schema_calls import SchemaCalls
from dayshift.models.text import dumps, fields, loads
from dayshift.models.wire import Endpoint, Secret, Wire

LOCAL = "local"
ENGINE = "xllamacpp"
CONTEXT_TOKENS = 8192
LOAD_LIMIT_S = 60.0
FACTS = ModelFacts(
    context_tokens=CONTEXT_TOKENS,
    output_tokens=1500,
    prices=Prices(input=0, output=0, cache_read=0, cache_write=0),
)
HINT_ENGINE = "Install it with: pip install 'dayshift[local]'"
HINT_MODEL = (
    "Fetch one with: dayshift model install smollm2; or add a GGUF file: dayshift model add FILE"
)
_QUIRKS = Quirks(schema="plain", echo="none", alternate=True, images=False)
_MAGIC = b"GGUF"


class Shelf:
    """The model files of a home, below ``models/``.

    Making one reads the folder; do it in a thread.
    """

    def __init__(self, home: Path | None = None) -> None:
        self.folder = home / "models" if home is not None else None
        self._files: dict[str, Path] = {}
        self.look()

    def look(self) -> None:
        """Read the folder again."""
        found = sorted(self.folder.glob("*.gguf")) if self.folder is not None else []
        self._files = {file.stem: file for file in found}

    def names(self) -> list[str]:
        """Names of the models."""
        return list(self._files)

    def file(self, name: str) -> Path | None:
        """The file of a model."""
        return self._files.get(name)

    def add(self, file: Path, *, sha256: str = "") -> str:
        """Copy a model file into the home; returns its name.

        The copy counts only when it is whole: its hash is that of what was read.

        Args:
            file: The model file.
            sha256: The hash it must have; empty when any will do.

        Raises:
            InvalidError: It is no GGUF file, has another hash, or there is no home.
            ConflictError: There is another model of that name.
            StorageError: The disk refused.
        """
        if self.folder is None:
            raise InvalidError("There is no home to put the model into.")
        try:
            return self._add(file, self.folder, sha256.strip().lower())
        except OSError as error:
            raise StorageError(
                f"{file.name} could not be copied into {self.folder}: {error.strerror}.",
                hint="Nothing was kept.",
            ) from error

    def _add(self, file: Path, folder: Path, wanted: str) -> str:
        with file.open("rb") as content:
            if content.read(len(_MAGIC)) != _MAGIC:
                raise InvalidError(
                    f"{file.name} is no GGUF file.", hint="Other formats are not read."
                )
        found = local_install.sha256_of(file)
        if wanted and found != wanted:
            raise InvalidError(
                f"{file.name} has the hash {found}, not {wanted}; nothing was copied.",
                hint="It was not fetched whole, or is another file.",
            )
        target = folder / f"{file.stem}.gguf"
        if target.is_file() and local_install.sha256_of(target) != found:
            raise ConflictError(
                f"There is another model {file.stem} in the home.",
                hint=f"Give the file another name, or remove {target}.",
            )
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f"{file.stem}.part"
        try:
            shutil.copyfile(file, partial)
            if local_install.sha256_of(partial) != found:
                raise StorageError(f"{file.name} changed while it was copied.", hint="Try again.")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        self.look()
        return file.stem


class Engine:
    """One model file in a child process, started once."""

    def __init__(self, file: Path, wire: Wire, *, threads: int) -> None:
        self._file = file
        self._wire = wire
        self._threads = threads
        self._key = secrets.token_urlsafe(24)
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._url = ""

    async def endpoint(self) -> Endpoint:
        """Where it answers; starts it when it does not run.

        Raises:
            ModelUnreachableError: The engine or the model file does not work.
        """
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self._start()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        url = f"{self._url}/v1/chat/completions"
        return Endpoint(LOCAL, url, headers, Secret(self._key), direct=True)

    async def _start(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            local_server.__name__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            # It needs none of our keys.
            env={} if os.name == "posix" else None,
        )
        self._process = process
        self._wire.when_closed(self.stop)
        told = await self._conversation(process)
        if "url" not in told:
            await self.stop()
            raise ModelUnreachableError(
                f"{LOCAL}: {told.get('error') or 'the engine stopped without a word'}",
                provider=LOCAL,
                hint="It needs a processor with AVX2, and a GGUF file that is whole.",
            )
        self._url = str(told["url"])

    async def _conversation(self, process: asyncio.subprocess.Process) -> dict[str, object]:
        asked = {
            "file": str(self._file),
            "key": self._key,
            "threads": self._threads,
            "context_tokens": CONTEXT_TOKENS,
        }
        if process.stdin is None or process.stdout is None:
            return {}
        process.stdin.write(dumps(asked) + b"\n")
        try:
            async with asyncio.timeout(LOAD_LIMIT_S):
                return fields(loads(await process.stdout.readline()))
        except (TimeoutError, ValueError):
            return {}

    async def stop(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class LocalModel:
    """A model file as a model of the office."""

    provider = LOCAL
    facts = FACTS

    def __init__(self, name: str, engine: Engine, wire: Wire) -> None:
        self.ref = f"{LOCAL}:{name}"
        self._engine = engine
        self._wire = wire

    async def ask(self, request: ModelRequest, on_delta: Callable[[Delta], None]) -> Answer:
        """Send one request to the child process; see the protocol."""
        return await self._model(await self._engine.endpoint()).ask(request, on_delta)

    def render(self, request: ModelRequest) -> bytes:
        """The exact body that ``ask`` would send."""
        nowhere = Endpoint(LOCAL, "http://127.0.0.1/v1/chat/completions", {}, Secret(""))
        return self._model(nowhere).render(request)

    def _model(self, endpoint: Endpoint) -> SchemaCalls:
        chat = OpenAIChat(self.ref, endpoint=endpoint, quirks=_QUIRKS, facts=FACTS, wire=self._wire)
        return SchemaCalls(chat)


class Engines:
    """The engines of a catalogue, one for each file that was asked for."""

    def __init__(self, shelf: Shelf, wire: Wire, *, threads: int = 0) -> None:
        """``threads`` 0 leaves one core to everything else."""
        self.shelf = shelf
        self._wire = wire
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._running: dict[str, Engine] = {}

    def model(self, name: str) -> LocalModel:
        """The model of that name.

        Raises:
            InvalidError: The engine is not installed, or there is no such file.
        """
        if find_spec(ENGINE) is None:
            raise InvalidError(f"{LOCAL}:{name} needs an engine.", hint=HINT_ENGINE)
        file = self.shelf.file(name)
        if file is None:
            near = get_close_matches(name, self.shelf.names(), n=2) or self.shelf.names()
            hint = (
                f"There is {', '.join(f'{LOCAL}:{one}' for one in near)}." if near else HINT_MODEL
            )
            raise InvalidError(f"There is no model file {name!r} in the home.", hint=hint)
        if name not in self._running:
            self._running[name] = Engine(file, self._wire, threads=self._threads)
        return LocalModel(name, self._running[name], self._wire)

    def report(self) -> ProviderReport:
        """Whether the engine and a model are there. It reads the folder; call it in a thread."""
        self.shelf.look()
        installed, names = find_spec(ENGINE) is not None, self.shelf.names()
        reason, hint = "", ""
        if not installed:
            reason, hint = "The engine is not installed.", HINT_ENGINE
        elif not names:
            reason, hint = "There is no model file in the home.", HINT_MODEL
        return ProviderReport(
            id=LOCAL,
            name="Small model on this machine (a smoke test, not a colleague)",
            dialect="openai",
            base_url="",
            key_env="",
            local=True,
            usable=installed and bool(names),
            reason=reason,
            hint=hint,
            default_model=f"{LOCAL}:{names[0]}" if names else "",
            models=[
                ModelReport(
                    ref=f"{LOCAL}:{name}",
                    context_tokens=CONTEXT_TOKENS,
                    reasoning=False,
                    images=False,
                    input_usd_per_million=0.0,
                    output_usd_per_million=0.0,
                )
                for name in names
            ],
        )
