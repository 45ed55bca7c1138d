"""What must hold after all of it: nothing lost, nothing twice, nothing left over."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from dayshift.core.entries import CallChanged, Recorded
from dayshift.core.snapshot import Snapshot, apply
from dayshift.core.states import CALL_ENDS, RUN_ENDS, ItemState
from dayshift.run.dialogue import KEPT_BYTES_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

    from tests.soak.house import House
    from tests.soak.people import Counts, Watcher

GOT = re.compile(r"got m-(\d+)")
MARK = re.compile(r"m-(\d+)")
UNANSWERED = {"failed", "blocked", "cancelled"}
DIALOGUE_KB_PER_ENTRY = 0.1
DIALOGUES_KB = KEPT_BYTES_MAX * 5 // 4 // 1000
"""Dialogues are kept up to a guess of their size, which falls short by a fifth."""
YOUNG_S, YOUNG_KB = 60, 16_000
ALLOCATOR_KB = 8_000
FILES_SLACK = 40
TASKS_SLACK = 40
COMPUTER_FILES = 3
"""A computer that is on has a folder, a control pipe and its process open; it stays on."""


async def settled(house: House, http: aiohttp.ClientSession, limit_s: float) -> None:
    """Wait until nothing is queued and nobody works."""
    async with asyncio.timeout(limit_s):
        while True:  # ends when the office is at rest, or by the limit
            snapshot = await house.get(http, "snapshot")
            waiting = [i for i in snapshot["items"].values() if i["state"] in {"queued", "taken"}]
            if not waiting and not snapshot["runs"]:
                return
            await asyncio.sleep(0.3)


async def faults(
    house: House, http: aiohttp.ClientSession, counts: Counts, watcher: Watcher
) -> list[str]:
    """Everything that is not as it should be, one line each."""
    found = await _messages(house, http, counts)
    found += await _runs(house, http)
    found += _effects(house)
    found += await _feed(house, http, watcher)
    found += _left_over(house)
    return found


async def _messages(house: House, http: aiohttp.ClientSession, counts: Counts) -> list[str]:
    """Accepted messages are there once, in each sender's order, and were answered at most once."""
    found: list[str] = []
    threads: dict[str, list[dict[str, Any]]] = {}
    for (_, thread), texts in counts.said.items():
        if thread not in threads:
            threads[thread] = (await house.every(http, f"threads/{thread}/messages"))[::-1]
        times = Counter(m["text"] for m in threads[thread])
        found += [f"{times[t]} times in {thread}: {t}" for t in texts if times[t] != 1]
        order = [m["text"] for m in threads[thread] if m["text"] in set(texts)]
        if order != texts:
            found.append(f"out of order in {thread}: {order[:5]} for {texts[:5]}")
    runs = {run["id"]: run for run in await house.every(http, "runs")}
    for thread, messages in threads.items():
        said = Counter(
            mark for m in messages if m["author_kind"] == "agent" for mark in GOT.findall(m["text"])
        )
        found += [f"answered {n} times in {thread}: m-{mark}" for mark, n in said.items() if n > 1]
    answered = {run["thread"] for run in runs.values() if run["ended_at"]}
    found += [f"never worked on: {thread}" for thread in threads if thread not in answered]
    done = Counter(
        mark
        for run in runs.values()
        if run["kind"] == "message"
        for mark in MARK.findall(run["title"])
    )
    found += [
        f"m-{mark} started {done[mark]} runs"
        for (_, thread), texts in counts.said.items()
        if thread.startswith("dm:")
        for mark in MARK.findall(" ".join(texts))
        if done[mark] != 1
    ]
    return found


async def _runs(house: House, http: aiohttp.ClientSession) -> list[str]:
    """Everything has ended, and what has ended says how."""
    found: list[str] = []
    ends = {state.value for state in RUN_ENDS}
    for run in await house.every(http, "runs"):
        if run["state"] not in ends:
            found.append(f"{run['id']} is {run['state']}")
        elif run["state"] in UNANSWERED and not run["reason"]:
            found.append(f"{run['id']} is {run['state']} for no reason")
    ledger = await house.get(http, "snapshot")
    found += [f"call {id_} is open" for id_ in ledger["calls"]]
    found += [
        f"item {item['id']} is {item['state']}"
        for item in ledger["items"].values()
        if item["state"] not in {ItemState.PARKED.value, ItemState.PAUSED.value}
    ]
    return found


