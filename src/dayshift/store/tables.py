"""The tables of the ledger's database, the same on SQLite and PostgreSQL.

A noun's row is its view as JSON in ``body`` with the columns that are searched or sorted beside it,
so that the row, the ledger entry and what the API shows cannot differ. Turns and calls, of which
there are most, hold the number of the entry that tells of them as they are now instead. Every row
of an office carries the office.

SQLite takes a partial index only for a query that says the same in the same words: see ``is_open``
and ``has_key``.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Float,
    Index,
    MetaData,
    String,
    Table,
    Text,
    literal_column,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _small(name: str, *columns: Column[object] | Index) -> Table:
    """A table of small rows, which lie in their primary key's order: one page touched, not two.

    Not for rows over a fifth of a page: SQLite keeps the rest of those in a page each.
    """
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


def _rows(name: str, *columns: Column[object] | Index) -> Table:
    """A table of large rows, which lie as they came: those of many runs at once share pages."""
    return Table(name, metadata, *columns)


def _office() -> Column[object]:
    return Column("office", String(64), primary_key=True)


def _key(name: str, length: int = 96) -> Column[object]:
    return Column(name, String(length), primary_key=True)


def _number_key(name: str) -> Column[object]:
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


def _word(name: str, length: int = 96) -> Column[object]:
    return Column(name, String(length), nullable=False, default="", server_default=text("''"))


def _number(name: str) -> Column[object]:
    return Column(name, BigInteger, nullable=False, default=0, server_default="0")


def _body() -> Column[object]:
    return Column("body", Text, nullable=False)


def is_open(table: Table) -> ColumnElement[bool]:
    """The rows of a table that are open, as its partial index says it."""
    return table.c.open == literal_column("1")


def has_key(column: ColumnElement[str]) -> ColumnElement[bool]:
    """The rows with a key in a column, as the partial index of such keys says it."""
    return column != literal_column("''")


offices = _rows("offices", _office(), _body())
counters = _small("counters", _office(), _key("letter", 4), _number("value"))
ledger = _rows(
    "ledger",
    _office(),
    _number_key("seq"),
    Column("at", String(40), nullable=False),
    _word("actor", 160),
    _word("kind", 32),
    _word("agent"),
    _word("run"),
    _word("task"),
    _body(),
)
Index(
    "ix_ledger_file_written",
    ledger.c.office,
    ledger.c.agent,
    ledger.c.seq,
    sqlite_where=ledger.c.kind == "file_written",
    postgresql_where=ledger.c.kind == "file_written",
)
agents = _rows("agents", _office(), _key("name"), _number("removed"), _body())
events = _rows(
    "events",
    _office(),
    _number_key("n"),
    _word("id"),
    _word("dedup_key", 200),
    _number("first_item"),
    _body(),
    Column("decisions", Text, nullable=False),
)
Index(
    "ix_events_office_dedup_key",
    events.c.office,
    events.c.dedup_key,
    sqlite_where=has_key(events.c.dedup_key),
    postgresql_where=has_key(events.c.dedup_key),
    unique=True,
)
items = _rows(
    "items",
    _office(),
    _number_key("n"),
    _word("agent"),
    _word("state", 16),
    _number("open"),
    _body(),
)
Index("ix_items_agent", items.c.office, items.c.agent, items.c.n)
Index(
    "ix_items_open",
    items.c.office,
    items.c.agent,
    items.c.n,
    sqlite_where=is_open(items),
    postgresql_where=is_open(items),
)
runs = _rows(
    "runs",
    _office(),
    _number_key("n"),
    _word("agent"),
    _word("state", 20),
    _number("fence"),
    _word("thread", 200),
    _word("task"),
    _number("day"),
    _body(),
)
Index("ix_runs_state", runs.c.office, runs.c.state)
turns = _rows(
    "turns",
    _office(),
    _number_key("run_n"),
    _number_key("n"),
    _number("day"),
    _word("agent"),
    _word("model", 200),
    _word("task"),
    _number("input_tokens"),
    _number("output_tokens"),
    _number("cache_read_tokens"),
    _number("cache_write_tokens"),
    _number("cost_usd_micros"),
    _number("priced"),
    _word("prompt", 16),
    _word("dialogue"),
    _number("first"),
    _number("upto"),
    Column("request", Text, nullable=False, default=""),
    _number("entry"),
)
Index("ix_turns_day", turns.c.office, turns.c.day)
calls = _rows(
    "calls",
    _office(),
    _number_key("run_n"),
    _number_key("turn"),
    _number_key("index"),
    _word("provider_id", 200),
    _word("state", 16),
    _number("slot"),
    Column("arguments", Text, nullable=False, default=""),
    Column("result", Text, nullable=False, default=""),
    _number("entry"),
)
dialogues = _rows(
    "dialogues",
    _office(),
    _number_key("n"),
    _word("agent"),
    _word("key", 160),
    _number("cursor"),
    Column("summary", Text, nullable=False, default=""),
)
Index("ix_dialogues_key", dialogues.c.office, dialogues.c.agent, dialogues.c.key)
utterances = _rows(
    "utterances",
    _office(),
    _number_key("dialogue_n"),
    _number_key("n"),
    _number("run_n"),
    _body(),
)
threads = _rows(
    "threads",
    _office(),
    _key("id", 200),
    _word("kind", 16),
    _word("name", 200),
    _number("removed"),
    _body(),
)
Index("ix_threads_name", threads.c.office, threads.c.name)
messages = _rows(
    "messages",
    _office(),
    _key("thread", 200),
    _number_key("n"),
    _word("id"),
    _number("number"),
    _word("key", 200),
    _word("author", 160),
    _word("run"),
    Column("at", String(40), nullable=False),
    _body(),
)
Index("ix_messages_number", messages.c.office, messages.c.number)
Index(
    "ix_messages_key",
    messages.c.office,
    messages.c.key,
    sqlite_where=has_key(messages.c.key),
    postgresql_where=has_key(messages.c.key),
    unique=True,
)
reads = _small("reads", _office(), _key("person"), _key("thread", 200), _number("n"))
tasks = _rows(
    "tasks",
    _office(),
    _number_key("n"),
    _word("status", 16),
    _word("assignee"),
    _word("parent"),
    _word("maker", 160),
    _number("chain"),
    _word("key", 200),
    _body(),
)
Index("ix_tasks_status", tasks.c.office, tasks.c.status, tasks.c.n)
Index("ix_tasks_parent", tasks.c.office, tasks.c.parent, tasks.c.n)
Index("ix_tasks_chain", tasks.c.office, tasks.c.chain)
Index(
    "ix_tasks_key",
    tasks.c.office,
    tasks.c.key,
    sqlite_where=has_key(tasks.c.key),
    postgresql_where=has_key(tasks.c.key),
    unique=True,
)
task_links = _small("task_links", _office(), _number_key("needs_n"), _number_key("task_n"))
task_history = _rows("task_history", _office(), _number_key("task_n"), _number_key("n"), _body())
comments = _rows("comments", _office(), _number_key("task_n"), _number_key("n"), _body())
alerts = _rows(
    "alerts",
    _office(),
    _number_key("n"),
    _word("code", 64),
    _word("fold", 200),
    _number("open"),
    _body(),
)
Index("ix_alerts_fold", alerts.c.office, alerts.c.fold, alerts.c.n)
timers = _rows(
    "timers",
    _office(),
    _key("id", 160),
    _word("state", 16),
    Column("due_at", String(40), nullable=False),
    _word("agent"),
    _body(),
)
prompts = _rows(
    "prompts",
    _office(),
    _key("agent"),
    _key("hash", 16),
    Column("at", String(40), nullable=False),
    _body(),
)
marks = _rows("marks", _office(), _key("name", 200), _body())

people = _rows("people", _key("id"), _body())
links = _small(
    "links",
    _key("hash", 64),
    _word("person"),
    Column("expires_at", Float, nullable=False),
    _number("used"),
)
sessions = _rows(
    "sessions",
    _key("hash", 64),
    _word("id"),
    _word("person"),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    _word("agent", 200),
    _word("address", 64),
    _word("csrf", 64),
)
tokens = _rows(
    "tokens",
    _key("hash", 64),
    _word("id"),
    _word("name", 100),
    _word("person"),
    _word("office", 64),
    _word("scopes", 1_000),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float, nullable=False, default=0.0),
    Column("revoked_at", Float, nullable=False, default=0.0),
)
members = _small("members", _office(), _key("person"), _word("role", 32))
audit = _rows("audit", _number_key("n"), _body())
