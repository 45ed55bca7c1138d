"""The command line against a real server: everything a person does, and what they are told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.spec.cli_stage import run
from tests.spec.real_server import Served, make_office, served

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A server with the office acme: Iris leads, Juno builds, Kai tests."""
    home = tmp_path_factory.mktemp("home")
    make_office(home)
    with served(home) as running:
        yield running


async def test_a_message_is_sent_worked_off_and_answered(server: Served) -> None:
    """With --wait the answer is the output; with --json message, state and answers are.

    Demanded by: PLAT-4; the working office, 1.4.
    """
    home = server.home
    sent = await run("send", "acme", "iris", "good morning", home=home)
    told = await run("send", "acme", "iris", "how are you", "--wait", home=home)
    read = await run("send", "acme", "iris", "-", "--wait", "--json", home=home, stdin="and now?")
    assert sent.code == 0
    assert re.fullmatch(r"M-\d+: I-\d+ in the inbox of iris\.\n", sent.out)
    assert (told.code, told.out) == (0, "iris has read it.\n")
    assert read.document["state"] == "done"
    assert read.document["posted"]["message"]["text"] == "and now?"
    assert [answer["text"] for answer in read.document["answers"]] == ["iris has read it."]


async def test_a_message_that_is_none_is_refused_in_plain_words(server: Served) -> None:
    """Empty or over 64 KB: what is wrong, and what would help; nothing is sent.

    Demanded by: the working office, 3, bad input (a message over 64 KB).
    """
    empty = await run("send", "acme", "iris", "", home=server.home)
    long = await run("send", "acme", "iris", "-", home=server.home, stdin="a" * 70_000)
    assert (empty.code, long.code) == (2, 3)
    assert "Error: The text is empty." in empty.err
    assert "70,000 bytes, more than the 65,536 a message may." in long.err
    assert "file of the agent's workspace" in long.err


async def test_work_can_be_followed_from_the_request_to_the_file(server: Served) -> None:
    """A request becomes a task, the task a run, the run a file; each is shown by its id.

    Demanded by: PLAT-4; WORK-1; RUN-2.
    """
    home = server.home
    await run("send", "acme", "iris", "plan a login page", "--wait", home=home)
    seen = await run(
        *("tail", "acme", "--kind", "task_changed", "--kind", "file_written", "--json"),
        *("--last", "10", "--until", "4"),
        home=home,
    )
    assert seen.code == 0
    tasks = await run("task", "list", "acme", "--assignee", "juno", "--json", home=home)
    task = tasks.document["items"][0]
    assert (task["title"], task["status"]) == ("Build a login page", "done")
    shown = await run("show", "task", task["id"], home=home)
    assert "result: It is in page.html." in shown.out
    runs = await run("runs", "acme", "--agent", "juno", "--json", home=home)
    detail = await run("show", "run", runs.document["items"][0]["id"], home=home)
    assert "write_file" in detail.out
    call = re.search(r"(R-[\d.]+)  write_file", detail.out)
    assert call is not None
    whole = await run("show", "call", call[1], "--json", home=home)
    assert "<h1>Hello</h1>" in whole.document["arguments"]
    cost = await run("cost", "acme", "--by", "agent", "--json", home=home)
    assert {row["key"] for row in cost.document["rows"]} >= {"iris", "juno"}


async def test_status_says_who_works_on_what(server: Served) -> None:
    """For people in sentences, for programs as one document of a stable shape.

    Demanded by: PLAT-4; the working office, 1.4.
    """
    told = await run("status", home=server.home)
    read = await run("status", "acme", "--json", home=server.home)
    document = read.document
    assert f"at {server.url}, sqlite" in told.out
    assert "agents follow a script and understand nothing" in told.out
    assert document["server"]["url"] == server.url
    office = document["offices"][0]
    assert [agent["name"] for agent in office["agents"]] == ["iris", "juno", "kai"]
    assert set(office) == {"office", "agents", "runs", "items", "tasks", "alerts"}


