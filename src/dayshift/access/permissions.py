"""What may be done, by name, and the roles that allow it. Pure.

A permission is ``domain:action``. Everything not listed here is refused, to everybody.
"""

import difflib
from collections.abc import Iterable
from typing import Literal

from dayshift.core.errors import InvalidError

Role = Literal["owner", "staff", "viewer"]

OFFICE: dict[str, str] = {
    "agents:edit": "Change agents.",
    "agents:read": "See agents, their prompts and their tools.",
    "alerts:acknowledge": "Mark alerts as seen.",
    "alerts:read": "See alerts.",
    "channels:edit": "Create, change and delete channels.",
    "events:publish": "Publish events.",
    "events:read": "See events and what the attention filter decided.",
    "files:read": "Read files of agents' workspaces.",
    "inbox:edit": "Cancel, pause and move inbox items.",
    "inbox:read": "See inbox items.",
    "ledger:read": "Read the ledger and the feed.",
    "office:edit": "Change an office.",
    "office:pause": "Pause and resume an office.",
    "office:read": "See that an office is there, and its state.",
    "runs:control": "Cancel and steer runs.",
    "runs:read": "See runs, their requests and their results.",
    "tasks:delete": "Delete tasks.",
    "tasks:edit": "Create, change, move and comment on tasks.",
    "tasks:read": "See tasks.",
    "threads:clear": "Clear the history of a thread.",
    "threads:post": "Write messages.",
    "threads:read": "Read messages.",
    "usage:read": "See what was used and spent.",
}
"""Permissions within one office."""

SERVER: dict[str, str] = {
    "account:edit": "Change one's own account and end one's own sessions.",
    "account:link": "Make a link by which one signs in once, elsewhere.",
    "account:read": "See one's own account.",
    "audit:read": "See who signed in, and who changed what on the server.",
    "isolation:read": "See how agents' commands are kept in.",
    "offices:create": "Make a new office.",
    "offices:read": "List the offices one may see.",
    "providers:read": "See which model providers can be used.",
    "providers:test": "Send a small request to a provider.",
    "tokens:edit": "Make and revoke API tokens.",
    "tokens:read": "List one's own API tokens.",
}
"""Permissions on the server as a whole."""

EVERYBODY = frozenset(SERVER) - {"audit:read", "offices:create", "providers:test"}
"""What each signed-in person may do on the server; its owner may do all."""

_READ = frozenset(name for name in OFFICE if name.endswith(":read"))
ROLES: dict[Role, frozenset[str]] = {
    "owner": frozenset(OFFICE),
    "staff": frozenset(OFFICE) - {"agents:edit", "office:edit"},
    "viewer": _READ,
}


def check_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """Scopes of a token, checked: ``domain:action``, ``domain:*`` or ``*``.

    Raises:
        InvalidError: One that nothing here allows; the hint names near ones.
    """
    domains = {name.partition(":")[0] for name in (*OFFICE, *SERVER)}
    known = [*OFFICE, *SERVER, *(f"{domain}:*" for domain in sorted(domains)), "*"]
    checked = frozenset(scopes)
    for scope in sorted(checked):
        if scope not in known:
            near = difflib.get_close_matches(scope, known, n=3)
            hint = f"Near it: {', '.join(near)}." if near else "All of them are in the reference."
            raise InvalidError(f"There is no scope {scope!r}.", hint=hint)
    return checked


def covers(scopes: Iterable[str], permission: str) -> bool:
    """Whether scopes allow a permission."""
    domain = permission.partition(":")[0]
    return not {"*", f"{domain}:*", permission}.isdisjoint(scopes)


def expand(scopes: Iterable[str]) -> frozenset[str]:
    """All permissions that scopes allow."""
    given = frozenset(scopes)
    return frozenset(name for name in (*OFFICE, *SERVER) if covers(given, name))
