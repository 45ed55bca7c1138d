"""Rows of threads with their messages (the people's side) and of dialogues (the model's side)."""

from sqlalchemy import func, select, update

from dayshift.core.entries import MessagePosted, ThreadChanged, ThreadRead, ThreadRemoved
from dayshift.core.ledger import UnitOfWork
from dayshift.core.model import Message
from dayshift.core.views import MessageView, ThreadView
from dayshift.store import tables as t
from dayshift.store.rows import Rows, bodies, decode, encode, number
from dayshift.store.statements import Prepared, param, prepared_insert

_t, _m, _r, _d, _u = t.threads.c, t.messages.c, t.reads.c, t.dialogues.c, t.utterances.c
_OFFICE = param("of_office")
_INSERT_UTTERANCE = prepared_insert(t.utterances)
_THREAD = Prepared(
    select(_t.body).where(_t.office == _OFFICE, _t.id == param("of_id"), _t.removed == 0)
)
_MESSAGE_BY_KEY = Prepared(
    select(_m.body).where(_m.office == _OFFICE, _m.key == param("of_key"), t.has_key(_m.key))
)
_MESSAGES_OF_RUN = Prepared(
    select(_m.body).where(
        _m.office == _OFFICE, _m.thread == param("of_thread"), _m.run == param("of_run")
    )
)
_READ_UPTO = Prepared(
    select(_r.n).where(
        _r.office == _OFFICE, _r.person == param("of_person"), _r.thread == param("of_thread")
    )
)
_DIALOGUE_BY_KEY = Prepared(
    select(_d.n, _d.cursor, _d.summary)
    .where(_d.office == _OFFICE, _d.agent == param("of_agent"), _d.key == param("of_key"))
    .order_by(_d.n.desc())
    .limit(1)
)
_DIALOGUE = Prepared(
    select(_d.key, _d.cursor, _d.summary).where(_d.office == _OFFICE, _d.n == param("of_n"))
)
_SESSION_LINES = Prepared(
    select(_u.n, _u.run_n, _u.body)
    .where(_u.office == _OFFICE, _u.dialogue_n == param("of_dialogue"), _u.n > param("of_after"))
    .order_by(_u.n)
)


def put_thread(unit: UnitOfWork, view: ThreadView, *, told: bool = True) -> None:
    """Write a thread; tell of it unless the caller's own entry carries it."""
    unit.upsert(
        t.threads,
        {
            "office": unit.office,
            "id": view.id,
            "kind": view.kind,
            "name": view.name,
            "removed": 0,
            "body": encode(view),
        },
    )
    if told:
        unit.append(ThreadChanged(thread=view))


def remove_thread(unit: UnitOfWork, thread_id: str) -> None:
    """Take a thread out of every list; its messages stay in the ledger."""
    where = (t.threads.c.office == unit.office) & (t.threads.c.id == thread_id)
    unit.change(update(t.threads).where(where).values(removed=1))
    unit.append(ThreadRemoved(thread=thread_id))


def thread(asked: Rows, office: str, thread_id: str) -> ThreadView | None:
    """One thread that was not removed."""
    rows = asked.rows(_THREAD, {"of_office": office, "of_id": thread_id})
    return decode(rows[0][0], ThreadView) if rows else None


def threads(asked: Rows, office: str) -> list[ThreadView]:
    """All threads that were not removed."""
    query = select(t.threads.c.body).where(t.threads.c.office == office, t.threads.c.removed == 0)
    return bodies(asked.rows(query.order_by(t.threads.c.kind, t.threads.c.name)), ThreadView)


def add_message(unit: UnitOfWork, view: MessageView, *, thread_view: ThreadView, key: str) -> None:
    """Write a message with its thread as it is afterwards, and tell of both."""
    unit.upsert(
        t.messages,
        {
            "office": unit.office,
            "thread": view.thread,
            "n": view.n,
            "id": view.id,
            "number": number(view.id),
            "key": key,
            "author": view.author,
            "run": view.run,
            "at": view.at.isoformat(),
            "body": encode(view),
        },
    )
    put_thread(unit, thread_view, told=False)
    unit.append(MessagePosted(message=view, thread=thread_view))


def message_by_key(asked: Rows, office: str, key: str) -> MessageView | None:
    """The message that was posted under an idempotency key."""
    rows = asked.rows(_MESSAGE_BY_KEY, {"of_office": office, "of_key": key})
    return decode(rows[0][0], MessageView) if rows else None


def said_in_run(asked: Rows, office: str, thread_id: str, *, run: str) -> list[str]:
    """What a run has posted to a thread so far."""
    given = {"of_office": office, "of_thread": thread_id, "of_run": run}
    return [view.text for view in bodies(asked.rows(_MESSAGES_OF_RUN, given), MessageView)]


def messages(
    asked: Rows, office: str, thread_id: str, *, before: int, after: int, limit: int
) -> list[MessageView]:
    """A thread's messages behind ``after``, newest first; ``before`` 0 begins with the newest."""
    c = t.messages.c
    query = select(c.body).where(c.office == office, c.thread == thread_id, c.n > after)
    if before:
        query = query.where(c.n < before)
    return bodies(asked.rows(query.order_by(c.n.desc()).limit(limit)), MessageView)