async def test_a_run_is_steered_and_cancelled(server: Served) -> None:
    """A run under way hears a person at once; one that has ended refuses.

    Demanded by: RUN-3; PLAT-4.
    """
    home = server.home
    await run("send", "acme", "kai", "test for long", home=home)
    began = await run(
        *("tail", "acme", "--agent", "kai", "--kind", "run_changed", "--json"),
        *("--last", "1", "--until", "1"),
        home=home,
    )
    id_ = re.search(r'"id":"(R-\d+)"', began.out)
    assert id_ is not None
    steered = await run("steer", id_[1], "only the footer", home=home)
    cancelled = await run("cancel", id_[1], "--reason", "enough", "--json", home=home)
    again = await run("cancel", id_[1], home=home)
    assert (steered.code, cancelled.code, again.code) == (0, 0, 3)
    shown = await run("show", "run", id_[1], "--json", home=home)
    assert shown.document["run"]["state"] == "cancelled"


async def test_the_board_refuses_what_is_not_allowed(server: Served) -> None:
    """A card is made, moved, remarked on, restarted and deleted; a wrong move changes nothing.

    Demanded by: WORK-1; the working office, an unknown task move.
    """
    home = server.home
    made = await run("task", "create", "Water the plants", "--json", home=home)
    id_ = made.document["id"]
    moved = await run("task", "move", id_, "blocked", "--reason", "no can", home=home)
    wrong = await run("task", "move", id_, "done", "--result", "wet", home=home)
    remark = await run("task", "comment", id_, "The can is in the kitchen.", home=home)
    back = await run("task", "move", id_, "todo", "--json", home=home)
    gone = await run("task", "delete", id_, home=home)
    missing = await run("show", "task", id_, home=home)
    assert [moved.code, wrong.code, remark.code, back.code, gone.code] == [0, 3, 0, 0, 0]
    assert moved.out == f"{id_} is blocked.\n"
    assert back.document["status"] == "todo"
    assert missing.code == 4


async def test_what_waits_can_be_held_moved_and_taken_out(server: Served) -> None:
    """A person decides what an agent does next.

    Demanded by: EVT-4.
    """
    home = server.home
    held = await run("agent", "pause", "juno", home=home)
    await run("send", "acme", "juno", "the first", home=home)
    await run("send", "acme", "juno", "the second", home=home)
    before = await run("inbox", "acme", "--agent", "juno", "--state", "queued", "--json", home=home)
    first, second = (item["id"] for item in before.document["items"])
    moved = await run("item", "move", second, "--before", first, home=home)
    after = await run("inbox", "acme", "--agent", "juno", "--state", "queued", "--json", home=home)
    paused = await run("item", "pause", first, home=home)
    cancelled = await run("item", "cancel", first, home=home)
    again = await run("item", "resume", first, home=home)
    released = await run("agent", "resume", "juno", home=home)
    assert held.out == "The inbox of juno is held.\n"
    assert [item["id"] for item in after.document["items"]] == [second, first]
    assert [moved.code, paused.code, cancelled.code, again.code, released.code] == [0, 0, 0, 3, 0]


async def test_a_token_lets_a_program_in_and_no_further_than_its_scopes(server: Served) -> None:
    """By address and token from anywhere; revoked, it opens nothing.

    Demanded by: PLAT-1; the working office, token create.
    """
    home = server.home
    made = await run("token", "create", "ci", "--scope", "tasks:read", "--json", home=home)
    there = {"DAYSHIFT_URL": server.url, "DAYSHIFT_TOKEN": made.document["secret"]}
    reads = await run("task", "list", "acme", home=home, variables=there)
    writes = await run("send", "acme", "iris", "hello", home=home, variables=there)
    wrong = await run("token", "create", "ci", "--scope", "task:read", home=home)
    listed = await run("token", "list", "--json", home=home)
    revoked = await run("token", "revoke", made.document["id"], home=home)
    after = await run("task", "list", "acme", home=home, variables=there)
    codes = [reads.code, writes.code, wrong.code, revoked.code, after.code]
    assert codes == [0, 3, 2, 0, 3]
    assert "tasks:read" in wrong.err
    assert made.document["secret"] not in listed.out


