"""Readable mirrors of sessions in the agents' homes: up to date, mended, rebuilt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from dayshift.testing.model_server import Say
from dayshift.testing.office_harness import OfficeHarness, does

if TYPE_CHECKING:
    from pathlib import Path

FILE = "offices/acme/agents/iris/sessions/D-1.jsonl"


async def lines(office: OfficeHarness) -> list[dict[str, Any]]:
    """The mirror of Iris's dialogue, once it is written."""
    async with asyncio.timeout(30):
        await office.office.staff.mirror.written()
    text = await asyncio.to_thread((office.home / FILE).read_text)
    return [msgspec.json.decode(line) for line in text.splitlines()]


async def test_a_session_is_mirrored_line_by_line(tmp_path: Path) -> None:
    """After a run its dialogue lies in the agent's home, one message a line, in order.

    Demanded by: "sessions/ (readable JSONL mirrors)".
    """
    async with OfficeHarness(tmp_path) as office:
        office.says("iris", does("bash", command="echo hi"), Say(text="Said hi."), Say(text="Yes."))
        await office.ada.asks("iris", "Say hi")
        await office.settled()
        first = await lines(office)
        await office.ada.asks("iris", "Really?")
        await office.settled()

        both = await lines(office)

        roles = [line["message"]["role"] for line in both[1:]]
        assert both[0] == {"dialogue": "D-1", "agent": "iris"}
        assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant"]
        assert both[: len(first)] == first
        assert [line["run"] for line in both[1:]] == ["R-1"] * 4 + ["R-2"] * 2
        mode = (await asyncio.to_thread((tmp_path / FILE).stat)).st_mode & 0o777
        assert mode == 0o600


async def test_a_mirror_that_is_missing_or_torn_is_made_whole(tmp_path: Path) -> None:
    """Half a line from a crash is cut off and written anew; a deleted mirror comes back at a start.

    Demanded by: RUN-4, "sessions/ (readable JSONL mirrors)".
    """
    async with OfficeHarness(tmp_path) as office:
        await office.ada.asks("iris", "One")
        await office.settled()
        whole = await lines(office)
        text = await asyncio.to_thread((tmp_path / FILE).read_text)
        await office.close()
        await asyncio.to_thread((tmp_path / FILE).write_text, text[:-20])
        await office.open()
        torn = await lines(office)
        await office.close()
        await asyncio.to_thread((tmp_path / FILE).unlink)

        await office.open()

        assert torn == whole
        assert await lines(office) == whole
