"""Samples of the nouns."""

from datetime import UTC, datetime, timedelta

from dayshift.core.artifacts import Artifact
from dayshift.core.model import Usage
from dayshift.core.states import (
    Activity,
    CallState,
    Duty,
    ItemState,
    RunState,
    TaskStatus,
    TurnState,
)
from dayshift.core.views import (
    AgentView,
    AlertView,
    CallView,
    ClockView,
    CommentView,
    Decision,
    EventView,
    Evidence,
    ItemView,
    MessageView,
    OfficeView,
    RunView,
    TaskView,
    ThreadView,
    TurnView,
)

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """A moment of the story, in seconds after nine o'clock."""
    return START + timedelta(seconds=seconds)


OFFICE = OfficeView(
    name="acme",
    title="Acme",
    description="Builds small web pages.",
    language="en",
    state="running",
    paused_reason="",
    paused_by="",
    model="anthropic:claude-sonnet-4-5",
    rehearsal=False,
    clock=ClockView(
        mode="wall", zone="Europe/Berlin", day=3, office_at=at(0), real_at=at(0), rate=1.0
    ),
    budget_usd_micros=20_000_000,
    spent_usd_micros=412_350,
    spent_day=3,
)

IRIS = AgentView(
    name="iris",
    title="Iris",
    description="Leads the office: splits requests into tasks and reports to people.",
    group="office",
    reports_to="",
    model="anthropic:claude-sonnet-4-5",
    priority="normal",
    thinking="low",
    duty=Duty.ON_DUTY,
    activity=Activity.BUSY,
    run="R-17",
    computer="local",
    tools=["bash", "message_user", "task_create"],
    inbox_paused=False,
)

JUNO = AgentView(
    name="juno",
    title="Juno",
    description="Writes HTML and CSS.",
    group="office",
    reports_to="iris",
    model="anthropic:claude-sonnet-4-5",
    priority="normal",
    thinking="off",
    duty=Duty.ON_DUTY,
    activity=Activity.IDLE,
    run="",
    computer="local",
    tools=["bash", "edit_file", "read_file", "write_file"],
    inbox_paused=False,
)

MESSAGE = MessageView(
    id="M-41",
    thread="H-3",
    n=8,
    author_kind="person",
    author="ada",
    text="Please make a landing page for the spring sale.",
    mentions=[],
    files=[],
    run="",
    at=at(10),
)

THREAD = ThreadView(
    id="H-3",
    kind="dm",
    name="iris",
    title="Iris",
    description="",
    members=["iris"],
    person="ada",
    messages=8,
    last_at=at(10),
    last_text=MESSAGE.text,
    last_author="ada",
    cleared_before=0,
)

CHANNEL = ThreadView(
    id="H-1",
    kind="channel",
    name="general",
    title="general",
    description="For everyone.",
    members=["iris", "juno", "kai"],
    person="",
    messages=0,
    last_at=None,
    last_text="",
    last_author="",
    cleared_before=0,
)

EVENT = EventView(
    id="E-102",
    source="person",
    type="message",
    priority=6,
    target="iris",
    text=MESSAGE.text,
    payload={"message": "M-41"},
    by="person:ada",
    accepted=1,
    considered=1,
    at=at(10),
)

DECISION = Decision(
    agent="iris",
    accepted=True,
    layer="target",
    score=1.0,
    threshold=0.0,
    keywords=[],
    reason="It is addressed to this agent.",
)

ITEM = ItemView(
    id="I-88",
    agent="iris",
    kind="message",
    source="person",
    type="message",
    sender="person:ada",
    text=MESSAGE.text,
    priority=6,
    order=88,
    state=ItemState.TAKEN,
    event="E-102",
    thread="H-3",
    task="",
    run="R-17",
    attempts=1,
    reason="",
    hops=0,
    queued_at=at(10),
    expires_at=None,
)

USAGE = Usage(input_tokens=5_210, output_tokens=318, cache_read_tokens=4_096)

RUN = RunView(
    id="R-17",
    agent="iris",
    state=RunState.RUNNING,
    item="I-88",
    dialogue="D-4",
    kind="message",
    title="Please make a landing page for the spring sale.",
    thread="H-3",
    task="",
    model="anthropic:claude-sonnet-4-5",
    fence=1,
    turns=1,
    calls=1,
    usage=USAGE,
    cost_usd_micros=9_620,
    reason_code="",
    reason="",
    outcome="",
    started_at=at(11),
    ended_at=None,
)

TURN = TurnView(
    run="R-17",
    agent="iris",
    n=1,
    state=TurnState.COMPLETED,
    model="anthropic:claude-sonnet-4-5",
    text="I will split this into copy, page and a check.",
    reasoning="Three tasks, the page waits for the copy.",
    finish="tool_calls",
    usage=USAGE,
    cost_usd_micros=9_620,
    attempts=1,
    duration_ms=4_310,
    error="",
    day=3,
    at=at(16),
)

CALL = CallView(
    id="C-204",
    run="R-17",
    agent="iris",
    turn=1,
    index=0,
    name="bash",
    arguments='{"command":"ls"}',
    state=CallState.RUNNING,
    code="",
    result="",
    result_bytes=0,
    result_path="",
    artifacts=[],
    started_at=at(17),
    ended_at=None,
    duration_ms=0,
)

CALL_ENDED = CallView(
    id="C-203",
    run="R-16",
    agent="juno",
    turn=2,
    index=0,
    name="write_file",
    arguments='{"path":"site/index.html","content":"<!doctype html>…"}',
    state=CallState.SUCCEEDED,
    code="ok",
    result="Wrote site/index.html (2,048 bytes).",
    result_bytes=36,
    result_path="",
    artifacts=[Artifact(kind="file", path="site/index.html", bytes=2_048)],
    started_at=at(3),
    ended_at=at(3.2),
    duration_ms=200,
)

TASK = TaskView(
    id="T-12",
    title="Write the landing page",
    description="One page, HTML and CSS, with the copy of T-11.",
    status=TaskStatus.TODO,
    priority=2,
    assignee="juno",
    created_by="agent:iris",
    parent="",
    depends_on=["T-11"],
    thread="H-3",
    report_channel="",
    result="",
    evidence=[],
    blocked_reason="",
    attempts=0,
    comments=1,
    run="",
    created_at=at(18),
    updated_at=at(20),
    started_at=None,
    completed_at=None,
)

TASK_DONE = TaskView(
    id="T-11",
    title="Write the copy",
    description="Headline and three short paragraphs.",
    status=TaskStatus.DONE,
    priority=2,
    assignee="juno",
    created_by="agent:iris",
    parent="",
    depends_on=[],
    thread="H-3",
    report_channel="",
    result="The copy is in copy.md.",
    evidence=[Evidence(kind="file", text="The copy.", path="copy.md", agent="juno")],
    blocked_reason="",
    attempts=1,
    comments=0,
    run="",
    created_at=at(1),
    updated_at=at(8),
    started_at=at(2),
    completed_at=at(8),
)

COMMENT = CommentView(
    task="T-12", n=1, author="person:ada", text="Green, please, like the logo.", at=at(20)
)

ALERT = AlertView(
    id="A-5",
    code="run_blocked",
    severity="warning",
    text="Run R-15 of Kai was blocked: the same call failed five times.",
    hint="Look at the run, and restart its task when the cause is mended.",
    agent="kai",
    run="R-15",
    task="T-9",
    count=1,
    at=at(21),
    acknowledged_by="",
    acknowledged_at=None,
)
