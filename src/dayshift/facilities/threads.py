"""Writing threads and messages within a unit of work: the one place where a message is numbered."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

import msgspec

from dayshift.core.errors import ConflictError, InvalidError, LimitError, NotFoundError
from dayshift.core.ledger import UnitOfWork
from dayshift.core.limits import MESSAGE_BYTES_MAX
from dayshift.core.views import AuthorKind, MessageView, ThreadKind, ThreadView
from dayshift.store import speech

OFFICE = "office"
EXCERPT_CHARS = 160
KEY_CHARS_MAX = 150
CUT = "\n[The message was longer than a message may be; the rest was left out.]"
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
    """The id a channel of that name gets; after a renaming it keeps it, so look it up by name."""
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
        InvalidError: Empty, or no valid Unicode.
        LimitError: Larger than a message may be.
    """
    if not text.strip():
        raise InvalidError("The message is empty.", hint="Write something, then send it.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidError(
            "The message holds half of a character.", hint="Send it as valid UTF-8."
        ) from error
    if size > MESSAGE_BYTES_MAX:
        raise LimitError(
            f"The message has {size:,} bytes; at most {MESSAGE_BYTES_MAX:,} are allowed.",
            hint="Put the long part into a file and name its path.",
        )


def check_key(key: str) -> None:
    """Refuse what cannot be a message's key.

    Raises:
        InvalidError: Too long, or with a NUL.
    """
    if len(key) > KEY_CHARS_MAX or "\x00" in key:
        raise InvalidError(
            f"The key of a message has at most {KEY_CHARS_MAX} characters, none of them NUL."
        )


def fitting(text: str) -> str:
    """A text cut to what a message may hold, saying so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MESSAGE_BYTES_MAX:
        return data.decode()
    return data[: MESSAGE_BYTES_MAX - len(CUT)].decode("utf-8", "ignore") + CUT


def mentions_in(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The agents mentioned with ``@name``, each once, in the order of the text."""
    known = {name.casefold(): name for name in names}
    found = (known.get(word.casefold()) for word in _MENTION.findall(text))
    return tuple(dict.fromkeys(name for name in found if name is not None))


class Written(NamedTuple):
    """A message in its place; ``is_new`` says that it was not there before."""

    message: MessageView
    is_new: bool


def write(unit: UnitOfWork, post: Post, now: datetime) -> Written:
    """Write a message at the end of its thread; one with the same key is written once.

    Raises:
        NotFoundError: The thread is gone.
        ConflictError: Another message was posted under its key, in another thread.
    """
    if post.key:
        known = speech.message_by_key(unit, unit.office, post.key)
        if known is not None and known.thread != post.thread:
            raise ConflictError(
                "The key was used for a message elsewhere.",
                hint="Use a fresh key for each message.",
            )
        if known is not None:
            return Written(known, is_new=False)
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
    return Written(message, is_new=True)


def ensure(unit: UnitOfWork, fresh: ThreadView) -> ThreadView:
    """The thread of that id, made as ``fresh`` when there is none."""
    known = speech.thread(unit, unit.office, fresh.id)
    if known is not None:
        return known
    speech.put_thread(unit, fresh)
    return fresh
