"""A job for three agents that is killed at every commit: what is done, said, and looked at after.

Iris splits Ada's wish into three tasks; Kai writes the copy, Juno builds the page from it and is
steered while at work, Kai reviews it and has it mended; Iris reports. The model is a pure function
of what it is sent, so that a request sent again after a crash is answered as before. A call that
was interrupted is asked for again; each is made such that doing it twice is doing it once.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from dayshift.core.entries import RunChanged
from dayshift.core.snapshot import Snapshot
from dayshift.store import cards, ledger_query, speech, work
from dayshift.testing.model_server import Call, Reply, Say, Seen
from dayshift.testing.office_harness import NAME, OfficeHarness

LIMIT_S = 60.0
YAML = """
office: {name: acme, title: Acme, model: "fake:m"}
agents:
  - {name: iris, title: Lead, prompt_mode: minimal}
  - {name: juno, title: Developer, reports_to: iris, prompt_mode: minimal}
  - {name: kai, title: Writer, reports_to: iris, prompt_mode: minimal}
"""
WISH = "Build a page about kites"
STEER = "Make the title red"
REPORT = "The page is ready"
COPY = "Kites fly.\nThey need wind.\n"
PAGE = "<h1 class=red>Kites</h1>\n<p>Kites fly.</p>\n"
FOOTER = "<footer>Fly well.</footer>\n"
STYLE = ".red { color: red }\n"
Step = tuple[Call, ...]


@dataclass(frozen=True)
class Part:
    """What an agent does about one kind of item: steps of calls, then a last text.

    ``opens`` is in the message that tells of the item.
    """

    agent: str
    opens: str
    steps: tuple[Step, ...]
    last: str


def _does(tool: str, **arguments: Any) -> Call:  # noqa: ANN401  a tool's arguments
    return Call(name=tool, arguments=arguments)


def _done(task: str, path: str) -> Call:
    proof = [{"text": "I read it again.", "path": path}]
    return _does("task_update", id=task, status="done", result=f"See {path}.", evidence=proof)


PARTS = (
    Part(
        "iris",
        WISH,
        (
            (
                _does("task_create", title="Write the copy", assignee="kai"),
                _does("write_file", path="plan.md", content="copy, page, review\n"),
                _does("list_agents"),
            ),
            (
                _does("task_create", title="Build it", assignee="juno", depends_on=["T-1"]),
                _does("message_user", message="Kai writes, then Juno builds."),
            ),
            (_does("task_create", title="Review it", assignee="kai", depends_on=["T-2"]),),
            (_does("task_list"), _does("my_tasks")),
        ),
        "I will report.",
    ),
    Part(
        "kai",
        "ready: start on it now · T-1",
        (
            (
                _does("write_file", path="copy.txt", content=COPY),
                _does("write_file", path="notes/ideas.md", content="wind\n"),
                _does("ls"),
                _does("task_get", id="T-1"),
            ),
            (_does("bash", command="grep -qs kite log.txt || echo kite >> log.txt"),),
            (_does("message_agent", to="iris", message="The copy is written."),),
            (_done("T-1", "copy.txt"),),
        ),
        "Written.",
    ),
    Part(
        "juno",
        "ready: start on it now · T-2",
        (
            (_does("read_agent_file", agent="kai", path="copy.txt"), _does("get_time")),
            (
                _does("write_file", path="index.html", content=PAGE),
                _does("write_file", path="style.css", content=STYLE),
            ),
            (_does("bash", command="cat index.html style.css > all.txt; wc -l < all.txt"),),
            (_does("read_file", path="index.html"),),
            (_does("post_channel", channel="general", message="The page is built."),),
            (_does("task_update", id="T-2", comment="It has a red title."),),
            (_done("T-2", "index.html"),),
        ),
        "Built.",
    ),
    Part(
        "kai",
        "ready: start on it now · T-3",
        (
            (
                _does("read_agent_file", agent="juno", path="index.html"),
                _does("read_agent_file", agent="juno", path="style.css"),
                _does("get_time"),
                _does("list_agents"),
                _does("my_tasks"),
            ),
            (_does("message_agent", to="juno", message="Please add a footer."),),
            (_does("write_file", path="review.md", content="A footer was missing.\n"),),
            (_done("T-3", "review.md"),),
        ),
        "Reviewed.",
    ),
    Part(
        "juno",
        "Message from your colleague kai",
        (
            (_does("read_file", path="index.html"),),
            (_does("write_file", path="index.html", content=PAGE + FOOTER),),
            (_does("message_agent", to="kai", message="The footer is there."),),
        ),
        "Mended.",
    ),
    Part(
        "kai",
        "Message from your colleague juno",
        ((_does("post_channel", channel="general", message="The page is whole."),),),
        "Seen.",
    ),
    Part("iris", "Message from your colleague kai", (), "Good."),
    Part("iris", "A task you made is done · T-1", ((_does("task_get", id="T-1"),),), "Noted."),
    Part("iris", "A task you made is done · T-2", ((_does("task_get", id="T-2"),),), "Noted."),
    Part(
        "iris",
        "A task you made is done · T-3",
        (
            (_does("read_agent_file", agent="juno", path="style.css"),),
            (_does("message_user", message=f"{REPORT}: juno:index.html", person="ada"),),
        ),
        "Reported.",
    ),
)


class Model:
    """Answers each agent by what it has done already; nothing is remembered between requests."""

    def __init__(self) -> None:
        """Juno's second answer waits until she was steered."""
        self.steered = asyncio.Event()

    async def reply(self, seen: Seen) -> Reply:
        """The answer to a request."""
        part, since = _part_of(seen)
        if part.agent == "juno" and since:
            await self.steered.wait()
        done = _done_calls(since)
        for step in part.steps:
            missing = tuple(call for call in step if (call.name, call.text) not in done)
            if missing:
                return Say(calls=missing, text="Next.")
        return Say(text=part.last)


