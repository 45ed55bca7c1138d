"""Commands that look at an office as it goes: how it stands, and its feed."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from dayshift import __version__
from dayshift.app.cli.address import find
from dayshift.app.cli.choice import offices, the_office
from dayshift.app.cli.desk import Desk, OfficeArgument
from dayshift.app.cli.entry_lines import Told, line_of
from dayshift.app.cli.failure import FAILED, FailureError
from dayshift.app.cli.late import late_lost, late_server
from dayshift.app.cli.shown import money, state
from dayshift.core.details import Page
from dayshift.core.snapshot import Snapshot
from dayshift.core.states import TaskStatus

if TYPE_CHECKING:
    from dayshift.app.cli.server import Server

PAGE = 200
FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 5.0


class Health(msgspec.Struct, frozen=True):
    """What a server says of itself to anybody."""

    status: str
    version: str
    database: str
    isolation: str


class _Seq(msgspec.Struct, frozen=True):
    seq: int


def status(desk: Desk, office: OfficeArgument = None) -> None:
    """Show the server and how its offices stand: who works on what, and what waits."""

    async def work(server: "Server") -> tuple[str, Health, list[Snapshot]]:
        health = await (await server.get("health")).read(Health)
        names = [office] if office else [each.name for each in await offices(server)]
        found = [
            await (await server.get("offices", name, "snapshot")).read(Snapshot) for name in names
        ]
        return server.address.url, health, found

    url, health, found = desk.ask(work, doing="Asking the server")
    document = {
        "server": {"url": url, **msgspec.to_builtins(health)},
        "offices": [_document(snapshot) for snapshot in found],
    }
    lines = [f"Dayshift {health.version} at {url}, {health.database}, {health.isolation}"]
    if health.version != __version__:
        lines.append(f"This command is {__version__}.")
    if not found:
        lines.append("There is no office yet. Make one: dayshift office create NAME")
    desk.show(document, "\n".join([*lines, *(_sentence(snapshot) for snapshot in found)]))
    if not desk.output.is_json:
        for snapshot in found:
            _show_agents(desk, snapshot)


def tail(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Only what concerns it.")] = "",
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Only this kind; repeatable.")
    ] = None,
    last: Annotated[int, typer.Option(min=0, max=PAGE, help="Entries from before now.")] = 10,
    until: Annotated[int, typer.Option(min=0, help="End after so many; 0 never.")] = 0,
    patience: Annotated[
        float, typer.Option(min=0, help="Seconds to try again when the server is gone.")
    ] = 60.0,
) -> None:
    """Watch an office: its feed, a line per entry, taken up again where it broke off.

    With --json every entry is one document on a line of its own.
    """
    watch = _Watch(desk, agent=agent, kinds=frozenset(kind or ()), until=until)
    asyncio.run(watch.run(office or "", last=last, patience_s=patience))


class _Watch:
    """One watching of a feed, over as many connections as it takes."""

    def __init__(self, desk: Desk, *, agent: str, kinds: frozenset[str], until: int) -> None:
        self._desk = desk
        self._agent = agent
        self._kinds = kinds
        self._until = until
        self._office = ""
        self._after: int | None = None
        self._shown = 0

    async def run(self, office: str, *, last: int, patience_s: float) -> None:
        """Watch until enough was shown, or nobody answers for longer than the patience.

        Raises:
            FailureError: The server refused, or is gone for good.
        """
        loop = asyncio.get_running_loop()
        async with late_server()(find(self._desk.settings)) as server:
            self._office = await the_office(server, office)
            await self._begin(server, last)
        gone_since: float | None = None
        wait_s = FIRST_WAIT_S
        # Ends when enough was shown, when the patience is spent, or by the person's Ctrl-C.
        while not self._is_enough():
            before = self._after
            failure = await self._connect()
            if failure is None:
                return
            if self._after != before or gone_since is None:
                gone_since, wait_s = loop.time(), FIRST_WAIT_S
                self._desk.output.note("The connection ended; trying again.")
            if loop.time() + wait_s - gone_since > patience_s:
                raise failure
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def _connect(self) -> FailureError | None:
        """Watch over one connection; ``None`` when enough was shown, else why it ended."""
        try:
            # A server that was started anew has another address and token.
            async with late_server()(find(self._desk.settings)) as server:
                await self._follow(server)
        except late_lost():
            return FailureError(
                "The feed ended, and the server did not come back.",
                code="no_server",
                hint="dayshift tail shows it again when the server runs.",
                retryable=True,
                exit_code=FAILED,
            )
        except FailureError as error:
            if error.code not in {"no_server", "no_answer"}:
                raise
            return error
        return None

    async def _begin(self, server: "Server", last: int) -> None:
        """Show the last entries that fit, and know from where to go on."""
        snapshot = await server.get("offices", self._office, "snapshot")
        self._after = (await snapshot.read(_Seq)).seq
        if last:
            query = {
                "limit": PAGE,
                "before": self._after + 1,
                "agent": self._agent,
                "kind": ",".join(sorted(self._kinds)),
            }
            page = await self._page(server, query)
            fitting = [raw for raw in reversed(page.items) if self._fits(_told(raw))]
            for raw in fitting[-min(last, self._until or last) :]:
                self._show(raw)

    async def _follow(self, server: "Server") -> None:
        """Show what comes until enough was shown; raises Lost when the connection ends."""
        after = "" if self._after is None else str(self._after)
        async with server.feed(self._office, after=after) as frames:
            async for frame in frames:
                if frame.event == "snapshot":
                    await self._catch_up(server, msgspec.json.decode(frame.data, type=_Seq).seq)
                elif frame.event == "message":
                    self._take(frame.data)
                if self._is_enough():
                    return

    async def _catch_up(self, server: "Server", seq: int) -> None:
        """Read from the ledger what the feed no longer holds."""
        # Ends at the entry that the feed goes on from: each page moves towards it.
        while self._after is not None and self._after < seq and not self._is_enough():
            window = {"limit": PAGE, "after": self._after, "before": self._after + PAGE + 1}
            page = await self._page(server, window)
            if not page.items:
                break
            for raw in reversed(page.items):
                self._take(raw)
        self._after = max(seq, self._after or 0)

    async def _page(self, server: "Server", query: Mapping[str, str | int]) -> Page[msgspec.Raw]:
        reply = await server.get("offices", self._office, "ledger", query=query)
        return await reply.read(Page[msgspec.Raw])

    def _take(self, raw: bytes | msgspec.Raw) -> None:
        told = _told(raw)
        if self._after is not None and told.seq <= self._after:
            return
        self._after = told.seq
        if self._fits(told) and not self._is_enough():
            self._show(raw)

    def _fits(self, told: Told) -> bool:
        if self._kinds and told.kind not in self._kinds:
            return False
        return not self._agent or told.concerns(self._agent)

    def _show(self, raw: bytes | msgspec.Raw) -> None:
        self._shown += 1
        if self._desk.output.is_json:
            self._desk.output.document_line(raw)
        else:
            self._desk.output.text(line_of(bytes(raw), _told(raw)))

    def _is_enough(self) -> bool:
        return 0 < self._until <= self._shown


def _told(raw: bytes | msgspec.Raw) -> Told:
    return msgspec.json.decode(raw, type=Told)


def _document(snapshot: Snapshot) -> dict[str, object]:
    return {
        "office": snapshot.office,
        "agents": list(snapshot.agents.values()),
        "runs": list(snapshot.runs.values()),
        "items": list(snapshot.items.values()),
        "tasks": _columns(snapshot),
        "alerts": list(snapshot.alerts.values()),
    }


def _columns(snapshot: Snapshot) -> dict[str, int]:
    statuses = [task.status for task in snapshot.tasks.values()]
    return {status.value: statuses.count(status) for status in TaskStatus}


def _sentence(snapshot: Snapshot) -> str:
    office = snapshot.office
    spent = money(office.spent_usd_micros)
    if office.budget_usd_micros:
        spent += f" of {money(office.budget_usd_micros)}"
    columns = [f"{n} {state(name)}" for name, n in _columns(snapshot).items() if n]
    lines = [
        f"\n{office.name}  {office.title}".rstrip(),
        f"{office.state}, day {office.clock.day}, spent {spent} today",
    ]
    if office.paused_reason:
        lines.append(f"paused by {office.paused_by}: {office.paused_reason}")
    if office.rehearsal:
        lines.append("On the rehearsal model: agents follow a script and understand nothing.")
    lines.append(f"tasks: {', '.join(columns) or 'none'}; items open: {len(snapshot.items)}")
    lines += [f"alert {alert.id}: {alert.text}" for alert in snapshot.alerts.values()]
    return "\n".join(lines)


def _show_agents(desk: Desk, snapshot: Snapshot) -> None:
    rows = [
        (
            agent.name,
            state(agent.duty),
            state(agent.activity),
            f"{agent.run} {snapshot.runs[agent.run].title}" if agent.run in snapshot.runs else "-",
        )
        for agent in snapshot.agents.values()
    ]
    desk.output.text("")
    head = (snapshot.office.name.upper(), "DUTY", "ACTIVITY", "RUN")
    desk.output.table(head, rows, empty="No agents.")
