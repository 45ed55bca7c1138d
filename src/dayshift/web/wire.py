"""Writes `wire/`: the API's document and one sample of everything that crosses the border.

Run as ``python -m dayshift.web.wire [FOLDER]``. The backend's and the UI's tests read the files; a
test makes them anew and compares.
"""

import sys
from pathlib import Path

import msgspec

from dayshift import __version__
from dayshift.core.snapshot import Snapshot, apply
from dayshift.web.document import describe
from dayshift.web.samples.entries import ENTRIES, LIVE, SNAPSHOT


def files() -> dict[str, bytes]:
    """Path below `wire/` to content."""
    made: dict[str, bytes] = {"openapi.json": _pretty(describe(__version__))}
    for recorded in ENTRIES:
        made[f"entries/{recorded.entry.__struct_config__.tag}.json"] = _pretty(recorded)
    for live in LIVE:
        made[f"live/{live.__struct_config__.tag}.json"] = _pretty(live)
    made["snapshot.json"] = _pretty(SNAPSHOT)
    made["snapshot-after.json"] = _pretty(snapshot_after())
    return made


def snapshot_after() -> Snapshot:
    """The snapshot with all entries applied to it."""
    after = msgspec.json.decode(msgspec.json.encode(SNAPSHOT), type=Snapshot)
    for recorded in ENTRIES:
        apply(after, recorded)
    return after


def write(folder: Path) -> None:
    """Write all files below a folder, and delete what no longer belongs there."""
    made = files()
    for path, content in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    for path in folder.rglob("*.json"):
        if path.relative_to(folder).as_posix() not in made:
            path.unlink()


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "wire"))
