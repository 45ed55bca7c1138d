"""The reference of ledger entries: what the feed tells, kind by kind."""

from typing import get_args

import msgspec

from dayshift.core import entries, views
from dayshift.core.artifacts import Artifact
from dayshift.core.entries import CallOutput, Entry, Recorded, RunDelta
from dayshift.core.model import Usage
from docs.generate.markdown import page
from docs.generate.structs import struct_section

INTRODUCTION = """
Everything that happens in an office is an entry of its ledger, and the feed tells each of them.
An entry carries the whole new view of what it is about; it takes the place of the old one.
"""


def entries_page() -> str:
    """The page."""
    kinds = [
        struct_section(kind, level=3, title=f"`{kind.__struct_config__.tag}`")
        for kind in get_args(Entry)
    ]
    nouns = [
        struct_section(view, level=3)
        for view in vars(views).values()
        if isinstance(view, type)
        and issubclass(view, views.View)
        and view is not views.View
        and view.__module__ == views.__name__
    ]
    live = [
        struct_section(kind, level=3, title=f"`{kind.__struct_config__.tag}`")
        for kind in (RunDelta, CallOutput)
    ]
    return page(
        "Ledger entries",
        INTRODUCTION,
        struct_section(Recorded, level=2, title="An entry in its place"),
        "## Kinds",
        *kinds,
        "## Live text",
        "These are told while they happen, and are not in the ledger.",
        *live,
        "## Views",
        *nouns,
        struct_section(Usage, level=3),
        struct_section(Artifact, level=3),
    )


def described_kinds() -> list[str]:
    """The kinds of entries that the module defines; each must be in the union."""
    return sorted(
        str(kind.__struct_config__.tag)
        for kind in vars(entries).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and issubclass(kind, entries.Base)
        and kind is not entries.Base
    )
