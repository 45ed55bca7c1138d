"""What app decides about the web: which names are ours, whether TLS is spoken, where the UI is."""

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path

import dayshift
from dayshift.core.errors import InvalidError

_ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def built_ui() -> Path:
    """Where the build puts the UI."""
    return Path(dayshift.__file__).parent / "_ui"


@dataclass(frozen=True, kw_only=True)
class WebSettings:
    """Settings of the web.

    Attributes:
        hosts: Names and addresses, without ports, that a request may be addressed to.
        any_address: Whether any address written in digits will do too. No page elsewhere can put
            one there, since it takes a name to be bound anew.
        origins: Origins, as ``https://office.example.org``, whose pages are ours beside the
            request's own host; for a proxy that changes the host.
        https: Whether browsers reach us over TLS only, here or at a proxy.
        ui: The built UI.
        ask_again_s: How often an open feed asks whether its watcher is still let in.
        send_limit_s: How long a watcher may take nothing before it is dropped.
    """

    hosts: frozenset[str] = LOOPBACK
    any_address: bool = False
    origins: frozenset[str] = frozenset()
    https: bool = False
    ui: Path = field(default_factory=built_ui)
    ask_again_s: float = 15.0
    send_limit_s: float = 60.0


def check_binding(host: str, *, tls: bool, allow_plain: bool) -> None:
    """Return if the server may listen there; ``allow_plain`` is the owner's explicit word.

    Raises:
        InvalidError: Others could reach it, and passwords and tokens would cross the network plain.
    """
    if is_loopback(host) or tls or allow_plain:
        return
    raise InvalidError(
        f"Listening on {host} would let others reach this server without TLS.",
        hint="Put it behind a proxy that speaks TLS and listen on 127.0.0.1, "
        "or allow it with DAYSHIFT_ALLOW_PLAIN_HTTP=yes.",
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    bare = host.strip("[]").lower()
    if bare == "localhost" or bare.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(bare.partition("%")[0]).is_loopback
    except ValueError:
        return False


def settings_for(host: str, *, public_url: str = "", https: bool = False) -> WebSettings:
    """Settings that fit an address to listen on, and the URL browsers use if it is another.

    Raises:
        InvalidError: The public URL is not a scheme, a name and perhaps a port.
    """
    bare = host.strip("[]").lower()
    wildcard = bare in {"0.0.0.0", "::", ""}  # noqa: S104  compared with, not bound to
    hosts = LOOPBACK if wildcard else LOOPBACK | {bare}
    origins: frozenset[str] = frozenset()
    if public_url:
        origin = public_url.rstrip("/").lower()
        if not _ORIGIN.fullmatch(origin):
            raise InvalidError(
                f"{public_url!r} is no address that browsers can reach the whole server at.",
                hint="It looks like https://office.example.org, without a path.",
            )
        origins = frozenset({origin})
        hosts = hosts | {host_name(origin.partition("://")[2])}
        https = https or origin.startswith("https://")
    return WebSettings(hosts=hosts, any_address=wildcard, origins=origins, https=https)


def host_name(netloc: str) -> str:
    """The name or address in a Host header, without its port, in lower case."""
    low = netloc.strip().lower()
    if low.startswith("["):
        return low[1:].partition("]")[0]
    return low.rpartition(":")[0] if ":" in low else low


def is_address(name: str) -> bool:
    """Whether a host is an address written in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
