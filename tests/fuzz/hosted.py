"""An office that a state machine holds open: its rules are synchronous, the office is not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine

from dayshift.testing.office_harness import OfficeHarness, Setting

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
Wish = tuple["Coroutine[Any, Any, Any]", "asyncio.Future[Any]"]
EFFORT = settings(
    max_examples=12,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class HostedOffice(RuleBasedStateMachine):
    """A machine with an office of its own, open from ``open_office`` to ``close_office``."""

    def __init__(self, setting: Setting | None = None) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = TemporaryDirectory()
        self.office = OfficeHarness(Path(self.folder.name), setting)
        self.wishes: asyncio.Queue[Wish | None] = asyncio.Queue()
        self.host: asyncio.Task[None] | None = None

    def do(self, work: Coroutine[object, object, T]) -> T:
        """Let the office live until something is done, in the one task that holds it open."""
        done: asyncio.Future[T] = self.loop.create_future()
        self.wishes.put_nowait((work, done))
        return self.loop.run_until_complete(done)

    def open_office(self) -> None:
        """Open it."""
        self.host = self.loop.create_task(self._keep_open())
        self.do(asyncio.sleep(0))

    def close_office(self) -> None:
        """Close it, and all that was made for it."""
        self.wishes.put_nowait(None)
        if self.host is not None:
            self.loop.run_until_complete(self.host)
        self.loop.close()
        self.folder.cleanup()

    async def _keep_open(self) -> None:
        async with self.office:
            while (wish := await self.wishes.get()) is not None:
                work, done = wish
                try:
                    done.set_result(await work)
                except Exception as error:  # noqa: BLE001  it is raised where it was asked for
                    done.set_exception(error)
