"""Channels: opened, changed and closed by people, and by the office's file.

While the office is open, the ledger says which channels there are. The file speaks when it is read:
what it says anew since the last time is taken over, and what people changed meanwhile stands.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from dayshift.bus.bus import Bus
from dayshift.core.errors import ConflictError, InvalidError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.views import ThreadView
from dayshift.core.wishes import ChannelChanges, ChannelDraft
from dayshift.dispatch.duty import DutyBook
from dayshift.facilities import threads
from dayshift.store import posts, speech, staff
from dayshift.store.rows import Rows, decode

GENERAL = "general"
MARK = "channels_said"


class _Said(msgspec.Struct, frozen=True):
    """What the file said of a channel."""

    description: str
    members: list[str]


class Channels:
    """The channels of one office."""

    def __init__(self, bus: Bus, book: DutyBook) -> None:
        """Channels are kept in the ledger alone."""
        self._bus = bus
        self._book = book

    async def create(self, draft: ChannelDraft, *, by: str) -> ThreadView:
        """Open a channel; without members, all agents are.

        Raises:
            ConflictError: The name is taken.
            InvalidError: A member who is no agent.
        """
        wanted = msgspec.structs.replace(
            draft,
            members=self._known(draft.members) or [agent.name for agent in self._book.all()],
            description=self._bus.clean(draft.description),
        )

        def work(unit: UnitOfWork) -> ThreadView:
            _check_free(unit, wanted.name)
            return _opened(unit, wanted)

        return await self._bus.commit(work, actor=by)

    async def edit(self, name: str, changes: ChannelChanges, *, by: str) -> ThreadView:
        """Change a channel's name, description or members; its messages stay with it.

        Raises:
            NotFoundError: There is no such channel.
            ConflictError: The new name is taken, or it is the general one, which keeps its own.
            InvalidError: No member, or one who is no agent.
        """
        given = {k: v for k, v in msgspec.structs.asdict(changes).items() if v is not UNSET}
        if "members" in given:
            given["members"] = self._known(given["members"])
            if not given["members"]:
                raise InvalidError("A channel needs a member.", hint="Delete it instead.")
        if "description" in given:
            given["description"] = self._bus.clean(given["description"])

        def work(unit: UnitOfWork) -> ThreadView:
            view = self._one(unit, name)
            if given.get("name", name) != name:
                _check_not_general(name, "keeps its name")
                _check_free(unit, given["name"])
            after = msgspec.structs.replace(view, **given)
            if after != view:
                speech.put_thread(unit, after)
            return after

        return await self._bus.commit(work, actor=by)

    async def delete(self, name: str, *, by: str) -> None:
        """Close a channel; what was said there stays in the ledger.

        Raises:
            NotFoundError: There is no such channel.
            ConflictError: It is the general one.
        """

        def work(unit: UnitOfWork) -> None:
            view = self._one(unit, name)
            _check_not_general(name, "is everyone's and cannot be deleted")
            speech.remove_thread(unit, view.id)

        await self._bus.commit(work, actor=by)

    async def one(self, name: str) -> ThreadView:
        """The channel of a name.

        Raises:
            NotFoundError: There is none; the hint lists those there are.
        """
        return await self._bus.read(lambda r: self._one(r, name))

    def apply(self, unit: UnitOfWork, wanted: Sequence[ChannelDraft]) -> None:
        """Take over what the file says, where it says something else than the last time."""
        stored = staff.mark(unit, unit.office, MARK)
        before = decode(stored, dict[str, _Said]) if stored else {}
        said = {one.name: _Said(one.description, list(one.members)) for one in wanted}
        for draft in wanted:
            if before.get(draft.name) != said[draft.name]:
                self._put(unit, draft)
        for gone in before.keys() - said.keys():
            view = posts.channel(unit, unit.office, gone)
            if view is not None and gone != GENERAL:
                speech.remove_thread(unit, view.id)
        if said != before:
            staff.put_mark(unit, MARK, msgspec.json.encode(said).decode())

    def leave(self, unit: UnitOfWork, agent: str) -> None:
        """Take an agent that works here no longer out of every channel."""
        for view in posts.channels(unit, unit.office):
            if agent in view.members:
                left = [name for name in view.members if name != agent]
                speech.put_thread(unit, msgspec.structs.replace(view, members=left))

    def _put(self, unit: UnitOfWork, draft: ChannelDraft) -> None:
        view = posts.channel(unit, unit.office, draft.name)
        if view is None:
            _opened(unit, draft)
            return
        after = msgspec.structs.replace(
            view, members=list(draft.members), description=draft.description
        )
        if after != view:
            speech.put_thread(unit, after)

    def _one(self, asked: Rows, name: str) -> ThreadView:
        return find(asked, self._bus.office, name)

    def _known(self, members: Sequence[str]) -> list[str]:
        strangers = [name for name in members if self._book.get(name) is None]
        if strangers:
            raise InvalidError(
                f"{', '.join(strangers)}: nobody of that name works here.",
                hint="A channel's members are agents; people see every channel.",
            )
        return list(dict.fromkeys(members))


def find(asked: Rows, office: str, name: str) -> ThreadView:
    """The channel of a name; a leading ``#`` does not count.

    Raises:
        NotFoundError: There is none; the hint lists those there are.
    """
    view = posts.channel(asked, office, name.removeprefix("#"))
    if view is None:
        names = ", ".join(f"#{one.name}" for one in posts.channels(asked, office))
        raise NotFoundError(
            f"There is no channel #{name.removeprefix('#')}.", hint=f"Channels: {names or 'none'}."
        )
    return view


def _check_free(unit: UnitOfWork, name: str) -> None:
    if posts.channel(unit, unit.office, name) is not None:
        raise ConflictError(f"There is a channel #{name} already.", hint="Choose another name.")


def _check_not_general(name: str, why: str) -> None:
    if name == GENERAL:
        raise ConflictError(f"#{GENERAL} {why}.", hint="Change its members instead.")


def _opened(unit: UnitOfWork, draft: ChannelDraft) -> ThreadView:
    id_ = threads.channel_id(draft.name)
    count = 1
    while posts.was_used(unit, unit.office, id_):
        count += 1
        id_ = f"{threads.channel_id(draft.name)}~{count}"
    fresh = threads.new_thread(
        id_, "channel", name=draft.name, members=draft.members, description=draft.description
    )
    speech.put_thread(unit, fresh)
    return fresh
