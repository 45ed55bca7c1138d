"""Two offices in one database are fully apart: every function of every repository is walked.

Both offices hold agents, tasks and threads of the same names and ids. Whatever is done in one of
them, the rows of the other stay as they are, and nothing of it is read.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from sqlalchemy import select

from dayshift.core.details import TaskChange
from dayshift.core.errors import OfficeError
from dayshift.core.model import TextPart, UserMessage
from dayshift.core.wishes import EventFilter, LedgerFilter, TaskFilter
from dayshift.store import (
    arrivals,
    cards,
    ledger_query,
    posts,
    speech,
    staff,
    tables,
    timers,
    work,
)
from dayshift.store.database import Database, open_database
from dayshift.web.samples import views as v
from tests.contract.things import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from dayshift.store.rows import Rows
    from dayshift.store.writer import Unit

REPOSITORIES: tuple[ModuleType, ...] = (
    arrivals,
    cards,
    ledger_query,
    posts,
    speech,
    staff,
    timers,
    work,
)
OF_NO_OFFICE = {"offices", "totals"}
"""Functions that are of no office by their nature: the list of offices, and pure arithmetic."""

VIEWS: dict[str, Any] = {
    "AgentView": v.IRIS,
    "AlertView": v.ALERT,
    "CallView": v.CALL,
    "CommentView": v.COMMENT,
    "EventFilter": EventFilter(),
    "EventView": v.EVENT,
    "ItemView": v.ITEM,
    "LedgerFilter": LedgerFilter(),
    "MessageView": v.MESSAGE,
    "OfficeView": v.OFFICE,
    "RunView": v.RUN,
    "TaskChange": TaskChange(at=NOW, actor="x", change="y", before="", after="", note="of acme"),
    "TaskFilter": TaskFilter(),
    "TaskView": v.TASK,
    "ThreadView": v.THREAD,
    "TurnView": v.TURN,
}
"""What to give for a parameter, by its type."""
VALUES: dict[str, Any] = {
    "after": 0,
    "agent": v.IRIS.name,
    "arguments": "{}",
    "at": NOW.isoformat(),
    "before": 0,
    "body": '"of acme"',
    "by": "agent",
    "change": "created",
    "chars": 1,
    "cursor": 1,
    "day": 1,
    "decisions": [v.DECISION],
    "dedup_key": "k",
    "dialogue_id": "D-1",
    "due_at": NOW,
    "facts": {"day": 1, "task": v.TASK.id, "priced": 1, "prompt": "h"}
    | {"dialogue": "D-1", "first": 1, "upto": 1, "request": "{}"},
    "fence": v.RUN.fence,
    "filters": {},
    "fired": True,
    "first": 0,
    "first_item": v.ITEM.id,
    "first_task": v.TASK.id,
    "fold": "f",
    "hash_": "h",
    "key": "k",
    "limit": 1_000,
    "message": UserMessage((TextPart("of acme"),)),
    "n": 1,
    "name": "general",
    "needs": [v.TASK.id],
    "only_open": False,
    "path": "",
    "payload": {},
    "person": "ada",
    "progress": 1,
    "provider_id": "p",
    "purpose": "of acme",
    "result": "of acme",
    "run": v.RUN.id,
    "run_id": v.RUN.id,
    "seq": 0,
    "since_day": 0,
    "slot": 1,
    "summary": "of acme",
    "task": v.TASK.id,
    "task_id": v.TASK.id,
    "text": "of",
    "thread_id": v.THREAD.id,
    "told": True,
    "upto": 1_000,
    "version": 1,
}
"""What to give for a parameter, by its name."""
IDS: dict[object, str] = {
    arrivals: v.ITEM.id,
    cards: v.TASK.id,
    speech: "D-1",
    staff: v.ALERT.id,
    timers: "t",
    work: v.RUN.id,
}


def _functions(first: str) -> list[tuple[str, Callable[..., Any]]]:
    """The public functions of all repositories that begin with a parameter of that name."""
    found = [
        (f"{module.__name__.rpartition('.')[2]}.{name}", function)
        for module in REPOSITORIES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    ]
    return [
        (name, function)
        for name, function in found
        if next(iter(inspect.signature(function).parameters), "") == first
    ]


def _arguments(
    function: Callable[..., Any], office: str, *, all_of_them: bool = True
) -> dict[str, Any]:
    """Something for every parameter but the first, or for those without a default alone."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    module = inspect.getmodule(function)
    return {
        one.name: _given(one, module, office)
        for one in parameters
        if all_of_them or one.default is inspect.Parameter.empty
    }


