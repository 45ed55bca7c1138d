"""People and the ways they come in, as everyone outside access sees them.

No view holds a secret, but for ``TokenView.secret``, which is set once, in the answer that made the
token. Times are aware and real, in UTC.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from dayshift.core.views import OfficeView, View
from dayshift.core.wishes import Wish

Language = Literal["en", "zh"]
Theme = Literal["auto", "light", "dark"]
PersonName = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]


class Person(View, frozen=True, kw_only=True):
    """A human account. The server's owner may do everything in every office."""

    id: str
    name: str
    language: Language = "en"
    theme: Theme = "auto"
    is_owner: bool = False


class Me(View, frozen=True, kw_only=True):
    """Who is signed in, and what they may see. ``csrf`` is empty for an API token."""

    person: Person
    csrf: str
    offices: list[OfficeView]
    version: str


class SessionView(View, frozen=True, kw_only=True):
    """A signed-in browser. ``current`` is the asking one; unused, it ends at ``expires_at``."""

    id: str
    current: bool
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    user_agent: str
    address: str


class TokenView(View, frozen=True, kw_only=True):
    """An API token. An empty office means all; ``secret`` is there only when it was just made."""

    id: str
    name: str
    person: str
    office: str
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None
    secret: str | UnsetType = UNSET


class SignIn(Wish, frozen=True, kw_only=True):
    """The token of a sign-in link."""

    token: Annotated[str, Meta(min_length=1, max_length=200)]


class SignInLink(View, frozen=True, kw_only=True):
    """A way to sign in once, by opening ``path`` at the server's address before it is too old."""

    path: str
    expires_in_s: int


class PersonChanges(Wish, frozen=True, kw_only=True):
    """Changes to one's own account."""

    name: PersonName | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    theme: Theme | UnsetType = UNSET


class TokenDraft(Wish, frozen=True, kw_only=True):
    """A new API token: what it may do (``domain:action``, ``domain:*`` or ``*``), and where."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    office: Annotated[str, Meta(max_length=64)] = ""
    scopes: Annotated[list[str], Meta(min_length=1, max_length=50)]


AuditAction = Literal[
    "signed_in",
    "sign_in_refused",
    "signed_out",
    "link_made",
    "token_made",
    "token_revoked",
    "account_edited",
    "office_made",
    "office_edited",
    "agent_edited",
]


class AuditView(View, frozen=True, kw_only=True):
    """Something that somebody did to who may do what, or to how the server is set.

    ``actor`` is empty when it is not known who it was; ``count`` is how often it happened in a row
    from one address, which only refused sign-ins do.
    """

    n: int
    at: datetime
    actor: str
    action: AuditAction
    subject: str
    address: str = ""
    count: int = 1
