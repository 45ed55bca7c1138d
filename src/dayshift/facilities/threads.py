"""Writing threads and messages within a unit of work: the one place where a message is numbered."""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from dayshift.core.errors import InvalidError, LimitError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.core.views import AuthorKind, MessageView, ThreadKind, ThreadView
from dayshift.store import speech

EXCERPT_CHARS = 160
_MENTION = re.compile(r"(?<![\w@/.])@([A-Za-z0-9_-]{1,64})")


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A message to write. ``key`` makes it happen once; empty for none."""

    thread: str
    author_kind: AuthorKind
    author: str
    text: str
    key: str = ""
    mentions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    run: str = ""


def dm_id(agent: str, person: str) -> str:
    """The id of a person's direct thread with an agent."""
    return f"dm:{person}:{agent}"


def channel_id(name: str) -> str:
    """The id of a channel."""
    return f"ch:{name}"


def internal_id(one: str, other: str) -> str:
    """The id of two agents' thread, the same from both sides."""
    first, second = sorted((one, other))
    return f"in:{first}:{second}"


def new_thread(
    id_: str, kind: ThreadKind, *, name: str, members: Iterable[str], **more: str
) -> ThreadView:
    """A thread in which nothing was said yet. ``more``: title, description, person."""
    return ThreadView(
        id=id_,
        kind=kind,
        name=name,
        title=more.get("title", ""),
        description=more.get("description", ""),
        members=list(members),
        person=more.get("person", ""),
        messages=0,
        last_at=None,
        last_text="",
        last_author="",
        cleared_before=0,
    )


def check_text(text: str) -> None:
    """Refuse what is no message.

    Raises:
        InvalidError: Empty.
        LimitError: Larger than a message may be.
    """
    if not text.strip():
        raise InvalidError("The message is empty.", hint="Write something, then send it.")
    size = len(text.encode("utf-8", "replace"))
    if size > MESSAGE_BYTES_MAX:
        raise LimitError(
            f"The message has {size:,} bytes; at most {MESSAGE_BYTES_MAX:,} are allowed.",
            hint="Put the long part into a file and name its path.",
        )


def mentions_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The agents mentioned with ``@name``, each once, in the order of the text."""
    known = {name.casefold(): name for name in names}
    found = (known.get(word.casefold()) for word in _MENTION.findall(text))
    return tuple(dict.fromkeys(name for name in found if name is not None))


def write(unit: UnitOfWork, post: Post, now: datetime) -> tuple[MessageView, bool]:
    """Write a message at the end of its thread; returns it and whether it is new.

    Raises:
        NotFoundError: The thread is gone.
    """
    if post.key:
        known = speech.message_by_key(unit, unit.office, post.key)
        if known is not None:
            return known, False
    thread = speech.thread(unit, unit.office, post.thread)
    if thread is None:
        raise NotFoundError(f"There is no thread {post.thread}.")
    message = MessageView(
        id=unit.next_id("M"),
        thread=thread.id,
        n=thread.messages + 1,
        author_kind=post.author_kind,
        author=post.author,
        text=post.text,
        mentions=list(post.mentions),
        files=list(post.files),
        run=post.run,
        at=now,
    )
    after = msgspec.structs.replace(
        thread,
        messages=message.n,
        last_at=now,
        last_text=" ".join(post.text.split())[:EXCERPT_CHARS],
        last_author=post.author,
    )
    speech.add_message(unit, message, thread_view=after, key=post.key)
    return message, True


def ensure(unit: UnitOfWork, fresh: ThreadView) -> ThreadView:
    """The thread of that id, made as ``fresh`` when there is none."""
    known = speech.thread(unit, unit.office, fresh.id)
    if known is not None:
        return known
    speech.put_thread(unit, fresh)
    return fresh
