"""Writes the pages: `python -m docs.generate`."""

import sys
from pathlib import Path

from docs.generate import recipes
from docs.generate.index import index_page
from docs.generate.markdown import ROOT
from docs.generate.pages import PAGES


def main() -> None:
    """Write every page that is not as it should be, and say which."""
    for name, make in PAGES.items():
        _write(ROOT / "docs" / "reference" / name, make())
    for path, text in recipes.pages().items():
        _write(path, text)
    # Last, for it lists the others.
    _write(ROOT / "docs" / "README.md", index_page())


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stderr.write(f"{path.relative_to(ROOT)} was written anew.\n")


main()