async def test_the_owner_sees_who_changed_what(server: Served) -> None:
    """Newest first, page by page, without any secret.

    Demanded by: PLAT-2 (its first part); PLAT-4.
    """
    made = await run("token", "create", "watched", "--scope", "tasks:read", home=server.home)
    table = await run("audit", "--limit", "1", home=server.home)
    page = await run("audit", "--limit", "1", "--json", home=server.home)
    older = await run("audit", "--before", page.document["next"], "--json", home=server.home)
    (line,) = page.document["items"]
    assert (line["actor"], line["action"]) == ("person:owner", "token_made")
    assert "watched: tasks:read" in table.out
    assert "token_made" in table.out
    assert older.document["items"][0]["n"] == line["n"] - 1
    assert made.out.strip() not in table.out + page.out + older.out


async def test_a_fresh_link_signs_a_person_in_once(server: Served) -> None:
    """The link printed at the start is of the same kind.

    Demanded by: PLAT-1; PLAT-4, dayshift signin.
    """
    fresh = await run("signin", "--json", home=server.home)
    token = fresh.document["url"].partition("#token=")[2]
    async with httpx.AsyncClient(base_url=server.url) as browser:
        first = await browser.post("/api/sign-in", json={"token": token})
        again = await browser.post("/api/sign-in", json={"token": token})
    assert (first.status_code, first.json()["person"]["is_owner"]) == (200, True)
    assert again.status_code == 401


async def test_an_office_is_paused_shown_and_resumed(server: Served) -> None:
    """The reason is shown to everybody.

    Demanded by: TIME-4.
    """
    home = server.home
    paused = await run("pause", "--reason", "lunch", home=home)
    shown = await run("office", "show", home=home)
    resumed = await run("resume", "--json", home=home)
    assert paused.out == "acme is paused.\n"
    assert "lunch" in shown.out
    assert resumed.document["state"] == "running"


async def test_channels_and_conversations_are_read_and_written(server: Served) -> None:
    """A channel is made, written to, changed and deleted; a DM is read oldest first.

    Demanded by: WORK-2; WORK-3.
    """
    home = server.home
    made = await run("channel", "create", "news", "--member", "kai", "--json", home=home)
    thread = made.document["id"]
    wrote = await run("thread", "write", thread, "The login page is live.", home=home)
    edited = await run("channel", "edit", "news", "--description", "What is new", home=home)
    shown = await run("thread", "show", thread, home=home)
    listed = await run("thread", "list", home=home)
    deleted = await run("channel", "delete", "news", "--json", home=home)
    assert [wrote.code, edited.code, shown.code, listed.code] == [0, 0, 0, 0]
    assert "The login page is live." in shown.out
    assert "news" in listed.out
    assert deleted.document == {"deleted": "news"}


async def test_an_event_says_whom_it_reached_and_why(server: Served) -> None:
    """The decision of the attention filter for each agent.

    Demanded by: EVT-1; EVT-2.
    """
    home = server.home
    made = await run(
        *("event", "publish", "new_pr", "fix the login page", "--priority", "high", "--json"),
        *("--payload", '{"number": 12}', "--key", "pr-12"),
        home=home,
    )
    again = await run("event", "publish", "new_pr", "again", "--key", "pr-12", "--json", home=home)
    shown = await run("show", "event", made.document["id"], home=home)
    listed = await run("event", "list", "--source", "custom", home=home)
    assert made.document["payload"] == {"number": 12}
    assert again.document["id"] == made.document["id"]
    assert re.search(r"wakes  juno  0\.\d\d/0\.40", shown.out)
    assert "custom/new_pr" in listed.out