def _effects(house: House) -> list[str]:
    """What a command wrote stands there once."""
    lines: Counter[str] = Counter()
    for file in house.home.glob("offices/*/agents/*/workspace/done.txt"):
        lines.update(file.read_text("utf-8").split())
    # An answer may hold the same command twice; a third line would be one too many.
    return [f"{line} was done {n} times" for line, n in lines.items() if n > 2]


async def _feed(house: House, http: aiohttp.ClientSession, watcher: Watcher) -> list[str]:
    """The feed had no gap, and what it told comes to what is there."""
    found = [f"the feed jumped from {a} to {b}" for a, b in watcher.gaps]
    fresh = msgspec.convert(await house.get(http, "snapshot"), Snapshot, strict=False)
    async with asyncio.timeout(10):
        while watcher.last < fresh.seq:
            watcher.moved.clear()
            await watcher.moved.wait()
    if watcher.first is None:
        return [*found, "the feed never began"]
    told = msgspec.convert(watcher.first, Snapshot, strict=False)
    open_calls: set[str] = set()
    for frame in watcher.frames:
        recorded = msgspec.json.decode(frame, type=Recorded)
        apply(told, recorded)
        if isinstance(recorded.entry, CallChanged):
            call = recorded.entry.call
            (open_calls.discard if call.state in CALL_ENDS else open_calls.add)(call.id)
    found += [f"call {id_} never ended" for id_ in sorted(open_calls)]
    if told.seq == fresh.seq and told != fresh:
        found += [
            f"the feed told another {name}"
            for name in Snapshot.__struct_fields__
            if getattr(told, name) != getattr(fresh, name)
        ]
    return found


def _left_over(house: House) -> list[str]:
    """Memory is bounded; files, threads and tasks are as many as at the beginning."""
    found: list[str] = []
    first, last = house.marks["warm"], house.marks["end"]
    # Looking for what is wrong asks for everything there is, which takes memory of its own.
    worked = house.marks["work's end"]
    grew_kb, allowed_kb = worked["rss_kb"] - first["rss_kb"], memory_growth_max(first, worked)
    if grew_kb > allowed_kb:
        found.append(f"memory grew by {grew_kb} KB, {allowed_kb} are explained")
    before, after = (m["files"] - COMPUTER_FILES * m["computers"] for m in (first, last))
    if after > before + FILES_SLACK:
        found.append(f"open files but those of computers grew from {before} to {after}")
    if last["threads"] > first["threads"] + 8:
        found.append(f"threads grew from {first['threads']} to {last['threads']}")
    if last["tasks"] > first["tasks"] + TASKS_SLACK:
        found.append(f"tasks grew from {first['tasks']} to {last['tasks']}")
    return found


def memory_growth_max(first: Mapping[str, int], last: Mapping[str, int]) -> int:
    """By how many KB a server's memory may grow between two moments.

    What grows, and where that ends:

    * Dialogues: an agent begins one each office day, and the clock jumps from day to day. One took
      13 KB, or 0.08 for each entry of the ledger; beyond ``KEPT_BYTES_MAX`` those used longest ago
      are dropped, and from then on the process had as many objects as before.
    * What a server takes once, in its first minute at this load: the newest entries of its feed,
      and whatever is used the first time.
    * The allocator: threads have arenas of their own, and freed memory stays with them in pieces.
      It grew by 5 MB in the 5,000 runs in which nothing else did, and less in each thousand.

    Beyond these nothing grew in 14,000 runs of 200 agents. The longer a soak, the smaller the leak
    that shows.
    """
    told = last["told"] - first["told"]
    dialogues = min(int(told * DIALOGUE_KB_PER_ENTRY), DIALOGUES_KB)
    young = YOUNG_KB if first["up_s"] < YOUNG_S else 0
    return dialogues + young + ALLOCATOR_KB


def after_the_end(house: House) -> list[str]:
    """With the server gone, no process of its agents is left, and the file is whole."""
    found = [f"process {pid} was left" for pid in house.processes()]
    for file in house.home.glob("*.sqlite3"):
        with sqlite3.connect(file) as connection:
            told = connection.execute("PRAGMA integrity_check").fetchone()[0]
        connection.close()
        if told != "ok":
            found.append(f"{file.name}: {told}")
    return found
