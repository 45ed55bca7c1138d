"""Writes the pages: `python -m docs.generate`."""

import sys

from docs.generate import recipes
from docs.generate.markdown import ROOT
from docs.generate.pages import PAGES


def main() -> None:
    """Write every page that is not as it should be, and say which."""
    made = {ROOT / "docs" / "reference" / name: make() for name, make in PAGES.items()}
    for path, text in {**made, **recipes.pages()}.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stderr.write(f"{path.relative_to(ROOT)} was written anew.\n")


main()