async def test_an_office_made_while_the_server_runs_is_opened_at_once(server: Served) -> None:
    """From an example or empty; a taken name is refused.

    Demanded by: AGENT-8; the working office, 1.4.
    """
    home = server.home
    made = await run("office", "create", "beta", "--json", home=home)
    again = await run("office", "create", "beta", home=home)
    listed = await run("status", "beta", "--json", home=home)
    wrong = await run("office", "create", "gamma", "--from", "no-such", home=home)
    assert (made.code, made.document["open"]) == (0, True)
    assert (again.code, wrong.code) == (3, 4)
    assert listed.document["offices"][0]["office"]["name"] == "beta"


async def test_files_of_a_workspace_are_listed_read_and_saved(
    server: Served, tmp_path: Path
) -> None:
    """Byte for byte; what is outside the workspace is refused.

    Demanded by: WORK-6, files browser; the working office, a path outside the workspace.
    """
    home, copy = server.home, tmp_path / "copy.html"
    await run("send", "acme", "iris", "plan a menu", "--wait", home=home)
    await run(
        *("tail", "acme", "--kind", "file_written", "--last", "10", "--until", "1"), home=home
    )
    listed = await run("file", "list", "juno", "--office", "acme", home=home)
    read = await run("file", "read", "juno", "page.html", "--office", "acme", home=home)
    saved = await run(
        *("file", "read", "juno", "page.html", "--office", "acme", "--save", str(copy)), home=home
    )
    outside = await run("file", "read", "juno", "../../../office.yaml", "-o", "acme", home=home)
    assert "page.html" in listed.out
    assert read.out == "<h1>Hello</h1>"
    assert (saved.code, copy.read_bytes()) == (0, b"<h1>Hello</h1>")
    assert outside.code == 3


async def test_an_agent_is_looked_at_and_changed(server: Served) -> None:
    """Its prompt, its tools, its manager; a circle of managers is refused.

    Demanded by: AGENT-4; AGENT-7; TOOL-2.
    """
    office = ("--office", "acme")
    home = server.home
    shown = await run("agent", "show", "kai", *office, home=home)
    prompt = await run("agent", "prompt", "kai", *office, "--json", home=home)
    tools = await run("agent", "tools", "kai", *office, home=home)
    changed = await run("agent", "edit", "kai", "--reports-to", "juno", *office, home=home)
    circle = await run("agent", "edit", "juno", "--reports-to", "kai", *office, home=home)
    assert "reports to: iris" in shown.out
    assert [block["name"] for block in prompt.document["blocks"]][:1] == ["base"]
    assert "bash" in tools.out
    assert (changed.out, circle.code != 0) == ("kai is changed.\n", True)


async def test_a_fault_of_the_office_file_is_placed_and_tells_nothing_of_the_machine(
    server: Served,
) -> None:
    """Line and column, within the home; the file stays as it is.

    Demanded by: the working office, 3, bad input; the working office, 3, security.
    """
    home = server.home
    file = home / "offices" / "acme" / "office.yaml"
    good = file.read_text("utf-8")
    broken = good.replace("    title: Lead", "    titel: Lead")
    file.write_text(broken, "utf-8")
    words = ("agent", "edit", "kai", "--thinking", "low", "--office", "acme", "--json")
    refused = await run(*words, home=home)
    kept = file.read_text("utf-8")
    file.write_text(good, "utf-8")
    assert refused.code == 1
    message = refused.document["error"]["message"]
    assert message.startswith("offices/acme/office.yaml:5:5: ")
    assert "title" in message
    assert str(home) not in refused.out + refused.err
    assert kept == broken


async def test_the_document_of_the_api_is_printed(server: Served) -> None:
    """As the server serves it.

    Demanded by: PLAT-3.
    """
    done = await run("openapi", home=server.home)
    assert done.document["openapi"].startswith("3.1")
    assert "/api/offices/{office}/feed" in done.document["paths"]
