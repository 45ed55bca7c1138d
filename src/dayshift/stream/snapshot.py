"""The office at one moment, read fresh from the database in one consistent read."""

import msgspec

from dayshift.core.errors import NotFoundError
from dayshift.core.snapshot import Snapshot
from dayshift.core.wishes import TaskFilter
from dayshift.store import arrivals, cards, ledger_query, speech, staff, work
from dayshift.store.rows import Rows

ALL = 1_000_000


def snapshot(asked: Rows, office: str) -> Snapshot:
    """Everything a watcher knows, as of the newest committed entry.

    Raises:
        NotFoundError: There is no such office.
    """
    view = staff.office(asked, office)
    if view is None:
        raise NotFoundError(f"There is no office {office!r}.")
    spent, _ = work.spent(asked, office, day=view.spent_day)
    everything = cards.tasks(asked, office, TaskFilter(), before=0, limit=ALL)
    return Snapshot(
        seq=ledger_query.last_seq(asked, office),
        office=msgspec.structs.replace(view, spent_usd_micros=spent),
        agents={agent.name: agent for agent in staff.agents(asked, office)},
        threads={thread.id: thread for thread in speech.threads(asked, office)},
        tasks={task.id: task for task in reversed(everything)},
        runs={run.id: run for run in work.open_runs(asked, office)},
        calls={call.id: call for call in work.open_calls(asked, office)},
        items={item.id: item for item in arrivals.items(asked, office)},
        alerts={
            alert.id: alert
            for alert in reversed(staff.alerts(asked, office, only_open=True, limit=ALL))
        },
        reads=speech.read_marks(asked, office),
    )
