"""Samples of pages' details, of people, and of what they ask for."""

from typing import Any

import msgspec

from dayshift.core import details as d
from dayshift.core import people as p
from dayshift.core import wishes as w
from dayshift.core.computer import FileInfo
from dayshift.core.states import TaskStatus
from dayshift.web.samples import entries, views

_PERSON = p.Person(id="ada", name="Ada", language="en", theme="auto", is_owner=True)
_TOTAL = d.UsageRow(
    key="total",
    input_tokens=52_100,
    output_tokens=3_180,
    cache_read_tokens=40_960,
    cache_write_tokens=5_120,
    requests=21,
    cost_usd_micros=412_350,
    unpriced_requests=0,
)
_CHANGE = d.TaskChange(
    at=views.at(19), actor="agent:iris", change="status", before="waiting", after="todo", note=""
)
_BLOCK = d.PromptBlock(
    name="base", title="How the office works", text="You work in…", chars=12, cap=8_000, cut=False
)
_MODEL = d.ModelReport(
    ref="anthropic:claude-sonnet-4-5",
    context_tokens=200_000,
    reasoning=True,
    images=True,
    input_usd_per_million=3.0,
    output_usd_per_million=15.0,
)

SAMPLES: list[msgspec.Struct] = [
    views.OFFICE,
    views.IRIS,
    views.THREAD,
    views.MESSAGE,
    views.TASK,
    views.COMMENT,
    views.RUN,
    views.EVENT,
    views.ITEM,
    views.ALERT,
    entries.SNAPSHOT,
    next(recorded for recorded in entries.ENTRIES if recorded.actor == "agent:juno"),
    _PERSON,
    p.Me(
        person=_PERSON,
        csrf="T2pXJ0C1o8dLr4yq3mVb7Q",
        offices=[views.OFFICE],
        version="0.1.0",
    ),
    p.SignInLink(path="/sign-in#token=kV3p…", expires_in_s=3_600),
    p.SessionView(
        id="S-4f1d20a9c7e3",
        current=True,
        created_at=views.at(0),
        last_seen_at=views.at(60),
        expires_at=views.at(604_860),
        user_agent="Mozilla/5.0 Firefox/148.0",
        address="127.0.0.1",
    ),
    p.AuditView(
        n=12,
        at=views.at(0),
        actor="person:ada",
        action="token_made",
        subject="K-90c2e1d7ab44 nightly report: tasks:read usage:read",
    ),
    p.TokenView(
        id="K-90c2e1d7ab44",
        name="nightly report",
        person="ada",
        office="acme",
        scopes=["tasks:read", "usage:read"],
        created_at=views.at(0),
        last_used_at=None,
    ),
    d.Posted(message=views.MESSAGE, item=views.ITEM),
    d.TaskCard(
        task=views.TASK,
        comments=[views.COMMENT],
        history=[_CHANGE],
        runs=[],
        dependents=["T-13"],
    ),
    d.RunDetail(run=views.RUN, turns=[views.TURN], calls=[views.CALL]),
    d.CallDetail(call=views.CALL_ENDED, arguments=views.CALL_ENDED.arguments, result="Wrote…"),
    d.EventDetail(event=views.EVENT, decisions=[views.DECISION], next=None),
    d.FolderView(
        path="site",
        items=[
            FileInfo(
                path="site/index.html",
                kind="file",
                size_bytes=2_048,
                modified_at=views.at(40).timestamp(),
            )
        ],
        truncated=False,
    ),
    d.UsageReport(
        rows=[msgspec.structs.replace(_TOTAL, key="3")],
        total=_TOTAL,
        budget=d.BudgetView(limit_usd_micros=20_000_000, spent_usd_micros=412_350),
    ),
    d.Pruned(runs=812, entries=31_544, items=815, events=790),
    d.PromptView(
        hash="9f2c4b7a10de33a1", mode="full", version="1", chars=12, cap=24_000, blocks=[_BLOCK]
    ),
    d.ToolView(
        name="bash",
        family="shell",
        description="Run a command on the agent's computer.",
        parameters={"type": "object", "properties": {"command": {"type": "string"}}},
        allowed=True,
        reason="Every agent may use it.",
        read_only=False,
        dangerous=False,
        limit_s=120.0,
    ),
    d.ProviderReport(
        id="anthropic",
        name="Anthropic",
        dialect="anthropic",
        base_url="https://api.anthropic.com",
        key_env="ANTHROPIC_API_KEY",
        local=False,
        usable=True,
        reason="ANTHROPIC_API_KEY is set.",
        hint="",
        default_model="anthropic:claude-sonnet-4-5",
        models=[_MODEL],
    ),
    d.ProviderCheck(ok=True, message="It answered.", latency_ms=640),
    d.IsolationReport(in_force="bubblewrap", network=False, why="bwrap works here.", improve=""),
    p.SignIn(token="the-part-after-token="),  # noqa: S106  a sample
    p.PersonChanges(language="zh", theme="dark"),
    p.TokenDraft(name="nightly report", office="acme", scopes=["tasks:read", "usage:read"]),
    w.OfficeDraft(name="acme", title="Acme", example="landing-page"),
    w.OfficeChanges(title="Acme, spring sale", budget_usd=20.0),
    w.AgentChanges(thinking="low", reports_to="iris"),
    w.ChannelDraft(name="launch", description="The spring sale.", members=["iris", "juno"]),
    w.ChannelChanges(members=["iris", "juno", "kai"]),
    w.TaskDraft(title="Write the landing page", assignee="juno", depends_on=["T-11"]),
    w.TaskChanges(priority=3),
    w.TaskMove(status=TaskStatus.BLOCKED, reason="The logo is missing."),
]
"""One of every type that a route takes or replies, but for those that a page defines itself."""


def by_type(*more: msgspec.Struct) -> dict[type[Any], msgspec.Struct]:
    """Type to sample."""
    return {type(sample): sample for sample in (*SAMPLES, *more)}