def _given(parameter: inspect.Parameter, module: ModuleType | None, office: str) -> Any:  # noqa: ANN401  what it takes
    type_ = getattr(parameter.annotation, "__name__", "")
    match parameter.name, type_:
        case (("office" | "office_name"), _):
            return office
        case "id_", _:
            return IDS[module]
        case "name", _ if module is staff:
            return v.IRIS.name
        case _, _ if type_ in VIEWS:
            return _of(VIEWS[type_], office)
        case _, _ if type(None) in get_args(parameter.annotation):
            return None
        case name, _:
            return _of(VALUES[name], office)


def _of(value: Any, office: str) -> Any:  # noqa: ANN401  anything
    """The same thing as another office has it: the same ids, other words."""
    if isinstance(value, str):
        return value.replace("of acme", f"of {office}")
    if isinstance(value, UserMessage):
        return UserMessage((TextPart(f"of {office}"),))
    if type(value) is type(v.OFFICE):
        return msgspec.structs.replace(value, name=office, title=f"of {office}")
    if not isinstance(value, msgspec.Struct):
        return value
    fields = set(value.__struct_fields__) & {"text", "description", "outcome", "note"}
    return msgspec.structs.replace(value, **dict.fromkeys(fields, f"of {office}"))


def _is_constructive(name: str) -> bool:
    return name.partition(".")[2].startswith(("put_", "add_", "utter", "link"))


async def _do(
    database: Database, office: str, names: Iterable[tuple[str, Callable[..., Any]]]
) -> None:
    for _, function in names:

        def run(unit: Unit, function: Callable[..., Any] = function) -> None:
            function(unit, **_arguments(function, office))

        with suppress(OfficeError):  # Such a thing is not there; that it was tried is what counts.
            await database.commit(office, run, at=NOW)


async def _rows(database: Database, office: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of an office, by table."""
    scoped = [table for table in tables.metadata.sorted_tables if "office" in table.c]
    return await database.read(
        lambda r: {
            table.name: [
                tuple(row) for row in r.rows(select(table).where(table.c.office == office))
            ]
            for table in scoped
        }
    )


async def _reads(database: Database, office: str) -> dict[str, str]:
    """What every reading function says of an office."""

    def ask(asked: Rows, function: Callable[..., Any]) -> str:
        some = _arguments(function, office, all_of_them=False)
        return repr([function(asked, **_arguments(function, office)), function(asked, **some)])

    return {
        name: await database.read(lambda r, f=function: ask(r, f))
        for name, function in _functions("asked")
        if name.partition(".")[2] not in OF_NO_OFFICE
    }


async def test_what_is_done_in_one_office_is_not_seen_in_another(url: str) -> None:
    """Every function that writes is run in one office, and no row or reading of the other changes.

    Demanded by: AGENT-8.
    """
    writes = _functions("unit")
    making = [(name, function) for name, function in writes if _is_constructive(name)]
    undoing = [(name, function) for name, function in writes if not _is_constructive(name)]
    async with open_database(url) as database:
        await _do(database, "acme", making)
        rows, reads = await _rows(database, "acme"), await _reads(database, "acme")

        await _do(database, "globex", making)
        others = await _reads(database, "globex")
        await _do(database, "globex", undoing)

        assert {name for name, found in rows.items() if not found} <= {
            "members",
            "counters",
            "tokens",
        }
        assert await _rows(database, "acme") == rows
        assert await _reads(database, "acme") == reads
        assert [name for name, said in others.items() if "of acme" in said] == []
        assert [name for name, said in reads.items() if "of acme" in said] != []


@pytest.mark.parametrize("kind", ["asked", "unit"])
def test_the_walk_sees_the_repositories(kind: str) -> None:
    """A walk that sees nothing finds nothing.

    Demanded by: house 3.6 (every checker saw at least one file).
    """
    assert len(_functions(kind)) > 20
