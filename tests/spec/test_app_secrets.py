"""Secrets the server was given stay out of what models read, of the ledger and of the feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dayshift.testing.model_server import Call, Say
from dayshift.testing.office_harness import OfficeHarness

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary-4f9a77e1b2c3d4e5f6"


async def test_a_secret_that_a_tool_prints_reaches_neither_model_nor_ledger(
    tmp_path: Path,
) -> None:
    """What a tool brings is cleaned before the model, the disk or a watcher sees it.

    Demanded by: PLAT-6; SEC-09.
    """
    async with OfficeHarness(tmp_path) as office:
        office.database.redactor.learn("canary", CANARY)
        read = Call(name="read_file", arguments={"path": "notes.txt"})
        computer = office.office.computer_of("iris")
        await computer.write("notes.txt", f"the key is {CANARY}".encode())
        office.model.say(Say(calls=(read,)), Say(text=f"It says {CANARY}."), to="iris")

        await office.ada.asks("iris", "What do the notes say?")
        await office.settled()

        told = [str(seen.body) for seen in office.model.requests]
        kept = [committed.body for committed in office.heard]
        assert "hidden: canary" in told[-1]
        assert [text for text in told + kept if CANARY in text] == []
        assert CANARY not in "\n".join(await office.ada.sees("iris"))
