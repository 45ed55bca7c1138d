"""Changes to office.yaml that leave comments, quotes, order and every other line alone.

A change is made in the text, read again, and compared with what it should have become; only then is
the file replaced, whole and durably, while other processes are kept out by a lock. What cannot be
changed so is refused, and the file stays as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dayshift.config.files import locked, replace_file
from dayshift.config.office import OfficeConfig, parse
from dayshift.config.splice import Append, Change, Put, Remove, changed_text, changed_value
from dayshift.config.yaml_text import Plain, decode, read_yaml
from dayshift.core.errors import ConfigError, ConflictError, NotFoundError, StorageError

Plan = Callable[[OfficeConfig], Sequence[Change]]
"""What to change, given the office as it is when nobody else can change it."""

BY_HAND = "Change the file by hand."
_BOM = b"\xef\xbb\xbf"


def edit(path: Path, plan: Plan | Sequence[Change], *, env: Mapping[str, str]) -> OfficeConfig:
    """Change an office file.

    Args:
        path: The office's ``office.yaml``.
        plan: The changes, in order; all are made or none.
        env: The server's environment.

    Returns:
        The office as the file says it now.

    Raises:
        ConfigErrors: The file is faulty, or would be after the change; it is as it was.
        NotFoundError: A change names something that is not there.
        ConflictError: A value is shared with others by an anchor, or another process changes the
            file and does not finish.
        StorageError: The disk refused.
    """
    with locked(path):
        try:
            data = path.read_bytes()
        except OSError as error:
            message = f"{path} cannot be read: {error.strerror or error}."
            raise StorageError(message) from error
        office = parse(data, path=path, env=env)
        changes = plan(office) if callable(plan) else plan
        changed = apply(data, changes, file=str(path))
        settled = parse(changed, path=path, env=env)
        if changed != data:
            replace_file(path, changed)
        return settled


def apply(data: bytes, changes: Sequence[Change], *, file: str) -> bytes:
    """A file's bytes after some changes, each of them made exactly.

    Raises:
        ConfigError: The bytes are no YAML.
        NotFoundError: A change names something that is not there.
        ConflictError: A value is shared with others, so that it cannot be changed alone.
    """
    mark = _BOM if data.startswith(_BOM) else b""
    for change in changes:
        data = mark + _apply(data, change, file).encode()
    return data


def _apply(data: bytes, change: Change, file: str) -> str:
    wanted = changed_value(read_yaml(data, file).value, change)
    text = changed_text(decode(data, file), change, file=file)
    try:
        is_exact = _bare(read_yaml(text.encode(), file).value) == _bare(wanted)
    except ConfigError as error:
        message = f"This cannot be changed alone: it would leave {error.message}"
        raise ConflictError(message, hint=BY_HAND) from error
    if not is_exact:
        message = "This cannot be changed alone: the file shares it by an anchor or a merge."
        raise ConflictError(message, hint=BY_HAND)
    return text


def _bare(value: Plain) -> Plain:
    """A value without what means nothing: keys that hold nothing."""
    if isinstance(value, dict):
        bare = {key: _bare(inner) for key, inner in value.items()}
        return {key: inner for key, inner in bare.items() if inner is not None and inner != {}}
    return tuple(_bare(item) for item in value) if isinstance(value, tuple) else value


# --- plans --------------------------------------------------------------------------------------


def put_office(key: str, value: Plain) -> Plan:
    """Set a field of the office; ``key`` may lead down with dots, as in ``budget.usd_per_day``."""
    return lambda _office: [_put(("office", *key.split(".")), value)]


def put_agent(name: str, key: str, value: Plain) -> Plan:
    """Set a field of an agent; ``None`` takes it out, so that its default holds."""
    return lambda _office: [_put(("agents", name, *key.split(".")), value)]


def add_agent(fields: Mapping[str, Plain]) -> Plan:
    """Add an agent at the end of the list."""
    return lambda _office: [Append(("agents",), dict(fields))]


def remove_agent(name: str) -> Plan:
    """Take an agent out: of the list, of every channel, and from above those who report to it.

    They report to its own manager from then on.
    """

    def plan(office: OfficeConfig) -> Sequence[Change]:
        agent = office.agent(name)
        if agent is None:
            message = f"There is no agent '{name}' in office.yaml."
            raise NotFoundError(message)
        changes: list[Change] = [
            _put(("agents", below, "reports_to"), agent.reports_to or None)
            for below in office.reports_of(name)
        ]
        changes += [
            Remove(
                ("channels", channel.name, "members", name)[: 4 if len(channel.members) > 1 else 2]
            )
            for channel in office.channels
            if channel.is_written and name in channel.members
        ]
        return [*changes, Remove(("agents", name))]

    return plan


def add_channel(fields: Mapping[str, Plain]) -> Plan:
    """Add a channel at the end of the list."""
    return lambda _office: [Append(("channels",), dict(fields))]


def put_channel(name: str, key: str, value: Plain) -> Plan:
    """Set a field of a channel; a channel that exists by default alone is written down for it."""

    def plan(office: OfficeConfig) -> Sequence[Change]:
        channel = office.channel(name)
        if channel is not None and not channel.is_written:
            return [Append(("channels",), {"name": name, key: value})]
        return [_put(("channels", name, *key.split(".")), value)]

    return plan


def remove_channel(name: str) -> Plan:
    """Take a channel out."""
    return lambda _office: [Remove(("channels", name))]


def _put(where: tuple[str, ...], value: Plain) -> Change:
    return Remove(where) if value is None else Put(where, value)
