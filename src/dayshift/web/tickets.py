"""Tickets for previews: a page an agent made, with its styles and pictures, opened in a sandbox.

In a sandbox a page has no origin, so that browsers send no cookie with what it loads. The address
itself says what may be read: the workspace of one agent, by whoever asked for it, for a while.
"""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass

from dayshift.access.access import Actor
from dayshift.core.errors import NotFoundError

TICKET_LIVES_S = 900.0
TICKETS_MAX = 1_000
_BYTES = 24


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """What an address may read, and in whose name. ``ends`` is in the event loop's time."""

    actor: Actor
    office: str
    agent: str
    ends: float


class Tickets:
    """The tickets that were given out since the server started; the oldest go first."""

    def __init__(self) -> None:
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()

    def make(self, actor: Actor, *, office: str, agent: str) -> str:
        """A new secret part of an address."""
        secret = secrets.token_urlsafe(_BYTES)
        ends = asyncio.get_running_loop().time() + TICKET_LIVES_S
        self._tickets[secret] = Ticket(actor=actor, office=office, agent=agent, ends=ends)
        while len(self._tickets) > TICKETS_MAX:
            self._tickets.popitem(last=False)
        return secret

    def of(self, secret: str) -> Ticket:
        """The ticket of an address; raises NotFoundError when it does not hold."""
        ticket = self._tickets.get(secret)
        if ticket is None or ticket.ends <= asyncio.get_running_loop().time():
            raise NotFoundError(
                "This preview is over.", hint="Open the file again from the Files page."
            )
        return ticket
