"""The examples that come with Dayshift: offices to start from."""

from pathlib import Path

import dayshift
from dayshift.config import edit
from dayshift.config.splice import Put
from dayshift.core.errors import NotFoundError

DEMO = "landing-page"


def folder() -> Path:
    """Where the examples are: in the package, or in a checkout beside it."""
    package = Path(dayshift.__file__).parent
    shipped = package / "_examples"
    return shipped if shipped.is_dir() else package.parents[1] / "examples"


def names() -> list[str]:
    """The examples by name."""
    return sorted(path.parent.name for path in folder().glob("*/office.yaml"))


def example(name: str) -> Path:
    """The folder of an example.

    Raises:
        NotFoundError: There is none of that name; the hint lists those there are.
    """
    if name not in names():
        raise NotFoundError(
            f"There is no example {name!r}.", hint=f"Examples: {', '.join(names())}."
        )
    return folder() / name


def renamed(data: bytes, name: str, *, title: str = "") -> bytes:
    """An office file's bytes under another name, its comments kept."""
    changes = [Put(("office", "name"), name)]
    if title:
        changes.append(Put(("office", "title"), title))
    return edit.apply(data, changes, file="office.yaml")
