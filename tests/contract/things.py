"""Views as tests of the store write them: whole, with what matters named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dayshift.core.states import ItemState
from dayshift.core.views import AlertView, ItemView

if TYPE_CHECKING:
    from dayshift.testing.postgres import PostgresServer

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class PostgresDatabase:
    """A fresh database, and the server it is on."""

    server: PostgresServer
    url: str


def item(
    id_: str, *, agent: str = "iris", text: str = "hello", state: ItemState = ItemState.QUEUED
) -> ItemView:
    """An inbox item."""
    return ItemView(
        id=id_,
        agent=agent,
        kind="message",
        source="person",
        type="message",
        sender="person:ada",
        text=text,
        priority=6,
        order=1,
        state=state,
        event="",
        thread="",
        task="",
        run="",
        attempts=0,
        reason="",
        hops=0,
        queued_at=NOW,
        expires_at=None,
    )


def alert(id_: str, *, text: str = "look") -> AlertView:
    """An open alert."""
    return AlertView(
        id=id_,
        code="test",
        severity="info",
        text=text,
        hint="",
        agent="",
        run="",
        task="",
        count=1,
        at=NOW,
        acknowledged_by="",
        acknowledged_at=None,
    )
