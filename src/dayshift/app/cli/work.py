"""Commands about runs: what was done, at what cost, and to stop it; and one thing by its id."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from dayshift.app.cli.board import card
from dayshift.app.cli.desk import Desk, OfficeArgument, command
from dayshift.app.cli.output import one_line
from dayshift.app.cli.shown import between, duration, moment, money, state, tokens
from dayshift.core.details import CallDetail, EventDetail, Page, RunDetail, TaskCard, UsageReport
from dayshift.core.states import RunState
from dayshift.core.views import CallView, RunView, TurnView

shows = typer.Typer(help="One thing with everything about it: a run, a call, a task, an event.")
ANSWER_CHARS = 400
Id = Annotated[str, typer.Argument(metavar="ID", help="Its id.")]
Run = Annotated[str, typer.Argument(metavar="RUN", help="Its id, for example R-7.")]


class By(StrEnum):
    """What usage can be summed up by."""

    DAY = "day"
    AGENT = "agent"
    MODEL = "model"
    TASK = "task"
    RUN = "run"


def runs(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    agent: Annotated[str, typer.Option(metavar="AGENT", help="Only this agent's.")] = "",
    status: Annotated[RunState | None, typer.Option("--state", help="Only in this state.")] = None,
    task: Annotated[str, typer.Option(metavar="TASK", help="Only for this task.")] = "",
    before: Annotated[
        str, typer.Option(metavar="CURSOR", help="Older than this; `next` of the last page.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many at most.")] = 20,
) -> None:
    """List runs, newest first."""
    query = {"agent": agent, "state": status, "task": task, "before": before, "limit": limit}

    raw, page = desk.read(
        Page[RunView], "runs", query=query, doing="Reading the runs", office=office
    )
    rows = [
        (
            run.id,
            run.agent,
            state(run.state),
            moment(run.started_at),
            between(run.started_at, run.ended_at),
            str(run.turns),
            money(run.cost_usd_micros),
            run.title,
        )
        for run in page.items
    ]
    head = ("RUN", "AGENT", "STATE", "STARTED", "TOOK", "TURNS", "COST", "TITLE")
    desk.show_table(raw, head, rows, empty="No runs.")
    if page.next:
        desk.output.note(f"Older ones: --before {page.next}")


@command(shows, "run", in_office=True)
def show_run(
    desk: Desk,
    run: Id,
    *,
    full: Annotated[bool, typer.Option("--full", help="Show texts whole.")] = False,
) -> None:
    """Show a run: its turns, what the model said, and every tool call."""
    raw, found = desk.read(RunDetail, "runs", run, doing="Reading the run")
    desk.show(raw, "\n".join(_run_lines(found, full=full)))


@command(shows, "call", in_office=True)
def show_call(desk: Desk, call: Id) -> None:
    """Show a tool call with its whole arguments and result."""
    raw, found = desk.read(CallDetail, "calls", call, doing="Reading the call")
    made = found.call
    lines = [
        f"{made.id}  {made.name} by {made.agent} in {made.run}, turn {made.turn}",
        f"{state(made.state)} ({made.code}), {duration(made.duration_ms)}",
        "",
        found.arguments,
        "",
        found.result,
    ]
    desk.show(raw, "\n".join(lines))


@command(shows, "task", in_office=True)
def show_task(desk: Desk, task: Id) -> None:
    """Show a task with its history, remarks and runs."""
    raw, found = desk.read(TaskCard, "tasks", task, doing="Reading the task")
    desk.show(raw, "\n".join(card(found)))


@command(shows, "event", in_office=True)
def show_event(desk: Desk, event: Id) -> None:
    """Show an event, and what the attention filter decided for each agent and why."""
    raw, found = desk.read(EventDetail, "events", event, doing="Reading the event")
    came = found.event
    to = came.target or "everyone"
    lines = [
        f"{came.id}  {came.source}/{came.type} to {to}, priority {came.priority}",
        f"{moment(came.at)} by {came.by}; accepted by {came.accepted} of {came.considered}",
        came.text,
        "",
        *(
            f"{'wakes' if each.accepted else 'leaves'}  {each.agent}  "
            f"{each.score:.2f}/{each.threshold:.2f}  {each.reason}"
            for each in found.decisions
        ),
    ]
    desk.show(raw, "\n".join(lines))


def cancel(
    desk: Desk,
    run: Run,
    *,
    reason: Annotated[str, typer.Option(help="Why; it is kept with the run.")] = "",
) -> None:
    """End a run now, and the commands it started with it."""
    _tell(desk, run, "cancel", {"reason": reason})


def steer(
    desk: Desk, run: Run, text: Annotated[str, typer.Argument(help="What the agent shall know.")]
) -> None:
    """Tell a run under way something before its next model request."""
    _tell(desk, run, "steer", {"text": text})


def _tell(desk: Desk, run: str, verb: str, body: dict[str, str]) -> None:
    raw, now = desk.tell("POST", RunView, "runs", run, verb, body=body, doing="Telling the run")
    desk.show(raw, f"{now.id} of {now.agent} is {state(now.state)}.")


def cost(
    desk: Desk,
    office: OfficeArgument = None,
    *,
    by: Annotated[By, typer.Option(help="What a row stands for.")] = By.DAY,
    days: Annotated[int, typer.Option(min=1, max=366, help="Office days, today included.")] = 7,
) -> None:
    """Show what models cost, in tokens and money."""
    raw, found = desk.read(
        UsageReport, "usage", query={"by": by, "days": days}, doing="Adding up", office=office
    )
    rows = [
        (
            row.key,
            f"{row.requests:,}",
            f"{row.input_tokens:,}",
            f"{row.cache_read_tokens:,}",
            f"{row.output_tokens:,}",
            money(row.cost_usd_micros) + (" +" if row.unpriced_requests else ""),
        )
        for row in (*found.rows, found.total)
    ]
    head = (by.upper(), "REQUESTS", "IN", "CACHED", "OUT", "COST")
    desk.show_table(raw, head, rows if found.rows else [], empty="Nothing was used.")
    if found.total.unpriced_requests:
        desk.output.note(f"+ {found.total.unpriced_requests:,} requests have no known price.")
    if found.budget.limit_usd_micros and not desk.output.is_json:
        spent, limit = found.budget.spent_usd_micros, found.budget.limit_usd_micros
        desk.output.text(f"Today: {money(spent)} of {money(limit)}.")


def _run_lines(found: RunDetail, *, full: bool) -> list[str]:
    run = found.run
    spent = f"{money(run.cost_usd_micros)}, {tokens(run.usage)}"
    lines = [
        f"{run.id}  {run.agent}: {run.title}",
        f"{state(run.state)}, {run.turns} turns, {run.calls} calls, {spent}",
        f"{moment(run.started_at)}, took {between(run.started_at, run.ended_at)}, on {run.model}",
    ]
    lines += [f"{name}: {told}" for name, told in _why(run) if told]
    for turn in found.turns:
        calls = [call for call in found.calls if call.turn == turn.n]
        lines += ["", *_turn_lines(turn, calls, full=full)]
    return lines


def _why(run: RunView) -> list[tuple[str, str]]:
    return [
        ("task", run.task),
        ("thread", run.thread),
        ("reason", f"{run.reason} ({run.reason_code})" if run.reason else run.reason_code),
        ("outcome", run.outcome),
    ]


def _turn_lines(turn: TurnView, calls: Sequence[CallView], *, full: bool) -> list[str]:
    head = f"Turn {turn.n}  {moment(turn.at)}  {state(turn.state)}, {duration(turn.duration_ms)}"
    lines = [f"{head}, {tokens(turn.usage)}"]
    if turn.error:
        lines.append(f"  error: {turn.error}")
    if turn.text:
        lines.append(f"  {turn.text if full else _cut(turn.text)}")
    for call in calls:
        lines.append(f"  {call.id}  {call.name} {_cut(call.arguments)}")
        result = call.result if full else _cut(call.result)
        lines.append(f"    {state(call.state)}: {result}".rstrip())
    return lines


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= ANSWER_CHARS else line[:ANSWER_CHARS] + " …"