def search_messages(asked: Rows, office: str, text: str, *, limit: int) -> list[MessageView]:
    """Messages whose text contains ``text``, newest first."""
    c = t.messages.c
    needle = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    query = select(c.body).where(c.office == office, c.body.ilike(f"%{needle}%", escape="\\"))
    return bodies(asked.rows(query.order_by(c.at.desc()).limit(limit)), MessageView)


def put_read(unit: UnitOfWork, person: str, thread_id: str, n: int) -> None:
    """Note how far a person has read; never backwards."""
    given = {"of_office": unit.office, "of_person": person, "of_thread": thread_id}
    rows = unit.rows(_READ_UPTO, given)
    if rows and rows[0][0] >= n:
        return
    unit.upsert(t.reads, {"office": unit.office, "person": person, "thread": thread_id, "n": n})
    unit.append(ThreadRead(thread=thread_id, person=person, n=n))


def read_marks(asked: Rows, office: str) -> dict[str, int]:
    """``PERSON/THREAD`` to the last message read."""
    c = t.reads.c
    rows = asked.rows(select(c.person, c.thread, c.n).where(c.office == office))
    return {f"{person}/{thread_id}": int(n) for person, thread_id, n in rows}


def find_dialogue(asked: Rows, office: str, agent: str, key: str) -> tuple[str, int, str] | None:
    """The id, cursor and summary of an agent's dialogue by its key."""
    rows = asked.rows(_DIALOGUE_BY_KEY, {"of_office": office, "of_agent": agent, "of_key": key})
    return (f"D-{rows[0][0]}", int(rows[0][1]), str(rows[0][2])) if rows else None


def dialogue(asked: Rows, office: str, id_: str) -> tuple[str, int, str]:
    """The key, cursor and summary of a dialogue."""
    rows = asked.rows(_DIALOGUE, {"of_office": office, "of_n": number(id_)})
    return (str(rows[0][0]), int(rows[0][1]), str(rows[0][2])) if rows else ("", 0, "")


def add_dialogue(unit: UnitOfWork, agent: str, key: str) -> str:
    """Open a new dialogue and return its id."""
    id_ = unit.next_id("D")
    unit.upsert(
        t.dialogues,
        {
            "office": unit.office,
            "n": number(id_),
            "agent": agent,
            "key": key,
            "cursor": 0,
            "summary": "",
        },
    )
    return id_


def move_cursor(unit: UnitOfWork, dialogue_id: str, *, cursor: int, summary: str) -> None:
    """Let a dialogue begin at ``cursor``, after a summary of what came before."""
    where = (t.dialogues.c.office == unit.office) & (t.dialogues.c.n == number(dialogue_id))
    unit.change(update(t.dialogues).where(where).values(cursor=cursor, summary=summary))


def close_dialogue(unit: UnitOfWork, dialogue_id: str) -> None:
    """Retire a dialogue: its key is free for a new one, its utterances stay readable."""
    where = (t.dialogues.c.office == unit.office) & (t.dialogues.c.n == number(dialogue_id))
    unit.change(update(t.dialogues).where(where).values(key=f"closed:{dialogue_id}"))


def utter(unit: UnitOfWork, dialogue_id: str, n: int, *, run: str, message: Message) -> None:
    """Write one message of a dialogue in its place."""
    unit.change(
        _INSERT_UTTERANCE,
        {
            "office": unit.office,
            "dialogue_n": number(dialogue_id),
            "n": n,
            "run_n": number(run),
            "body": encode(message),
        },
    )


def utterances(
    asked: Rows, office: str, dialogue_id: str, *, first: int, upto: int = 1 << 60
) -> list[tuple[int, Message]]:
    """Messages of a dialogue from ``first`` on, in order, with their places."""
    c = t.utterances.c
    query = select(c.n, c.body).where(
        c.office == office, c.dialogue_n == number(dialogue_id), c.n >= first, c.n <= upto
    )
    rows = asked.rows(query.order_by(c.n))
    return [(int(n), decode(body, Message)) for n, body in rows]  # pyright: ignore[reportArgumentType]  a union is a type to msgspec


def summaries(asked: Rows, office: str, dialogue_id: str) -> int:
    """How often a dialogue was summarised; summary ``k`` stands in place ``-k``."""
    c = t.utterances.c
    query = select(func.min(c.n)).where(c.office == office, c.dialogue_n == number(dialogue_id))
    return max(0, -int(asked.rows(query)[0][0] or 0))


def last_slot(asked: Rows, office: str, dialogue_id: str) -> int:
    """The highest place promised to a call of the run that last used a dialogue; 0 for none."""
    c, u = t.calls.c, t.utterances.c
    runs_ = select(func.max(u.run_n)).where(u.office == office, u.dialogue_n == number(dialogue_id))
    query = select(func.max(c.slot)).where(c.office == office, c.run_n == runs_.scalar_subquery())
    return int(asked.rows(query)[0][0] or 0)


def session_lines(asked: Rows, office: str, dialogue_id: str, *, after: int) -> list[str]:
    """Messages of a dialogue behind a place, each as a line of JSON with its place and its run."""
    given = {
        "of_office": office,
        "of_dialogue": number(dialogue_id),
        "of_after": max(0, after),
    }
    rows = asked.rows(_SESSION_LINES, given)
    return [f'{{"n":{n},"run":"R-{run}","message":{body}}}' for n, run, body in rows]
