"""Samples of every entry of the ledger, of live frames, and of the snapshot they go on from."""

from msgspec.structs import replace

from dayshift.core import entries as e
from dayshift.core.snapshot import Snapshot
from dayshift.core.states import CallState
from dayshift.web.samples import views as v

SNAPSHOT = Snapshot(
    seq=500,
    office=v.OFFICE,
    agents={"iris": v.IRIS, "juno": v.JUNO},
    threads={"H-1": v.CHANNEL, "H-3": v.THREAD},
    tasks={"T-11": v.TASK_DONE, "T-12": v.TASK},
    runs={"R-17": v.RUN},
    calls={"C-204": v.CALL},
    items={"I-88": v.ITEM},
    alerts={"A-5": v.ALERT},
    reads={"ada/H-3": 7},
)
"""The office before the first of the entries below."""

_ANSWER = replace(
    v.MESSAGE,
    id="M-42",
    n=9,
    author_kind="agent",
    author="iris",
    text="On it: Juno writes the page, Kai checks it.",
    run="R-17",
    at=v.at(30),
)
_ANSWERED = replace(
    v.THREAD, messages=9, last_at=_ANSWER.at, last_text=_ANSWER.text, last_author="iris"
)
_RUN_ON = replace(v.RUN, turns=2, calls=2, cost_usd_micros=14_300)
_RENAMED = replace(v.CHANNEL, description="For everyone, all day.")
_COMMENTED = replace(v.TASK, comments=2, updated_at=v.at(33))
_LISTED = replace(
    v.CALL,
    state=CallState.SUCCEEDED,
    code="ok",
    result="copy.md\nsite",
    result_bytes=12,
    ended_at=v.at(18),
    duration_ms=1_000,
)

_STORY: list[tuple[str, e.Entry]] = [
    ("person:ada", e.OfficeChanged(office=replace(v.OFFICE, title="Acme, spring sale"))),
    ("office", e.AgentChanged(agent=replace(v.JUNO, run="R-18"))),
    ("person:ada", e.EventPublished(event=v.EVENT, decisions=[v.DECISION])),
    ("office", e.ItemChanged(item=replace(v.ITEM, id="I-89", agent="juno", run="", order=89))),
    ("agent:iris", e.RunChanged(run=replace(v.RUN, id="R-18", agent="juno", item="I-89"))),
    ("agent:iris", e.TurnEnded(turn=replace(v.TURN, n=2), run=_RUN_ON)),
    ("agent:iris", e.CallChanged(call=_LISTED)),
    ("person:ada", e.ThreadChanged(thread=_RENAMED)),
    ("person:ada", e.ThreadRemoved(thread="H-2")),
    ("agent:iris", e.MessagePosted(message=_ANSWER, thread=_ANSWERED)),
    ("person:ada", e.ThreadRead(thread="H-3", person="ada", n=9)),
    ("agent:iris", e.TaskChanged(task=replace(v.TASK, priority=3), change="priority")),
    ("person:ada", e.TaskRemoved(task="T-11")),
    (
        "person:ada",
        e.TaskCommented(
            comment=replace(v.COMMENT, n=2, text="And large type.", at=v.at(33)), task=_COMMENTED
        ),
    ),
    (
        "person:ada",
        e.AlertChanged(
            alert=replace(v.ALERT, acknowledged_by="person:ada", acknowledged_at=v.at(34))
        ),
    ),
    (
        "office",
        e.DialogueCompacted(
            agent="iris",
            dialogue="D-4",
            run="R-17",
            before_tokens=141_200,
            after_tokens=18_400,
            method="summary",
        ),
    ),
    (
        "agent:juno",
        e.FileWritten(
            agent="juno", path="site/index.html", run="R-18", call="C-205", bytes=2_048, new=True
        ),
    ),
    ("office", e.PromptComposed(agent="iris", hash="9f2c4b7a10de33a1", chars=6_812)),
    (
        "office",
        e.TimerChanged(
            id="day-end", agent="", purpose="end of the day", state="set", due_at=v.at(28_800)
        ),
    ),
]

ENTRIES: list[e.Recorded] = [
    e.Recorded(seq=SNAPSHOT.seq + n, at=v.at(30 + n), actor=actor, entry=entry)
    for n, (actor, entry) in enumerate(_STORY, start=1)
]
"""One of every kind, in the order of the union, going on from the snapshot without gaps."""

LIVE: list[e.Live] = [
    e.RunDelta(run="R-17", agent="iris", turn=2, text="Juno writes the page"),
    e.CallOutput(call="C-204", run="R-17", agent="iris", text="copy.md\n"),
]
