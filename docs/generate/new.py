"""Starts a new thing by its recipe: `python -m docs.generate.new tool NAME`, or `make new-tool`.

What stands in the sample files is put where it belongs, under the new name, to be changed from
there. A decision and a fragment of the change log have a form of their own.
"""

import re
import sys
from pathlib import Path

from docs.generate import recipes
from docs.generate.markdown import ROOT

RECIPES = {
    "computer": "computer",
    "event": "entry",
    "page": "page",
    "provider": "provider",
    "rule": "dispatch-rule",
    "setting": "setting",
    "tool": "tool",
}
NAME = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")
FRAGMENT = re.compile(r"(?P<what>[a-z0-9-]+)(\.(?P<kind>added|changed|fixed|removed|security))?")
DECISION = """# {number}. {title}

## Context

What forces a decision.

## Decision

What is done, in the present tense.

## Consequences

What becomes easy, and what becomes hard.

## How it is checked

The test or check that fails when it is not kept.
"""


def start(kind: str, name: str, tree: Path) -> list[str]:
    """Write the files of a new thing; their paths.

    Raises:
        ValueError: The kind is not known, the name does not fit, or a file is in the way.
    """
    if kind == "adr":
        return _decision(name, tree / "docs" / "adr", tree)
    if kind == "change":
        return _fragment(name, tree)
    if kind not in RECIPES:
        known = ", ".join(sorted([*RECIPES, "adr", "change"]))
        raise ValueError(f"there is no recipe for {kind!r}; there is one for {known}")
    if not NAME.fullmatch(name):
        message = f"NAME={name!r} does not fit; lower-case words with _ between them do"
        raise ValueError(message)
    return recipes.apply(RECIPES[kind], tree, called=name.replace("-", "_"))


def _decision(title: str, folder: Path, tree: Path) -> list[str]:
    words = re.findall(r"[a-z0-9]+", title.lower())
    if not words:
        raise ValueError('NAME="What was decided" is missing')
    number = 1 + max((int(path.name[:4]) for path in folder.glob("[0-9]*.md")), default=0)
    path = folder / f"{number:04}-{'-'.join(words)}.md"
    said = title[:1].upper() + title[1:].replace("-", " ")
    path.write_text(DECISION.format(number=number, title=said), encoding="utf-8")
    return [path.relative_to(tree).as_posix()]


def _fragment(name: str, tree: Path) -> list[str]:
    match = FRAGMENT.fullmatch(name)
    if match is None:
        raise ValueError(f"NAME={name!r} does not fit; what-changed.fixed does")
    path = tree / "changes" / f"{match['what']}.{match['kind'] or 'added'}.md"
    if path.exists():
        raise ValueError(f"{path.relative_to(tree)} is there already")
    path.write_text("What a user notices, in one sentence.\n", encoding="utf-8")
    return [path.relative_to(tree).as_posix()]


def main(arguments: list[str]) -> int:
    """Do it, and say which files are new or changed."""
    kind, name = (*arguments, "", "")[:2]
    try:
        written = start(kind, name, ROOT)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"Nothing was made: {error}.\n")
        return 2
    for path in written:
        sys.stdout.write(f"{path}\n")
    sys.stdout.write("Make it yours, then: make fix docs, and make test T=path\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
