"""Writes the pages: `python -m docs.generate`."""

import sys

from docs.generate.markdown import ROOT
from docs.generate.pages import PAGES


def main() -> None:
    """Write every page that is not as it should be, and say which."""
    for name, make in PAGES.items():
        path = ROOT / "docs" / "reference" / name
        text = make()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stderr.write(f"docs/reference/{name} was written anew.\n")


main()