def _part_of(seen: Seen) -> tuple[Part, list[dict[str, Any]]]:
    """The item that is worked off, and the messages since it was told."""
    for at in range(len(seen.messages) - 1, -1, -1):
        message = seen.messages[at]
        for part in PARTS:
            told = message["role"] == "user" and part.opens in str(message["content"])
            if part.agent == seen.agent and told:
                return part, seen.messages[at + 1 :]
    raise ValueError(f"{seen.agent} was told nothing that is in the script")


def _done_calls(messages: Sequence[dict[str, Any]]) -> set[tuple[str, str]]:
    """The calls that have a result which is not that they were interrupted."""
    asked = {
        call["id"]: (call["function"]["name"], call["function"]["arguments"])
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    return {
        asked[message["tool_call_id"]]
        for message in messages
        if message["role"] == "tool" and not str(message["content"]).startswith("Interrupted")
    }


async def carry_out(office: OfficeHarness, model: Model) -> None:
    """Be Ada: wish for the page, steer Juno, and wait until all is done. May be done again."""
    await office.ada.asks("iris", WISH, key="wish")
    async with asyncio.TaskGroup() as group:
        group.create_task(_steer(office, model))
        await office.settled(limit_s=LIMIT_S)


async def _steer(office: OfficeHarness, model: Model) -> None:
    runs = await office.runs()
    if not any(run.task == "T-2" and run.agent == "juno" for run in runs):
        await office.until(RunChanged, lambda entry: entry.run.task == "T-2", limit_s=LIMIT_S)
    await office.ada.steers("juno", STEER, key="steer")
    model.steered.set()


class Findings(msgspec.Struct):
    """What there is when the job is done; the same however often it was killed.

    Attributes:
        messages: Thread to its messages, sorted.
        files: ``agent:path`` to its content.
        tasks: Id, status, result and evidence of each card.
        runs: Agent, kind, state and reason of each run, sorted.
        wrong: What must never be: refused requests, gaps, things left open, a feed that lies.
    """

    messages: dict[str, list[str]]
    files: dict[str, str]
    tasks: list[str]
    runs: list[str]
    wrong: list[str]


async def look(office: OfficeHarness, complaints: Path) -> Findings:
    """Look at everything."""
    fresh = await office.snapshot()
    return Findings(
        messages=await _messages(office),
        files=await _files(office),
        tasks=await _tasks(office),
        runs=sorted(f"{r.agent} {r.kind} {r.state} {r.reason_code}" for r in await office.runs()),
        wrong=[*_refused(office, complaints), *_open(fresh), *await _feed(office)],
    )


async def _messages(office: OfficeHarness) -> dict[str, list[str]]:
    def query(asked: Any) -> dict[str, list[str]]:  # noqa: ANN401  a reading
        return {
            thread.id: sorted(
                f"{one.author}: {one.text}"
                for one in speech.messages(asked, NAME, thread.id, before=0, after=0, limit=100)
            )
            for thread in speech.threads(asked, NAME)
        }

    return await office.database.read(query)


async def _files(office: OfficeHarness) -> dict[str, str]:
    found: dict[str, str] = {}
    for agent in ("iris", "juno", "kai"):
        computer = office.office.computer_of(agent)
        for path in await office.files(agent):
            found[f"{agent}:{path}"] = (await computer.read(path)).data.decode()
    return found


async def _tasks(office: OfficeHarness) -> list[str]:
    tasks = (await office.snapshot()).tasks.values()
    comments = {
        task.id: await office.database.read(lambda r, id_=task.id: cards.comments(r, NAME, id_))
        for task in tasks
    }
    return [
        f"{t.id} {t.status} {t.result} {[e.path for e in t.evidence]} {t.attempts} "
        f"{[c.text for c in comments[t.id]]}"
        for t in tasks
    ]


def _refused(office: OfficeHarness, complaints: Path) -> list[str]:
    before = complaints.read_text(encoding="utf-8").splitlines() if complaints.exists() else []
    return [*before, *office.model.complaints]


def _open(fresh: Snapshot) -> list[str]:
    left = [*fresh.runs, *fresh.calls, *fresh.items, *fresh.alerts]
    busy = [agent.name for agent in fresh.agents.values() if agent.activity != "idle"]
    return [f"left open: {left} {busy}"] if left or busy else []


async def _feed(office: OfficeHarness) -> list[str]:
    """Whether the feed has no gap and leads from every older snapshot to the fresh one."""
    entries = await office.database.read(
        lambda r: ledger_query.entries_after(r, NAME, 0, limit=100_000)
    )
    wrong = [f"gap before {row.seq}" for at, row in enumerate(entries, start=1) if row.seq != at]
    endless = await office.database.read(_never_ended)
    try:
        await office.snapshot_equals_replay()
    except AssertionError as error:
        wrong.append(f"the feed and the snapshot differ: {error}")
    return [*wrong, *endless]


def _never_ended(asked: Any) -> list[str]:  # noqa: ANN401  a reading
    """Calls of all runs that have no end."""
    runs = work.runs(asked, NAME, filters={}, before=0, limit=1_000)
    calls = [call.view for run in runs for call in work.calls(asked, NAME, run.id)]
    return [f"{view.id} is {view.state}" for view in calls if view.ended_at is None]
