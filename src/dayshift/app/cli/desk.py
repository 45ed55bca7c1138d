"""What every command of the command line works with, and how a function becomes a command.

``--json`` and ``--home`` belong to every command, and ``--office`` to those about something in an
office; they are added here, so that none can lack them.
"""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from dayshift.app.cli.address import find
from dayshift.app.cli.choice import the_office
from dayshift.app.cli.failure import FailureError, of_error
from dayshift.app.cli.late import late_in_force, late_server
from dayshift.app.cli.output import Output
from dayshift.app.settings import Resolved, Settings, environment, resolve
from dayshift.core.errors import OfficeError

if TYPE_CHECKING:
    from dayshift.app.cli.server import Query, Server

P = ParamSpec("P")
T = TypeVar("T")
Command = Callable[Concatenate["Desk", P], None]

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on standard output.")
]
HomeOption = Annotated[
    str | None,
    typer.Option("--home", metavar="FOLDER", help="The home; DAYSHIFT_HOME says the same."),
]
OfficeOption = Annotated[
    str | None,
    typer.Option("--office", "-o", metavar="OFFICE", help="Needed when there are several offices."),
]
OfficeArgument = Annotated[
    str | None,
    typer.Argument(metavar="[OFFICE]", help="Needed when there are several offices."),
]


@dataclass(frozen=True)
class Desk:
    """One command's surroundings.

    Attributes:
        flags: Settings that were given as options.
        office: The office that was named, or empty.
    """

    output: Output
    flags: dict[str, str | int | bool | None]
    office: str = ""

    @cached_property
    def resolved(self) -> Resolved:
        """The settings as far as flags and environment decide them.

        Raises:
            InvalidError: One of them cannot be used.
        """
        return resolve(self.flags, environment())

    @cached_property
    def of_server(self) -> Resolved:
        """The settings a server of the home is started with: its own file counts, too.

        Raises:
            InvalidError: One of them cannot be used.
            ConfigErrors: The file is wrong.
        """
        return late_in_force()(self.flags, environment())

    @property
    def settings(self) -> Settings:
        """The settings in force, without the home's own file, which is the server's."""
        return self.resolved.settings

    def show(self, document: object, text: str) -> None:
        """Print a result: the document with ``--json``, else the text."""
        if self.output.is_json:
            self.output.document(document)
        else:
            self.output.text(text)

    def show_table(
        self,
        document: object,
        head: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        empty: str,
    ) -> None:
        """Print a result: the document with ``--json``, else a table or, empty, a sentence."""
        if self.output.is_json:
            self.output.document(document)
        else:
            self.output.table(head, rows, empty=empty)

    def ask(self, work: "Callable[[Server], Awaitable[T]]", *, doing: str) -> T:
        """Speak to the running server.

        Raises:
            FailureError: None is running, or it refused.
        """
        return asyncio.run(self._ask(work, doing))

    def read(
        self,
        view: type[T],
        *path: str,
        doing: str,
        query: "Query | None" = None,
        office: str | None = None,
    ) -> tuple[bytes, T]:
        """Read something below an office: the answer as it came, and as the view it is.

        Raises:
            FailureError: No server is running, it refused, or it is unclear which office is meant.
        """

        async def work(server: "Server") -> tuple[bytes, T]:
            name = await the_office(server, office or self.office)
            reply = await server.get("offices", name, *path, query=query)
            return reply.raw, await reply.read(view)

        return self.ask(work, doing=doing)

    def tell(
        self,
        method: str,
        view: type[T],
        *path: str,
        doing: str,
        body: object = None,
        office: str | None = None,
    ) -> tuple[bytes, T]:
        """Change something below an office; what it is now, as it came and as its view.

        Raises:
            FailureError: No server is running, it refused, or it is unclear which office is meant.
        """

        async def work(server: "Server") -> tuple[bytes, T]:
            name = await the_office(server, office or self.office)
            reply = await server.send(method, "offices", name, *path, body=body)
            return reply.raw, await reply.read(view)

        return self.ask(work, doing=doing)

    def delete(self, *path: str, doing: str) -> None:
        """Delete something below an office.

        Raises:
            FailureError: No server is running, it refused, or it is unclear which office is meant.
        """

        async def work(server: "Server") -> None:
            await server.send("DELETE", "offices", await the_office(server, self.office), *path)

        self.ask(work, doing=doing)

    async def _ask(self, work: "Callable[[Server], Awaitable[T]]", doing: str) -> T:
        address = find(self.settings)
        with self.output.progress(doing):
            async with late_server()(address) as server:
                return await work(server)


def command(
    group: typer.Typer, name: str | None = None, *, in_office: bool = False
) -> Callable[[Command[P]], Command[P]]:
    """Make a function a command of a group.

    The function takes a desk and what typer reads from the rest of its signature.

    Args:
        group: The commands it joins.
        name: Its name, when that is not the function's.
        in_office: Whether it is about something in one office, which ``--office`` then names.
    """

    def join(function: Command[P]) -> Command[P]:
        def run(**options: Any) -> None:  # noqa: ANN401  the function's own parameters
            output = Output(is_json=options.pop("json"))
            flags = {"home": options.pop("home")}
            office = options.pop("in_office", None) or ""
            _guarded(function, Desk(output=output, flags=flags, office=office), options)

        added = [
            *([_option("in_office", OfficeOption, default=None)] if in_office else []),
            _option("json", JsonOption, default=False),
            _option("home", HomeOption, default=None),
        ]
        _, *own = inspect.signature(function).parameters.values()
        parameters = [*own, *added]
        run.__name__ = function.__name__
        run.__doc__ = _for_people(function.__doc__ or "")
        run.__dict__["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        group.command(name)(run)
        return function

    return join


def _guarded(function: Callable[..., None], desk: Desk, options: dict[str, Any]) -> None:
    """Run a command, and turn what goes wrong into sentences and an exit code."""
    try:
        function(desk, **options)
    except (FailureError, OfficeError) as error:
        failure = error if isinstance(error, FailureError) else of_error(error)
        desk.output.failure(failure)
        raise typer.Exit(failure.exit_code) from error


def _option(name: str, annotation: object, *, default: object) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def _for_people(docstring: str) -> str:
    """A docstring without the sections for callers."""
    return re.split(r"\n\s*\n\s*(?:Args|Raises):", docstring, maxsplit=1)[0]
