"""Dialogues in memory take no more than they may, however they grow."""

from __future__ import annotations

from typing import Any

import msgspec

from dayshift.core.model import TextPart, UserMessage
from dayshift.facilities.journal import StoredDialogue
from dayshift.run.dialogue import KEPT_BYTES_MAX, KEPT_MIN, TOKEN_BYTES, Dialogues

AGENTS = 2 * KEPT_MIN
CHARS_PER_TOKEN_MIN = 3


class Ledger:
    """Dialogues on disk, and how often one was read."""

    def __init__(self) -> None:
        """Nothing was read."""
        self.reads = 0

    async def dialogue(self, agent: str, key: str) -> StoredDialogue:
        """A dialogue without messages."""
        self.reads += 1
        whole = {"id": f"D-{agent}", "key": key, "version": 0, "last": 0}
        return msgspec.convert({**whole, "summary": "", "messages": []}, StoredDialogue)


async def test_dialogues_that_grow_are_let_go_of() -> None:
    """Those used last stay; one that was let go of is read from the ledger again.

    Also when each grows once and is never opened again, as that of a task that is done.

    Demanded by: promise of flat memory; RUN-1.
    """
    ledger: Any = Ledger()
    dialogues = Dialogues(ledger)
    share = KEPT_BYTES_MAX // KEPT_MIN // TOKEN_BYTES * CHARS_PER_TOKEN_MIN
    long = UserMessage((TextPart("x" * share),))
    for n in range(AGENTS):
        dialogue = await dialogues.open(f"a{n}", "dm")
        dialogue.put(dialogue.take_place(), long)
        dialogue.put(dialogue.take_place(), long)
        dialogues.rest(f"a{n}", dialogue)
    before = ledger.reads
    await dialogues.open(f"a{AGENTS - 1}", "dm")
    assert ledger.reads == before
    await dialogues.open("a0", "dm")
    assert ledger.reads == before + 1


async def test_a_dialogue_that_was_let_go_of_while_it_grew_is_not_kept() -> None:
    """What a person cleared meanwhile does not come back with the end of a run.

    Demanded by: WORK-3; RUN-1.
    """
    ledger: Any = Ledger()
    dialogues = Dialogues(ledger)
    dialogue = await dialogues.open("iris", "dm")
    dialogues.forget("iris", "dm")
    dialogues.rest("iris", dialogue)
    assert await dialogues.open("iris", "dm") is not dialogue
    assert ledger.reads == 2
