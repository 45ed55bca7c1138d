"""The feed in a terminal: every entry once, in order, over whatever happens to the connection."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dayshift.core.entries import Entry, FileWritten, Recorded, ThreadRemoved
from tests.spec.cli_stage import Stage, run, stage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

# Each command is a process of its own, and the machine may be busy.
pytestmark = pytest.mark.timeout(240)

AT = datetime(2026, 3, 2, 8, 0, 5, tzinfo=UTC)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[Stage]:
    """A server with an office whose ledger ends at entry 3."""
    async with stage(tmp_path) as opened:
        opened.answers["offices/acme/snapshot"] = {"seq": 3}
        opened.answers["offices/acme/ledger"] = _page()
        yield opened


def _recorded(seq: int, entry: Entry | None = None, *, actor: str = "agent:iris") -> Recorded:
    return Recorded(seq=seq, at=AT, actor=actor, entry=entry or ThreadRemoved(thread=f"H-{seq}"))


def _page(*entries: Recorded) -> dict[str, Any]:
    return {"items": list(entries), "next": None}


def _frame(recorded: Recorded) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (recorded.seq, msgspec.json.encode(recorded))


def _seqs(text: str) -> list[int]:
    return [msgspec.json.decode(line)["seq"] for line in text.splitlines()]


async def test_the_last_entries_come_first_then_what_happens(server: Stage) -> None:
    """Oldest first, one line each, without a gap between the past and the feed.

    Demanded by: PLAT-4, live feed in the terminal.
    """
    written = FileWritten(
        agent="iris", path="index.html", run="R-1", call="C-1", bytes=1_234, new=True
    )
    server.answers["offices/acme/ledger"] = _page(_recorded(3), _recorded(2))
    server.feeds = [[b"retry: 1000\n\n", _frame(_recorded(4, written))]]
    done = await run("tail", "acme", "--until", "3", home=server.home)
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "     2  08:00:05  iris            thread removed: thread H-2",
            "     3  08:00:05  iris            thread removed: thread H-3",
            "     4  08:00:05  iris            writes index.html (1,234 bytes)",
        ],
    )
    assert "after 3" in server.asked


async def test_a_cut_connection_is_taken_up_where_it_broke(server: Stage) -> None:
    """No entry is missing and none is told twice, also when the server repeats some.

    Demanded by: PLAT-3, resume; promise 5, no gaps.
    """
    server.feeds = [
        [_frame(_recorded(4)), b'id: 5\ndata: {"se'],
        [_frame(_recorded(4)), _frame(_recorded(5)), b"event: bye\ndata: {}\n\n"],
        [_frame(_recorded(6))],
    ]
    done = await run("tail", "acme", "--last", "0", "--until", "3", "--json", home=server.home)
    assert (done.code, _seqs(done.out)) == (0, [4, 5, 6])
    assert [each for each in server.asked if each.startswith("after")] == [
        "after 3",
        "after 4",
        "after 5",
    ]


async def test_what_the_feed_no_longer_holds_is_read_from_the_ledger(server: Stage) -> None:
    """A snapshot in the place of old entries leaves no gap in the terminal.

    Demanded by: PLAT-3, snapshot when too old.
    """
    server.answers["offices/acme/ledger"] = _page(_recorded(6), _recorded(5), _recorded(4))
    snapshot = b'id: 6\nevent: snapshot\ndata: {"seq": 6}\n\n'
    server.feeds = [[snapshot], [_frame(_recorded(6)), _frame(_recorded(7))]]
    done = await run("tail", "acme", "--last", "0", "--until", "4", "--json", home=server.home)
    assert (done.code, _seqs(done.out)) == (0, [4, 5, 6, 7])
    assert "GET offices/acme/ledger?limit=200&after=3&before=204" in server.asked


async def test_a_server_that_was_started_anew_is_found_again(server: Stage) -> None:
    """Another port and another token: the file in the home says where it is now.

    Demanded by: PLAT-4, tail resumes over a restart.
    """
    server.feeds = [[_frame(_recorded(4))]]
    async with stage(server.home) as anew:
        anew.answers = server.answers
        anew.feeds = [[_frame(_recorded(5))]]
        server.write_server_file(server.url)
        server.on_cut = lambda: anew.write_server_file(anew.url)
        done = await run("tail", "acme", "--last", "0", "--until", "2", "--json", home=server.home)
    assert (done.code, _seqs(done.out)) == (0, [4, 5])


async def test_a_server_that_stays_away_ends_the_watching(server: Stage) -> None:
    """Nothing waits for ever: the patience is an option, and its end is a failure.

    Demanded by: product, nothing blocks forever.
    """
    server.feeds = [[_frame(_recorded(4))]]
    server.on_cut = (server.home / "server.json").unlink
    done = await run("tail", "acme", "--last", "0", "--patience", "0.3", home=server.home)
    assert done.code == 1
    assert "The connection ended; trying again." in done.err
    assert f"No server is running for the home {server.home}." in done.err


async def test_only_what_was_asked_for_is_shown(server: Stage) -> None:
    """By agent, as who did it or whom it is about, and by kind.

    Demanded by: PLAT-4, tail --agent --kind.
    """
    written = FileWritten(agent="juno", path="a.md", run="R-2", call="C-2", bytes=1, new=False)
    feed = [
        _frame(_recorded(4)),
        _frame(_recorded(5, written, actor="office")),
        _frame(_recorded(6, actor="agent:juno")),
        _frame(_recorded(7, written, actor="office")),
    ]
    server.feeds = [feed, feed]
    juno = ("tail", "acme", "--last", "0", "--json", "--agent", "juno")
    by_agent = await run(*juno, "--until", "2", home=server.home)
    by_both = await run(*juno, "--kind", "file_written", "--until", "2", home=server.home)
    assert (_seqs(by_agent.out), _seqs(by_both.out)) == ([5, 6], [5, 7])


async def test_an_entry_of_a_kind_this_command_does_not_know_is_told(server: Stage) -> None:
    """A newer server's feed does not stop an older command.

    Demanded by: PLAT-4.
    """
    entry = {"kind": "shift_ended", "agent": "iris", "note": "\x1b[31mtired"}
    told = {"seq": 4, "at": "2026-03-02T18:00:00Z", "actor": "office", "entry": entry}
    server.feeds = [[b"id: 4\ndata: %b\n\n" % msgspec.json.encode(told)]]
    done = await run("tail", "acme", "--last", "0", "--until", "1", home=server.home)
    assert done.out == (
        "     4  18:00:00  office          shift ended: agent iris, note \ufffd[31mtired\n"
    )


async def test_a_refused_feed_is_no_reason_to_try_again(server: Stage) -> None:
    """An office that is not there will not come by waiting.

    Demanded by: PLAT-4.
    """
    del server.answers["offices/acme/snapshot"]
    done = await run("tail", "acme", home=server.home)
    assert (done.code, done.err.splitlines()[0]) == (
        4,
        "Error: There is no offices/acme/snapshot.",
    )
